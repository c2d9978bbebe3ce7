package gate

import (
	"path/filepath"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules/load"
)

// PinCwd puts a call where its session works, for a host that sends the folder the
// call wants, which becomes Dir. Else the model would choose project and settings.
func PinCwd(call *hookio.Call, f *Flags, w World) {
	if !call.Host.CwdMoves || f.Cwd != "" || call.Cwd == "" || !filepath.IsAbs(w.Cwd) {
		return
	}
	if load.Resolve(w.Files, call.Cwd) == load.Resolve(w.Files, w.Cwd) {
		return
	}
	if call.Dir == "" {
		call.Dir = call.Cwd
	} else if !filepath.IsAbs(call.Dir) && call.Dir[0] != '~' {
		call.Dir = call.Cwd + "/" + call.Dir
	}
	call.Cwd = w.Cwd
}
