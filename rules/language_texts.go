package rules

import (
	"unicode"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// commandTexts are the commands there are: words by single blanks, each as Quote writes
// it, holes in their places.
type commandTexts struct{ pools [][]string }

// The states of commandTexts: seven of a word without quotes, by what bareWord knows of
// it, the same within quotes as long as nothing needs them, and those after that.
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
	if !bareRune(r) || quotes(state, r) {
		return 0, false
	}
	brace := state >= inBrace
	switch {
	case brace && r == '.':
		return inBraceDot, true
	case alnum(r) || r == '^':
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
