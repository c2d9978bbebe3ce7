package hookio

import "strings"

// sameWord compares two names without regard to case, - and _.
func sameWord(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, "-_"), strings.TrimLeft(b, "-_")
		if a == "" || b == "" {
			return a == b
		}
		if lower(a[0]) != lower(b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// letterOrDigit reports a plain letter or digit.
func letterOrDigit(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return false
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// lookup returns what name maps to, name itself when no pair has it.
func lookup(pairs []Pair, name string) string {
	for _, p := range pairs {
		if p.From == name {
			return p.To
		}
	}
	return name
}
