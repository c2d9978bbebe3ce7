package rules

import "strings"

// Counted reports whether a rule came with a project, so that comparing it is paid
// for out of a budget.
func (r *Rule) Counted() bool { return r.Scope.OfProject() }

// Cost is about how much work it is to compare a rule with a subject; 1 is a rule
// about another program.
func (r *Rule) Cost(s *Subject) int {
	n := 1 + len(r.Pattern)/1024*16 + r.fieldCost(s)
	switch {
	case s.Path != nil || s.Glob != "":
		return n + r.pathCost(s)
	case s.Command == nil:
		return n + len(r.Pattern)/64
	case commandTool(s.Tool):
		return n + r.commandCost(s)
	}
	return n
}

// fieldCost is that of comparing an input field.
func (r *Rule) fieldCost(s *Subject) (n int) {
	if !r.strict() || len(s.Fields) == 0 {
		return 0
	}
	name, _, ok := fieldPattern(r.Pattern)
	for i := range s.Fields {
		if ok && s.Fields[i].Name == name {
			n += 4 + len(s.Fields[i].text())/64
		}
	}
	return n
}

// pathCost is that of comparing a path.
func (r *Rule) pathCost(s *Subject) int {
	if !r.governs(s.Tool) {
		return 0
	}
	n := 4 + len(r.Pattern)/64 + longCost(r.Pattern)
	if s.Glob != "" {
		n += 32 // two patterns are compared
	}
	if stars := strings.Count(r.Pattern, "*"); stars > 4 && s.Path != nil {
		n += min(stars, 32) * len(s.Path.Given) / 32
	}
	return n
}

// commandCost is that of comparing the texts of a command.
func (r *Rule) commandCost(s *Subject) int {
	if !commandTool(r.Tool) || r.Bare {
		return 0
	}
	pattern := strings.TrimSpace(r.Pattern)
	if name, value, ok := fieldPattern(pattern); ok && name == "command" && r.strict() {
		pattern = value // see matchField
	}
	if s.Tool != "PowerShell" && s.Command.differs(firstWord(pattern), r.strict()) {
		return 0
	}
	n := longCost(pattern)
	for _, list := range [...][]Text{s.Command.Allow, s.Command.Exact, s.Command.Deny} {
		for _, t := range list {
			n += t.cost(len(pattern))
		}
	}
	return n
}

// cost is that of one text: with holes every place of the pattern is followed
// through it.
func (t Text) cost(pattern int) int {
	size, holes := 0, false
	for i := range t {
		size, holes = size+len(t[i].Lit), holes || t[i].Hole != NoHole
	}
	if holes {
		return 4 + size*(pattern+16)/64
	}
	return 4 + (size+pattern)/64
}

// longCost is what reading a pattern costs that is longer than people write them.
func longCost(pattern string) int { return max(0, len(pattern)-512) / 2 }
