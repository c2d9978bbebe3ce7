package code

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// The kinds of tokens; all else is punctuation, and its first character the kind.
const (
	aName    = 'a'
	aNumber  = '0'
	aString  = '"'
	aCommand = '`'  // text that a shell runs: backticks, %x(), qx
	aWords   = 'w'  // a list of words: qw(), %w()
	aPattern = '~'  // a regular expression
	anEnd    = '\n' // of a statement
)

type token struct {
	text  string // of a name or punctuation; of a string without holes
	parts []part // of a string with holes
	kind  byte
	space bool // there is a blank before it
}

// A part of a string is text, or code whose value is put there.
type part struct {
	text string
	code bool
}

// A lexer makes tokens of a text.
type lexer struct {
	lang    Lang
	s       string
	i       int
	depth   int // of brackets in which an end of line ends nothing
	tokens  []token
	cut     bool      // something was too long
	bare    bool      // nothing is a pattern, or a comment of many lines that a language tells by its place
	heredoc []heredoc // whose text begins at the next line
}

func (x *lexer) rest() string { return x.s[x.i:] }

// tokenLength is how many bytes a token takes, with the blank before it.
const tokenLength = 3

// tokens reads all of a text.
func tokens(lang Lang, s string) (all []token, cut bool) {
	x := lexer{lang: lang, s: s}
	return x.all(), x.cut
}

func (x *lexer) all() []token {
	x.tokens = make([]token, 0, len(x.s)/tokenLength+1)
	space := false
	x.document()
	for x.i < len(x.s) {
		c, n := x.s[x.i], len(x.tokens)
		switch {
		case c == '\n':
			x.i++
			x.newline()
		case c == ' ' || c == '\t' || c == '\r':
			x.i++
			space = true
			continue
		case x.comment():
			space = true
			continue
		case x.literal():
		case x.lang.nameByte(c):
			x.name()
		default:
			x.punctuation()
		}
		if len(x.tokens) > n {
			x.tokens[len(x.tokens)-1].space = space
		}
		space = c == '\n'
		if x.ends() {
			break
		}
	}
	return x.tokens
}

// ends reports whether the program ends before the text: __END__ of Perl and Ruby, alone on its line.
func (x *lexer) ends() bool {
	n := len(x.tokens)
	if !x.lang.is(Perl|Ruby) || n == 0 || !shell.Among("__END__ __DATA__", x.tokens[n-1].text) {
		return false
	}
	before, ok := strings.CutSuffix(x.s[:x.i], x.tokens[n-1].text)
	alone := ok && (before == "" || strings.HasSuffix(before, "\n"))
	return alone && (x.rest() == "" || shell.StartsWithAny(x.rest(), "\n", "\r"))
}

func (x *lexer) add(kind byte, text string) {
	x.tokens = append(x.tokens, token{kind: kind, text: text})
}

// newline ends a statement outside parentheses, and takes the texts that were announced on the line.
func (x *lexer) newline() {
	if x.depth == 0 && !x.lang.is(Lisp|CMake) {
		x.add(anEnd, "\n")
	}
	for _, h := range x.heredoc {
		x.body(&h)
	}
	x.heredoc = nil
	x.document()
}

// document skips the documentation that begins a line: =pod of Perl, =begin of Ruby.
func (x *lexer) document() {
	rest, end := x.rest(), "\n=cut"
	begins := x.lang.is(Perl) && len(rest) > 1 && rest[0] == '=' && shell.NameStart(rest[1])
	if x.lang.is(Ruby) {
		begins, end = strings.HasPrefix(rest, "=begin"), "\n=end"
	}
	if begins && !x.bare {
		if at := strings.Index(rest, end); at >= 0 {
			x.i += at + len(end)
		} else {
			x.i = len(x.s)
		}
	}
}

