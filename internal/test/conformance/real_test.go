package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// recorded is one recorded call.
type recorded struct {
	Session string `json:"session_id"`
	// Project is the directory the session was started in, which its host names:
	// that of its first recorded call.
	Project string          `json:"-"`
	Cwd     string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	Mode    string          `json:"permission_mode"`
}

func recordedCalls(t *testing.T) []recorded {
	t.Helper()
	if testing.Short() {
		t.Skip("13,099 recorded calls: skipped by -short")
	}
	data := testenv.Corpus(t, "corpus/real_calls.jsonl")
	var out []recorded
	started := map[string]string{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var r recorded
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if started[r.Session] == "" {
			started[r.Session] = r.Cwd
		}
		r.Project = started[r.Session]
		out = append(out, r)
	}
	return out
}

// setup is the call in the world it was recorded in, with permgate.json and
// settings of the user ("" for none).
func (r *recorded) setup(mode, gate, settings string) Setup {
	home := "/home/dev"
	if strings.HasPrefix(r.Cwd, "/Users/dev") {
		home = "/Users/dev"
	}
	s := Setup{Tool: r.Tool, Input: r.Input, Mode: mode, Cwd: r.Cwd, Project: r.Project, Home: home, Settings: map[string]string{}}
	if gate != "" {
		s.Settings[home+"/.gen/permgate.json"] = gate
	}
	if settings != "" {
		s.Settings[home+"/.gen/settings.json"] = settings
	}
	return s
}

// TestRealCallsEveryMode decides every recorded call in every mode without a
// fault, and prints what the bare binary answers.
func TestRealCallsEveryMode(t *testing.T) {
	calls := recordedCalls(t)
	t.Logf("%-18s %7s %7s %7s", "mode", "allow", "ask", "deny")
	for _, mode := range []string{"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto", "explore"} {
		var n [4]int
		for i, r := range calls {
			c, v, err := Call(r.setup(mode, "", ""))
			if err != nil {
				t.Fatalf("call %d: %v", i+1, err)
			}
			if v.Decision() == hookio.Pass || v.Reason() == "" {
				t.Errorf("call %d: no answer", i+1)
			}
			if c.Call.Malformed != "" && mode == "default" && testing.Verbose() {
				t.Logf("call %d: malformed: %s", i+1, c.Call.Malformed)
			}
			n[v.Decision()]++
		}
		t.Logf("%-18s %7d %7d %7d", mode, n[hookio.Allow], n[hookio.Ask], n[hookio.Deny])
	}
	t.Logf("%d calls", len(calls))
}

// TestRealCallsInstalled counts what the installed posture adds for a user of
// Claude Code: prompts from step 7 must not be among it.
func TestRealCallsInstalled(t *testing.T) {
	calls, posture := recordedCalls(t), installedPosture(t)
	answers, by := map[string]int{}, map[string]int{}
	for i, r := range calls {
		_, v, err := Call(Setup{Tool: r.Tool, Input: r.Input, Mode: r.Mode, Cwd: r.Cwd, Project: r.Project, Host: "claude", Named: true,
			Settings: map[string]string{"/home/dev/.claude/permgate.json": posture}})
		if err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
		a := v.Answer()
		answers[a.Decision.String()]++
		if a.Decision == hookio.Ask || a.Decision == hookio.Deny {
			key := "step " + v.Step() + " " + kind(v.Reason())
			if v.Why().Check != nil {
				key = "step " + v.Step() + " check " + v.Why().Check.ID
			}
			by[a.Decision.String()+"  "+key]++
			if v.Step() == "7" && a.Decision == hookio.Ask {
				t.Errorf("call %d: step 7 prompts: %s %s", i+1, r.Tool, r.Input)
			}
			if os.Getenv("PERMGATE_ROWS") != "" {
				fmt.Printf("%s\t%s\t%s\t%.300s\t%.200s\n", a.Decision, key, r.Mode, r.Input, a.Reason)
			}
		}
	}
	keys := make([]string, 0, len(by))
	for k := range by {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return by[keys[i]] > by[keys[j]] || by[keys[i]] == by[keys[j]] && keys[i] < keys[j]
	})
	t.Logf("%d calls: %v (pass is silence: the host goes on by itself)", len(calls), answers)
	for _, k := range keys {
		t.Logf("%6d  %s", by[k], k)
	}
}

