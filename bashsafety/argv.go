package bashsafety

import (
	"slices"
	"strings"
)

// args is an argv taken apart by the option grammar of a program.
type args struct {
	opts     []used
	operands []int // positions of operands, in order
	values   []int // positions that are values of options
	// unknown are options the grammar does not list; what they mean, and
	// whether they take a value, is not known.
	unknown []string
	// holes are positions of words whose value is not known and that could be,
	// or bring along, an option.
	holes []int
	// splits is set when an unquoted word that starts literally holds something
	// unknown: the shell may make several words of it, options among them.
	splits bool
	// dashdash is the position of the -- that ended the options, 0 when none did.
	dashdash int
}

// used is one occurrence of an option.
type used struct {
	name  string // without dashes, the full name when it was abbreviated
	does  Act    // 0 for a harmless one
	at    int    // position of the word that names it
	value Word   // the value; Span and Quoted are those of the word that holds it
	given bool   // a value is there
}

// parseArgs takes argv[from:] apart. Of the grammars the last is searched
// first: a subcommand's own options, then those of the program.
func parseArgs(argv []Word, from int, style Style, gs []*Command) args {
	p := argParser{argv: argv, style: style, gs: gs}
	if from < len(argv) {
		p.out.operands = make([]int, 0, len(argv)-from)
	}
	for i := from; i < len(argv); {
		i = p.word(i)
	}
	return p.out
}

type argParser struct {
	argv  []Word
	style Style
	gs    []*Command
	done  bool // no more options
	out   args
}

// word reads the word at i and returns the position of the next unread one.
func (p *argParser) word(i int) int {
	w := &p.argv[i]
	lit := literalPrefix(w)
	if !w.Known && !w.Single && !w.NoDash && !p.done && p.style&NoOptions == 0 && lit != "" && strings.Contains(w.Text, HoleMark) {
		p.out.splits = true
	}
	switch {
	case p.done || p.style&NoOptions != 0:
		p.out.operands = append(p.out.operands, i)
	case !w.Known && lit == "" && w.NoDash:
		p.operand(i)
	case !w.Known && lit == "" && !w.Integers: // -5 is at most a number
		p.out.holes = append(p.out.holes, i)
		p.operand(i)
	case w.Known && lit == "--":
		p.done, p.out.dashdash = true, i
	case lit == "-" && w.Known, !strings.HasPrefix(lit, "-"):
		p.operand(i)
	case lit == "-" || lit == "--": // -$x
		p.out.holes = append(p.out.holes, i)
	case p.style&SingleDash != 0:
		return p.long(i, strings.TrimPrefix(lit[1:], "-"))
	case strings.HasPrefix(lit, "--"):
		return p.long(i, lit[2:])
	default:
		return p.cluster(i, lit)
	}
	return i + 1
}

func (p *argParser) operand(i int) {
	p.out.operands = append(p.out.operands, i)
	if p.style&StopAtOperand != 0 {
		p.done = true
	}
}

// long reads --name, --name=value, --name value.
func (p *argParser) long(i int, body string) int {
	w := &p.argv[i]
	name, _, attached := strings.Cut(body, "=")
	full, does, arg, ok := p.findLong(name)
	if !ok {
		p.out.unknown = append(p.out.unknown, name)
		if !w.Known && !attached {
			p.out.holes = append(p.out.holes, i)
		}
		return i + 1
	}
	u := used{name: full, does: does, at: i}
	if attached {
		u.value, u.given = suffix(w, strings.IndexByte(w.Text, '=')+1), true
	} else if !w.Known { // --name$x
		p.out.holes = append(p.out.holes, i)
	}
	if attached || arg != HasArg {
		p.out.opts = append(p.out.opts, u)
		return i + 1
	}
	return p.takeValue(u, i+1)
}

