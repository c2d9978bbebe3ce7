package rules_test

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

var lists = [...]rules.List{rules.Allow, rules.Ask, rules.Deny}

// A said is what a rule says of a subject.
type said struct{ sure, maybe bool }

func says(r *rules.Rule, s *rules.Subject) said {
	hits := rules.TestPolicy.Match([]rules.Rule{*r}, s)
	return said{len(hits) > 0 && hits[0].Sure, len(hits) > 0}
}

// What Covers says is held against every subject of the tables.
func TestCoversIsSound(t *testing.T) {
	texts, subjects := rules.Tables()
	texts = append(texts, strings.Fields(`* Read(src/*.p*) Read(src/*.pem) Read(**) Read(src/?) Read(src/[ab]) Read(src/a) Read(//home/u/**) Grep(src/**)
		Edit(/x/*/c) Edit(/x/a/c) Edit(/x/**) Edit(./SRC/**) Edit(src/*.go) Edit(src/*_test.go) Edit(src/?*a) Edit(src/*a*) Edit(src/**/*.go)
		WebFetch(domain:*.go.dev) WebFetch(domain:pkg.go.dev) WebFetch(https://go.dev/*) WebFetch(*://go.dev*) WebFetch(https://*.dev/*)
		mcp__s mcp__s__t mcp__s__* mcp__s__get_* MCP(s__*) MCP Skill(git:commit) Skill(commit) Agent Agent(ex*) Agent(a*b*) Agent(a*c*b)
		Agent(model:opus) Agent(model:*) PowerShell(get-item) Monitor(ls) Bash(run*)`)...)
	var rs []rules.Rule
	for i, text := range texts {
		if strings.HasPrefix(text, "Bash(") && i%3 != 0 && len(text) >= 14 {
			continue
		}
		for _, claude := range []bool{false, true} {
			for _, list := range lists {
				if r, err := rules.ParseRule(text, list, rules.Shared, rules.Pos{}, claude); err == nil {
					rs = append(rs, r)
				}
			}
		}
	}
	for _, s := range subjects {
		if s.Path == nil {
			continue
		}
		name := s.Path.Given
		for dir := path.Dir(name); path.IsAbs(dir) && dir != "/"; dir = path.Dir(dir) {
			subjects = append(subjects, &rules.Subject{Tool: "Edit", Path: &rules.Path{Given: dir, Real: dir}, Tree: true})
		}
		subjects = append(subjects, &rules.Subject{Tool: "Edit", Path: s.Path, Tree: true},
			&rules.Subject{Tool: "Grep", Path: s.Path, Glob: name + "*", Name: "x", HasName: true})
	}
	table := make([][]said, len(rs))
	row := func(i int) []said {
		for _, s := range subjects[len(table[i]):] {
			table[i] = append(table[i], says(&rs[i], s))
		}
		return table[i]
	}
	p, covered := algebra.Of(rules.TestPolicy), 0
	every := testenv.Every(t, 61, 20, 1) // a rule is there six times: in both readings, in three lists
	for i := 0; i < len(rs); i += every {
		for k := range rs {
			a, b := &rs[i], &rs[k]
			if i == k || a.Tool != "*" && a.Tool[0] != b.Tool[0] && a.Tool != "Read" || !p.Covers(a, b) {
				continue
			}
			covered++
			all, some := row(i), row(k)
			for j, s := range subjects {
				if have, want := all[j], some[j]; want.sure && !have.sure || want.maybe && !have.maybe {
					t.Errorf("%s %s (claude %v) is said to cover %s %s (claude %v), not so for %+v", a.List, a.Text, a.Claude, b.List, b.Text, b.Claude, s)
					break
				}
			}
		}
	}
	t.Logf("%d rules, %d subjects, %d pairs", len(rs), len(subjects), covered)
	if covered*every < len(rs)*20 {
		t.Errorf("only %d pairs of %d rules", covered, len(rs))
	}
}

