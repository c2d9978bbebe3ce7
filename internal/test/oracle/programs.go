// Package oracle compares what a shell text looks like with what bash does with it, without doing it.
//
// Oracle (Linux only) lets a real bash run a text with every execution and every change of a file recorded
// instead of done. Programs says which programs the syntax tree names. Where the two differ, a gate that
// trusts the tree judges another program than the one that runs.
package oracle

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Hole takes the place in an argument list of a word whose value the tree alone does not tell.
const Hole = "\x00?"

// Programs returns the argument lists of the simple commands a plain walk of mvdan.cc/sh's tree finds,
// shell builtins left out. It is the naive reading, not the gate's analysis.
func Programs(text string) ([][]string, error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	var out [][]string
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		var argv []string
		for _, w := range call.Args {
			argv = append(argv, literal(w.Parts, false))
		}
		if !isBuiltin(argv[0]) {
			out = append(out, argv)
		}
		return true
	})
	return out, nil
}

// literal returns the value of a word made of literal text and quotes, else Hole.
func literal(parts []syntax.WordPart, quoted bool) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if !quoted && strings.ContainsAny(p.Value, "*?[{~") {
				return Hole // an expansion
			}
			unescape(&b, p.Value, quoted)
		case *syntax.SglQuoted:
			if p.Dollar && strings.Contains(p.Value, `\`) {
				return Hole
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			s := literal(p.Parts, true)
			if s == Hole {
				return Hole
			}
			b.WriteString(s)
		default:
			return Hole
		}
	}
	return b.String()
}

// unescape writes a literal without the backslashes that quote. In double quotes only some do.
func unescape(b *strings.Builder, s string, quoted bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
}

// Unexplained returns the argument lists of ran that no list of named matches, and those of named that
// match none of ran. Both are empty when the two readings agree. A Hole matches any number of words.
func Unexplained(named, ran [][]string) (hidden, idle [][]string) {
	for _, r := range ran {
		if !slices.ContainsFunc(named, func(n []string) bool { return match(n, r) }) {
			hidden = append(hidden, r)
		}
	}
	for _, n := range named {
		if !slices.ContainsFunc(ran, func(r []string) bool { return match(n, r) }) {
			idle = append(idle, n)
		}
	}
	return hidden, idle
}

func match(pattern, argv []string) bool {
	if len(pattern) == 0 {
		return len(argv) == 0
	}
	if pattern[0] != Hole {
		return len(argv) > 0 && argv[0] == pattern[0] && match(pattern[1:], argv[1:])
	}
	for i := 0; i <= len(argv); i++ {
		if match(pattern[1:], argv[i:]) {
			return true
		}
	}
	return false
}

// isBuiltin reports whether bash runs name itself. Source: bash 5.2, "compgen -b".
func isBuiltin(name string) bool {
	switch name {
	case ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete",
		"compopt", "continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false",
		"fc", "fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd",
		"printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source",
		"suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait":
		return true
	}
	return false
}
