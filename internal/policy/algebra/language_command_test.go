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

// textOf is the other way round.
func textOf(symbols []automaton.Symbol) grammar.Text {
	var t grammar.Text
	var lit []byte
	flush := func() {
		if len(lit) > 0 {
			t, lit = append(t, grammar.Piece{Lit: string(lit)}), nil
		}
	}
	for _, r := range symbols {
		switch r {
		case automaton.Single:
			flush()
			t = append(t, grammar.Piece{Hole: grammar.Single})
		case automaton.Any:
			flush()
			t = append(t, grammar.Piece{Hole: grammar.Any})
		default:
			lit = append(lit, string(r)...)
		}
	}
	flush()
	return t
}

// agreeCommand holds the language of a rule against what it matches for one text.
func agreeCommand(t *testing.T, r *rules.Rule, l *Language, text []automaton.Symbol) {
	t.Helper()
	s := &rules.Subject{Tool: r.Tool, Command: &rules.Command{Allow: []grammar.Text{textOf(text)}}}
	all, some := matched(testPolicy, r, s)
	if got := l.All || matchedBy(l.Sure, text); got != all {
		t.Fatalf("%s %s(%q) claude %v, %q: sure %v, want %v", r.List, r.Tool, r.Pattern, r.Claude, textOf(text), got, all)
	}
	if got := l.All || matchedBy(l.Maybe, text); r.Strict() && got != some {
		t.Fatalf("%s %s(%q) claude %v, %q: maybe %v, want %v", r.List, r.Tool, r.Pattern, r.Claude, textOf(text), got, some)
	}
}

// Every text of few symbols against random rules of the same.
func TestCommandLanguageRandom(t *testing.T) {
	rnd, count := rand.New(rand.NewPCG(21, 1)), testenv.Count(t, 150, 600, 600)
	u := newCommandTexts()
	var texts [][]automaton.Symbol
	var grow func(state int, text []automaton.Symbol, most int)
	grow = func(state int, text []automaton.Symbol, most int) {
		if u.Accepts(state) {
			texts = append(texts, append([]automaton.Symbol(nil), text...))
		}
		if len(text) == most {
			return
		}
		for _, r := range []automaton.Symbol{'a', 'B', ' ', '\'', '\\', '*', automaton.Any, automaton.Single} {
			if next, ok := u.Next(state, r); ok {
				grow(next, append(text, r), most)
			}
		}
	}
	grow(0, nil, 5)
	short := len(texts)
	long := []automaton.Symbol{'a', 'a', 'B', ' ', ' ', ' ', '\'', '\'', '\\', '*', '?', ':', '/', '-', '~', 'é', 'K', '{', '.', '.', ',', automaton.Any, automaton.Any, automaton.Any, automaton.Single}
	for len(texts) < short+100*count {
		state, text := 0, []automaton.Symbol(nil)
		for range 6 + rnd.IntN(12) {
			r := long[rnd.IntN(len(long))]
			if next, ok := u.Next(state, r); ok {
				state, text = next, append(text, r)
			}
		}
		if u.Accepts(state) {
			texts = append(texts, text)
		}
	}
	t.Log(short, "short texts")
	pieces := []string{"a", "a", "b", "B", " ", " ", " a", "*", "*", " *", "?", ":", "'", `\`, "-", "~", "/", `"`, `\*`, "' *"}
	lists := []rules.List{rules.Allow, rules.Ask, rules.Deny}
	for range count {
		var b strings.Builder
		for range 1 + rnd.IntN(6) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		if rnd.IntN(4) == 0 {
			b.WriteString(":*")
		}
		tool := []string{"Bash", "Bash", "PowerShell"}[rnd.IntN(3)]
		r, err := rules.ParseRule(tool+"("+b.String()+")", lists[rnd.IntN(3)], rules.User, rules.Pos{}, rnd.IntN(3) == 0)
		if err != nil {
			continue
		}
		l := testPolicy.commandLanguage(&r, r.Tool)
		for range 150 {
			agreeCommand(t, &r, &l, texts[rnd.IntN(short)])
			agreeCommand(t, &r, &l, texts[short+rnd.IntN(len(texts)-short)])
		}
	}
}

// Whatever words a command has, its text is one of the universe.
func TestCommandTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(20, 2))
	u := newCommandTexts()
	chars := []rune("aB0^~{}.,#:='\\ \n*?é…")
	for range 20000 {
		var list []string
		for range 1 + rnd.IntN(3) {
			var b strings.Builder
			for range rnd.IntN(6) {
				b.WriteRune(chars[rnd.IntN(len(chars))])
			}
			list = append(list, b.String())
		}
		quoted := make([]string, len(list))
		for i := range list {
			quoted[i] = grammar.Quote(list[i])
		}
		if text := strings.Join(quoted, " "); !inUniverse(u, []rune(text)) {
			t.Fatalf("%q is no text", text)
		}
	}
}

func TestCaseless(t *testing.T) {
	for r := rune(1); r <= 0x10ffff; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		found := false
		for _, f := range caseless(grammar.FoldRune(r)) {
			found = found || f == r
		}
		if !found {
			t.Errorf("%q is not read as %q", r, grammar.FoldRune(r))
		}
		if grammar.FoldRune(r) == r {
			for _, f := range caseless(r) {
				if grammar.FoldRune(f) != r {
					t.Errorf("%q is read as %q, and folds to %q", f, r, grammar.FoldRune(f))
				}
			}
		}
	}
}

// FuzzCommandLanguage looks for a rule and a text of the universe that its language and
// the rule disagree about. In the text ¹ is a Single hole, … an Any hole.
func FuzzCommandLanguage(f *testing.F) {
	for i, row := range coversRows {
		b := parsed(f, row.b)
		f.Add(b.Pattern, strings.NewReplacer(":*", " …", "*", "¹").Replace(b.Pattern), uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern, command string, kind uint8) {
		text := []rune(command)
		for i, r := range text {
			switch r {
			case '¹':
				text[i] = automaton.Single
			case '…':
				text[i] = automaton.Any
			}
		}
		if !inUniverse(newCommandTexts(), text) || len(pattern) > 60 || strings.Count(pattern, "*") > 4 {
			return // a glob with many stars gives up on many holes, see maxForks
		}
		r, err := rules.ParseRule([]string{"Bash", "PowerShell"}[kind&1]+"("+pattern+")", []rules.List{rules.Allow, rules.Ask, rules.Deny}[kind>>1%3], rules.User, rules.Pos{}, kind&8 != 0)
		if err != nil {
			return
		}
		l := testPolicy.commandLanguage(&r, r.Tool)
		agreeCommand(t, &r, &l, text)
	})
}

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
