package analysis

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

const (
	maxAsked   = 1024 // times that the commands of a text are asked what they print
	maxStrings = 16   // strings of a program that it may print
)

// printed are the texts that the subcommand k may print, or write where it is told to, as far as the text spells them:
// its words where it prints those, the strings of a program it is given, and all that it reads.
func (a *Analysis) printed(k int, around []int) (texts []string) {
	if a.asked++; a.asked > maxAsked || slices.Contains(around, k) {
		return nil
	}
	sub := &a.Subcommands[k]
	if text := spoken(sub); text != "" {
		texts = append(texts, text)
	}
	program := commands.TableName(sub.Program)
	if sub.Call != nil && sub.Call.Cmd != nil && shell.Among("sed awk", sub.Call.Cmd.Name()) {
		program = sub.Call.Cmd.Name() // gsed, mawk
	}
	if sub.Code || shell.Among("sed awk jq yq", program) {
		for i := 1; i < len(sub.Argv); i++ {
			texts = append(texts, stringsOf(code.Of(program), &sub.Argv[i])...)
		}
	}
	return append(texts, a.fed(k, append(around, k))...)
}

// Fed are the texts that the subcommand i may read, as far as the text spells them: here-documents and here-strings,
// what is printed into the pipe in front of it, and what is written into files that it reads.
func (a *Analysis) Fed(i int) []string { return a.fed(i, []int{i}) }

func (a *Analysis) fed(i int, around []int) (texts []string) {
	sub := &a.Subcommands[i]
	if sub.StdinText != nil && strings.Trim(sub.StdinText.Text, shell.HoleMark) != "" {
		texts = append(texts, sub.StdinText.Text)
	}
	for _, k := range a.sources(i) {
		texts = append(texts, a.printed(k, around)...)
	}
	for k := range sub.Effects {
		if e := &sub.Effects[k]; e.Kind == shell.Read || e.Kind == shell.Delete { // mv reads and deletes
			texts = append(texts, a.inFile(e, len(a.Subcommands), around)...)
		}
	}
	return texts
}

// sources are the subcommands whose output i reads: through a pipe or >(), and by the substitutions among its words.
func (a *Analysis) sources(i int) (all []int) {
	sub := &a.Subcommands[i]
	for _, from := range sub.From {
		if from < len(a.Subcommands) {
			all = append(all, from)
		}
	}
	if last := len(sub.Via) - 1; last >= 0 && sub.Via[last] == ">()" {
		for k := max(0, a.source(i, last)); k < i; k++ { // and what it runs
			all = append(all, k)
		}
	}
	for k := i + 1; k < len(a.Subcommands) && a.inWords(i, k); k++ {
		all = append(all, k)
	}
	return all
}

// inWords reports whether the subcommand k runs in a substitution among the words of i, which it follows.
func (a *Analysis) inWords(i, k int) bool {
	sub, in := &a.Subcommands[i], &a.Subcommands[k]
	depth := len(sub.Via)
	return len(in.Via) > depth && shell.Among("$() <()", in.Via[depth]) && sub.Span.Contains(in.Span)
}

// source is the last subcommand in front of i with a way to it of a length, -1 for none.
func (a *Analysis) source(i, depth int) int {
	for k := i - 1; k >= 0; k-- {
		if len(a.Subcommands[k].Via) <= depth {
			return k
		}
	}
	return -1
}

// InFile are the texts that subcommands before the index end may have written into a file, the oldest first, and at
// last all of them in a row where they are several. The file is that of an effect: known by its path, or else by its
// spelling: "$x".
func (a *Analysis) InFile(file *shell.Effect, end int) (texts []shell.Written) {
	add := func(text string, whole bool) {
		if i := slices.IndexFunc(texts, func(w shell.Written) bool { return w.Text == text }); i >= 0 {
			texts[i].Whole = texts[i].Whole || whole
		} else if text != "" {
			texts = append(texts, shell.Written{Text: text, Whole: whole})
		}
	}
	all, since, worst, hidden, redirect := "", "", spelt, false, shell.Span{}
	for k, e := range a.writers(file, end) {
		if !e.Append && e.Span != redirect { // what was there is gone
			add(since, worst == spelt)
			since, worst = "", spelt
		}
		redirect, worst = e.Span, max(worst, a.clarity(k, nil))
		hidden = hidden || worst == obscured
		for _, text := range a.printed(k, nil) {
			add(text, false)
			all, since = all+text, since+text
		}
	}
	add(since, worst == spelt)
	if add(all, false); hidden {
		texts = append(texts, shell.Written{Hidden: true})
	}
	return texts
}

// Spells reports whether the text itself writes a file, and says all of what it writes there.
func (a *Analysis) Spells(file *shell.Effect) bool {
	unclear := func(t shell.Written) bool { return t.Hidden || strings.Contains(t.Text, shell.HoleMark) }
	all := len(a.Subcommands)
	return a.clarityOf(file, all, nil) == spelt && !slices.ContainsFunc(a.InFile(file, all), unclear)
}

func (a *Analysis) inFile(file *shell.Effect, end int, around []int) (texts []string) {
	for k := range a.writers(file, end) {
		texts = append(texts, a.printed(k, around)...)
	}
	return texts
}

// writers are the subcommands before the index end that write the file of an effect, and the effects that say so.
func (a *Analysis) writers(file *shell.Effect, end int) iter.Seq2[int, *shell.Effect] {
	spelled := a.spelled(file)
	return func(yield func(int, *shell.Effect) bool) {
		for k := range a.Subcommands[:end] {
			var writes *shell.Effect
			for e := range a.Subcommands[k].Puts {
				if sameFile(e, file) || spelled != "" && a.spelled(e) == spelled {
					writes = e
				}
			}
			if writes != nil && !yield(k, writes) {
				return
			}
		}
	}
}

