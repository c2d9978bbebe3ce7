package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// prints returns the text that a substitution certainly prints: one echo or printf
// of literal words, without the newlines at its end. A command that is named that
// way is asked about.
func (x *expander) prints(p *syntax.CmdSubst) (string, bool) {
	if x.whole || x.w.naming {
		return "", false
	}
	call := soleCall(p.Stmts)
	if len(call) < 2 || !allLiteral(call) {
		return "", false
	}
	name := call[0].Lit()
	if slices.Contains(x.w.funcs, name) || slices.Contains(x.st.aliases, name) {
		return "", false
	}
	out, ok := x.w.literalOutput(p.Stmts[0], x.c, x.st)
	if !ok || !x.w.spend(len(out.Text)) {
		return "", false
	}
	return strings.TrimRight(out.Text, "\n"), true
}

// splits reports whether an unquoted text is not surely one argument as it is.
func (x *expander) splits(text string) bool {
	return text == "" || x.st.ifs || commands.MayExpand(text)
}

// appended are the words a launcher puts after its operands: those of a literal
// text that feeds a plain xargs, else any.
func (w *walker) appended(sub *analysis.Subcommand, c *ctx, st *state) []shell.Word {
	unknown := []shell.Word{{Text: shell.HoleMark, Span: sub.Span}}
	if sub.Call == nil || commands.TableName(sub.Program) != "xargs" {
		return unknown
	}
	for i := range sub.Call.Opts {
		switch sub.Call.Opts[i].Name {
		case "r", "no-run-if-empty", "t", "verbose":
		default:
			return unknown
		}
	}
	text, ok := w.fedText(sub.Call, c, st)
	if !ok || !text.Known || strings.ContainsAny(text.Text, "'\"\\\x00") {
		return unknown
	}
	fields := strings.Fields(text.Text)
	if len(fields) == 0 || len(fields) > commands.MaxFed || !w.spend(len(fields)*wordSize) {
		return unknown
	}
	words := make([]shell.Word, len(fields))
	for i := range fields {
		words[i] = shell.Literal(fields[i], &shell.Word{Span: sub.Span})
	}
	return words
}
