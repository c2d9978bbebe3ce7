package scripts

import "strings"

func cutComment(text string) string {
	if i := strings.Index(text, " #"); i >= 0 {
		return text[:i]
	}
	return text
}

// yamlQuoted reads a quoted scalar that ends on its line.
func yamlQuoted(text string) (string, bool) {
	var b strings.Builder
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case c == quote:
			rest := strings.TrimSpace(text[i+1:])
			return b.String(), rest == "" || rest[0] == '#'
		case c == '\\' && quote == '"':
			i++
			if i >= len(text) {
				return "", false
			}
			switch text[i] {
			case '"', '\\', '/':
				b.WriteByte(text[i])
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				return "", false
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// flowList reads [a, "b"] on one line.
func flowList(text string, line int) ([]*node, bool) {
	text = strings.TrimSpace(cutComment(text))
	if !strings.HasSuffix(text, "]") {
		return nil, false
	}
	var out []*node
	text = strings.TrimSpace(text[1 : len(text)-1])
	if text == "" {
		return nil, true
	}
	for _, e := range strings.Split(text, ",") {
		e = strings.TrimSpace(e)
		n := &node{kind: scalar, text: e, line: line}
		switch {
		case e == "" || strings.ContainsAny(e, "[]{}&*!|>#:"):
			n.kind = opaque
		case e[0] == '"' || e[0] == '\'':
			var ok bool
			if n.text, ok = yamlQuoted(e); !ok {
				return nil, false // a comma in quotes, perhaps
			}
		}
		out = append(out, n)
	}
	return out, true
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
	sep := "\n"
	if style[0] == '>' {
		if sep = " "; contains(lines, "") {
			return nil, errNotPlain // paragraphs
		}
	}
	out.text = strings.Join(lines, sep)
	return out, nil
}