// begins reports whether a comment begins here that ends with the line.
func (x *lexer) begins(rest string) bool {
	switch rest[0] {
	case '#': // $# and @# are variables of Perl, #[ is an attribute of PHP
		if x.lang.is(PHP) && strings.HasPrefix(rest, "#[") {
			return false
		}
		return x.lang.is(hashes) && !(x.lang.is(Perl) && x.i > 0 && strings.IndexByte("$@{", x.s[x.i-1]) >= 0)
	case '/':
		return x.lang.is(slashes) && strings.HasPrefix(rest, "//")
	case ';':
		return x.lang.is(Lisp)
	}
	return x.lang.is(AppleScript) && strings.HasPrefix(rest, "--")
}

// comment skips one.
func (x *lexer) comment() bool {
	rest, end := x.rest(), "\n"
	switch {
	case x.begins(rest):
		x.i += max(strings.IndexByte(rest, '\n'), 0)
		if strings.IndexByte(rest, '\n') < 0 {
			x.i = len(x.s)
		}
		return true
	case x.lang.is(Lua) && strings.HasPrefix(rest, "--"):
		if level := longBracket(rest[2:]); level != "" {
			end = level
		}
	case x.lang.is(slashes) && strings.HasPrefix(rest, "/*"):
		end = "*/"
	case x.lang.is(ML|AppleScript) && strings.HasPrefix(rest, "(*") && !strings.HasPrefix(rest, "(*)"):
		end = "*)"
	default:
		return false
	}
	at := strings.Index(rest[2:], end)
	if x.i += 2 + at + len(end); at < 0 {
		x.i = len(x.s)
	}
	return true
}

// name reads a name, a number or a keyword. A sigil of Perl or PHP, @ of Ruby and the ! or ? of a name belong to it.
func (x *lexer) name() {
	n := shell.WordLength(x.rest(), x.lang.nameByte)
	kind := byte(aName)
	if c := x.s[x.i]; '0' <= c && c <= '9' {
		kind = aNumber
	}
	if end := x.s[x.i+n:]; x.lang.is(Ruby|Elixir) && shell.StartsWithAny(end, "!", "?") &&
		!shell.StartsWithAny(end, "!=", "?=") {
		n++
	}
	x.add(kind, x.s[x.i:x.i+n])
	x.i += n
}

// operators are those of more than one character that have to be told from shorter ones.
const operators = "... <=> === !== **= ??= ||= &&= //= :: -> ?. => := == != <= >= && || ?? ++ -- += -= .= .. <> <- =~ !~ |> " +
	"** // |& ~> $@"

func (x *lexer) punctuation() {
	rest, n := x.rest(), 1
	if x.sigil(rest[0]) {
		k := 1 + shell.WordLength(rest[1:], x.lang.nameByte)
		if k > 1 || x.lang.is(JavaScript) {
			x.add(aName, rest[:k])
			x.i += k
			return
		}
	}
	for k := 3; k > 1; k-- {
		if len(rest) >= k && shell.Among(operators, rest[:k]) {
			n = k
			break
		}
	}
	switch rest[0] {
	case '(', '[':
		x.depth++
	case ')', ']':
		x.depth = max(x.depth-1, 0)
	case ';':
		x.add(anEnd, ";")
		x.i++
		return
	}
	kind := rest[0]
	if kind == aCommand { // one that begins no command: a tag of OCaml
		kind = '\''
	}
	x.add(kind, rest[:n])
	x.i += n
}

// sigil reports whether a character begins a name.
func (x *lexer) sigil(c byte) bool {
	switch c {
	case '$':
		return x.lang.is(Perl | PHP | JavaScript | Ruby)
	case '@':
		return x.lang.is(Perl | Ruby)
	case '%':
		return x.lang.is(Perl) && !x.afterValue()
	}
	return false
}

// afterValue reports whether what comes next follows a value, so that it is an operator.
func (x *lexer) afterValue() bool {
	if len(x.tokens) == 0 {
		return false
	}
	switch t := &x.tokens[len(x.tokens)-1]; t.kind {
	case aName:
		return !shell.Among(keywords, t.text) &&
			!shell.Among("if unless while until when split grep map case in of match", t.text)
	case aNumber, aString, aCommand, aWords, aPattern, ')', ']':
		return true
	case '}':
		return !x.lang.is(Awk)
	case '+', '-': // x++ /2
		return x.lang.is(regexps) && shell.Among("++ --", t.text)
	}
	return false
}
