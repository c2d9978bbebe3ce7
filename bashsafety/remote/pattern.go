package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// fitsPattern reports whether a pattern describes the command.
func (r *reading) fitsPattern(pattern string) bool {
	var room [8]string
	words := room[:0]
	for token := range strings.FieldsSeq(pattern) {
		switch {
		case token[0] == '!' && len(token) > 2 && token[1] == '~':
			if r.holds(token[2:]) {
				return false
			}
		case token[0] == '!':
			if r.given(token[1:]) {
				return false
			}
		case token[0] == '~':
			if !r.holds(token[1:]) {
				return false
			}
		case token[0] == '-' && len(token) > 1:
			if !r.given(token) {
				return false
			}
		default:
			words = append(words, token)
		}
	}
	return fitsWords(words, r.words)
}

// holds reports whether a word or the value of an option holds a text.
func (r *reading) holds(text string) bool {
	for _, w := range r.words {
		if strings.Contains(w.Text, text) {
			return true
		}
	}
	for i := range r.opts {
		if v := r.opts[i].value; v != nil && strings.Contains(v.Text, text) {
			return true
		}
	}
	return false
}

// given reports whether an option of a pattern's token was given.
func (r *reading) given(token string) bool {
	options, value, valued := strings.Cut(token, "=")
	for option := range strings.SplitSeq(options, "|") {
		name := strings.TrimLeft(option, "-")
		for i := range r.opts {
			if o := &r.opts[i]; o.means(name) && o.says(value, valued) {
				return true
			}
		}
	}
	return false
}

// means reports whether an option is, abbreviates or may be the one of that name.
func (g *argOption) means(name string) bool {
	if star := strings.TrimSuffix(name, "*"); star != name {
		return strings.HasPrefix(g.name, star)
	}
	switch {
	case len(name) == 1 || len(g.name) == 1:
		return g.name == name || g.hole && strings.HasPrefix(name, g.name)
	case g.hole || len(g.name) > 2:
		return len(g.name) <= len(name) && strings.EqualFold(g.name, name[:len(g.name)])
	}
	return g.name == name
}

// says reports whether an option is on, or has the value that is asked for.
func (g *argOption) says(value string, valued bool) bool {
	if !valued {
		return !g.off()
	}
	return g.value != nil && wordFits(value, g.value)
}

// off reports whether an option was given with a value that takes it back.
func (g *argOption) off() bool {
	return g.value != nil && g.value.Known && shell.Among("false no none off 0 f", strings.ToLower(g.value.Text))
}

// fitsWords reports whether words begin as a pattern says. A word of which
// nothing is known may be an option, or no word at all.
func fitsWords(pattern []string, words []*shell.Word) bool {
	if len(pattern) == 0 || len(words) == 0 {
		return fitsNothing(pattern)
	}
	p, next := pattern[0], pattern[1:]
	w, rest := words[0], words[1:]
	if p == "**" {
		return fitsWords(next, words) || !plainVerb(w) && fitsWords(pattern, rest)
	}
	if mayVanish(p, w) && fitsWords(pattern, rest) {
		return true
	}
	return p != "$" && wordFits(p, w) && fitsWords(next, rest)
}

// mayVanish reports whether a word of which nothing is known may be an option, or,
// where the pattern ends, no word at all.
func mayVanish(p string, w *shell.Word) bool { return nothingKnown(w) && (p != "$" || !w.Single) }

// fitsNothing reports whether a pattern describes a command without words.
func fitsNothing(pattern []string) bool {
	for _, p := range pattern {
		if p != "**" {
			return p == "$"
		}
	}
	return true
}

// wordFits reports whether a word is, or may be, one that a pattern names.
func wordFits(pattern string, w *shell.Word) bool {
	lit := shell.LiteralPrefix(w)
	for p := range strings.SplitSeq(pattern, "|") {
		if p == "*" || w.Known && like(p, w.Text) || p == "@" && saysLoss(w) {
			return true
		}
		if !w.Known && lit != "" && mayBecome(p, lit) {
			return true
		}
	}
	return false
}

// mayBecome reports whether a word that begins with a text may fit a pattern.
func mayBecome(pattern, start string) bool {
	head, _, star := strings.Cut(pattern, "*")
	return strings.HasPrefix(head, start) || star && strings.HasPrefix(start, head)
}

// like reports whether a text fits a pattern with * for any run of characters.
func like(pattern, text string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return strings.EqualFold(pattern, text)
	}
	if len(text) < len(head) || !strings.EqualFold(text[:len(head)], head) {
		return false
	}
	if text = text[len(head):]; rest == "" {
		return true
	}
	for i := 0; i <= len(text); i++ {
		if like(rest, text[i:]) {
			return true
		}
	}
	return false
}
