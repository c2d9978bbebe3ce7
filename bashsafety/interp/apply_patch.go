package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// applyPatch adds what a patch on standard input writes.
func (w *walker) applyPatch(at int, found *commands.Invocation, c *ctx, st *state) {
	sub := &w.s.Subcommands[at]
	if found.Cmd == nil || found.Cmd.Name() != "apply_patch" || len(sub.Argv) > 1 {
		return
	}
	text := shell.Hole("", &sub.Argv[0])
	switch c.stdin.kind {
	case stdinText:
		text = c.stdin.text
		// agents take it unexpanded, a program expanded
		if raw := c.stdin.raw; raw != "" && strings.TrimSpace(raw) != strings.TrimSpace(text.Text) {
			word := shell.Literal(raw, &text)
			sub.Effects = append(sub.Effects, commands.PatchEffects(&word, &st.cwd)...)
		}
	case stdinPipe:
		if out, ok := w.literalOutput(c.stdin.left, c, c.stdin.state); ok {
			text = out
		}
	}
	sub.Effects = append(sub.Effects, commands.PatchEffects(&text, &st.cwd)...)
	sub.ReadOnly = false
}
