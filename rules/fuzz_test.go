package rules

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules/grammar"
)

func FuzzParseRule(f *testing.F) {
	for _, row := range parseRows {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		allow, errAllow := ParseRule(text, Allow, User, Pos{}, false)
		if (errAllow == nil) != (allow.Tool != "") {
			t.Fatalf("allow %q: %+v, %v", text, allow, errAllow)
		}
		for _, list := range []List{Deny, Ask} {
			r, err := ParseRule(text, list, User, Pos{}, false)
			switch {
			case err == nil && (r.Tool == "" || r.Note != ""):
				t.Fatalf("%s %q: %+v", list, text, r)
			case err != nil && (r.Tool == "") != (r.Note == ""):
				t.Fatalf("%s %q: %+v, %v", list, text, r, err)
			case errAllow == nil && (err != nil || r.Tool != allow.Tool || r.Pattern != allow.Pattern):
				t.Fatalf("%q is a rule in allow and not in %s: %v", text, list, err)
			}
			if r.Tool == "" {
				continue
			}
			// what a rule with a tool is read as must be a rule itself
			again := r.Tool
			if !r.Bare {
				again += "(" + r.Pattern + ")"
			}
			if _, err := ParseRule(again, list, User, Pos{}, false); err != nil {
				t.Fatalf("%s %q was read as %q: %v", list, text, again, err)
			}
		}
	})
}

// FuzzMatch checks that allow never covers more than deny catches, and that
// filling a hole never leads out of what allow covered or deny was sure of.
func FuzzMatch(f *testing.F) {
	for _, row := range commandRows {
		f.Add(row.rule, row.command, "x", false)
	}
	for _, row := range pathRows {
		f.Add(row.rule, row.path, "a b", true)
	}
	f.Fuzz(func(t *testing.T, pattern, command, fill string, claude bool) {
		if strings.TrimSpace(fill) != fill || fill == "" || strings.Contains(fill, "<") {
			fill = "fill"
		}
		with := words(command)
		without := fillHoles(with, grammar.Quote(fill))
		allow := Rule{Tool: "Bash", Pattern: pattern, List: Allow, Claude: claude}
		deny := Rule{Tool: "Bash", Pattern: pattern, List: Deny, Claude: claude}
		a, _ := matches(allow, with)
		sure, maybe := matches(deny, with)
		filledA, _ := matches(allow, without)
		filledSure, filledMaybe := matches(deny, without)
		switch {
		case a && !sure:
			t.Fatalf("%q: %q: allow covers what deny is not sure of", pattern, command)
		case a && !filledA:
			t.Fatalf("%q: %q: allow covers the holes and not %q", pattern, command, fill)
		case sure && !filledSure:
			t.Fatalf("%q: %q: deny is sure and misses %q", pattern, command, fill)
		case !maybe && filledMaybe:
			t.Fatalf("%q: %q: deny says never and matches %q", pattern, command, fill)
		}
	})
}

// fillHoles puts a text into every hole.
func fillHoles(t grammar.Text, fill string) grammar.Text {
	var b strings.Builder
	for _, p := range t {
		if p.Hole != grammar.NoHole {
			b.WriteString(fill)
		} else {
			b.WriteString(p.Lit)
		}
	}
	return grammar.Text{{Lit: b.String()}}
}

func matches(r Rule, t grammar.Text) (sure, maybe bool) {
	hits := testPolicy.Match([]Rule{r}, &Subject{Tool: "Bash", Command: &Command{Allow: []grammar.Text{t}}})
	return len(hits) > 0 && hits[0].Sure, len(hits) > 0
}

// FuzzMatchFile checks that allow never covers a path that deny misses.
func FuzzMatchFile(f *testing.F) {
	for _, row := range pathRows {
		pattern := strings.TrimSuffix(row.rule[strings.IndexByte(row.rule, '(')+1:], ")")
		f.Add(pattern, row.path, false)
		f.Add(pattern, row.path, true)
	}
	f.Fuzz(func(t *testing.T, pattern, name string, claude bool) {
		p := CleanPath(name, "/repo/sub", "/home/u")
		if p != CleanPath(p, "/repo/sub", "/home/u") {
			t.Fatalf("CleanPath(%q) = %q is not clean", name, p)
		}
		allow := Rule{Tool: "Edit", Pattern: pattern, List: Allow, Claude: claude}
		deny := Rule{Tool: "Edit", Pattern: pattern, List: Deny, Claude: claude}
		s := Subject{Tool: "Edit", Path: &Path{p, p}}
		if len(testPolicy.Match([]Rule{allow}, &s)) > 0 && len(testPolicy.Match([]Rule{deny}, &s)) == 0 {
			t.Fatalf("%q: %q: allow covers what deny misses", pattern, p)
		}
		s.Glob = p
		testPolicy.Match([]Rule{allow, deny}, &s)
	})
}

