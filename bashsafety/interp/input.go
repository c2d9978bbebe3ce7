package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// obeyed is what a patterned allow rule does not cover.
const obeyed = "its standard input can run commands, or read or write files"

// obeysInput adds what the standard input makes a command do, as if an option gave that text. It
// reports whether that narrows, which the words do not show.
func (w *walker) obeysInput(found *commands.Invocation, c *ctx, st *words.State) bool {
	w.ownTexts(found, c, st)
	if c.stdin.kind != stdinInherited {
		if at := found.Consoles(); at >= 0 {
			text, _ := w.fedText(found, c, st)
			found.ConsoleText(at, &text)
		}
	}
	if !found.Obeys() {
		return false
	}
	text, ok := w.fedText(found, c, st)
	if !ok {
		return false
	}
	found.Facts.Code = true
	found.Disprove("")
	like, escape := found.Cmd.Special.Stdin.Like, found.Cmd.Special.Stdin.Escape
	if escape != "" && len(found.Operands) > 0 && text.Known && !strings.Contains("\n"+text.Text, "\n"+escape) {
		return false
	}
	if like == "" || shell.LiteralPrefix(&text) == "" && !text.Known {
		found.Narrow(obeyed)
		found.ProgramText(commands.ProgramName(found.Argv), &text)
		return true
	}
	option := shell.Literal(found.Dashed(like), &found.Argv[0])
	argv := slices.Insert(slices.Clone(found.Argv), 1, option, text)
	d := &commands.Describe(argv, found.Began, found.Home).Facts
	more := len(d.Narrow) > len(found.Facts.Narrow)
	found.Facts.Narrow, found.Facts.Inner, found.Facts.Effects = d.Narrow, d.Inner, d.Effects
	return more
}

// ownTexts shows what the texts run that a command is given as files in its own language, and as data that it runs.
func (w *walker) ownTexts(found *commands.Invocation, c *ctx, st *words.State) {
	for _, file := range found.OwnFiles() {
		if commands.FromInput(file) {
			if text, ok := w.fedText(found, c, st); ok {
				found.Speaks("", &text)
			}
		} else if text, ok := w.pipeText(file, c, st); ok {
			found.Speaks("", &text)
		}
	}
	if found.Cmd != nil && found.Cmd.Rare().Fed != nil {
		if text, ok := w.fedText(found, c, st); ok {
			found.Cmd.Rare().Fed(found, &text)
		}
	}
}

// pipeText is what a process substitution prints, where it is spelled: <(echo TEXT).
func (w *walker) pipeText(word *shell.Word, c *ctx, st *words.State) (shell.Word, bool) {
	if !word.Pipe || w.calling == nil {
		return shell.Word{}, false
	}
	list := slices.Clone(w.calling.Args)
	for _, a := range w.calling.Assigns {
		list = append(list, a.Value)
	}
	for _, arg := range list {
		if arg == nil || c.span(arg) != word.Span || len(arg.Parts) == 0 {
			continue
		}
		if p, ok := arg.Parts[len(arg.Parts)-1].(*syntax.ProcSubst); ok && len(p.Stmts) == 1 {
			return w.LiteralOutput(p.Stmts[0], c.fr, st)
		}
	}
	return shell.Word{}, false
}

// maxVariables bounds the variables in front of one command that are asked what they run.
const maxVariables = 200

// variables adds what variables run that are set in front of a command, or before it.
func (w *walker) variables(inv *pending, sub *analysis.Subcommand, c *ctx, st *words.State) {
	found := sub.Call
	if len(inv.assigns) > maxVariables {
		w.Doubt(analysis.DoubtTooMuch, inv.span, "too many variables are set for one command")
		return
	}
	from := len(found.Facts.Effects)
	other := func(name string) string {
		for i := range inv.assigns {
			if inv.assigns[i].Name == name {
				return inv.assigns[i].Value.Text
			}
		}
		text, _ := st.Lookup(name)
		return text
	}
	for i := range inv.assigns {
		a := &inv.assigns[i]
		if text, ok := w.pipeText(&a.Value, c, st); ok {
			found.RunsByVariable(a.Name, &text, other)
		} else {
			found.RunsByVariable(a.Name, &a.Value, other)
		}
	}
	for _, name := range sub.SetBefore() {
		if text, known := st.Lookup(name); known && !slices.Contains(w.shown, name+"="+text) {
			w.shown = append(w.shown, name+"="+text)
			found.RunsByVariable(name, new(shell.Literal(text, &sub.Argv[0])), other)
		}
	}
	sub.Effects = append(sub.Effects, found.Facts.Effects[from:]...)
}

