package decide

import (
	"strings"
	"testing"

	"permgate/bashsafety"
	"permgate/hookio"
	"permgate/rules"
)

// TestStepsOrder pins the security argument: the numbers and names of the
// specification, in its order.
func TestStepsOrder(t *testing.T) {
	want := []string{"1 deny", "2 immune", "3 bypass", "3b workspace", "4 session", "5 ask", "6 allow", "7 mode"}
	for i := range Steps {
		if got := Steps[i].Num + " " + Steps[i].Name; got != want[i] {
			t.Errorf("step %d is %s, want %s", i, got, want[i])
		}
		if Steps[i].Doc == "" {
			t.Errorf("step %s has no reason to stand where it stands", Steps[i].Num)
		}
	}
}

func testCase(tool string) *Case {
	return &Case{
		Call:   &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Tool: tool},
		Policy: &rules.Policy{Mode: rules.Setting{Value: "default"}, Cwd: rules.Path{Given: "/w", Real: "/w"}, Project: rules.Path{Given: "/w", Real: "/w"}},
	}
}

// TestEmptyPolicyAsks: no rule, no mode, no knowledge of the tool.
func TestEmptyPolicyAsks(t *testing.T) {
	c := testCase("SomethingNew")
	c.Policy.Mode.Value = ""
	if v := Decide(c); v.Decision != hookio.Ask || v.Reason == "" {
		t.Errorf("got %v %q, want ask", v.Decision, v.Reason)
	}
}

// TestTightenNeverLoosens: the two rewriting steps cannot turn an answer laxer.
func TestTightenNeverLoosens(t *testing.T) {
	c := testCase("Bash")
	c.Headless = true
	c.Policy.Faults = []rules.Fault{{Msg: "broken", Closed: true}}
	for _, d := range []hookio.Decision{hookio.Allow, hookio.Ask, hookio.Deny} {
		for _, s := range []*Step{&stepFault, &stepCoerce} {
			if o := tighten(c, s, Verdict{Decision: d, Step: "6"}); o.Decision != hookio.Pass && o.Decision <= d {
				t.Errorf("step %s turns %v into %v", s.Num, d, o.Decision)
			}
		}
	}
}

// TestInsteadsAreAcceptable: an alternative a reason names is never itself
// asked about or denied by steps 1 and 2, and is left out where a rule denies it.
func TestInsteadsAreAcceptable(t *testing.T) {
	c := testCase("Bash")
	for _, check := range bashsafety.Checks() {
		if !c.acceptable(check.Instead) {
			t.Errorf("%s: its alternative %q is asked about", check.ID, check.Instead)
		}
	}
	rule, err := rules.ParseRule("Bash(ls:*)", rules.Deny, rules.User, rules.Pos{}, false)
	if err != nil {
		t.Fatal(err)
	}
	c.Policy.Deny = []rules.Rule{rule}
	if c.acceptable("look first: `ls -la`") {
		t.Error("a denied alternative is offered")
	}
}

// TestSensitives checks the table itself and the readings of other file systems.
func TestSensitives(t *testing.T) {
	for i := range Sensitives {
		s := &Sensitives[i]
		if s.Why == "" || strings.HasPrefix(s.Path, "/") || s.Path != strings.ToLower(s.Path) {
			t.Errorf("%+v: needs a reason and a relative path in lower case", s)
		}
		name := strings.ReplaceAll(s.Path, "*", "x")
		for _, p := range []string{"/w/" + name, "/" + name, "/w/" + strings.ToUpper(name), "/w/" + name + "."} {
			if sensitivePath(p) == "" {
				t.Errorf("%s is not sensitive", p)
			}
		}
		if s.Dir && sensitivePath("/w/"+name+"/a/b") == "" {
			t.Errorf("what is below %s is not sensitive", name)
		}
		if sensitivePath("/w/x"+name) != "" && !strings.Contains(name, "/") {
			t.Errorf("x%s is sensitive", name)
		}
	}
	for _, p := range []string{"/w/.claude/plans/a.md", "/w/.claude/worktrees/x/a.go", "/w/.env.example", "/w/env", "/w/.gitignore", ""} {
		if why := sensitivePath(p); why != "" {
			t.Errorf("%s is sensitive: %s", p, why)
		}
	}
	for _, p := range []string{"/w/.git*/config", "/w/.e?v", "/w/.g[i]t/x", "/w/\x00/.git/config", "/w/.claude/plans/../settings.json"} {
		if sensitivePath(rules.CleanPath(p, "/w", "/h")) == "" {
			t.Errorf("%q is not sensitive", p)
		}
	}
}

