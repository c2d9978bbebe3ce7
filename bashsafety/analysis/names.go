package analysis

import (
	"iter"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// maxNames is how many files one word is taken to name at most.
const maxNames = 8

// A Name is an effect on a file that a word of a command may name, as it is spelled there, in one of its folders.
type Name struct {
	shell.Effect
	Spelled, Dir string
}

// Names yields the files that words of a command may name of which no literal says what they are: a Read, or a Write
// where an option or a verb says that the word names output. What is rather data, left out or on another machine is
// a Looks: rules that name it bind, and no more. Whether there is such a file has to be looked up.
func (s *Subcommand) Names(home string) iter.Seq[Name] {
	return func(yield func(Name) bool) {
		argv := s.Argv
		if s.Call != nil {
			argv = s.Call.Argv
		}
		cmdlet := s.ReadOnly && s.Call == nil // its table knows which words are files
		if s.Structural || !s.Here() || cmdlet {
			return
		}
		var said func(*shell.Effect) bool
		for i := 1; i < len(argv); i++ {
			w := &argv[i]
			unsaid, wholly := s.Call.Unsaid(i)
			pattern := w.Glob && !strings.Contains(w.Text, shell.HoleMark)
			if !unsaid || !w.Known && !pattern || !mayName(w.Text) {
				continue
			}
			if said == nil {
				said = s.said()
			}
			for name, kind := range namesIn(w.Text, home, s.countsAs(argv, i), pattern) {
				if kind == shell.Looks && (!wholly || pattern) {
					continue
				}
				dirs := s.Dirs
				if name[0] == '/' && len(dirs) == 0 {
					dirs = []string{"/"} // which does not matter
				}
				for _, dir := range dirs {
					at := name
					if name[0] != '/' {
						at = dir + "/" + name
					}
					e := shell.Effect{Kind: kind, Path: shell.CleanPath(at), Known: true, Named: true, Glob: pattern, Span: w.Span}
					if !said(&e) && !yield(Name{e, name, dir}) {
						return
					}
				}
			}
		}
	}
}

// mayName reports whether a word is no longer than a path, and of one line.
func mayName(text string) bool {
	return len(text) <= shell.MaxPath && !strings.ContainsAny(text, "\n\x00")
}

// countsAs is what a file counts as that the word at a place of argv names.
func (s *Subcommand) countsAs(argv []shell.Word, at int) shell.EffectKind {
	switch {
	case commands.LeavesOut(argv, at), s.Call.Inner(at), s.Call.OwnKey(at):
		return shell.Looks
	case s.Call.SaysOutput(argv, at):
		return shell.Write
	}
	return shell.Read
}

// said reports whether the literal says what an effect says; a file that is written is not said to be read.
func (s *Subcommand) said() func(e *shell.Effect) bool {
	kinds := make(map[string]shell.EffectKind, len(s.Effects))
	for i := range s.Effects {
		if o := &s.Effects[i]; kinds[o.Path] != shell.Write && o.Kind != shell.Execute {
			kinds[o.Path] = o.Kind
		}
	}
	return func(e *shell.Effect) bool {
		kind, ok := kinds[e.Path]
		return ok && (kind == e.Kind || e.Kind != shell.Write)
	}
}

// namesIn yields what programs take for files in a word, and as what each counts: all of it, the value of an option,
// and what follows @, :, = or a comma, with and without what follows another one.
func namesIn(word, home string, as shell.EffectKind, pattern bool) iter.Seq2[string, shell.EffectKind] {
	return func(yield func(string, shell.EffectKind) bool) {
		url := strings.Index(word, "://")
		if url < 0 || strings.HasSuffix(strings.ToLower(word[:url]), "file") {
			url = len(word)
		}
		glued := 0
		if len(word) > 2 && word[0] == '-' && word[1] != '-' {
			glued = 2
		}
		for i, seen := 0, 0; i < len(word) && seen < maxNames; i++ {
			if i > 0 && i != glued && strings.IndexByte("=@:,", word[i-1]) < 0 {
				continue
			}
			seen++
			rest := word[i:]
			if strings.HasPrefix(rest, "//") {
				rest = path.Clean(rest)
			}
			whole := rest
			if end := strings.IndexAny(rest, ",:"); end > 0 {
				whole = rest[:end]
			}
			names := [...]string{rest, whole}
			for _, name := range names[:1+min(1, len(rest)-len(whole))] {
				kind := as
				if i+len(rest) > url || !isName(name, pattern) || farSide(word[:i], name, home) {
					kind = shell.Looks
				} else if tail, ok := strings.CutPrefix(name, "~/"); ok && home != "" {
					name = home + "/" + tail
				}
				if name != "" && !yield(name, kind) {
					return
				}
			}
		}
	}
}

// isName reports whether a text may be the name of a file, or a pattern of names, and is not program text or a
// sentence.
func isName(text string, pattern bool) bool {
	if pattern {
		text = strings.NewReplacer("*", "x", "?", "x", "[", "x", "]", "x").Replace(text)
	}
	rooted := shell.StartsWithAny(text, "/", "~", `\\`, `.\`) || shell.OnDrive(text)
	return !strings.ContainsAny(text, "\t*?[]{}()|\"'`<>$;") && (rooted || !strings.ContainsAny(text, ` \`))
}

// farSide reports whether what follows a part of a word is a path on another machine: host:path, user@host:path.
// What is in the home is on this one, and what follows an option or a word in capitals.
func farSide(before, name, home string) bool {
	host, ok := strings.CutSuffix(before, ":")
	ok = ok && host != "" && host[0] != '-' && strings.ToUpper(host) != host
	return ok && (home == "" || !strings.HasPrefix(name, home+"/"))
}
