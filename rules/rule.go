package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// ParseRule reads one entry of a list: Tool or Tool(pattern). Names are exact
// and case-sensitive; Task is Agent, MultiEdit and apply_patch are Edit.
// Everything between the first ( and the last ) is the pattern, parentheses
// included.
//
// A malformed text is always an error. In allow there is no rule then. In deny
// and ask the rule is returned as well, in its widest sense and with Note set,
// unless there is no tool to name: the caller reports the error and keeps a
// rule whose Tool is not empty.
func ParseRule(text string, list List, scope Scope, pos Pos, claude bool) (Rule, error) {
	rule := Rule{Text: text, List: list, Scope: scope, Pos: pos, Claude: claude}
	name, pattern, hasPattern, err := splitRule(text)
	if err == nil {
		if rule.Tool, rule.Pattern = CanonicalTool(name), pattern; claude {
			rule.escapes()
		}
		rule.Bare = !hasPattern || grammar.AllStars(rule.Pattern)
		err = checkRule(&rule, hasPattern)
	}
	if err == nil {
		if rule.Bare {
			rule.Pattern, rule.Written = "", ""
		}
		return rule, nil
	}
	if list != Deny && list != Ask {
		return Rule{}, err
	}
	if rule = widest(rule, text); rule.Tool == "" {
		return Rule{}, err
	}
	return rule, err
}

// splitRule takes a rule text apart.
func splitRule(text string) (name, pattern string, hasPattern bool, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", "", false, errors.New("an empty rule, write Tool or Tool(pattern)")
	}
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return text, "", false, nil
	}
	name = text[:open]
	if !strings.HasSuffix(text, ")") {
		if strings.Contains(text, ")") {
			return "", "", false, fmt.Errorf("text after the closing parenthesis in %q, a rule ends with )", text)
		}
		return "", "", false, fmt.Errorf("the closing parenthesis is missing in %q, add ) at the end", text)
	}
	return name, text[open+1 : len(text)-1], true, nil
}

// checkRule says what is wrong with a rule that came apart well.
func checkRule(r *Rule, hasPattern bool) error {
	if i := badNameByte(r.Tool, r.List != Allow); i >= 0 || r.Tool == "" {
		return badName(r, i)
	}
	switch {
	case hasPattern && strings.TrimSpace(r.Pattern) == "":
		return fmt.Errorf("nothing between the parentheses in %q, write %s for every call", r.Text, r.Tool)
	case r.Tool == Sandbox && !r.Bare && r.Pattern != Leaves:
		return fmt.Errorf("%q in %q, Sandbox takes %s alone", r.Pattern, r.Text, Leaves)
	case strings.ContainsRune(r.Pattern, 0):
		return fmt.Errorf("a NUL in %q, no call can contain one", r.Text)
	case CommandTool(r.Tool) && strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(r.Pattern), ":*")) == "" &&
		!r.Bare:
		return fmt.Errorf("no command before :* in %q, write %s for every command", r.Text, r.Tool)
	}
	return nil
}

// badName says what is wrong with a tool name; i is the first bad byte.
func badName(r *Rule, i int) error {
	switch {
	case r.Tool == "":
		return fmt.Errorf("no tool name in %q, write Tool or Tool(pattern)", r.Text)
	case r.Tool[i] == '*' || r.Tool[i] == '?':
		return fmt.Errorf("a wildcard in the tool name of %q, allow takes one only after mcp__server__", r.Text)
	case r.Tool[i] == ' ' || r.Tool[i] == '\t':
		return fmt.Errorf("a space in the tool name of %q, write Tool or Tool(pattern)", r.Text)
	case r.Tool[i] == ':':
		return fmt.Errorf("a colon in the tool name of %q, write %s(pattern)", r.Text, r.Tool[:i])
	}
	return fmt.Errorf("an invalid character in the tool name of %q, write Tool or Tool(pattern)", r.Text)
}

