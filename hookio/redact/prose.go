package redact

import "strings"

// findProse finds a long value after a secret word in running text.
func findProse(t *scanner, _ *Shape) (from, to int) {
	switch t.s[t.at] | 0x20 {
	case 't', 's', 'p', 'a', 'c':
	default:
		return 0, 0
	}
	end := t.at
	for end < len(t.s) && letter(t.s[end]) && end-t.at <= len("credentials") {
		end++
	}
	switch strings.ToLower(t.s[t.at:end]) {
	case "token", "secret", "password", "passphrase", "apikey", "credential", "credentials", "passwd":
	default:
		return 0, 0
	}
	i := end
	for range 2 {
		i = t.blanks(i)
		switch rest := t.s[i:]; {
		case strings.HasPrefix(rest, "is "), strings.HasPrefix(rest, "as "):
			i += 3
		case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "="):
			i++
		}
	}
	if i = t.quotes(t.blanks(i)); i == end {
		return 0, 0
	}
	from = i
	for i < len(t.s) && !blank(t.s[i]) && !quotationMark(t.s[i]) {
		i++
	}
	if s := t.s[from:i]; i-from >= 16 && random(s) && strings.IndexByte("/~.$-", s[0]) < 0 &&
		!strings.Contains(s, "://") {
		return from, i
	}
	return 0, 0
}
