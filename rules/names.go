package rules

import "strings"

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
	wide := Rule{Text: r.Tool, Tool: r.Tool, Bare: true, List: r.List, Scope: r.Scope}
	if r.Tool == "MCP" || len(r.Tool) > 5 && r.Tool[:5] == "mcp__" {
		wide = *r
	}
	return len(p.Match([]Rule{wide}, &Subject{Tool: tool, Bare: true})) > 0
}

// Exact reports whether an allow rule names one command and nothing but it: no
// wildcard is in it, not even one that is quoted.
func (r *Rule) Exact() bool {
	return r.List == Allow && !r.Bare && commandTool(r.Tool) && !strings.ContainsAny(r.Pattern, "*?")
}
