package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
)

// A sentence is one "must do" of a class of threats: rules, and commands under
// them with the answer each must get. In the rules {prog} stands for the first
// word of the command, so that Bash({prog} *) is the rule a person writes who
// trusts the program by name.
type sentence struct {
	must  string   // the sentence, in a few words
	allow []string // rules of the user's settings
	deny  []string
	ask   []string
	mode  string            // permission_mode, default default
	links map[string]string // symlinks of the file system
	files map[string]string // further files, settings among them

	denied []string // a deny rule or fence must stop these
	asked  []string // step 2 or an ask rule must ask, whatever is allowed
	held   []string // must not be allowed; which step holds them does not matter
	passed []string // must be allowed
	// because is a piece of the reason of what is denied and asked, step the step
	// that must have given it.
	because, step string
}

// anything is the widest permission a user can write; only steps 1 to 3b outrank it.
var anything = []string{"Bash(*)"}

// byName is the rule of somebody who trusts a program by its name.
var byName = []string{"Bash({prog} *)", "Bash({prog})"}

// runSentences runs each sentence as a test of its own.
func runSentences(t *testing.T, list []sentence) {
	t.Helper()
	for i := range list {
		s := &list[i]
		t.Run(s.must, func(t *testing.T) {
			if len(s.denied)+len(s.asked)+len(s.held)+len(s.passed) == 0 {
				t.Fatal("a sentence without a case proves nothing")
			}
			s.run(t, s.denied, "deny")
			s.run(t, s.asked, "ask")
			s.run(t, s.held, "not-allow")
			s.run(t, s.passed, "allow")
		})
	}
}

func (s *sentence) run(t *testing.T, commands []string, want string) {
	t.Helper()
	for _, cmd := range commands {
		v := s.decide(t, cmd)
		got := v.Decision().String()
		switch {
		case !holds(got, want):
			t.Errorf("got %s, want %s: %s\n\tstep %s: %.300s", got, want, cmd, v.Step(), v.Reason())
		case want != "ask" && want != "deny":
		case !strings.Contains(v.Reason(), s.because):
			t.Errorf("%s: the reason does not say %q: %s\n\t%.300s", want, s.because, cmd, v.Reason())
		case s.step != "" && v.Step() != s.step:
			t.Errorf("%s in step %s, want step %s: %s\n\t%.300s", want, v.Step(), s.step, cmd, v.Reason())
		case want == "ask" && v.Step() != "2" && v.Step() != "3b" && v.Step() != "5":
			t.Errorf("asked for want of a rule only (step %s): %s", v.Step(), cmd)
		}
	}
}

func (s *sentence) decide(t *testing.T, cmd string) decide.Verdict {
	t.Helper()
	tool, input := "Bash", `{"command":`+quote(cmd)+`}`
	if name, rest, ok := strings.Cut(cmd, "{\""); ok && toolCall(name) { // Edit{"file_path":"x"}
		tool, input = name, `{"`+rest
	}
	prog, _, _ := strings.Cut(cmd, " ")
	list := func(rules []string) []string {
		out := make([]string, len(rules))
		for i, r := range rules {
			out[i] = strings.ReplaceAll(r, "{prog}", prog)
		}
		return out
	}
	settings, err := json.Marshal(map[string]any{"permissions": map[string]any{
		"allow": list(s.allow), "deny": list(s.deny), "ask": list(s.ask),
	}})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"/home/dev/.gen/settings.json": string(settings)}
	for name, content := range s.files {
		files[name] = content
	}
	_, v := call(t, Setup{Tool: tool, Input: json.RawMessage(input), Mode: s.mode, Settings: files, Symlinks: s.links})
	return v
}

// toolCall reports whether a case names a tool and its input, not a command.
func toolCall(name string) bool {
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && !strings.ContainsAny(name, " =(:")
}
