package rules

import "strings"

// Claude Code writes a rule with \, ( and ) in its pattern escaped by a
// backslash, so that its end can be found. This file is that spelling, and what
// else of its grammar the others do not have.

// escapes takes the escapes off the pattern of a rule.
func (r *Rule) escapes() {
	if read := unescape(r.Pattern); read != r.Pattern {
		r.Pattern, r.Written = read, r.Pattern
	}
}

// unescape takes the backslash off \(, \) and \\, once and from left to right.
func unescape(pattern string) string {
	if strings.IndexByte(pattern, '\\') < 0 {
		return pattern
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) && strings.IndexByte(`()\`, pattern[i+1]) >= 0 {
			i++
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

// Escape spells a rule for a .claude file, so that its pattern is read there as
// it is in text. One without anything to escape stays as it is.
func Escape(text string) string {
	open := strings.IndexByte(text, '(')
	if open < 0 || !strings.HasSuffix(text, ")") {
		return text
	}
	pattern := text[open+1 : len(text)-1]
	if unescape(pattern) == pattern {
		return text
	}
	return text[:open+1] + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(pattern) + ")"
}

// Whole reports whether a rule also matches a text that it spells byte for
// byte, with all its operators, redirects and assignments: a rule of a .claude
// file without a wildcard does.
func (r *Rule) Whole() bool {
	return r.Claude && !r.Bare && commandTool(r.Tool) && !strings.Contains(r.Pattern, "*")
}

// whole reports whether a rule spells the whole text a subject belongs to.
func (r *Rule) whole(s *Subject) bool {
	if s.Whole == "" || s.Bare {
		return false
	}
	return r.Whole() && r.Pattern == s.Whole && r.governs(s.Tool)
}

// plainlyRead reports whether a rule has one reading, which most have.
func (r *Rule) plainlyRead() bool {
	return !r.Claude || !r.strict() || r.Written == "" && strings.IndexByte(r.Pattern, '\\') < 0
}

// readings are the patterns a rule is read as. A deny or ask of a .claude file
// binds as written as well, and with every * and ? in it a wildcard.
func (r *Rule) readings() []Rule {
	out := []Rule{*r}
	if r.plainlyRead() || r.Bare {
		return out
	}
	out[0].Written = ""
	add := func(pattern string) {
		for i := range out {
			if out[i].Pattern == pattern {
				return
			}
		}
		other := out[0]
		other.Pattern = pattern
		out = append(out, other)
	}
	if r.Written != "" {
		add(r.Written)
	}
	if strings.Contains(r.Pattern, `\*`) || strings.Contains(r.Pattern, `\?`) {
		add(strings.NewReplacer(`\*`, "*", `\?`, "?").Replace(r.Pattern))
	}
	return out
}

// alone reports whether a command rule's pattern, as a shell text, is one
// command of just these words: then a rule that spells the text says no more
// than one that spells the command.
func alone(pattern string) bool {
	words, ok := lexWords(pattern, "", true)
	if !ok || len(words) == 0 || strings.ContainsAny(pattern, "\\$`\n\r\"") ||
		keyword(pattern[:len(firstWord(pattern))]) {
		return false
	}
	for i, word := range words {
		for j, c := range word {
			if !plainChar(c, i, j) {
				return false
			}
		}
	}
	return true
}

// plainChar reports whether a character, the at-th of a word, means itself to a
// shell: quotes may be anywhere but around the command.
func plainChar(c char, word, at int) bool {
	if c.m == inQuotes {
		return word > 0
	}
	switch c.r {
	case '{', '~', '!':
		return false
	case '#':
		return at > 0
	case '=', '[':
		return word > 0
	}
	return bareRune(c.r)
}

// keyword reports whether a word starts something else than a plain command.
func keyword(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select",
		"function", "coproc", "time",
		"declare", "typeset", "local", "export", "readonly", "nameref", "let":
		return true
	}
	return false
}
