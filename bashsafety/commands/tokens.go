package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// always is for commands that print tokens whatever they are asked.
func always(*Invocation) bool { return true }

// plainRevisions reports whether git rev-parse prints hashes: what it cannot
// resolve it repeats, and a -- as well.
func plainRevisions(c *Invocation) bool {
	plain := c.onlyOptions("short verify q quiet is-inside-work-tree is-bare-repository is-inside-git-dir")
	return plain && c.DashDash == 0 && tokenOperands(c)
}

// countsOrHashes reports whether git rev-list prints hashes or numbers: with
// --boundary it puts a - in front.
func countsOrHashes(c *Invocation) bool {
	return c.onlyOrNumbers("n max-count count first-parent no-merges merges reverse all skip since until after before")
}

// onlyOrNumbers is onlyOptions with numbers for options, too: -5.
func (c *Invocation) onlyOrNumbers(list string) bool {
	odd := func(u Used) bool { return !shell.Among(list, u.Name) && !shell.Number(u.Name) }
	return !slices.ContainsFunc(c.Opts, odd)
}

func tokenOperands(c *Invocation) bool {
	return !slices.ContainsFunc(c.Operands, func(at int) bool {
		return strings.HasPrefix(c.Argv[at].Text, "-") || MayExpand(c.Argv[at].Text)
	})
}

// systemTokens: nproc prints a number, id -u and -g one and id -G several, uname words of
// letters, digits, dots and dashes after them; its -v is free text, and names of users
// (whoami) are what a directory service makes of them.
func systemTokens(c *Invocation) bool {
	if len(c.Argv) > 2 {
		return false
	}
	option := ""
	if len(c.Argv) == 2 {
		option = c.Argv[1].Text
	}
	switch ProgramName(c.Argv) {
	case "nproc":
		return option == "" || option == "--all"
	case "id":
		return shell.Among("-u -g -G", option)
	case "uname":
		return strings.Trim(option, "-msrp") == ""
	}
	return false
}

// countedUp reports whether seq is given numbers without a sign, and prints such.
func countedUp(c *Invocation) bool {
	return len(c.Argv) > 1 && !slices.ContainsFunc(c.Argv[1:], func(w shell.Word) bool { return !shell.Number(w.Text) })
}

// ids reports whether docker lists nothing but identifiers, which are of hexadecimal digits.
func ids(c *Invocation) bool {
	return shell.Among("ps images ls", c.Subs[len(c.Subs)-1]) && c.Has("q", "quiet") && !c.Has("format")
}

// names reports whether kubectl prints TYPE/NAME, both of which are DNS names.
func names(c *Invocation) bool {
	o := c.Option("o", "output")
	return o != nil && o.Value.Known && o.Value.Text == "name" && c.Subs[0] == "get"
}

// importPaths reports whether go list prints import paths: no element of one starts
// with -, and none holds a blank (golang.org/x/mod/module, CheckImportPath).
func importPaths(c *Invocation) bool { return len(c.Opts) == 0 && tokenOperands(c) }

// commitHashes reports whether git log prints hashes or times and nothing else.
func commitHashes(c *Invocation) bool {
	format := c.Option("format", "pretty")
	if format == nil || !format.Value.Known || !c.onlyOrNumbers("format pretty n max-count all reverse no-merges") {
		return false
	}
	return shell.Among("%H %h %T %t %ct %at", strings.TrimPrefix(format.Value.Text, "format:"))
}

// DateTokens reports whether date prints by a format of numbers that starts with
// one.
func DateTokens(c *Invocation) bool {
	if len(c.Operands) != 1 || !c.onlyOptions("u utc universal") {
		return false
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

// MayPrintIntegers reports whether a program has forms that print integers alone.
func MayPrintIntegers(name string) bool {
	c := Describe([]shell.Word{{Text: name, Known: true, Single: true}}, &shell.CwdState{}, "")
	return c.Cmd != nil && (c.Cmd.Rare().Integers != nil || c.Cmd.HasSubs())
}

// PrintsIntegers reports whether a command prints nothing but integers: each of its
// words is known, or one operand, and its table says so.
func PrintsIntegers(argv []shell.Word) bool {
	if slices.ContainsFunc(argv, func(w shell.Word) bool { return !w.Known && !w.Single && !w.Numeric }) {
		return false
	}
	c := Describe(argv, &shell.CwdState{}, "")
	f := c.Sub.Rare().Integers
	return c.Cmd != nil && f != nil && c.Understood() && f(c)
}

// onlyOptions reports whether a call has no other options than those listed.
func (c *Invocation) onlyOptions(list string) bool {
	return !slices.ContainsFunc(c.Opts, func(u Used) bool { return !shell.Listed(list, u.Name) })
}

// countsOnce reports whether wc prints one number: of its standard input.
func countsOnce(c *Invocation) bool {
	return len(c.Opts) == 1 && len(c.Operands) == 0 && c.onlyOptions("l w c m L lines words chars bytes max-line-length")
}

// countsMatches reports whether grep prints how many lines of one input match.
func countsMatches(c *Invocation) bool {
	files := len(c.Operands)
	if !c.Has("e", "regexp") {
		files--
	}
	return c.Has("c", "count") && files <= 1 && c.onlyOptions("c count e regexp i ignore-case v invert-match w word-regexp "+
		"x line-regexp E extended-regexp F fixed-strings P perl-regexp G basic-regexp a text s no-messages")
}

// countsCommits reports whether git rev-list prints one number.
func countsCommits(c *Invocation) bool { return c.Has("count") && countsOrHashes(c) }

// dateNumber reports whether date prints digits alone.
func dateNumber(c *Invocation) bool {
	return DateTokens(c) && !strings.ContainsAny(c.LiteralOperand(0), "-.:FT")
}

// statNumber reports whether stat prints sizes, times or numbers of owners.
func statNumber(c *Invocation) bool {
	u := c.Option("c", "format")
	return u != nil && u.Value.Known && shell.Among("%s %Y %X %Z %W %a %u %g %h %i %b %B", u.Value.Text) &&
		c.onlyOptions("c format L dereference")
}

// countsNumbers reports whether seq is given numbers alone.
func countsNumbers(c *Invocation) bool {
	return !slices.ContainsFunc(c.Argv[1:], func(w shell.Word) bool {
		return !w.Numeric && strings.Trim(w.Text, "0123456789.-+") != ""
	})
}

// systemNumber reports whether nproc, or id of a user or group, prints its number.
func systemNumber(c *Invocation) bool {
	option := c.Argv[len(c.Argv)-1].Text
	switch ProgramName(c.Argv) {
	case "nproc":
		return len(c.Argv) == 1 || option == "--all"
	case "id":
		return len(c.Argv) == 2 && (option == "-u" || option == "-g")
	}
	return false
}
