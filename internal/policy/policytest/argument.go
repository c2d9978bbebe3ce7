package policytest

import (
	"strings"

	"github.com/tidwall/gjson"
)

// arrow stands between a call and the text its reason must contain.
const arrow = "=>"

// argument reads the rest of a line: the argument, verbatim, and behind the
// last => the reason. An argument that begins with { has to be JSON; what is
// in it is no reason.
func (p *parser) argument(t *Test, at int) bool {
	rest := p.text[at:]
	behind := 0
	if strings.HasPrefix(rest, "{") {
		n := objectEnd(rest)
		if msg := objectFault(rest[:n]); msg != "" {
			p.fail(at, "%s", msg)
			return false
		}
		behind = n
	}
	cut := lastArrow(rest[behind:])
	if cut < 0 {
		t.Argument = rest
	} else {
		t.Argument = strings.TrimRight(rest[:behind+cut], blanks)
		t.Reason = strings.Trim(rest[behind+cut+len(arrow):], blanks)
		if t.Reason == "" {
			p.fail(at+behind+cut, "no text after =>: it says what the reason must contain")
			return false
		}
	}
	if behind > 0 && len(t.Argument) > behind {
		p.fail(at+behind, "text after the JSON object, which is the whole input")
		return false
	}
	t.Given = t.Argument != ""
	return true
}

// lastArrow returns where the last => stands that is a word of its own, -1 without one.
func lastArrow(s string) int {
	for end := len(s); ; {
		i := strings.LastIndex(s[:end], arrow)
		if i < 0 {
			return -1
		}
		before := i == 0 || strings.IndexByte(blanks, s[i-1]) >= 0
		after := i+len(arrow) == len(s) || strings.IndexByte(blanks, s[i+len(arrow)]) >= 0
		if before && after {
			return i
		}
		end = i
	}
}

// objectEnd returns where the JSON object at the start of s ends, the length
// of s when it does not.
func objectEnd(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("{[", c) >= 0:
			depth++
		case strings.IndexByte("}]", c) >= 0:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// objectFault says why an argument that begins with { is no input, "" for one
// that is, or that does not begin so.
func objectFault(s string) string {
	if strings.HasPrefix(s, "{") && !gjson.Valid(s) {
		return `an argument that starts with { must be a JSON object: write such a command as {"command": "{ ..."}`
	}
	return ""
}
