package gate_test

import (
	"encoding/json"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// TestHostFiles: no mode lifts the question before a file is written that tells
// a host which hooks it runs, or that it runs none, wherever its folder is.
func TestHostFiles(t *testing.T) {
	for _, moved := range []bool{false, true} {
		files := fakefs.New(nil)
		files.Mkdir("/home/you/app/.git")
		files.Own("/home/you", 1000)
		env := map[string]string{"HOME": "/home/you"}
		world := gate.World{
			Getenv: func(k string) string { return env[k] }, Cwd: "/home/you/app", PasswdHome: "/home/you", UID: 1000,
			Exe: func() (string, error) { return "/usr/local/bin/permgate", nil }, Files: files, Now: time.Time{}.Add(time.Hour), ManagedDir: []string{"/etc/gen"},
		}
		for _, h := range hookio.Hosts() {
			if h.Register == nil {
				continue
			}
			from, to := h.Register.Moved.From, h.Register.Moved.To
			if moved {
				if env = map[string]string{"HOME": "/home/you", to: "/data/agent"}; to == "" {
					continue
				}
			}
			var names []string
			for _, f := range h.Register.Files {
				if f.OS == "" {
					names = append(names, f.Path)
					for _, b := range h.Register.Beside {
						names = append(names, path.Join(path.Dir(f.Path), b.Path))
					}
				}
			}
			for _, o := range h.Register.Off {
				if o.Path != "" {
					names = append(names, o.Path)
				}
			}
			if from == "~/.copilot" {
				names = append(names, from+"/hooks/another.json")
			}
			for _, name := range names {
				switch rest, ok := strings.CutPrefix(name, from+"/"); {
				case moved && (from == "" || !ok):
					continue
				case moved:
					name = "/data/agent/" + rest
				case strings.HasPrefix(name, "~/"):
					name = "/home/you/" + name[2:]
				case !path.IsAbs(name):
					name = "/home/you/app/" + name
				}
				text, _ := json.Marshal(name)
				call, err := hookio.Read(strings.NewReader(`{"cwd":"/home/you/app","permission_mode":"bypassPermissions","tool_name":"Write","tool_input":{"file_path":`+string(text)+`}}`), hookio.Options{Host: "generic"})
				if err != nil {
					t.Fatal(err)
				}
				if v := decide.Decide(gate.Case(call, &gate.Flags{State: "/state"}, world)); v.Decision() != hookio.Ask || v.Step() != "2" {
					t.Errorf("%s: writing %s: %s in step %s (%s)", h.Name, name, v.Decision(), v.Step(), v.Reason())
				}
			}
		}
	}
}
