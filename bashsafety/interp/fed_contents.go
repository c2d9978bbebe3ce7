package interp

import "github.com/permgate--owner/permgate/bashsafety/commands"

// fedContents says what comes in on the standard input of a command that unpacks it.
func (w *walker) fedContents(found *commands.Invocation, c *ctx, st *state) {
	for i := range found.Facts.Effects {
		in := found.Facts.Effects[i].Contents
		if in == nil || !in.Stdin {
			continue
		}
		switch c.stdin.kind {
		case stdinText:
			if c.stdin.text.Known {
				in.Text = c.stdin.text.Text
			}
		case stdinFile:
			in.From = found.OnDisk(&c.stdin.file, &st.cwd)
		case stdinPipe:
			if text, ok := w.literalOutput(c.stdin.left, c, c.stdin.state); ok && text.Known {
				in.Text = text.Text
			}
		}
	}
}
