package words

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/say"
)

// about puts what a finding is about into a title (bashsafety.Said): n words of the command are those that the title
// speaks of. ok is false where something of it is not known.
func about(c facts.Facts, f *bashsafety.Finding, sub *bashsafety.Subcommand, n int, title string) (text string, ok bool) {
	text = title
	for _, of := range [...]struct {
		word string
		find func() []string
	}{
		{"FILE", func() []string { return changed(c, f, sub) }},
		{"NAME", func() []string { return operands(c, sub, n) }},
		{"FIRST", func() []string { return ofTwo(operands(c, sub, n), 0) }},
		{"SECOND", func() []string { return ofTwo(operands(c, sub, n), 1) }},
		{"PATTERN", func() []string { return pattern(sub) }},
		{"URL", func() []string { return addresses(c, sub) }},
		{"SECRET", func() []string { return secrets(c, sub) }},
		{"STATEMENT", func() []string { return statement(sub) }},
	} {
		if strings.Contains(text, of.word) {
			names := of.find()
			if len(names) == 0 {
				return "", false
			}
			text = strings.ReplaceAll(text, of.word, listed(names))
		}
	}
	return text, true
}

// listed are the first names of a list, in words.
func listed(names []string) string {
	const most = 3
	switch n := len(names); {
	case n > most:
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(n-most) + " more"
	case n > 1:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}

// changed are the files that a command deletes, else those that it writes; where a finding is about one, that.
func changed(c facts.Facts, f *bashsafety.Finding, sub *bashsafety.Subcommand) (names []string) {
	for _, kind := range [...]bashsafety.EffectKind{bashsafety.Delete, bashsafety.Write} {
		for i := range sub.Effects {
			e := &sub.Effects[i]
			if e.Kind != kind || kind == bashsafety.Write && f.Span != sub.Span && e.Span != f.Span {
				continue
			}
			if !e.Known || e.Glob {
				return nil
			}
			names = append(names, facts.Quoted(c.Policy(), e.Path))
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
}

// operands are the words after the first n, as they are written, up to an option; nil where an option before them may
// have one for its value.
func operands(c facts.Facts, sub *bashsafety.Subcommand, n int) (names []string) {
	for i := n; i < len(sub.Argv); i++ {
		w, value := &sub.Argv[i], false
		if sub.Call != nil && len(sub.Call.Argv) == len(sub.Argv) {
			value = slices.Contains(sub.Call.Values, i)
		}
		switch option := strings.HasPrefix(w.Text, "-") && len(w.Text) > 1; {
		case (option || value) && len(names) > 0:
			return names
		case option || value:
		case len(names) == 0 && i > n && sub.Call == nil:
			return nil
		case w.Known:
			names = append(names, say.Quoted(w.Text))
		default:
			written := strings.Trim(facts.Source(c.Script(), w.Span), `"`)
			if written == "" {
				return nil
			}
			names = append(names, say.Quoted(written))
		}
	}
	return names
}

// ofTwo is one of two operands.
func ofTwo(names []string, i int) []string {
	if len(names) != 2 {
		return nil
	}
	return names[i : i+1]
}

// pattern is what find is told that names look like, where that is all it is told.
func pattern(sub *bashsafety.Subcommand) (names []string) {
	for i := 1; i+1 < len(sub.Argv); i++ {
		switch sub.Argv[i].Text {
		case "-name", "-iname":
			names = append(names, say.Quoted(sub.Argv[i+1].Text))
		case "!", "-not", "-o", "-or":
			return nil
		}
	}
	if len(names) > 1 {
		return nil
	}
	return names
}

// addresses are where a command, or what it reads the output of, connects to.
func addresses(c facts.Facts, sub *bashsafety.Subcommand) (names []string) {
	for _, by := range append([]*bashsafety.Subcommand{sub}, feeders(c, sub)...) {
		for i := range by.Effects {
			if e := &by.Effects[i]; e.Kind == bashsafety.Network && e.Known && e.Path != "" && len(names) == 0 {
				names = append(names, say.Quoted(e.Path))
			}
		}
	}
	return names
}

// feeders are the commands whose output a command reads.
func feeders(c facts.Facts, sub *bashsafety.Subcommand) (all []*bashsafety.Subcommand) {
	for _, i := range sub.From {
		all = append(all, &c.Script().Subcommands[i])
	}
	return all
}

// secrets are the files with secrets that a command, or what it reads the output of, reads; else the environment where
// that is printed.
func secrets(c facts.Facts, sub *bashsafety.Subcommand) (names []string) {
	for _, by := range append([]*bashsafety.Subcommand{sub}, feeders(c, sub)...) {
		for _, e := range by.Effects {
			if e.Known && c.Script().HoldsSecret(e) {
				names = append(names, facts.Quoted(c.Policy(), e.Path))
			}
		}
		if len(names) == 0 && (by.Program == "env" || by.Program == "printenv") {
			names = append(names, "the environment")
		}
	}
	return names
}

// statement is the beginning of a statement of SQL that drops, empties or deletes, as a word of the command has it.
func statement(sub *bashsafety.Subcommand) []string {
	const most = 3
	for i := range sub.Argv {
		words := strings.Fields(strings.TrimRight(sub.Argv[i].Text, "; \n"))
		for k, w := range words {
			switch strings.ToLower(w) {
			case "drop", "truncate", "delete":
				if len(words) > k+1 && len(words) > 1 {
					return []string{say.Quoted(strings.Join(words[k:min(len(words), k+most)], " "))}
				}
			}
		}
	}
	return nil
}
