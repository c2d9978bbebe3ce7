package commands

import (
	"slices"
	"strings"
	"unicode"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// silence marks the files of a call that shows nothing of them, or not what is
// below them. What the table says counts as long as every word is understood.
func (c *Invocation) silence() {
	if !c.understood() {
		return
	}
	silent := c.surely(Hides)
	files := c.Sub.Files && !c.Has("d", "directories")
	for i := range c.Facts.Effects {
		switch e := &c.Facts.Effects[i]; e.Kind {
		case shell.Read:
			e.Silent, e.Files = silent, files && !e.Recursive
		case shell.Write:
			e.Silent, e.InPlace = silent, c.Sub.InPlace && e.Recursive
		case shell.Delete:
			e.Silent = silent
		}
	}
}

// understood reports whether no word can be an option the table does not see. A
// pattern counts as files: one that is called like an option is not looked for.
func (c *Invocation) understood() bool {
	reasons := 0
	for _, h := range c.Holes {
		if c.Sub.NoRiskyOptions {
			break
		}
		if !patterned(&c.Argv[h]) {
			return false
		}
		reasons = 1 // applyHoles
	}
	return c.Sub.NoRiskyOptions || len(c.Unknown) == 0 && len(c.Facts.Narrow) <= reasons
}

// looks adds what the program looks for below every directory it reads, a pattern of names; dots
// says that its wildcards match a leading dot.
func (c *Invocation) looks(pattern string, dots bool, at *shell.Word) {
	pattern = pattern[strings.LastIndexByte(pattern, '/')+1:]
	if pattern == "" {
		return
	}
	for _, e := range c.Facts.Effects {
		if e.Kind != shell.Read || !e.Recursive {
			continue
		}
		dir := e.Path
		if e.Known && !e.Glob {
			dir = shell.EscapeGlob(dir)
		}
		c.Facts.Effects = append(c.Facts.Effects, shell.Effect{
			Kind: shell.Looks, Path: strings.TrimRight(dir, "/") + "/**/" + pattern, Known: e.Known,
			Glob: true, Dots: dots, Span: at.Span,
		})
	}
}

// looksFor adds the patterns that are values of an option.
func (c *Invocation) looksFor(names ...string) {
	for i := range c.Opts {
		for _, name := range names {
			if u := &c.Opts[i]; u.Name == name && patterned(&u.Value) && !strings.HasPrefix(u.Value.Text, "!") {
				c.looks(u.Value.Text, true, &u.Value)
			}
		}
	}
}

// nameOfRegexp is the pattern of the names a regular expression of characters and dots finds, ""
// where it holds more. Without ^ and $ anything may be around it.
func nameOfRegexp(re string, whole bool) string {
	start, end := whole, whole
	if strings.HasPrefix(re, "^") {
		re, start = re[1:], true
	}
	if strings.HasSuffix(re, "$") && !strings.HasSuffix(re, `\$`) {
		re, end = re[:len(re)-1], true
	}
	var b strings.Builder
	if !start {
		b.WriteByte('*')
	}
	for i := 0; i < len(re); i++ {
		switch c := re[i]; {
		case c == '\\' && i+1 < len(re) && strings.IndexByte(`.-_+/$^`, re[i+1]) >= 0:
			i++
			b.WriteByte(re[i])
		case c == '.' && i+1 < len(re) && (re[i+1] == '*' || re[i+1] == '+'):
			i++
			b.WriteByte('*')
		case c == '.':
			b.WriteByte('?')
		case strings.IndexByte(`\*+?()[]{}|^$`, c) >= 0:
			return ""
		default:
			b.WriteByte(c)
		}
	}
	if !end {
		b.WriteByte('*')
	}
	return b.String()
}

// on reports whether a switch was given, and not as --switch=false.
func (c *Invocation) on(name string) bool {
	u := c.Option(name)
	return u != nil && !(u.Value.Known && u.Value.Text == "false" && u.Given)
}

// patterned reports whether a word is known, or known except for what the shell finds
// for it: then a program is given a name, or the pattern itself.
func patterned(w *shell.Word) bool {
	return w.Known || w.Glob && !strings.Contains(w.Text, shell.HoleMark)
}

// A Credential is a form of a program that prints a password, a key or a token. It is
// never proven to only read, and what it prints is followed to the network.
type Credential struct {
	// Words are one of the forms: spellings of the program, and a pattern of a Loss.
	Words string
	// Issuer lists the hosts, with *. for all below one, that it may sign in to; "*" where
	// the program keeps what others issue.
	Issuer string
}

// credential returns the form that the call is, nil for none.
func (c *Invocation) credential() *Credential {
	forms := c.Cmd.Rare().Credentials
	if len(forms) == 0 {
		return nil
	}
	name, r := VariantName(ProgramName(c.Argv)), loosely(c.Argv[1:])
	i := slices.IndexFunc(forms, func(f Credential) bool { return r.isForm(f.Words, name) })
	if i < 0 {
		return nil
	}
	return &forms[i]
}

// Which calls may print without an end, or so much that it fills a disk.

// mostDigits is how many digits the numbers of seq may have in all.
const mostDigits = 8

func follows(c *Invocation) bool { return c.Has("f", "F", "follow", "retry") }

func repeats(c *Invocation) bool { return c.Has("r", "repeat") }

// countsFar reports whether seq gets more than a few small numbers; jot's mean something else.
func countsFar(c *Invocation) bool {
	digits := 0
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
		if !w.Known || numbersNot(w.Text) && !shell.Among("-s -f --separator --format", c.Argv[i].Text) {
			return true
		}
		digits += len(w.Text) - len(strings.Map(dropDigit, w.Text))
	}
	return digits > mostDigits || ProgramName(c.Argv) == "jot"
}

