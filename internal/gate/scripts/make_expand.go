package scripts

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

const maxDepth = 16 // variables inside variables

func (m *makefile) find(name string) *makeVar {
	for i := range m.vars {
		if m.vars[i].name == name {
			return &m.vars[i]
		}
	}
	return nil
}

// expand replaces the references in a text: literal variables by their value,
// everything else by a hole. It is false when that does not end.
func (m *makefile) expand(text string, auto []makeVar, depth int) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '$')
		if k < 0 || i+k+1 >= len(text) {
			b.WriteString(text[i:])
			break
		}
		b.WriteString(text[i : i+k])
		i += k + 1
		if text[i] == '$' {
			b.WriteByte('$')
			i++
			continue
		}
		name := text[i : i+1]
		i++
		if name == "(" || name == "{" {
			end := closing(text, i-1)
			if end < 0 {
				return "", false
			}
			name, i = text[i:end], end+1
		}
		value, ok := m.value(name, auto, depth)
		if !ok {
			return "", false
		}
		if !m.f.spend(value) {
			return "", false
		}
		if b.WriteString(value); b.Len() > bashsafety.MaxBytes {
			return "", false
		}
	}
	return b.String(), true
}

// value is what one reference stands for.
func (m *makefile) value(name string, auto []makeVar, depth int) (string, bool) {
	for i := range auto {
		if auto[i].name == name && !auto[i].unknown {
			return auto[i].value, true
		}
	}
	if strings.ContainsAny(name, " \t$(){}:,@<^+?*%|") {
		return hole, true // a function, a substitution, an automatic variable
	}
	if v := m.find(name); v != nil {
		if v.unknown {
			return hole, true
		}
		if depth >= maxDepth {
			return "", false
		}
		return m.expand(v.value, nil, depth+1)
	}
	switch name {
	case "MAKE":
		return "make", true
	case "CURDIR":
		return m.f.dir, true
	case "RM":
		return "rm -f", true
	case "CC":
		return "cc", true
	case "CXX":
		return "g++", true
	case "AR":
		return "ar", true
	case "SHELL":
		return "/bin/sh", true
	case "HOME":
		return "${HOME}", true
	}
	return hole, true // from the environment, or empty
}

// closing returns the position of the bracket that ends the one at, -1 when none does.
func closing(text string, at int) int {
	open, end := text[at], byte(')')
	if open == '{' {
		end = '}'
	}
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
