package grammar

import (
	"slices"
	"strings"
)

// A Reading is a command pattern and what decides how it is read.
type Reading struct {
	Pattern    string
	Home       string
	PowerShell bool
	Claude     bool
	Placed     string // the pattern with the place of its program, where Windows has several spellings; for Wide
}

// Narrow compiles the pattern as allow reads it: wildcards outside quotes only,
// :* in the middle as itself, and for a .claude file ? as itself. A text that
// is no words is itself, blanks collapsed.
func (rd *Reading) Narrow() Glob {
	stem, tail := CutTail(rd.Pattern)
	if plainWords(stem) {
		return rd.fold(Glob{El: compileLiteral(stem), Tail: tail})
	}
	words, ok := lexWords(stem, rd.Home, !rd.PowerShell)
	if !ok {
		return rd.fold(Glob{El: compileLiteral(collapse(rd.Pattern))})
	}
	for _, w := range words {
		for i := range w {
			colon := i > 0 && w[i].r == '*' && w[i-1] == (char{':', outside})
			if colon || rd.Claude && w[i].r == '?' {
				w[i].m = inQuotes
			}
		}
	}
	return rd.fold(Glob{El: joinWords(words), Tail: tail})
}

// Wide compiles every way in which deny and ask read the pattern: wildcards in
// quotes count, quoting does not matter, ~ is itself as well as the home
// directory, name:args is name args, and for a .claude file a last blank and
// star are also nothing.
func (rd *Reading) Wide() []Glob {
	var globs []Glob
	add := func(pattern, home string) {
		stem, tail := CutTail(pattern)
		if plainWords(stem) {
			globs = append(globs, rd.fold(Glob{El: compileLiteral(stem), Tail: tail}))
			return
		}
		words, ok := lexWords(stem, home, !rd.PowerShell)
		if !ok {
			g := Compile(collapse(stem))
			g.Tail = tail
			if globs = append(globs, rd.fold(g)); rd.Claude {
				// half a quote, as in python3 -c ' *: what is quoted was taken apart
				g := Compile(collapse(strings.NewReplacer("'", "", `"`, "").Replace(stem)))
				g.Tail = tail
				globs = append(globs, rd.fold(g))
			}
			return
		}
		canonical := Glob{El: joinWords(words), Tail: tail}
		plain := Glob{El: joinPlain(words), Tail: tail}
		globs = append(globs, rd.fold(canonical))
		if !slices.Equal(canonical.El, plain.El) {
			globs = append(globs, rd.fold(plain))
		}
	}
	add(rd.Pattern, rd.Home)
	if strings.ContainsAny(rd.Pattern, "~$") {
		add(rd.Pattern, "")
	}
	if stem, ok := strings.CutSuffix(rd.Pattern, " *"); ok && rd.Claude && strings.Count(rd.Pattern, "*") == 1 {
		add(stem+":*", rd.Home)
	}
	if spaced, ok := colonForm(rd.Pattern); ok && !rd.Claude {
		add(spaced, rd.Home)
	}
	if rd.Placed != "" {
		add(rd.Placed, rd.Home)
	}
	return globs
}

// plainWords reports whether a text is words with one blank between them, none of a character that
// means something. Most rules are, and in canonical quoting and without any they are themselves.
func plainWords(text string) bool {
	blank := true // the last character, or the start
	for i := range len(text) {
		switch c := text[i]; {
		case plainByte(c):
			blank = false
		case c != ' ' || blank:
			return false
		default:
			blank = true
		}
	}
	return !blank
}

// Boundaries are the paths that words of a pattern begin and a wildcard ends.
func (rd *Reading) Boundaries() (places []string) {
	stem, _ := CutTail(rd.Pattern)
	words, _ := lexWords(stem, rd.Home, !rd.PowerShell)
	for _, word := range words {
		var head strings.Builder
		for _, c := range word {
			if c.wild() {
				if strings.Contains(head.String(), "/") {
					places = append(places, head.String())
				}
				break
			}
			head.WriteRune(c.r)
		}
	}
	return places
}

// Literal returns the words of a pattern that has no wildcard but one that ends it, of others none; open is set where
// the last word is only how one begins.
func (rd *Reading) Literal() (words []string, open bool) {
	stem, tail := CutTail(rd.Pattern)
	literal := strings.TrimRight(stem, "*")
	lexed, ok := lexWords(literal, rd.Home, !rd.PowerShell)
	if !ok || strings.ContainsAny(literal, "*?") || tail != 0 && literal != stem {
		return nil, false
	}
	for _, word := range lexed {
		words = append(words, string(joinPlain([][]char{word})))
	}
	return words, literal != stem && !strings.HasSuffix(literal, " ")
}

// CutTail takes a trailing :* off a pattern.
func CutTail(pattern string) (stem string, tail rune) {
	stem, ok := strings.CutSuffix(pattern, ":*")
	if !ok {
		return pattern, 0
	}
	return strings.TrimRight(stem, " \t"), ' '
}

// colonForm rewrites name:args, an older spelling, as name args.
func colonForm(pattern string) (string, bool) {
	word, _, _ := strings.Cut(pattern, " ")
	i := strings.IndexByte(word, ':')
	if i <= 0 || strings.HasPrefix(word[i:], "://") || word[i:] == ":*" {
		return "", false
	}
	return pattern[:i] + " " + pattern[i+1:], true
}

func collapse(text string) string { return strings.Join(strings.Fields(text), " ") }

// Canonical brings a text of words to canonical quoting.
func Canonical(text string) (quoted string, ok bool) {
	words, ok := lexWords(text, "", true)
	return string(joinWords(words)), ok
}

// joinWords joins words in canonical quoting.
func joinWords(words [][]char) []rune {
	var el []rune
	for i, w := range words {
		if i > 0 {
			el = append(el, ' ')
		}
		el = appendWord(el, w)
	}
	return el
}

// joinPlain joins words without any quoting; wildcards count wherever they are.
func joinPlain(words [][]char) []rune {
	var el []rune
	for i, w := range words {
		if i > 0 {
			el = append(el, ' ')
		}
		for _, c := range w {
			el = append(el, char{c.r, outside}.element())
		}
	}
	return el
}

// fold takes the case off a PowerShell pattern.
func (rd *Reading) fold(g Glob) Glob {
	if rd.PowerShell {
		for i, e := range g.El {
			if e > 0 {
				g.El[i] = FoldRune(e)
			}
		}
	}
	return g
}
