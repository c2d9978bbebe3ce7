package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// maxGlued bounds the words that are put together with the text around them.
const maxGlued = 256

// mentionGlued adds the paths that an opening makes of a word of the text with what
// it has before and after it: .$x of env.
func (c *Case) mentionGlued(open []opening, words map[string]bool) {
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
		for word := range words {
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
func (c *Case) mentionBelow(word string, dirs []string) {
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
