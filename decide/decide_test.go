package decide

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// TestStepsOrder pins the security argument: the numbers and names of the
// specification, in its order, those that tighten and the last one included.
func TestStepsOrder(t *testing.T) {
	all := slices.Concat(Steps[:], LaterSteps[:], HostSteps[:])
	var got []string
	for i := range all {
		got = append(got, all[i].Num+" "+all[i].Name)
		if all[i].Doc == "" {
			t.Errorf("step %s has no reason for its place", all[i].Num)
		}
	}
	want := "1 deny, 2 immune, 3 bypass, 3b workspace, 4 session, 5 ask, 6 allow, 7 mode, 0 load, 8 coercion, 8b approver, " +
		"9 host, 9 handback, 9 silence, 9 unseen"
	if strings.Join(got, ", ") != want {
		t.Errorf("the steps are %s", strings.Join(got, ", "))
	}
}

func testCase(tool string) *Input {
	return &Input{Input: facts.Input{
		Call:   &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Tool: tool},
		Policy: &rules.Policy{Mode: rules.Setting{Value: "default"}, Cwd: rules.Path{Given: "/w", Real: "/w"}, Project: rules.Path{Given: "/w", Real: "/w"}},
	}}
}

// TestEmptyPolicyAsks: no rule, no mode, no knowledge of the tool.
func TestEmptyPolicyAsks(t *testing.T) {
	c := testCase("SomethingNew")
	c.Policy.Mode.Value = ""
	if v := Decide(c); v.Decision() != hookio.Ask || v.Reason() == "" {
		t.Errorf("got %v %q, want ask", v.Decision(), v.Reason())
	}
}

