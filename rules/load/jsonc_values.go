package load

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

func (p *jsonParser) string(s string, at int) {
	switch {
	case p.want == wantValue, p.want == wantColon, p.want == wantComma && !p.inObject():
		if p.want == wantColon {
			p.fail(at, `":" is missing before this string`)
		} else if p.want == wantComma {
			p.fail(at, `"," is missing before this string`)
		}
		p.want = wantValue
		p.add(text, at).str = s
		return
	case p.want == wantComma:
		p.fail(at, `"," is missing before this string`)
	case p.want == wantEnd:
		p.fail(at, "text after the end of the top value")
	}
	p.key, p.keyAt, p.want = s, at, wantColon
}

func (p *jsonParser) word() {
	at := p.at
	for p.at < len(p.text) && wordByte(p.text[p.at]) {
		p.at++
	}
	word := p.text[at:p.at]
	if word == "" {
		r, n := utf8.DecodeRuneInString(p.text[at:])
		p.at += n
		if p.err == "" {
			p.fail(at, fmt.Sprintf("unexpected %q", r))
		}
		return
	}
	k := null
	switch {
	case word == "true", word == "false":
		k = boolean
	case word == "null":
	case gjson.Valid(word):
		k = number
	default:
		p.fail(at, "unexpected word: strings need double quotes")
	}
	p.add(k, at).on = word == "true"
}

func wordByte(c byte) bool {
	return letterOrDigit(c) || strings.IndexByte("+-._", c) >= 0
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
