package rules

import "strings"

// Match returns the rules of rs that match s, in their order. An allow rule
// matches only what it covers for certain; a deny or ask rule also what it may
// match, with Sure false when it is not certain.
//
// Of a tool with several possible names (Subject.Also) a deny or ask rule
// matches by any. An allow rule must match by every one that is an MCP tool's,
// or spell one of them out: then what the user wrote is what the host calls.
func (p *Policy) Match(rs []Rule, s *Subject) []Hit {
	var hits []Hit
	for i := range rs {
		r := &rs[i]
		all, some := p.matchRule(r, s)
		if len(s.Also) > 0 {
			all, some = p.matchNames(r, s, all, some)
		}
		if all || some && r.strict() {
			hits = append(hits, Hit{Rule: r, Sure: all, Whole: r.whole(s)})
		}
	}
	return hits
}

// matchNames adds what the further names of the tool make of a rule.
func (p *Policy) matchNames(r *Rule, s *Subject, all, some bool) (bool, bool) {
	spelled := all && r.spells(s.Tool)
	for _, name := range s.Also {
		other := *s
		other.Tool = name
		a, b := p.matchRule(r, &other)
		switch {
		case r.strict():
			all, some = all || a, some || b
		case a && r.spells(name):
			spelled = true
		case mcpTool(name):
			all, some = all && a, some && b
		}
	}
	return all || spelled, some || spelled
}

// spells reports whether a rule names a tool in full, without a wildcard.
func (r *Rule) spells(tool string) bool {
	return r.Tool == tool || r.Tool == "MCP" && strings.TrimSpace(r.Pattern) == tool
}

// strict reports whether the rule restricts, so that doubt is a match. Every
// other list is read as narrowly as allow.
func (r *Rule) strict() bool { return r.List == Deny || r.List == Ask }

// matchRule says whether r matches s for certain (all) or perhaps (some), in
// any of its readings.
func (p *Policy) matchRule(r *Rule, s *Subject) (all, some bool) {
	if r.plainlyRead() {
		return p.matchReading(r, s)
	}
	readings := r.readings()
	for i := range readings {
		a, b := p.matchReading(&readings[i], s)
		all, some = all || a, some || b
	}
	return all, some
}

// matchReading is matchRule for the pattern as it stands.
func (p *Policy) matchReading(r *Rule, s *Subject) (all, some bool) {
	if r.Tool == "MCP" || mcpTool(r.Tool) && r.Pattern == "" {
		yes := matchMCP(r, s.Tool)
		return yes, yes
	}
	switch {
	case !r.governs(s.Tool):
		return false, false
	case r.Bare:
		return true, true
	case s.Bare:
		return false, false
	case r.strict() && matchField(r.Pattern, s.Fields), r.whole(s):
		return true, true
	}
	switch kind := r.kind(s.Tool); {
	case commandTool(kind):
		return p.matchCommand(r, s.Command, kind == "PowerShell")
	case kind == "Read" || kind == "Edit":
		all, some = p.matchFile(r, s)
		if !some && readTool(r.Tool) && r.Tool != "Read" && r.strict() && s.HasName {
			all = matchName(r, s.Name, 0)
			some = all
		}
		return all, some
	case kind == "WebFetch":
		return matchWeb(r, s)
	case !s.HasName:
		// the host picks the type of an agent that is not named: Claude Code this one
		return false, kind == "Agent" && r.strict() && matchName(r, "general-purpose", 0)
	case kind == "Skill":
		all = matchSkill(r, s.Name)
	default:
		all = matchName(r, s.Name, 0)
	}
	return all, all
}

// governs reports whether a rule speaks about calls of a tool, whatever its
// pattern.
func (r *Rule) governs(tool string) bool {
	switch {
	case r.Tool == tool:
		return true
	case r.Tool == "Bash":
		return tool == "Monitor"
	case r.Tool == "Read":
		return readTool(tool) || r.List == Deny && EditTool(tool)
	case r.Tool == "Edit":
		return EditTool(tool)
	case strings.ContainsAny(r.Tool, "*?"):
		// in allow such names exist only behind mcp__server__
		g := compileGlob(r.Tool)
		return g.match(tool)
	}
	return false
}

// kind names the grammar of a rule's pattern by one tool that has it.
func (r *Rule) kind(tool string) string {
	switch {
	case tool == "Monitor":
		return "Bash"
	case readTool(tool):
		return "Read"
	case EditTool(tool):
		return "Edit"
	}
	return tool
}

// matchMCP matches by tool name alone: mcp__server is every tool of the
// server, MCP(glob) every tool the glob fits. Names are compared byte by byte.
func matchMCP(r *Rule, tool string) bool {
	if r.Tool != "MCP" {
		return mcpName(r.Tool, tool)
	}
	if r.Bare {
		return mcpTool(tool) || tool == "MCP"
	}
	pattern := strings.TrimSpace(r.Pattern)
	return mcpTool(tool) && (mcpName(pattern, tool) || r.strict() && mcpName("mcp__"+pattern, tool))
}

// mcpName matches mcp__server, mcp__server__tool and globs of either.
func mcpName(pattern, tool string) bool {
	g := compileGlob(pattern)
	if g.match(tool) {
		return true
	}
	server := len(pattern) > len("mcp__") && !strings.Contains(pattern[5:], "__") && g.plain()
	return server && strings.HasPrefix(tool, pattern+"__")
}

// matchField matches Tool(param:value) against a scalar field of the input. An
// absent field never matches; * in the value is any text.
func matchField(pattern string, fields []Field) bool {
	name, value, ok := strings.Cut(pattern, ":")
	if !ok {
		return false
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	for _, f := range fields {
		if f.Name != name {
			continue
		}
		if g := compileGlob(value); g.match(f.Value) || f.Value == value {
			return true
		}
	}
	return false
}
