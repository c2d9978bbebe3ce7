package rules

import (
	"errors"
	"fmt"
	"strings"
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
		rule.Bare = !hasPattern || allStars(rule.Pattern)
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
	globs := r.List == Deny || r.List == Ask
	if i := badNameByte(r.Tool, globs); i >= 0 || r.Tool == "" {
		return badName(r, i)
	}
	switch {
	case hasPattern && strings.TrimSpace(r.Pattern) == "":
		return fmt.Errorf("nothing between the parentheses in %q, write %s for every call", r.Text, r.Tool)
	case strings.ContainsRune(r.Pattern, 0):
		return fmt.Errorf("a NUL in %q, no call can contain one", r.Text)
	case commandTool(r.Tool) && strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(r.Pattern), ":*")) == "" &&
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
// have, -1 when there is none. Wildcards are part of it when globs is set, and
// after mcp__server__ always.
func badNameByte(name string, globs bool) int {
	for i := 0; i < len(name); i++ {
		switch b := name[i]; {
		case alnum(rune(b)), b == '_', b == '-', b == '.':
		case b == '/' && mcpTool(name):
		case (b == '*' || b == '?') && (globs || i >= mcpPrefix(name)):
		default:
			return i
		}
	}
	return -1
}

// widest is how a malformed deny or ask is read: with the missing parenthesis
// added, else as the bare tool. Its Tool is empty when there is none.
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
	return strings.TrimSpace(pattern) != "" && !allStars(pattern)
}

// allStars reports whether a pattern is * or **, blanks around it ignored.
func allStars(pattern string) bool {
	switch strings.TrimSpace(pattern) {
	case "*", "**":
		return true
	}
	return false
}
