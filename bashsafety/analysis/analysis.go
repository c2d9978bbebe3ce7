// Package analysis holds what is known of a shell text: the commands it would run with their
// effects, what is uncertain, and what follows from both. Reading is the business of interp and
// powershell.
package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// An Env is what the analysis may assume about the shell it speaks of.
type Env struct {
	Cwd  string // absolute; "" when unknown
	Dir  string // folder the text starts in, as if it went there first: absolute, or not known; "" is Cwd
	Home string // absolute; "" when unknown
	// Temp is the value of $TMPDIR where that is a temporary folder; TempUnset, that it is not set.
	Temp      string
	TempUnset bool
	// Named is the value of another variable where that is a temporary folder, as Temp is, and on Windows
	// of any; nil names none.
	Named func(variable string) string
	// Script finds the scripts a runner's command names; nil looks at none.
	Script func(commands.ScriptRef) []ScriptText
	// Secret reports whether a path that is read holds keys or tokens; nil: none does.
	Secret func(*shell.Effect) bool
	// BSD is set where programs take no options after their operands, as on macOS.
	BSD bool
	// Exported reports whether a variable may be in the environment of the shell; nil says nothing.
	// It is asked only about what a text assigns.
	Exported func(name string) bool
	// Enters reports whether a cd works, so that what happens where it fails does not count; nil:
	// both always count.
	Enters func(*Entering) bool
	// Parsed keeps what was read of the text for those who analyse it again; nil keeps nothing.
	Parsed *Parsed
}

// A Parsed is the tree of a text, and what its readers say of that. Who analyses the text changes neither.
type Parsed struct {
	Src     string
	File    *syntax.File // with the statements before the error, if there is one
	Err     error
	Compare *crosscheck.Comparison
}

// Complete is what of a text that does not parse runs before the shell sees that: the statements of the lines before
// the error, and what a here-document belongs to that only the end of the text ends.
func (p *Parsed) Complete() string {
	var at syntax.Pos
	switch e := p.Err.(type) {
	case syntax.ParseError:
		if mark, ok := strings.CutPrefix(e.Text, "unclosed here-document "); ok {
			return p.Src + "\n" + strings.Trim(mark, "`\\\"") + "\n"
		}
		at = e.Pos
	case syntax.LangError:
		at = e.Pos
	}
	end := 0
	for _, s := range p.File.Stmts {
		if s.End().Line() < at.Line() {
			end = int(s.End().Offset())
		}
	}
	return p.Src[:end]
}

// An Entering is a cd of the text.
type Entering struct {
	Dir  *shell.Word // its operand
	Dirs []string    // the folders that may be, absolute and clean; none: not known
	// Settled is set where it is a plain cd to one word and nothing before or around it in the text
	// can change what is at a path, or what cd does.
	Settled bool
}

// An Analysis is what a shell text would do.
type Analysis struct {
	Text        string
	Subcommands []Subcommand  // every command that would run, wherever it is, in source order
	Doubts      []shell.Doubt // what the text does not say for certain
	Findings    []Finding     // checks that fired
	// Lingers says how the text may change later texts in the same shell, "" when it does not.
	Lingers string
	Scripts []ScriptText // scripts of the project that were looked at, or why they were not

	Straight bool // what follows a command runs after it: no loop, function, trap or background job

	Tools         []Tool // the programs the subcommands may run, for checks
	Losses        uint32 // those of all of them
	HasPowerShell bool   // some of it is PowerShell
	IsPowerShell  bool   // all of it is
	Computes      bool   // it is a PowerShell text with a value that no command makes

	Env     Env          // what Analyze was given; checks compare with Home
	Twice   bool         // a script of the project runs more than once and is listed once
	Endless []shell.Span // loops of PowerShell without an end that start something in every round
	// Files are the texts that were parsed, the outermost first, nil for one without functions and
	// loops.
	Files []*syntax.File

	asked           int   // how often its commands were asked what they print
	straightforward *bool // what Straightforward said; nil until asked
}

