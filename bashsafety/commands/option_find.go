package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// findLong finds a long option by its name or a prefix: of several candidates the first that
// matters, so that an abbreviation hides none.
func (p *argParser) findLong(name string) (string, Act, Arg, bool) {
	if does, arg, ok := p.find(name); ok && (len(name) > 1 || p.style&SingleDash != 0) {
		return name, does, arg, true
	}
	if p.style&SingleDash != 0 || name == "" {
		return "", 0, NoArg, false
	}
	for _, g := range slices.Backward(p.gs) {
		for i := range g.Opts {
			if full := abbreviated(g.Opts[i].Names, name); full != "" {
				return full, g.Opts[i].Does, g.Opts[i].Arg, true
			}
		}
	}
	return p.findHarmless(name)
}

// abbreviated returns the first long name of a list that starts with name, or "".
func abbreviated(list, name string) string {
	for f := range strings.FieldsSeq(list) {
		if f[0] != '-' && strings.HasPrefix(f, name) {
			return f
		}
	}
	return ""
}

// findHarmless finds a harmless option by a prefix of its name. Where only some candidates take
// the next word none is meant: programs that share a table do not share all options.
func (p *argParser) findHarmless(name string) (full string, does Act, arg Arg, ok bool) {
	for _, g := range slices.Backward(p.gs) {
		for _, l := range [...]struct {
			list string
			arg  Arg
		}{{g.Values, HasArg}, {g.OptValues, OptArg}, {g.Flags, NoArg}} {
			for f := range strings.FieldsSeq(l.list) {
				switch {
				case f[0] == '-' || !strings.HasPrefix(f, name):
				case ok && (arg == HasArg) != (l.arg == HasArg):
					return "", 0, NoArg, false
				case !ok:
					full, arg, ok = f, l.arg, true
				}
			}
		}
	}
	return full, 0, arg, ok
}

// find finds an option by its exact name.
func (p *argParser) find(name string) (Act, Arg, bool) {
	for k := len(p.gs) - 1; k >= 0; k-- {
		g := p.gs[k]
		for i := range g.Opts {
			if shell.Listed(g.Opts[i].Names, name) {
				return g.Opts[i].Does, g.Opts[i].Arg, true
			}
		}
		switch {
		case shell.Listed(g.Values, name):
			return 0, HasArg, true
		case shell.Listed(g.OptValues, name):
			return 0, OptArg, true
		case shell.Listed(g.Flags, name):
			return 0, NoArg, true
		}
	}
	return 0, NoArg, false
}

// takesAway reports whether an option only adds to what a command may do.
func (a Act) takesAway() bool {
	switch a {
	case Executes, WritesValue, Writes, Reads, ReadsNames, UsesKey, WritesInPlace, Changes, Unsafe,
		LoadsValue, Sends, RunsName, RunsText, ObeysValue, SetsKey:
		return true
	}
	return false
}

// readOtherwise adds the options that matter which a parser of another kind may take the
// word at i for: one dash or three before a long name (nopt, Go's flag, Perl, tsc), two
// before a letter (yargs), other letters (camelCase, _ and -: yargs, MySQL, node, click), a
// value after a colon (esbuild, MSBuild), a part of a dotted name (yargs, pnpm) or a value
// that starts with a dash (nopt, yargs). A long option as the table spells it is left alone.
func (p *argParser) readOtherwise(i int, understood, isValue bool) {
	w := &p.argv[i]
	for nested := range 8 {
		lit := shell.LiteralPrefix(w)
		if nested == 0 && p.gs[0].Parser&Plus != 0 && strings.HasPrefix(lit, "+") {
			lit = "-" + lit[1:]
		}
		body := strings.TrimLeft(lit, "-")
		s := spelling{dashes: len(lit) - len(body), behind: isValue || nested > 0, whole: understood, style: p.style}
		if s.dashes == 0 || body == "" {
			return
		}
		end := strings.IndexAny(body, "=:")
		if s.name = body; end >= 0 {
			s.name = body[:end]
		} else if !w.Known {
			return // a hole
		}
		var value *shell.Word
		if end >= 0 {
			value = new(shell.Suffix(w, s.dashes+end+1))
		}
		if !s.listed() {
			p.addSpelt(&s, i, value)
		}
		if value == nil {
			return
		}
		w = value
	}
	p.hole(i) // no one writes values in values, and each costs a reading
}

