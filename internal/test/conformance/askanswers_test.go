package conformance

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

//go:generate go test . -run ^TestAskAnswers$ -update

// askCalls are questions of every kind: a rule's, one that no rule lifts, a place outside, a secret, a call no rule names.
var askCalls = [...]canonCall{
	{tool: "Bash", input: `{"command":"git push --force origin main"}`},
	{tool: "Bash", input: `{"command":"git push origin main"}`},
	{tool: "Bash", input: `{"command":"touch /home/dev/notes/x.txt"}`},
	{tool: "Bash", input: `{"command":"npm test"}`},
	{tool: "Write", input: `{"file_path":"/work/project/.envrc","content":"x"}`},
	{tool: "Edit", input: `{"file_path":"/work/other/a.go","old_string":"a","new_string":"b"}`},
	{tool: "Read", input: `{"file_path":"/home/dev/.ssh/id_ed25519"}`},
	{tool: "WebFetch", input: `{"url":"https://example.org/","prompt":"summary"}`},
	{tool: "mcp__fs__write", input: `{"path":"a","text":"x"}`},
}

// TestAskAnswers holds testdata/hosts/NAME/ask.txt: what a program is told that cannot ask, where permgate would ask.
// The person and the model read the sentence in it.
func TestAskAnswers(t *testing.T) {
	texts := map[string]string{}
	for i := range forms {
		f := &forms[i]
		for j := range askCalls {
			call := &askCalls[j]
			if f.gap(call) != "" || hookio.Lookup(f.host) == nil || f.event(call) == "PermissionRequest" {
				continue
			}
			files := map[string]string{"/home/dev/.gen/settings.json": `{"permissions":{"ask":["Bash(git push:*)","WebFetch(domain:example.org)","mcp__fs__write"]}}`}
			if hookio.Lookup(f.host).Register != nil {
				files["/home/dev/.gen/permgate.json"] = postureOf(t, f.host)
			}
			c, v, err := judge(spell(f, call), hookio.Options{Host: f.host, Event: f.event(call)}, files)
			if err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			a := v.Answer(c)
			if told := hookio.Told(c.Call, a); a.Decision != hookio.Ask || told == hookio.Ask {
				continue
			}
			line := strings.TrimSpace(string(hookio.Write(nil, c.Call, a)))
			if line == "" {
				line = "(nothing: " + c.Call.Host.Title + " asks by its own rules, without this reason)\n# " + v.Reason
			}
			texts[f.host] += "# " + c.Call.RawTool + " " + c.Call.Input.Raw + "\n" + line + "\n"
		}
	}
	for host, text := range texts {
		golden.File(t, filepath.Join("..", "..", "..", "testdata", "hosts", host, "ask.txt"), text)
	}
	for _, h := range hookio.Hosts() {
		told := hookio.Told(&hookio.Call{Host: h, Event: hookio.PreToolUse, Tool: "Edit"}, hookio.Answer{Decision: hookio.Ask})
		if told != hookio.Ask && texts[h.Name] == "" {
			t.Errorf("%s makes %s of an ask, and no file shows it", h.Name, told)
		}
	}
}