// kind cuts a reason down to its first two clauses, to count by.
func kind(reason string) string {
	parts := strings.SplitN(reason, ": ", 3)
	if len(parts) < 2 {
		return reason
	}
	out := parts[0] + ": " + parts[1]
	if i := strings.IndexAny(out, `"/`); i > 0 {
		out = out[:i]
	}
	if len(out) > 70 {
		out = out[:70]
	}
	return out
}

// TestDoubtShare counts the recorded shell texts with a doubt, by its id. What bash and zsh read differently
// must cost next to nothing: everyday text has no doubt because of it.
func TestDoubtShare(t *testing.T) {
	by, texts, doubted := map[string]int{}, 0, 0
	for _, r := range recordedCalls(t) {
		var input struct{ Command string }
		if r.Tool != "Bash" || json.Unmarshal(r.Input, &input) != nil {
			continue
		}
		texts++
		s := bashsafety.Analyze(input.Command, bashsafety.Env{Cwd: r.Cwd, Home: "/home/dev"})
		var ids []string
		for _, d := range s.Doubts {
			if !slices.Contains(ids, d.ID) {
				ids = append(ids, d.ID)
				by[d.ID]++
				if d.ID == os.Getenv("PERMGATE_DOUBT") {
					t.Logf("%s\n    %.200q\n    %.600q", d.Msg, input.Command[max(d.Span.Start, 0):d.Span.End], input.Command)
				}
			}
		}
		if len(ids) > 0 {
			doubted++
		}
	}
	ids := make([]string, 0, len(by))
	for id := range by {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return by[ids[i]] > by[ids[j]] })
	for _, id := range ids {
		t.Logf("%5d  %5.2f %%  %s", by[id], 100*float64(by[id])/float64(texts), id)
	}
	t.Logf("%5d  %5.2f %%  of %d texts with any doubt", doubted, 100*float64(doubted)/float64(texts), texts)
	if n := by["zsh-only"]; 1000*n > texts {
		t.Errorf("%d of %d recorded texts have the doubt zsh-only: more than one in a thousand", n, texts)
	}
}

// someSecrets are deny rules as a careful user writes them, and what excludes
// the like of every tool.
const (
	someSecrets  = `{"permissions":{"deny":["Bash(sudo:*)","Read(.env)","Read(.env.local)","Read(*.pem)","Read(~/.ssh/**)"]}}`
	someExcluded = `"contentExclusion":["**/.env","**/.env.local","**/*.pem","**/id_rsa","~/.ssh/**","~/.netrc"],"urls":["169.254.169.254","metadata.google.internal"]`
)

// TestRealCallsUnsure counts the recorded calls that a deny rule asks about
// because it could match, depending on what is not known.
func TestRealCallsUnsure(t *testing.T) {
	calls := recordedCalls(t)
	gate := strings.Replace(installedPosture(t), "{", "{"+someExcluded+",", 1)
	n := 0
	for i, r := range calls {
		_, v, err := Call(r.setup(r.Mode, gate, someSecrets))
		if err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
		if v.Decision() != hookio.Allow && strings.Contains(v.Reason(), "could-match") {
			n++
			if os.Getenv("PERMGATE_ROWS") != "" {
				t.Logf("%d\t%s\t%.300s", i+1, v.Reason(), r.Input)
			}
		}
	}
	if n > 3 { // 62 before patterns were looked up on the disk
		t.Errorf("%d calls ask because a rule could match", n)
	}
	t.Logf("%d of %d calls ask because a rule could match", n, len(calls))
}
