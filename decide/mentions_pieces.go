package decide

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// maxGlued bounds the words that are put together with the text around them.
const maxGlued = 256

// mentionGlued adds the paths that an opening makes of a word of the text with what
// it has before and after it: .$x of env.
func (c *reading) mentionGlued(open []opening, words map[string]bool) {
	if len(words) > maxGlued {
		return
	}
	glued := map[string]bool{}
	for i := range open {
		u := open[i].u
		if u == nil || len(glued) == 4 || glued[u.effect.Path] {
			continue
		}
		head, tail, ok := cutName(u.effect.Path)
		if !ok {
			continue
		}
		glued[u.effect.Path] = true
		for _, word := range slices.Sorted(maps.Keys(words)) {
			if word[0] != '/' && word[0] != '~' {
				name := path.Clean(head + word + tail)
				c.mentioned = append(c.mentioned, mention{text: word, path: rules.Path{Given: name}})
			}
		}
	}
}

// cutName returns the text around the one unknown part of an absolute path, unless
// that part is a whole name, which is a word as it is.
func cutName(name string) (head, tail string, ok bool) {
	head, tail, ok = strings.Cut(name, bashsafety.HoleMark)
	if !ok || !strings.HasPrefix(head, "/") || strings.Contains(tail, bashsafety.HoleMark) {
		return "", "", false
	}
	whole := head == path.Dir(head+"x")+"/" && (tail == "" || tail[0] == '/')
	return head, tail, !whole
}

// mentionBelow adds an ending that a program may look for in all folders: *.pem.
func (c *reading) mentionBelow(word string, dirs []string) {
	if !strings.HasPrefix(word, "*.") || strings.Contains(word, "/") || len(word) < 4 {
		return
	}
	for _, dir := range dirs {
		glob := dir + "/**/" + word
		c.mentioned = append(c.mentioned, mention{text: word, path: rules.Path{Given: glob, Real: glob}, glob: glob,
			look: true})
	}
}

// joined is program text without what puts two strings together: "." + "env".
func joined(text string) string {
	out := strings.Builder{}
	for i := 0; i < len(text); i++ {
		if q := text[i]; q == '"' || q == '\'' {
			rest := strings.TrimLeft(text[i+1:], " +")
			if next := len(text) - len(rest); rest != "" && (rest[0] == '"' || rest[0] == '\'') && next > i+1 {
				i = next
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// wordUnits are the files that the words of a command may name of which no literal says
// what they are: rules about reading that name one bind.
func (c *matcher) wordUnits(sub *bashsafety.Subcommand) {
	if sub.Structural || sub.Remote || len(sub.Argv) < 2 || !c.restrictsReads() {
		return
	}
	for i := 1; i < len(sub.Argv); i++ {
		w := &sub.Argv[i]
		if named := w.Known && len(w.Text) <= maxPath && !strings.ContainsAny(w.Text, "\n\x00"); !named || !sub.Call.Unsaid(i) {
			continue
		}
		for part := range parts(w.Text) {
			for _, dir := range sub.Dirs {
				p := c.World.PathIn(part, dir)
				e := &bashsafety.Effect{Kind: bashsafety.Looks, Path: p.Given, Known: true, Span: w.Span}
				s := rules.Subject{Tool: "Read", Path: &p}
				c.units = append(c.units, unit{subject: s, text: part, sub: sub, effect: e, word: true})
			}
		}
	}
}

// restrictsReads reports whether a rule denies or asks about reading some files.
func (c *matcher) restrictsReads() bool {
	if c.reads == nil {
		speaks := func(r rules.Rule) bool { return !r.Bare && r.Tool == "Read" }
		some := slices.ContainsFunc(c.strictLists(), func(l denyList) bool { return slices.ContainsFunc(l.rules, speaks) })
		c.reads = &some
	}
	return *c.reads
}

// parts are a word and what programs take for files in it: the value of an option, and what
// follows @, : or =, with and without what follows a comma.
func parts(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		glued := 0
		if len(word) > 2 && word[0] == '-' && word[1] != '-' {
			glued = 2
		}
		for i, seen := 0, 0; i < len(word) && seen < maxMarks; i++ {
			if i > 0 && i != glued && strings.IndexByte("=@:", word[i-1]) < 0 {
				continue
			}
			seen++
			if whole, _, more := strings.Cut(word[i:], ","); !yield(word[i:]) || more && !yield(whole) {
				return
			}
		}
	}
}

// namesTree reports whether a rule is about all below a folder and a word is the plain
// name of that: build of deny Read(./build/**) is more likely a task.
func namesTree(r *rules.Rule, u *unit) bool {
	dir, tree := strings.CutSuffix(r.Pattern, "/**")
	return tree && !strings.Contains(u.text, "/") && (dir == u.text || strings.HasSuffix(dir, "/"+u.text))
}