// sameFile reports whether two effects may be on the same file; a path may be a pattern.
func sameFile(a, b *shell.Effect) bool {
	fits := func(pattern, name *shell.Effect) bool {
		ok, _ := path.Match(pattern.Path, name.Path)
		return pattern.Path == name.Path || pattern.Glob && ok
	}
	return a.Known && b.Known && (fits(a, b) || fits(b, a))
}

// A clarity says how well it is known what a subcommand writes.
type clarity uint8

const (
	spelt    clarity = iota // the text spells all of it
	open                    // it is not the text's own: what a program makes, or a file of the disk holds
	obscured                // the text holds it decoded, changed by a filter, or in a variable that is not known
)

// ObscuredInput reports whether the subcommand i reads from a pipe what the text holds in a form that cannot be read.
func (a *Analysis) ObscuredInput(i int) bool {
	return slices.ContainsFunc(a.Subcommands[i].From, func(from int) bool {
		return from < len(a.Subcommands) && a.clarity(from, []int{i}) == obscured
	})
}

func (a *Analysis) clarityOf(file *shell.Effect, end int, around []int) clarity {
	worst, written := spelt, false
	for k := range a.writers(file, end) {
		worst, written = max(worst, a.clarity(k, around)), true
	}
	if !written {
		return open
	}
	return worst
}

// clarity says how well it is known what the subcommand k writes: the worst of what it says and reads.
func (a *Analysis) clarity(k int, around []int) clarity {
	if slices.Contains(around, k) {
		return spelt
	}
	if a.asked++; a.asked > maxAsked {
		return obscured
	}
	around = append(around, k)
	sub := &a.Subcommands[k]
	text, worst := spoken(sub), spelt
	for _, from := range a.sources(k) {
		worst = max(worst, a.clarity(from, around))
	}
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Kind == shell.Read || e.Kind == shell.Delete {
			worst = max(worst, a.clarityOf(e, k, around))
		}
	}
	switch {
	case text != "":
		return max(worst, clarityOfText(sub, text))
	case sub.Call != nil && sub.Call.Filters() && a.handles(k):
		return obscured
	case shell.Among("cat tee cp mv ln dd install rsync sponge", sub.Program):
		return worst
	}
	return max(worst, open)
}

// handles reports whether a subcommand reads a text of this text, or changes one where it is.
func (a *Analysis) handles(k int) bool {
	sub := &a.Subcommands[k]
	changes := func(e shell.Effect) bool { return e.Kind == shell.Write && len(a.inFile(&e, k, []int{k})) > 0 }
	return sub.StdinText != nil || len(a.Fed(k)) > 0 || slices.ContainsFunc(sub.Effects, changes)
}

// clarityOfText says how well it is known what echo and its kin print.
func clarityOfText(sub *Subcommand, text string) clarity {
	formats := func(w shell.Word) bool { return sub.Program == "printf" && shell.ContainsAny(w.Text, "%c", "$s") }
	hidden := strings.Contains(text, shell.HoleMark)
	if strings.Trim(text, shell.HoleMark+" \n") != "" { // or else printf '\162m x'
		hidden = shell.ContainsAny(text, `\x`, `\0`, `\1`, `\u`) || slices.ContainsFunc(sub.Argv[1:], formats)
	}
	if hidden {
		return obscured
	}
	return spelt
}

// spelled is how the text spells a file that is not known: by one variable; "" for others.
func (a *Analysis) spelled(e *shell.Effect) string {
	if e.Known || e.Span.End > len(a.Text) || e.Span.Start >= e.Span.End {
		return ""
	}
	text := strings.Trim(a.Text[e.Span.Start:e.Span.End], `"`)
	if !strings.HasPrefix(text, "$") || strings.HasPrefix(text, "$(") {
		return ""
	}
	return text
}

// spoken is what echo and its kin print, and what a command spells of the file that it writes; "" for others.
func spoken(sub *Subcommand) string {
	if sub.Call != nil && sub.Call.Facts.Spells != "" {
		return sub.Call.Facts.Spells
	}
	if len(sub.Argv) < 2 || !shell.Among("echo printf print yes", sub.Program) {
		return ""
	}
	args, end := sub.Argv[1:], "\n"
	for len(args) > 0 && args[0].Known && strings.HasPrefix(args[0].Text, "-") {
		if strings.Contains(args[0].Text, "n") && sub.Program != "printf" {
			end = ""
		}
		args = args[1:]
	}
	text := shell.JoinText(args)
	if sub.Program == "printf" && len(args) > 0 {
		end = ""
		if format := strings.ReplaceAll(args[0].Text, "%b", "%s"); len(args) > 1 && strings.Contains(format, "%s") {
			text = shell.Printf(format, args[1:])
		}
	}
	return lang.Unescaped(text + end)
}

// stringsOf are the strings of a program text in a word, and the parts of a substitution of sed.
func stringsOf(language code.Lang, w *shell.Word) (all []string) {
	for _, text := range code.Read(language, w.Text).Strings {
		if strings.ContainsAny(text, " \n") && len(all) < maxStrings {
			all = append(all, text)
		}
	}
	if text := w.Text; len(text) > 2 && text[0] == 's' && !shell.NameByte(text[1]) {
		all = append(all, strings.Split(text[2:], text[1:2])...)
	}
	return all
}
