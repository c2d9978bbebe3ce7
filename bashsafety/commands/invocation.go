package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// An Invocation is one argv on its way through the tables.
type Invocation struct {
	Args
	Cmd  *Command // the program
	Sub  *Command // the selected subcommand, or cmd
	Subs []string // names of the selected subcommands, as typed
	Argv []shell.Word
	From int // where the words of sub start
	own  int // where the words of the first subcommand start, 0 without one
	// Folded is set when the table speaks of the program only where case is folded.
	Folded bool
	family family
	Cwd    *shell.CwdState
	Began  *shell.CwdState // where the command is started; cwd may be moved by an option
	Home   string
	Facts  Facts

	levels [3]*Command // room for the grammars of program and subcommands

	Recursive, inPlace, prints, asks, NoPattern, Wrote bool
	Target                                             *shell.Word
	Links                                              []Symlink
}

// NewInvocation takes argv apart; cmd is nil when the tables do not know the program.
func NewInvocation(argv []shell.Word, cwd *shell.CwdState, home string) *Invocation {
	c := &Invocation{Argv: argv, Cwd: cwd, Began: cwd, Home: home, From: 1}
	if name := ProgramName(argv); name != "" {
		e := Find(name)
		c.Cmd, c.Folded, c.family = e.command(), e.folded, e.family
	}
	if c.Cmd == nil {
		return c
	}
	c.Sub = c.Cmd
	if rewrite := c.Cmd.Rare().rewrite; rewrite != nil {
		argv = rewrite(c.Cmd, argv)
		c.Argv = argv
	}
	grammars := append(c.levels[:0], c.Cmd)
	inherited := c.Cmd.Style & (SingleDash | ShortEquals | DashValues)
	for c.Sub.HasSubs() {
		pre := parseArgs(argv, c.From, c.Sub.Style|inherited|StopAtOperand, grammars)
		c.add(&pre)
		if len(pre.Operands) == 0 {
			return c
		}
		at := pre.Operands[0]
		next := c.Sub.sub(argv[at].Text)
		if !argv[at].Known || next == nil {
			c.Operands = pre.Operands
			c.unlisted(at)
			return c
		}
		c.Sub, c.From = next, at+1
		if c.own == 0 {
			c.own = c.From
		}
		c.Subs = append(c.Subs, argv[at].Text)
		if grammars = append(grammars, next); c.Cmd.Style&ProgramOptionsFirst != 0 && c.Cmd == grammars[0] {
			grammars = grammars[1:]
		}
	}
	last := parseArgs(argv, c.From, c.Sub.Style|inherited, grammars)
	if c.add(&last); c.Sub.Style&NoOptions != 0 && c.Sub.Operands == Words {
		c.namedOptions(argv, c.From, "--")
	}
	return c
}

// add joins what one level of options said.
func (c *Invocation) add(a *Args) {
	c.Opts = shell.Extend(c.Opts, a.Opts)
	c.Values = shell.Extend(c.Values, a.Values)
	c.Unknown = shell.Extend(c.Unknown, a.Unknown)
	c.Named = shell.Extend(c.Named, a.Named)
	for _, h := range a.Holes {
		if len(c.Holes) == 0 || c.Holes[len(c.Holes)-1] < h {
			c.Holes = append(c.Holes, h)
		}
	}
	c.DashDash = max(c.DashDash, a.DashDash)
	c.Operands = a.Operands
}

// unlisted notes the words of a subcommand that no table lists, and so nothing says of
// which is an option.
func (c *Invocation) unlisted(at int) {
	if c.Sub.OwnOperands && c.Sub.Style&StopAtOperand != 0 {
		return // what is run gets them
	}
	var rest Args
	for i := at; i < len(c.Argv) && c.Argv[i].Text != "--"; i++ {
		if mayBeOption(&c.Argv[i]) {
			rest.Holes = append(rest.Holes, i)
		}
	}
	rest.namedOptions(c.Argv, at, "-")
	operands := c.Operands
	c.add(&rest)
	c.Operands = operands
}

// NamedInPart reports whether the word at a place is an option whose name is known
// only in part: it is no option's value that is not known.
func (c *Invocation) NamedInPart(at int) bool {
	valued := func(u Used) bool { return u.at == at && u.Given }
	return strings.HasPrefix(c.Argv[at].Text, "-") && !slices.ContainsFunc(c.Opts, valued)
}

// Understood reports whether every word of the command is understood: no option the
// table does not list, no unknown word that could be one.
func (c *Invocation) Understood() bool { return len(c.Unknown) == 0 && len(c.Holes) == 0 }

// spell writes an option as one would type it.
func (c *Invocation) spell(u *Used) string { return c.Dashed(u.Name) }

// Dashed writes the name of an option as one would type it.
func (c *Invocation) Dashed(name string) string {
	if len(name) == 1 || c.Cmd.Style&SingleDash != 0 {
		return "-" + name
	}
	return "--" + name
}

// Disprove takes the proof of reading back; why is a clause about the program.
// What has a reason of its own is no mere write, and speaks against the other proofs, too.
func (c *Invocation) Disprove(why string) {
	if c.Facts.Proof.Disprove(why); why != "" {
		c.unbind(why)
	}
}

// disproveIf takes the proof back where something was found that is more than reading.
func (c *Invocation) disproveIf(found bool) {
	if found {
		c.Disprove("")
	}
}

// Narrow adds a reason why a patterned allow rule must not cover the command.
func (c *Invocation) Narrow(reason string) { c.Facts.Narrow = append(c.Facts.Narrow, reason) }

func (c *Invocation) doubt(id, msg string, at *shell.Word) {
	c.Facts.Doubts = append(c.Facts.Doubts, shell.Doubt{ID: id, Msg: msg, Span: at.Span})
}

// Has reports whether an option was given under one of the names.
func (c *Invocation) Has(names ...string) bool { return c.Option(names...) != nil }

// Option returns the last occurrence of an option. Where the program's own
// options end at the subcommand, these are not meant: git -C x branch has no -C.
func (c *Invocation) Option(names ...string) *Used {
	for i := len(c.Opts) - 1; i >= 0; i-- {
		if !c.means(&c.Opts[i]) {
			break
		}
		for _, n := range names {
			if c.Opts[i].Name == n {
				return &c.Opts[i]
			}
		}
	}
	return nil
}

// means reports whether an option is one of the selected subcommand, or of a
// program whose options may follow it.
func (c *Invocation) means(u *Used) bool {
	return c.Cmd.Style&ProgramOptionsFirst == 0 || u.at >= c.own
}

// Operand returns the i-th operand, nil when there are fewer.
func (c *Invocation) Operand(i int) *shell.Word {
	if i < 0 || i >= len(c.Operands) {
		return nil
	}
	return &c.Argv[c.Operands[i]]
}

// LiteralOperand returns the text of the i-th operand, "" when it is not known.
func (c *Invocation) LiteralOperand(i int) string {
	if w := c.Operand(i); w != nil && w.Known {
		return w.Text
	}
	return ""
}

// rest returns the words from the i-th operand on, options after it included.
func (c *Invocation) rest(i int) []shell.Word {
	if i >= len(c.Operands) {
		return nil
	}
	return c.Argv[c.Operands[i]:]
}

// MaxStrip bounds how many wrappers are taken off one command.
const MaxStrip = 16

// Form is the program and its subcommand, as typed.
func (c *Invocation) Form() string {
	return strings.Join(append([]string{ProgramName(c.Argv)}, c.Subs...), " ")
}
