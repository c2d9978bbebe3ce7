package commands

import (
	_ "embed" // same.txt
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Place says where a command runs. The nearest come first.
type Place uint8

const (
	Here            Place = iota // in the shell of the text, or where that starts it
	Elsewhere                    // on another machine, or in a container that is made for it
	Container                    // in a container that is there already, as the words say
	ContainerLaunch              // there by a launcher, which may lead out of it again: nsenter, chroot
	ContainerShell               // there in a shell; or in a container that is reached from elsewhere
)

// Here reports whether a command runs here: the effects of others are not listed, deny rules and checks see them all.
func (p Place) Here() bool { return p == Here }

// Contained reports whether a command runs in a container that is there, as the words say, without a shell between.
func (p Place) Contained() bool { return p == Container || p == ContainerLaunch }

// Inside reports whether nothing but shells is between it and its container: its paths are not on this machine.
func (p Place) Inside() bool { return p == Container || p == ContainerShell }

// A Standing says how a command counts that another one runs. The zero value is that of a command of the text.
type Standing struct {
	Place
	Covered bool // a rule that allows the launcher is enough, see NeedsRule
	Guess   bool // it may be no command: text that does not parse, or is unclear otherwise, is no doubt
	Box     *Box // the container it runs in, as far as its launcher says; nil for others
}

// Stand is the standing of a command at a place: what does not run here is covered, and a guess.
func Stand(p Place) Standing { return Standing{Place: p, Covered: !p.Here(), Guess: !p.Here()} }

// Plain reports whether a command surely runs here: only then anything is proven of it.
func (s *Standing) Plain() bool { return s.Here() && !s.Guess }

// Guessed is the standing of a command of this machine that is seen in what another one is, or is given.
func Guessed() Standing { return Standing{Covered: true, Guess: true} }

// NeedsRule reports whether an allow rule has to cover the command itself.
func (s *Standing) NeedsRule() bool { return !s.Covered }

// An Inner is a command that a command runs.
type Inner struct {
	Standing
	Kind    InnerKind
	Via     string       // "sudo", "xargs", "sh -c"
	Argv    []shell.Word // InnerArgv: the command
	Text    shell.Word   // InnerText: shell text; a hole when it is not literal
	Strip   bool         // one of the wrappers that are taken off for every list (timeout time nice nohup stdbuf)
	Narrows bool         // a covered argv of a program from a package: no rule on the launcher covers what it loads
	// Itself marks a covered argv as what the program is: all that the tables say of it holds but its proofs, and it
	// counts as any other if it runs something that needs a rule.
	Itself bool
	// At is where the words of the command start, where a rule that spells the launcher up to and with the first
	// of them is one for both; 0 where each needs a rule of its own.
	At int
	// Alike is set where a rule on the launcher is one for both unless the command is a launcher itself: it runs in the
	// environment of the project.
	Alike   bool
	Assigns []shell.Assign // the variables the launcher sets (env A=1 cmd, sudo A=1 cmd)
	// Dir is the directory the command runs in when it is not the launcher's
	// (env -C, sudo -D, find -execdir); a hole when it is not known.
	Dir  *shell.Word
	More bool // an argv that gets further, unknown words appended (xargs, find -exec {})
}

// An InnerKind says in what form a command is given that another one runs.
type InnerKind uint8

const (
	InnerArgv       InnerKind = iota + 1 // argv is run as it is
	InnerText                            // text is shell source, analysed in turn
	InnerPowerShell                      // text is PowerShell
	InnerCmd                             // argv is what follows cmd: options, then its text
	InnerStdin                           // a shell or interpreter that reads its program from standard input
)

// Facts are what the tables say of one argv. The zero value says: an unknown program, nothing proven.
type Facts struct {
	Effects []shell.Effect
	Inner   []Inner
	Narrow  []string
	Doubts  []shell.Doubt
	Alt     [][]shell.Word
	Proof   shell.Proof
	// LocalProof holds when the effects are all the program does, ProjectProof when it
	// also runs code of the project, see Command.Local and Running.
	LocalProof, ProjectProof shell.Proof
	// OnlyLaunches is set when all the program does itself is to read and to run inner
	// commands, each a subcommand of its own that has to be proven by itself.
	OnlyLaunches bool
	Code         bool         // the program is given text in a language of its own
	Programs     []*code.Text // those texts, as far as they were read
	Credential   *Credential  // the form that prints a secret, nil for none
	Known        bool         // the program has a table entry
	Chdir        *shell.Word  // the new directory of cd and pushd; nil for everything else
	Spells       string       // what the words spell of the file that is written
	// closed is set when no option in any release of the program executes or
	// writes, so that an unknown unquoted word can do no harm as an option.
	closed bool
	// valueAt lists the positions in argv that are values of options. narrow
	// already speaks of every hole that could be an option.
	valueAt []int
}

// Describe looks argv up in the command tables. argv[0] is a known command word; cwd resolves paths. It is the only
// door from the walker to the tables. The cmd of the answer is nil when they do not know the program.
func Describe(argv []shell.Word, cwd *shell.CwdState, home string) *Invocation {
	c := NewInvocation(argv, cwd, home)
	if c.Cmd == nil {
		c.stranger()
		return c
	}
	c.apply()
	if !SystemProgram(argv[0].Text) || c.Folded {
		// the name is known, the program is not
		c.Facts.OnlyLaunches, c.Facts.closed = false, false
		c.Disprove("")
		if c.Facts.LocalProof.Disprove(""); c.Folded {
			c.unbind("")
			other := &Invocation{Argv: argv, Cwd: cwd, Began: cwd, Home: home}
			other.stranger()
			c.Facts.Effects = append(c.Facts.Effects, other.Facts.Effects...)
		}
		c.keepOn()
		if len(c.Facts.Narrow) == 0 {
			c.Facts.Narrow = strangerFacts(argv).Narrow
		}
	}
	return c
}

// stranger describes a program that the tables do not know.
func (c *Invocation) stranger() {
	c.Facts = strangerFacts(c.Argv)
	c.Facts.Effects = strangerReads(c.Argv, c.Cwd)
	c.givenCode(0)
	c.namedOptions(c.Argv, 1, "-")
	c.applyNamed()
	c.ofGit()
}

// SystemProgram reports whether a command word finds the program the tables
// speak of: by its name alone, or in a directory of the system.
func SystemProgram(word string) bool {
	dir, _ := path.Split(strings.ReplaceAll(word, `\`, "/"))
	return dir == "" || shell.Among("/bin/ /usr/bin/ /usr/local/bin/ /sbin/ /usr/sbin/ /opt/homebrew/bin/", dir)
}

// ProgramName is the base name tables and checks know a command word by, ""
// when it is not known.
func ProgramName(argv []shell.Word) string {
	if len(argv) == 0 || !argv[0].Known {
		return ""
	}
	name := argv[0].Text
	if name != "" && strings.IndexByte(name, '/') < 0 && strings.IndexByte(name, '\\') < 0 {
		return name
	}
	return path.Base(strings.ReplaceAll(name, `\`, "/")) // which Git Bash takes as well
}

// TableName is the name by which the tables know a program; see Find.
func TableName(name string) string { return Find(name).As }

// TableName is that of a program, which may be the one of the call: that was looked up.
func (c *Invocation) TableName(name string) string {
	if c != nil && c.name == name {
		return c.as
	}
	return TableName(name)
}

func versionRune(r rune) bool { return '0' <= r && r <= '9' || r == '.' || r == '-' }

// VariantName strips what versions and variants add: python3.12, mkfs.ext4, newfs_apfs, py.
func VariantName(name string) string {
	if strings.HasPrefix(name, "mkfs.") || strings.HasPrefix(name, "newfs_") {
		return "mkfs"
	}
	if strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") || strings.HasPrefix(name, "ld.so") {
		return "ld.so"
	}
	name = strings.TrimSuffix(name, ".exe")
	if shell.Among("py pyw pythonw", name) {
		return "python"
	}
	if base := strings.TrimRightFunc(name, versionRune); base != name {
		switch base {
		case "python", "pip", "ruby", "perl", "php", "lua", "node", "gcc", "g++", "clang", "clang++", "pypy":
			return base
		}
	}
	return name
}

// An Invocation is one argv on its way through the tables.
type Invocation struct {
	Args
	Cmd      *Command // the program
	Sub      *Command // the selected subcommand, or cmd
	Subs     []string // names of the selected subcommands, as typed
	Argv     []shell.Word
	From     int    // where the words of sub start
	name, as string // of the program, and that by which the tables know it
	own      int    // where the words of the first subcommand start, 0 without one
	// Folded is set when the table speaks of the program only where case is folded.
	Folded bool
	family family
	Cwd    *shell.CwdState
	Began  *shell.CwdState // where the command is started; cwd may be moved by an option
	Home   string
	Facts  Facts

	levels [3]*Command // room for the grammars of program and subcommands

	Recursive, inPlace, prints, asks, NoPattern, Wrote bool
	runsInput                                          bool // what comes in on standard input is run
	Target                                             *shell.Word
	Links                                              []Symlink
}

// NewInvocation takes argv apart; cmd is nil when the tables do not know the program.
func NewInvocation(argv []shell.Word, cwd *shell.CwdState, home string) *Invocation {
	c := &Invocation{Argv: argv, Cwd: cwd, Began: cwd, Home: home, From: 1}
	if name := ProgramName(argv); name != "" {
		e := Find(name)
		c.Cmd, c.Folded, c.family, c.name, c.as = e.command(), e.folded, e.family, name, e.As
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

// unlisted notes the words of an unknown subcommand: any may be an option.
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

// words are the words after the program, each with its position.
func (c *Invocation) words() iter.Seq2[int, *shell.Word] {
	return func(yield func(int, *shell.Word) bool) {
		for i := 1; i < len(c.Argv) && yield(i, &c.Argv[i]); i++ {
		}
	}
}

func (c *Invocation) operands() iter.Seq2[int, *shell.Word] {
	return func(yield func(int, *shell.Word) bool) {
		for n, i := range c.Operands {
			if !yield(n, &c.Argv[i]) {
				return
			}
		}
	}
}

func (a *Args) options() iter.Seq[*Used] {
	return func(yield func(*Used) bool) {
		for i := range a.Opts {
			if !yield(&a.Opts[i]) {
				return
			}
		}
	}
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

//go:embed same.txt
var sameOptions string

// namesOf are all names of an option, of a subcommand or else of the program.
func (c *Invocation) namesOf(option string) []string {
	for form := append([]string{c.Cmd.Name()}, c.Subs...); len(form) > 0; form = form[:len(form)-1] {
		for names := range strings.FieldsSeq(sameOptionsOf(strings.Join(form, " ") + ": ")) {
			if same := strings.Split(names, "="); slices.Contains(same, option) {
				return same
			}
		}
	}
	return []string{option}
}

// sameOptionsOf is the rest of the line that begins with a text, whose lines are sorted.
func sameOptionsOf(start string) string {
	from, to := 0, len(sameOptions)
	for from < to {
		at := from + strings.LastIndexByte(sameOptions[from:(from+to)/2], '\n') + 1
		if line, _, _ := strings.Cut(sameOptions[at:], "\n"); line < start {
			from = at + len(line) + 1
		} else {
			to = at
		}
	}
	line, _, _ := strings.Cut(sameOptions[from:], "\n")
	if !strings.HasPrefix(line, start) {
		return ""
	}
	return line[len(start):]
}