// fedText is what a command reads, a hole when not known; false when nothing in the text feeds it.
func (w *walker) fedText(found *commands.Invocation, c *ctx, st *words.State) (shell.Word, bool) {
	unknown := shell.Hole("", &found.Argv[0])
	switch c.stdin.kind {
	case stdinInherited:
		return unknown, st.Fed
	case stdinText:
		return c.stdin.text, true
	case stdinPipe:
		if text, ok := w.LiteralOutput(c.stdin.left, c.fr, c.stdin.state); ok {
			return text, true
		}
	case stdinFile:
		return unknown, !c.stdin.file.Known || c.stdin.file.Text != "/dev/null"
	}
	return unknown, true
}

// fedContents says what comes in on the standard input of a command that unpacks it.
func (w *walker) fedContents(found *commands.Invocation, c *ctx, st *words.State) {
	for i := range found.Facts.Effects {
		in := found.Facts.Effects[i].Contents
		if in == nil || !in.Stdin {
			continue
		}
		if c.stdin.kind == stdinFile {
			in.From = found.OnDisk(&c.stdin.file, &st.Cwd)
		} else if text, _ := w.fedText(found, c, st); text.Known {
			in.Text = text.Text
		}
	}
}

// patchInput says where the patch on the standard input of a command comes from.
func (w *walker) patchInput(at int, c *ctx, st *words.State) {
	sub := &w.s.Subcommands[at]
	for i := range sub.Effects {
		p := sub.Effects[i].Patch
		if p == nil || !p.Input {
			continue
		}
		switch c.stdin.kind {
		case stdinInherited:
			p.Known = !st.Fed // nothing feeds it
		case stdinText:
			p.Text, p.Known = c.stdin.text.Text, c.stdin.text.Known
		case stdinFile:
			if reads := shell.EffectsOf(shell.Read, &c.stdin.file, &st.Cwd); len(reads) == 1 {
				p.File = &reads[0]
			}
		case stdinPipe:
			if text, ok := w.LiteralOutput(c.stdin.left, c.fr, c.stdin.state); ok {
				p.Text, p.Known = text.Text, text.Known
			} else {
				p.From = c.from
			}
		}
	}
}

// gitInput reads git's standard input: names it makes entries of, objects it prints.
func (w *walker) gitInput(at int, found *commands.Invocation, c *ctx, st *words.State) {
	kind := commands.GitInputOf(found)
	if kind == 0 {
		return
	}
	sub := &w.s.Subcommands[at]
	text, fed := w.fedText(found, c, st)
	if !fed || !text.Known && kind == commands.GitObjectNames {
		return
	}
	from := len(found.Facts.Effects)
	for line := range strings.FieldsFuncSeq(text.Text, func(r rune) bool { return r == '\n' || r == 0 }) {
		found.GitLine(kind, line, &text)
	}
	if kind == commands.GitEntries && text.Known { // what was said to be unknown is not
		for i := range sub.Effects {
			if e := &sub.Effects[i]; e.Kind == shell.Write && e.Path == shell.HoleMark {
				sub.Effects = append(sub.Effects[:i:i], sub.Effects[i+1:]...)
				break
			}
		}
	}
	sub.Effects = append(sub.Effects, found.Facts.Effects[from:]...)
}

// gitVariables adds what git writes because of variables, in front of it or set before.
func (w *walker) gitVariables(at int, found *commands.Invocation, st *words.State) {
	if found.Cmd == nil || found.Cmd.Name() != "git" {
		return
	}
	sub := &w.s.Subcommands[at]
	from := len(found.Facts.Effects)
	for i := range sub.Assigns {
		found.GitVariable(sub.Assigns[i].Name, &sub.Assigns[i].Value)
	}
	if len(sub.PatternBlockers) > 0 {
		for _, name := range sub.SetBefore() {
			if text, known := st.Lookup(name); known {
				value := shell.Literal(text, &sub.Argv[0])
				found.GitVariable(name, &value)
			}
		}
	}
	if len(found.Facts.Effects) > from {
		sub.Effects = append(sub.Effects, found.Facts.Effects[from:]...)
		sub.ReadOnly = false
	}
}

// applyPatch adds what a patch on standard input writes.
func (w *walker) applyPatch(at int, found *commands.Invocation, c *ctx, st *words.State) {
	sub := &w.s.Subcommands[at]
	if found.Cmd == nil || found.Cmd.Name() != "apply_patch" || len(sub.Argv) > 1 {
		return
	}
	text, _ := w.fedText(found, c, st)
	// agents take it unexpanded, a program expanded
	if raw := c.stdin.raw; raw != "" && strings.TrimSpace(raw) != strings.TrimSpace(text.Text) {
		word := shell.Literal(raw, &text)
		sub.Effects = append(sub.Effects, commands.PatchEffects(&word, &st.Cwd)...)
	}
	sub.Effects = append(sub.Effects, commands.PatchEffects(&text, &st.Cwd)...)
	sub.ReadOnly = false
}
