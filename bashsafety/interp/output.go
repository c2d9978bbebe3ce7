package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// literalOutput is what a command in front of a pipe certainly prints: echo and
// printf of literal words, and cat of a here-document.
func (w *walker) literalOutput(s *syntax.Stmt, c *ctx, st *state) (shell.Word, bool) {
	if s == nil || !inForeground(s) {
		return shell.Word{}, false
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		return shell.Word{}, false
	}
	var argv []shell.Word
	for _, a := range call.Args {
		argv = w.fields(a, c, st, argv)
	}
	switch {
	case len(argv) == 0 || !allKnown(argv):
		return shell.Word{}, false
	case len(s.Redirs) == 0:
		return echoed(argv)
	case len(s.Redirs) == 1 && catsHeredoc(argv, s.Redirs[0]):
		return w.heredoc(s.Redirs[0], c, st), true
	}
	return shell.Word{}, false
}

// catsHeredoc reports whether a command prints the here-document it is given.
func catsHeredoc(argv []shell.Word, r *syntax.Redirect) bool {
	return len(argv) == 1 && argv[0].Text == "cat" && r.N == nil && crosscheck.IsHeredoc(r)
}

// echoed is the output of echo or printf with literal arguments.
func echoed(argv []shell.Word) (shell.Word, bool) {
	out := shell.Word{Known: true, Single: true, Quoted: true, Span: argv[0].Span}
	args := argv[1:]
	switch argv[0].Text {
	case "echo":
		for len(args) > 0 && args[0].Text == "-n" {
			args = args[1:]
		}
		if len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
			return out, false
		}
		texts := make([]string, len(args))
		for i, a := range args {
			texts[i] = a.Text
		}
		if out.Text = strings.Join(texts, " "); strings.IndexByte(out.Text, '\\') >= 0 {
			return out, false // some shells decode it
		}
	case "printf":
		text, ok := printed(args)
		if !ok {
			return out, false
		}
		out.Text = text
	default:
		return out, false
	}
	if len(args) > 0 {
		out.Span.End = args[len(args)-1].Span.End
	}
	return out, true
}

// printed is the output of printf where its format holds %s and plain text alone.
func printed(args []shell.Word) (string, bool) {
	if len(args) == 0 {
		return "", true
	}
	format := strings.ReplaceAll(args[0].Text, `\n`, "\n")
	verbs := strings.Count(format, "%")
	if verbs != strings.Count(format, "%s") || strings.HasPrefix(format, "-") || strings.ContainsRune(format, '\\') {
		return "", false
	}
	if args = args[1:]; len(args) > 0 && verbs == 0 {
		return "", false
	}
	out := strings.Builder{}
	for first := true; first || len(args) > 0; first = false {
		for i, part := range strings.Split(format, "%s") {
			if i > 0 && len(args) > 0 {
				out.WriteString(args[0].Text)
				args = args[1:]
			}
			out.WriteString(part)
		}
	}
	return out.String(), true
}
