package gate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// TestSettle decides calls of Codex, whose payload names the folder the model
// wants to run in, not the one the session works in: that one is no workspace,
// and settings that lie there do not count.
func TestSettle(t *testing.T) {
	files := fakefs.New(nil)
	for _, dir := range []string{"/home/dev", "/work/project/.git", "/work/project/sub", "/work/other/.git"} {
		files.Mkdir(dir)
	}
	files.Write("/home/dev/.gen/settings.json", `{"permissions":{"defaultMode":"acceptEdits","allow":["Bash(touch:*)"],"deny":["Edit(sub/secret)"]}}`)
	files.Write("/work/other/.gen/settings.json", `{"permissions":{"allow":["Bash"],"additionalDirectories":["/"]}}`)
	files.Link("/linked", "/work/project")
	files.Own("/home/dev", 1000)
	files.Own("/work", 1000)
	w := gate.World{
		Getenv: func(k string) string { return map[string]string{"HOME": "/home/dev"}[k] },
		Cwd:    "/work/project", PasswdHome: "/home/dev", UID: 1000, Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files: files, Now: time.Time{}.Add(time.Hour), ManagedDir: []string{"/etc/gen"},
	}
	const bash, patch = `"Bash","tool_input":{"command":"touch x"}`, `"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: secret\n+x\n*** End Patch"}`
	for _, tt := range []struct {
		host, cwd, call string
		want            hookio.Decision
		where           string // Cwd and Dir
	}{
		{"codex", "/work/project", bash, hookio.Allow, "/work/project "},
		{"codex", "/linked", bash, hookio.Allow, "/linked "},
		{"codex", "/work/project/sub", bash, hookio.Allow, "/work/project /work/project/sub"},
		{"codex", "/work/other", bash, hookio.Ask, "/work/project /work/other"},
		{"codex", "/etc", bash, hookio.Ask, "/work/project /etc"},
		{"codex", "/work/project", patch, hookio.Allow, "/work/project "},
		{"codex", "/work/project/sub", patch, hookio.Deny, "/work/project /work/project/sub"},
		{"codex", "/etc", patch, hookio.Ask, "/work/project /etc"},
		{"codex", "/etc", `"exec_command","tool_input":{"cmd":"touch x","workdir":"b"}`, hookio.Ask, "/work/project /etc/b"},
		{"codex", "/etc", `"exec_command","tool_input":{"cmd":"touch x","workdir":"/work/project"}`, hookio.Allow, "/work/project /work/project"},
		{"claude", "/work/other", bash, hookio.Allow, "/work/other "}, // its cwd is that of the session
	} {
		in := `{"turn_id":"t","session_id":"s","cwd":"` + tt.cwd + `","hook_event_name":"PreToolUse","tool_name":` + tt.call + `}`
		if tt.host != "codex" {
			in = strings.Replace(in, `"turn_id"`, `"turn"`, 1)
		}
		call, err := hookio.Read(strings.NewReader(in), hookio.Options{Host: tt.host})
		if err != nil {
			t.Fatal(err)
		}
		f := &gate.Flags{Host: tt.host, State: "/state"}
		for range 2 { // once more changes nothing
			gate.PinCwd(call, f, w)
		}
		c := gate.Case(call, f, w)
		v := decide.Decide(c)
		if got := call.Cwd + " " + call.Dir; v.Decision() != tt.want || got != tt.where {
			t.Errorf("%s in %s: %s is %s (%s), in %q, want %s in %q", tt.host, tt.cwd, tt.call, v.Decision(), v.Reason(), got, tt.want, tt.where)
		}
		again, _, why := gate.Again(log.Decided(c, v, v.Answer()))
		if again == nil {
			t.Errorf("%s: not made again: %s", tt.call, why)
		} else if o := decide.Decide(gate.Case(again, f, w)); o.Decision() != v.Decision() {
			t.Errorf("%s in %s: made again it is %s (%s), was %s", tt.call, tt.cwd, o.Decision(), o.Reason(), v.Decision())
		}
	}
}

// TestSettleWindows: a folder as Windows or Git Bash spells it is where a call runs, whatever drive the session is on,
// and another spelling of the session's own is no other.
func TestSettleWindows(t *testing.T) {
	for _, tt := range []struct{ cwd, dir, want string }{
		{`C:\work`, "", `C:\work `},
		{`c:/work/`, "", `c:/work/ `},
		{"/c/work", "sub", "/c/work sub"},
		{`C:\work\sub`, "", `C:\work C:\work\sub`},
		{`C:\work\sub`, "b", `C:\work C:\work\sub/b`},
		{`C:\work\sub`, `D:\x`, `C:\work D:\x`},
		{`C:\work\sub`, "/d/x", `C:\work /d/x`},
		{`C:\work\sub`, `\x`, `C:\work \x`},
		{`C:\work\sub`, `\\server\share`, `C:\work \\server\share`},
	} {
		call := &hookio.Call{Host: hookio.Lookup("codex"), Cwd: tt.cwd, Dir: tt.dir}
		gate.PinCwd(call, &gate.Flags{}, gate.World{Cwd: `C:\work`, Files: fakefs.New(nil), OS: rules.Windows})
		if got := call.Cwd + " " + call.Dir; got != tt.want {
			t.Errorf("%s %s: in %q, want %q", tt.cwd, tt.dir, got, tt.want)
		}
	}
}
