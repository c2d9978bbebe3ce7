package commands

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Args is an argv taken apart by the option grammar of a program.
type Args struct {
	Opts     []Used
	Operands []int // positions of operands, in order
	Values   []int // positions that are values of options
	// Unknown are options the grammar does not list; what they mean, and
	// whether they take a value, is not known.
	Unknown []string
	// Named are those of them of which the name says that they run or write something.
	Named []Used
	// Holes are positions of words whose value is not known and that could be,
	// or bring along, an option.
	Holes []int
	// DashDash is the position of the -- that ended the options, 0 when none did.
	DashDash int
}

// Used is one occurrence of an option.
type Used struct {
	Name  string     // without dashes, the full name when it was abbreviated
	does  Act        // 0 for a harmless one
	at    int        // position of the word that names it
	Value shell.Word // the value; Span and Quoted are those of the word that holds it
	Given bool       // a value is there
	twice bool       // -o=x read as =x, and before it read as x
	hole  bool       // the name is not known to its end
	sure  bool       // it is surely an option, not the value of one that no grammar lists
	needs bool       // it takes a value, as the table says; without one it may get it of xargs
	other bool       // not as the table reads the word, but as another parser might
}

// parseArgs takes argv[from:] apart. Of the grammars the last is searched
// first: a subcommand's own options, then those of the program.
func parseArgs(argv []shell.Word, from int, style Style, gs []*Command) Args {
	p := argParser{argv: argv, style: style, gs: gs}
	if from < len(argv) {
		p.out.Operands = make([]int, 0, len(argv)-from)
	}
	for i := from; i < len(argv); {
		i = p.word(i)
	}
	return p.out
}

type argParser struct {
	argv  []shell.Word
	style Style
	gs    []*Command
	done  bool // no more options
	// loose is set when options count that no grammar lists, under the name that is
	// typed. With greedy such an option takes the next word, unless that is an option.
	loose, greedy bool
	// unsure is set when the last word is an option that is not known: the next may be its
	// value. doubted is set when what ended the options was such a word.
	unsure, doubted bool
	out             Args
}

// parseLoosely takes the words after a program apart by grammars that do not list
// every option. Of one that is not listed it is not known whether it takes a value.
func parseLoosely(argv []shell.Word, style Style, greedy bool, gs []*Command) Args {
	p := argParser{argv: argv, style: style | ShortEquals, gs: gs, loose: true, greedy: greedy}
	for i := 0; i < len(argv); {
		i = p.word(i)
	}
	return p.out
}

// looseArg says whether an option takes a value when the grammars may not list it;
// last is set when nothing of the word follows its name.
func (p *argParser) looseArg(name string, at int, last bool) Arg {
	if _, arg, ok := p.find(name); ok {
		return arg
	}
	if name == "h" || name == "help" || strings.HasPrefix(name, "no-") {
		return NoArg
	}
	p.out.Unknown = append(p.out.Unknown, name)
	if next := at + 1; p.greedy && last && next < len(p.argv) {
		if lit := shell.LiteralPrefix(&p.argv[next]); len(lit) < 2 || lit[0] != '-' {
			return HasArg
		}
	}
	return NoArg
}

// word reads the word at i, as the table says and otherwise; next is the first unread one.
func (p *argParser) word(i int) int {
	w := &p.argv[i]
	if !p.done && p.bringsOptions(w, shell.LiteralPrefix(w)) || p.doubted && mayBringOptions(w) {
		p.hole(i)
	}
	if p.style&NoOptions != 0 {
		p.out.Operands = append(p.out.Operands, i)
		return i + 1
	}
	unknown := len(p.out.Unknown)
	done, doubted := p.done, p.doubted
	next := p.asListed(i)
	if p.loose {
		p.unsure = len(p.out.Unknown) > unknown && next == i+1 && !strings.Contains(p.argv[i].Text, "=")
		return next
	}
	understood := len(p.out.Unknown) == unknown
	if !understood && !slices.ContainsFunc(p.out.Opts, func(u Used) bool { return u.at == i && u.isNamed(&p.argv[i]) }) {
		p.out.byName(p.argv, i)
	}
	if !done || doubted {
		p.readOtherwise(i, understood && !done, done)
		p.unsure = !understood && !strings.Contains(p.argv[i].Text, "=")
	}
	return next
}

