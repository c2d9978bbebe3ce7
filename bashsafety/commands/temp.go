package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// BelowTemp reports whether what follows the output of mktemp in a word stays
// in the folder mktemp made it in.
func BelowTemp(text string) bool {
	rest, ok := strings.CutPrefix(text, shell.HoleMark)
	return ok && !strings.Contains(rest, "..")
}

// StaysDown reports whether a word leads nowhere else if its unknown parts are
// names without "..", or empty.
func StaysDown(text string) bool {
	i := strings.Index(text, shell.HoleMark)
	if i < 0 || strings.Contains(text[i:], "..") {
		return false
	}
	at := strings.LastIndexByte(text[:i], '/') + 1
	return !shell.Upward(strings.ReplaceAll(text[at:], shell.HoleMark, ""))
}

// FindsBelow reports whether every file a pattern finds lies below the folder
// that its literal beginning names: .* may find "..".
func FindsBelow(pattern string) bool {
	if shell.Upward(pattern) || strings.ContainsAny(pattern, "("+shell.HoleMark) {
		return false
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") {
			return false
		}
	}
	return true
}

// deepMark is an unknown part that may span components; every other one of
// a Word.Down is within one.
const deepMark = shell.HoleMark + shell.HoleMark

// FindsNames is what every file a pattern finds looks like: an unknown part in the
// place of each wildcard.
func FindsNames(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch p := pattern[i]; p {
		case '\\':
			if i++; i < len(pattern) {
				b.WriteByte(pattern[i])
			}
		case '*', '?':
			if deep := strings.HasPrefix(pattern[i:], "**"); deep || !strings.HasSuffix(b.String(), shell.HoleMark) {
				b.WriteString(shell.HoleMark)
			}
		case '[':
			b.WriteString(shell.HoleMark)
			for i+1 < len(pattern) && pattern[i+1] != '/' {
				i++
			}
		default:
			b.WriteByte(p)
		}
	}
	return b.String()
}

// Alike is what all items look like, component by component: where they are not
// equally deep the unknown part after prefix spans some.
func Alike(items []shell.Word, prefix string) string {
	parts := strings.Split(items[0].Text, "/")
	for i := range items[1:] {
		other := strings.Split(items[i+1].Text, "/")
		if len(other) != len(parts) {
			return prefix + deepMark
		}
		for j := range parts {
			if head, _, open := strings.Cut(parts[j], shell.HoleMark); open || parts[j] != other[j] {
				for !strings.HasPrefix(other[j], head) {
					head = head[:len(head)-1]
				}
				parts[j] = head + shell.HoleMark
			}
		}
	}
	return strings.Join(parts, "/")
}

// AnyAbsolute reports whether one of the words starts with a slash.
func AnyAbsolute(items []shell.Word) bool {
	for i := range items {
		if strings.HasPrefix(items[i].Text, "/") {
			return true
		}
	}
	return false
}