// An index finds every rule of a list that covers another.
func TestCovering(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	found, covered, count := 0, 0, testenv.Count(t, 60, 200, 600)
	for round := range count {
		own := *rules.TestPolicy
		own.OS = []rules.OS{rules.Linux, rules.Linux, rules.MacOS, rules.Windows}[rnd.IntN(4)]
		p := algebra.Of(&own)
		list := make([]rules.Rule, 1+rnd.IntN(60))
		kind, of := rnd.IntN(rules.Kinds), lists[rnd.IntN(3)]
		for i := range list {
			if rnd.IntN(4) == 0 {
				list[i] = rules.RandomRule(rnd, rnd.IntN(rules.Kinds), of)
			} else {
				list[i] = rules.RandomRule(rnd, kind, of)
			}
		}
		index := p.Index(list)
		for range 20 {
			r := rules.RandomRule(rnd, kind, lists[rnd.IntN(3)])
			places := slices.Clone(index.Covering(&r))
			found += len(places)
			for i := range list {
				first := slices.IndexFunc(list, func(o rules.Rule) bool { return rules.Said(&o) == rules.Said(&list[i]) })
				if first != i || !p.Covers(&list[i], &r) {
					continue
				}
				if covered++; !slices.Contains(places, int32(i)) {
					t.Fatalf("%d: %s %q covers %s %q, and was not found", round, of, list[i].Text, r.List, r.Text)
				}
			}
		}
	}
	if found < count*50 || covered < count*5 {
		t.Errorf("%d that may cover, %d that do", found, covered)
	}
	t.Log(found, "that may cover,", covered, "that do")
}

// symbols is a text of a command as machines read it.
func symbols(t grammar.Text) []automaton.Symbol {
	var out []automaton.Symbol
	for _, p := range t {
		switch p.Hole {
		case grammar.Single:
			out = append(out, automaton.Single)
		case grammar.Any:
			out = append(out, automaton.Any)
		}
		out = append(out, []rune(p.Lit)...)
	}
	return out
}

// A rule on commands matches of the tables what its language has.
func TestLanguageOfTables(t *testing.T) {
	texts, subjects := rules.Tables()
	subjects = slices.DeleteFunc(subjects, func(s *rules.Subject) bool {
		return s.Tool != "Bash" || s.Command == nil || strings.HasPrefix(s.Command.Allow[0][0].Lit, "GIT") // which decide spells git as well
	})
	has := func(ms []*automaton.Machine, text []automaton.Symbol) bool {
		return slices.ContainsFunc(ms, func(m *automaton.Machine) bool {
			return slices.ContainsFunc(automaton.After(m, text...).Start, func(s int) bool { return m.Accept[s] })
		})
	}
	every := testenv.Every(t, 5, 1, 1) // a sample takes each pattern as some of the rules
	for k, text := range texts {
		pattern, ok := strings.CutPrefix(text, "Bash(")
		for i := k % every; i < 12; i += every {
			tool := []string{"Bash", "PowerShell"}[i%2]
			r, err := rules.ParseRule(tool+"("+pattern, lists[i/4], rules.User, rules.Pos{}, i/2%2 == 0)
			if !ok || err != nil {
				continue
			}
			l, why := algebra.Of(rules.TestPolicy).LanguageOf(&r, tool)
			for _, s := range subjects {
				s := &rules.Subject{Tool: tool, Command: s.Command}
				text := symbols(s.Command.Allow[0])
				want := says(&r, s)
				got := said{l.All || has(l.Sure, text), l.All || has(l.Sure, text) || has(l.Maybe, text)}
				if got != want || why != "" {
					t.Fatalf("%s %s claude %v, %q: %v, want %v %s", r.List, r.Text, r.Claude, s.Command.Allow[0], got, want, why)
				}
			}
		}
	}
}

// No URL of the universe is in doubt, and its host is the one that is written.
func TestURLTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	urls := algebra.Of(rules.TestPolicy).Universe("WebFetch")
	for range testenv.Count(t, 5_000, 20_000, 20_000) {
		state, text := 0, ""
		for n := 8 + rnd.IntN(30); n > 0 || !urls.Accepts(state); n-- {
			pools := urls.Pools(state)
			if len(pools) == 0 || n < -100 {
				break
			}
			pool := pools[rnd.IntN(len(pools))]
			r := pool[rnd.IntN(len(pool))]
			text += string(r)
			state, _ = urls.Next(state, rune(r))
		}
		if !urls.Accepts(state) {
			continue
		}
		u := rules.ParseURL(text)
		host, _, _ := strings.Cut(strings.SplitN(text, "/", 3)[2]+"/", "/")
		host, _, _ = strings.Cut(host, "?")
		host, _, _ = strings.Cut(host, ":")
		if !u.Sure || u.Host != host || !rules.Plain(&u) {
			t.Fatalf("%q: %+v", text, u)
		}
	}
}
