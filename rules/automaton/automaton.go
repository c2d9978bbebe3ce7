// Package automaton says whether the texts that some patterns match are matched by
// others as well, and finds the shortest that are not. It knows texts and sets of
// symbols only: what a rule matches is compiled in package rules.
package automaton

import "slices"

// A Symbol is a rune of a text, a byte that is no UTF-8 (above utf8.MaxRune), or below
// zero a mark: a part of a text that is not known, or what package rules says of it.
type Symbol = rune

// The marks.
const (
	Single Symbol = -1 - iota // some text inside one word
	Any                       // any number of words, none included
	Tree                      // at the end of a path: it is taken away with all below it
)

// A Set is the symbols that an edge reads: those listed, or with Except all runes but
// those. Marks are read only where they are listed, or with Marks, by which an edge of
// Except reads every mark as well.
type Set struct {
	Listed []Symbol // sorted
	Except bool
	Marks  bool
}

// Rune is the set of one symbol, or of several that count as the same.
func Rune(r ...Symbol) Set {
	slices.Sort(r)
	return Set{Listed: slices.Compact(r)}
}

// AllBut is the set of all runes but some.
func AllBut(r ...Symbol) Set {
	s := Rune(r...)
	s.Except = true
	return s
}

// Has reports whether a symbol is in the set.
func (s *Set) Has(r Symbol) bool {
	_, listed := slices.BinarySearch(s.Listed, r)
	if !s.Except {
		return listed
	}
	return !listed && (r >= 0 || s.Marks)
}

// An Edge leads to a state over one symbol of Set.
type Edge struct {
	Set Set
	To  int
}

// A Machine is a nondeterministic automaton without empty moves. It matches the texts
// that lead from a state of Start to one of Accept.
type Machine struct {
	Edges  [][]Edge // by state
	Start  []int
	Accept []bool // by state
}

// A Universe is which texts there are: a deterministic automaton. States are small
// numbers, of which 0 is the first.
type Universe interface {
	// Next is the state after one more symbol; false where no text goes on so.
	Next(state int, r Symbol) (next int, ok bool)
	// Accepts reports whether a text may end in a state.
	Accepts(state int) bool
	// Pools lists symbols that may follow in a state, in groups: those of one group lead
	// to the same state. A search tries one symbol of each group that no pattern names,
	// the first that there is, and those that patterns name.
	Pools(state int) []string
	// Marks lists the marks that may follow in a state.
	Marks(state int) []Symbol
}
