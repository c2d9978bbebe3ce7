package words

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio/redact"
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
		{"REMOTE", func() []string { return refspec(operands(c, sub, n), 0) }},
		{"BRANCH", func() []string { return refspec(operands(c, sub, n), 1) }},
		{"CURRENT", func() []string { return current(sub) }},
		{"PATTERN", func() []string { return quoted(Pattern(sub)) }},
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

// quoted is a name, none where it is empty.
func quoted(name string) []string {
	if name == "" {
		return nil
	}
	return []string{say.Quoted(name)}
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
			if one := f.Span != sub.Span; e.Kind != kind || one && e.Span != f.Span {
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

// operands are the words after the first n, as they are written, up to an option. It returns nil where an option that
// is not known may have one of them for its value, and where a word is a secret after the one before it.
func operands(c facts.Facts, sub *bashsafety.Subcommand, n int) (names []string) {
	spelled := facts.Spell(sub.Argv)
	shown, _ := redact.Text(spelled)
	if shown != spelled || sub.Call == nil || len(sub.Call.Argv) != len(sub.Argv) {
		return nil
	}
	for i := n; i < len(sub.Argv); i++ {
		w := &sub.Argv[i]
		option := strings.HasPrefix(w.Text, "-") && len(w.Text) > 1
		switch value := slices.Contains(sub.Call.Values, i); {
		case (option || value) && len(names) > 0:
			return names
		case option && unlisted(sub, w.Text):
			return nil
		case option || value:
		case w.Known:
			names = append(names, say.Quoted(w.Text))
		default:
			written := strings.Trim(facts.Source(c.Script(), w.Span), `"`)
			if !strings.HasPrefix(written, "$") && !w.Glob {
				return nil
			}
			names = append(names, say.Quoted(written))
		}
	}
	return names
}

// unlisted reports whether a program may give an option the next word, as it is not listed.
func unlisted(sub *bashsafety.Subcommand, option string) bool {
	name, _, valued := strings.Cut(strings.TrimLeft(option, "-"), "=")
	named := func(unknown string) bool { return strings.TrimLeft(unknown, "-") == name }
	return !valued && slices.ContainsFunc(sub.Call.Unknown, named)
}

// refspec is one of two operands, which name a remote and a branch.
func refspec(names []string, i int) []string {
	if len(names) != 2 || strings.ContainsAny(names[1], ":+*/") {
		return nil
	}
	return names[i : i+1]
}

// current is the branch that git push pushes where no word says which.
func current(sub *bashsafety.Subcommand) []string {
	if sub.Call != nil && len(sub.Call.Operands) == 0 && !sub.Call.Has("all", "branches", "tags", "mirror", "repo") {
		return []string{"the current branch"}
	}
	return nil
}

// Pattern is what find is told that the names of what it deletes look like, where that is all it is told.
func Pattern(sub *bashsafety.Subcommand) string {
	acts := func(w bashsafety.Word) bool { return w.Text == "-delete" || w.Text == "-exec" || w.Text == "-execdir" }
	names, plain := sub.SoughtNames()
	if !plain || len(names) != 1 || !names[0].Known {
		return ""
	}
	if at := slices.IndexFunc(sub.Argv, acts); at >= 0 && sub.Argv[at].Span.Start < names[0].Span.Start {
		return "" // what comes after it tests nothing
	}
	return names[0].Text
}

// addresses are where a command, or what it reads the output of, connects to.
func addresses(c facts.Facts, sub *bashsafety.Subcommand) (names []string) {
	for _, by := range append([]*bashsafety.Subcommand{sub}, feeders(c, sub)...) {
		for i := range by.Effects {
			switch e := &by.Effects[i]; {
			case e.Kind != bashsafety.Network || slices.Contains(names, say.Quoted(e.Path)):
			case !e.Known || e.Path == "":
				return nil
			default:
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
		if len(names) == 0 && bashsafety.TellsVariables(by) {
			names = append(names, "the environment")
		}
	}
	return names
}

// statement is the one statement of SQL of a command, where that drops, empties or deletes.
func statement(sub *bashsafety.Subcommand) (found []string) {
	const longest = 60
	for i := range sub.Argv {
		text := strings.TrimRight(sub.Argv[i].Text, "; \n")
		words := strings.Fields(strings.ToLower(text) + " . .")
		switch words[0] + " " + words[1] {
		case "drop table", "drop database", "drop schema", "drop view", "drop index", "truncate table", "delete from":
			if len(found) > 0 || len(text) > longest || strings.Contains(text, ";") {
				return nil
			}
			found = append(found, say.Quoted(text))
		}
	}
	return found
}