// cluster reads -abc, -ovalue, -o value.
func (p *argParser) cluster(i int, lit string) int {
	w := &p.argv[i]
	for k := 1; k < len(lit); k++ {
		name := lit[k : k+1]
		does, arg, ok := p.find(name)
		if !ok {
			p.out.unknown = append(p.out.unknown, name)
			continue
		}
		u := used{name: name, does: does, at: i}
		rest := k + 1
		equals := p.style&ShortEquals != 0 && rest < len(w.Text) && w.Text[rest] == '='
		if arg == NoArg {
			p.out.opts = append(p.out.opts, u)
			if equals {
				return i + 1
			}
			continue
		}
		if rest < len(w.Text) {
			if equals {
				rest++
			}
			u.value, u.given = suffix(w, rest), true
		}
		if arg == HasArg && !u.given {
			return p.takeValue(u, i+1)
		}
		p.out.opts = append(p.out.opts, u)
		return i + 1
	}
	if !w.Known {
		p.out.holes = append(p.out.holes, i)
	}
	return i + 1
}

// takeValue gives the word at i to an option.
func (p *argParser) takeValue(u used, i int) int {
	if i < len(p.argv) {
		u.value, u.given = p.argv[i], true
		p.out.values = append(p.out.values, i)
		if !p.argv[i].Known && !p.argv[i].Single { // may be none, or several words
			p.out.holes = append(p.out.holes, i)
		}
	}
	p.out.opts = append(p.out.opts, u)
	return i + 1
}

// findLong finds a long option by its name or a prefix of it. Of several
// candidates the first that matters is meant, so that an abbreviation never
// hides one.
func (p *argParser) findLong(name string) (string, Act, Arg, bool) {
	if does, arg, ok := p.find(name); ok && (len(name) > 1 || p.style&SingleDash != 0) {
		return name, does, arg, true
	}
	if p.style&SingleDash != 0 || name == "" {
		return "", 0, NoArg, false
	}
	for _, g := range slices.Backward(p.gs) {
		for i := range g.Opts {
			for f := range strings.FieldsSeq(g.Opts[i].Names) {
				if f[0] != '-' && strings.HasPrefix(f, name) {
					return f, g.Opts[i].Does, g.Opts[i].Arg, true
				}
			}
		}
	}
	return p.findHarmless(name)
}

// findHarmless finds an option that does not matter by a prefix of its name.
// Programs that share a table do not share all options: where one candidate
// takes the next word and another does not, none is meant.
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
	for _, g := range slices.Backward(p.gs) {
		for i := range g.Opts {
			if listed(g.Opts[i].Names, name) {
				return g.Opts[i].Does, g.Opts[i].Arg, true
			}
		}
		switch {
		case listed(g.Values, name):
			return 0, HasArg, true
		case listed(g.OptValues, name):
			return 0, OptArg, true
		case listed(g.Flags, name):
			return 0, NoArg, true
		}
	}
	return 0, NoArg, false
}

// listed reports whether a list of options holds name; a run of one-letter
// options starts with a dash.
func listed(list, name string) bool {
	if name == "" {
		return false
	}
	for at := 0; ; at++ {
		i := strings.Index(list[at:], name)
		if i < 0 {
			return false
		}
		at += i
		start, end := strings.LastIndexByte(list[:at], ' ')+1, at+len(name)
		switch {
		case list[start] == '-':
			if len(name) == 1 && at > start {
				return true
			}
		case at == start && (end == len(list) || list[end] == ' '):
			return true
		}
	}
}

// literalPrefix returns what the argument certainly starts with.
func literalPrefix(w *Word) string {
	if w.Known {
		return w.Text
	}
	text := w.Text
	if i := strings.IndexByte(text, HoleMark[0]); i >= 0 {
		text = text[:i]
	}
	if w.Glob {
		if i := strings.IndexAny(text, `*?[\`); i >= 0 {
			text = text[:i]
		}
	}
	return text
}

// suffix is the word without its first n bytes.
func suffix(w *Word, n int) Word {
	v := *w
	v.Text = w.Text[n:]
	return v
}
