package code

import (
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A quoting says how a string is read.
type quoting struct {
	kind        byte
	open, close string // open is "" where it does not nest
	raw         bool   // a backslash escapes the quote at most
	verbatim    bool   // it escapes nothing
	holes       Lang   // whose holes it may have, 0 for none
	braces      bool   // {x} is a hole: of Python
}

// A heredoc is a text that was announced and begins at the next line.
type heredoc struct {
	token int // which it is
	end   string
	quoting
}

// literal reads a string, a command, a list of words or a pattern, if one begins here.
func (x *lexer) literal() bool {
	rest := x.rest()
	switch c := rest[0]; {
	case c == '"':
		x.plain(0, quoting{holes: x.lang})
	case c == '\'':
		return x.single()
	case c == '`' && x.lang.is(Ruby|Perl|PHP):
		x.quoted(1, quoting{kind: aCommand, close: "`", holes: x.lang})
	case c == '`' && x.lang.is(JavaScript):
		x.quoted(1, quoting{close: "`", holes: JVM})
	case c == '`' && x.juliaCommand(rest):
		x.quoted(1, quoting{close: "`", raw: true})
	case c == '`' && x.lang.is(Go|Lines):
		x.quoted(1, quoting{close: "`", verbatim: true})
	case c == '[' && x.lang.is(Lua) && longBracket(rest) != "":
		end := longBracket(rest)
		x.quoted(len(end), quoting{close: end, verbatim: true})
	case c == '/' && x.lang.is(regexps) && x.beginsPattern():
		x.pattern()
	case c == '<' && strings.HasPrefix(rest, "<<") && x.lang.is(Ruby|Perl|PHP):
		return x.announced()
	case c == '%' && x.lang.is(Ruby), c == '~' && x.lang.is(Elixir):
		return x.percent()
	case shell.NameStart(c) && !x.inName():
		return x.prefixed()
	default:
		return false
	}
	return true
}

// juliaCommand reports whether a backtick begins a command of Julia. OCaml has tags with one, Haskell operators.
func (x *lexer) juliaCommand(rest string) bool {
	if !x.lang.is(ML) || x.afterValue() {
		return false
	}
	line, _, _ := strings.Cut(rest[1:min(len(rest), maxHole)], "\n")
	_, after, ok := strings.Cut(line, "`")
	return ok && (after == "" || !shell.NameByte(after[0]))
}

// inName reports whether a name goes on here.
func (x *lexer) inName() bool {
	return x.i > 0 && (x.lang.nameByte(x.s[x.i-1]) || strings.IndexByte("$@", x.s[x.i-1]) >= 0)
}

// single reads what a single quote begins, which is no string in some languages.
func (x *lexer) single() bool {
	rest := x.rest()
	switch {
	case x.lang.is(Lisp): // what follows is quoted
		x.i++
		return true
	case x.lang.is(CMake):
		return false
	case x.lang.is(Rust|Go|C) || x.lang.is(ML) && len(rest) > 2 && rest[2] == '\'':
		n := strings.IndexByte(rest[1:min(len(rest), 8)], '\'')
		if n <= 0 && !strings.HasPrefix(rest, `'\''`) {
			return false
		}
		x.add(aNumber, "'")
		x.i += n + 2
		return true
	}
	x.plain(0, quoting{raw: x.lang.is(Ruby | Perl | PHP), kind: aString})
	return true
}

// plain reads a string of quotes after a prefix, three of them where the language has that.
func (x *lexer) plain(prefix int, q quoting) {
	rest := x.rest()[prefix:]
	q.close = rest[:1]
	if triple := strings.Repeat(q.close, 3); x.lang.is(triples) && strings.HasPrefix(rest, triple) {
		q.close = triple
	}
	x.quoted(prefix+len(q.close), q)
}

// prefixed reads strings that begin with letters: r"", q(), ~c"", and patterns of Perl.
func (x *lexer) prefixed() bool {
	rest := x.rest()
	n := shell.WordLength(rest, shell.NameByte)
	word, after := rest[:n], rest[n:]
	if after == "" {
		return false
	}
	switch c := after[0]; {
	case x.lang.is(Perl):
		return x.perlQuote(word, after)
	case c != '"' && c != '\'' && c != '#':
		return false
	case x.lang.is(Python) && n < 3 && strings.Trim(strings.ToLower(word), "rbfut") == "":
		raw := strings.ContainsAny(word, "rR")
		x.plain(n, quoting{raw: raw, braces: strings.ContainsAny(word, "fFtT")})
		return true
	case x.lang.is(Rust) && shell.Among("r b br", word):
		hashes := after[:shell.WordLength(after, func(b byte) bool { return b == '#' })]
		if quote := hashes + `"`; strings.HasPrefix(after, quote) {
			x.quoted(n+len(quote), quoting{close: `"` + hashes, verbatim: word != "b"})
			return true
		}
	case x.lang.is(JVM) && c == '"' && shell.Among("s f raw", word), x.lang.is(R) && shell.Among("r R", word):
		x.plain(n, quoting{holes: x.lang})
		return true
	}
	return false
}

// perlQuote reads the quotes of Perl that are spelled with letters.
func (x *lexer) perlQuote(word, after string) bool {
	if key := x.i > 0 && (x.s[x.i-1] == '{' && after[0] == '}' || x.s[x.i-1] == '>'); key ||
		!shell.Among("q qq qx qw m qr s tr y", word) {
		return false
	}
	blank := len(after) - len(strings.TrimLeft(after, " \t\n"))
	open := after[blank:]
	if open == "" || strings.IndexByte(",;)=", open[0]) >= 0 || shell.NameByte(open[0]) {
		return false
	}
	q := quoting{close: shell.Closing(open[:1]), holes: Perl}
	if q.close != open[:1] {
		q.open = open[:1]
	}
	switch word {
	case "q":
		q.raw, q.holes = true, 0
	case "qx":
		q.kind = aCommand
	case "qw":
		q.kind, q.holes = aWords, 0
	case "m", "qr", "s", "tr", "y":
		q.kind, q.holes = aPattern, 0
	}
	x.quoted(len(word)+blank+1, q)
	if !shell.Among("s tr y", word) {
		return true
	}
	if q.open != "" { // s{}{}: another pair
		x.i += len(x.rest()) - len(strings.TrimLeft(x.rest(), " \t\n"))
		if !strings.HasPrefix(x.rest(), q.open) {
			return true
		}
		x.i++
	}
	q.raw = true
	x.quoted(0, q)
	with := x.tokens[len(x.tokens)-1].text
	x.tokens = x.tokens[:len(x.tokens)-1]
	flags := x.rest()[:shell.WordLength(x.rest(), shell.NameByte)]
	if x.i += len(flags); word == "s" && strings.Contains(flags, "e") { // it is code
		text := token{kind: aString, parts: []part{{with, true}}}
		if strings.Contains(flags, "ee") { // and its value, too
			x.tokens = append(x.tokens, token{kind: aName, text: "eval"}, token{kind: '(', text: "("}, text)
			text = token{kind: ')', text: ")"}
		}
		x.tokens = append(x.tokens, text)
	}
	return true
}

// percent reads %q(), %x[], %w|| of Ruby and ~s(), ~c"" of Elixir.
func (x *lexer) percent() bool {
	rest := x.rest()
	letter, n := byte('Q'), 1
	if len(rest) > 1 && (shell.NameStart(rest[1]) || x.lang.is(Elixir)) {
		letter, n = rest[1], 2
	}
	named := x.afterValue() && x.tokens[len(x.tokens)-1].kind == aName // it may be a function
	operator := x.afterValue() && !named
	operator = operator || n == 1 && named && !x.afterCommand()
	delimited := len(rest) > n && strings.IndexByte("([{<|!/^\"'", rest[n]) >= 0
	if operator || !delimited || strings.IndexByte("qQxwWiIrsScC", letter) < 0 {
		return false
	}
	q := quoting{close: shell.Closing(rest[n : n+1]), holes: x.lang}
	if q.close != rest[n:n+1] {
		q.open = rest[n : n+1]
	}
	switch letter {
	case 'q', 's', 'S', 'C':
		q.raw, q.holes = true, 0
	case 'x':
		q.kind = aCommand
	case 'w', 'W', 'i', 'I':
		q.kind, q.holes = aWords, 0
	case 'r':
		q.kind, q.holes = aPattern, 0
	}
	x.quoted(n+1, q)
	return true
}

// afterCommand reports whether a name and a blank come before, which may be a function and its argument.
func (x *lexer) afterCommand() bool {
	named := len(x.tokens) > 0 && x.tokens[len(x.tokens)-1].kind == aName
	return named && x.lang.is(Ruby|Perl) && x.s[x.i-1] == ' '
}

// beginsPattern reports whether a slash begins a pattern, which ends on the same line.
func (x *lexer) beginsPattern() bool {
	rest, all := x.rest(), x.tokens
	for n := len(all); n > 1 && all[n-1].text == "\n" && all[n-2].kind != '}' && x.lang.is(JavaScript); n-- {
		x.tokens = all[:n-1] // a statement goes on
	}
	value := x.afterValue()
	if x.tokens = all; x.bare {
		return false
	}
	if value {
		if !x.afterCommand() || len(rest) < 2 || rest[1] == ' ' || rest[1] == '=' {
			return false
		}
	}
	line, _, _ := strings.Cut(rest[1:min(len(rest), maxHole)], "\n")
	return strings.Contains(line, "/")
}

func (x *lexer) pattern() {
	class := false
	i := x.i + 1
	for ; i < len(x.s) && x.s[i] != '\n' && (class || x.s[i] != '/'); i++ {
		switch x.s[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		}
	}
	x.add(aPattern, "")
	x.i = min(i+1, len(x.s))
}

// announced reads <<~END, <<"END", <<<END.
func (x *lexer) announced() bool {
	rest := x.rest()[2:]
	if x.lang.is(PHP) {
		if !strings.HasPrefix(rest, "<") {
			return false
		}
		rest = strings.TrimLeft(rest[1:], " ")
	} else if rest = strings.TrimLeft(rest, "~-"); x.lang.is(Ruby) && x.afterValue() && !x.afterCommand() {
		return false // it appends
	}
	h := heredoc{token: len(x.tokens), quoting: quoting{kind: aString, holes: x.lang}}
	if rest != "" && strings.IndexByte("'\"`", rest[0]) >= 0 {
		end := strings.IndexByte(rest[1:min(len(rest), maxHole)], rest[0])
		if end < 0 {
			return false
		}
		if h.end = rest[1 : 1+end]; rest[0] == '\'' {
			h.verbatim, h.holes = true, 0
		} else if rest[0] == '`' {
			h.kind = aCommand
		}
		rest = rest[end+2:]
	} else {
		n := shell.WordLength(rest, shell.NameByte)
		if n == 0 || !shell.NameStart(rest[0]) || x.lang.is(Ruby) && rest[0] >= 'a' {
			return false
		}
		h.end, rest = rest[:n], rest[n:]
	}
	x.add(h.kind, "")
	x.i = len(x.s) - len(rest)
	x.heredoc = append(x.heredoc, h)
	return true
}

// body reads the text of a heredoc up to its end, or that of the program.
func (x *lexer) body(h *heredoc) {
	start, end := x.i, len(x.s)
	for at := start; at < len(x.s); {
		line, _, _ := strings.Cut(x.s[at:], "\n")
		if word := strings.TrimLeft(line, " \t"); strings.HasPrefix(word, h.end) &&
			!shell.NameByte((word + " ")[len(h.end)]) {
			end = at
			x.i = at + len(line) - len(word) + len(h.end)
			break
		}
		at += len(line) + 1
	}
	if end == len(x.s) {
		x.i = end
	}
	inner := lexer{lang: x.lang, s: x.s[start:end]}
	inner.quoted(0, h.quoting)
	x.cut = x.cut || inner.cut
	x.tokens[h.token].text, x.tokens[h.token].parts = inner.tokens[0].text, inner.tokens[0].parts
}

// quoted reads a string that begins skip bytes from here, up to what closes it.
func (x *lexer) quoted(skip int, q quoting) {
	x.i += skip
	if q.kind == 0 {
		q.kind = aString
	}
	t := token{kind: q.kind}
	var b strings.Builder
	for nested := 0; x.i < len(x.s); {
		rest := x.rest()
		switch {
		case nested == 0 && q.close != "" && strings.HasPrefix(rest, q.close):
			x.i += len(q.close)
			x.tokens = append(x.tokens, t.finished(&b))
			return
		case q.open != "" && strings.HasPrefix(rest, q.open):
			nested++
		case nested > 0 && strings.HasPrefix(rest, q.close):
			nested--
		case rest[0] == '\\' && len(rest) > 1 && !q.verbatim:
			if x.i += 2; !q.raw {
				x.i += escaped(&b, rest) - 2
			} else if rest[1] == '\\' || strings.HasPrefix(rest[1:], q.close) {
				b.WriteByte(rest[1])
			} else {
				b.WriteString(rest[:2])
			}
			continue
		case q.holes != 0 || q.braces:
			if code, n := q.hole(rest); n > 0 {
				if b.Len() > 0 {
					t.parts = append(t.parts, part{b.String(), false})
					b.Reset()
				}
				t.parts = append(t.parts, part{code, true})
				x.i += n
				continue
			}
			x.cut = x.cut || len(rest) > maxHole && q.begins(rest)
			if q.braces && (strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}")) {
				x.i++
			}
		}
		b.WriteByte(rest[0])
		x.i++
	}
	x.tokens = append(x.tokens, t.finished(&b))
}

