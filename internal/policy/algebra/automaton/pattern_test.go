package automaton

import "strings"

// commandTexts are words joined by single blanks, each bare or in single quotes.
type commandTexts struct{}

// Its states.
const (
	first  = iota // nothing was written yet
	bare          // in a word without quotes
	blank         // after a blank
	quoted        // in quotes
	closed        // after a closing quote
)

func (commandTexts) Next(s int, r Symbol) (int, bool) {
	special := strings.ContainsRune(" *?$&;|<>(){}[]~#\\\"`!", r)
	switch s {
	case first, blank:
		switch {
		case r == Any, r == Single:
			return bare, true
		case r == '\'':
			return quoted, true
		}
		return bare, r > ' ' && !special
	case bare:
		if r == ' ' {
			return blank, true
		}
		return bare, r == Single || r > ' ' && !special && r != '\''
	case quoted:
		if r == '\'' {
			return closed, true
		}
		return quoted, r == Single || r >= 0
	default:
		return blank, r == ' '
	}
}

func (commandTexts) Accepts(s int) bool { return s == bare || s == closed }

func (commandTexts) Pools(s int) []string {
	switch s {
	case quoted:
		return []string{" *?$&;|<>(){}[]~#\\\"`!abcdefghijklmnopqrstuvwxyz0123456789", "'"}
	case closed:
		return []string{" "}
	case bare:
		return []string{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./=_", " "}
	default:
		return []string{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./=_", "'"}
	}
}

func (commandTexts) Marks(s int) []Symbol {
	switch s {
	case first, blank:
		return []Symbol{Any, Single}
	case closed:
		return nil
	}
	return []Symbol{Single}
}

// rule is the machine of a pattern with stars; with tail, of pattern:*; by any path, where
// base is set.
func rule(pattern string, tail, base bool) *Machine {
	var b Builder
	s := b.State()
	b.Start(s)
	if base {
		loop := b.State()
		b.Start(loop)
		b.Edge(loop, AllBut(' ', '/', '\''), loop)
		b.Edge(loop, Rune('/'), s)
		b.Edge(loop, Rune('/'), loop)
	}
	for _, r := range pattern {
		if r == '*' {
			b.Edge(s, Set{Except: true, Marks: true}, s)
			continue
		}
		next := b.State()
		b.Edge(s, Rune(r), next)
		s = next
	}
	b.Accept(s)
	if tail {
		next := b.State()
		b.Edge(s, Rune(' '), next)
		b.Edge(next, Set{Except: true, Marks: true}, next)
		b.Accept(next)
	}
	return b.Machine()
}

// Lists of two policies: those of the old policy, and three bits higher of the new.
const (
	deny Lists = 1 << iota
	ask
	allow
	both Lists = 9 // times one of the above
)

func rank(l Lists) int {
	switch {
	case l&deny != 0:
		return 3
	case l&ask != 0:
		return 2
	case l&allow != 0:
		return 0
	}
	return 1
}

func looser(l Lists) bool { return rank(l>>3) < rank(l) }