// A Subcommand is one command a shell text would execute.
type Subcommand struct {
	Span shell.Span
	commands.Standing
	When    When
	Argv    []shell.Word   // the command without stripped wrappers (timeout time nice nohup stdbuf), as spelled
	Outer   []shell.Word   // the command with the stripped wrappers on; nil if there were no wrappers
	Alt     [][]shell.Word // further spellings for deny and ask: git without its global options
	Same    [][]shell.Word // spellings that mean the same, for allow too: an alias of PowerShell by its cmdlet
	Program string         // the base name of a known command word, "" when it is dynamic
	Via     []string       // what leads here, outermost first: "sudo", "xargs", "sh -c", "$()"
	Assigns []shell.Assign // assignments in front; their values are known or holes
	Effects []shell.Effect
	Around  []shell.Effect // redirects of the list it is in: they take its output, and its first command has them
	// PatternBlockers holds the reasons why a patterned allow rule must not cover this command:
	// options that execute or write, assignments that are not inert, holes that could be options.
	PatternBlockers []string
	Hidden          bool // one of PatternBlockers is about the environment, not the words
	// ReadOnly is set when the tables prove that the command only reads; what a launcher runs are
	// Subcommands of their own. A zero value proves nothing.
	ReadOnly bool
	Unread   string // why a command of PowerShell is not proven to only read
	Launcher bool   // it runs another command that is a Subcommand of its own
	// By is the index of the Subcommand that launches it, plus one, and At where its words start there, if a rule
	// that spells both is one for both (commands.Inner.At); 0 if it needs a rule of its own.
	// Alike is set where one on the launcher is enough unless the command is a shell, an interpreter or a launcher.
	By, At int
	Alike  bool
	// Script is where it was read in a script of the project (Env.Script), nil for the text. It
	// needs no allow rule; deny and ask rules, checks and effects see it.
	Script     *Origin
	From       []int    // the Subcommands, by index, whose output it reads: that of a | b | c has those of a and b
	Dirs       []string // the directories it may run in, absolute and clean; none: not known
	Fed        bool     // a pipe, redirect or here-document is its standard input
	Code       bool     // it is given text of a language that is not read here and may name files
	Redirected bool     // nothing but a redirect that writes took ReadOnly away
	Structural bool     // it runs no program: a bare assignment, [[ ]], (( )), a function declaration, break

	As           string               // the name by which the tables know Program
	Tables       uint16               // the tables of the checks that may name either, a bit each
	Call         *commands.Invocation // what the tables say; nil where they know nothing
	Away         []shell.Effect       // redirects of a command that runs elsewhere
	Programs     []*code.Text         // programs in other languages that it is given
	StdinText    *shell.Word          // what its standard input, or a program it runs, is in the text
	PlainRemoval bool                 // a Remove-Item that only deletes what its words name
}

// A When says what the order of the list does not: when a command runs, and how often. Zero is once, in that order.
type When struct {
	Again   bool // in a loop or in the background: it may run after what is listed after it
	Endless bool // in a loop whose rounds are not counted
	Spawned bool // a job in the background of a loop that may start it without end
	Ahead   int  // how many subcommands before it may run after it: it is in a redirect of theirs
}

// HoldsSecret reports whether an effect reads what a secret holds.
func (a *Analysis) HoldsSecret(e shell.Effect) bool {
	if !ReadsContent(&e) {
		return false
	}
	if p := e.Path; strings.HasPrefix(p, "/proc/") && strings.HasSuffix(p, "/environ") {
		return true
	}
	return a.Env.Secret != nil && a.Env.Secret(&e)
}

// TakesSecret reports whether a command reads what a secret holds: a file that its literal says it reads, or that a
// word names.
func (a *Analysis) TakesSecret(s *Subcommand) bool {
	if a.Env.Secret == nil {
		return false
	}
	if slices.ContainsFunc(s.Effects, a.HoldsSecret) {
		return true
	}
	for n := range s.Names(a.Env.Home) {
		if a.HoldsSecret(n.Effect) {
			return true
		}
	}
	return false
}

