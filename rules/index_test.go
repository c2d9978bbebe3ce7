package rules

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// pieces are what random rules and subjects are made of, by tool.
var pieces = []struct {
	tools []string
	parts []string
}{
	{[]string{"Bash", "Monitor", "PowerShell", "B*"}, []string{"a", "b", "A", " ", "a ", " b", "*", " *", "?", ":", "'", `\`, "=", `\\`, `\(`,
		"command:", "é", "K", "~", "$HOME", "{", ":*"}},
	{[]string{"Edit", "Read", "Write", "Grep", "LS", "Re*"}, []string{"a", "b", "/", "/", "*", "**/", "/**", "?", "..", ".", "~/", "//", "[a]",
		`\*`, `\#`, "#", "A", " ", " /", "é", "e\u0301", "ß", "**a", "path:", "C:", "c/", "private/", "sub/", "*abc", "*.ABc*"}},
	{[]string{"WebFetch"}, []string{"domain:", "domain:", "a", "b", ".", ".", "*", "*.", "http://", "a.b", "/", "?", ":80", "A", "é", "url:"}},
	{[]string{"mcp__a", "mcp__a__b", "mcp__*", "mcp__a__*", "mcp__ab__c", "MCP", "*", "mcp__a__?"}, []string{"a", "__", "mcp__", "*", "b", "a__b"}},
	{[]string{"Skill", "Agent", "Other", "Task", "O*"}, []string{"a", "b", ":", "*", " *", ":*", "A", "?", "n:", "general-purpose"}},
}

func randomText(rnd *rand.Rand, parts []string, n int) string {
	var b strings.Builder
	for range 1 + rnd.IntN(n) {
		b.WriteString(parts[rnd.IntN(len(parts))])
	}
	return b.String()
}

func randomRule(rnd *rand.Rand, kind int, list List) Rule {
	for {
		of := &pieces[kind]
		text := of.tools[rnd.IntN(len(of.tools))]
		if rnd.IntN(8) > 0 {
			text += "(" + randomText(rnd, of.parts, 5) + ")"
		}
		r, _ := ParseRule(text, list, []Scope{Shared, User, Managed}[rnd.IntN(3)], Pos{}, rnd.IntN(3) == 0)
		if r.Tool != "" {
			return r
		}
	}
}

func randomSubject(rnd *rand.Rand, kind int) *Subject {
	of := &pieces[kind]
	s := &Subject{Tool: of.tools[rnd.IntN(len(of.tools))], Bare: rnd.IntN(20) == 0}
	value := randomText(rnd, of.parts, 5)
	switch kind {
	case 0:
		texts := []string{"a", "b", " ", " a", "=", "<1>", " <*>", "␣", "*", "é", "K", "A"}
		s.Command = &Command{Allow: []grammar.Text{words(randomText(rnd, texts, 5))}, Deny: []grammar.Text{words(randomText(rnd, texts, 5))},
			Exact: []grammar.Text{words(randomText(rnd, texts, 5))}}
		if rnd.IntN(4) == 0 {
			s.Whole = value
		}
	case 1:
		name := CleanPath("/repo/sub/"+randomText(rnd, []string{"a", "b", " ", "/", "/a", "../", "A", ".a", "é", "ss", "#", "x.Abc"}, 5), "/", "/home/u")
		s.Path = &Path{name, name}
		if rnd.IntN(4) == 0 {
			s.Path.Real = "/private/repo/" + name
		}
		if s.Tree = rnd.IntN(4) == 0; rnd.IntN(4) == 0 {
			s.Glob = name + randomText(rnd, []string{"*", "a", "[ab]", "/", "\x00", "abc"}, 3)
		}
		s.Name, s.HasName = value, rnd.IntN(2) == 0
	case 2:
		u := ParseURL("http://" + randomText(rnd, []string{"a", "b", ".", "a.b", "/", "?", "A", "@", "é"}, 5))
		s.URL = &u
	default:
		s.Name, s.HasName = value, rnd.IntN(5) > 0
	}
	if rnd.IntN(3) == 0 {
		s.Fields = []Field{{Name: []string{"command", "path", "url", "a", "x"}[rnd.IntN(5)], Value: value}}
	}
	if rnd.IntN(8) == 0 {
		s.Also = []string{of.tools[rnd.IntN(len(of.tools))], "mcp__a__b"}
	}
	return s
}

// TestIndex holds what an index finds against a look at every rule.
func TestIndex(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	hits, left, count := 0, 0, testenv.Count(t, 60, 200, 600)
	for round := range count {
		p := testPolicy
		p.OS = []OS{Linux, Linux, MacOS, Windows}[rnd.IntN(4)]
		list := make([]Rule, 1+rnd.IntN(60))
		kind, of := rnd.IntN(len(pieces)), []List{Allow, Ask, Deny}[rnd.IntN(3)]
		for i := range list {
			if rnd.IntN(4) == 0 {
				list[i] = randomRule(rnd, rnd.IntN(len(pieces)), of)
			} else {
				list[i] = randomRule(rnd, kind, of)
			}
		}
		all := p.newIndex(list, false)
		indexed := *p.AsIndexed(0)
		indexed.known.lists = []*Index{all}
		for range 20 {
			s := randomSubject(rnd, kind)
			want, got := p.Match(list, s), indexed.Match(list, s)
			if !slices.Equal(want, got) {
				i := 0
				for i < len(want) && i < len(got) && want[i] == got[i] {
					i++
				}
				t.Fatalf("%d: %d rules match %+v %+v %+v %+v, with an index %d; the first that differs is %s %q", round,
					len(want), s, s.Command, s.Path, s.URL, len(got), of, want[i].Rule.Text)
			}
			hits, left = hits+len(got), left+len(list)-len(all.matching(s))
		}
	}
	if hits < count*50 || left < count*50 {
		t.Errorf("%d hits, %d rules left out", hits, left)
	}
	t.Log(hits, "hits,", left, "rules left out")
}
