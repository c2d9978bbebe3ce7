package algebra

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// symbolsOf is a text as machines read it; the last rune of a text that ends with < is Tree.
func symbolsOf(text string) (out []automaton.Symbol) {
	for len(text) > 0 {
		r, n := grammar.NextRune(text)
		if text = text[n:]; r == '<' && text == "" {
			r = automaton.Tree
		}
		out = append(out, r)
	}
	return out
}

// matchedBy runs a machine.
func matchedBy(ms []*automaton.Machine, text []automaton.Symbol) bool {
	return slices.ContainsFunc(ms, func(m *automaton.Machine) bool {
		return slices.ContainsFunc(automaton.After(m, text...).Start, func(s int) bool { return m.Accept[s] })
	})
}

func inUniverse(u automaton.Universe, text []automaton.Symbol) bool {
	state := 0
	for _, r := range text {
		next, ok := u.Next(state, r)
		if !ok {
			return false
		}
		state = next
	}
	return u.Accepts(state)
}

// textsOver calls f with each text of some pieces, up to a length, that is in a universe.
func textsOver(u automaton.Universe, pieces []string, n int, f func(text string)) {
	var extend func(text string, n int)
	extend = func(text string, n int) {
		if inUniverse(u, symbolsOf(text)) {
			f(text)
		}
		if n == 0 {
			return
		}
		for _, p := range pieces {
			if state, ok := reach(u, text+p); ok && state >= 0 {
				extend(text+p, n-1)
			}
		}
	}
	extend("", n)
}

func reach(u automaton.Universe, text string) (state int, ok bool) {
	for _, r := range symbolsOf(text) {
		if state, ok = u.Next(state, r); !ok {
			return 0, false
		}
	}
	return state, true
}

// agreeOnFile holds the language of a rule against what it matches for one path.
func agreeOnFile(t *testing.T, p *Policy, r *rules.Rule, l *Language, tool, text string) {
	t.Helper()
	name, tree := strings.CutSuffix(text, "<")
	s := &rules.Subject{Tool: tool, Path: new(place(name)), Tree: tree}
	if !tree && r.List != rules.Allow {
		s.Fields = []rules.Field{{Name: rules.MainField(tool), Value: name}}
	}
	all, some := matched(p, r, s)
	text1 := symbolsOf(text)
	sure := l.All || matchedBy(l.Sure, text1)
	if maybe := sure || matchedBy(l.Maybe, text1); sure != all || maybe != some {
		t.Fatalf("%s %v (claude %v), %s of %q: language %v %v, rule %v %v", r.List, r.Text, r.Claude, tool, text, sure, maybe, all, some)
	}
}

var tinyPolicy = Of(&rules.Policy{Cwd: place("/a/b"), Project: rules.Path{Given: "/a", Real: "/A"}, Home: place("/b")})

var fileTools = [...]string{"Read", "Grep", "Edit", "Write"}

// What a rule matches is what its language does, for every short path.
func TestFileLanguage(t *testing.T) {
	var texts []string
	textsOver(pathTexts{}, []string{"/", "a", "b", "A", ".", "*", "<"}, 5, func(text string) { texts = append(texts, text) })
	rnd, known, n := rand.New(rand.NewPCG(3, 4)), 0, testenv.Count(t, 200, 200, 600)
	every, from := testenv.Every(t, 6, 1, 1), 0 // a sample takes every sixth text, not the same for each rule
	check := func(r rules.Rule) bool {
		tool := fileTools[rnd.IntN(len(fileTools))]
		l, why := tinyPolicy.LanguageOf(&r, tool)
		if why != "" {
			return false
		}
		from++
		for i := from % every; i < len(texts); i += every {
			agreeOnFile(t, tinyPolicy, &r, &l, tool, texts[i])
		}
		for range 20 { // longer
			text := texts[rnd.IntN(len(texts))] + texts[rnd.IntN(len(texts))]
			if inUniverse(pathTexts{}, symbolsOf(text)) {
				agreeOnFile(t, tinyPolicy, &r, &l, tool, text)
			}
		}
		return true
	}
	for _, pattern := range filePatterns {
		for _, list := range []rules.List{rules.Allow, rules.Ask, rules.Deny} {
			for _, claude := range []bool{false, true} {
				if r, err := rules.ParseRule("Edit("+pattern+")", list, rules.User, rules.Pos{}, claude); err == nil && !check(r) {
					t.Errorf("%s has no language", r.Text)
				}
			}
		}
	}
	pieces := []string{"a", "b", "/", "/", "*", "**", "/**", "**/", "?", ".", "..", "~/", "[a]", "[a-b]", `\*`, `\`, "A", ":", " "}
	for range n {
		var b strings.Builder
		for range 1 + rnd.IntN(6) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		tool := []string{"Edit", "Read", "Grep", "*"}[rnd.IntN(4)]
		r, err := rules.ParseRule(tool+"("+b.String()+")", rules.List(1+rnd.IntN(3)), rules.User, rules.Pos{}, rnd.IntN(2) == 0)
		if err == nil && check(r) {
			known++
		}
	}
	if known < n/2 {
		t.Errorf("only %d of %d have a language", known, n)
	}
}

// filePatterns are one for each turn of the grammar.
var filePatterns = []string{
	"//a/**", "//**", "//a", "/a", "/a/**", "./a", "a", "*.a", "**/a", "a/", "a/**", "~", "~/", "~/**", "~/a/*",
	"**/.a/**", "//a*/**", "//a***", "//a/b***", "//*/**/a", "//a/../b", "**/../a", "//[a]/b", "//[ab]", "/.a", "//A/B",
	"//?", "//?/**", "//a**/b", "**.a", "a**", "//*", "/", "//", `//\*a`, `//a\b`, "file_path:*a", "file_path:/a", "path:/a*", "!a", "***", "*", "//a/***",
}

// Deny and ask read each character that a path may have as one other.
func TestUnfold(t *testing.T) {
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if odd(r) {
			continue
		}
		folded := []rune(grammar.FoldPath(string(r)))
		if len(folded) != 1 || !slices.Contains(unfold(folded[0]), r) {
			t.Errorf("%q is read as %q, which %q are", r, folded, unfold(folded[0]))
		}
	}
	if r, is := letters(nil).oddRune(pathRunes); is {
		t.Errorf("%q cannot be in a path", r)
	}
}

