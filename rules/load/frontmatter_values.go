package load

import (
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
)

// flow reads [a, "b", c], over several lines if need be.
func (f *front) flow(e *entry) (items []item) {
	lines := append([]frontLine{{strings.Repeat(" ", e.col-1) + e.line, e.pos.Line}}, e.more...)
	closed := false
	for i, l := range lines {
		text := uncomment(l.text)
		start := len(text) - len(strings.TrimLeft(text, " \t"))
		if i == 0 {
			start++ // the bracket
		}
		for _, part := range splitFlow(text[start:]) {
			raw := text[start+part.from : start+part.to]
			if closed && strings.TrimSpace(raw) != "" {
				f.spoil("text after the list of " + abridged(e.key))
			}
			lead := len(raw) - len(strings.TrimLeft(raw, " \t"))
			at := utf8.RuneCountInString(text[:start+part.from+lead]) + 1
			if raw = strings.TrimSpace(raw); raw != "" {
				items = f.one(items, raw, rules.Pos{File: f.file, Line: l.num, Col: at})
			}
			closed = closed || part.end
		}
	}
	if !closed {
		f.spoil("the list of " + abridged(e.key) + " is not closed")
	}
	return items
}

type span struct {
	from, to int
	end      bool // the closing bracket follows
}

// splitFlow cuts the inside of a flow list at its commas, not at those in
// quotes or parentheses.
func splitFlow(s string) (parts []span) {
	from, depth := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoteMark(c) && strings.TrimSpace(s[from:i]) == "":
			i = closing(s, i)
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case (c == ',' || c == ']') && depth == 0:
			parts = append(parts, span{from, i, c == ']'})
			from = i + 1
		}
	}
	return append(parts, span{from, len(s), false})
}

func quoteMark(c byte) bool { return c == '"' || c == '\'' }

// one appends a scalar. A text YAML would not read as a plain one is kept, for
// restrictions, but makes the block bad.
func (f *front) one(items []item, raw string, pos rules.Pos) []item {
	text, ok := unquote(raw)
	if !ok {
		f.spoil("the value " + abridged(raw) + " needs quotes")
	}
	if text == "" {
		return items
	}
	return append(items, item{text, pos})
}

// unquote returns what a scalar means; ok is false for all but plain and
// quoted ones.
func unquote(raw string) (text string, ok bool) {
	if raw == "" {
		return "", true
	}
	switch raw[0] {
	case '\'':
		body, rest, ok := cutQuote(raw, '\'')
		return strings.ReplaceAll(body, "''", "'"), ok && uncomment(rest) == ""
	case '"':
		body, rest, ok := cutQuote(raw, '"')
		p := jsonParser{doc: &doc{text: `"` + body + `"`}}
		text := p.scanString()
		return text, ok && p.err == "" && uncomment(rest) == ""
	}
	text = uncomment(raw)
	switch text {
	case "~", "null", "Null", "NULL":
		return "", true
	}
	plain := !strings.ContainsAny(text[:min(1, len(text))], "[]{}&*!|>%@`,?#") && !strings.Contains(text, ": ") &&
		!strings.HasSuffix(text, ":") && !strings.HasPrefix(text, "- ")
	return text, plain
}

// cutQuote splits a quoted scalar from what follows it.
func cutQuote(raw string, quote byte) (body, rest string, ok bool) {
	for i := 1; i < len(raw); i++ {
		switch {
		case quote == '"' && raw[i] == '\\':
			i++
		case raw[i] != quote:
		case quote == '\'' && i+1 < len(raw) && raw[i+1] == quote:
			i++
		default:
			return raw[1:i], raw[i+1:], true
		}
	}
	return raw[1:], "", false
}

// closing returns the index of the quote that ends the quoted text starting at
// s[at], len(s) when there is none. In double quotes a backslash takes one
// character with it.
func closing(s string, at int) int {
	for i := at + 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[at] == '"':
			i++
		case s[i] == s[at]:
			return i
		}
	}
	return len(s)
}

// uncomment cuts a comment and trailing blanks; quotes protect a #.
func uncomment(s string) string {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" \t[,", s[i-1]) >= 0):
			i = closing(s, i)
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return strings.TrimRight(s[:i], " \t")
		}
	}
	return strings.TrimRight(s, " \t")
}
