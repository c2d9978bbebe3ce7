package crosscheck

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A painter gives each byte of a text the class that its syntax tree says it
// has. Each node paints what it covers and its children paint over it; what no
// node covers must be a blank, a separator or a reserved word.
type painter struct {
	src   string
	class []byteClass

	empty []*syntax.Redirect // here-documents without lines

	funcs []string // functions the text declares
	moves bool     // a command changes the working directory

	unsure string // what the tree says that cannot be, or what shells do not agree on
	at     int
}

func (p *painter) doubt(at int, what string) {
	if p.unsure == "" {
		p.unsure, p.at = what, max(0, min(at, len(p.src)-1))
	}
}

func (p *painter) fill(from, to int, class byteClass) {
	for i := max(from, 0); i < to && i < len(p.class); i++ {
		p.class[i] = class
	}
}

// token paints one word of n bytes that the tree holds no node for.
func (p *painter) token(at syntax.Pos, n int, class byteClass) {
	p.fill(int(at.Offset()), int(at.Offset())+n, class)
	if class != classOperator {
		p.start(int(at.Offset()))
	}
}

// start marks the first byte of a word.
func (p *painter) start(at int) {
	if at >= 0 && at < len(p.class) {
		p.class[at] |= tokenStart
	}
}

// same checks that the source holds what the tree says it read.
func (p *painter) same(at int, value string) {
	if at < 0 || at > len(p.src) || !strings.HasPrefix(p.src[at:], value) {
		p.doubt(at, "a part of the text that the parser changed")
	}
}

func (p *painter) comments(list []syntax.Comment) {
	for i := range list {
		at := int(list[i].Hash.Offset())
		p.fill(at, at+1+len(list[i].Text), classComment)
	}
}

// expect paints an operator that the tree has no place for, after blanks, and
// returns what is after it.
func (p *painter) expect(at int, b byte) int {
	for at < len(p.src) {
		switch {
		case p.src[at] == ' ' || p.src[at] == '\t':
			at++
		case strings.HasPrefix(p.src[at:], "\\\n"):
			at += 2
		default:
			if p.src[at] != b {
				p.doubt(at, "a missing bracket")
			}
			p.fill(at, at+1, classOperator)
			return at + 1
		}
	}
	p.doubt(at, "a missing bracket")
	return at
}

// before returns the last place before at that is no blank, -1 when there is
// none.
func (p *painter) before(at int) int {
	at = min(at, len(p.src))
	for at--; at >= 0 && (p.src[at] == ' ' || p.src[at] == '\t'); at-- {
	}
	return at
}

// gaps classifies what no node covers.
func (p *painter) gaps() {
	for i := 0; i < len(p.src); {
		if p.class[i] != classGap {
			i++
			continue
		}
		switch b := p.src[i]; {
		case b == ' ' || b == '\t':
			p.class[i] = classBlank
			i++
		case b == '\n' || b == ';':
			p.class[i] = classOperator
			i++
		case strings.HasPrefix(p.src[i:], "\\\n"):
			p.fill(i, i+2, classEscape)
			i += 2
		default:
			n := p.reserved(i)
			if n == 0 {
				p.doubt(i, "a part of the text that the parser left out")
				return
			}
			p.fill(i, i+n, classUnquoted)
			p.start(i)
			i += n
		}
	}
}

// reserved returns the length of the reserved word at i, 0 when there is none.
func (p *painter) reserved(i int) int {
	end := i
	for end < len(p.src) && p.class[end] == classGap && strings.IndexByte(" \t\n;&|()<>\\", p.src[end]) < 0 {
		end++
	}
	switch p.src[i:end] {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "in", "esac",
		"select", "function", "time", "-p", "coproc", "!", "{", "}":
		return end - i
	}
	return 0
}