// What cannot be written down exactly has no language.
func TestFileLanguageUnknown(t *testing.T) {
	for _, row := range []struct {
		rule string
		list rules.List
	}{
		{"Edit(//a/\u00e9)", rules.Allow}, {"Edit(//a/ß)", rules.Deny}, {"Edit(//a\xff)", rules.Deny},
		{"Edit(//[!a])", rules.Deny}, {"Edit(//[+-9])", rules.Allow},
	} {
		r, err := rules.ParseRule(row.rule, row.list, rules.User, rules.Pos{}, true)
		if l, why := tinyPolicy.LanguageOf(&r, "Edit"); err != nil || why == "" {
			t.Errorf("%q has a language: %v (%v)", row.rule, l, err)
		}
	}
}

// Inside is what is in the folders that may be written to.
func TestInside(t *testing.T) {
	m := []*automaton.Machine{testPolicy.Inside(nil)}
	for text, want := range map[string]bool{
		"/repo": true, "/repo<": true, "/repo/sub/x": true, "/repository": false, "/Repo/x": false, "/": false, "/home/u/x": false,
	} {
		if got := matchedBy(m, symbolsOf(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// On a Mac the same file is below /private and where its volume is mounted.
func TestFileLanguageMac(t *testing.T) {
	p := Of(&rules.Policy{OS: rules.MacOS, Cwd: place("/tmp/a"), Project: place("/tmp"), Home: place("/Users/u")})
	var texts []string
	pieces := []string{"/", "a", "tmp", "TMP", "Private", "private", "System/Volumes/Data", "<"}
	textsOver(pathTexts{}, pieces, 5, func(text string) { texts = append(texts, text) })
	agreeOnFiles(t, p, texts,
		"//private/tmp/**", "//private/**", "//PRIVATE/TMP/a", "//System/Volumes/Data/**", "//System/Volumes/Data", "//tmp", "a",
		"//System/**/a", "//System/Volumes/Data/private/tmp/a", "//Sys*/**", "**/private/**", "/**", "//private/tmp/a/a/a", "file_path:/private/*",
	)
}

// On Windows a pattern may have backslashes, and a drive.
func TestFileLanguageWindows(t *testing.T) {
	p := Of(&rules.Policy{OS: rules.Windows, Cwd: place("/c/a"), Project: place("/c"), Home: place("/c/u")})
	var texts []string
	textsOver(pathTexts{windows: true}, []string{"/", "a", "A", "c", ".", " ", "<"}, 5, func(text string) { texts = append(texts, text) })
	agreeOnFiles(t, p, texts, `C:\a\**`, "//C:/a/**", `a\*`, `a\a`, "*.a", "//c/**", "~/**", "a.", "**/.a", `\\a\**`, "//?/a")
}

// agreeOnFiles holds the languages of patterns against texts, allowed and denied.
func agreeOnFiles(t *testing.T, p *Policy, texts []string, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		for _, list := range []rules.List{rules.Allow, rules.Deny} {
			r, err := rules.ParseRule("Edit("+pattern+")", list, rules.User, rules.Pos{}, false)
			l, why := p.LanguageOf(&r, "Edit")
			if err != nil || why != "" {
				t.Fatal(err, why)
			}
			for _, text := range texts {
				agreeOnFile(t, p, &r, &l, "Edit", text)
			}
		}
	}
}

func FuzzFileLanguage(f *testing.F) {
	for i, pattern := range filePatterns {
		f.Add(pattern, "/a/b/a", uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, bits uint8) {
		r, err := rules.ParseRule("Edit("+pattern+")", rules.List(1+bits%3), rules.User, rules.Pos{}, bits&4 != 0)
		if err != nil || len(pattern) > 100 || !inUniverse(pathTexts{}, symbolsOf(text)) {
			return
		}
		if l, why := tinyPolicy.LanguageOf(&r, "Write"); why == "" {
			agreeOnFile(t, tinyPolicy, &r, &l, "Write", text)
		}
	})
}
