package redact

import "strings"

// keepReference leaves a value alone that only says where the secret is: $X,
// ${X}, $(...), %X%, and words that are no values.
func (t *scanner) keepReference(from, to int) (int, int) {
	if from >= to {
		return 0, 0
	}
	s := t.s[from:to]
	switch s {
	case "true", "false", "null", "nil", "none", "None", "undefined", "string", "***", "...":
		return 0, 0
	}
	if strings.Contains(s, Mark) {
		return 0, 0 // done before
	}
	if isBatchVariable(s) {
		return 0, 0
	}
	for _, open := range [...]string{"$(", "`", "{{", "${{"} {
		if strings.HasPrefix(s, open) {
			return 0, 0
		}
	}
	if s[0] == '$' && len(s) > 1 {
		if s[1] == '{' && s[len(s)-1] == '}' {
			s = s[1 : len(s)-1]
		}
		if names(strings.TrimPrefix(s[1:], "env:")) {
			return 0, 0
		}
	}
	return from, to
}

// isBatchVariable reports whether s is %NAME%.
func isBatchVariable(s string) bool {
	return len(s) > 2 && s[0] == '%' && s[len(s)-1] == '%' && names(s[1:len(s)-1])
}

// names reports whether s is a name and nothing else.
func names(s string) bool {
	for i := range len(s) {
		if !word(s[i]) {
			return false
		}
	}
	return s != "" && !digit(s[0])
}
