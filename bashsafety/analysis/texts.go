package analysis

import (
	"iter"
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
	if program := commands.TableName(sub.Program); sub.Code || shell.Among("sed awk jq yq", program) {
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
func (a *Analysis) InFile(file *shell.Effect, end int) []string {
	var texts []string
	for _, text := range a.inFile(file, end, nil) {
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) > 1 {
		texts = append(texts, strings.Join(texts, ""))
	}
	return texts
}

func (a *Analysis) inFile(file *shell.Effect, end int, around []int) (texts []string) {
	for k := range a.writers(file, end) {
		texts = append(texts, a.printed(k, around)...)
	}
	return texts
}

// writers are the subcommands before the index end that write the file of an effect.
func (a *Analysis) writers(file *shell.Effect, end int) iter.Seq[int] {
	spelled := a.spelled(file)
	return func(yield func(int) bool) {
		for k := range a.Subcommands[:end] {
			writes := false
			for e := range a.Subcommands[k].Puts {
				same := e.Known && file.Known && e.Path == file.Path
				writes = writes || same || spelled != "" && a.spelled(e) == spelled
			}
			if writes && !yield(k) {
				return
			}
		}
	}
}

// Obscured reports whether a subcommand before the index end writes a file out of what the text holds in a form that
// cannot be read: decoded, or as the value of a variable that is not known.
func (a *Analysis) Obscured(file *shell.Effect, end int) bool {
	for k := range a.writers(file, end) {
		if file.Known && a.obscures(k) {
			return true
		}
	}
	return false
}

func (a *Analysis) obscures(k int) bool {
	sub := &a.Subcommands[k]
	const decoders = "base64 base32 basenc xxd uudecode openssl gunzip zcat bunzip2 unxz tr rev"
	if shell.Among(decoders, sub.Program) && (sub.StdinText != nil || len(a.Fed(k)) > 0) {
		return true
	}
	if a.asked++; a.asked > maxAsked {
		return true
	}
	if slices.ContainsFunc(a.sources(k), func(from int) bool { return from < k && a.obscures(from) }) {
		return true
	}
	for i := range sub.Effects {
		if e := &sub.Effects[i]; (e.Kind == shell.Read || e.Kind == shell.Delete) && a.Obscured(e, k) {
			return true
		}
	}
	text := spoken(sub)
	switch {
	case text == "":
		return false
	case strings.Trim(text, shell.HoleMark+" \n") == "":
		return strings.Contains(text, shell.HoleMark)
	case shell.ContainsAny(text, `\x`, `\0`, `\1`, `\u`): // printf '\162m x'
		return true
	}
	return sub.Program == "printf" && slices.ContainsFunc(sub.Argv[1:], func(w shell.Word) bool {
		return shell.ContainsAny(w.Text, "%c", "$s")
	})
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
