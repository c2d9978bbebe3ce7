package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Removes returns what a subcommand deletes, and reports whether that is all
// there is to it: a plain removal, run by the text or a script of the project
// itself, whose targets are all known, patterns of files, or what mktemp made.
// Run by sudo, xargs, find -exec or a shell of its own it is none, nor with a
// variable set in front of it.
func (a *Analysis) Removes(i int) (targets []shell.Effect, ok bool) {
	sub := &a.Subcommands[i]
	if !a.direct(sub) {
		return nil, false
	}
	if sub.removes && len(sub.PatternBlockers) == 0 {
		if slices.ContainsFunc(sub.Effects, unclearRemoval) {
			return nil, false
		}
	} else if !sub.plain() || slices.ContainsFunc(sub.Argv[1:], unclearTarget) {
		return nil, false
	}
	for _, e := range sub.Effects {
		if e.Kind == shell.Delete {
			targets = append(targets, e)
		}
	}
	return targets, len(targets) > 0
}

// unclearRemoval reports an effect other than the deletion of files that are named.
func unclearRemoval(e shell.Effect) bool { return e.Kind != shell.Delete || !e.Known && !e.Glob }

// plain reports whether a subcommand is a program of the system that runs here as
// it is written.
func (s *Subcommand) plain() bool {
	if s.Call == nil || s.Call.Folded || !commands.SystemProgram(s.Argv[0].Text) {
		return false
	}
	return !s.Remote && !s.Hidden && len(s.Assigns) == 0
}

// unclearTarget reports whether it is not certain what rm does with a word. A file
// that a pattern finds may be called like an option: none of rm's does more.
func unclearTarget(w shell.Word) bool {
	switch {
	case w.Text == shell.HoleMark && w.Temp && w.Quoted && w.Single: // what mktemp made, and that alone
		return false
	case !w.Known && !w.Glob, strings.Contains(w.Text, shell.HoleMark):
		return true
	case w.Glob && strings.HasSuffix(w.Text, "/"): // some rm follow a symlink that is spelled like this
		return true
	}
	return shell.NotFile(shell.CleanPath(w.Text)) // it has no effect in the tables
}

// direct reports whether nothing runs a subcommand but the text and scripts of
// the project.
func (a *Analysis) direct(sub *Subcommand) bool {
	for _, via := range sub.Via {
		if !slices.ContainsFunc(a.Scripts, func(t ScriptText) bool { return t.Name == via }) {
			return false
		}
	}
	return sub.Script != nil || len(sub.Via) == 0
}

// Absolute reports whether a subcommand means the same files in every folder: it
// has operands, and all of them, as all values of its options, are absolute paths.
func (s *Subcommand) Absolute() bool {
	c := s.Call
	if c == nil || c.Folded || len(c.Operands) == 0 || !commands.SystemProgram(s.Argv[0].Text) {
		return false
	}
	return !slices.ContainsFunc(c.Operands, func(o int) bool { return !absolute(&c.Argv[o]) }) &&
		!slices.ContainsFunc(c.Opts, func(o commands.Used) bool { return o.Given && !absolute(&o.Value) })
}

func absolute(w *shell.Word) bool { return w.Known && strings.HasPrefix(w.Text, "/") }

// Puts returns what may have been put anywhere by the time a subcommand runs:
// what the others write, what git changes, and what is not understood. A program
// that may do anything and has no effects here could delete by itself.
func (a *Analysis) Puts(i int) []shell.Effect {
	var all []shell.Effect
	for _, k := range a.before(i) {
		for _, e := range a.Subcommands[k].Effects {
			switch e.Kind {
			case shell.Write, shell.GitChange, shell.Unknown:
				all = append(all, e)
			}
		}
	}
	return all
}

// OnlyReads reports whether all that may run before a subcommand is proven to
// only read: then the disk is still as it was.
func (a *Analysis) OnlyReads(i int) bool {
	for _, k := range a.before(i) {
		if a.Subcommands[k].Unproven() != "" {
			return false
		}
	}
	return true
}

// Sourced reports whether a file may have been read into the shell before a
// subcommand: it may have gone to another folder.
func (a *Analysis) Sourced(sub *Subcommand) bool {
	for i := range a.Subcommands {
		if &a.Subcommands[i] != sub {
			continue
		}
		for _, k := range a.before(i) {
			sources := func(e shell.Effect) bool { return e.Kind == shell.Source }
			if slices.ContainsFunc(a.Subcommands[k].Effects, sources) {
				return true
			}
		}
	}
	return false
}

// before lists the subcommands that may run before another.
func (a *Analysis) before(i int) (all []int) {
	for k := range a.Subcommands {
		if k != i && a.MayPrecede(k, i) {
			all = append(all, k)
		}
	}
	return all
}

// MayPrecede reports whether k may run before i. Subcommands are listed in the
// order they run in, except for loops, the background, pipes, what is substituted
// in a word or a redirect, and scripts, which are listed after the text.
func (a *Analysis) MayPrecede(k, i int) bool {
	first, then := &a.Subcommands[k], &a.Subcommands[i]
	if k < i || then.Again || first.Script != then.Script || slices.Contains(first.From, i) {
		return true
	}
	inWord := len(first.Via) > len(then.Via) && then.Span.Contains(first.Span)
	return inWord || k-i <= first.ahead || then.Script != nil && a.twice
}