// TestAnswer pins what goes to the host for each verdict and event.
func TestAnswer(t *testing.T) {
	deferring := rules.Gate{OnUnmatched: rules.Setting{Value: "defer"}}
	for _, row := range []struct {
		what string
		tool string
		mode string
		ev   hookio.Event
		gate rules.Gate
		v    Verdict
		want hookio.Decision
	}{
		{"a mode's ask is silence where the host asks itself", "Bash", "default", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Ask, Step: "7", Origin: "7"}, hookio.Pass},
		{"an ask rule is not", "Bash", "default", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Ask, Step: "5", Origin: "5"}, hookio.Ask},
		{"without the posture it is asked", "Bash", "default", hookio.PreToolUse, rules.Gate{}, Verdict{Decision: hookio.Ask, Step: "7", Origin: "7"}, hookio.Ask},
		{"plan's own denial is the host's", "Bash", "plan", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Deny, Step: "7", Origin: "7"}, hookio.Pass},
		{"an ask that plan denies is one again", "Bash", "plan", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Deny, Step: "8", Origin: "2", Coerced: true}, hookio.Ask},
		{"nobody is there in dontAsk", "Bash", "dontAsk", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Deny, Step: "8", Origin: "2", Coerced: true}, hookio.Deny},
		{"dontAsk's own denial is the host's", "Bash", "dontAsk", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Deny, Step: "7", Origin: "7"}, hookio.Pass},
		{"a denial in explore is ours", "Bash", "explore", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Deny, Step: "7", Origin: "7"}, hookio.Deny},
		{"an allow of a mode is the host's", "Read", "default", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Allow, Step: "7", Origin: "7"}, hookio.Pass},
		{"so is bypass", "Bash", "bypassPermissions", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Allow, Step: "3", Origin: "3"}, hookio.Pass},
		{"a switch of the user is not", "Bash", "default", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Allow, Step: "7", Origin: "7", ReadOnly: true}, hookio.Allow},
		{"without the posture a mode allows", "Read", "default", hookio.PreToolUse, rules.Gate{}, Verdict{Decision: hookio.Allow, Step: "7", Origin: "7"}, hookio.Allow},
		{"the host checks the workspace", "Bash", "default", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Ask, Step: "3b", Origin: "3b"}, hookio.Pass},
		{"but not in auto", "Bash", "auto", hookio.PreToolUse, deferring, Verdict{Decision: hookio.Ask, Step: "3b", Origin: "3b"}, hookio.Ask},
		{"the dialog's ask is silence", "Bash", "default", hookio.PermissionRequest, rules.Gate{}, Verdict{Decision: hookio.Ask, Step: "2"}, hookio.Pass},
		{"a rule answers the dialog", "Bash", "default", hookio.PermissionRequest, rules.Gate{}, Verdict{Decision: hookio.Allow, Step: "6"}, hookio.Allow},
		{"a mode does not", "Read", "default", hookio.PermissionRequest, rules.Gate{}, Verdict{Decision: hookio.Allow, Step: "7"}, hookio.Pass},
		{"a denial answers the dialog", "Bash", "default", hookio.PermissionRequest, rules.Gate{}, Verdict{Decision: hookio.Deny, Step: "1"}, hookio.Deny},
		{"nobody but the user leaves plan mode", "ExitPlanMode", "plan", hookio.PreToolUse, rules.Gate{}, Verdict{Decision: hookio.Allow, Step: "6"}, hookio.Pass},
		{"observe: nothing but managed denials", "Bash", "default", hookio.PreToolUse, rules.Gate{Enforce: rules.Setting{Value: "false"}}, Verdict{Decision: hookio.Deny, Step: "1"}, hookio.Pass},
		{"observe: a managed denial", "Bash", "default", hookio.PreToolUse, rules.Gate{Enforce: rules.Setting{Value: "false"}}, Verdict{Decision: hookio.Deny, Step: "1", Managed: true}, hookio.Deny},
	} {
		c := testCase(row.tool)
		c.Call.Host, c.Call.Event, c.Call.Mode, c.Policy.Gate = hookio.Lookup("claude"), row.ev, row.mode, row.gate
		c.Policy.Mode = rules.Setting{Value: row.mode, Pos: rules.Pos{File: "permission_mode"}}
		if got := row.v.Answer(c).Decision; got != row.want {
			t.Errorf("%s: %v, want %v", row.what, got, row.want)
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
		if a := Decide(c).Answer(c); a.Decision != row.want {
			t.Errorf("%+v: %v %s", row, a.Decision, a.Reason)
		}
	}
}
