package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

// maxWritten bounds the files of a text that are followed to what runs them.
const maxWritten = 32

// maxLooked bounds how many commands are asked what they print.
const maxLooked = 512

// runsWritten shows deny rules and checks what a command runs of a file that the same text wrote, as far as it was
// spelled there: echo TEXT > f; sh f.
func (w *walker) runsWritten(at int, c *ctx, st *words.State) {
	for _, file := range w.runFiles(at, st) {
		if slices.Contains(c.via, file) {
			continue // it runs itself
		}
		for k := range at {
			e := writes(&w.s.Subcommands[k], file)
			grouped := func(j int) bool { return j == k || w.s.Subcommands[j].Span.End <= e.Span.Start } // { a; b; } > f
			for j := k; e != nil && j < at && grouped(j); j++ {
				w.runsTexts(at, file, w.printed(j), c, st)
			}
		}
	}
}

func (w *walker) runsTexts(at int, file string, texts []string, c *ctx, st *words.State) {
	for _, text := range texts {
		if w.written++; w.written <= maxWritten {
			w.runsText(at, file, text, c, st)
		}
	}
}

// runsText follows the text of a file that a command runs.
func (w *walker) runsText(at int, file, text string, c *ctx, st *words.State) {
	sub := &w.s.Subcommands[at]
	word := shell.Literal(text, &sub.Argv[0])
	program := sub.Program
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") {
		names := strings.FieldsFunc(first, func(r rune) bool { return strings.ContainsRune(" /!#", r) })
		for _, name := range names {
			if foreign(name) && !foreign(program) && !commands.IsShell(commands.TableName(program)) {
				program = name
			}
		}
	}
	if !foreign(program) {
		in := commands.Inner{Kind: commands.InnerText, Via: file, Text: word, Standing: commands.Guessed()}
		w.follow(at, &in, c, st)
		return
	}
	if sub.StdinText == nil { // checks look for programs there
		sub.Code, sub.StdinText = true, &word
	}
	argv := []shell.Word{shell.Literal(program, &sub.Argv[0])}
	facts := commands.ForeignCode(argv, &word, &st.Cwd, w.Home(st))
	sub.Effects = append(sub.Effects, facts.Effects...)
	for i := range facts.Inner {
		w.follow(at, &facts.Inner[i], c, st)
	}
}

// runFiles are the known files that a command runs: as a script, and as the program it is.
func (w *walker) runFiles(at int, st *words.State) (files []string) {
	sub := &w.s.Subcommands[at]
	if at == 0 {
		return nil
	}
	own := sub.Effects
	if !sub.Here() { // it has none
		own = sub.Call.Facts.Effects
	}
	for i := range own {
		if e := &own[i]; e.Known && (e.Kind == shell.Execute || e.Kind == shell.Source) {
			files = append(files, e.Path)
		}
	}
	if strings.Contains(sub.Argv[0].Text, "/") {
		for _, e := range shell.EffectsOf(shell.Execute, &sub.Argv[0], &st.Cwd) {
			files = append(files, e.Path)
		}
	}
	return files
}

// writes returns how a command writes a file, nil where it does not.
func writes(sub *analysis.Subcommand, file string) *shell.Effect {
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Kind == shell.Write && e.Known && e.Path == file {
			return e
		}
	}
	return nil
}

// printed are the texts that a command prints, or that it is fed and passes on, as far as they are spelled.
func (w *walker) printed(k int) (texts []string) {
	sub := &w.s.Subcommands[k]
	w.looked++
	switch {
	case w.looked > maxLooked:
		return nil
	case sub.StdinText != nil && sub.StdinText.Known:
		texts = append(texts, sub.StdinText.Text)
	case shell.Among("echo printf print", sub.Program):
		var all []string
		for i := 1; i < len(sub.Argv); i++ {
			if t := sub.Argv[i].Text; sub.Argv[i].Known && !shell.Among("-e -n -ne -en --", t) {
				all = append(all, strings.TrimPrefix(strings.TrimPrefix(t, "%s"), `\n`))
			}
		}
		texts = append(texts, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(strings.Join(all, " ")))
	}
	for _, from := range sub.From {
		if from < k {
			texts = append(texts, w.printed(from)...)
		}
	}
	for j := range w.s.Subcommands[:k] {
		other := &w.s.Subcommands[j]
		copied := func(e shell.Effect) bool {
			return (e.Kind == shell.Read || e.Kind == shell.Delete) && e.Known && writes(other, e.Path) != nil
		}
		if w.looked < maxLooked && slices.ContainsFunc(sub.Effects, copied) {
			texts = append(texts, w.printed(j)...)
		}
	}
	return texts
}
