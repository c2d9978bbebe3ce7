package oracle

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A generator writes valid shell scripts from the grammar in gen_tables_linux_test.go. The same seed gives
// the same scripts.
type generator struct {
	r       *rand.Rand
	tongue           // what the shell knows
	left    int      // choices left before only short ones are taken
	unique  int      // numbers the arguments, so that no two programs look alike
	pending []string // bodies of here-documents that begin at the next newline
}

func newGenerator(seed uint64, t tongue) *generator {
	return &generator{r: rand.New(rand.NewPCG(seed, 17)), tongue: t}
}

// script returns one text.
func (g *generator) script() string {
	g.left, g.unique, g.pending = 3+g.r.IntN(28), 0, nil
	s := g.fill("§T")
	return s + g.bodies()
}

// A rule is what a symbol may become. The first leaves of the alternatives end quickly.
type rule struct {
	symbol rune
	leaves int
	alts   []string
}

// bashOnly precedes an alternative that POSIX does not have.
const bashOnly = "¡"

// fill replaces every symbol of a template: § and one letter.
func (g *generator) fill(template string) string {
	var b strings.Builder
	for {
		i := strings.Index(template, "§")
		if i < 0 {
			b.WriteString(template)
			return b.String()
		}
		b.WriteString(template[:i])
		template = template[i+len("§"):]
		symbol := []rune(template)[0]
		template = template[len(string(symbol)):]
		b.WriteString(g.symbol(symbol))
	}
}

func (g *generator) symbol(symbol rune) string {
	switch symbol {
	case 'u':
		g.unique++
		return "a" + strconv.Itoa(g.unique)
	case ';':
		return g.separator()
	case 'N':
		return g.newline()
	case 'B':
		return g.isolated()
	case 'H':
		return g.heredoc()
	case 'G':
		return g.backquoted(false)
	case 'g':
		return g.backquoted(true)
	case 'Q':
		return g.quoted(g.isolated())
	}
	for i := range g.also {
		if r := &g.also[i]; r.symbol == symbol && (g.r.IntN(3) == 0 || !inGrammar(symbol)) {
			return g.fill(g.choose(r))
		}
	}
	for i := range grammar {
		if grammar[i].symbol == symbol {
			return g.fill(g.choose(&grammar[i]))
		}
	}
	panic("no rule for " + string(symbol))
}

func inGrammar(symbol rune) bool {
	return slices.ContainsFunc(grammar[:], func(r rule) bool { return r.symbol == symbol })
}

func (g *generator) choose(r *rule) string {
	alts := r.alts
	if g.left--; g.left <= 0 {
		alts = alts[:r.leaves]
	}
	for {
		alt := alts[g.r.IntN(len(alts))]
		rest, bash := strings.CutPrefix(alt, bashOnly)
		if !bash || !g.posix {
			return rest
		}
	}
}

// newline ends a line, after which the bodies of its here-documents come.
func (g *generator) newline() string {
	if g.r.IntN(8) == 0 {
		return " " + g.fill("§#") + "\n" + g.bodies()
	}
	return "\n" + g.bodies()
}

func (g *generator) separator() string {
	if len(g.pending) > 0 || g.r.IntN(3) == 0 {
		return g.newline()
	}
	if g.r.IntN(12) == 0 {
		return " & "
	}
	return "; "
}

func (g *generator) bodies() string {
	if len(g.pending) == 0 {
		return ""
	}
	s := strings.Join(g.pending, "\n") + "\n"
	g.pending = nil
	return s
}

// isolated returns a list whose here-documents end inside it.
func (g *generator) isolated() string {
	outer := g.pending
	g.pending = nil
	s := g.fill("§L")
	if len(g.pending) > 0 {
		s += "\n" + g.bodies()
	}
	g.pending = outer
	return s
}

// backquoted returns a list as it is written between backquotes.
func (g *generator) backquoted(inQuotes bool) string {
	s := g.isolated()
	s = strings.ReplaceAll(s, `\`, `\\`)
	s = strings.ReplaceAll(s, "`", "\\`")
	if inQuotes {
		s = strings.ReplaceAll(s, `"`, `\"`)
	}
	return s
}

// quoted returns one word that holds the text.
func (g *generator) quoted(s string) string {
	switch n := g.r.IntN(4); {
	case n == 0:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
	case n == 1 && !g.posix:
		return `$'` + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + `'`
	}
	return `'` + strings.ReplaceAll(s, `'`, `'\''`) + `'`
}

// heredoc returns the operator and leaves the body for the next newline.
func (g *generator) heredoc() string {
	op, word, end, lines := "<<", g.fill("§E"), "", []string{}
	tabs := g.r.IntN(4) == 0
	if tabs {
		op = "<<-"
	}
	end = strings.NewReplacer(`\`, "", `"`, "", "'", "", "$", "").Replace(word)
	quoted := end != word
	outer := g.pending
	g.pending = nil
	for range g.r.IntN(3) {
		if quoted {
			lines = append(lines, g.fill("§r"))
		} else {
			lines = append(lines, g.fill("§h"))
		}
	}
	if tabs && g.r.IntN(2) == 0 {
		end = "\t" + end
	}
	g.pending = append(outer, strings.Join(append(lines, end), "\n"))
	if g.r.IntN(4) == 0 {
		op += " "
	}
	return op + word
}
