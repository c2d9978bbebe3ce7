package scripts

import (
	"slices"
	"strings"
)

func cutComment(text string) string {
	if i := strings.Index(text, " #"); i >= 0 {
		return text[:i]
	}
	return text
}

// yamlQuoted reads a quoted scalar that ends on its line.
func yamlQuoted(text string) (string, bool) {
	value, rest, ok := quotedAt(text)
	return value, ok && onlyComment(rest)
}

// onlyComment reports whether nothing but a comment is left of a line.
func onlyComment(rest string) bool {
	t := strings.TrimSpace(rest)
	return t == "" || t[0] == '#' && t != rest
}

// quotedAt reads the quoted scalar a text starts with.
func quotedAt(text string) (value, rest string, ok bool) {
	var b strings.Builder
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case c == quote:
			return b.String(), text[i+1:], true
		case c == '\\' && quote == '"':
			i++
			if i >= len(text) {
				return "", "", false
			}
			switch text[i] {
			case '"', '\\', '/':
				b.WriteByte(text[i])
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				return "", "", false
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// blockScalar reads the lines behind | or >, indented deeper than n.
func (r *yamlReader) blockScalar(header string, n int) (*node, error) {
	style := strings.TrimSpace(cutComment(header))
	if strings.Trim(style[1:], "-+") != "" {
		return nil, errNotPlain
	}
	out := &node{kind: scalar, line: r.i + 1}
	var lines []string
	depth := -1
	for ; r.i < len(r.lines); r.i++ {
		line := r.lines[r.i]
		if strings.TrimSpace(line) == "" {
			lines = append(lines, "")
			continue
		}
		have := len(line) - len(strings.TrimLeft(line, " "))
		if depth < 0 {
			depth = have
		}
		if have <= n || have < depth && have > n {
			if have > n {
				return nil, errNotPlain
			}
			break
		}
		if style[0] == '>' && have > depth {
			return nil, errNotPlain
		}
		lines = append(lines, line[depth:])
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		out.line-- // there is nothing but the header
	}
	sep := "\n"
	if style[0] == '>' {
		if sep = " "; slices.Contains(lines, "") {
			return nil, errNotPlain // paragraphs
		}
	}
	out.text = strings.Join(lines, sep)
	return out, nil
}