// badNameByte returns the index of the first byte that a tool name cannot
// have, or -1 if none. Wildcards are part of it when globs is set, and
// after mcp__server__ always.
func badNameByte(name string, globs bool) int {
	for i := 0; i < len(name); i++ {
		switch b := name[i]; {
		case grammar.Alnum(rune(b)), b == '_', b == '-', b == '.':
		case b == '/' && mcpTool(name):
		case (b == '*' || b == '?') && (globs || i >= mcpPrefix(name)):
		default:
			return i
		}
	}
	return -1
}

// widest is how a malformed deny or ask is read: with the missing parenthesis
// added, else as the bare tool. Its Tool is empty if nothing can be read.
func widest(r Rule, text string) Rule {
	text = strings.TrimSpace(text)
	r.Pattern, r.Written, r.Bare = "", "", true
	name, rest, found := strings.Cut(text, "(")
	if i := badNameByte(name, true); i >= 0 {
		name, found = name[:i], false
	}
	r.Tool = CanonicalTool(name)
	r.Note = "read as " + r.Tool + ", every call"
	if found && completable(rest) {
		r.Pattern, r.Bare = rest, false
		r.Note = "read with ) added at the end"
		if checkRule(&r, true) != nil {
			r.Pattern, r.Bare = "", true
			r.Note = "read as " + r.Tool + ", every call"
		}
	}
	return r
}

// completable reports whether a pattern whose parenthesis is missing says
// anything once it is added.
func completable(pattern string) bool {
	if strings.ContainsAny(pattern, ")\x00") {
		return false
	}
	return strings.TrimSpace(pattern) != "" && !grammar.AllStars(pattern)
}

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

// NamesOutside reports whether an allow rule names places outside the workspace, as step 3b wants it.
func (r *Rule) NamesOutside() bool {
	return !r.Bare && (strings.HasPrefix(r.Pattern, "//") || strings.HasPrefix(r.Pattern, "~/"))
}

// Whole reports whether a rule also matches a text that it spells byte for
// byte, with all its operators, redirects and assignments: a rule of a .claude
// file without a wildcard does.
func (r *Rule) Whole() bool {
	return r.Claude && !r.Bare && CommandTool(r.Tool) && !strings.Contains(r.Pattern, "*")
}

// whole reports whether a rule spells the whole text a subject belongs to.
func (r *Rule) whole(s *Subject) bool {
	if s.Whole == "" || s.Bare || r.Pattern != s.Whole {
		return false
	}
	return r.Whole() && r.SpeaksOf(s.Tool)
}

// plainlyRead reports whether a rule has one reading, which most have.
func (r *Rule) plainlyRead() bool {
	return !r.Claude || !r.Strict() || r.Written == "" && strings.IndexByte(r.Pattern, '\\') < 0
}

// Readings are the patterns a rule is read as. A deny or ask of a .claude file
// binds as written as well, and with every * and ? in it a wildcard.
func (r *Rule) Readings() []Rule {
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

// Component reports whether a name that will be used in a path is one
// component of [A-Za-z0-9._-] and neither . nor ..
func Component(name string) bool {
	if name == "" || name == "." || name == ".." || len(name) > 255 {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch b := name[i]; {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '.', b == '_', b == '-':
		default:
			return false
		}
	}
	return true
}

// Governs reports whether a rule speaks about calls of a tool at all, whatever
// its pattern: a Read rule also about Grep and Glob, an Edit rule also about
// Write, an mcp__server rule about every tool of that server.
func (r *Rule) Governs(tool string) bool {
	p := Policy{}
	wide := Rule{Text: r.Tool, Tool: r.Tool, Bare: true, List: r.List, Scope: r.Scope, Spares: r.Spares}
	if r.Tool == "MCP" || len(r.Tool) > 5 && r.Tool[:5] == "mcp__" {
		wide = *r
	}
	return len(p.Match([]Rule{wide}, &Subject{Tool: tool, Bare: true})) > 0
}

// Exact reports whether an allow rule names one command and nothing but it: no
// wildcard is in it, not even one that is quoted.
func (r *Rule) Exact() bool {
	return r.List == Allow && !r.Bare && CommandTool(r.Tool) && !strings.ContainsAny(r.Pattern, "*?")
}
