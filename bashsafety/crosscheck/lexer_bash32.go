package crosscheck

import (
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A bash32 looks for the ends of constructs as the functions parse_matched_pair
// (parse.y) and extract_delimited_string (subst.c) of bash 3.2.48 do.
type bash32 struct {
	src   string
	pos   int
	end   int
	left  int // budget, in bytes
	depth int
}

// Flags of parse_matched_pair.
const (
	firstClose = 1 << iota // nested ones of the same kind do not count
	allowEsc               // $'...'
	comments
)

// parse returns where the parser finds the end of the construct at a place.
func (b *bash32) parse(at, limit int) (found bool, end int) {
	b.pos, b.end, b.depth = at, limit, 0
	open := b.src[at]
	if open == '"' || open == '`' {
		b.pos++
		found = b.matched(open, open, open, comments)
		return found, b.pos
	}
	if b.pos += 2; open == '(' { // a command
		found = b.matched(0, '(', ')', 0)
		if b.pos < limit && b.src[b.pos] == ')' {
			b.pos++
		}
		return found, b.pos
	}
	open = b.src[at+1]
	switch open {
	case '{':
		found = b.matched(0, '{', '}', firstClose)
	case '[':
		found = b.matched(0, '[', ']', 0)
	case '\'', '"':
		found = b.matched(open, open, open, allowEsc)
	default:
		found = b.matched(0, '(', ')', comments)
	}
	return found, b.pos
}

// enter spends the budget of a nested construct.
func (b *bash32) enter() bool {
	if b.depth++; b.depth > 4*shell.MaxNesting {
		b.left = 0
	}
	return b.left > 0
}

func (b *bash32) leave() { b.depth-- }

// matched is parse_matched_pair.
func (b *bash32) matched(qc, open, closer byte, flags int) bool {
	if !b.enter() {
		return false
	}
	defer b.leave()
	check := flags&comments != 0 && qc == 0
	count, start := 1, b.pos
	pass, dollar, comment := false, false, false
	for count > 0 {
		if b.left--; b.pos >= b.end || b.left <= 0 {
			return false
		}
		ch := b.src[b.pos]
		if ch == '\\' && b.at(1) == '\n' && qc != '\'' && !pass {
			b.pos += 2
			continue
		}
		first := b.pos == start || IsBlank(b.src[b.pos-1])
		b.pos++
		if comment {
			comment = ch != '\n'
			continue
		}
		comment = check && ch == '#' && first
		if pass {
			pass = false
			continue
		}
		count += nesting(open, closer, ch, flags, dollar)
		if open == '\'' {
			pass = flags&allowEsc != 0 && ch == '\\'
			continue
		}
		pass = ch == '\\'
		if !b.inside(open, closer, ch, dollar) {
			return false
		}
		dollar = ch == '$'
	}
	return true
}

// nesting returns what a byte adds to the number of open brackets.
func nesting(open, closer, ch byte, flags int, dollar bool) int {
	switch {
	case ch == closer:
		return -1
	case ch == open && flags&firstClose == 0, ch == open && open == '{' && dollar:
		return 1
	}
	return 0
}

// inside reads what a byte in a matched pair starts.
func (b *bash32) inside(open, closer, ch byte, dollar bool) bool {
	switch {
	case open != closer:
		return b.quotes(ch, dollar)
	case open == '"' && ch == '`':
		return b.matched(0, '`', '`', 0)
	case open == '`' || !dollar:
		return true
	}
	switch ch {
	case '(':
		return b.matched(0, '(', ')', 0)
	case '{':
		return b.matched(0, '{', '}', firstClose)
	case '[':
		return b.matched(0, '[', ']', 0)
	}
	return true
}

// quotes reads quotes or backquotes, when the byte starts them.
func (b *bash32) quotes(ch byte, dollar bool) bool {
	switch {
	case ch == '\'' && dollar:
		return b.matched(ch, ch, ch, allowEsc)
	case ch == '\'' || ch == '"' || ch == '`':
		return b.matched(ch, ch, ch, 0)
	}
	return true
}

// substitution reports whether what is at a place is one that commands are read
// from.
func (b *bash32) substitution(at int) bool {
	if b.src[at] == '"' || b.src[at] == '(' || b.src[at+1] != '(' {
		return false
	}
	return b.src[at] != '$' || b.src[at+2] != '('
}

// expand returns where the substitution at a place ends when the word is
// expanded, which is looked for once more.
func (b *bash32) expand(at, limit int) (found bool, end int) {
	b.pos, b.end, b.depth = at+2, limit, 0
	found = b.delimited(b.src[at] == '$')
	return found, b.pos
}

// at returns the byte n places on, 0 after the end.
func (b *bash32) at(n int) byte {
	if b.pos+n < b.end {
		return b.src[b.pos+n]
	}
	return 0
}

// more spends one byte of the budget on the next one; false if none is left.
func (b *bash32) more() bool {
	if b.pos >= b.end {
		return false
	}
	b.left--
	return b.left > 0
}

// delimited is extract_delimited_string for brackets.
func (b *bash32) delimited(comments bool) bool {
	if !b.enter() {
		return false
	}
	defer b.leave()
	for b.more() {
		ok := true
		switch ch := b.src[b.pos]; {
		case ch == '#' && comments && IsBlank(b.src[b.pos-1]):
			for b.pos < b.end && b.src[b.pos] != '\n' {
				b.pos++
			}
			b.pos++
		case ch == '(':
			b.pos++
			ok = b.delimited(comments)
		case ch == ')':
			b.pos++
			return true
		default:
			ok = b.step(ch)
		}
		if !ok {
			return false
		}
	}
	return false
}

// step reads one byte, with what it escapes, or the quotes it starts.
func (b *bash32) step(ch byte) bool {
	switch ch {
	case '\\':
		b.pos += 2
	case '`', '\'', '"':
		return b.skipped(ch)
	default:
		b.pos++
	}
	return true
}

// skipped skips what is in quotes or backquotes.
func (b *bash32) skipped(quote byte) bool {
	escapes := quote != '\'' || b.src[b.pos-1] == '$' // the parser made '...' of $'...'
	if b.pos++; !b.enter() {
		return false
	}
	defer b.leave()
	for b.more() {
		switch ch := b.src[b.pos]; {
		case ch == quote:
			b.pos++
			return true
		case ch == '\\' && escapes:
			b.pos += 2
		case quote != '"':
			b.pos++
		case !b.inDouble(ch):
			return false
		}
	}
	return false
}

// inDouble reads one byte in double quotes, or what it starts.
func (b *bash32) inDouble(ch byte) bool {
	if ch == '$' && b.at(1) == '{' {
		b.pos += 2
		return b.braced()
	}
	if ch == '$' && b.at(1) == '(' {
		b.pos += 2
		return b.delimited(true)
	}
	if ch == '`' {
		for b.pos++; b.pos < b.end && b.src[b.pos] != '`'; b.pos++ {
			if b.src[b.pos] == '\\' {
				b.pos++
			}
		}
	}
	b.pos++
	return true
}

// braced is extract_dollar_brace_string.
func (b *bash32) braced() bool {
	if !b.enter() {
		return false
	}
	defer b.leave()
	for level := 1; b.more(); {
		ok := true
		switch ch := b.src[b.pos]; {
		case ch == '$' && b.at(1) == '{':
			level++
			b.pos += 2
		case ch == '$' && b.at(1) == '(':
			b.pos += 2
			ok = b.delimited(true)
		case ch == '}':
			b.pos++
			if level--; level == 0 {
				return true
			}
		default:
			ok = b.step(ch)
		}
		if !ok {
			return false
		}
	}
	return false
}
