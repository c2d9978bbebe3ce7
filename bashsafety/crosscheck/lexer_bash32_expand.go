package crosscheck

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

// more spends one byte of the budget on the next one; false when there is none.
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
