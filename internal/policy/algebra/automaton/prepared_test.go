package automaton

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// small is a search over commands with a few rules, of the policy lists given.
func small(rules map[string]Lists) *Search {
	s := &Search{Universe: commandTexts{}, Wanted: looser, Budget: 1000}
	for _, pattern := range sortedKeys(rules) {
		stem, tail := strings.CutSuffix(pattern, ":*")
		s.Patterns = append(s.Patterns, Pattern{rule(stem, tail, false), rules[pattern]})
	}
	return s
}

func sortedKeys(m map[string]Lists) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// texts are all that a search finds.
func texts(t *testing.T, run func(func(Found) bool) bool) (out []string) {
	t.Helper()
	if !run(func(f Found) bool { out = append(out, string(f.Text)); return len(out) < 100 }) {
		t.Error("the budget was not enough")
	}
	return out
}

// TestChange is what a person expects of changed rules.
func TestChange(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules map[string]Lists
		first string // the shortest text newly allowed, "" for none
	}{
		{"same", map[string]Lists{"git push:*": deny * both, "git:*": allow * both, "*sudo*": ask * both}, ""},
		{"widened", map[string]Lists{"git push:*": allow, "git:*": allow << 3}, "git"},
		{"widened after what is denied", map[string]Lists{"git": deny * both, "git push:*": allow, "git:*": allow << 3}, "git a"},
		{"narrowed", map[string]Lists{"git push:*": allow << 3, "git:*": allow}, ""},
		{"lost ask", map[string]Lists{"git push:*": ask, "git:*": allow * both}, "git push"},
		{"lost ask that another covers", map[string]Lists{"git push:*": ask, "git:*": allow * both, "*push*": ask * both}, ""},
		{"covered", map[string]Lists{"git push:*": allow << 3, "git*": allow * both}, ""},
		{"denied in both", map[string]Lists{"git push:*": allow << 3, "git:*": deny * both}, ""},
		{"denied for half", map[string]Lists{"git push:*": allow << 3, "git push *": deny * both}, "git push"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := append(texts(t, small(test.rules).Run), "")
			if found[0] != test.first {
				t.Errorf("found %q, want %q", found[0], test.first)
			}
		})
	}
}

// TestPrunes counts what is looked at: nothing where no text can be wanted, and only what
// a rule that differs is about.
func TestPrunes(t *testing.T) {
	rules := map[string]Lists{}
	for _, word := range strings.Fields("git npm make docker cargo kubectl ls cat grep go python terraform") {
		rules[word+" run:*"], rules[word+" --help"], rules["*"+word+"*secret*"] = allow*both, ask*both, deny*both
	}
	looked := func() int { p := small(rules).Prepare(); texts(t, p.Run); return len(p.sets.sets.lists) }
	if n := looked(); n > 1 {
		t.Errorf("%d sets of two equal policies", n)
	}
	rules["make install"] = allow << 3
	if n := looked(); n > 300 {
		t.Errorf("%d sets for one rule", n)
	}
}

// TestWhole counts what is looked at of texts that are denied whatever goes on: nothing.
func TestWhole(t *testing.T) {
	p := small(map[string]Lists{"git:*": deny * both, "*s*": allow << 3}).Prepare()
	for _, denied := range []string{"git ", "git s"} {
		w := newWalk(p, nil, &effects{})
		m := w.settle(move{mine: true})
		for _, r := range denied {
			if m.far < never {
				m = w.settle(move{p.sets.steps(m.set).over(r), m.always, m.mine})
			}
		}
		if m.far != never || m.always != deny*both {
			t.Errorf("%q: lists %b match whatever goes on, and %d symbols are missing", denied, m.always, m.far)
		}
	}
}

// TestWith asks one prepared search about different texts.
func TestWith(t *testing.T) {
	p := small(map[string]Lists{"git push:*": ask, "git:*": allow * both, "npm:*": allow}).Prepare()
	stricter := p.With(func(l Lists) bool { return rank(l>>3) > rank(l) })
	for range 2 {
		if found := texts(t, p.Run); found[0] != "git push" {
			t.Errorf("looser about %q", found)
		}
		if found := texts(t, stricter.Run); found[0] != "npm" {
			t.Errorf("stricter about %q", found)
		}
		if found := texts(t, func(f func(Found) bool) bool { return stricter.RunFor([]int{0, 1}, f) }); found != nil {
			t.Errorf("stricter about git: %q", found)
		}
	}
	if found := texts(t, func(f func(Found) bool) bool { return p.RunFor(nil, f) }); found != nil {
		t.Errorf("of no pattern: %q", found)
	}
}

