package bashsafety

import "strings"

// A scanClass says in what kind of text a byte stands, as far as a scan that
// knows only quotes, escapes and comments can tell.
type scanClass uint8

const (
	scanPlain scanClass = iota
	scanEscaped
	scanSingle
	scanDouble
	scanComment
)

// A scanner goes through a text byte by byte. It is small enough to be sure of
// what it does and is used where the parser cannot be: for limits before
// parsing and for pieces of what does not parse. It is no judge of what bash
// would read; here-documents are plain text to it.
type scanner struct {
	src   string
	pos   int // of the next byte
	b     byte
	class scanClass

	single, double, dollar, comment bool
	word                            bool // inside a word
}

func (s *scanner) next() bool {
	if s.pos >= len(s.src) {
		return false
	}
	s.b = s.src[s.pos]
	s.pos++
	switch {
	case s.comment:
		s.class = scanComment
		if s.b == '\n' {
			s.comment, s.word, s.class = false, false, scanPlain
		}
	case s.single:
		s.class = scanSingle
		if s.b == '\\' && s.dollar && s.pos < len(s.src) {
			s.pos++
		} else if s.b == '\'' {
			s.single, s.dollar = false, false
		}
	case s.b == '\\' && s.pos < len(s.src):
		s.class, s.word = scanEscaped, true
		s.pos++
	case s.b == '"':
		s.class, s.double, s.word = scanDouble, !s.double, true
	case s.double:
		s.class = scanDouble
	default:
		s.plain()
	}
	return true
}

func (s *scanner) plain() {
	s.class = scanPlain
	switch s.b {
	case '\'':
		s.class, s.single = scanSingle, true
		s.dollar = s.pos > 1 && s.src[s.pos-2] == '$'
		s.word = true
	case '#':
		if !s.word {
			s.class, s.comment = scanComment, true
		}
	case ' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>':
		s.word = false
	default:
		s.word = true
	}
}

// pieces walks what can be made out in a text that does not parse: the simple
// commands between its operators. Deny rules are tried on them; the Doubt about
// the text stands.
func (w *walker) pieces(src string, off int, c *ctx, st *state) {
	start := 0
	var delims []string
	sc := scanner{src: src}
	for sc.next() {
		if sc.class != scanPlain {
			continue
		}
		switch sc.b {
		case '<':
			if d := heredocStart(src[sc.pos-1:]); d != "" && !strings.HasSuffix(src[:sc.pos-1], "<") {
				delims = append(delims, d)
			}
		case ';', '&', '|', '\n', '(', ')', '{', '}', '`':
			w.piece(src[start:sc.pos-1], off+start, c, st)
			if sc.b == '\n' {
				sc.skip(delims)
				delims = nil
			}
			start = sc.pos
		}
	}
	w.piece(src[start:], off+start, c, st)
}

// heredocStart returns the delimiter when s starts with << and one.
func heredocStart(s string) string {
	s, ok := strings.CutPrefix(s, "<<")
	if !ok || strings.HasPrefix(s, "<") {
		return ""
	}
	s = strings.TrimLeft(strings.TrimPrefix(s, "-"), " \t")
	if i := strings.IndexAny(s, " \t\n;&|()<>"); i >= 0 {
		s = s[:i]
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\'"`, r) {
			return -1
		}
		return r
	}, s)
}

// skip moves behind the here-documents with the given delimiters.
func (s *scanner) skip(delims []string) {
	for len(delims) > 0 && s.pos < len(s.src) {
		line, _, _ := strings.Cut(s.src[s.pos:], "\n")
		if strings.TrimLeft(line, "\t") == delims[0] {
			delims = delims[1:]
		}
		s.pos = min(s.pos+len(line)+1, len(s.src))
	}
}

func (w *walker) piece(src string, off int, c *ctx, st *state) {
	if blank(src) || w.full || deep(src) {
		return
	}
	if w.piecesLeft--; w.piecesLeft < 0 {
		w.doubt(dTooMuch, Span{0, len(w.s.Text)}, "")
		return
	}
	fr := *c.fr
	fr.src, fr.off = src, c.fr.off+off
	n := c.through("")
	n.fr = &fr
	file, _ := parse(withoutReserved(src))
	if deepTree(src, file) {
		return
	}
	w.s.files = append(w.s.files, file)
	w.stmts(file.Stmts, n, st)
}

// withoutReserved blanks out the reserved words that a piece starts with.
func withoutReserved(s string) string {
	for i := 0; ; {
		for i < len(s) && isBlank(s[i]) {
			i++
		}
		word := s[i:]
		if n := strings.IndexAny(word, " \t\n"); n >= 0 {
			word = word[:n]
		}
		switch word {
		case "if", "then", "else", "elif", "while", "until", "do", "!", "time":
			i += len(word)
		default:
			return strings.Repeat(" ", i) + s[i:]
		}
	}
}

func blank(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
			return false
		}
	}
	return true
}
