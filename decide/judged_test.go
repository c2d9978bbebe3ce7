package decide

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// TestClassified: what each verdict of the operator's classifier makes of an ask of
// mode auto, and that nothing else is laxer than without one.
func TestClassified(t *testing.T) {
	for _, tt := range []struct {
		judged say.Judgement
		want   hookio.Decision
		code   say.Code
		says   string
	}{
		{say.Judgement{Verdict: say.AutoAllow, Source: say.ByOperator}, hookio.Allow, say.CodeAutoAllowed, "your classifier allows it [permgate mode: auto, operator, /home/p:1:1]"},
		{say.Judgement{Verdict: say.AutoAllow, Source: say.ByCache, Reason: "fine"}, hookio.Allow, say.CodeAutoAllowed, `allows it: "fine" [permgate mode: auto, cache`},
		{say.Judgement{Verdict: say.AutoSoftDeny, Source: say.ByOperator, Reason: "hm"}, hookio.Ask, say.CodeAutoAsked, `wants it confirmed: "hm"`},
		{say.Judgement{Verdict: say.AutoHardDeny, Source: say.ByOperator, Reason: "no"}, hookio.Deny, say.CodeAutoDenied, `denies it: "no"`},
		{say.Judgement{Verdict: say.AutoHardDeny, Source: say.ByOperator, Reason: "no", Tired: true}, hookio.Ask, say.CodeAutoAsked, "so you are asked"},
		{say.Judgement{Source: say.ByOperator, Reason: "it died"}, hookio.Ask, say.CodeModeDefault, "gave no verdict: it died"},
		{say.Judgement{Verdict: "ALLOW", Source: say.ByOperator}, hookio.Ask, say.CodeModeDefault, "gave no verdict"},
		{say.Judgement{Verdict: "yes", Source: say.ByOperator}, hookio.Ask, say.CodeModeDefault, "gave no verdict"},
		{say.Judgement{}, hookio.Ask, say.CodeModeDefault, "gave no verdict"},
	} {
		for _, hidden := range []string{"", "subagent", "headless"} {
			c := judgedCase(tt.judged)
			want := tt.want
			if hidden != "" && want == hookio.Ask {
				want = hookio.Deny
			}
			c.AsAgent, c.Headless = hidden == "subagent", hidden == "headless"
			v := Decide(c)
			if v.Decision() != want || v.Origin() != "7" || !strings.Contains(v.Reason(), tt.says) || v.Why().Judged == nil {
				t.Errorf("%+v %s: %v %+v %q", tt.judged, hidden, v.Decision(), v.Why().Judged, v.Reason())
			}
			if hidden == "" && v.Code() != tt.code {
				t.Errorf("%+v: code %s, want %s", tt.judged, v.Code(), tt.code)
			}
		}
	}
}

func judgedCase(j say.Judgement) *Input {
	c := testCase("SomethingNew")
	c.Policy.Mode.Value = "auto"
	c.Policy.Posture.Classifier = rules.Setting{Value: `{"command":["c"]}`, Scope: rules.User, Pos: rules.Pos{File: "/home/p", Line: 1, Col: 1}}
	c.Classify = func(*Input, Verdict) say.Judgement { return j }
	return c
}

// TestClassifierUnasked: nothing but an ask of step 7 in mode auto is put to the classifier.
func TestClassifierUnasked(t *testing.T) {
	for name, change := range map[string]func(c *Input){
		"default":     func(c *Input) { c.Policy.Mode.Value = "default" },
		"acceptEdits": func(c *Input) { c.Policy.Mode.Value = "acceptEdits" },
		"plan":        func(c *Input) { c.Policy.Mode.Value = "plan" },
		"no key":      func(c *Input) { c.Policy.Posture.Classifier = rules.Setting{} },
		"safe tool":   func(c *Input) { c.Call.Tool = "WebSearch" },
		"question":    func(c *Input) { c.Call.Tool = "ExitPlanMode" },
		"deny rule":   func(c *Input) { c.Policy.Deny = one("SomethingNew", rules.Deny) },
		"ask rule":    func(c *Input) { c.Policy.Ask = one("SomethingNew", rules.Ask) },
		"allow rule":  func(c *Input) { c.Policy.Allow = one("SomethingNew", rules.Allow) },
		"malformed":   func(c *Input) { c.Call.Malformed = "twice" },
		"soft_deny":   func(c *Input) { c.Policy.Auto.SoftDeny = one("SomethingNew", rules.Ask) },
		"hard_deny":   func(c *Input) { c.Policy.Auto.HardDeny = one("SomethingNew", rules.Deny) },
		"allow list":  func(c *Input) { c.Policy.Auto.Allow = one("SomethingNew", rules.Allow) },
	} {
		c := judgedCase(say.Judgement{})
		c.Classify = func(*Input, Verdict) say.Judgement { t.Errorf("%s: it was asked", name); return say.Judgement{} }
		change(c)
		if v := Decide(c); v.Decision() == hookio.Pass || v.Why().Judged != nil && v.Why().Judged.Source == say.ByOperator {
			t.Errorf("%s: %+v", name, v)
		}
	}
	c := judgedCase(say.Judgement{})
	c.Classify = nil
	if v := Decide(c); v.Decision() != hookio.Ask || !strings.Contains(v.Reason(), "your classifier (/home/p:1:1) was not asked") || v.Why().Judged != nil {
		t.Errorf("dry run: %v %q", v.Decision(), v.Reason())
	}
	if c = judgedCase(say.Judgement{Verdict: say.AutoAllow}); Decide(c.Under(c.Policy)).Decision() != hookio.Ask {
		t.Error("a trial asked the classifier")
	}
}

func one(text string, list rules.List) []rules.Rule {
	r, err := rules.ParseRule(text, list, rules.User, rules.Pos{File: "/home/p", Line: 2, Col: 1}, false)
	if err != nil {
		panic(err)
	}
	return []rules.Rule{r}
}

// TestClassifierDefers: with a host that decides unmatched calls itself the
// classifier may stop a call, and its allow is silence.
func TestClassifierDefers(t *testing.T) {
	for _, tt := range []struct {
		verdict string
		want    hookio.Decision
	}{{say.AutoAllow, hookio.Pass}, {say.AutoSoftDeny, hookio.Ask}, {say.AutoHardDeny, hookio.Deny}, {"", hookio.Pass}} {
		c := judgedCase(say.Judgement{Verdict: tt.verdict, Source: say.ByOperator, Reason: "r"})
		c.Call.Host, c.Call.Mode = hookio.Lookup("claude"), "auto"
		c.Policy.Posture.OnUnmatched.Value = "defer"
		v := Decide(c)
		if got := v.Answer().Decision; got != tt.want {
			t.Errorf("%q: %v, want %v (%s)", tt.verdict, got, tt.want, v.Silence())
		}
	}
}
