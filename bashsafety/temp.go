package bashsafety

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// makesTemp reports whether a substitution is one plain mktemp that makes a file
// or folder in a temporary folder, while the text has not set TMPDIR: without a
// template, -p, --tmpdir or -u, or by a template directly in $TMPDIR or /tmp.
func (x *expander) makesTemp(stmts []*syntax.Stmt) bool {
	if _, set := x.st.lookup("TMPDIR"); set || len(stmts) != 1 {
		return false
	}
	if _, set := x.st.lookup("PATH"); set {
		return false // it may be another program
	}
	argv := make([]Word, 0, 4)
	for _, word := range plainCall(stmts[0]) {
		argv = append(argv, knownWord(x.template(word.Parts), Span{}))
	}
	if len(argv) == 0 || !systemProgram(argv[0].Text) || tableName(programName(argv)) != "mktemp" {
		return false
	}
	c := describe(argv, &cwdState{}, "")
	for i := range c.opts {
		switch c.opts[i].name {
		case "d", "directory", "q", "quiet", "t":
		default:
			return false
		}
	}
	switch len(c.operands) {
	case 0:
		return true
	case 1:
		return x.tempTemplate(c.literalOperand(0), c.has("t"))
	}
	return false
}

// tempTemplate reports whether mktemp makes a file of this template in a
// temporary folder. A plain name is one of the working directory, but behind -t.
func (x *expander) tempTemplate(t string, named bool) bool {
	dir, name := path.Split(t)
	if name == "" || strings.Contains(name, "..") {
		return false
	}
	switch dir = path.Clean(dir); dir {
	case ".":
		return named && !strings.Contains(t, "/")
	case "/tmp", "/var/tmp":
		return !named
	}
	return !named && x.w.env.Temp != "" && dir == path.Clean(x.w.env.Temp)
}

// template is a literal word in which $TMPDIR may stand for what it is, "" for
// every other word.
func (x *expander) template(parts []syntax.WordPart) string {
	text := ""
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			text += x.template(p.Parts)
		case *syntax.ParamExp:
			switch {
			case x.tempDefault(p):
				text += "/tmp"
			case p.Param != nil && p.Param.Value == "TMPDIR" && x.w.env.Temp != "" && (simpleParam(p) || x.defaulted(p)):
				text += x.w.env.Temp
			default:
				return "*"
			}
		default:
			return "*"
		}
	}
	if strings.ContainsAny(text, "\\*?[{~") {
		return "*"
	}
	return text
}

// belowTemp reports whether what follows the output of mktemp in a word stays
// in the folder mktemp made it in.
func belowTemp(text string) bool {
	rest, ok := strings.CutPrefix(text, HoleMark)
	return ok && !strings.Contains(rest, "..")
}

// folderOf is the folder that the literal beginning of a word with unknown parts names.
func folderOf(text string) string {
	text, _, _ = strings.Cut(text, HoleMark)
	return path.Clean(text[:strings.LastIndexByte(text, '/')+1])
}

// staysDown reports whether a word leads nowhere else if its unknown parts are
// names without "..", or empty.
func staysDown(text string) bool {
	i := strings.Index(text, HoleMark)
	if i < 0 || strings.Contains(text[i:], "..") {
		return false
	}
	at := strings.LastIndexByte(text[:i], '/') + 1
	return !upward(strings.ReplaceAll(text[at:], HoleMark, ""))
}

// findsBelow reports whether every file a pattern finds lies below the folder
// that its literal beginning names: .* may find "..".
func findsBelow(pattern string) bool {
	if upward(pattern) || strings.ContainsAny(pattern, "("+HoleMark) {
		return false
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") {
			return false
		}
	}
	return true
}

// deepMark stands for an unknown part that may span components; every other one of
// a Word.Down is within one.
const deepMark = HoleMark + HoleMark

// findsNames is what every file a pattern finds looks like: an unknown part in the
// place of each wildcard.
func findsNames(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch p := pattern[i]; p {
		case '\\':
			if i++; i < len(pattern) {
				b.WriteByte(pattern[i])
			}
		case '*', '?':
			if deep := strings.HasPrefix(pattern[i:], "**"); deep || !strings.HasSuffix(b.String(), HoleMark) {
				b.WriteString(HoleMark)
			}
		case '[':
			b.WriteString(HoleMark)
			for i+1 < len(pattern) && pattern[i+1] != '/' {
				i++
			}
		default:
			b.WriteByte(p)
		}
	}
	return b.String()
}

// alike is what all items look like, component by component: where they are not
// equally deep the unknown part behind prefix spans some.
func alike(items []Word, prefix string) string {
	parts := strings.Split(items[0].Text, "/")
	for i := range items[1:] {
		other := strings.Split(items[i+1].Text, "/")
		if len(other) != len(parts) {
			return prefix + deepMark
		}
		for j := range parts {
			if head, _, open := strings.Cut(parts[j], HoleMark); open || parts[j] != other[j] {
				for !strings.HasPrefix(other[j], head) {
					head = head[:len(head)-1]
				}
				parts[j] = head + HoleMark
			}
		}
	}
	return strings.Join(parts, "/")
}

func anyAbsolute(items []Word) bool {
	for i := range items {
		if strings.HasPrefix(items[i].Text, "/") {
			return true
		}
	}
	return false
}

// printsNumbers reports whether a substitution is one plain command that prints
// numbers: seq, or date by a format of them; one is set where it is a single word.
func printsNumbers(stmts []*syntax.Stmt) (one, ok bool) {
	argv := plainArgv(stmts)
	if len(argv) == 0 || !systemProgram(argv[0].Text) {
		return false, false
	}
	switch tableName(programName(argv)) {
	case "seq":
		for i := range argv[1:] {
			if !number(argv[i+1].Text) {
				return false, false
			}
		}
		return false, len(argv) > 1
	case "date":
		return true, dateTokens(describe(argv, &cwdState{}, ""))
	}
	return false, false
}

// upward reports whether a path has a component "..".
func upward(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// tempDefault reports whether the expansion is ${TMPDIR:-/tmp}, and the variable
// is not set.
func (x *expander) tempDefault(p *syntax.ParamExp) bool {
	if !x.w.env.TempUnset || p.Param.Value != "TMPDIR" || p.Exp == nil || p.Exp.Word == nil ||
		p.Index != nil || p.Excl || p.Slice != nil || p.Repl != nil {
		return false
	}
	if _, set := x.st.lookup("TMPDIR"); set {
		return false
	}
	return (p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.DefaultUnsetOrNull) && strings.TrimRight(p.Exp.Word.Lit(), "/") == "/tmp"
}