// Puts yields the files that a command, or a redirect around it, writes.
func (s *Subcommand) Puts(yield func(*shell.Effect) bool) {
	for _, list := range [...][]shell.Effect{s.Effects, s.Around} {
		for i := range list {
			if list[i].Kind == shell.Write && !yield(&list[i]) {
				return
			}
		}
	}
}

// ReadsContent reports whether an effect shows what a file holds; a key only signs in.
func ReadsContent(e *shell.Effect) bool { return e.Kind == shell.Read && !e.Key && !e.Silent }

// Steered reports a variable in front by which programs, the linker or the shell find code.
func (s *Subcommand) Steered() bool {
	return slices.ContainsFunc(s.Assigns, func(a shell.Assign) bool { return commands.Steers(a.Name) })
}

// An Origin says where a command comes from that the text itself does not hold.
type Origin struct {
	Name string // "npm run build"
	File string // absolute
	Line int    // from 1; 0 when the file as a whole is meant
}

// String is the name, with the place after it where one is known: npm run build (/p/package.json:7).
func (o *Origin) String() string {
	if o.File == "" {
		return o.Name
	}
	if o.Line == 0 {
		return o.Name + " (" + o.File + ")"
	}
	return o.Name + " (" + o.File + ":" + strconv.Itoa(o.Line) + ")"
}

// A ScriptText is one script a runner would hand to a shell, or why there is nothing to look at.
type ScriptText struct {
	Origin
	Text string // unknown parts are HoleMark
	Dir  string // where it runs, absolute
	Args bool   // the remaining words of the command are appended
	Bash bool   // bash runs it, not sh
	Why  string // why Text is not looked at, "" when it is
	// Guess is set where it may not be run, or not like this: what is unclear in it is no doubt.
	Guess bool
	// Doubt is set when the script is there and cannot be read; otherwise Why is only a note.
	Doubt bool
	// Written is set where Why is about what the text itself wrote.
	Written bool
}

// DoubtPanic is deferred by what looks at an Analysis: a failure becomes a Doubt.
func (a *Analysis) DoubtPanic() {
	if recover() != nil {
		a.AddDoubt(DoubtInternal.At(shell.Span{Start: 0, End: len(a.Text)}, ""))
	}
}

// PrintsHistory reports whether a command prints, as a patch, only what its own repository holds:
// applying that is no more than a checkout.
func (s *Subcommand) PrintsHistory() bool {
	c := s.Call
	if c == nil || c.Cmd.Name() != "git" || len(s.PatternBlockers) > 0 || !c.Understood() {
		return false
	}
	if !commands.ShowsPatch(c.Subs) || c.ChangesPatch() {
		return false
	}
	return !slices.ContainsFunc(c.Operands, func(i int) bool {
		path := c.DashDash > 0 && i > c.DashDash
		return !path && c.MaybeFile(c.Argv[i].Text)
	})
}

// HandsOn reports whether a command prints what it reads, and nothing else.
func (s *Subcommand) HandsOn() bool {
	if s.Call == nil || len(s.PatternBlockers) > 0 || len(s.Call.Opts) > 0 {
		return false
	}
	return s.Program == "cat" || s.Program == "tee"
}

// MaxDoubts bounds the list: one is enough to ask.
const MaxDoubts = 50

