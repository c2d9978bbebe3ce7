package redact

import "strings"

// extent returns how far the value reaches.
func (v *value) extent() (from, to int) {
	open := v.start
	if v.byte(open) == '$' && quotationMark(v.byte(open+1)) {
		open++
	}
	if text := v.quotes(open); text > open {
		from, to = v.quotedExtent(open, text)
	} else {
		from, to = v.bareExtent(open)
	}
	return v.keepReference(from, to)
}

// quotedExtent returns how far a value reaches whose quotation mark is at open
// and whose text starts at text.
func (v *value) quotedExtent(open, text int) (from, to int) {
	to = v.closing(text, v.s[open:text])
	if rest := to + text - open; v.goesOn(rest) {
		return open, v.unquoted(rest)
	}
	if header(v.name) {
		return text + scheme(v.s[text:to]), to
	}
	return text, to
}

// goesOn reports whether a shell word goes on after a quoted part that ends at i.
func (v *value) goesOn(i int) bool {
	if v.colon || v.quote != 0 || i >= len(v.s) {
		return false
	}
	return !v.ends(v.s[i], 0) && v.s[i] != ','
}

// bareExtent returns how far a value without quotation marks reaches.
func (v *value) bareExtent(i int) (from, to int) {
	switch {
	case v.colon && (header(v.name) || v.lineStart()):
		from = i + scheme(v.s[i:])
		to = v.lineEnd(from)
	case v.fillsQuotes():
		from, to = i, v.closing(i, v.s[v.at-1:v.at])
		if semi := strings.IndexByte(v.s[from:to], ';'); semi >= 0 && strings.Contains(v.s[from+semi:to], "=") {
			to = from + semi // one part of a connection string
		}
	default:
		from = i + scheme(v.s[i:])
		to = v.unquoted(from)
	}
	if v.colon {
		to = from + len(withoutClosers(v.s[from:to]))
	}
	return from, to
}

// fillsQuotes reports whether name and value are all that is quoted: "TOKEN=a b".
func (v *value) fillsQuotes() bool {
	if v.quote == 0 || v.opened != v.at || v.query {
		return false
	}
	return v.name[0] != '-' && !v.isScript()
}

// withoutClosers cuts brackets off the end of a value that opens none.
func withoutClosers(s string) string {
	if strings.ContainsAny(s, "{([") {
		return s
	}
	return strings.TrimRight(s, ",})]")
}

// closing returns where the text that a quotation mark opened ends: at the same
// mark with the same backslashes, or at the end.
func (t *scanner) closing(i int, mark string) int {
	for ; i < len(t.s); i++ {
		if strings.HasPrefix(t.s[i:], mark) && (i == 0 || t.s[i-1] != '\\') {
			return i
		}
		if len(mark) == 1 && t.s[i] == '\\' {
			i++
		}
	}
	return len(t.s)
}

// lineEnd is where a line ends, or the quoted text it is in.
func (t *scanner) lineEnd(i int) int {
	for ; i < len(t.s) && t.s[i] != '\n'; i++ {
		c := t.s[i]
		if t.quote != 0 && c == t.quote || t.quote == 0 && quotationMark(c) {
			return i
		}
	}
	return i
}

// lineStart reports whether the name is the first word of its line.
func (v *value) lineStart() bool {
	i := v.at
	for i > 0 && strings.IndexByte(" \t-", v.s[i-1]) >= 0 {
		i--
	}
	startsQuotes := v.quote != 0 && i == v.opened
	first := i == 0 || v.s[i-1] == '\n' || startsQuotes
	return first && blank(v.s[v.start-1])
}

// isScript reports whether the quoted text around the position is given to a shell.
func (t *scanner) isScript() bool {
	before := strings.TrimRight(t.s[:max(t.opened-1, 0)], " ")
	last := before[strings.LastIndexByte(before, ' ')+1:]
	if last == "eval" {
		return true
	}
	cluster := strings.HasPrefix(last, "-") && !strings.HasPrefix(last, "--")
	return cluster && strings.HasSuffix(last, "c")
}

// unquoted returns the end of a shell word from i on.
func (v *value) unquoted(i int) int {
	outer, quote := v.quote, v.quote
	for ; i < len(v.s); i++ {
		c := v.s[i]
		opens := quote == 0 && quotationMark(c)
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote == c:
			quote, outer = 0, 0
		case opens && !v.colon:
			quote = c
		case opens, v.stops(c, quote, outer):
			return i
		}
	}
	return min(i, len(v.s))
}

// stops reports whether a character that is no quotation mark ends the value, in a
// quote of its own or in the quote outer.
func (v *value) stops(c, quote, outer byte) bool {
	endsParameter := v.query && (c == '&' || c == '#')
	if endsParameter || outer != 0 && c == '`' {
		return true
	}
	return (quote == 0 || quote == outer) && v.ends(c, outer)
}

// ends reports characters that end a word, in the quote outer.
func (v *value) ends(c, outer byte) bool {
	return blank(c) || c == ';' || outer == 0 && strings.IndexByte("&|<>()`", c) >= 0
}
