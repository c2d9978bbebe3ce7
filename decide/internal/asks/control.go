package asks

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// immuneNamedControl asks where the text spells a file that decides what runs later, and a program text changes files
// or a command changes one that it is handed by what spells it. Where exactly is only known when it runs.
func immuneNamedControl(c facts.Facts) (all []verdict.Question) {
	for _, o := range c.Openings() {
		name := ""
		part := facts.Spell(o.Sub.Argv)
		if o.U == nil && mentionsEnviron(c) {
			all = append(all, must(verdict.Secret, "process-environment", verdict.Reason{Part: part, What: c.Doer(o.Sub),
				Text: "may read the environment of a process", Why: "which may contain secrets of other programs"}))
		}
		switch {
		case o.U == nil && o.Sub.CodeChanges():
			name = cmp.Or(namesControl(c), joinsControl(o.Sub), o.Sub.CodeFindsGate())
		case o.Writes:
			name = handed(c, &o)
		}
		if name != "" {
			all = append(all, must(verdict.Control, "sensitive-path", verdict.Reason{Part: part, What: c.Doer(o.Sub), Text: "may change",
				Target: facts.Quoted(c.Policy(), name), Why: "which decides what runs later"}))
		}
	}
	return all
}

// mentionsEnviron reports whether the text spells the environment of a process.
func mentionsEnviron(c facts.Facts) bool {
	for m := range c.Mentions() {
		if couldBeEnviron(m.Path.Given) {
			return true
		}
	}
	return false
}

// namesControl returns the first file that the text spells and that decides what runs later; "" for none.
func namesControl(c facts.Facts) string {
	for m := range c.Mentions() {
		word := m.Text
		if rest, ok := strings.CutPrefix(word, c.Policy().Home.Given+"/"); ok && !wholeInText(c, word) {
			word = rest // the text may put the home before it
		}
		if meansControl(word) && guard.ControlPath(m.Path.Given) {
			return m.Path.Given
		}
	}
	return ""
}

// joinsControl returns such a file that a program text puts together: join(home, ".claude", "settings.json"), home /
// ".bashrc".
func joinsControl(sub *bashsafety.Subcommand) string {
	for _, t := range sub.Programs {
		for _, path := range t.Strings {
			path = strings.TrimPrefix(strings.TrimPrefix(path, bashsafety.HoleMark), "~")
			if strings.Contains(path, "/") && meansControl(path) && guard.ControlPath("/"+path) {
				return path
			}
		}
	}
	return ""
}

// wholeInText reports whether the text, or a word that it comes to, has a path whole.
func wholeInText(c facts.Facts, name string) bool {
	has := func(w bashsafety.Word) bool { return strings.Contains(w.Text, name) }
	says := func(s bashsafety.Subcommand) bool { return slices.ContainsFunc(s.Argv, has) }
	return strings.Contains(c.Script().Text, name) || slices.ContainsFunc(c.Script().Subcommands, says)
}

// meansControl reports whether a word may be meant for a file to change: a folder without a path to it, or all that
// is in one, is rather what a search leaves out.
func meansControl(word string) bool {
	word = strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/")
	name := path.Base(word)
	records := func(folder string) bool { return strings.Contains(word+"/", folder) && !strings.HasSuffix(word, ".md") }
	if slices.ContainsFunc([]string{".claude/projects/", ".codex/sessions/", ".cursor/chats/"}, records) {
		return false // of sessions: nothing runs
	}
	if word == "" || strings.ContainsAny(name, "*?[") || strings.HasPrefix(name, ".env") {
		return false
	}
	return strings.Contains(word, "/") || !guard.ControlPath("/"+name+"/x")
}

// handed returns the file that decides what runs later, or permgate itself, which a command is handed by a pipe or a
// substitution, by what runs it, or by a variable that holds what a lookup of permgate prints; "" for none.
func handed(c facts.Facts, o *facts.Opening) string {
	for k := range c.Script().Subcommands {
		s := &c.Script().Subcommands[k]
		if s == o.Sub {
			continue // what it reads itself is known
		}
		near := slices.Contains(o.Sub.From, k) || o.Sub.Span.Contains(s.Span) || s.Span.Contains(o.Sub.Span)
		for i := 1; i < len(s.Argv); i++ {
			w := &s.Argv[i]
			if strings.Contains(w.Text, "permgate") && s.LooksUpFiles() && (near || !o.U.Effect().Known) {
				return w.Text
			}
			spelled := (w.Known || w.Glob) && !strings.HasPrefix(w.Text, "-") && meansControl(w.Text)
			if near && spelled && guard.ControlPath(path.Join("/", w.Text)) {
				return w.Text
			}
		}
	}
	return ""
}
