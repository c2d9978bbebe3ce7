package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What mode auto asks the tables: whether the effects of a command are all it
// does, and whether what else it runs is code of the project. Both are granted by
// the literal of a row; everything here takes away.

// unbind takes back that the effects are all there is, and that what runs is the project's.
func (c *Invocation) unbind(why string) {
	c.Facts.LocalProof.Disprove(why)
	c.Facts.ProjectProof.Disprove(why)
}

// mayRunProject reports whether the literal says that such a call runs the project's code.
func (c *Invocation) mayRunProject() bool {
	r := c.Sub.Rare().Project
	if r == nil || c.given(r.Not) || c.behindVerb(r) {
		return false
	}
	return r.By&RunsFile != 0 || c.doesVerb(r)
}

// behindVerb reports whether a long option that the literal excludes comes after a
// verb, where the options of some programs are not read.
func (c *Invocation) behindVerb(r *Running) bool {
	if c.Cmd.Style&StopAtOperand == 0 || r.Verbs == "" || !c.doesVerb(r) {
		return false
	}
	for i := range c.Argv[1:] {
		name, long := strings.CutPrefix(c.Argv[i+1].Text, "--")
		if long && name == "" {
			return false
		}
		if name, _, _ = strings.Cut(name, "="); long && shell.Listed(r.Not, name) {
			return true
		}
	}
	return false
}

// doesVerb reports whether the form is one of those the literal lists.
func (c *Invocation) doesVerb(r *Running) bool {
	verb := c.LiteralOperand(0)
	if c.Sub != c.Cmd {
		verb = c.Subs[len(c.Subs)-1]
	}
	return r.Verbs == "" || shell.Among(r.Verbs, verb)
}

// bound takes both proofs back where anything was found that they do not speak of.
func (c *Invocation) bound() {
	f := &c.Facts
	if !f.LocalProof.Holds() && !f.ProjectProof.Holds() {
		return
	}
	if f.LocalProof.Holds() {
		c.localForm()
	}
	if r := c.Sub.Rare().Project; r == nil || !c.runsBy(r) || !c.projectForm() {
		f.ProjectProof.Disprove("")
	}
	if c.open() || len(f.Doubts) > 0 || f.Code {
		c.unbind("")
	}
	if len(f.Inner) > 0 {
		f.LocalProof.Disprove("runs another command")
	}
	for _, why := range f.Narrow {
		if !Shown(why) {
			c.unbind(why)
		}
	}
	for i := range f.Effects {
		c.boundBy(f.Effects[i].Kind)
	}
}

// boundBy takes the proofs back that do not speak of an effect.
func (c *Invocation) boundBy(kind shell.EffectKind) {
	switch kind {
	case shell.Read, shell.Looks, shell.Write, shell.Delete:
	case shell.GitChange, shell.GitRead:
		c.Facts.ProjectProof.Disprove("")
	case shell.Execute:
		c.Facts.LocalProof.Disprove("runs a file")
	default: // the network, another user, text that is not understood
		c.unbind("")
	}
}

// open reports whether a word may be a subcommand or an option that the table does not know.
func (c *Invocation) open() bool {
	if c.Sub.HasSubs() && len(c.Operands) > 0 && !c.Sub.OwnOperands {
		return true
	}
	if c.Sub.NoRiskyOptions {
		return false
	}
	unseen := func(at int) bool { return !patterned(&c.Argv[at]) }
	return len(c.Unknown) > 0 || slices.ContainsFunc(c.Holes, unseen)
}

// runsBy reports whether the code is found as the literal says.
func (c *Invocation) runsBy(r *Running) bool {
	executes := slices.ContainsFunc(c.Facts.Effects, func(e shell.Effect) bool { return e.Kind == shell.Execute })
	inner := c.Facts.Inner
	switch {
	case executes:
		return len(inner) == 0 && r.By&RunsFile != 0
	case !c.doesVerb(r):
		return false
	case len(inner) == 0:
		return r.By&RunsHere != 0
	}
	if slices.ContainsFunc(inner, func(in Inner) bool { return in.NeedsRule() || in.Kind != InnerArgv }) {
		return false
	}
	return r.By&RunsTask != 0 || r.By&(RunsInner|RunsTool) != 0 && len(inner) == 1 && namesProgram(&inner[0])
}

// namesProgram reports whether a command that is run is spelled by the words, and
// not found in the text of a program.
func namesProgram(in *Inner) bool {
	return len(in.Argv) > 0 && in.Argv[0].Known && !strings.HasSuffix(in.Via, " -c")
}

// Shown reports whether a reason that narrows rules is about nothing but what is
// seen elsewhere: a file that is an effect, a pattern that the disk settles.
func Shown(why string) bool { return why == MayFindOption || strings.HasSuffix(why, writesFile) }

