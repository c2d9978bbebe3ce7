package bashsafety

// A call is one argv on its way through the tables.
type call struct {
	args
	cmd  *Command // the program
	sub  *Command // the selected subcommand, or cmd
	subs []string // names of the selected subcommands, as typed
	argv []Word
	from int // where the words of sub start
	own  int // where the words of the first subcommand start, 0 without one
	// folded is set when the table speaks of the program only where case is folded.
	folded bool
	cwd    *cwdState
	began  *cwdState // where the command is started; cwd may be moved by an option
	home   string
	d      description

	levels [3]*Command // room for the grammars of program and subcommands

	recursive, inPlace, prints, asks, noPattern, wrote bool
	target                                             *Word
	links                                              []symlink
}

// newCall takes argv apart; cmd is nil when the tables do not know the program.
func newCall(argv []Word, cwd *cwdState, home string) *call {
	c := &call{argv: argv, cwd: cwd, began: cwd, home: home, from: 1}
	if name := programName(argv); name != "" {
		e := find(name)
		c.cmd, c.folded = e.command(), e.folded
	}
	if c.cmd == nil {
		return c
	}
	c.sub = c.cmd
	grammars := append(c.levels[:0], c.cmd)
	inherited := c.cmd.Style & (SingleDash | ShortEquals)
	for c.sub.hasSubs() {
		pre := parseArgs(argv, c.from, c.sub.Style|inherited|StopAtOperand, grammars)
		c.add(&pre)
		if len(pre.operands) == 0 {
			return c
		}
		at := pre.operands[0]
		next := c.sub.sub(argv[at].Text)
		if !argv[at].Known || next == nil {
			c.operands = pre.operands
			return c
		}
		c.sub, c.from = next, at+1
		if c.own == 0 {
			c.own = c.from
		}
		c.subs = append(c.subs, argv[at].Text)
		if grammars = append(grammars, next); c.cmd.Style&Apart != 0 && c.cmd == grammars[0] {
			grammars = grammars[1:]
		}
	}
	last := parseArgs(argv, c.from, c.sub.Style|inherited, grammars)
	c.add(&last)
	return c
}

// add joins what one level of options said.
func (c *call) add(a *args) {
	c.opts = extend(c.opts, a.opts)
	c.values = extend(c.values, a.values)
	c.unknown = extend(c.unknown, a.unknown)
	for _, h := range a.holes {
		if len(c.holes) == 0 || c.holes[len(c.holes)-1] < h {
			c.holes = append(c.holes, h)
		}
	}
	c.splits = c.splits || a.splits
	c.dashdash = max(c.dashdash, a.dashdash)
	c.operands = a.operands
}

// extend is append that copies nothing when there is nothing to join.
func extend[T any](a, b []T) []T {
	if len(a) == 0 {
		return b
	}
	return append(a, b...)
}

// proven reports whether every word of the command is understood: no option the
// table does not list, no unknown word that could be one.
func (c *call) proven() bool { return len(c.unknown) == 0 && len(c.holes) == 0 }

// bareMore is for programs that only read when they are given nothing to work on.
func bareMore(c *call) { c.d.readOnly = len(c.operands) == 0 && c.proven() }

// noOperands takes the proof of reading back when something is named.
func noOperands(c *call) { c.d.readOnly = c.d.readOnly && len(c.operands) == 0 }

// spell writes an option as one would type it.
func (c *call) spell(u *used) string { return c.dashed(u.name) }

// dashed writes the name of an option as one would type it.
func (c *call) dashed(name string) string {
	if len(name) == 1 || c.cmd.Style&SingleDash != 0 {
		return "-" + name
	}
	return "--" + name
}

// disprove takes the proof of reading back; why is a clause about the program.
func (c *call) disprove(why string) { c.d.readOnly, c.d.unproven = false, why }

func (c *call) narrow(reason string) { c.d.narrow = append(c.d.narrow, reason) }

func (c *call) doubt(id, msg string, at *Word) {
	c.d.doubts = append(c.d.doubts, Doubt{ID: id, Msg: msg, Span: at.Span})
}

// has reports whether an option was given under one of the names.
func (c *call) has(names ...string) bool { return c.option(names...) != nil }

// option returns the last occurrence of an option. Where the program's own
// options end at the subcommand, these are not meant: git -C x branch has no -C.
func (c *call) option(names ...string) *used {
	for i := len(c.opts) - 1; i >= 0; i-- {
		if c.cmd.Style&Apart != 0 && c.opts[i].at < c.own {
			break
		}
		for _, n := range names {
			if c.opts[i].name == n {
				return &c.opts[i]
			}
		}
	}
	return nil
}

// operand returns the i-th operand, nil when there are fewer.
func (c *call) operand(i int) *Word {
	if i < 0 || i >= len(c.operands) {
		return nil
	}
	return &c.argv[c.operands[i]]
}

// literalOperand returns the text of the i-th operand, "" when it is not known.
func (c *call) literalOperand(i int) string {
	if w := c.operand(i); w != nil && w.Known {
		return w.Text
	}
	return ""
}

// rest returns the words from the i-th operand on, options after it included.
func (c *call) rest(i int) []Word {
	if i >= len(c.operands) {
		return nil
	}
	return c.argv[c.operands[i]:]
}
