package rules

import "errors"

// ParseRule reads one rule text.
func ParseRule(text string, list List, scope Scope, pos Pos, claude bool) (Rule, error) {
	return Rule{}, errors.New("not implemented")
}