// asListed reads the word at i as the table says.
func (p *argParser) asListed(i int) int {
	w := &p.argv[i]
	lit := shell.LiteralPrefix(w)
	if p.done {
		p.out.Operands = append(p.out.Operands, i)
		return i + 1
	}
	switch {
	case lit == "" && !w.Known:
		p.operand(i)
	case w.Known && lit == "--":
		p.done, p.out.DashDash, p.doubted = true, i, p.unsure
	case lit == "-" && w.Known, !strings.HasPrefix(lit, "-"):
		p.operand(i)
	case lit == "-" || lit == "--": // -$x
		p.hole(i)
		if p.loose {
			p.out.Opts = append(p.out.Opts, Used{at: i, hole: true, sure: !p.unsure})
		}
	case p.style&SingleDash != 0:
		return p.long(i, strings.TrimPrefix(lit[1:], "-"))
	case strings.HasPrefix(lit, "--"):
		return p.long(i, lit[2:])
	default:
		return p.cluster(i, lit)
	}
	return i + 1
}

// bringsOptions reports whether a word may be, or bring along, an option in this style.
func (p *argParser) bringsOptions(w *shell.Word, lit string) bool {
	switch {
	case p.style&NoOptions != 0, lit != "" && (lit[0] == '-' || p.style&StopAtOperand == 0):
		return mayBringOptions(w)
	case lit == "" && !w.Known: // where options end at an operand, they may follow one that is nothing
		return mayBeOption(w) || p.style&StopAtOperand != 0 && !w.Single
	}
	return false
}

// hole notes a word that could be, or bring along, an option.
func (p *argParser) hole(i int) {
	if n := len(p.out.Holes); n == 0 || p.out.Holes[n-1] != i {
		p.out.Holes = append(p.out.Holes, i)
	}
}

// mayBringOptions reports whether a word may become several, options among them.
func mayBringOptions(w *shell.Word) bool {
	return !w.Known && !w.Single && !w.Tokens && strings.Contains(w.Text, shell.HoleMark)
}

// mayBeOption reports whether a word that is not known may be an option, or bring
// some along; -5 is at most a number.
func mayBeOption(w *shell.Word) bool {
	return shell.NothingKnown(w) && !w.NoDash && !w.Integers || mayBringOptions(w)
}

func (p *argParser) operand(i int) {
	p.out.Operands = append(p.out.Operands, i)
	if p.style&StopAtOperand != 0 {
		p.done = true
		p.doubted = (p.unsure || p.gs[0].Parser&Permutes != 0) && p.gs[len(p.gs)-1].Style&StopAtOperand != 0
	}
}

// long reads --name, --name=value, --name value.
func (p *argParser) long(i int, body string) int {
	w := &p.argv[i]
	name, _, attached := strings.Cut(body, "=")
	full, does, arg, ok := p.findLong(name)
	if p.loose {
		full, arg, ok = name, p.looseArg(name, i, true), true
	}
	if !ok {
		p.out.Unknown = append(p.out.Unknown, name)
		if !w.Known && !attached {
			p.hole(i)
		}
		return i + 1
	}
	if full != name && !p.gs[0].Shortens { // or one that is not listed: --ftp-ssl-ccc, where --ftp-ssl-ccc-mode is
		p.out.Unknown = append(p.out.Unknown, name)
	}
	u := Used{Name: full, does: does, at: i, sure: !p.unsure, needs: arg == HasArg, hole: !w.Known && !attached}
	if attached {
		u.Value, u.Given = shell.Suffix(w, strings.IndexByte(w.Text, '=')+1), true
	} else if !w.Known { // --name$x
		p.hole(i)
	}
	if attached || arg != HasArg || p.loose && u.hole {
		p.out.Opts = append(p.out.Opts, u)
		return i + 1
	}
	return p.takeValue(u, i+1)
}

