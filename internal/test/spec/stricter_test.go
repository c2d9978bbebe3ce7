package spec

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// What the person meets of a case, the laxest first; judged is by the host's own classifier.
const runs, judged, asked, refused = 0, 1, 2, 3

// meets is what the person meets: the answer, and what the host does by itself where that is silence. A host that is
// not known better asks then.
func meets(c Case) int {
	g := settle(c)
	told, _ := Answer(c)
	covered := slices.ContainsFunc(c.Rules, func(r Rule) bool { return r.Claude && r.List == Allows && (g.covers(r) || r.Form == HeldBack) })
	opened := c.Place == Inside || c.Place == HostOwn || slices.ContainsFunc(c.Rules, func(r Rule) bool { return r.Claude && r.List == Opens })
	alone := c.Payload == DontAsk || c.Headless
	switch {
	case told == Allow:
		return runs
	case told == Deny, told == Silence && alone && c.Event == PermissionRequest:
		return refused
	case told == Ask, c.Event == PermissionRequest, c.asksUser():
		return asked
	case c.Host == Runs, c.Host == Full && c.Payload == Bypass:
		return runs
	case c.Host != Full:
		return asked
	case covered, c.Tool == TaskList, c.Tool == Read && (opened || c.Payload == Auto), c.Tool == BashRead && c.Payload != Auto,
		c.Tool == Edit && opened && c.Payload == AcceptEdits:
		return runs
	case alone:
		return refused
	case c.Payload == Auto:
		return judged
	}
	return asked
}

func (c Case) asksUser() bool { return c.Tool == Question || c.Tool == PlanExit }

// stricterBy is the class of what a rule makes stricter, "" for nothing. A rule by which the host would run a call in the place
// of its classifier may have it asked about.
func stricterBy(c Case, r Rule) string {
	more := c
	more.Rules = append(slices.Clip(slices.Clone(c.Rules)), r)
	was, is, g := meets(c), meets(more), settle(more)
	if is <= was || was == judged && is == asked && r.Claude {
		return ""
	}
	class := "another rule"
	switch {
	case g.untrusted(r):
		class = "a rule that is not trusted"
	case r.Form == HeldBack:
		class = "a rule that is held back"
	}
	if g.cannotAsk() || c.Host == NoPrompt || c.Host == Unasking || c.Host == Runs {
		class += ", where no one can be asked"
	}
	return fmt.Sprintf("%s, then %s: %s", metNames[was], metNames[is], class)
}

var metNames = [...]string{"runs", "judged", "asked", "refused"}

// knownTightenings are classes that the decisions have, each of which contradicts the law of 2b.
var knownTightenings = []string{
	"asked, then refused: a rule that is held back",
	"asked, then refused: a rule that is held back, where no one can be asked",
	"asked, then refused: a rule that is not trusted",
	"asked, then refused: a rule that is not trusted, where no one can be asked",
	"asked, then refused: another rule",
	"runs, then asked: a rule that is held back",
	"runs, then asked: a rule that is not trusted",
	"runs, then refused: a rule that is held back",
	"runs, then refused: a rule that is not trusted",
	"runs, then refused: a rule that is not trusted, where no one can be asked",
}

// TestNeverStricter: no allow rule, grant or additional directory makes a case stricter for the person.
func TestNeverStricter(t *testing.T) {
	var mu sync.Mutex
	counts, pairs := map[string]int{}, 0
	n := enumerate(t, func(c Case) {
		for _, r := range rulesFor(c) {
			if r.List != Allows && r.List != Opens {
				continue
			}
			class := stricterBy(c, r)
			mu.Lock()
			if pairs++; class != "" {
				if counts[class]++; counts[class] == 1 && !slices.Contains(knownTightenings, class) {
					t.Errorf("%s: %+v adding %+v", class, c, r)
				}
			}
			mu.Unlock()
		}
	})
	for _, class := range knownTightenings {
		if counts[class] == 0 && pairs > 10_000_000 { // a sample does not have all of them
			t.Errorf("no longer made stricter: %s", class)
		}
	}
	t.Logf("%d cases, %d with a rule more: %v", n, pairs, counts)
}
