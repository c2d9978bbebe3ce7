package load

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
)

// A front is the block between the --- lines that start an agent definition or
// skill: the small part of YAML that people write there. Keys that no one asks for
// may hold whatever YAML has.
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

// find returns the entry with one of the names. Two of them make the block bad;
// all are returned, for restrictions.
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

// items returns the scalars of a value; list is false when it is a single
// scalar. What cannot be read makes the block bad and is left out.
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