// cluster reads -abc, -ovalue, -o value.
func (p *argParser) cluster(i int, lit string) int {
	w := &p.argv[i]
	for k := 1; k < len(lit); k++ {
		_, size := utf8.DecodeRuneInString(lit[k:])
		name := lit[k : k+size]
		k += size - 1
		does, arg, ok := p.find(name)
		if p.loose {
			arg, ok = p.looseArg(name, i, k+1 == len(w.Text)), true
		}
		if !ok {
			p.out.Unknown = append(p.out.Unknown, name)
			continue
		}
		u := Used{Name: name, does: does, at: i, sure: !p.unsure, needs: arg == HasArg}
		rest := k + 1
		equals := p.style&ShortEquals != 0 && rest < len(w.Text) && w.Text[rest] == '='
		if arg == NoArg {
			if p.loose && equals {
				u.Value, u.Given = shell.Suffix(w, rest+1), true
			}
			p.out.Opts = append(p.out.Opts, u)
			if equals {
				return i + 1
			}
			continue
		}
		if rest < len(w.Text) {
			if equals {
				rest++
			}
			if u.Given = true; rest == k+1 && w.Text[rest] == '=' && does.takesAway() { // as ShortEquals has it; the other counts
				u.Value = shell.Suffix(w, rest+1)
				p.out.Opts = append(p.out.Opts, u)
				u.twice = true
			}
			u.Value = shell.Suffix(w, rest)
		}
		if arg == HasArg && !u.Given {
			return p.takeValue(u, i+1)
		}
		p.out.Opts = append(p.out.Opts, u)
		return i + 1
	}
	if !w.Known {
		p.hole(i)
	}
	return i + 1
}

// takeValue gives the word at i to an option.
func (p *argParser) takeValue(u Used, i int) int {
	if i < len(p.argv) {
		u.Value, u.Given = p.argv[i], true
		p.out.Values = append(p.out.Values, i)
		if p.style&DashValues == 0 && !p.loose {
			p.readOtherwise(i, true, true)
		}
		if w := &p.argv[i]; !w.Known && !w.Single && !p.tokenValue(w, i+1) { // may be no word, or several
			p.hole(i)
		}
	}
	p.out.Opts = append(p.out.Opts, u)
	return i + 1
}

// tokenValue reports whether what a value becomes, none or several words, changes
// nothing of what the words after it are.
func (p *argParser) tokenValue(w *shell.Word, next int) bool {
	if !w.Tokens || p.style&StopAtOperand != 0 {
		return false
	}
	return w.Text != shell.HoleMark || next >= len(p.argv) || !strings.HasPrefix(p.argv[next].Text, "-")
}

// offWords are values that take an option back.
const offWords = "false no none off 0 f"

// behind is an option with what follows a text in its value, nil when it has none. What is not known may be all of it.
func (u *Used) behind(before string) *Used {
	text, anywhere := strings.CutPrefix(before, "*")
	switch at := strings.Index(u.Value.Text, text); {
	case at == 0 || at > 0 && anywhere:
		part := *u
		part.Value = shell.Suffix(&u.Value, at+len(text))
		return &part
	case u.Value.Known || !mayBecome(before+"*", shell.LiteralPrefix(&u.Value)):
		return nil
	}
	return u
}

// means reports whether an option is, abbreviates or may be the one of that name.
func (u *Used) means(name string) bool {
	if star := strings.TrimSuffix(name, "*"); star != name {
		return strings.HasPrefix(u.Name, star)
	}
	switch {
	case len(name) == 1 || len(u.Name) == 1:
		return u.Name == name || u.hole && strings.HasPrefix(name, u.Name)
	case u.hole || len(u.Name) > 2:
		return len(u.Name) <= len(name) && strings.EqualFold(u.Name, name[:len(u.Name)])
	}
	return u.Name == name
}

// says reports whether an option is on, or has the value that is asked for.
func (u *Used) says(value string, valued bool) bool {
	if !valued {
		return !u.off()
	}
	return u.Given && wordFits(value, &u.Value)
}

// off reports whether an option was given with a value that takes it back.
func (u *Used) off() bool {
	return u.Given && u.Value.Known && shell.Among(offWords, strings.ToLower(u.Value.Text))
}

// mayBe reports whether an option that is given may have the value that is asked for.
func (u *Used) mayBe(value string, valued bool) bool {
	if !u.Given {
		return !valued || u.needs
	}
	return !valued || mayFit(value, &u.Value)
}

// surely reports whether an option is surely on, or surely has the value that is asked for.
func (u *Used) surely(value string, valued bool) bool {
	if !valued {
		return u.sure && (u.needs || !u.mayBeOff())
	}
	return u.sure && u.Given && (value == "*" || surelyFits(value, &u.Value))
}

// mayBeOff is off where the value may become such a word.
func (u *Used) mayBeOff() bool {
	lit := strings.ToLower(shell.LiteralPrefix(&u.Value))
	return u.off() || u.Given && !u.Value.Known && strings.Contains(" "+offWords, " "+lit)
}

