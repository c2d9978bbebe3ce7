package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// substitution adds what a command prints. Most often nothing is known of it;
// the tables say of some commands that they print tokens only, and such a word
// cannot be an option.
func (x *expander) substitution(p *syntax.CmdSubst, several bool) {
	x.tokens = !x.hole && printsTokens(p.Stmts)
	if len(x.buf) == 0 && !x.hole && x.makesTemp(p.Stmts) {
		x.temp = true
		x.ones++
	}
	if one, ok := printsNumbers(p.Stmts); ok {
		x.downs++
		if one {
			x.ones++
		}
	}
	x.unknown(several)
}

// noDash reports whether a word whose one unknown part is tokens, or nothing,
// makes no argument that starts with -.
func noDash(text string) bool {
	before, after, _ := strings.Cut(text, HoleMark)
	if strings.Contains(after, HoleMark) || strings.HasPrefix(before, "-") {
		return false
	}
	return before != "" || !strings.HasPrefix(after, "-")
}

// printsTokens reports whether a substitution is one plain command, all of it
// literal, that prints tokens. It may discard what it says of errors.
func printsTokens(stmts []*syntax.Stmt) bool {
	argv := plainArgv(stmts)
	if len(argv) == 0 {
		return false
	}
	c := describe(argv, &cwdState{}, "")
	return c.cmd != nil && systemProgram(argv[0].Text) && c.sub.tokens != nil && c.proven() && len(c.d.narrow) == 0 && c.sub.tokens(c)
}

// plainArgv returns the words of a substitution that is one plain command, all
// of it literal; nil for any other. It may discard what it says of errors.
func plainArgv(stmts []*syntax.Stmt) []Word {
	if len(stmts) != 1 {
		return nil
	}
	argv := make([]Word, 0, 4)
	for _, word := range plainCall(stmts[0]) {
		lit := plainLit(word)
		if lit == "" {
			return nil
		}
		argv = append(argv, Word{Text: lit, Known: true, Single: true})
	}
	return argv
}

// plainCall returns the words of a statement that is one command and no more,
// but for errors that it discards; nil for any other.
func plainCall(s *syntax.Stmt) []*syntax.Word {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || s.Disown || len(call.Assigns) > 0 {
		return nil
	}
	for _, r := range s.Redirs {
		if r.Op != syntax.RdrOut || r.N == nil || r.N.Value != "2" || plainLit(r.Word) != "/dev/null" {
			return nil
		}
	}
	return call.Args
}

// always is for commands that print tokens whatever they are asked.
func always(*call) bool { return true }

// plainRevisions reports whether git rev-parse prints hashes: what it cannot
// resolve it repeats, and a -- as well.
func plainRevisions(c *call) bool {
	for i := range c.opts {
		switch c.opts[i].name {
		case "short", "verify", "q", "quiet", "is-inside-work-tree", "is-bare-repository", "is-inside-git-dir":
		default:
			return false
		}
	}
	return c.dashdash == 0 && tokenOperands(c)
}

// countsOrHashes reports whether git rev-list prints hashes or numbers: with
// --boundary a - stands in front.
func countsOrHashes(c *call) bool {
	for i := range c.opts {
		switch name := c.opts[i].name; name {
		case "n", "max-count", "count", "first-parent", "no-merges", "merges", "reverse", "all", "skip", "since", "until", "after", "before":
		default:
			if !number(name) {
				return false
			}
		}
	}
	return true
}

// tokenOperands reports whether the operands themselves are tokens.
func tokenOperands(c *call) bool {
	for _, i := range c.operands {
		if t := c.argv[i].Text; strings.HasPrefix(t, "-") || strings.ContainsAny(t, " \t\n*?[\\") {
			return false
		}
	}
	return true
}

// dateTokens reports whether date prints by a format of numbers that starts with
// one.
func dateTokens(c *call) bool {
	if len(c.operands) != 1 {
		return false
	}
	for i := range c.opts {
		if n := c.opts[i].name; n != "u" && n != "utc" && n != "universal" {
			return false
		}
	}
	format, ok := strings.CutPrefix(c.literalOperand(0), "+")
	if !ok || len(format) < 2 || format[0] != '%' {
		return false
	}
	for s := format; s != ""; s = s[1:] {
		if s[0] == '%' {
			if s = s[1:]; s == "" || strings.IndexByte("YymdHMSsFTjN", s[0]) < 0 {
				return false
			}
		} else if !nameByte(s[0]) && strings.IndexByte("-.:+", s[0]) < 0 {
			return false
		}
	}
	return true
}