// TestRows: no path of a table is ruled out that matches.
func TestRows(t *testing.T) {
	var rows, parts []string
	for i := range guard.Sensitives {
		rows = append(rows, guard.Sensitives[i].Paths...)
	}
	for i := range guard.Secrets {
		rows = append(rows, guard.Secrets[i].Paths...)
	}
	for i := range guard.Autoruns {
		rows = append(rows, strings.Fields(guard.Autoruns[i].Files+" "+guard.Autoruns[i].Dirs)...)
	}
	for _, row := range rows {
		first, _, _ := strings.Cut(row, "/")
		base := strings.TrimPrefix(first, ".")
		parts = append(parts, first, base, first+"x", first[:1], first[:1]+"*", "*", "?"+first[1:], "["+first[:1]+"]"+first[1:], `\`+first,
			first[:1]+`\`+first[1:], "\x00"+first[1:], first[:1]+"\x00", base[:min(len(base), 6)]+"~1", "~1", "é", "\xff"+first)
	}
	every, taken := testenv.Every(t, 5, 1, 1), parts[:0:0]
	for i, part := range parts {
		if i%every == 0 {
			taken = append(taken, part)
		}
	}
	out, matched := 0, 0
	for table := range slices.Chunk(rows, 250) { // more than a table has
		var index world.Rows
		for _, part := range taken {
			var found []int
			index.First(part, slices.All(table), func(row, _ int) bool {
				found = append(found, row)
				return false
			})
			for i, row := range table {
				first, _, _ := strings.Cut(row, "/")
				switch is := world.ComponentIs(part, first); {
				case is && !slices.Contains(found, i):
					t.Errorf("%q may be %s, which is not among its paths", part, row)
				case is:
					matched++
				}
			}
			if out += len(table) - len(found); !slices.IsSorted(found) {
				t.Errorf("the paths of %q are not in order: %v", part, found)
			}
		}
	}
	if out*every < len(rows)*len(rows) || matched*every < 5*len(rows) {
		t.Errorf("%d ruled out and %d matched of %d", out, matched, len(rows)*len(taken))
	}
}

// TestSensitives checks the table itself and the readings of other file systems.
func TestSensitives(t *testing.T) {
	for i := range guard.Sensitives {
		s := &guard.Sensitives[i]
		if s.Why == "" || s.Examples == "" && s.Files() != nil || (s.Ends != nil) != (s.Class == guard.Content || s.Class == guard.Plain) {
			t.Errorf("%+v: needs a reason and examples, and ends for a class that hangs on the name", s)
		}
		for n, name := range s.Files() {
			if s.Class != guard.Control || name[0] == '~' {
				continue
			}
			row := s.Paths[n]
			if strings.HasPrefix(row, "/") || row != strings.ToLower(row) {
				t.Errorf("%s: needs a relative path in lower case", row)
			}
			for _, p := range []string{"/w/" + name, "/" + name, "/w/" + strings.ToUpper(name), "/w/" + name + "."} {
				if guard.SensitivePath(p) == "" {
					t.Errorf("%s is not sensitive", p)
				}
			}
			dir := strings.HasSuffix(row, "/")
			if dir && (guard.SensitivePath("/w/"+name+"/a/b") == "" || guard.SensitivePath("/w/"+strings.TrimSuffix(name, "/x")) == "") {
				t.Errorf("what is below %s is not sensitive, or the folder is not", name)
			}
			if guard.SensitivePath("/w/x"+name) != "" && !strings.Contains(strings.TrimSuffix(row, "/"), "/") && row[0] != '*' {
				t.Errorf("x%s is sensitive", name)
			}
		}
	}
	for _, p := range []string{"/w/.claude/plans/a.md", "/w/.claude/worktrees/x/a.go", "/w/.env.example", "/w/env", "/w/.gitignore", ""} {
		if why := guard.SensitivePath(p); why != "" {
			t.Errorf("%s is sensitive: %s", p, why)
		}
	}
	for _, p := range []string{"/w/.git*/config", "/w/.e?v", "/w/.g[i]t/x", "/w/\x00/.git/config", "/w/.claude/plans/../settings.json"} {
		if guard.SensitivePath(rules.CleanPath(p, "/w", "/h")) == "" {
			t.Errorf("%q is not sensitive", p)
		}
	}
}

// TestAnswer pins what goes to the host for each verdict and event.
func TestAnswer(t *testing.T) {
	why, question := unknown, verdict.Must(verdict.Doubtful, unknown)
	asked := func(step string) verdict.Open { return verdict.Asking(step, question.AskedOr(unknown)) }
	deferring := rules.Posture{OnUnmatched: rules.Setting{Value: "defer"}}
	for _, row := range []struct {
		what string
		tool string
		mode string
		ev   hookio.Event
		gate rules.Posture
		v    verdict.Verdict
		want hookio.Decision
	}{
		{"a mode's ask is silence where the host asks itself", "Bash", "default", hookio.PreToolUse, deferring, asked("7").Verdict(), hookio.Pass},
		{"an ask rule is not", "Bash", "default", hookio.PreToolUse, deferring, asked("5").Verdict(), hookio.Ask},
		{"without the posture it is asked", "Bash", "default", hookio.PreToolUse, rules.Posture{}, asked("7").Verdict(), hookio.Ask},
		{"plan's own denial is the host's", "Bash", "plan", hookio.PreToolUse, deferring, verdict.Denied("7", verdict.Refuse(question, why)), hookio.Pass},
		{"an ask that plan denies is one again", "Bash", "plan", hookio.PreToolUse, deferring, asked("2").DeniedUnasked(verdict.Deny(why)).Verdict(), hookio.Ask},
		{"nobody is there in dontAsk", "Bash", "dontAsk", hookio.PreToolUse, deferring, asked("2").DeniedUnasked(verdict.Deny(why)).Verdict(), hookio.Deny},
		{"dontAsk's own denial is the host's", "Bash", "dontAsk", hookio.PreToolUse, deferring, verdict.Denied("7", verdict.Refuse(question, why)), hookio.Pass},
		{"a denial in explore is ours", "Bash", "explore", hookio.PreToolUse, deferring, verdict.Denied("7", verdict.Refuse(question, why)), hookio.Deny},
		{"an allow of a mode is the host's", "Read", "default", hookio.PreToolUse, deferring, verdict.Granted(verdict.BySafeTool(why)), hookio.Pass},
		{"so is bypass", "Bash", "bypassPermissions", hookio.PreToolUse, deferring, verdict.Granted(verdict.ByBypass(why)), hookio.Pass},
		{"a switch of the user is not", "Bash", "default", hookio.PreToolUse, deferring, verdict.Granted(verdict.ByReadOnly(why)), hookio.Allow},
		{"without the posture a mode allows", "Read", "default", hookio.PreToolUse, rules.Posture{}, verdict.Granted(verdict.BySafeTool(why)), hookio.Allow},
		{"the host checks the workspace", "Bash", "default", hookio.PreToolUse, deferring, asked("3b").Verdict(), hookio.Pass},
		{"but not in auto", "Bash", "auto", hookio.PreToolUse, deferring, asked("3b").Verdict(), hookio.Ask},
		{"the dialog's ask is silence", "Bash", "default", hookio.PermissionRequest, rules.Posture{}, asked("2").Verdict(), hookio.Pass},
		{"a rule answers the dialog", "Bash", "default", hookio.PermissionRequest, rules.Posture{}, verdict.Granted(verdict.ByRules(why)), hookio.Allow},
		{"a mode does not", "Read", "default", hookio.PermissionRequest, rules.Posture{}, verdict.Granted(verdict.BySafeTool(why)), hookio.Pass},
		{"a denial answers the dialog", "Bash", "default", hookio.PermissionRequest, rules.Posture{}, verdict.Denied("1", verdict.Deny(why)), hookio.Deny},
		{"nobody but the user leaves plan mode", "ExitPlanMode", "plan", hookio.PreToolUse, rules.Posture{}, verdict.Granted(verdict.ByRules(why)), hookio.Pass},
		{"observe: nothing but managed denials", "Bash", "default", hookio.PreToolUse, rules.Posture{Enforce: rules.Setting{Value: "false"}}, verdict.Denied("1", verdict.Deny(why)), hookio.Pass},
		{"observe: a managed denial", "Bash", "default", hookio.PreToolUse, rules.Posture{Enforce: rules.Setting{Value: "false"}}, verdict.Denied("1", verdict.Deny(verdict.Reason{Managed: true})), hookio.Deny},
	} {
		c := testCase(row.tool)
		c.Call.Host, c.Call.Event, c.Call.Mode, c.Policy.Posture = hookio.Lookup("claude"), row.ev, row.mode, row.gate
		c.Policy.Mode = rules.Setting{Value: row.mode, Pos: rules.Pos{File: "permission_mode"}}
		if got := answered(row.v, c, c.Facts()).Answer().Decision; got != row.want {
			t.Errorf("%s: %v, want %v", row.what, got, row.want)
		}
	}
}

// TestDenialsAreTold: whatever the host, its mode and the posture are, no deferral
// keeps a deny of step 1 from a host.
func TestDenialsAreTold(t *testing.T) {
	denied := verdict.Denied("1", verdict.Deny(unknown))
	try := func(h *hookio.Host, ev hookio.Event, tool, mode, unmatched string) {
		c := testCase(tool)
		c.Call.Host, c.Call.Event, c.Call.Mode = h, ev, mode
		c.Policy.Mode.Value, c.Policy.Posture.OnUnmatched.Value = mode, unmatched
		if got := answered(denied, c, c.Facts()).Answer().Decision; got != hookio.Deny {
			t.Errorf("%s %s %s %s %s: %v", h.Name, ev, tool, mode, unmatched, got)
		}
	}
	for _, h := range hookio.Hosts() {
		for i := range rules.Modes {
			for _, tool := range []string{"Bash", "Read", "Write", "AskUserQuestion", "ExitPlanMode"} {
				try(h, hookio.PreToolUse, tool, rules.Modes[i].Name, "ask")
				try(h, hookio.PreToolUse, tool, rules.Modes[i].Name, "defer")
				try(h, hookio.PermissionRequest, tool, rules.Modes[i].Name, "defer")
			}
		}
	}
}

// TestLostAsks: an ask the host would not show is a deny, and only that one.
func TestLostAsks(t *testing.T) {
	for _, row := range []struct {
		host, mode, path string
		want             hookio.Decision
	}{
		{"claude", "bypassPermissions", ".envrc", hookio.Deny},
		{"claude", "bypassPermissions", ".git/config", hookio.Deny},
		{"claude", "default", ".envrc", hookio.Ask},
		{"generic", "bypassPermissions", ".envrc", hookio.Ask},
		{"claude", "bypassPermissions", "main.go", hookio.Allow},
	} {
		c := testCase("Write")
		c.Call.Host, c.Call.Mode, c.Policy.Mode.Value = hookio.Lookup(row.host), row.mode, row.mode
		c.Call.Args = []hookio.Arg{{Path: row.path, Access: hookio.AccessWrite}}
		if a := Decide(c).Answer(); a.Decision != row.want {
			t.Errorf("%+v: %v %s", row, a.Decision, a.Reason)
		}
	}
}