// TestBudget takes the budget away, and the room: a search says so then, and what it says
// with more is the same.
func TestBudget(t *testing.T) {
	for seed := range uint64(300) {
		s, _ := randomSearch(rand.New(rand.NewPCG(seed, 4)))
		want, complete := []string(nil), false
		run := func() (found []string, complete bool) {
			complete = s.Run(func(f Found) bool { found = append(found, string(f.Text)); return true })
			return found, complete
		}
		for s.Budget = 0; !complete && s.Budget < 1<<12; s.Budget++ {
			before := want
			want, complete = run()
			if n := len(before); n > len(want) || !slices.Equal(before, want[:n]) {
				t.Fatalf("seed %d: with less budget %q was found, now %q", seed, before, want)
			}
			if s.Budget == 0 && len(want) > 0 {
				t.Errorf("seed %d: %q was found without any budget", seed, want)
			}
		}
		for s.room = 1; s.room < 1<<16; s.room *= 4 {
			found, complete := run()
			if n := len(found); n > len(want) || !slices.Equal(found, want[:n]) || complete && n < len(want) {
				t.Errorf("seed %d, room %d: %q of %q, complete %v", seed, s.room, found, want, complete)
			}
			if s.room == 1 && len(found) > 0 {
				t.Errorf("seed %d: %q was found without any room", seed, found)
			}
		}
	}
}

// TestNested starts a run while another goes on, when sets are to be forgotten.
func TestNested(t *testing.T) {
	p := small(map[string]Lists{"git push:*": allow, "git:*": allow << 3, "make": allow << 3}).Prepare()
	alone := texts(t, p.Run)
	var nested []string
	p.Run(func(f Found) bool {
		nested = append(nested, string(f.Text))
		kept := p.sets.kept
		p.sets.kept = p.sets.room
		if p.RunFor([]int{2}, func(Found) bool { return false }) {
			t.Error("there is no room, and the run is complete")
		}
		p.sets.kept = kept
		return true
	})
	if len(alone) < 5 || !slices.Equal(alone, nested) {
		t.Errorf("alone %q, with others between %q", alone, nested)
	}
	p.sets.kept = p.sets.room
	if after := texts(t, p.Run); !slices.Equal(alone, after) {
		t.Errorf("after the sets were forgotten %q, before %q", after, alone)
	}
}

// TestNearest counts what a search for one pattern looks at: not all words that are as
// short, as long as its text may still be found.
func TestNearest(t *testing.T) {
	rules := map[string]Lists{}
	for _, word := range strings.Fields("git npm make docker cargo kubectl ls cat grep go python terraform") {
		for _, verb := range strings.Fields("run build test install push pull apply") {
			rules[word+" "+verb+":*"] = ask
		}
	}
	s := small(nil)
	for _, pattern := range sortedKeys(rules) {
		s.Patterns = append(s.Patterns, Pattern{rule(strings.TrimSuffix(pattern, ":*"), true, true), ask})
	}
	s.Patterns = append(s.Patterns, Pattern{nil, allow << 3})
	for i, pattern := range sortedKeys(rules) {
		s.Budget = len(pattern)
		var text string
		complete := s.Prepare().RunFor([]int{i}, func(f Found) bool { text = string(f.Text); return false })
		if want := strings.TrimSuffix(pattern, ":*"); !complete || text != want {
			t.Errorf("found %q, want %q, with a budget of its length: %v", text, want, complete)
		}
	}
}

// TestKinds is about more different Lists than have a number.
func TestKinds(t *testing.T) {
	s := &Search{Universe: commandTexts{}, Budget: 1 << 16}
	var last Lists
	for i := range Lists(100) {
		last = i<<8 | 1
		s.Patterns = append(s.Patterns, Pattern{rule("x"+strings.Repeat("y", int(i)), false, false), last})
	}
	s.Wanted = func(l Lists) bool { return l == last }
	if found := texts(t, s.Run); len(found) != 1 || len(found[0]) != 100 {
		t.Errorf("found %q", found)
	}
}

// TestBuilder takes empty moves out.
func TestBuilder(t *testing.T) {
	var b Builder
	for range 5 {
		b.State()
	}
	b.Start(0)
	b.Empty(0, 1)
	b.Edge(1, Rune('a'), 2)
	b.Empty(2, 0)
	b.Empty(2, 3)
	b.Edge(3, Rune('b'), 4)
	b.Empty(4, 2)
	before := b.Machine()
	b.Accept(2)
	m := b.Machine()
	for text, want := range map[string]bool{"": false, "a": true, "aa": true, "ab": true, "abba": true, "b": false, "ac": false} {
		if m.matches([]rune(text)) != want || before.matches([]rune(text)) {
			t.Errorf("%q: %v, and %v before a state accepted", text, m.matches([]rune(text)), before.matches([]rune(text)))
		}
	}
}