// A Meaning is what the literal words of a rule say of a program: its subcommand, options in whatever spelling it takes
// for them, and operands.
type Meaning struct {
	call  *Invocation
	names [][]string // of its options, each by all its names
	open  bool       // the last word is only how one begins
}

// MeaningOf reads the words of a rule as those of a call are read. It is nil where they name no option, or one that the
// table does not list.
func MeaningOf(words []string, open bool) *Meaning {
	argv := make([]shell.Word, len(words))
	for i, text := range words {
		argv[i] = shell.Word{Text: text, Known: true, Single: true}
	}
	c := NewInvocation(argv, nil, "")
	if c.Cmd == nil || len(c.Opts) == 0 || len(c.Unknown) > 0 {
		return nil
	}
	if len(c.Operands) > 0 && c.Sub.HasSubs() && !c.Sub.OwnOperands { // a subcommand that is not listed
		return nil
	}
	m := &Meaning{call: c, open: open}
	for i := range c.Opts {
		m.names = append(m.names, c.namesOf(c.Opts[i].Name))
	}
	return m
}

// Of reports whether a call of the same program says what a rule says: for certain (all), or for some value of an
// option or operand that is not known (some). That a word of which nothing is known may be the option is no reason.
func (m *Meaning) Of(c *Invocation) (all, some bool) {
	plain := func(name string) string { return strings.TrimSuffix(strings.ToLower(name), ".exe") }
	if m == nil || c.Sub != m.call.Sub || plain(c.name) != plain(m.call.name) || !slices.Equal(c.Subs, m.call.Subs) {
		return false, false
	}
	all, some = m.operandsOf(c, false), m.operandsOf(c, true)
	for i := range m.names {
		sure, may := m.holds(c, i)
		all, some = all && sure, some && may
	}
	return all, some
}

// Form is how every call that says it begins, as rules see it: git's own options are taken off, other programs' are
// not.
func (m *Meaning) Form() string {
	if m.call.IsGit() {
		return m.call.Form()
	}
	return ProgramName(m.call.Argv)
}

// Covers reports whether every call that says what another rule says also says what this one says.
func (m *Meaning) Covers(o *Meaning) bool {
	if o == nil || o.open {
		return false
	}
	all, _ := m.Of(o.call)
	return all
}

// holds reports whether a call has an option of the rule, with its value if the rule names one.
func (m *Meaning) holds(c *Invocation, option int) (all, some bool) {
	want, last := &m.call.Opts[option], len(m.call.Argv)-1
	open := m.open && (want.at == last || want.at == last-1 && slices.Contains(m.call.Values, last))
	for i := range c.Opts {
		u := &c.Opts[i]
		if u.other || u.needs != want.needs || !slices.Contains(m.names[option], u.Name) || c.means(u) != m.call.means(want) {
			continue
		}
		sure, may := want.needs || !u.mayBeOff(), want.needs || !u.off()
		if want.Given {
			sure, may = says(&u.Value, want.Value.Text, open)
			may = may && u.Given
		}
		// it may be the value of an option that no table lists; a shortened one is listed
		listed := func(o Used) bool { return o.at == u.at-1 && !o.other && len(o.Name) > 1 }
		certain := !u.hole && (u.sure || slices.ContainsFunc(c.Opts, listed))
		ended := len(c.Holes) > 0 && c.Holes[0] < u.at // perhaps, by a -- that is not known
		if sure && may && certain && !ended {
			return true, true
		}
		some = some || may
	}
	return false, some
}

// operandsOf reports whether a call has the operands of the rule, in their order: for certain, or with may perhaps. It
// begins with them where what follows the first is another command's.
func (m *Meaning) operandsOf(c *Invocation, may bool) bool {
	have := c.Operands
	for _, at := range m.call.Operands {
		i := slices.IndexFunc(have, func(i int) bool {
			all, some := says(&c.Argv[i], m.call.Argv[at].Text, m.open && at == len(m.call.Argv)-1)
			return all || may && some
		})
		if i < 0 || i > 0 && (c.Sub.RunsRest || c.Sub.Style&StopAtOperand != 0) {
			return false
		}
		have = have[i+1:]
	}
	return true
}

// says reports whether a word is a text, or with open begins with it: for certain, or perhaps.
func says(w *shell.Word, text string, open bool) (all, some bool) {
	lit := shell.LiteralPrefix(w)
	all = w.Known && lit == text || open && strings.HasPrefix(lit, text)
	return all, all || !w.Known && strings.HasPrefix(text, lit)
}
