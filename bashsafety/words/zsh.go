package words

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// zshParam reports whether the parts hold $~name, $=name, $^name or $+name at
// i: plain text to bash, a variable whose value is a glob or split to zsh, in
// double quotes, too. The parser cuts the text after such a $.
func zshParam(parts []syntax.WordPart, i int) bool {
	lit := parts[i].(*syntax.Lit).Value
	if i+1 < len(parts) {
		if next, ok := parts[i+1].(*syntax.Lit); ok {
			lit += next.Value
		}
	}
	for at := 0; ; at++ {
		n := strings.IndexByte(lit[at:], '$')
		if n < 0 {
			return false
		}
		at += n
		rest := lit[at+1:]
		name := strings.TrimLeft(rest, "~=^+")
		if shell.OddBackslashes(lit[:at]) || rest == "" {
			continue
		}
		if strings.IndexByte("~=^", rest[0]) >= 0 {
			return true
		}
		if name == "" {
			continue
		}
		expands := shell.NameByte(name[0]) || strings.IndexByte("{@*#?", name[0]) >= 0
		if len(name) < len(rest) && expands || name[0] >= 0x80 {
			return true
		}
	}
}

// zshAnsiC spells the inside of $'...' so that AnsiC reads what zsh makes of it: of an
// escape that zsh does not know it drops the backslash. known is false for a NUL, which
// does not end the text there, and for a key such as \C-a.
func zshAnsiC(s string) (spelled string, known bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		v, n := uint32(1), 1
		switch b := s[i]; b {
		case 'a', 'b', 'e', 'E', 'f', 'n', 'r', 't', 'v', '\\', '\'', '"', '?':
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v, n = shell.Digits(s[i:], 8, 3)
			v &= 0xff
		case 'x':
			v, n = shell.Digits(s[i+1:], 16, 2)
		case 'u':
			v, n = shell.Digits(s[i+1:], 16, 4)
		case 'U':
			v, n = shell.Digits(s[i+1:], 16, 8)
		case 'C', 'M':
			return "", false
		default: // by number, or it could go on with the one before it
			out = append(out, '\\', '0'+b>>6, '0'+b>>3&7, '0'+b&7)
			continue
		}
		if v == 0 || n == 0 {
			return "", false
		}
		out = append(out, '\\', s[i])
	}
	return string(out), true
}

// zshExpands adds what zsh makes of parts that are an expansion to it and more
// than one, or text, to bash. It returns how many they are, 0 when bash's reading
// is to be added.
func (x *expander) zshExpands(parts []syntax.WordPart, i int) int {
	n := 1
	switch p := parts[i].(type) {
	case *syntax.Lit:
		if !x.quoted || !zshParam(parts, i) {
			return 0
		}
		n = len(parts) - i
	case *syntax.ParamExp:
		if ParamName(p) == "IFS" && i+1 < len(parts) && !x.whole {
			x.r.Walk.Doubt(analysis.DoubtIFS, x.span, "IFS holds a NUL in zsh, which ends the word")
		}
		if n = zshGoesOn(parts, i); n == 0 {
			return 0
		}
		n++
	case *syntax.DblQuoted:
		if n = len(parts) - i; n == 1 || !holdsReplacing(p.Parts) {
			return 0
		}
	default:
		return 0
	}
	if !x.whole && !x.asZsh() {
		return 0
	}
	if p, ok := parts[i].(*syntax.ParamExp); ok && p.Param.Value == "#" {
		if lit, ok := parts[i+1].(*syntax.Lit); ok && shell.ValidName(lit.Value) {
			x.numbers++
			x.unknown(false)
			return n
		}
	}
	x.unknown(true)
	return n
}

// zshGoesOn returns how many parts after $name, written without braces, zsh
// takes for more of the expansion: a subscript, a modifier of the kind :h, a
// second digit, or the name whose length $# prints.
func zshGoesOn(parts []syntax.WordPart, i int) int {
	if !zshTail(parts, i) {
		return 0
	}
	lit, ok := parts[i+1].(*syntax.Lit)
	if !ok || lit.Value[0] == '[' || replaces(lit.Value) {
		return len(parts) - i - 1
	}
	return 1
}

// replaces reports whether text after $name may be a modifier that replaces or counts.
// What ends it may be quoted, or be after the quotes that it is in: $x:s"x", "$x:s"x"".
func replaces(text string) bool {
	return strings.HasPrefix(text, ":") && strings.ContainsAny(text, "sF")
}

