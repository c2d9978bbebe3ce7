package interp

import (
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
