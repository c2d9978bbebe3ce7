package algebra

import (
	"slices"
	"strings"
	"unicode"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// commandTexts are the commands there are: words by single blanks, each as Quote writes
// it, holes in their places.
type commandTexts struct{ pools [][]string }

// The states of commandTexts: seven of a word without quotes, by what bareWord knows of
// it, the same within quotes until something needs them, and those after that.
const (
	wordStart = iota
	afterHole
	afterAlnum // or ^: a ~ that follows is itself
	afterOther
	inBrace // and the same three once there was a brace, with . for one
	inBraceAlnum
	inBraceDot
	needless
	needed      = 2 * needless
	closed      = needed + 1 // after the last quote sign
	unclosed    = needed + 2 // after a quote sign that is part of an escape
	escape      = needed + 3 // after its backslash
	signEscaped = needed + 4 // after the quote sign that it is of
	allTexts    = needed + 5
)

func (c commandTexts) Next(state int, r automaton.Symbol) (int, bool) {
	switch {
	case r == automaton.Any || r == automaton.Single:
		return nextHole(state)
	case r <= 0 || r > unicode.MaxRune:
		return 0, false
	case r == ' ' && (state < needless || state == closed):
		return wordStart, state != wordStart
	case state >= needless:
		return nextQuoted(state, r)
	case r == '\'':
		return needless, state == wordStart
	}
	return nextBare(state, r)
}

func nextHole(state int) (int, bool) {
	switch {
	case state < needless:
		return afterHole, true
	case state < needed:
		return needless + afterHole, true
	}
	return state, state == needed
}

// nextBare is what bareWord knows after one more character.
func nextBare(state int, r rune) (int, bool) {
	if !grammar.BareRune(r) || quotes(state, r) {
		return 0, false
	}
	brace := state >= inBrace
	switch {
	case brace && r == '.':
		return inBraceDot, true
	case grammar.Alnum(r) || r == '^':
		state = afterAlnum
	default:
		state = afterOther
	}
	switch {
	case brace && state == afterAlnum:
		return inBraceAlnum, true
	case brace || r == '{':
		return inBrace, true
	}
	return state, true
}

// quotes reports whether a character needs quotes because of what is before it.
func quotes(state int, r rune) bool {
	switch r {
	case '#':
		return state <= afterHole
	case '~':
		return state != afterAlnum && state != inBraceAlnum
	case ',':
		return state >= inBrace
	}
	return r == '.' && state == inBraceDot
}

func nextQuoted(state int, r rune) (int, bool) {
	switch state {
	case closed, unclosed:
		return escape, r == '\\'
	case escape:
		return signEscaped, r == '\''
	case signEscaped:
		return needed, r == '\''
	case needed, needless: // an empty word needs its quotes
		if r == '\'' {
			return closed, true
		}
	}
	if r == '\'' {
		return unclosed, true
	}
	if state < needed {
		if next, bare := nextBare(state-needless, r); bare {
			return needless + next, true
		}
	}
	return needed, true
}

func (commandTexts) Accepts(state int) bool {
	return state > wordStart && state < needless || state == closed
}

func (commandTexts) Marks(state int) []automaton.Symbol {
	if _, ok := nextHole(state); !ok {
		return nil
	}
	return []automaton.Symbol{automaton.Single, automaton.Any}
}

func (c commandTexts) Pools(state int) []string { return c.pools[state] }

// newCommandTexts makes the pools: characters by where they lead.
func newCommandTexts() commandTexts {
	c := commandTexts{make([][]string, allTexts)}
	for state := range c.pools {
		c.pools[state] = poolsOf(c, state)
	}
	return c
}

// poolsOf groups characters by the state that they lead to. Those that come first are
// shown in findings; the last are there so that some are left that no pattern names.
func poolsOf(u automaton.Universe, state int) []string {
	var groups [][]rune
	var next []int
	add := func(r rune) {
		to, ok := u.Next(state, r)
		if !ok {
			return
		}
		for i := range next {
			if next[i] == to {
				groups[i] = append(groups[i], r)
				return
			}
		}
		next, groups = append(next, to), append(groups, []rune{r})
	}
	for _, r := range "xyzabcdefghijklmnopqrstuvw0123456789XYZABCDEFGHIJKLMNOPQRSTUVW-_./=:,+@%^[]{}!#~'\" \t\n\\$`;&|<>()*?é" {
		add(r)
	}
	for r := rune(0x4e00); r < 0x4f00; r++ {
		add(r)
	}
	out := make([]string, len(groups))
	for i := range groups {
		out[i] = string(groups[i])
	}
	return out
}

// less is a set without some characters.
func less(set automaton.Set, without string) automaton.Set {
	switch {
	case set.Except:
		set.Listed = append([]rune(without), set.Listed...)
		slices.Sort(set.Listed)
	case slices.ContainsFunc(set.Listed, func(r rune) bool { return strings.ContainsRune(without, r) }):
		set.Listed = slices.DeleteFunc(slices.Clone(set.Listed), func(r rune) bool { return strings.ContainsRune(without, r) })
	}
	return set
}

// A quoteMode is where in the canonical quoting a text is.
type quoteMode int

const (
	noQuotes   quoteMode = iota
	quotesOpen           // after the first quote sign
	escaping             // after a backslash
	quoteModes
)

// withoutQuotes is what a machine matches once the canonical quoting is taken off a
// text, see grammar.Text.Unquote.
func (m *holeMachine) withoutQuotes() *automaton.Machine {
	n := len(m.Edges) * int(quoteModes)
	out := &automaton.Machine{Edges: make([][]automaton.Edge, n, n+32), Accept: make([]bool, n, n+32)}
	shared := map[shareKey][]automaton.Edge{}
	for s, edges := range m.Edges {
		for mode := range quoteModes {
			i := mode.at(s)
			out.Accept[i] = m.Accept[s]
			if m.quoted[s][0] == noState {
				out.Edges[i] = mode.shared(edges, shared)
				continue
			}
			out.Edges[i] = mode.own(edges, m.quoted[s])
		}
	}
	for _, s := range m.Start {
		out.Start = append(out.Start, noQuotes.at(s))
	}
	return out
}

var (
	quoteSign = automaton.Set{Listed: []automaton.Symbol{'\''}}
	backslash = automaton.Set{Listed: []automaton.Symbol{'\\'}}
)

// A shareKey names edges that several states have the last of: their last one.
type shareKey struct {
	last *automaton.Edge
	mode quoteMode
}

// own are the edges of a state in a mode, and those over quote signs.
func (mode quoteMode) own(edges []automaton.Edge, quoted [2]int) []automaton.Edge {
	out := make([]automaton.Edge, 0, mode.count(edges, quoted))
	for _, e := range edges {
		if mode != escaping || e.Set.Has('\'') { // all that the canonical quoting escapes
			out = append(out, mode.edge(e))
		}
	}
	for _, q := range quoted {
		switch {
		case q == noState || mode == escaping:
		case mode == quotesOpen:
			out = append(out, automaton.Edge{Set: quoteSign, To: noQuotes.at(q)})
		default:
			out = append(out, automaton.Edge{Set: quoteSign, To: quotesOpen.at(q)},
				automaton.Edge{Set: backslash, To: escaping.at(q)})
		}
	}
	return out
}

func (mode quoteMode) count(edges []automaton.Edge, quoted [2]int) int {
	n := 1
	if quoted[1] != noState {
		n++
	}
	switch mode {
	case escaping:
		return 0
	case noQuotes:
		n *= 2
	}
	return len(edges) + n
}

func (mode quoteMode) edge(e automaton.Edge) automaton.Edge {
	switch mode {
	case noQuotes:
		return automaton.Edge{Set: less(e.Set, `'\`), To: noQuotes.at(e.To)}
	case quotesOpen:
		return automaton.Edge{Set: less(e.Set, "'"), To: quotesOpen.at(e.To)}
	}
	return automaton.Edge{Set: e.Set, To: noQuotes.at(e.To)}
}

// at is a state of a machine in a mode.
func (mode quoteMode) at(s int) int { return s*int(quoteModes) + int(mode) }

// shared are edges that several states share, of which the longest list comes first.
func (mode quoteMode) shared(edges []automaton.Edge, known map[shareKey][]automaton.Edge) []automaton.Edge {
	if len(edges) == 0 {
		return nil
	}
	key := shareKey{&edges[len(edges)-1], mode}
	have := known[key]
	if len(have) < len(edges) {
		have = make([]automaton.Edge, len(edges))
		for i, e := range edges {
			have[i] = mode.edge(e)
		}
		known[key] = have
	}
	return have[len(have)-len(edges):]
}

// A programSpelling is how the first word of a command is read, besides as it is.
type programSpelling int

const (
	baseName programSpelling = iota // without its folders
	exeDot                          // after the . of a last .exe, which is left out
	exeE
	exeX
	exeEnd
	lowerName // and in lower case, where it ends in nothing of .exe, and so on
	lowerDot
	lowerE
	lowerX
	lowerExe
)

// A programReader adds to a machine what it matches where the program of a command is
// spelled in another way: a deny or ask knows it by its base name, in any case, with .exe
// too; an allow rule by the base name where the folder is one of the system.
// A first word in quotes is read as it is.
type programReader struct {
	*automaton.Machine
	at map[[2]int]int // its own states, by the state of the machine and the spelling
}

func readPrograms(m *automaton.Machine, strict bool) {
	p := &programReader{m, map[[2]int]int{}}
	starts := m.Start
	first := p.state(false)
	for _, s := range starts {
		p.begin(first, s, baseName)
	}
	if !strict {
		for _, folder := range rules.SystemFolders {
			p.Start = append(p.Start, p.state(false))
			p.path(p.Start[len(p.Start)-1], folder+"/", first)
		}
		return
	}
	folders, plain := p.state(false), p.state(false)
	for _, s := range starts {
		p.begin(first, s, lowerName)
		p.begin(plain, s, lowerName)
	}
	p.edge(folders, less(anyRune, "' "), folders)
	p.edge(folders, automaton.Rune('/'), first)
	p.Start = append(slices.Clip(starts), folders, plain)
}

func (p *programReader) state(accept bool) int {
	p.Edges, p.Accept = append(p.Edges, nil), append(p.Accept, accept)
	return len(p.Edges) - 1
}

func (p *programReader) edge(from int, set automaton.Set, to int) {
	p.Edges[from] = append(p.Edges[from], automaton.Edge{Set: set, To: to})
}

// path leads from one state to another over a text.
func (p *programReader) path(from int, text string, to int) {
	for i := range len(text) - 1 {
		next := p.state(false)
		p.edge(from, automaton.Rune(rune(text[i])), next)
		from = next
	}
	p.edge(from, automaton.Rune(rune(text[len(text)-1])), to)
}

// begin adds what a state of the machine reads of a program that is spelled in some way.
func (p *programReader) begin(from, s int, how programSpelling) {
	for _, e := range p.Machine.Edges[s] {
		set := automaton.Set{Except: e.Set.Except, Listed: e.Set.Listed}
		if how == baseName {
			p.word(from, less(set, "/ "), e.To, how)
			continue
		}
		set.Listed = uppers(set.Listed)
		further := [...]string{lowerName: "", lowerDot: "eE", lowerE: "xX", lowerX: "eE", lowerExe: ""}[how]
		p.word(from, less(set, "/ ."+further), e.To, lowerName)
		for _, r := range "." + further {
			if !set.Has(r) {
				continue
			}
			next := how + 1
			if r == '.' {
				next = lowerDot
			}
			p.word(from, automaton.Rune(r), e.To, next)
		}
	}
}

// word adds an edge within the program.
func (p *programReader) word(from int, set automaton.Set, to int, how programSpelling) {
	set.Listed = slices.DeleteFunc(slices.Clone(set.Listed), func(r rune) bool { return r < 0 })
	if set.Except || len(set.Listed) > 0 {
		p.edge(from, set, p.spelled(to, how))
	}
}

// spelled is a state of the machine within the program.
func (p *programReader) spelled(s int, how programSpelling) int {
	key := [2]int{s, int(how)}
	if at, ok := p.at[key]; ok {
		return at
	}
	ends := how == baseName || how >= exeEnd && how < lowerExe
	at := p.state(p.Accept[s] && ends)
	p.at[key] = at
	switch how {
	case exeDot, exeX:
		p.edge(at, automaton.Rune('e', 'E'), p.spelled(s, how+1))
		return at
	case exeE:
		p.edge(at, automaton.Rune('x', 'X'), p.spelled(s, exeX))
		return at
	case exeEnd:
	default:
		p.begin(at, s, how)
	}
	if how >= lowerName {
		p.edge(at, automaton.Rune('.'), p.spelled(s, exeDot))
	}
	for _, e := range p.Edges[s] {
		if ends && e.Set.Has(' ') {
			p.edge(at, blank, e.To)
		}
	}
	return at
}

// uppers are the characters whose lower case is one of some.
func uppers(list []rune) (out []rune) {
	for _, r := range list {
		if r < 0 {
			continue
		}
		for _, f := range caseless(r) {
			if unicode.ToLower(f) == r {
				out = append(out, f)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
