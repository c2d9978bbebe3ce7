package words

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// Size is how many bytes it takes to copy a Word.
const Size = 40

// Fields turns one word of the text into the arguments the program would
// receive: none, one or several. It expands in the order of bash (braces,
// tilde, parameters, field splitting) and leaves a hole for what the text
// alone does not say. Every check and rule compares these, never the spelling.
func (r *Reader) Fields(word *syntax.Word, fr *Frame, st *State, out []shell.Word) []shell.Word {
	r.Steps += len(word.Parts)
	if lit := PlainLit(word); lit != "" {
		return append(out, shell.Word{Text: lit, Known: true, Single: true, Span: fr.Span(word)})
	}
	x := expander{r: r, fr: fr, st: st, span: fr.Span(word), out: out}
	x.lone = len(word.Parts) > 1 && loneDollar(word.Parts)
	var one [1][]syntax.WordPart
	all := r.braces(word, x.span, one[:0])
	if len(word.Parts) > 1 && holdsIFS(word) {
		r.Walk.Doubt(analysis.DoubtIFS, x.span, "IFS holds a NUL in zsh, which ends the word")
	}
	if len(all) > 1 && x.arrayInBraces(word) && x.asZsh() {
		x.unknown(true)
		x.flush()
		return x.out
	}
	x.assign = len(all) == 1 && assignPrefix(word)
	x.braced = len(all) > 1
	for _, parts := range all {
		if x.braced && joinsName(parts) {
			r.Walk.Doubt(analysis.DoubtParserDiff, x.span, "a brace expansion after a variable")
		}
		x.parts(parts, true)
		if x.braced && !x.has {
			x.has = x.asZsh() // zsh makes an empty argument of it
		}
		x.flush()
	}
	return x.out
}

// Single is fields for the places where bash neither splits nor globs:
// assignments, here-strings, case words. The answer is always one word.
func (r *Reader) Single(word *syntax.Word, fr *Frame, st *State, tilde bool) shell.Word {
	if word == nil {
		return shell.Word{Known: true, Single: true}
	}
	if lit := PlainLit(word); lit != "" {
		return shell.Word{Text: lit, Known: true, Single: true, Span: fr.Span(word)}
	}
	x := expander{r: r, fr: fr, st: st, span: fr.Span(word), whole: true}
	x.parts(word.Parts, tilde)
	return x.word()
}

// Heredoc is the body of a here-document as the command would read it.
func (r *Reader) Heredoc(from *syntax.Redirect, fr *Frame, st *State) shell.Word {
	if from.Hdoc == nil {
		return shell.Word{Known: true, Single: true, Quoted: true, Span: fr.Span(from)}
	}
	x := expander{r: r, fr: fr, st: st, span: fr.Span(from.Hdoc), whole: true, quoted: true}
	if shell.QuotedDelimiter(from.Word) {
		for _, p := range from.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				x.text(lit.Value)
			}
		}
		return x.word()
	}
	x.hdoc = true
	x.parts(from.Hdoc.Parts, false)
	return x.word()
}

// PlainLit returns the text of a word that means exactly what it says, "" when
// it needs expansion.
func PlainLit(word *syntax.Word) string {
	if len(word.Parts) != 1 {
		return ""
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok || lit.Value == "" || lit.Value[0] == '=' || strings.Contains(lit.Value, ":=") {
		return ""
	}
	for i := 0; i < len(lit.Value); i++ {
		switch lit.Value[i] {
		case '\\', '*', '?', '[', '{', '~', 0:
			return ""
		}
	}
	return lit.Value
}

// assignPrefix reports whether a word starts like NAME=: bash then expands
// tildes after = and : in an argument, too.
func assignPrefix(word *syntax.Word) bool {
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok {
		return false
	}
	name, _, ok := strings.Cut(lit.Value, "=")
	return ok && shell.ValidName(strings.TrimSuffix(name, "+"))
}

func unescape(b []byte) string {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) {
			i++
		}
		out = append(out, b[i])
	}
	return string(out)
}

// AnsiC decodes the inside of $'...'. exact is false when the value depends on
// the locale; the text is then what comes before that place. A NUL ends it, as
// in bash.
func AnsiC(s string) (text string, exact bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		switch b := s[i]; b {
		case 'a', 'b', 'f', 'n', 'r', 't', 'v':
			out = append(out, shell.Control(b))
		case 'e', 'E':
			out = append(out, '\x1b')
		case '\\', '\'', '"', '?':
			out = append(out, b)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v, n := shell.Digits(s[i:], 8, 3)
			i += n - 1
			if byte(v) == 0 {
				return string(out), true
			}
			out = append(out, byte(v))
		case 'x':
			if i+1 < len(s) && s[i+1] == '{' {
				return string(out), false // with and without the }, versions differ
			}
			v, n := shell.Digits(s[i+1:], 16, 2)
			if n == 0 {
				out = append(out, '\\', 'x')
				continue
			}
			i += n
			if v == 0 {
				return string(out), true
			}
			out = append(out, byte(v))
		case 'u', 'U':
			most := 4
			if b == 'U' {
				most = 8
			}
			v, n := shell.Digits(s[i+1:], 16, most)
			if n == 0 {
				out = append(out, '\\', b)
				continue
			}
			i += n
			switch {
			case v == 0:
				return string(out), true
			case v > 0x7f:
				return string(out), false // the encoding is the locale's
			}
			out = append(out, byte(v))
		case 'c':
			if i+1 == len(s) {
				out = append(out, '\\', 'c')
				continue
			}
			return string(out), false // a control character, which no everyday text spells so
		default:
			out = append(out, '\\', b)
		}
	}
	return string(out), true
}

// NamedASCII reports whether the inside of $'...' spells an ASCII character by \u
// or \U, which bash 3.2 leaves as it is.
func NamedASCII(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if i++; s[i] != 'u' && s[i] != 'U' {
			continue
		}
		most := 4
		if s[i] == 'U' {
			most = 8
		}
		if v, n := shell.Digits(s[i+1:], 16, most); n > 0 && v < 0x80 {
			return true
		}
	}
	return false
}

// Known is a word that the text spells.
func Known(text string, span shell.Span) shell.Word {
	return shell.Word{Text: text, Known: true, Single: true, Span: span}
}
