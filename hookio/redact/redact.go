// Package redact replaces secrets in text that is kept or shown: the log, the
// reasons, the trace.
//
// It reads text, not programs: a shell command, a piece of JSON, a header and a
// URL are all searched for the same shapes (Shapes), whatever quotes they are
// in. Where it is not clear how far a secret reaches, it takes more. It knows
// nothing of calls and decisions.
package redact

import (
	"strings"
)

// Mark replaces a secret.
const Mark = "[redacted]"

// Text returns s with its secrets replaced by Mark, and whether it had any. It keeps its output.
func Text(s string) (string, bool) {
	if plain(s) {
		return s, false
	}
	t := scanner{s: s, url: strings.Contains(s, "://") && strings.Contains(s, "@")}
	var out []byte
	last := 0
	for t.at < len(s) {
		if from, to := t.find(); from < to && s[from:to] != Mark {
			out = append(append(out, s[last:from]...), Mark...)
			last = to
			t.skip(to)
			continue
		}
		t.skip(t.at + 1)
	}
	if out == nil {
		return s, false
	}
	return string(append(out, s[last:]...)), true
}

// plain reports that a text has no secret: no word after another, assigned, quoted or long.
func plain(s string) bool {
	run := 0
	for i := range len(s) {
		switch c := s[i]; {
		case inToken(c):
			if run++; run >= minToken {
				return false
			}
		case strings.IndexByte("/.,()*~", c) >= 0:
			run = 0
		default:
			return false
		}
	}
	return true
}

// A scanner goes over a text once and keeps track of the quote and command it is in.
type scanner struct {
	s   string
	at  int
	url bool // a URL with a user may be somewhere
	// quote is the shell quote around the position, 0 for none; opened is where its text starts.
	quote   byte
	opened  int
	command int // where the simple command starts
	parts   int // of the word that were looked at, see glued
	// name is where the last name ends: it may be of many words, which are gone through once.
	name int
}

// skip moves on to a later position.
func (t *scanner) skip(to int) {
	for ; t.at < to; t.at++ {
		switch c := t.s[t.at]; {
		case c == '\\' && t.quote != '\'' && t.at+1 < to:
			t.at++
		case quotationMark(c):
			t.quoted(c)
		case endsCommand(c):
			t.command = t.at + 1
		}
	}
}

func endsCommand(c byte) bool {
	switch c {
	case '\n', ';', '|', '&', '`', '(':
		return true
	}
	return false
}

// quoted notes a quotation mark. An apostrophe within a word is not one.
func (t *scanner) quoted(c byte) {
	switch {
	case t.quote == c:
		t.quote = 0
	case t.quote != 0:
	case c == '\'' && t.withinWord():
	default:
		t.quote, t.opened = c, t.at+1
	}
}

func (t *scanner) withinWord() bool {
	return t.at > 0 && letter(t.s[t.at-1]) && letter(t.byte(t.at+1))
}

// maxParts is how many parts of a word are looked at: each may be long.
const maxParts = 32

// find is secret or token, at what may be the start of one.
func (t *scanner) find() (from, to int) {
	switch {
	case t.boundary():
		t.parts = 0
		return t.secret()
	case t.parts < maxParts && t.glued():
		t.parts++
		return t.token()
	}
	return 0, 0
}

// boundary reports whether a word or an option may start here.
func (t *scanner) boundary() bool {
	if c := t.s[t.at]; !word(c) && c != '-' {
		return false
	}
	return t.at == 0 || !word(t.s[t.at-1]) && t.s[t.at-1] != '-'
}

// glued reports whether a part of a word starts here: mcp__x__ghp_...
func (t *scanner) glued() bool {
	return t.at > 0 && letter(t.s[t.at]) && (t.s[t.at-1] == '_' || t.s[t.at-1] == '-')
}

// token is secret for a part of a word, which announces nothing.
func (t *scanner) token() (from, to int) {
	if !t.reaches(minToken) {
		return 0, 0
	}
	for i := range Shapes {
		if p := &Shapes[i]; p.Prefixes != nil {
			if from, to := p.find(t, p); from < to {
				return from, to
			}
		}
	}
	return 0, 0
}

// minToken is the shortest token with the mark of an issuer, mark included.
const minToken = 14

// secret returns the extent of a secret that the word at the position is or announces, if any.
func (t *scanner) secret() (from, to int) {
	long := t.reaches(minToken)
	option := t.s[t.at] == '-'
	for i := range Shapes {
		if p := Shapes[i].Prefixes; p != nil && !long || option && p != nil {
			continue
		}
		if from, to := Shapes[i].find(t, &Shapes[i]); from < to {
			return from, to
		}
	}
	return 0, 0
}

// rest is the text from the position on.
func (t *scanner) rest() string { return t.s[t.at:] }

// run returns the end of the run of characters in accepts from i on, with
// quotation marks and backslashes inside, which a shell takes away.
func (t *scanner) run(i int, in func(byte) bool) int {
	for i < len(t.s) {
		if in(t.s[i]) {
			i++
			continue
		}
		j := i
		for j < len(t.s) && (quotationMark(t.s[j]) || t.s[j] == '\\') {
			j++
		}
		if j == i || j == len(t.s) || !in(t.s[j]) {
			break
		}
		i = j
	}
	return i
}

// maxToken bounds, in bytes, how much of a word is looked at to recognise it,
// as that is done from every word. It does not bound the secret found.
const maxToken = 1 << 10

// head is run, but looks at no more than maxToken bytes.
func (t *scanner) head(i int, in func(byte) bool) int {
	short := scanner{s: t.s[:min(len(t.s), i+maxToken)]}
	return short.run(i, in)
}

// reaches reports whether the run of token characters at the position has at
// least n bytes.
func (t *scanner) reaches(n int) bool {
	for i, end := t.at, min(len(t.s), t.at+maxToken); i < end; i++ {
		switch c := t.s[i]; {
		case inBase64(c):
			if n--; n == 0 {
				return true
			}
		case !quotationMark(c) && c != '\\':
			return false
		}
	}
	return false
}

// quotationMark accepts the marks that quote in a shell, in JSON and in most languages.
func quotationMark(c byte) bool { return c == '"' || c == '\'' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
func word(c byte) bool   { return letter(c) || digit(c) || c == '_' }
func blank(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// inToken accepts the characters of tokens; inJWT those of dotted ones.
func inToken(c byte) bool { return word(c) || c == '-' }
func inJWT(c byte) bool   { return word(c) || c == '-' || c == '.' }
func inBase64(c byte) bool {
	switch c {
	case '+', '/', '=', '~':
		return true
	}
	return inJWT(c)
}

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

// closing returns where a quoted text ends: at the same mark with the same backslashes, or with s.
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

// stops reports whether a character that is no quote ends the value, in its own quote or in outer.
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
