package interp

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

const (
	maxWritten   = 128 // texts of files that are followed to what runs them
	maxFollowing = 200 // commands of texts that are followed, after which no further one is
)

// A waiting is a command in the background or a loop: what is written after it may be what it runs.
type waiting struct {
	at   int
	span shell.Span
	c    *ctx
	st   *words.State
}

// runsWritten follows what a command runs of a file that the same text wrote, as far as it was spelled there: by the
// reader of the program, as if it was given the text.
func (w *walker) runsWritten(at int, c *ctx, st *words.State) {
	for _, file := range w.runFiles(at, c, st) {
		if file.Known && slices.Contains(c.via, file.Path) {
			continue // it runs itself
		}
		w.runsFile(at, &file, 0, at, c, st)
	}
	if sub := &w.s.Subcommands[at]; sub.Call != nil && sub.Call.ObeysInput() && w.s.ObscuredInput(at) {
		w.unread(sub.Span, "it reads "+changed)
	}
	if (w.loops > 0 || givenOutput(&w.s.Subcommands[at])) && len(w.waits) < maxScripts && w.runs == 0 {
		w.waits = append(w.waits, waiting{at, w.s.Subcommands[at].Span, c, st.Clone()})
	}
}

// changed is a text that is not followed.
const changed = "text that was decoded or changed, or is only known at run time"

// unread notes that what runs is a text of this call that its reader gave up on.
func (w *walker) unread(span shell.Span, why string) {
	w.AddDoubt(analysis.DoubtProgramText.At(span, why)) // in a guess, too: it was written to be run
}

// runsFed follows what a command may read from a pipe, or a descriptor that the text opened, as its program.
func (w *walker) runsFed(at int, c *ctx, st *words.State) {
	for _, text := range w.s.Fed(at) {
		w.runsText(at, nil, shell.Written{Text: text}, c, st)
	}
	if c.stdin.file.Text != "" {
		for _, file := range shell.EffectsOf(shell.Read, &c.stdin.file, &st.Cwd) {
			for _, text := range w.s.InFile(&file, at) {
				w.runsText(at, &file, text, c, st)
			}
		}
	}
}

// givenOutput reports whether a program gets what others print, which are listed after it, as a file that it reads or
// as its program text: vim -S <(cmd), python3 -c "$(cmd)".
func givenOutput(sub *analysis.Subcommand) bool {
	if sub.Call == nil || sub.Call.Cmd == nil {
		return false
	}
	return slices.ContainsFunc(sub.Argv[1:], func(w shell.Word) bool {
		whole := w.Quoted && w.Text == shell.HoleMark
		return whole && sub.Code || w.Pipe && len(sub.Call.Scripted()) > 0
	})
}

// runsLater follows what commands in the background and in loops run of what is written after them.
func (w *walker) runsLater() {
	for _, wait := range w.waits {
		if wait.at >= len(w.s.Subcommands) || w.s.Subcommands[wait.at].Span != wait.span {
			continue // of a round that was walked again
		}
		if givenOutput(&w.s.Subcommands[wait.at]) {
			w.runsFed(wait.at, wait.c, wait.st)
		}
		for _, file := range w.runFiles(wait.at, wait.c, wait.st) {
			w.runsFile(wait.at, &file, wait.at, len(w.s.Subcommands), wait.c, wait.st)
		}
	}
}

// runsFile follows what a command runs of what is written into a file before the index end, and not before from.
func (w *walker) runsFile(at int, file *shell.Effect, from, end int, c *ctx, st *words.State) {
	before := w.s.InFile(file, from)
	for _, text := range w.s.InFile(file, end) {
		if !slices.Contains(before, text) {
			w.runsText(at, file, text, c, st)
		}
	}
}

// runsText follows a text that a command reads as its program, script or configuration.
func (w *walker) runsText(at int, file *shell.Effect, written shell.Written, c *ctx, st *words.State) {
	text := written.Text
	if w.written++; w.written > maxWritten || w.added > maxFollowing {
		w.Doubt(analysis.DoubtTooMuch, w.s.Subcommands[at].Span, "it writes and runs more than is followed")
		return
	}
	defer func(n int) { w.added += len(w.s.Subcommands) - n }(len(w.s.Subcommands))
	via, built := "", false
	if file != nil {
		via, built = file.Path, file.Kind == shell.Write // found by its name: what its strings may be is not looked at
	}
	sub := &w.s.Subcommands[at]
	if written.Hidden && !built {
		w.unread(sub.Span, path.Base(via)+" holds "+changed)
	}
	if written.Hidden {
		return
	}
	word := shell.Literal(text, &sub.Argv[0])
	itself := file != nil && file.Kind == shell.Execute
	var facts *commands.Facts
	if program := hashBang(text); program != "" && (itself || sub.Call == nil || !sub.Call.Obeys()) {
		facts = commands.Describe([]shell.Word{shell.Literal(program, &sub.Argv[0])}, &st.Cwd, w.Home(st)).Obey(&word)
	} else if !itself {
		facts = commands.Describe(sub.Argv, &st.Cwd, w.Home(st)).Obey(&word)
	}
	if facts == nil { // a program of the text's own: a script without a first line that names another
		facts = &commands.Facts{Inner: []commands.Inner{{Kind: commands.InnerText, Text: word}}}
	}
	given := func(e shell.Effect) bool { return e.Kind == shell.Unknown }
	if written.Whole && !built && (len(facts.Doubts) > 0 || slices.ContainsFunc(facts.Effects, given)) {
		w.unread(sub.Span, path.Base(via)+" cannot be read")
	}
	if facts.Code && sub.StdinText == nil && !built { // checks look for programs there
		sub.Code, sub.StdinText = true, &word
	}
	if sub.Effects = append(sub.Effects, facts.Effects...); !built {
		sub.Programs = append(sub.Programs, facts.Programs...)
	}
	for i := range facts.Inner {
		in := facts.Inner[i]
		in.Covered, in.Guess = true, !shell.Among(". source", sub.Program) // which run all of it, in this shell
		if via != "" && in.Kind == commands.InnerText {
			in.Via = via
		}
		w.follow(at, &in, c, st)
	}
}