func holdsReplacing(quoted []syntax.WordPart) bool {
	for i := range quoted {
		if zshTail(quoted, i) {
			if lit, ok := quoted[i+1].(*syntax.Lit); ok && replaces(lit.Value) {
				return true
			}
		}
	}
	return false
}

// zshTail reports whether the next part goes on with the expansion.
func zshTail(parts []syntax.WordPart, i int) bool {
	name := shortName(parts[i])
	if name == "" || i+1 == len(parts) {
		return false
	}
	lit, ok := parts[i+1].(*syntax.Lit)
	if !ok || lit.Value == "" {
		return name == "#"
	}
	return zshReadsOn(name, lit.Value)
}

// zshReadsOn reports whether text goes on with the expansion of $name.
func zshReadsOn(name, text string) bool {
	next := text[0]
	switch {
	case next == '[':
		return true
	case next == ':':
		return len(text) > 1 && strings.IndexByte("aAcefFghlpPqQrstuwWx&", text[1]) >= 0
	case name == "#":
		return shell.NameByte(next) || strings.IndexByte("-#?$!@*{", next) >= 0 || next >= 0x80
	case next >= 0x80:
		return shell.NameStart(name[0])
	}
	return shell.Number(text[:1]) && shell.Number(name[:1])
}

// arrayInBraces reports whether a word with a brace expansion holds an array
// outside quotes, whose elements zsh puts between the braces.
func (x *expander) arrayInBraces(word *syntax.Word) bool {
	for _, part := range word.Parts {
		p, ok := part.(*syntax.ParamExp)
		if !ok || p.Param == nil {
			continue
		}
		if _, array := x.st.lookupList(p.Param.Value); array || p.Index != nil || arrayName(p.Param.Value) {
			return true
		}
	}
	return false
}

// arrayName reports whether zsh keeps an array under the name by itself.
func arrayName(name string) bool {
	return name == "@" || name == "*" || name == "argv" || tied(name)
}

func holdsIFS(word *syntax.Word) bool {
	for _, part := range word.Parts {
		q, ok := part.(*syntax.DblQuoted)
		if !ok {
			continue
		}
		for _, inner := range q.Parts {
			if p, ok := inner.(*syntax.ParamExp); ok && ParamName(p) == "IFS" {
				return true
			}
		}
	}
	return false
}

// letterSteps reports {a..e..2}, which zsh does not expand.
func letterSteps(parts []syntax.WordPart) bool {
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		if b.Sequence && len(b.Elems) == 3 && !shell.Number(strings.TrimPrefix(b.Elems[0].Lit(), "-")) {
			return true
		}
		for _, e := range b.Elems {
			if letterSteps(e.Parts) {
				return true
			}
		}
	}
	return false
}

// mayBeEmpty reports whether nothing of what is there so far is certain to be
// there when the text runs: zsh then expands a ~ or = after it.
func (x *expander) mayBeEmpty() bool {
	return strings.Trim(string(x.buf), shell.HoleMark) == ""
}

// asZsh reports whether the words are read again as zsh does, and notes that
// this makes a difference.
func (x *expander) asZsh() bool {
	x.r.UnlikeZsh = true
	return x.r.asZsh
}

// ZshFields expands the words of a command as zsh does, which does not split the
// value of a variable and leaves name=~ alone; nil when that is no difference.
// Before, the words were expanded as bash does.
func (r *Reader) ZshFields(words []*syntax.Word, fr *Frame, st *State) []shell.Word {
	if !r.UnlikeZsh {
		return nil
	}
	r.asZsh = true
	defer func() { r.asZsh, r.UnlikeZsh = false, false }()
	var argv []shell.Word
	for _, word := range words {
		argv = r.Fields(word, fr, st, argv)
	}
	return argv
}

// tied reports whether zsh finds programs, functions, modules, directories or
// mail by a variable that is any other to bash: path is PATH there. Such a name
// is everyday text (for path in a.go b.go), so it is no doubt: it narrows what
// follows, as PATH does.
func tied(name string) bool {
	return slices.Contains([]string{
		"path", "fpath", "cdpath", "module_path", "MODULE_PATH", "manpath", "mailpath",
	}, name)
}
