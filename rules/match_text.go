package rules

import (
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// allows reports whether a pattern, read narrowly, covers the command.
func allows(rd *grammar.Reading, c *Command) bool {
	g := rd.Narrow()
	exact := g.Plain()
	if c.Narrow != "" && !(exact && c.Spelled) {
		return false
	}
	texts := c.Allow
	if exact {
		texts = append(append([]grammar.Text(nil), c.Allow...), c.Exact...)
	}
	for _, t := range texts {
		if rd.PowerShell {
			t = foldTexts(t)
		}
		if all, _ := g.Covers(t); all {
			return true
		}
	}
	return false
}

// Boundaries are the paths that words of an allow rule begin and a wildcard ends: what it
// means is below their folder.
func (p *Policy) Boundaries(r *Rule) (places []string) {
	if !strings.Contains(r.Pattern, "/") || !strings.ContainsAny(r.Pattern, "*?") || !CommandTool(r.Tool) {
		return nil
	}
	read := grammar.Reading{Pattern: strings.TrimSpace(r.Pattern), Home: p.Home.Given, PowerShell: r.Tool == "PowerShell"}
	return read.Boundaries()
}

func foldTexts(t grammar.Text) grammar.Text {
	out := make(grammar.Text, len(t))
	for i, p := range t {
		out[i] = grammar.Piece{Lit: grammar.Fold(p.Lit), Hole: p.Hole}
	}
	return out
}

// matchName matches a pattern against a plain name: the type of Agent, the
// primary field of any other tool. It is exact in allow and blind to case in
// deny and ask. With tail set, stem:* is the stem alone or followed by the tail.
func matchName(r *Rule, name string, tail rune) bool {
	pattern := strings.TrimSpace(r.Pattern)
	if !r.Strict() {
		g := grammar.Compile(pattern)
		if r.Claude {
			g = grammar.LiteralOnes(g)
		}
		return grammar.WithTail(g, tail).Match(name)
	}
	g := grammar.Compile(grammar.Fold(pattern))
	return grammar.WithTail(g, tail).Match(grammar.Fold(name))
}

// matchSkill adds to matchName that Skill(ns:*) is ns and everything below it.
// What Claude Code reads more widely counts in deny and ask: name * is also
// the bare name, and a name also names the skills nested below a directory.
func matchSkill(r *Rule, name string) bool {
	switch {
	case matchName(r, name, ':'):
		return true
	case !r.Strict() || !r.Claude:
		return false
	}
	stem, star := strings.CutSuffix(strings.TrimSpace(r.Pattern), " *")
	bare, nested := *r, *r
	bare.Pattern, nested.Pattern = stem, "*:"+stem
	return star && matchName(&bare, name, 0) || matchName(&nested, name, 0)
}
