package scripts

import "strings"

// str reads a string in one of the four forms.
func (r *tomlReader) str() (string, bool) {
	quote := r.src[r.i]
	long := strings.Repeat(string(quote), 3)
	if strings.HasPrefix(r.src[r.i:], long) {
		r.i += 3
		end := strings.Index(r.src[r.i:], long)
		if end < 0 {
			return "", false
		}
		text := r.src[r.i : r.i+end]
		for r.i += end + 3; r.i < len(r.src) && r.src[r.i] == quote; r.i++ {
			text += string(quote) // a quote just before the end
		}
		text = strings.TrimPrefix(text, "\n")
		if quote == '"' {
			return unescape(text)
		}
		return text, true
	}
	for i := r.i + 1; i < len(r.src) && r.src[i] != '\n'; i++ {
		switch {
		case r.src[i] == '\\' && quote == '"':
			i++
		case r.src[i] == quote:
			text := r.src[r.i+1 : i]
			r.i = i + 1
			if quote == '"' {
				return unescape(text)
			}
			return text, true
		}
	}
	return "", false
}

// unescape reads the escapes of a basic string; false for those of code points.
func unescape(text string) (string, bool) {
	if strings.IndexByte(text, '\\') < 0 {
		return text, true
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			continue
		}
		if i++; i >= len(text) {
			return "", false
		}
		switch text[i] {
		case '"', '\\':
			b.WriteByte(text[i])
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '\n': // joins lines
			i += len(text[i:]) - len(strings.TrimLeft(text[i:], " \t\n")) - 1
		default:
			return "", false
		}
	}
	return b.String(), true
}
