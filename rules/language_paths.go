package rules

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// pathTexts are absolute clean paths: segments that are neither empty nor . nor .., and
// perhaps Tree at the end. Left out are names with bytes that are no UTF-8 and with
// characters that have several spellings, or none that counts, but for the letters: marks
// that combine, what is composed of them (é, and syllables of Hangul), ligatures and what
// is invisible. Marks are in their normal order, so that a name is folded character by
// character. On Windows names with : or \ and those that end with a blank or dot are left
// out as well.
type pathTexts struct {
	windows bool
	letters letters
}

// The states of a path.
const (
	pathStart = iota
	pathRoot
	pathSlash
	pathDot
	pathDots
	pathName
	pathTail // of Windows: ends with a blank or dot
	pathGone
)

// Next implements automaton.Universe. Above the state is which mark the name ends with so
// far, as the order of marks has it.
func (u pathTexts) Next(state int, r automaton.Symbol) (next int, ok bool) {
	last := uint8(state >> 3)
	state &= 7
	if r >= utf8.RuneSelf && u.letters.has(r) {
		m := norm.NFD.PropertiesString(string(r))
		inName := state != pathStart && state != pathGone
		return pathName | int(m.TrailCCC())<<3, inName && (m.LeadCCC() == 0 || last <= m.LeadCCC())
	}
	switch {
	case r == automaton.Tree:
		return pathGone, state != pathGone && u.Accepts(state)
	case u.never(r):
		return 0, false
	case r == '/':
		next = [pathGone + 1]int{pathStart: pathRoot, pathName: pathSlash}[state]
		return next, next != 0
	case state == pathStart, state == pathGone:
		return 0, false
	}
	return u.named(state, r), true
}

// named is the state after a character of a name.
func (u pathTexts) named(state int, r rune) int {
	switch {
	case r == '.' && state < pathDots:
		return max(pathDot, state+1)
	case u.windows && strings.ContainsRune(". ", r):
		return pathTail
	}
	return pathName
}

// never reports whether no path has a character.
func (u pathTexts) never(r rune) bool { return odd(r) || u.windows && strings.ContainsRune(`:\`, r) }

// Accepts implements automaton.Universe.
func (pathTexts) Accepts(state int) bool {
	state &= 7
	return state == pathRoot || state == pathName || state == pathGone
}

// pathRunes are characters of names, the plainest first, more than patterns name.
const pathRunes = "xyzabcdefghijklmnopqrstuvw0123456789_-ABCDEFGHIJKLMNOPQRSTUVWXYZ+=@,%~" +
	"αβγδεζηθικλμνξοπρτυφχψωабвгджзиклмнопрстуфхцчшщъыьэюя一丁七万丈三上下不与丐丑专且世丘丙业丛东丝丞两严"

// Pools implements automaton.Universe.
func (pathTexts) Pools(state int) []string {
	switch state & 7 {
	case pathStart:
		return []string{"/"}
	case pathGone:
		return nil
	case pathName:
		return []string{pathRunes, "/"}
	case pathDots, pathTail:
		return []string{pathRunes}
	}
	return []string{pathRunes, "."}
}

// Marks implements automaton.Universe.
func (pathTexts) Marks(state int) []automaton.Symbol {
	if state &= 7; state == pathRoot || state == pathName {
		return []automaton.Symbol{automaton.Tree}
	}
	return nil
}