func (t token) finished(b *strings.Builder) token {
	if t.parts == nil {
		t.text = b.String()
	} else if b.Len() > 0 {
		t.parts = append(t.parts, part{b.String(), false})
	}
	return t
}

// escaped writes what an escape at the start of a text means, and returns its length.
func escaped(b *strings.Builder, s string) int {
	width := 0
	switch s[1] {
	case '\n':
		return 2
	case 'x':
		width = 2
	case 'u':
		width = 4
	}
	if end := 2 + width; width > 0 && len(s) >= end {
		if v, err := strconv.ParseUint(s[2:end], 16, 32); err == nil && v > 0 {
			b.WriteRune(rune(v))
			return end
		}
	}
	switch c := shell.Control(s[1]); {
	case c != 0:
		b.WriteByte(c)
	case s[1] == 'e':
		b.WriteByte('\x1b')
	default:
		b.WriteByte(s[1])
	}
	return 2
}

// begins reports whether a hole with an end begins a text.
func (q *quoting) begins(s string) bool {
	switch {
	case q.braces:
		return s[0] == '{' && s[1] != '{'
	case q.holes.is(hashHoles):
		return strings.HasPrefix(s, "#{")
	}
	return q.holes.is(nameHoles) && strings.HasPrefix(s, "${") || q.holes.is(PHP) && strings.HasPrefix(s, "{$")
}

