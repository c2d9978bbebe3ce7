package interp

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// patchInput says where the patch on the standard input of a command comes from.
func (w *walker) patchInput(at int, c *ctx, st *state) {
	sub := &w.s.Subcommands[at]
	for i := range sub.Effects {
		p := sub.Effects[i].Patch
		if p == nil || !p.Input {
			continue
		}
		switch c.stdin.kind {
		case stdinInherited:
			p.Known = !st.fed // nothing feeds it
		case stdinText:
			p.Text, p.Known = c.stdin.text.Text, c.stdin.text.Known
		case stdinFile:
			if reads := shell.EffectsOf(shell.Read, &c.stdin.file, &st.cwd); len(reads) == 1 {
				p.File = &reads[0]
			}
		case stdinPipe:
			if text, ok := w.literalOutput(c.stdin.left, c, c.stdin.state); ok {
				p.Text, p.Known = text.Text, text.Known
			} else {
				p.From = c.from
			}
		}
	}
}

// PrintsHistory reports whether a command prints, as a patch, nothing but what
// its own repository holds, under the names it has there: to apply that is no
// more than to check it out.
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

// HandsOn reports whether a command in a pipe prints what came in, or what the
// files hold that it reads, and nothing else.
func (s *Subcommand) HandsOn() bool {
	if s.Call == nil || len(s.PatternBlockers) > 0 || len(s.Call.Opts) > 0 {
		return false
	}
	return s.Program == "cat" || s.Program == "tee"
}
