package hosttest

import (
	"bytes"
	"os/exec"
	"runtime"
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// oddAnswers are the answers, "host event behaviour", that a host is known to read otherwise than
// hookio says, and why that is left as it is.
var oddAnswers = []struct{ what, why string }{
	{"claude PermissionRequest exit2allow", "of the dialog alone it reads an answer with exit code 2"},
	{"codex PreToolUse bom", "it takes a byte order mark for text"},
	{"codex PermissionRequest bom", "it takes a byte order mark for text"},
	{"droid PreToolUse bom", "it takes a byte order mark for text"},
	{"codex PreToolUse unknownfield", "a key it does not know makes it drop the answer"},
	{"codex PermissionRequest unknownfield", "a key it does not know makes it drop the answer"},
	{"gemini BeforeTool ask", "it asks, which ends a session without a person; After is about permgate's line, a deny"},
	{"gemini BeforeTool stderrjson", "it reads standard error where standard output is empty"},
	{"qwen PreToolUse stderrjson", "it reads standard error where standard output is empty"},
	{"gemini BeforeTool exit2deny", "it reads a deny with exit code 2 that has no text on standard error"},
	{"copilot permissionRequest badvalue", "it takes a word it does not know for no opinion"},
}

// TestEnded has hookio read what every behaviour prints, and compares what that leads to with what was
// observed of the host. Of late and missing hooks there is nothing to read.
func TestEnded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the behaviours are texts for sh")
	}
	ran := map[string]*ended{} // by the script: many hosts have the same
	for _, h := range Hosts {
		model := hookio.Lookup(h.Name)
		for _, g := range h.Gates {
			table := map[string]string{}
			for _, s := range g.Seen {
				table[s.Behaviour] = s.Open
			}
			for _, b := range h.Behaviours(&g) {
				if table[b.Name] == "" || b.Name == "timeout" || b.Name == "denytimeout" {
					continue
				}
				what := h.Name + " " + g.Event + " " + b.Name
				if ran[b.Script] == nil {
					ran[b.Script] = endedAs(b.Script)
				}
				e := ran[b.Script]
				ending := model.Ended(g.Event, e.code, e.stdout.String(), e.stderr.String())
				fate, _ := model.After(g.Event, ending, false)
				odd := slices.ContainsFunc(oddAnswers, func(o struct{ what, why string }) bool { return o.what == what })
				if agrees := g.agrees(fate, table[b.Name], table["silence"]); agrees == odd {
					t.Errorf("%s: read as %s (%s), observed: %s, silence is %s; odd: %v",
						what, ending, fate, table[b.Name], table["silence"], odd)
				}
			}
		}
	}
}

// ended is how a behaviour ended.
type ended struct {
	code           int
	stdout, stderr bytes.Buffer
}

func endedAs(script string) *ended {
	var e ended
	cmd := exec.Command("sh", "-c", script)
	cmd.Stdout, cmd.Stderr = &e.stdout, &e.stderr
	cmd.Run()
	e.code = cmd.ProcessState.ExitCode()
	return &e
}
