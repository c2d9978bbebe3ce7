package bashsafety

import (
	"slices"
	"strings"
)

// Removes returns what a subcommand deletes, and reports whether that is all
// there is to it: a plain removal, run by the text or a script of the project
// itself, whose targets are all known, patterns of files, or what mktemp made. Behind sudo, xargs,
// find -exec, a shell of its own or a variable in front it is none.
func (s *Script) Removes(i int) (targets []Effect, ok bool) {
	sub := &s.Subcommands[i]
	c := sub.call
	if sub.removes && len(sub.Narrow) == 0 && s.direct(sub) {
		for _, e := range sub.Effects {
			if e.Kind != Delete || !e.Known && !e.Glob {
				return nil, false
			}
			targets = append(targets, e)
		}
		return targets, len(targets) > 0
	}
	if c == nil || c.folded || !systemProgram(sub.Argv[0].Text) || sub.Remote || sub.Hidden || len(sub.Assigns) > 0 || !s.direct(sub) {
		return nil, false
	}
	for i := range sub.Argv[1:] { // a file that a pattern finds may be called like an option: none of rm's does more
		switch w := &sub.Argv[i+1]; {
		case w.Temp && w.Quoted && w.Single && w.Text == HoleMark: // what mktemp made, and that alone
		case !w.Known && !w.Glob, strings.Contains(w.Text, HoleMark):
			return nil, false
		case w.Glob && strings.HasSuffix(w.Text, "/"): // some rm follow a symlink that is spelled like this
			return nil, false
		case notFile(cleanPath(w.Text)): // it has no effect in the tables
			return nil, false
		}
	}
	for _, e := range sub.Effects {
		if e.Kind == Delete {
			targets = append(targets, e)
		}
	}
	return targets, len(targets) > 0
}

// direct reports whether nothing runs a subcommand but the text and scripts of
// the project.
func (s *Script) direct(sub *Subcommand) bool {
	for _, via := range sub.Via {
		if !slices.ContainsFunc(s.Scripts, func(t ScriptText) bool { return t.Name == via }) {
			return false
		}
	}
	return sub.Script != nil || len(sub.Via) == 0
}

// Absolute reports whether a subcommand means the same files in every folder: it
// has operands, and all of them, as all values of its options, are absolute paths.
func (s *Subcommand) Absolute() bool {
	c := s.call
	if c == nil || c.folded || len(c.operands) == 0 || !systemProgram(s.Argv[0].Text) {
		return false
	}
	absolute := func(w *Word) bool { return w.Known && strings.HasPrefix(w.Text, "/") }
	for _, o := range c.operands {
		if !absolute(&c.argv[o]) {
			return false
		}
	}
	for i := range c.opts {
		if o := &c.opts[i]; o.given && !absolute(&o.value) {
			return false
		}
	}
	return true
}

// Puts returns what may have been put anywhere by the time a subcommand runs:
// what the others write, what git changes, and what is not understood. A program
// that may do anything and has no effects here could delete by itself.
func (s *Script) Puts(i int) []Effect {
	var all []Effect
	for _, k := range s.before(i) {
		for _, e := range s.Subcommands[k].Effects {
			switch e.Kind {
			case Write, GitChange, Unknown:
				all = append(all, e)
			}
		}
	}
	return all
}

// OnlyReads reports whether all that may run before a subcommand is proven to
// only read: then the disk is still as it was.
func (s *Script) OnlyReads(i int) bool {
	for _, k := range s.before(i) {
		if s.Subcommands[k].Unproven() != "" {
			return false
		}
	}
	return true
}

// Sourced reports whether a file may have been read into the shell before a
// subcommand: it may have gone to another folder.
func (s *Script) Sourced(sub *Subcommand) bool {
	for i := range s.Subcommands {
		if &s.Subcommands[i] != sub {
			continue
		}
		for _, k := range s.before(i) {
			if slices.ContainsFunc(s.Subcommands[k].Effects, func(e Effect) bool { return e.Kind == Source }) {
				return true
			}
		}
	}
	return false
}

// before lists the subcommands that may run before another.
func (s *Script) before(i int) (all []int) {
	for k := range s.Subcommands {
		if k != i && s.mayPrecede(k, i) {
			all = append(all, k)
		}
	}
	return all
}

// mayPrecede reports whether k may run before i. Subcommands are listed in the
// order they run in, but for loops, the background, pipes, what is substituted in
// a word, and scripts, which are listed behind the text.
func (s *Script) mayPrecede(k, i int) bool {
	first, then := &s.Subcommands[k], &s.Subcommands[i]
	inWord := len(first.Via) > len(then.Via) && first.Span.Start >= then.Span.Start && first.Span.End <= then.Span.End
	return k < i || inWord || then.Again || slices.Contains(first.From, i) ||
		first.Script != then.Script || then.Script != nil && s.twice
}