func FuzzParseURL(f *testing.F) {
	for _, row := range toolRows {
		if row.s.URL != nil {
			f.Add(row.s.URL.Text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		u := ParseURL(text)
		if !u.Sure {
			return
		}
		again := ParseURL("http://" + bracketed(u.Host) + "/")
		if again.Host != u.Host || !again.Sure {
			t.Fatalf("%q: host %q is read again as %q, %v", text, u.Host, again.Host, again.Sure)
		}
	})
}

// A rule spelled from an argv matches that argv, holds no wildcard and matches
// no other argv.
func TestQuotedRuleIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	spell := func(argv []string) string {
		quotedWords := make([]string, len(argv))
		for i, w := range argv {
			quotedWords[i] = grammar.Quote(w)
		}
		return strings.Join(quotedWords, " ")
	}
	for range 5000 {
		argv := []string{"git"}
		for n := r.IntN(4); n > 0; n-- {
			argv = append(argv, randomWord(r))
		}
		text := spell(argv)
		if strings.HasSuffix(text, ":*") {
			t.Fatalf("%q spells a wildcard", text)
		}
		rule, err := ParseRule("Bash("+text+")", Allow, User, Pos{}, false)
		if err != nil {
			t.Fatal(err)
		}
		rd := grammar.Reading{Pattern: strings.TrimSpace(rule.Pattern), Home: "/home/u"}
		if g := rd.Narrow(); !g.Plain() {
			t.Errorf("%q holds a wildcard", text)
		}
		if sure, _ := matches(rule, grammar.Text{{Lit: text}}); !sure {
			t.Errorf("%q does not match itself", text)
		}
		other := append([]string(nil), argv...)
		other[len(other)-1] += randomWord(r) + "x"
		if sure, _ := matches(rule, grammar.Text{{Lit: spell(other)}}); sure {
			t.Errorf("%q matches %q", text, spell(other))
		}
	}
}

// Stars by the dozen take bounded work; an exponential matcher never returns.
func TestMatchIsBounded(t *testing.T) {
	stars := strings.Repeat("*a", 60) + "b"
	long := strings.Repeat("a", 20000)
	if sure, _ := matches(Rule{Tool: "Bash", Pattern: stars, List: Deny}, grammar.Text{{Lit: long}}); sure {
		t.Error("matched")
	}
	var holes grammar.Text
	for range 400 {
		holes = append(holes, grammar.Piece{Lit: "a "}, grammar.Piece{Hole: grammar.Any}, grammar.Piece{Lit: " "})
	}
	matches(Rule{Tool: "Bash", Pattern: stars, List: Deny}, holes)
	matches(Rule{Tool: "Bash", Pattern: strings.Repeat("a * ", 60), List: Allow}, holes)
	deep := strings.Repeat("/a", 2000)
	s := Subject{Tool: "Read", Path: &Path{deep, deep}, Glob: strings.Repeat("/*", 2000)}
	rule := Rule{Tool: "Read", Pattern: "//" + strings.Repeat("**/a/", 40) + "b", List: Deny}
	testPolicy.Match([]Rule{rule}, &s)
	s.Glob = ""
	testPolicy.Match([]Rule{rule}, &s)
}

// randomWord makes words of the characters that quoting is about.
func randomWord(r *rand.Rand) string {
	const alphabet = "ab~{},.[]#^!=:@%+/-_ \t\n'\"\\$`*?;&|<>()é漢\u200b"
	rs := []rune(alphabet)
	var b strings.Builder
	for n := r.IntN(9); n > 0; n-- {
		b.WriteRune(rs[r.IntN(len(rs))])
	}
	return b.String()
}