func Indexes(from, to int, more []int) []int {
	out := append(make([]int, 0, len(more)+to-from), more...)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// MaxRuns bounds the levels of text inside text.
const MaxRuns = 8

// Severity says how bad a finding is. The zero value is no severity: a check must choose.
type Severity uint8

const (
	Suspicious   Severity = iota + 1 // hides what it does
	Destructive                      // destroys data
	Catastrophic                     // destroys the machine or hands it over
)

// String is the name of the severity.
func (s Severity) String() string {
	return [...]string{"none", "suspicious", "destructive", "catastrophic"}[s]
}

// About says what a finding is about. The zero value is all else: machines, accounts, programs.
type About uint8

const (
	AboutElse  About = iota
	AboutFiles       // files of the user
	AboutGit         // a git repository
)

// A Check recognises what must be asked about in every mode. It is data: its prose becomes
// documentation and the reason an agent reads. Its examples are in bashsafety/checks/examples.tsv.
type Check struct {
	ID       string // stable, kebab-case, never reused
	Title    string // at most 60 runes, no full stop
	Why      string // what goes wrong
	Of       string // Title where what it is about is known, see Said
	Says     []Said // what it says of some programs in place of Title and Why: the first that fits
	Instead  []Hint // what would be accepted instead; the first that is about the call is said
	Severity Severity
	About    About
	Removes  bool // all it finds is that files are deleted, see Analysis.Removes
	Trees    bool // with them folders, and everything in those
	Writes   bool // all it finds is that a file is overwritten, which is no loss where it is new
	Whole    bool // what it says includes whatever else the command does to files
	// Loses is a family of losses that it asks about, also in the words of a program that may run them. Itself is
	// set where the names of its programs are words of everyday, which only count where they are the command.
	Loses  commands.LossFamily
	Itself bool
	Find   func(*Analysis) []Finding // what it asks about; nil where Loses says it all
}

// Said is what a check says of a program, the words that follow it and the options that it has: "git clean -x". In the
// title FILE is what the command changes or deletes, NAME are its operands after those words, BRANCH what git pushes
// to REMOTE, CURRENT that without operands, PATTERN the names that find looks for, URL is where it connects to, SECRET
// what it may send, STATEMENT the SQL that it runs: one that is not known does not fit. Why is that of the check where
// it is empty. For may have several spellings: "reboot|shutdown -r".
type Said struct{ For, Title, Why string }

// A Hint is what a check offers instead of what it found. It is said only where it is about the call, and
// where the gate would not ask about it.
type Hint struct {
	For  string   // the program and the words that follow it, as in Said: "git push"; "" is every one
	When Presence // what has to be on the disk
	// Swap says which words of the call become which, "-D=-d --yes=": one at least has to be there. Add goes
	// after its last word.
	Swap, Add string
	// Text goes after "try", with commands in backquotes: NAME is what the call deletes, FREE
	// a new name for it in the temporary folder, CALL the call with its words swapped.
	Text string
}

// Presence is what there has to be of what a call deletes. The zero value says nothing.
type Presence uint8

const (
	Anything    Presence = iota
	OneFile              // nothing but one plain file
	EmptyFolder          // a folder with nothing in it
	InGit                // files that git tracks and that are unchanged, and no others
	NewToGit             // files of the project's repository that git does not have as they are, and does not ignore
	Movable              // one thing, which can be moved into the temporary folder
)

// written is the hint as documentation has it, with … for the other words of a call that begins as one spelling of For.
func (h *Hint) written(spelling string) string {
	call := spelling + " …"
	if swap, _, _ := strings.Cut(h.Swap, " "); swap != "" {
		if _, becomes, _ := strings.Cut(swap, "="); becomes != "" {
			call += " " + becomes
		}
	}
	if h.Add != "" {
		call += " " + h.Add
	}
	return strings.NewReplacer("CALL", call, "NAME", "…", "FREE", "/tmp/…").Replace(h.Text)
}

// Alternatives lists the hints of a check as documentation has them, "" for a check that has no hint.
func (c *Check) Alternatives() string {
	var all []string
	for i := range c.Instead {
		for spelling := range strings.SplitSeq(c.Instead[i].For, "|") {
			if text := c.Instead[i].written(spelling); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return strings.Join(all, "; ")
}

// A Finding is a place where a check fired. Sub is -1 when the text as a whole is meant.
type Finding struct {
	Check *Check
	Sub   int
	Span  shell.Span
}

// A Tool is a program that a subcommand runs, or may run: one of its words, where it is a launcher
// or unknown.
type Tool struct {
	Sub  int
	Name string
	Args []shell.Word
	// Losses are the families of losses it has, Tables the tables of the checks, a bit each.
	Losses uint32
	Tables uint16
}

// A DoubtKind is one reason why the text does not say for certain what it does: its
// stable id, then the sentence users read, which says what and what to do instead.
type DoubtKind string

const (
	DoubtParse          DoubtKind = "parse-error: this is not valid bash; fix the syntax"
	DoubtTooLong        DoubtKind = "too-long: the command is over 64 KiB; put it into a script file"
	DoubtTooDeep        DoubtKind = "too-deep: the command nests over 100 levels; flatten it"
	DoubtTooMany        DoubtKind = "too-many-commands: the command runs over 500 commands; split it"
	DoubtTooMuch        DoubtKind = "too-much-work: the command expands to more than permgate analyses; write it out"
	DoubtBraceLimit     DoubtKind = "brace-limit: a brace expansion produces too many words; use fewer"
	DoubtParserDiff     DoubtKind = "parser-diff: shells may read this differently; write it more plainly"
	DoubtControl        DoubtKind = "control-character: the command contains a control character; remove it or write it as an escape"
	DoubtUnicode        DoubtKind = "invisible-character: the command contains an invisible or direction-changing character; remove it"
	DoubtZsh            DoubtKind = "zsh-only: zsh and bash read this differently; quote it"
	DoubtExtGlob        DoubtKind = "extended-glob: shells read extended globs differently; name the files"
	DoubtDynamic        DoubtKind = "dynamic-command: the command runs a program whose name is not known in advance, so your rules cannot be checked; write the name out"
	DoubtHiddenEval     DoubtKind = "hidden-eval: an expansion evaluates text as code; use a plain variable"
	DoubtIFS            DoubtKind = "ifs: IFS changes how words split; write the words out"
	DoubtShellVar       DoubtKind = "shell-variable: this variable makes the shell run code; leave it unset"
	DoubtShadow         DoubtKind = "shadowed-command: is a function or an alias here, and what it runs is not certain; write that out"
	DoubtProgramText    DoubtKind = "unknown-program-text: the command runs text that is not known in advance; write it out"
	DoubtPipedProgram   DoubtKind = "piped-program: the command runs a program from a pipe, which cannot be checked; save it to a file and read it first"
	DoubtNetworkFile    DoubtKind = "network-file: bash opens a network connection for this file name; use a network command"
	DoubtUnknownNode    DoubtKind = "unknown-node: this syntax is not analysed; write it differently"
	DoubtScript         DoubtKind = "unreadable-script: the script this command runs cannot be read; fix the file, or run its commands directly"
	DoubtInternal       DoubtKind = "internal-error: the analysis failed; write the command differently"
	DoubtPowerShell     DoubtKind = "powershell-complex: this PowerShell syntax is not analysed; use plain commands"
	DoubtPowerShellCode DoubtKind = "powershell-code: this calls code that cannot be checked; use a cmdlet instead"
)

// At makes a doubt of the kind; detail, when given, comes first.
func (k DoubtKind) At(span shell.Span, detail string) shell.Doubt {
	id, msg, _ := strings.Cut(string(k), ": ")
	switch what, way, _ := strings.Cut(msg, "; "); {
	case k == DoubtParse && detail != "":
		msg = what + ": " + detail + "; " + way
	case strings.HasPrefix(msg, "is "):
		msg = "`" + detail + "` " + msg
	case detail != "":
		msg = detail + ": " + msg
	}
	return shell.Doubt{ID: id, Msg: msg, Span: span}
}

// AddDoubt records a doubt, once per place.
func (a *Analysis) AddDoubt(d shell.Doubt) {
	if len(a.Doubts) >= MaxDoubts {
		return
	}
	for _, old := range a.Doubts {
		if old.ID == d.ID && old.Span == d.Span {
			return
		}
	}
	a.Doubts = append(a.Doubts, d)
}
