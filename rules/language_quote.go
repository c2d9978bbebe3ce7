package rules

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/automaton"
)

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
// text, see Text.unquote.
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
