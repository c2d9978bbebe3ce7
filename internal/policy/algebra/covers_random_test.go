package algebra

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// Short patterns over few characters, where every corner of a glob comes up,
// held against short texts.
func TestCoversRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	make := func(pieces []string, n int) string {
		var b strings.Builder
		for range 1 + rnd.IntN(n) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		return b.String()
	}
	commands := []string{"a", "b", " ", "a ", " b", "*", " *", "?", ":", "'", `\`, "=", "*", `\\`, `\(`}
	paths := []string{"a", "b", " ", "/", "/", "*", "**/", "/**", "?", "..", ".", "~/", "[a]", `\*`, "A"}
	texts := []string{"a", "b", " ", " a", "=", "<1>", " <*>", "␣", "*"}
	names := []string{"a", "b", " ", "/", "/a", "/b", "A", ".a"}
	lists := []rules.List{rules.Allow, rules.Ask, rules.Deny}
	covered, count := 0, testenv.Count(t, 4_000, 20_000, 20_000)
	for range count {
		file := rnd.IntN(2) == 0
		rule := func() rules.Rule {
			tool, pattern := "Bash", make(commands, 5)
			if file {
				tool, pattern = []string{"Edit", "Read", "Write"}[rnd.IntN(3)], make(paths, 5)
			} else if rnd.IntN(3) == 0 {
				pattern += ":*"
			}
			r, err := rules.ParseRule(tool+"("+pattern+")", lists[rnd.IntN(3)], rules.Shared, rules.Pos{}, rnd.IntN(3) == 0)
			if err != nil {
				return rules.Rule{Tool: "Bash", Pattern: "a", List: rules.Allow}
			}
			return r
		}
		a, b := rule(), rule()
		if rnd.IntN(3) == 0 { // close to each other
			b.Tool, b.Pattern = a.Tool, strings.Replace(a.Pattern, "*", make([]string{"a", "b", "*", "?", " a", "/b"}, 2), 1)
			b.Bare = grammar.AllStars(b.Pattern)
		}
		if a.Bare || !testPolicy.Covers(&a, &b) {
			continue
		}
		covered++
		for range 30 {
			s := bash(make(texts, 6))
			if file {
				name := rules.CleanPath("/repo/sub/"+make(names, 4), "/", "/home/u")
				s = &rules.Subject{Tool: []string{"Edit", "Read", "Write"}[rnd.IntN(3)], Path: new(place(name)), Tree: rnd.IntN(4) == 0}
			} else if b.Whole() && rnd.IntN(3) == 0 { // the very text of b, which is one command where it is alone
				switch single := grammar.Alone(b.Pattern); {
				case single && strings.Contains(b.Pattern, "'"): // what it is taken apart into is not known here
				case single:
					s = bash(b.Pattern)
					fallthrough
				default:
					s.Whole = b.Pattern
				}
			}
			all, some := matched(testPolicy, &a, s)
			if wantAll, wantSome := matched(testPolicy, &b, s); wantAll && !all || b.Strict() && wantSome && !some {
				t.Fatalf("%s %s(%s) (claude %v) is said to cover %s %s(%s) (claude %v), not so for %+v %+v", a.List, a.Tool, a.Pattern, a.Claude, b.List, b.Tool, b.Pattern, b.Claude, s, s.Command)
			}
		}
	}
	if covered < count/20 {
		t.Errorf("only %d pairs", covered)
	}
	t.Log(covered, "pairs")
}

// Where an allow rule on files or URLs is not covered, some call shows it.
func TestCoversExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	pieces := [][]string{
		{"Edit(", "a", "b", " ", "/", "*", "/**", "**/", "?", "A", "[ab]"},
		{"WebFetch(", "domain:", "https://", "a", ".", "b", "*", "/"},
	}
	shown := 0
	for range 4000 {
		kind := rnd.IntN(2)
		rule := func(list rules.List) rules.Rule {
			text := pieces[kind][0]
			for range 1 + rnd.IntN(4) {
				text += pieces[kind][1+rnd.IntN(len(pieces[kind])-1)]
			}
			r, err := rules.ParseRule(text+")", list, rules.Shared, rules.Pos{}, rnd.IntN(3) == 0)
			if err != nil {
				return rules.Rule{Tool: "Edit", Pattern: "a", List: list}
			}
			return r
		}
		a, b := rule([]rules.List{rules.Allow, rules.Deny}[rnd.IntN(2)]), rule(rules.Allow)
		tool := b.Tool
		have, why := testPolicy.LanguageOf(&a, tool)
		want, odd := testPolicy.LanguageOf(&b, tool)
		if why != "" || odd != "" || a.Bare || b.Bare || charactersDiffer(&a, &b) || testPolicy.Covers(&a, &b) {
			continue
		}
		differs := true
		for _, m := range want.Sure {
			if _, some, _ := automaton.Shortest(testPolicy.Universe(tool), m, mostCompared); !some {
				continue
			}
			differs = false
			found, included, _ := automaton.Includes(testPolicy.Universe(tool), have.Sure, m, mostCompared)
			if included {
				continue
			}
			text, tree := "", false
			for _, r := range found {
				if tree = r == automaton.Tree; !tree {
					text += string(r)
				}
			}
			u := rules.ParseURL(text)
			s := &rules.Subject{Tool: tool, Path: new(place(text)), Tree: tree, URL: &u}
			byA, _ := matched(testPolicy, &a, s)
			byB, _ := matched(testPolicy, &b, s)
			if differs = byB && !byA; differs {
				break
			}
		}
		if shown++; !differs {
			t.Errorf("%s %s (claude %v) covers %s (claude %v)", a.List, a.Text, a.Claude, b.Text, b.Claude)
		}
	}
	if shown < 1000 {
		t.Errorf("only %d pairs", shown)
	}
}
