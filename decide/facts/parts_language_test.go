package facts_test

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A rule's language has the commands that it matches once package facts has spelled them: by
// the base name of the program, by its name in lower case.
func TestLanguageOfPrograms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(20, 5))
	pick := func(from []string) string { return from[rnd.IntN(len(from))] }
	p := algebra.Of(&rules.Policy{})
	folders := append([]string{"", "", "/opt/x", "x", "/usr/bin/y", "."}, rules.SystemFolders[:]...)
	names := []string{"rm", "RM", "Rm.exe", "rm.EXE", "r", "a.exe.exe", "rmx", "/", "é"}
	patterns := []string{"rm", "r", "*", "?", " ", " x", ":*", "RM", ".exe", "/", "opt/x/", "/usr/bin/", "*m", "x", "a", "'"}
	matched, n := 0, testenv.Count(t, 300, 1500, 1500)
	for range n {
		var b strings.Builder
		for range 1 + rnd.IntN(4) {
			b.WriteString(pick(patterns))
		}
		tool := pick([]string{"Bash", "Bash", "PowerShell"})
		list := []rules.List{rules.Allow, rules.Ask, rules.Deny}[rnd.IntN(3)]
		r, err := rules.ParseRule(tool+"("+b.String()+")", list, rules.User, rules.Pos{}, rnd.IntN(3) == 0)
		if err != nil {
			continue
		}
		l, why := p.LanguageOf(&r, tool)
		if why != "" {
			t.Fatal(why)
		}
		for range 60 {
			word := pick(names)
			if dir := pick(folders); dir != "" && word != "/" {
				word = dir + "/" + word
			}
			sub := bashsafety.Subcommand{Program: path.Base(word), Argv: []bashsafety.Word{{Text: word, Known: true}}}
			for range rnd.IntN(3) {
				sub.Argv = append(sub.Argv, bashsafety.Word{Text: pick([]string{"x", "a b", "/", "X"}), Known: true})
			}
			cmd := facts.SpellCommand(&sub)
			hits := p.Match([]rules.Rule{r}, &rules.Subject{Tool: tool, Command: cmd})
			want := len(hits) > 0 && hits[0].Sure
			if want {
				matched++
			}
			if got := l.All || machinesMatch(l.Sure, cmd.Allow[0][0].Lit); got != want {
				t.Fatalf("%s %s(%q) claude %v, %q: sure %v, want %v", list, tool, r.Pattern, r.Claude, cmd.Allow[0][0].Lit, got, want)
			}
			if got := l.All || machinesMatch(l.Sure, cmd.Allow[0][0].Lit) || machinesMatch(l.Maybe, cmd.Allow[0][0].Lit); list != rules.Allow && got != (len(hits) > 0) {
				t.Fatalf("%s %s(%q) claude %v, %q: maybe %v, want %v", list, tool, r.Pattern, r.Claude, cmd.Allow[0][0].Lit, got, hits)
			}
		}
	}
	if matched*3 < n*2 {
		t.Errorf("only %d matches", matched)
	}
}

func machinesMatch(ms []*automaton.Machine, text string) bool {
	return slices.ContainsFunc(ms, func(m *automaton.Machine) bool {
		return slices.ContainsFunc(automaton.After(m, []rune(text)...).Start, func(s int) bool { return m.Accept[s] })
	})
}