// Offline reports whether a form that only reads asks no other machine.
func (c *Invocation) Offline() bool {
	return families[c.family].offline || c.Sub.Local || c.net() == StaysHere || c.tells()
}

// localForms says of programs and verbs that are Local in which forms they are. Those
// of git start no editor, ask nothing, sign nothing, and leave the work tree as it is
// or as the last commit has it: what another commit holds may be files that are run.
var localForms = [...]struct {
	name          string
	when          string // options of which one makes the line count; "" when it always does
	with, without string // options of which one must, and none may be given
	bare          bool   // it must have no operands
}{
	{name: "cp", without: "-bS backup suffix"},
	{name: "mv", without: "-bS backup suffix"},
	{name: "ln", without: "-bS backup suffix"},
	{name: "install", without: "-sbS strip backup suffix"},
	{name: "split", without: "additional-suffix"},
	{name: "csplit", without: "-b suffix-format"},
	{name: "gzip", without: "-S suffix"},
	{name: "zip", without: "-T test"},
	{name: "git add", without: "-pie patch interactive edit"},
	{name: "git stage", without: "-pie patch interactive edit"},
	{
		name: "git commit", with: "-mCF message file reuse-message no-edit",
		without: "-pSeci patch gpg-sign edit reedit-message interactive include fixup squash",
	},
	{name: "git branch", without: "-fDMC force edit-description recurse-submodules"},
	{name: "git tag", without: "-suvef sign local-user verify edit force"},
	{name: "git tag", when: "-a annotate", with: "-mF message file"},
	{name: "git checkout", with: "-b", without: "-fmpt force merge patch track", bare: true},
	{name: "git switch", with: "-c create", without: "-fmt force merge discard-changes track", bare: true},
	{name: "git restore", with: "-S staged", without: "-Wps worktree patch source"},
	{name: "git reset", without: "-p patch hard keep merge recurse-submodules pathspec-from-file"},
	{name: "git stash", without: "-p patch"},
	{name: "git stash push", without: "-p patch"},
}

// localForm takes the proof from the forms that localForms does not list.
func (c *Invocation) localForm() {
	name := strings.Join(append([]string{c.Cmd.Name()}, c.Subs...), " ")
	for i := range localForms {
		f := &localForms[i]
		if f.name != name || f.when != "" && !c.given(f.when) {
			continue
		}
		lacks := f.with != "" && !c.given(f.with) || name == "git reset" && c.movesElsewhere()
		if lacks || c.given(f.without) || f.bare && len(c.Operands) > 0 {
			c.unbind("may run another program, or change more than its words say")
		}
	}
}

// projectForms says of programs that run code of the project in which forms they do
// nothing else: neither install nor publish, nor run what is no code of the project.
var projectForms = [...]struct {
	names   string
	never   bool
	verbs   string // of which the first operand is one; "" for any and none
	without string // options that may not be given
	odd     func(operand string) bool
}{
	{names: "tox nox pre-commit dprint", never: true}, // they install what they run
	{names: "bosh", never: true},                      // a shell, or what deploys to a cloud
	{names: "coverage", verbs: "report html xml json lcov combine erase annotate"},
	{names: "mkdocs", verbs: "build"},
	{names: "playwright", verbs: "test"},
	{names: "cypress", verbs: "run"},
	{names: "ctest", without: "-TDMS test-action test-model dashboard"},
	{names: "pytest", without: "basetemp", odd: func(s string) bool { return s[0] == '@' }}, // holds options
	{names: "mvn mvnw mvnd", odd: func(s string) bool { return strings.Contains(s, ":") }},  // a plug-in by its address
	{names: "gradle gradlew", odd: func(s string) bool { return s == "wrapper" || s == "init" }},
}

// projectForm reports whether projectForms leaves the proof of the project's code.
func (c *Invocation) projectForm() bool {
	name := ProgramName(c.Argv)
	for i := range projectForms {
		f := &projectForms[i]
		if !shell.Among(f.names, name) {
			continue
		}
		odd := func(at int) bool { return f.odd != nil && c.Argv[at].Text != "" && f.odd(c.Argv[at].Text) }
		if f.never || c.given(f.without) || slices.ContainsFunc(c.Operands, odd) {
			return false
		}
		return f.verbs == "" || shell.Among(f.verbs, c.LiteralOperand(0))
	}
	return true
}

// movesElsewhere reports whether git reset may go to another commit than the last
// ones of this branch: a stash afterwards brings the files of that commit in.
func (c *Invocation) movesElsewhere() bool {
	if len(c.Operands) == 0 {
		return false
	}
	at := c.Operand(0)
	back, head := strings.CutPrefix(at.Text, "HEAD")
	return !at.Known || !head || strings.Trim(back, "~0123456789") != "" && back != "^"
}