func dropDigit(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// numbersNot reports whether a word is neither an option nor a number of plain digits.
func numbersNot(text string) bool {
	rest := strings.Trim(text, "+-.0123456789")
	return rest != "" && (text[0] != '-' || strings.HasPrefix(rest, "inf") || strings.HasPrefix(rest, "e"))
}

// padsFar reports whether printf is told to pad to a width that is large or unknown.
func padsFar(c *Invocation) bool {
	for i := range c.Argv[1:] {
		for k, part := range strings.Split(c.Argv[i+1].Text, "%") {
			spec := part[:len(part)-len(strings.TrimLeft(part, "-+ #'.*0123456789"))]
			if k > 0 && (len(spec) > mostDigits || strings.Contains(spec, "*")) {
				return true
			}
		}
	}
	return false
}

// loopsAwk reports whether a word has a loop of awk other than one over the keys of an
// array, or a function, which may call itself.
func loopsAwk(c *Invocation) bool {
	for i := range c.Argv[1:] {
		text := c.Argv[i+1].Text
		if slices.ContainsFunc(strings.Split(text, "for")[1:], counted) {
			return true
		}
		for word := range strings.FieldsFuncSeq(text, noLetter) {
			if shell.Among("while do function func", word) {
				return true
			}
		}
	}
	return false
}

func noLetter(r rune) bool { return r != '_' && !unicode.IsLetter(r) }

// counted reports whether what follows the word for is not the head of a loop over keys.
func counted(text string) bool {
	head, _, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), ")")
	return strings.HasPrefix(head, "(") && (strings.Contains(head, ";") || !strings.Contains(head, " in "))
}

// loopsSed reports whether a word has a label that a program of sed can go back to.
// The usual way to join all lines ends with the last one.
func loopsSed(c *Invocation) bool {
	for i := range c.Argv[1:] {
		text := strings.TrimPrefix(c.Argv[i+1].Text, ":a;N;$!ba;")
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";{}\n", r) }) {
			if part = strings.TrimLeft(part, " \t"); strings.HasPrefix(strings.TrimPrefix(part, "-e"), ":") {
				return true
			}
		}
	}
	return false
}

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

// systemTokens: id -G prints several numbers, uname words of letters, digits, dots and dashes after -m, -s, -r and -p;
// its -v is free text, and names of users (whoami) are what a directory service makes of them.
func systemTokens(c *Invocation) bool {
	last := c.Argv[len(c.Argv)-1].Text
	switch name := ProgramName(c.Argv); {
	case len(c.Argv) > 2:
		return false
	case name == "uname":
		return len(c.Argv) == 1 || strings.Trim(last, "-msrp") == ""
	case name == "id" && last == "-G":
		return true
	}
	return systemNumber(c)
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
	last := c.Argv[len(c.Argv)-1].Text
	switch ProgramName(c.Argv) {
	case "nproc":
		return len(c.Argv) == 1 || last == "--all"
	case "id":
		return len(c.Argv) == 2 && (last == "-u" || last == "-g")
	}
	return false
}
