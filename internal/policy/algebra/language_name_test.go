package algebra

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
)

// Names of few characters against random rules of the same, all that there are up to a
// length, and longer ones.
func TestNameLanguageRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(20, 3))
	names := []string{"general-purpose"}
	for i := 0; i < len(names) && len(names) < 5000; i++ {
		base := names[i]
		if i == 0 {
			base = ""
		}
		for _, c := range "aA:* ?ſs" {
			names = append(names, base+string(c))
		}
	}
	pieces := []string{"a", "A", "s", ":", "*", "?", " ", ":*", " *", `\*`, "subagent_type:", "skill:", "model:", "general-purpose"}
	for range 3000 {
		var b strings.Builder
		for range 1 + rnd.IntN(5) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		tool := []string{"Agent", "Skill", "WebSearch", "Agen?"}[rnd.IntN(4)]
		r, err := rules.ParseRule(tool+"("+b.String()+")", []rules.List{rules.Allow, rules.Ask, rules.Deny}[rnd.IntN(3)], rules.User, rules.Pos{}, rnd.IntN(2) == 0)
		if err != nil {
			continue
		}
		called := strings.Replace(tool, "?", "t", 1)
		l, why := testPolicy.LanguageOf(&r, called)
		if why != "" {
			t.Fatal(why)
		}
		agree := func(s *rules.Subject, text []automaton.Symbol) {
			all, some := matched(testPolicy, &r, s)
			if got := l.All || matchedBy(l.Sure, text); got != all {
				t.Fatalf("%s %s claude %v, %q: sure %v, want %v", r.List, r.Text, r.Claude, string(text), got, all)
			}
			if got := l.All || matchedBy(l.Sure, text) || matchedBy(l.Maybe, text); r.Strict() && got != some {
				t.Fatalf("%s %s claude %v, %q: maybe %v, want %v", r.List, r.Text, r.Claude, string(text), got, some)
			}
		}
		agree(&rules.Subject{Tool: called, Fields: []rules.Field{{Name: "x"}}}, []automaton.Symbol{automaton.Any})
		for range 60 {
			name := names[rnd.IntN(len(names))]
			agree(&rules.Subject{Tool: called, Name: name, HasName: true, Fields: []rules.Field{{Name: "x"}}}, []rune(name))
		}
	}
}

func TestToolLanguage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(20, 4))
	pieces := []string{"mcp__", "mcp_", "s", "__", "t", "*", "?", "MCP", "Bash", "Read", "Edit", "Mon*"}
	var tools []string
	for range 300 {
		var b strings.Builder
		for range 1 + rnd.IntN(5) {
			b.WriteString(strings.NewReplacer("*", "", "?", "").Replace(pieces[rnd.IntN(len(pieces))]))
		}
		tools = append(tools, b.String())
	}
	tools = append(tools, rules.Tools[:]...)
	for range 500 {
		var b strings.Builder
		for range 1 + rnd.IntN(4) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		text := b.String()
		if rnd.IntN(3) == 0 {
			text = "MCP(" + text + ")"
		}
		r, err := rules.ParseRule(text, []rules.List{rules.Allow, rules.Deny}[rnd.IntN(2)], rules.User, rules.Pos{}, false)
		if err != nil {
			continue
		}
		l, some := ToolLanguage(&r)
		if some {
			t.Fatalf("%s is about all calls", text)
		}
		for _, tool := range tools {
			all, _ := matched(testPolicy, &r, &rules.Subject{Tool: tool})
			if got := matchedBy(l.Sure, []rune(tool)); tool != "" && got != all {
				t.Fatalf("%s %s: %s: %v, want %v", r.List, text, tool, got, all)
			}
		}
	}
}