// hashBang is the program that the first line of a script names, "" without one.
func hashBang(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	rest, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return ""
	}
	for name := range strings.FieldsSeq(rest) {
		if name = path.Base(name); name != "env" && !strings.HasPrefix(name, "-") {
			return name
		}
	}
	return ""
}

// runFiles are the files that a command runs: as a script, as the program it is, as what steers it, as its standard
// input, and as code of the project that it finds by itself.
func (w *walker) runFiles(at int, c *ctx, st *words.State) (files []shell.Effect) {
	sub := &w.s.Subcommands[at]
	if at == 0 || !w.puts {
		return nil
	}
	reads := func(word *shell.Word) { files = append(files, shell.EffectsOf(shell.Read, word, &st.Cwd)...) }
	own := sub.Effects
	if !sub.Here() && sub.Box == nil && sub.Call != nil { // it has none
		own = sub.Call.Facts.Effects
	}
	for i := range own {
		if e := own[i]; e.Kind == shell.Execute || e.Kind == shell.Source {
			e.Kind = shell.Read
			files = append(files, w.candidates(&e, at)...)
		}
	}
	files = append(files, w.itself(at, st)...)
	loads := func(name string) bool { return sub.Call != nil && sub.Call.Loads(name) }
	for i := range sub.Assigns {
		if a := &sub.Assigns[i]; loads(a.Name) {
			reads(&a.Value)
		}
	}
	for _, name := range sub.SetBefore() {
		if text, known := st.Lookup(name); known && loads(name) {
			reads(new(shell.Literal(text, &sub.Argv[0])))
		}
	}
	if sub.Call == nil || sub.Call.Cmd == nil {
		return files
	}
	if words := sub.Call.Scripted(); len(words) > 0 || sub.Call.Obeys() {
		for i := range words {
			reads(&words[i])
		}
		if c.stdin.file.Text != "" {
			reads(&c.stdin.file)
		}
	}
	if names := sub.Call.Builds(); names != "" {
		files = append(files, w.named(at, names)...)
	}
	return files
}

// itself are the files that a command may be: the one that its word names, or those that PATH finds.
func (w *walker) itself(at int, st *words.State) (files []shell.Effect) {
	sub := &w.s.Subcommands[at]
	paths := func(a shell.Assign) bool { return a.Name == "PATH" }
	switch name := sub.Argv[0].Text; {
	case strings.Contains(name, "/"):
		return shell.EffectsOf(shell.Execute, &sub.Argv[0], &st.Cwd)
	case sub.Call == nil || sub.Call.Cmd == nil, slices.ContainsFunc(sub.Assigns, paths), slices.Contains(sub.SetBefore(), "PATH"):
		files = w.named(at, name)
	}
	for i := range files {
		files[i].Kind = shell.Execute
	}
	return files
}

// candidates are the files that an effect may mean: itself, and those that were written and that its pattern, or a
// word that a search of the text finds, may be.
func (w *walker) candidates(e *shell.Effect, at int) []shell.Effect {
	if e.Known || !strings.Contains(e.Path, shell.HoleMark) && !e.Glob {
		return []shell.Effect{*e}
	}
	files := []shell.Effect{*e}
	if sub := &w.s.Subcommands[at]; len(sub.Via) > 0 && shell.Among("find xargs fd", sub.Via[len(sub.Via)-1]) ||
		e.Glob {
		found := w.named(at, "*")
		for i := range found {
			if w.soughtByName(at, path.Base(found[i].Path)) {
				found[i].Kind = shell.Read
			}
		}
		files = append(files, found...)
	}
	return files
}

// soughtByName reports whether a search before a command names a file, and not all that there are.
func (w *walker) soughtByName(at int, name string) bool {
	for i := range w.s.Subcommands[:at] {
		sub := &w.s.Subcommands[i]
		if !shell.Among("find fd", sub.Program) {
			continue
		}
		for k := 1; k < len(sub.Argv); k++ {
			pattern := sub.Argv[k].Text
			if ok, _ := path.Match(pattern, name); ok && strings.Trim(pattern, "*") != "" {
				return true
			}
		}
	}
	return false
}

// named are the files written before a command whose names are in a list of patterns.
func (w *walker) named(at int, names string) (files []shell.Effect) {
	for k := range w.s.Subcommands[:at] {
		for e := range w.s.Subcommands[k].Puts {
			fits := func(pattern string) bool {
				ok, _ := path.Match(pattern, path.Base(e.Path))
				return ok
			}
			listed := func(f shell.Effect) bool { return f.Path == e.Path }
			if e.Known && !slices.ContainsFunc(files, listed) && slices.ContainsFunc(strings.Fields(names), fits) {
				files = append(files, *e)
			}
		}
	}
	return files
}

// overlay are the texts that were written into a file before the command at, for those who read scripts of the disk.
func (w *walker) overlay(at int) func(name string) []shell.Written {
	return func(name string) []shell.Written {
		return w.s.InFile(&shell.Effect{Path: name, Known: true}, min(at, len(w.s.Subcommands)))
	}
}