// addSpelt adds the options that matter which a spelling may mean.
func (p *argParser) addSpelt(s *spelling, at int, value *shell.Word) {
	for _, g := range p.gs {
		for k := range g.Opts {
			o := &g.Opts[k]
			forRefine := o.Does == 0 && o.Arg != NoArg && !s.whole && !s.behind
			if !o.Does.takesAway() && !forRefine {
				continue
			}
			for list := range strings.FieldsSeq(o.Names) {
				if full := s.of(list, p.gs[0].Parser); full != "" {
					p.addOther(o, full, at, value)
				}
			}
		}
	}
}

// addOther adds an option that another kind of parser would read at a word, unless ours
// has read it there. The next word may be its value, and is read by itself as well.
func (p *argParser) addOther(o *Opt, name string, at int, value *shell.Word) {
	for i := len(p.out.Opts) - 1; i >= 0 && p.out.Opts[i].at >= at; i-- {
		if p.out.Opts[i].Name == name && p.out.Opts[i].at == at {
			return
		}
	}
	u := Used{Name: name, does: o.Does, at: at, other: true}
	if value == nil && o.Arg == HasArg && at+1 < len(p.argv) {
		value = &p.argv[at+1]
	}
	if value != nil && o.Arg != NoArg {
		u.Value, u.Given = *value, true
	}
	p.out.Opts = append(p.out.Opts, u)
	p.out.Unknown = append(p.out.Unknown, name)
}

// A spelling is how a word may name an option.
type spelling struct {
	name   string
	dashes int
	whole  bool // the table's reading explains the whole word
	behind bool // it is a value that starts with a dash
	style  Style
}

// listed reports whether the table has a long option of just this spelling.
func (s *spelling) listed() bool {
	asTyped := s.dashes == 2 || s.style&SingleDash != 0 && s.dashes == 1
	return asTyped && s.whole && !s.behind
}

// of returns the name in a field of a list of options that the spelling may mean, "" for none.
func (s *spelling) of(field string, kind Parser) string {
	if field[0] == '-' {
		for i := 1; i < len(field); i++ {
			if s.isLetter(field[i:i+1], kind) {
				return field[i : i+1]
			}
		}
		return ""
	}
	if len(field) == 1 {
		if s.isLetter(field, kind) {
			return field
		}
		return ""
	}
	first, rest, dotted := strings.Cut(s.name, ".")
	if s.isLong(field, s.name) || dotted && (s.isLong(field, first) || s.isLong(field, rest)) {
		return field
	}
	if len(s.name) > 6 && strings.EqualFold(s.name[:5], "loose") && s.isLong(field, s.name[6:]) { // MySQL
		return field
	}
	return ""
}

// isLetter reports whether the spelling may mean an option of one letter.
func (s *spelling) isLetter(letter string, kind Parser) bool {
	switch {
	case s.name == letter:
		return s.dashes > 1 || s.behind
	case kind&AnyCase != 0 && strings.EqualFold(s.name, letter):
		return true
	}
	return kind&EveryLetter != 0 && s.dashes == 1 && strings.Contains(s.name, letter) &&
		strings.IndexFunc(s.name, func(r rune) bool { return r < 'A' || r > 'z' }) < 0
}

