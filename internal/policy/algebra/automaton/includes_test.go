package automaton

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestIncludes compares random machines, and each answer with all texts tried one by one.
func TestIncludes(t *testing.T) {
	verdicts := map[bool]int{}
	count := testenv.Count(t, 1000, 4000, 4000)
	for seed := range uint64(count) {
		r := rand.New(rand.NewPCG(seed, 3))
		u := newUniverse(r)
		have, want := []*Machine{}, randomMachine(r)
		for range r.IntN(4) {
			have = append(have, randomMachine(r))
		}
		matches := func(text []Symbol) bool {
			return slices.ContainsFunc(have, func(m *Machine) bool { return m.matches(text) })
		}
		text, included, complete := Includes(u, have, want, 1<<16)
		verdicts[included]++
		if !complete {
			t.Fatalf("seed %d: the budget was not enough", seed)
		}
		if !included && (matches(text) || !want.matches(text) || !u.is(text)) {
			t.Errorf("seed %d: %v does not show it", seed, text)
		}
		for other := range u.texts(longest) {
			if !want.matches(other) || matches(other) {
				continue
			}
			if included || len(other) < len(text) {
				t.Errorf("seed %d: included %v, and %v is not, or is shorter than %v", seed, included, other, text)
			}
			break
		}
	}
	if verdicts[true] < count/8 || verdicts[false] < count/8 {
		t.Errorf("one answer is rare: %v", verdicts)
	}
}

// TestIncludesAll is about machines that match every text, and none.
func TestIncludesAll(t *testing.T) {
	u := &randomUniverse{[][]int{{0, 0, 0, -1}}, []bool{true}}
	some, every := rule("ab", true, false), rule("*", false, false)
	for _, test := range []struct {
		have     []*Machine
		want     *Machine
		included bool
	}{
		{[]*Machine{nil}, nil, true},
		{[]*Machine{some, nil}, every, true},
		{[]*Machine{every}, nil, true},
		{[]*Machine{some}, nil, false},
		{nil, some, false},
		{nil, &Machine{}, true},
	} {
		if _, included, complete := Includes(u, test.have, test.want, 100); included != test.included || !complete {
			t.Errorf("%v in %v: %v, complete %v", test.want, test.have, included, complete)
		}
	}
	if text, ok, complete := Shortest(u, some, 100); string(text) != "ab" || !ok || !complete {
		t.Errorf("the shortest is %q, %v, %v", string(text), ok, complete)
	}
	if text, ok, complete := Shortest(u, rule("xyz", false, false), 100); ok || !complete {
		t.Errorf("%q is none of the universe", string(text))
	}
}

// TestIncludesBudget takes the budget away: with less than what is needed there is no answer.
func TestIncludesBudget(t *testing.T) {
	have, want := []*Machine{rule("git *", false, false)}, rule("git push", true, false)
	needed := 0
	for complete := false; !complete; needed++ {
		var included bool
		if _, included, complete = Includes(commandTexts{}, have, want, needed); included != complete {
			t.Fatalf("budget %d: included %v, complete %v", needed, included, complete)
		}
		if needed > 100 {
			t.Fatal("no budget is enough")
		}
	}
	if needed < 4 || needed > 6 {
		t.Errorf("a budget of %d is enough; what follows the blank need not be looked at", needed-1)
	}
}
