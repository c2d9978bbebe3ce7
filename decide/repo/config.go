package repo

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A setting is one key of a git config file. Section and name are in lower
// case, as git compares them; sub is as written.
type setting struct {
	section, sub, name string
	value              string
	given              bool // with =; a bare key is true
}

// key is the setting as `git config --list` names it.
func (s *setting) key() string {
	if s.sub == "" {
		return s.section + "." + s.name
	}
	return s.section + "." + s.sub + "." + s.name
}

// readConfig reads a git config file. ok is false for everything but the plain
// form that git itself writes: what two readers might understand differently
// proves nothing.
func readConfig(text string) (all []setting, ok bool) {
	if strings.Trim(text, "\n") == "" {
		return nil, true
	}
	section, sub := "", ""
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if oddLine(line) {
			return nil, false
		}
		switch line = strings.Trim(line, " \t"); {
		case line == "", line[0] == '#', line[0] == ';':
		case line[0] == '[':
			if section, sub, ok = readSection(line); !ok {
				return nil, false
			}
		case section == "":
			return nil, false
		default:
			s, ok := readKey(line)
			if !ok {
				return nil, false
			}
			s.section, s.sub = section, sub
			all = append(all, s)
		}
	}
	return all, true
}

// oddLine reports bytes that have no place in a config file, or that systems read
// differently: carriage returns, other control characters, a byte order mark.
func oddLine(line string) bool {
	for i := range len(line) {
		if b := line[i]; b < ' ' && b != '\t' || b == 0x7f {
			return true
		}
	}
	return strings.HasPrefix(line, "\ufeff")
}

// readSection reads [name] or [name "sub"], alone on its line.
func readSection(line string) (section, sub string, ok bool) {
	body, ok := strings.CutPrefix(line, "[")
	if !ok {
		return "", "", false
	}
	n := 0
	for n < len(body) && keyByte(body[n], n) {
		n++
	}
	section, body = strings.ToLower(body[:n]), body[n:]
	if section == "" {
		return "", "", false
	}
	if body == "]" {
		return section, "", true
	}
	body, ok = strings.CutPrefix(strings.TrimLeft(body, " \t"), `"`)
	if !ok || n == len(line)-len(body)-2 { // no blank in between
		return "", "", false
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			return section, b.String(), b.Len() > 0 && body[i+1:] == "]"
		case '\\':
			if i++; i >= len(body) || body[i] != '"' && body[i] != '\\' {
				return "", "", false
			}
		}
		b.WriteByte(body[i])
	}
	return "", "", false
}

// keyByte reports whether a key may have a byte at place n.
func keyByte(b byte, n int) bool {
	letter, digit := lower(b) >= 'a' && lower(b) <= 'z', b >= '0' && b <= '9'
	return letter || n > 0 && (b == '-' || digit)
}

// readKey reads NAME or NAME = VALUE.
func readKey(line string) (s setting, ok bool) {
	n := 0
	for n < len(line) && keyByte(line[n], n) {
		n++
	}
	if s.name = strings.ToLower(line[:n]); n == 0 {
		return s, false
	}
	line = strings.TrimLeft(line[n:], " \t")
	if line == "" {
		return s, true
	}
	if line[0] != '=' {
		return s, false
	}
	s.given = true
	s.value, ok = readValue(strings.TrimLeft(line[1:], " \t"))
	return s, ok
}

// readValue reads a value: quoted and unquoted runs, escapes, a comment at the end. A
// line that goes on in the next one is none.
func readValue(text string) (string, bool) {
	var b strings.Builder
	quoted, solid := false, 0 // solid: blanks at the end that count
	for i := 0; i < len(text); i++ {
		switch t := text[i]; {
		case t == '"':
			quoted = !quoted
			solid = b.Len()
		case t == '\\':
			if i++; i >= len(text) {
				return "", false
			}
			at := strings.IndexByte(`\"nt`, text[i])
			if at < 0 {
				return "", false
			}
			b.WriteByte("\\\"\n\t"[at])
			solid = b.Len()
		case !quoted && (t == '#' || t == ';'):
			i = len(text)
		case quoted || t != ' ' && t != '\t':
			b.WriteByte(t)
			solid = b.Len()
		case b.Len() > 0: // git skips the blanks before the first byte, also after ""
			b.WriteByte(t)
		}
	}
	return b.String()[:solid], !quoted
}

// inert reports whether a setting changes nothing of what reading does.
func (s *setting) inert() bool {
	section, value := s.section, s.value
	if s.sub != "" {
		section += ".*"
	}
	if !s.given {
		value = "true"
	}
	return bashsafety.GitInert(section, s.name, value)
}

// signs reports whether a setting makes commits and tags run a program, or brings
// other repositories in.
func (s *setting) signs() bool {
	return s.name == "gpgsign" || s.name == "forcesignannotated" || s.section == "rerere"
}
