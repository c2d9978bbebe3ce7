package gate

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules/load"
)

// PinCwd puts a call where its session works, for a host that sends the folder the
// call wants, which becomes Dir. Else the model would choose project and settings.
func PinCwd(call *hookio.Call, f *Flags, w World) {
	if !call.Host.CwdMoves || f.Cwd != "" || call.Cwd == "" || !w.OS.IsAbs(w.Cwd) {
		return
	}
	if load.Resolve(w.Files, w.OS.Canon(call.Cwd)) == load.Resolve(w.Files, w.OS.Canon(w.Cwd)) {
		return
	}
	if call.Dir == "" {
		call.Dir = call.Cwd
	} else if !w.OS.IsAbs(call.Dir) && call.Dir[0] != '~' {
		call.Dir = call.Cwd + "/" + call.Dir
	}
	call.Cwd = w.Cwd
}
