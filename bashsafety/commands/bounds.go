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

// behindVerb reports whether one of some options is among the words up to --.
func (c *Invocation) behindVerb(options string) bool {
	end := slices.IndexFunc(c.Argv, func(w shell.Word) bool { return w.Text == "--" })
	if end < 0 {
		end = len(c.Argv)
	}
	return slices.ContainsFunc(c.Argv[:end], func(w shell.Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		return shell.Among(options, name)
	})
}

// bound takes both proofs back where anything was found that they do not speak of.
func (c *Invocation) bound() {
	f := &c.Facts
	if !f.LocalProof.Holds() && !f.ProjectProof.Holds() {
		return
	}
	if r := c.Sub.Rare().Project; r == nil || !c.runsBy(r) {
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
	binds := func(f Form) bool { return f.Does == Binds }
	executes := slices.ContainsFunc(c.Facts.Effects, func(e shell.Effect) bool { return e.Kind == shell.Execute })
	inner := c.Facts.Inner
	switch {
	case executes:
		return len(inner) == 0 && r.By&RunsFile != 0
	case slices.ContainsFunc(c.Sub.Forms, binds) && !c.surely(Binds), c.behindVerb(r.Not):
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
// seen elsewhere: a pattern that the disk settles.
func Shown(why string) bool { return why == MayFindOption }

// Offline reports whether a form that only reads asks no other machine.
func (c *Invocation) Offline() bool {
	return families[c.family].offline || c.Sub.Local || c.net() == StaysHere || c.tells()
}

// mayDoMore is why forms of Local rows are not: those of git that remain start no editor, ask nothing, sign nothing,
// and leave the work tree as it is or as the last commit has it: what another commit holds may be files that are run.
const mayDoMore = "may run another program, or change more than its words say"
