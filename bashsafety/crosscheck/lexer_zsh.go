package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A ZshPlace is the first place that zsh cuts into other tokens than bash does.
// Unlike what the lexer is unsure about it does not end the reading.
type ZshPlace struct {
	From, To int
	What     string
}

// differs notes a place that zsh reads differently; "" notes nothing.
func (l *lexer) differs(from, to int, what string) {
	if l.zsh.What == "" {
		l.zsh = ZshPlace{from, to, what}
	}
}

// zshWord notes a word of a command that is more than a word to zsh: a brace
// that opens or closes a group, a descriptor, or a name in braces in front of a
// redirect, which zsh takes for one even after a blank.
func (l *lexer) zshWord(start int, command bool) {
	text, what := l.src[start:l.pos], ""
	switch {
	case shell.Number(text) && l.peek(0) == '&' && l.peek(1) == '>':
		what = "zsh reads the number before &> as a descriptor"
	case command:
		what = zshCommandWord(text)
	case text[0] == '{' && isDescriptor(text) && l.redirectFollows():
		what = "zsh reads the word before a redirect as its descriptor variable"
	}
	if what == "" {
		what = l.zshBraces(start, command && text == "}")
	}
	l.differs(start, l.pos, what)
}

// zshCommandWord says what the word of a command is to zsh, "" when it is one.
func zshCommandWord(text string) string {
	switch {
	case text[0] >= '0' && text[0] <= '9' && strings.HasPrefix(strings.TrimLeft(text, "0123456789"), "="):
		return "zsh sets a positional parameter"
	case len(text) > 1 && text[0] == '{':
		return "zsh reads this { as the start of a group"
	case multibyteName(text):
		return "zsh reads this as an assignment"
	}
	return ""
}

// zshBraces says what zsh makes of the braces in a word; closer says that it is
// the } that ends a group for every shell.
func (l *lexer) zshBraces(start int, closer bool) string {
	mayClose := l.groups > 0 || strings.Contains(l.src[start:l.pos], "\\\n") // else it does not parse
	switch {
	case mayClose && !closer && l.closesGroup(start):
		return "zsh reads this } as the end of a group"
	case l.oddRange(start):
		return "zsh expands these braces differently"
	}
	return ""
}

// oddRange reports whether a word holds braces with .. in them, quoted or not,
// that are no {1..9}, {1..9..2} or {a..e} to every shell.
func (l *lexer) oddRange(start int) bool {
	dot := strings.IndexByte(l.src[start:l.pos], '.')
	if dot < 0 {
		return false
	}
	dot += start
	if strings.IndexByte(l.src[dot+1:l.pos], '.') < 0 || strings.IndexByte(l.src[start:dot], '{') < 0 {
		return false
	}
	var open []int // where a { is that a } may close, -1 for the one of ${
	for i := start; i < l.pos; i++ {
		if l.class[i]&^tokenStart != classUnquoted {
			continue
		}
		switch l.src[i] {
		case '{':
			if i > start && l.src[i-1] == '$' {
				open = append(open, -1)
			} else {
				open = append(open, i)
			}
		case '}':
			if len(open) == 0 {
				continue
			}
			at := open[len(open)-1]
			open = open[:len(open)-1]
			if at >= 0 && holdsDots(l.src[at:i]) && !plainRange(l.src[at+1:i]) {
				return true
			}
		}
	}
	return false
}

// holdsDots reports whether .. is in s when its quotes are taken off and what is
// expanded may be nothing: zsh looks for the dots then.
func holdsDots(s string) bool {
	before := byte(0)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\', '\'', '"', '\n':
			continue
		case '$', '`':
			if before == '.' && strings.IndexByte(s[i:], '.') >= 0 {
				return true
			}
		case '.':
			if before == '.' {
				return true
			}
		}
		before = s[i]
	}
	return false
}

// plainRange reports whether what is between braces is a range to every shell.
func plainRange(s string) bool {
	parts := strings.Split(s, "..")
	letters := len(parts) > 1 && shell.Letter(parts[0]) && shell.Letter(parts[1])
	switch {
	case letters && len(parts) == 2:
		return true
	case letters && len(parts) == 3:
		return shell.Number(strings.TrimPrefix(parts[2], "-")) // zsh leaves it alone; see letterSteps
	}
	for _, p := range parts {
		if !shell.Number(strings.TrimPrefix(p, "-")) {
			return strings.IndexByte(s, ',') >= 0
		}
	}
	return len(parts) == 2 || len(parts) == 3
}

// zshTarget notes the word of a redirect.
func (l *lexer) zshTarget(start int) {
	if l.unsure == "" && l.oddRange(start) {
		l.differs(start, l.pos, "zsh expands these braces differently")
	}
}

// redirectFollows reports whether a redirect follows the word, blanks
// between.
func (l *lexer) redirectFollows() bool {
	rest := strings.TrimLeft(l.src[l.pos:l.end], " \t")
	return strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "&>")
}

// closesGroup reports whether a word holds a } outside quotes that no { in front
// of it opens.
func (l *lexer) closesGroup(start int) bool {
	if strings.IndexByte(l.src[start:l.pos], '}') < 0 {
		return false
	}
	depth := 0
	for i := start; i < l.pos; i++ {
		if l.class[i]&^tokenStart != classUnquoted {
			continue
		}
		switch l.src[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return true
			}
		}
	}
	return false
}

// zshRedirect notes a < that begins <1-9>, which zsh matches against numbers in
// the names of files.
func (l *lexer) zshRedirect() {
	rest := strings.TrimLeft(l.src[l.pos+1:l.end], "0123456789")
	if rest, ok := strings.CutPrefix(rest, "-"); l.src[l.pos] == '<' && ok {
		if rest = strings.TrimLeft(rest, "0123456789"); strings.HasPrefix(rest, ">") {
			l.differs(l.pos, l.end-len(rest)+1, "zsh reads this as a numeric range in a glob")
		}
	}
}

// zshDescriptor notes the number of a descriptor that is an operand to zsh,
// which knows those of one digit.
func (l *lexer) zshDescriptor(start int, text string) {
	if len(text) > 1 && shell.Number(text) {
		l.differs(start, start+len(text), "zsh reads a two-digit descriptor as an operand")
	}
}

// multibyteName reports whether a word is an assignment to a name with letters
// that are not ASCII.
func multibyteName(text string) bool {
	wide := false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b >= 0x80:
			wide = true
		case b == '=' || b == '+' || b == '[':
			return wide
		case !shell.NameByte(b):
			return false
		}
	}
	return false
}
