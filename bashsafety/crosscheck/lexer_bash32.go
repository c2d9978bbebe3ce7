package crosscheck

import "github.com/permgate--owner/permgate/bashsafety/shell"

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
