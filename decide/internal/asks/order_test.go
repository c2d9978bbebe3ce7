package asks

import (
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// TestOrder: what step 2 asks does not depend on which of its questions is looked for first.
func TestOrder(t *testing.T) {
	w := rules.Path{Given: "/w", Real: "/w"}
	deny, err := rules.ParseRule("Read(/.foo)", rules.Deny, rules.User, rules.Pos{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"echo foo; cat .$x", `python3 -c "print(1)"; echo foo; cat .$x`, "cat $(ls ~/.ssh/*)", "rm -rf / ; cat /proc/1/environ; cat $y",
		`node -e "require('fs').writeFileSync('.git/hooks/pre-commit', x)"; cp $a $b`, "cp .env $x; git -C ../o log; echo .foo > $z",
	} {
		find := func(order []int) (said []string) {
			p := &rules.Policy{Mode: rules.Setting{Value: "default"}, Cwd: w, Project: w, Deny: []rules.Rule{deny}, OS: rules.Linux}
			p.Posture.Secrets.Value = "ask"
			call := &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Tool: "Bash", Command: text}
			c := facts.New(facts.Input{Call: call, Policy: p, Script: bashsafety.Analyze(text, bashsafety.Env{Cwd: "/w", Home: "/h"})}, nil)
			all := EachImmune()
			for _, i := range order {
				for _, q := range all[i](c) {
					said = append(said, q.String())
				}
			}
			slices.Sort(said)
			return said
		}
		order := make([]int, len(EachImmune()))
		for i := range order {
			order[i] = i
		}
		want := find(order)
		for range order {
			order = append(order[1:], order[0])
			if got := find(order); !slices.Equal(got, want) {
				t.Errorf("%s: from %d on %q, in order %q", text, order[0], got, want)
			}
		}
		slices.Reverse(order)
		if got := find(order); !slices.Equal(got, want) {
			t.Errorf("%s: backwards %q, in order %q", text, got, want)
		}
	}
}
