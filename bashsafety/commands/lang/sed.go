package lang

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// SedFile is a file or a command a sed script names.
type SedFile struct {
	Exec, Write bool
	Input       bool // what sed reads is run, too
	Name        shell.Word
}

// SedScript finds what a sed script runs, reads and writes. It reports false
// when the script holds anything it does not follow to the last byte.
func SedScript(w *shell.Word) ([]SedFile, bool) {
	if !w.Known && !w.Integers {
		return nil, false
	}
	p := sedParser{s: strings.ReplaceAll(w.Text, shell.HoleMark, "1"), at: w} // any number will do, but in the name of a file
	for p.i < len(p.s) {
		if !p.command() {
			return p.files, false
		}
	}
	return p.files, w.Known || len(p.files) == 0
}

type sedParser struct {
	s     string
	i     int
	at    *shell.Word
	files []SedFile
	part  string // the last one that a delimiter ended
}

func (p *sedParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *sedParser) skip(chars string) {
	for p.i < len(p.s) && strings.IndexByte(chars, p.s[p.i]) >= 0 {
		p.i++
	}
}

// line takes the rest of the line.
func (p *sedParser) line() string {
	rest := p.s[p.i:]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	p.i += len(rest)
	return rest
}

func (p *sedParser) file(f SedFile) {
	f.Name = shell.Literal(strings.TrimLeft(p.line(), " \t"), p.at)
	p.files = append(p.files, f)
}

func (p *sedParser) command() bool {
	p.skip(" \t\n;")
	if p.i >= len(p.s) {
		return true
	}
	if !p.address() {
		return false
	}
	p.skip(" \t")
	if p.peek() == ',' {
		p.i++
		p.skip(" \t")
		if !p.address() {
			return false
		}
	}
	p.skip(" \t!")
	c := p.peek()
	p.i++
	switch c {
	case '{':
		return true
	case '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		return p.end()
	case 'l', 'L', 'q', 'Q':
		p.skip(" \t0123456789")
		return p.end()
	case '#':
		p.line()
		return true
	case ':', 'b', 't', 'T':
		p.skip(" \t")
		for p.i < len(p.s) && strings.IndexByte(" \t\r\v\f;\n}", p.s[p.i]) < 0 {
			p.i++
		}
		return p.end() // after a blank GNU sed reads the next command, others the rest of the label
	case 'a', 'i', 'c':
		return p.text()
	case 'r', 'R':
		p.file(SedFile{})
		return true
	case 'w', 'W':
		p.file(SedFile{Write: true})
		return true
	case 'e':
		p.file(SedFile{Exec: true})
		f := &p.files[len(p.files)-1]
		f.Input = f.Name.Text == "" || strings.IndexByte(";}", f.Name.Text[0]) >= 0
		return true
	case 'y':
		return p.delimited(2) && p.end()
	case 's':
		return p.delimited(2) && p.flags()
	}
	return false
}

// end expects the end of a command.
func (p *sedParser) end() bool {
	p.skip(" \t")
	switch p.peek() {
	case ';', '\n', '}', '#':
		return true
	}
	return p.i >= len(p.s)
}

// address skips a line number, $, a regular expression, or nothing.
func (p *sedParser) address() bool {
	switch c := p.peek(); {
	case c == '/':
		if !p.delimited(1) {
			return false
		}
		p.skip("IM")
	case c == '\\':
		p.i++
		if !p.delimited(1) {
			return false
		}
		p.skip("IM")
	case c == '$':
		p.i++
	case c == '+' || c == '~' || c >= '0' && c <= '9':
		p.skip("+~0123456789")
	}
	return true
}

// delimited skips a delimiter and n parts that it ends. Whether it ends the first part within
// brackets differs between releases: such a script is not followed.
func (p *sedParser) delimited(n int) bool {
	d := p.peek()
	if d == 0 || d == '\n' || d == '\\' || d >= 0x80 {
		return false
	}
	p.i++
	for part := 0; part < n; part++ {
		from, inBracket := p.i, false
		for {
			if p.i >= len(p.s) {
				return false
			}
			c := p.s[p.i]
			p.i++
			if c == '\\' {
				p.i++
				continue
			}
			if part == 0 && c == '[' && !inBracket {
				inBracket = true
				p.skipBracketHead()
				continue
			}
			if inBracket && c == ']' {
				inBracket = false
			}
			if c == d {
				if inBracket {
					return false
				}
				p.part = p.s[from : p.i-1]
				break
			}
		}
	}
	return true
}

// skipBracketHead passes ^ and a ] that comes first in a bracket expression.
func (p *sedParser) skipBracketHead() {
	if p.peek() == '^' {
		p.i++
	}
	if p.peek() == ']' {
		p.i++
	}
}

// flags reads what follows s///.
func (p *sedParser) flags() bool {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == 'e':
			p.files = append(p.files, SedFile{Exec: true, Input: true, Name: shell.Literal(p.part, p.at)})
		case c == 'w':
			p.i++
			p.file(SedFile{Write: true})
			return true
		case strings.IndexByte("gpiIMm0123456789", c) >= 0:
		default:
			return p.end()
		}
		p.i++
	}
	return true
}

// text reads the text of a, i and c: all lines that end in a backslash, and the next.
func (p *sedParser) text() bool {
	for {
		line := p.line()
		if p.i < len(p.s) {
			p.i++
		}
		if !strings.HasSuffix(line, `\`) || p.i >= len(p.s) {
			return true
		}
	}
}
