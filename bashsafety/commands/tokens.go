package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// always is for commands that print tokens whatever they are asked.
func always(*Invocation) bool { return true }

// plainRevisions reports whether git rev-parse prints hashes: what it cannot
// resolve it repeats, and a -- as well.
func plainRevisions(c *Invocation) bool {
	for i := range c.Opts {
		switch c.Opts[i].Name {
		case "short", "verify", "q", "quiet", "is-inside-work-tree", "is-bare-repository", "is-inside-git-dir":
		default:
			return false
		}
	}
	return c.DashDash == 0 && tokenOperands(c)
}

// countsOrHashes reports whether git rev-list prints hashes or numbers: with
// --boundary it puts a - in front.
func countsOrHashes(c *Invocation) bool {
	for i := range c.Opts {
		switch name := c.Opts[i].Name; name {
		case "n", "max-count", "count", "first-parent", "no-merges", "merges", "reverse", "all", "skip", "since",
			"until", "after", "before":
		default:
			if !shell.Number(name) {
				return false
			}
		}
	}
	return true
}

// tokenOperands reports whether the operands themselves are tokens.
func tokenOperands(c *Invocation) bool {
	for _, i := range c.Operands {
		if t := c.Argv[i].Text; strings.HasPrefix(t, "-") || MayExpand(t) {
			return false
		}
	}
	return true
}

// DateTokens reports whether date prints by a format of numbers that starts with
// one.
func DateTokens(c *Invocation) bool {
	if len(c.Operands) != 1 {
		return false
	}
	for i := range c.Opts {
		if !shell.Listed("u utc universal", c.Opts[i].Name) {
			return false
		}
	}
	format, ok := strings.CutPrefix(c.LiteralOperand(0), "+")
	return ok && len(format) > 1 && format[0] == '%' && numericFormat(format)
}

// numericFormat reports whether a format of date holds numbers and what may be
// between them, and nothing that depends on a language.
func numericFormat(format string) bool {
	for s := format; s != ""; s = s[1:] {
		if s[0] != '%' {
			if !shell.NameByte(s[0]) && strings.IndexByte("-.:+", s[0]) < 0 {
				return false
			}
			continue
		}
		if s = s[1:]; s == "" || strings.IndexByte("YymdHMSsFTjN", s[0]) < 0 {
			return false
		}
	}
	return true
}
