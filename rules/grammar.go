package rules

import "strings"

// A reading is a command pattern and what decides how it is read.
type reading struct {
	pattern    string
	home       string
	powershell bool
	claude     bool
}

// allows reports whether a pattern, read narrowly, covers the command.
func allows(rd *reading, c *Command) bool {
	g := rd.narrow()
	exact := g.plain()
	if c.Narrow != "" && !(exact && c.Spelled) {
		return false
	}
	texts := c.Allow
	if exact {
		texts = append(append([]Text(nil), c.Allow...), c.Exact...)
	}
	for _, t := range texts {
		if rd.powershell {
			t = foldTexts(t)
		}
		if all, _ := g.covers(t); all {
			return true
		}
	}
	return false
}

// narrow compiles the pattern as allow reads it: wildcards outside quotes only,
// :* in the middle as itself, and for a .claude file ? as itself. A text that
// is no words is itself, blanks collapsed.
func (rd *reading) narrow() glob {
	stem, tail := cutTail(rd.pattern)
	words, ok := lexWords(stem, rd.home, !rd.powershell)
	if !ok {
		return rd.fold(glob{el: compileLiteral(collapse(rd.pattern))})
	}
	for _, w := range words {
		for i := range w {
			colon := i > 0 && w[i].r == '*' && w[i-1] == (char{':', outside})
			if colon || rd.claude && w[i].r == '?' {
				w[i].m = inQuotes
			}
		}
	}
	return rd.fold(glob{el: joinWords(words), tail: tail})
}

// wide compiles every way in which deny and ask read the pattern: wildcards in
// quotes count, quoting does not matter, ~ is itself as well as the home
// directory, name:args is name args, and for a .claude file a last blank and
// star are also nothing.
func (rd *reading) wide() []glob {
	var globs []glob
	add := func(pattern, home string) {
		stem, tail := cutTail(pattern)
		words, ok := lexWords(stem, home, !rd.powershell)
		if !ok {
			g := compileGlob(collapse(stem))
			g.tail = tail
			if globs = append(globs, rd.fold(g)); rd.claude {
				// half a quote, as in python3 -c ' *: what is quoted was taken apart
				g := compileGlob(collapse(strings.NewReplacer("'", "", `"`, "").Replace(stem)))
				g.tail = tail
				globs = append(globs, rd.fold(g))
			}
			return
		}
		canonical := glob{el: joinWords(words), tail: tail}
		plain := glob{el: joinPlain(words), tail: tail}
		globs = append(globs, rd.fold(canonical))
		if !equalRunes(canonical.el, plain.el) {
			globs = append(globs, rd.fold(plain))
		}
	}
	add(rd.pattern, rd.home)
	if strings.ContainsAny(rd.pattern, "~$") {
		add(rd.pattern, "")
	}
	if stem, ok := strings.CutSuffix(rd.pattern, " *"); ok && rd.claude && strings.Count(rd.pattern, "*") == 1 {
		add(stem+":*", rd.home)
	}
	if spaced, ok := colonForm(rd.pattern); ok && !rd.claude {
		add(spaced, rd.home)
	}
	return globs
}

// Boundaries are the paths that words of an allow rule begin and a wildcard ends: what it
// means is below their folder.
func (p *Policy) Boundaries(r *Rule) (places []string) {
	if !strings.Contains(r.Pattern, "/") || !strings.ContainsAny(r.Pattern, "*?") || !commandTool(r.Tool) {
		return nil
	}
	stem, _ := cutTail(strings.TrimSpace(r.Pattern))
	words, _ := lexWords(stem, p.Home.Given, r.Tool != "PowerShell")
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

// cutTail takes a trailing :* off a pattern.
func cutTail(pattern string) (stem string, tail rune) {
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

func equalRunes(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// fold takes the case off a PowerShell pattern.
func (rd *reading) fold(g glob) glob {
	if rd.powershell {
		for i, e := range g.el {
			if e > 0 {
				g.el[i] = foldRune(e)
			}
		}
	}
	return g
}

func foldTexts(t Text) Text {
	out := make(Text, len(t))
	for i, p := range t {
		out[i] = Piece{Lit: foldText(p.Lit), Hole: p.Hole}
	}
	return out
}