// hole returns the code of a hole at the start of a text, and its length; 0 without one.
func (q *quoting) hole(s string) (code string, n int) {
	if len(s) < 2 {
		return "", 0
	}
	switch {
	case q.braces && s[0] == '{' && s[1] != '{':
		if code, n = braced(s); n == 0 {
			return "", 0
		}
		code, _, _ = strings.Cut(code, "!")
		if name, _, ok := strings.Cut(code, ":"); ok && !strings.ContainsAny(name, "([") {
			code = name
		}
		return code, n
	case q.holes.is(hashHoles) && strings.HasPrefix(s, "#{"), q.holes.is(nameHoles|CMake) && strings.HasPrefix(s, "${"):
		if code, n = braced(s[1:]); n > 0 {
			if q.holes.is(PHP|Perl) && shell.ValidName(code) {
				code = "$" + code
			}
			n++
		}
		return code, n
	case q.holes.is(PHP) && strings.HasPrefix(s, "{$"):
		return braced(s)
	case s[0] == '$' && shell.NameStart(s[1]) && q.holes.is(nameHoles), s[0] == '@' && shell.NameStart(s[1]) && q.holes == Perl:
		n = 1 + shell.WordLength(s[1:], shell.NameByte)
		for _, open := range [...]string{"[", "{", "->{", "->["} {
			if rest, ok := strings.CutPrefix(s[n:], open); ok && q.holes.is(Perl|PHP) {
				if end := strings.Index(rest[:min(len(rest), 64)], shell.Closing(open[len(open)-1:])); end >= 0 &&
					!strings.ContainsAny(rest[:end], " \n") {
					n += len(open) + end + 1
				}
			}
		}
		return s[:n], n
	}
	return "", 0
}

// maxHole bounds how far the end of a hole, a pattern or a delimiter is looked for.
const maxHole = 2048

// braced returns what is between the braces at the start of a text, and the length with them.
func braced(s string) (inside string, n int) {
	depth := 0
	for i := 0; i < min(len(s), maxHole); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[1:i], i + 1
			}
		}
	}
	return "", 0
}

// longBracket is what ends the long string of Lua that begins a text, "" for none.
func longBracket(s string) string {
	if !strings.HasPrefix(s, "[") {
		return ""
	}
	level := s[1 : 1+shell.WordLength(s[1:], func(b byte) bool { return b == '=' })]
	if !strings.HasPrefix(s[1+len(level):], "[") {
		return ""
	}
	return "]" + level + "]"
}
