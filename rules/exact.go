package rules

import "strings"

// Exact reports whether an allow rule names one command and nothing but it: no
// wildcard is in it, not even one that is quoted.
func (r *Rule) Exact() bool {
	return r.List == Allow && !r.Bare && commandTool(r.Tool) && !strings.ContainsAny(r.Pattern, "*?")
}