// isLong reports whether a typed name may mean a long option. A shortened one needs
// letters enough not to be a run of one-letter options.
func (s *spelling) isLong(full, typed string) bool {
	enough := 3
	switch {
	case s.behind:
		enough = len(full)
	case s.whole:
		enough = 4
	case s.style&SingleDash != 0:
		enough = 2
	}
	i := 0
	for k := range len(typed) {
		c := lowerByte(typed[k])
		if c == '-' || c == '_' {
			continue
		}
		for i < len(full) && (full[i] == '-' || full[i] == '_') {
			i++
		}
		if i == len(full) || lowerByte(full[i]) != c {
			return false
		}
		i++
	}
	return i >= min(enough, len(full))
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Programs have far more options than the tables list, and new ones with every release. One that
// runs or writes something mostly says so in its name: --password-command, --exec-before-download,
// --rsh, --log-file. Such a name counts until a literal says what the option does.

// byName notes the option at i, which no table lists, when its name says that it runs or writes
// something. The value is attached, or is the next word where that is no option.
func (a *Args) byName(argv []shell.Word, i int) {
	w := &argv[i]
	lit := shell.LiteralPrefix(w)
	name, _, attached := strings.Cut(strings.TrimLeft(lit, "-"), "=")
	if strings.ContainsAny(name, ":/,") { // a value is glued to it
		return
	}
	u := Used{Name: name, does: actOfName(name), at: i}
	switch {
	case u.does == 0, !w.Known && !attached, len(name) < 3 && lit != "-o":
		return
	case attached:
		u.Value, u.Given = shell.Suffix(w, strings.IndexByte(w.Text, '=')+1), true
	case i+1 < len(argv) && (argv[i+1].Text == "-" || !strings.HasPrefix(argv[i+1].Text, "-")):
		u.Value, u.Given = argv[i+1], true
	}
	// By convention -o is the output, but of a program that nothing is known of it may be anything.
	if lit == "-o" && (!u.Value.Known || !strings.ContainsAny(u.Value.Text, "./")) {
		return
	}
	if u.Given { // a flag has nothing to run or write that the rule does not name
		a.Named = append(a.Named, u)
	}
}

// isNamed reports whether a word shortens a listed option that does what its name says.
func (u *Used) isNamed(w *shell.Word) bool {
	typed, _, _ := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
	return strings.HasPrefix(u.Name, typed) && actOfName(u.Name) != 0
}

// namedOptions looks for options that start with some dashes among words of which no grammar is known.
func (a *Args) namedOptions(argv []shell.Word, from int, dashes string) {
	for i := from; i < len(argv) && argv[i].Text != "--"; i++ {
		if strings.HasPrefix(argv[i].Text, dashes) {
			a.byName(argv, i)
		}
	}
}

// applyNamed says what the options mean of which only the name is known, as far as the
// literal does not say it in another way.
func (c *Invocation) applyNamed() {
	for i := range c.Named {
		u := &c.Named[i]
		if u.does == Writes {
			if !c.writes(u.Value.Text) {
				c.write(&u.Value)
			}
			continue
		}
		held := slices.ContainsFunc(c.Facts.Narrow, func(why string) bool { return !Shown(why) })
		seen := slices.ContainsFunc(c.Facts.Inner, func(in Inner) bool { return in.Text.Text == u.Value.Text && in.Text.Text != "" })
		if !held && !seen {
			spelt, _, _ := strings.Cut(c.Argv[u.at].Text, "=")
			c.Narrow("the name of " + spelt + " says that it runs or loads a program")
			c.Disprove("")
			if u.does == Executes {
				c.scan(spelt, u.Value.Text, &u.Value)
				c.codeIn(spelt, &u.Value)
			}
		}
	}
}

// writes reports whether a path is known to be written.
func (c *Invocation) writes(path string) bool {
	return slices.ContainsFunc(c.Facts.Effects, func(e shell.Effect) bool {
		return e.Kind == shell.Write && (e.Path == path || strings.HasSuffix(e.Path, "/"+path))
	})
}

// What the words of a name say. A field that ends with a - has to be the first word.
const (
	namesCommand = "command cmd exec execute executable rsh hook hooks prehook posthook program prog eval passwordeval " +
		"editor pager askpass script scripts shell launcher interpreter " +
		"on-success on-first-success on-failure on-change"
	namesCode   = "plugin plugins engine engines"
	namesOutput = "output out outfile outdir log logfile report pidfile export- dump- save- write- save write " +
		"pid-file status-file stats-file trace-file to-file"
	// namesNone are words that say that nothing is run or written, or only in which way.
	namesNone = "no- not- skip- list- disable- without- dry- ignore- timeout format level version type encoding style mode " +
		"width completion completions only name"
)

// actOfName is what the name of an option says that it does, 0 for nothing that matters.
// Parsers of options disagree about case and about - and _.
func actOfName(name string) Act {
	name = strings.ReplaceAll(kebab(name), "plug-in", "plugin")
	switch {
	case name == "o", name == "out":
		return Writes
	case name == "pre":
		return Executes
	case name == "shell" || hasWord(name, namesNone): // --shell mostly names the one to print completions for
		return 0
	case hasWord(name, namesCommand) || shortened(name):
		return Executes
	case hasWord(name, namesCode):
		return Unsafe
	case hasWord(name, namesOutput):
		return Writes
	}
	return 0
}

// Words of options that no literal lists: what their value names is left alone, where the name is such a word or one
// with a word of namesOfMany after it; or is a key or settings that the program uses itself; or is output.
const (
	namesExcluded = "exclude excludes excluded ignore ignored skip filter prune omit except"
	namesOfMany   = "dir dirs files paths pattern patterns glob regex regexp directory directories names match"
	namesOwn      = "i c kubeconfig identity key private-key keyfile authfile registry-config userconfig homedir netrc " +
		"vault-password password-file config settings"
	namesWritten = namesOutput + " dest destination dst export saveas result-file"
	namesRead    = "no- without- not- only dev from input in config"
)

// verbsOfOutput are subcommands of programs without a literal, or of their services, that write what they are told to.
const verbsOfOutput = "export download save dump write"

// firstWords is how many words of a call a subcommand is looked for in.
const firstWords = 8

// LeavesOut reports whether the word at a place of argv names what an option excludes: --exclude x, --skip-dirs x,
// --filter=x; not what --exclude-from reads.
func LeavesOut(argv []shell.Word, at int) bool {
	word, of, more := strings.Cut(optionOf(argv, at), "-")
	return shell.Among(namesExcluded, word) && (!more || shell.Among(namesOfMany, of))
}

// OwnKey reports whether the word at a place is the value of an option, which is not listed, that says that the program
// uses a key or settings of its own, or of a program none of whose options matter.
func (c *Invocation) OwnKey(at int) bool {
	if c == nil || c.Cmd == nil || c.handsOn(at) || !c.Unlisted(at) {
		return false
	}
	return c.Sub.NoRiskyOptions || shell.Among(namesOwn, strings.TrimSuffix(optionOf(c.Argv, at), "-file"))
}

// SaysOutput reports whether an option that no literal lists, or a verb, says of the word at a place of argv that it
// names output: --json-out x, -o/x, -o:x, -oX x, out=x.
func (c *Invocation) SaysOutput(argv []shell.Word, at int) bool {
	unlisted := c.Unlisted(at)
	if !unlisted && !c.handsOn(at) {
		return false
	}
	text, name := argv[at].Text, optionOf(argv, at)
	glued := strings.TrimLeft(strings.TrimPrefix(text, "-o"), ":=")
	key, _, _ := strings.Cut(text, "=")
	switch {
	case glued != text && shell.StartsWithAny(glued, "/", "~", "."):
		return true
	case hasWord(name, namesRead):
		return false
	case saysOutput(name), key != text && saysOutput(kebab(key)):
		return true
	}
	verb := func(w shell.Word) bool { return shell.Among(verbsOfOutput, w.Text) }
	stranger := c == nil || c.Cmd == nil
	return unlisted && slices.ContainsFunc(argv[1:min(at, firstWords)], verb) && (!stranger || verb(argv[1]))
}

// saysOutput reports whether the name of an option says that its value is output.
func saysOutput(name string) bool {
	short := name == "o" || len(name) == 2 && name[0] == 'o'
	return short || strings.Contains(name, "output") || hasWord(name, namesWritten)
}

// optionOf is the name of the option that the word at a place is, or may be the value of; "" for an operand.
func optionOf(argv []shell.Word, at int) string {
	text := argv[at].Text
	if !strings.HasPrefix(text, "-") {
		if text = argv[at-1].Text; at == 1 || !strings.HasPrefix(text, "-") || strings.Contains(text, "=") {
			return ""
		}
	}
	name, _, _ := strings.Cut(strings.TrimLeft(text, "-"), "=")
	name, _, _ = strings.Cut(name, ":")
	return kebab(name)
}

func hasWord(name, list string) bool {
	for f := range strings.FieldsSeq(list) {
		word, first := strings.CutSuffix(f, "-")
		if !strings.Contains(name, word) {
			continue
		}
		within, word := "-"+name+"-", "-"+word+"-"
		if first && strings.HasPrefix(within, word) || !first && strings.Contains(within, word) {
			return true
		}
	}
	return false
}

// shortened reports whether a name ends in the start of command or program, for getopt_long.
func shortened(name string) bool {
	last := name[strings.LastIndexByte(name, '-')+1:]
	return len(last) > 4 && strings.HasPrefix("command", last) || len(last) > 5 && strings.HasPrefix("program", last)
}

// kebab writes a name in lower case with hyphens: pdfEngine and PDF_ENGINE are pdf-engine.
func kebab(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		upper := 'A' <= c && c <= 'Z'
		if upper && i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
			b.WriteByte('-')
		}
		if c == '_' || c == '.' {
			c = '-'
		}
		b.WriteByte(lowerByte(c))
	}
	return b.String()
}
