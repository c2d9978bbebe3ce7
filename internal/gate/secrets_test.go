package gate

import (
	"os"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/examples"
)

// TestReasonsHideSecrets decides every text of the table of secrets, by rules of
// every list and by none: neither the reason nor the trace repeats a secret.
func TestReasonsHideSecrets(t *testing.T) {
	files := fakefs.New(nil)
	files.Mkdir("/home/u/app/.git")
	files.Own("/home/u", 1000)
	w := World{Getenv: func(string) string { return "" }, Cwd: "/home/u/app", PasswdHome: "/home/u", UID: 1000,
		Exe: os.Executable, Files: files, ManagedDir: []string{"/etc/none"}}
	for _, x := range examples.Read("../../hookio/redact/testdata") {
		text, secrets := strings.NewReplacer("«", "", "»", "").Replace(x.Cmd), []string(nil)
		for _, part := range strings.Split(x.Cmd, "«")[1:] {
			secret, _, _ := strings.Cut(part, "»")
			secrets = append(secrets, secret)
		}
		q := string(hookio.AppendJSON(nil, text))
		for _, c := range []struct {
			tool, input string
			flags       Flags
		}{
			{"Bash", `{"command":` + q + `}`, Flags{}},
			{"Bash", `{"command":` + q + `}`, Flags{Denied: []string{"Bash"}}},
			{"Bash", `{"command":` + q + `}`, Flags{Denied: []string{"Bash(*e*)"}, Headless: true}},
			{"Bash", `{"command":` + q + `}`, Flags{Mode: "acceptEdits"}},
			{"Bash", `{"command":` + string(hookio.AppendJSON(nil, text+" > /etc/x; rm -rf /")) + `}`, Flags{}},
			{"PowerShell", `{"command":` + q + `}`, Flags{}},
			{"WebFetch", `{"url":` + q + `}`, Flags{Denied: []string{"WebFetch"}}},
			{"Write", `{"file_path":` + q + `,"content":""}`, Flags{}},
			{"mcp__a__b", `{"query":` + q + `}`, Flags{Denied: []string{"mcp__a"}}},
		} {
			call, err := hookio.Read(strings.NewReader(`{"tool_name":"`+c.tool+`","tool_input":`+c.input+`}`), hookio.Options{Host: "claude"})
			if err != nil {
				t.Fatal(err)
			}
			cs := Case(call, &c.flags, w)
			v := decide.Decide(cs)
			said := v.Reason()
			for _, e := range v.Trace() {
				said += "\n" + e.Reason
			}
			for _, secret := range secrets {
				if len(secret) > 3 && (strings.Contains(said, secret) || strings.Contains(said, hookio.Escape(secret))) {
					t.Errorf("%s, %s %s: %q in %s", x.Program, c.tool, text, secret, said)
				}
			}
		}
	}
}
