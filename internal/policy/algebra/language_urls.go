package algebra

import (
	"slices"
	"strings"
	"sync"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// urlTexts are the addresses that WebFetch is called with, in canonical form: http or
// https, a host of lower-case labels or of four numbers, perhaps a port, a path, a query.
// Left out is what rules.ParseURL is not sure of, and other spellings of the same: user names,
// a host of IPv6 or of an international name, %XX, //, segments . and .., fragments.
type urlTexts struct{}

// The states of a URL. A host whose labels are all numbers up to 255 is followed as an
// address, the others by whether their last label begins with a digit, as none does, and
// by how much of xn-- they end with.
const (
	urlScheme   = 0               // up to https, by the characters read
	urlColon    = urlScheme + 6   // and its two slashes
	urlLabel    = urlColon + 2    // begins; the n-th of an address
	urlAnyLabel = urlLabel + 4    // begins
	urlName     = urlAnyLabel + 1 // by how much of xn--
	urlDigits   = urlName + 4     // likewise
	urlNumber   = urlDigits + 4   // 7 for each number of an address
	urlPort     = urlNumber + 4*7 // begins
	urlPortFree = urlPort + 1     // by how many digits may follow
	urlPortTop  = urlPortFree + 5 // by how much of 65535 it is
	urlSlash    = urlPortTop + 6
	urlDot      = urlSlash + 1
	urlDots     = urlDot + 1
	urlSegment  = urlDots + 1
	urlQuery    = urlSegment + 1
)

// Next implements automaton.Universe.
func (urlTexts) Next(state int, r automaton.Symbol) (next int, ok bool) {
	switch {
	case state < urlLabel:
		return nextScheme(state, r)
	case state >= urlSlash:
		return nextInPath(state, r)
	case r == '/':
		return urlSlash, hostEnds(state)
	case r == '?':
		return urlQuery, hostEnds(state)
	case r == ':' && state < urlPort && hostEnds(state):
		return urlPort, true
	case state >= urlPort:
		return nextInPort(state, r)
	}
	return nextInHost(state, r)
}

func nextScheme(state int, r rune) (next int, ok bool) {
	switch {
	case r == ':' && (state == len("http") || state == len("https")):
		return urlColon, true
	case state < urlColon:
		return state + 1, state < len("https") && r == rune("https"[state])
	}
	return state + 1, r == '/'
}

// hostEnds reports whether host or port may be over in a state.
func hostEnds(state int) bool {
	return state >= urlName && state < urlDigits || state >= urlNumber+3*7 && state != urlPort
}

func nextInHost(state int, r rune) (next int, ok bool) {
	begins, digit := state <= urlAnyLabel, r >= '0' && r <= '9'
	part := 4 // of an address, which has 4 of them
	if state < urlAnyLabel {
		part = state - urlLabel
	} else if state >= urlNumber {
		part = (state - urlNumber) / 7
	}
	switch {
	case r == '.':
		return urlLabel + min(part+1, 4), !begins
	case r == '-' && begins, !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-", r):
		return 0, false
	case digit && part < 4:
		return nextInAddress(state, part, int(r-'0')), true
	case state >= urlNumber, begins && digit:
		return nextName(urlDigits, 0, r)
	case begins:
		return nextName(urlName, 0, r)
	}
	kind := urlName + (state-urlName)/4*4
	return nextName(kind, state-kind, r)
}

// nextInAddress reads a digit of a host that may be an address so far.
func nextInAddress(state, part, digit int) (next int) {
	number := -1
	if state >= urlNumber {
		number = (state - urlNumber) % 7
	}
	if number, ok := nextInNumber(number, digit); ok {
		return urlNumber + part*7 + number
	}
	return urlDigits
}

// nextName reads a character after seen ones of xn--.
func nextName(kind, seen int, r rune) (next int, ok bool) {
	const prefix = "xn--"
	switch {
	case r == rune(prefix[seen]):
		return kind + seen + 1, seen < 3
	case r == 'x':
		return kind + 1, true
	}
	return kind, true
}

// nextInNumber reads a digit of a number up to 255 without leading zeros: after 0, 1, 2,
// another, two digits that a third may follow, 25, and what none may follow.
func nextInNumber(number, digit int) (next int, ok bool) {
	const zero, one, two, other, more, high, full = 0, 1, 2, 3, 4, 5, 6
	switch {
	case number < 0:
		return min(digit, other), true
	case number == one || number == two && digit < 5:
		return more, true
	case number == two && digit == 5:
		return high, true
	}
	return full, number != zero && number != full && (number != high || digit <= 5)
}

func nextInPort(state int, r rune) (next int, ok bool) {
	const top = "65535"
	n := 0 // digits of top that it has
	switch {
	case r < '0' || r > '9' || state == urlPort && r == '0':
		return 0, false
	case state > urlPort && state < urlPortTop:
		return state - 1, state > urlPortFree
	case state >= urlPortTop:
		n = state - urlPortTop
	}
	switch {
	case n == len(top):
		return 0, false
	case r == rune(top[n]):
		return urlPortTop + n + 1, true
	case r < rune(top[n]):
		return urlPortFree + 4 - n, true
	}
	return urlPortFree + 3 - n, n < 4
}

func nextInPath(state int, r rune) (next int, ok bool) {
	dots := state == urlDot || state == urlDots
	if !urlRune(r) {
		return 0, false
	}
	switch {
	case state == urlQuery, r == '?':
		return urlQuery, !dots
	case r == '/':
		return urlSlash, state == urlSegment
	case r == '.' && (state == urlSlash || state == urlDot):
		return state + 1, true
	}
	return urlSegment, r != ';' || !dots
}

func urlRune(r rune) bool { return grammar.Alnum(r) || strings.ContainsRune("-._~!$&'()*+,;=:@/?", r) }

// Accepts implements automaton.Universe.
func (urlTexts) Accepts(state int) bool {
	return hostEnds(state) && state != urlDot && state != urlDots
}

// Pools implements automaton.Universe.
func (urlTexts) Pools(state int) []string {
	urlPools.once.Do(urlPools.fill)
	return urlPools.of[state]
}

var urlPools statePools

type statePools struct {
	once sync.Once
	of   [urlQuery + 1][]string
}

func (p *statePools) fill() {
	pools := &p.of
	for state := range pools {
		var leads []int
		for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789_-ABCDEFGHIJKLMNOPQRSTUVWXYZ~+,=@:/.?" {
			next, ok := urlTexts{}.Next(state, r)
			if !ok {
				continue
			}
			i := slices.Index(leads, next)
			if i < 0 {
				i, leads, pools[state] = len(leads), append(leads, next), append(pools[state], "")
			}
			pools[state][i] += string(r)
		}
	}
}

// Marks implements automaton.Universe.
func (urlTexts) Marks(int) []automaton.Symbol { return nil }
