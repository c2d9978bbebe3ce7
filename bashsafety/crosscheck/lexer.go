package crosscheck

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A lexer reads a text as the token rules of bash say and gives each byte its
// class. It builds no tree and is written from the shell's documentation and
// behaviour alone, so that it does not share a mistake with the parser. Where
// the rules depend on more than the text before (a version, an option, what the
// grammar makes of a token), it is unsure.
//
// Its states are its functions: commands, test, array, word, single, double,
// dollar, param, arith, backquote and heredoc. Each is entered at its first
// byte, left after its last one, and calls another for what is inside.
// Source: bash(1) 5.2, QUOTING, EXPANSION, REDIRECTION, Here Documents; POSIX
// 1003.1 shell, 2.3 Token Recognition.
type lexer struct {
	src   string
	pos   int // of the next byte
	end   int // of what may be read: the text, a here-document, or `...`
	class []byteClass
	depth int
	wait  int // here-documents whose lines are still to come, in any state

	joins   int // open here-documents whose lines are joined before they are read
	substs  int // open $(, <( and >(
	matched int // open words with a [ outside quotes
	ariths  int // open arithmetic

	pairs    []pair // constructs that bash 3.2 looks for the end of
	pair     int32  // the number of the open one of this word, 0 for none
	list     int32  // the number of the one whose program is read
	doc      int32  // the end of the here-document that is read, 0 for none
	joinsDoc int    // a place bash 3.2 reads otherwise, counted from 1

	zsh    ZshPlace
	groups int    // open {
	unsure string // what the lexer is unsure about first, "" when nothing
	at     int
}

// doubt says that the lexer is unsure at a place and gives up: what follows is
// not read.
func (l *lexer) doubt(at int, what string) {
	if l.unsure == "" {
		l.unsure, l.at = what, min(at, max(len(l.src)-1, 0))
	}
	l.pos = l.end
}

func (l *lexer) more() bool { return l.pos < l.end && l.unsure == "" }

// peek returns the byte n places on, 0 after the end.
func (l *lexer) peek(n int) byte {
	if l.pos+n < l.end {
		return l.src[l.pos+n]
	}
	return 0
}

// take gives the next n bytes a class and moves past them.
func (l *lexer) take(n int, c byteClass) {
	for ; n > 0 && l.pos < l.end; n-- {
		l.class[l.pos] = c
		l.pos++
	}
}

// enter guards the recursion; leave must follow.
func (l *lexer) enter() bool {
	if l.depth++; l.depth > 2*shell.MaxNesting {
		l.doubt(l.pos, "nesting")
	}
	return l.unsure == ""
}

func (l *lexer) leave() { l.depth-- }

func (l *lexer) blanks() {
	for l.more() {
		if b := l.src[l.pos]; b == ' ' || b == '\t' {
			l.take(1, classBlank)
		} else if !l.continuation() {
			return
		}
	}
}

// continuation reads a backslash and a newline, which a shell drops before it
// looks for tokens.
func (l *lexer) continuation() bool {
	if l.peek(0) != '\\' || l.peek(1) != '\n' {
		return false
	}
	if !l.plainJoin(false) {
		l.doubt(l.pos, "a line continuation inside a word or operator")
		return true
	}
	l.take(2, classEscape)
	return true
}

// plainJoin reports whether the line continuation at the next byte is read
// alike by every reader: between words, inside a plain word, or in quoted text
// away from an expansion.
func (l *lexer) plainJoin(quoted bool) bool {
	prev, next := byte('\n'), byte('\n')
	if l.pos > 0 {
		prev = l.src[l.pos-1]
	}
	if l.pos+2 < len(l.src) {
		next = l.src[l.pos+2]
	}
	switch {
	case prev == '$' || prev == '`' || prev == '\\' || l.inName():
		return false
	case quoted:
		return prev != '{'
	case IsBlank(next), IsBlank(prev):
		return true
	case strings.IndexByte("&|;(", prev) >= 0:
		return plainByte(next)
	}
	return plainByte(prev) && plainByte(next)
}

// inName reports whether the text in front of the next byte is the name of a
// parameter that could go on.
func (l *lexer) inName() bool {
	j := l.pos
	for j > 0 && shell.NameByte(l.src[j-1]) {
		j--
	}
	return strings.HasSuffix(l.src[:j], "$") || strings.HasSuffix(l.src[:j], "${")
}

// IsBlank reports whether a byte separates words.
func IsBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

// plainByte reports whether a byte means nothing but itself anywhere in a word.
func plainByte(b byte) bool { return shell.NameByte(b) || strings.IndexByte("./-_:@%", b) >= 0 }

// bash 3.2, the /bin/bash and /bin/sh of macOS, does not parse what is in $( )
// to find its end, as later ones do. It counts brackets and skips quotes, so that
// a ) or a quote in a here-document, a comment or a case pattern ends the
// substitution, or keeps it open. A pair is one construct of a word that it looks
// for the end of in this way.
type pair struct {
	at, end int32 // from its first byte to the one after its last, as the lexer read it
	parent  int32 // the pair whose program it is in, -1 for the text itself
	quoted  int32 // the pair of the same word that it is in, -1 for none
	doc     int32 // the end of the here-document it is in, 0 for none
	dead    bool  // bash 3.2 finds no end: the program is a syntax error there
}

// beginPair notes that a construct starts at the next byte; endPair must follow.
func (l *lexer) beginPair() (was int32) {
	was = l.pair - 1
	l.pairs = append(l.pairs, pair{at: int32(l.pos), parent: l.list - 1, quoted: was, doc: l.doc})
	l.pair = int32(len(l.pairs))
	return was
}

func (l *lexer) endPair(was int32) {
	l.pairs[l.pair-1].end = int32(l.pos)
	l.pair = was + 1
}

