package rules

import (
	"slices"
	"unicode"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// SystemFolders are those whose programs allow rules know by their base names.
var SystemFolders = [...]string{"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"}

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
		for _, folder := range SystemFolders {
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
