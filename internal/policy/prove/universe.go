package prove

import "github.com/permgate--owner/permgate/rules/automaton"

// A literalFirst is texts of commands whose first word is known and not empty: all others
// are asked about whatever the rules say, and a rule that denies one denies a known one
// as well.
type literalFirst struct {
	automaton.Universe
	whole bool // all of its words are
}

// Where a text is: three bits below the state of its universe.
const (
	atStart = iota
	inFirst
	atQuote // after the first sign of all, which is a quote sign
	atEmpty // after one more
	inQuotes
	inEscape
	afterFirst
)

// placeAfter is where a text is after one more sign of its first word; false where that
// would be empty.
func placeAfter(at int, r automaton.Symbol) (next int, ok bool) {
	switch at {
	case atEmpty:
		return inEscape, r == '\\'
	case atQuote, inQuotes:
		return withinQuotes(at, r), true
	case inEscape:
		return inFirst, true
	}
	switch {
	case r == '\'' && at == atStart:
		return atQuote, true
	case r == '\'':
		return inQuotes, true
	case r == ' ' && at == inFirst:
		return afterFirst, true
	case r == '\\' && at == inFirst:
		return inEscape, true
	}
	return inFirst, true
}

func withinQuotes(at int, r automaton.Symbol) int {
	switch {
	case r != '\'':
		return inQuotes
	case at == atQuote:
		return atEmpty
	}
	return inFirst
}

// Next goes on from the place and the state.
func (u literalFirst) Next(state int, r automaton.Symbol) (int, bool) {
	at, ok := state&7, true
	if r < 0 && u.whole {
		return 0, false
	}
	if at != afterFirst {
		if at, ok = placeAfter(at, r); r < 0 || !ok {
			return 0, false
		}
	}
	next, ok := u.Universe.Next(state>>3, r)
	return next<<3 | at, ok
}

// Accepts is that of all texts, but for an empty word.
func (u literalFirst) Accepts(state int) bool {
	return state&7 != atEmpty && u.Universe.Accepts(state>>3)
}

// Pools are those of all texts.
func (u literalFirst) Pools(state int) []string { return u.Universe.Pools(state >> 3) }

// Marks are none in the first word.
func (u literalFirst) Marks(state int) []automaton.Symbol {
	if state&7 != afterFirst || u.whole {
		return nil
	}
	return u.Universe.Marks(state >> 3)
}

// An unmarked is texts that are wholly known: of calls that are no shell texts.
type unmarked struct{ automaton.Universe }

// Next goes on with what is known.
func (u unmarked) Next(state int, r automaton.Symbol) (int, bool) {
	if r < 0 {
		return 0, false
	}
	return u.Universe.Next(state, r)
}

// Marks are none.
func (unmarked) Marks(int) []automaton.Symbol { return nil }

// A prefixed is texts that begin alike and go on.
type prefixed struct {
	automaton.Universe
	prefix string
}

// Next goes on in the prefix, or after it. States are those of the universe, and below
// them how much of the prefix was read.
func (u prefixed) Next(state int, r automaton.Symbol) (int, bool) {
	n := state & 15
	if n < len(u.prefix) && r != rune(u.prefix[n]) {
		return 0, false
	}
	next, ok := u.Universe.Next(state>>4, r)
	return next<<4 | min(n+1, len(u.prefix)+1), ok
}

// Accepts is that of all texts that have the prefix.
func (u prefixed) Accepts(state int) bool {
	return state&15 > len(u.prefix) && u.Universe.Accepts(state>>4)
}

// Pools are those of all texts, once there is the prefix.
func (u prefixed) Pools(state int) []string {
	if n := state & 15; n < len(u.prefix) {
		return []string{u.prefix[n : n+1]}
	}
	return u.Universe.Pools(state >> 4)
}

// Marks are those of all texts.
func (u prefixed) Marks(state int) []automaton.Symbol { return u.Universe.Marks(state >> 4) }

// universe is the texts that calls of a group can be.
func (p *prover) universe(g *group) automaton.Universe {
	policy := p.sides[0].policy
	switch tool := g.tool(); {
	case tool == anyMCP:
		return prefixed{policy.ToolUniverse(), "mcp__"}
	case tool == anyOther:
		return policy.ToolUniverse()
	case kindOf(tool) == commands:
		return literalFirst{policy.Universe(tool), p.job.literal}
	case kindOf(tool) == files:
		return unmarked{policy.Universe(tool)}
	default:
		return policy.Universe(tool)
	}
}
