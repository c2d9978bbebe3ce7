package load

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
)

// A front is the block between --- lines at the start of a definition or skill: the
// part of YAML people write there. Unused keys may hold any YAML.
type front struct {
	file    string
	entries []entry
	bad     string // why the block as a whole cannot be trusted
}

// An entry is one top-level key.
type entry struct {
	key  string
	pos  rules.Pos
	line string // text after the colon, blanks cut
	col  int    // column of line
	more []frontLine
}

type frontLine struct {
	text string
	num  int
}

// An item is one scalar of a value.
type item struct {
	text string
	pos  rules.Pos
}

// parseFront splits front matter into its keys. found is false without one.
func parseFront(file, data string) (f front, found bool) {
	f.file = file
	data = strings.TrimPrefix(data, "\ufeff")
	num, closed := 0, false
	for data != "" && !closed {
		var line string
		line, data, _ = strings.Cut(data, "\n")
		line = strings.TrimRight(line, " \t\r")
		num++
		switch {
		case num == 1:
			if line != "---" {
				return f, false
			}
		case line == "---" || line == "...":
			closed = true
		case line == "" || strings.TrimLeft(line, " \t")[0] == '#':
		case line[0] == ' ' || line[0] == '\t' || line == "-" || strings.HasPrefix(line, "- "):
			if n := len(f.entries); n > 0 {
				f.entries[n-1].more = append(f.entries[n-1].more, frontLine{line, num})
			} else {
				f.spoil("a value without a key")
			}
		default:
			f.key(line, num)
		}
	}
	if num == 0 {
		return f, false
	}
	if !closed {
		f.spoil("the front matter is not closed")
	}
	return f, true
}

// spoil notes why the block cannot be trusted; the first reason stays.
func (f *front) spoil(why string) {
	if f.bad == "" {
		f.bad = why
	}
}

func (f *front) key(line string, num int) {
	key, rest, ok := strings.Cut(line, ":")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		f.spoil("line " + strconv.Itoa(num) + " is not a key with a value")
		return
	}
	value := strings.TrimLeft(rest, " \t")
	col := utf8.RuneCountInString(line) - utf8.RuneCountInString(value) + 1
	if value != "" && (value[0] == '"' || value[0] == '\'') && strings.IndexByte(value[1:], value[0]) < 0 {
		f.spoil("a quoted text spans several lines")
	}
	f.entries = append(f.entries, entry{
		key: strings.Trim(strings.TrimSpace(key), `"'`), pos: rules.Pos{File: f.file, Line: num, Col: 1}, line: value, col: col})
}

// find returns the entry with one of the names. Two make the block bad; restrictions use all.
func (f *front) find(names ...string) []*entry {
	var found []*entry
	for i := range f.entries {
		for _, name := range names {
			if f.entries[i].key == name {
				found = append(found, &f.entries[i])
			} else if strings.EqualFold(f.entries[i].key, name) {
				f.spoil("the key " + abridged(f.entries[i].key) + " is written " + abridged(name))
				found = append(found, &f.entries[i])
			}
		}
	}
	if len(found) > 1 {
		f.spoil("the key " + abridged(names[0]) + " appears twice")
	}
	return found
}

// scalar returns a single value.
func (f *front) scalar(e *entry) string {
	items, list := f.items(e)
	if list || len(items) > 1 {
		f.spoil("the key " + abridged(e.key) + " must have one value")
	}
	if len(items) == 0 {
		return ""
	}
	return items[0].text
}

// items returns a value's scalars; list is false for a single one. Unreadable ones make it bad.
func (f *front) items(e *entry) (items []item, list bool) {
	switch line := uncomment(e.line); {
	case line == "":
		for _, m := range e.more {
			text := strings.TrimLeft(m.text, " ")
			dash, ok := strings.CutPrefix(text, "-")
			if !ok || dash != "" && dash[0] != ' ' {
				f.spoil("the value of " + abridged(e.key) + " is neither a string nor a list")
				continue
			}
			dash = strings.TrimLeft(dash, " ")
			at := utf8.RuneCountInString(m.text) - utf8.RuneCountInString(dash) + 1
			items = f.one(items, dash, rules.Pos{File: f.file, Line: m.num, Col: at})
		}
		return items, len(e.more) > 0
	case line[0] == '[':
		return f.flow(e), true
	default:
		if len(e.more) > 0 {
			f.spoil("the value of " + abridged(e.key) + " spans several lines")
		}
		return f.one(nil, e.line, rules.Pos{File: f.file, Line: e.pos.Line, Col: e.col}), false
	}
}

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

// splitFlow cuts a flow list at its commas, not at those in quotes or parentheses.
func splitFlow(s string) (parts []span) {
	from, depth := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case (c == '"' || c == '\'') && strings.TrimSpace(s[from:i]) == "":
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

// one appends a scalar. One that YAML reads otherwise makes the block bad, and still restricts.
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

// unquote returns what a scalar means; ok is false for all but plain and quoted ones.
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

// closing returns the index of the quote that ends the text at s[at], or len(s).
// In double quotes a backslash takes the next character along.
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