// inExpansion reports whether what is read is in a substitution in ${...}, at
// any depth.
func (l *lexer) inExpansion() bool {
	for list := l.list; list > 0; list = l.pairs[list-1].parent + 1 {
		for q := l.pairs[list-1].quoted; q >= 0; q = l.pairs[q].quoted {
			if l.src[l.pairs[q].at+1] == '{' {
				return true
			}
		}
	}
	return false
}

// bash32 compares where the constructs of the text end for bash 3.2. Where it
// finds another end there is a doubt; where it finds none it runs nothing.
func (l *lexer) bash32() {
	old := bash32{src: l.src, left: 64*len(l.src) + 1<<10}
	for i := range l.pairs {
		p := &l.pairs[i]
		at, end, limit := int(p.at), int(p.end), len(l.src)
		if p.parent >= 0 {
			if limit = int(l.pairs[p.parent].end) - 1; l.pairs[p.parent].dead {
				p.dead = true
			}
		}
		if p.quoted >= 0 && l.pairs[p.quoted].dead {
			p.dead = true
		}
		if p.dead {
			continue
		}
		if p.quoted < 0 && p.doc == 0 { // where the parser looks for it
			switch found, last := old.parse(at, limit); {
			case !found && old.left > 0:
				p.dead = true
				continue
			case last != end:
				l.doubt(at, "bash 3.2 ends this at another place")
				return
			}
		}
		if !old.substitution(at) {
			continue
		}
		last := end // of what is expanded: the word, the here-document
		for q := p; q.quoted >= 0; last = int(q.end) {
			q = &l.pairs[q.quoted]
		}
		if p.doc > 0 {
			last = int(p.doc)
		}
		found, ends := old.expand(at, last)
		if found && l.textOnly(p, ends) {
			continue
		}
		elsewhere := found && ends != end
		cutsWord := !found && p.doc == 0 && !wordEnds(l.src, last)
		if elsewhere || cutsWord || old.left <= 0 {
			l.doubt(at, "bash 3.2 ends this substitution at another place")
			return
		}
		p.dead = !found
	}
	if n := l.joinsDoc; n > 0 && l.unsure == "" {
		l.doubt(n-1, "bash 3.2 joins lines of a here-document in a substitution")
	}
}

// textOnly reports whether a substitution is the usual "$(cat <<E ...)", whose
// lines bash 3.2 takes to be fewer, and the others for text in quotes.
func (l *lexer) textOnly(p *pair, found int) bool {
	at, end := int(p.at), int(p.end)
	if p.quoted < 0 || l.src[l.pairs[p.quoted].at] != '"' || found > end || !strings.HasPrefix(l.src[at:], "$(cat <<") {
		return false
	}
	return strings.IndexByte(l.src[at:found], '\n') >= 0 && !strings.ContainsAny(l.src[found:end], "$`\\")
}

func wordEnds(src string, at int) bool {
	return at >= len(src) || strings.IndexByte(" \t\n;&|()<>", src[at]) >= 0
}

// rejoined notes a here-document in a substitution in which bash 3.2 sees
// other lines, because it drops each backslash with a newline after it and
// expands $'...' when it looks for the end.
func (l *lexer) rejoined(d *hereDoc, from, to int) {
	if l.substs == 0 || l.joinsDoc > 0 {
		return
	}
	body := strings.ReplaceAll(l.src[from:to], "\\\n", "")
	other := strings.HasSuffix(l.src[from:to], "\\\n") || l.makesLines(d, body)
	for line := range strings.SplitSeq(body, "\n") {
		if d.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		other = other || line == d.delim
	}
	if other {
		l.joinsDoc = from + 1
	}
}

// makesLines reports whether the $'...' in the lines of a here-document, expanded,
// may be a line that ends it, or one that is expanded again. Text that holds the
// delimiter nowhere and spells no characters by number is neither.
func (l *lexer) makesLines(d *hereDoc, body string) bool {
	if !strings.Contains(body, "$'") {
		return false
	}
	plain := d.quoted && l.substs == 1 && !strings.Contains(body, d.delim)
	return slices.ContainsFunc(strings.Split(body, `\`)[1:], func(escape string) bool {
		return !plain || escape != "" && strings.IndexByte("01234567xuUc?", escape[0]) >= 0
	})
}

// bracesIn reports whether bytes that no quotes are around could be a brace
// expansion, in a process substitution.
func (l *lexer) bracesIn(from, to int) bool {
	want := braceSeen{}
	for i := from; i < to; i++ {
		switch l.class[i] &^ tokenStart {
		case classUnquoted, classHeredoc, classComment:
			if want.next(l.src, i) {
				return true
			}
		}
	}
	return false
}

// bracesInQuotes does so for a substitution in double quotes: when bash 3.2
// looks for braces, quotes inside end those around.
func (l *lexer) bracesInQuotes(from, to int) bool {
	want, open := braceSeen{}, false
	for i := from; i < to; i++ {
		switch b := l.src[i]; {
		case b == '\\':
			i++
		case b == '"':
			open = !open
		case open && b == '\'':
			if n := strings.IndexByte(l.src[i+1:to], '\''); n >= 0 {
				i += n + 1
			}
		case open && want.next(l.src, i):
			return true
		}
	}
	return false
}

// A braceSeen counts what of {, a comma or .., and } was seen.
type braceSeen struct{ n int }

func (s *braceSeen) next(src string, i int) bool {
	switch b := src[i]; {
	case b == '{' && src[i-1] != '$' && s.n == 0, s.n == 1 && (b == ',' || b == '.' && src[i-1] == '.'):
		s.n++
	case b == '}' && s.n == 2:
		return true
	}
	return false
}
