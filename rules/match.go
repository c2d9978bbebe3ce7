package rules

import (
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// Match returns the rules of rs that match s, in their order. An allow rule
// matches only what it covers for certain; a deny or ask rule also what it may
// match, with Sure false when it is not certain.
//
// Of a tool with several possible names (Subject.Also) a deny or ask rule
// matches by any. An allow rule must match by every one that is an MCP tool's,
// or spell one of them out: then what the user wrote is what the host calls.
func (p *Policy) Match(rs []Rule, s *Subject) []Hit { return p.MatchWhere(rs, s, nil) }

// MatchWhere is Match of the rules that may says are to be compared; it is asked about
// those alone that an index does not leave out.
func (p *Policy) MatchWhere(rs []Rule, s *Subject, may func(*Rule) bool) []Hit {
	var hits []Hit
	if x := p.indexOf(rs); x != nil {
		for _, i := range x.matching(s) {
			if may == nil || may(&rs[i]) {
				hits = p.addHit(hits, &rs[i], s)
			}
		}
		return hits
	}
	for i := range rs {
		if may == nil || may(&rs[i]) {
			hits = p.addHit(hits, &rs[i], s)
		}
	}
	return hits
}

func (p *Policy) addHit(hits []Hit, r *Rule, s *Subject) []Hit {
	if s.Alias != "" {
		if all, some := p.matchAlias(r, *s); all || some && r.Strict() {
			hits = append(hits, Hit{Rule: r, Sure: all})
		}
		return hits
	}
	if s.Label && !r.Strict() {
		nameless := *s
		nameless.Name, nameless.HasName = "", false
		s = &nameless
	}
	all, some := p.matchRule(r, s)
	if len(s.Also) > 0 {
		all, some = p.matchNames(r, s, all, some)
	}
	if all || some && r.Strict() {
		hits = append(hits, Hit{Rule: r, Sure: all, Whole: r.whole(s)})
	}
	return hits
}

// matchNames adds what the further names of the tool make of a rule: a deny or ask
// binds by any of them, an allow by one it spells out, or by all of an MCP tool.
func (p *Policy) matchNames(r *Rule, s *Subject, all, some bool) (bool, bool) {
	if r.Strict() {
		return p.matchAnyName(r, s, all, some)
	}
	if all && r.spells(s.Tool) {
		return true, true
	}
	for _, name := range s.Also {
		a, b := p.matchAs(r, s, name)
		if a && r.spells(name) {
			return true, true
		}
		if mcpTool(name) {
			all, some = all && a, some && b
		}
	}
	return all, some
}

// matchAlias matches a rule against a call under a name that other systems have for
// the tool. The pattern after that name is read as one of the tool, so that it covers
// what it would there; deny and ask rules of all names bind.
func (p *Policy) matchAlias(r *Rule, s Subject) (all, some bool) {
	name := s.Alias
	s.Alias = ""
	if r.Strict() {
		all, some = p.matchRule(r, &s)
		a, b := p.matchAs(r, &s, name)
		all, some = p.matchAnyName(r, &s, all || a, some || b)
	}
	for _, also := range s.Also { // of an MCP tool
		if a, _ := p.matchAs(r, &s, also); a && r.spells(also) {
			return true, true
		}
	}
	if !r.Strict() && mcpTool(name) && r.OfMCP() { // by its name, or another one that the host has for its server
		all = matchMCP(r, name) || mcpTool(s.Tool) && matchMCP(r, s.Tool)
		s.Tool = name
		return p.matchNames(r, &s, all, false)
	}
	if r.Tool == name {
		own := *r
		own.Tool = s.Tool
		a, b := p.matchRule(&own, &s)
		all, some = all || a, some || b
	}
	return all, some
}

func (p *Policy) matchAnyName(r *Rule, s *Subject, all, some bool) (bool, bool) {
	for _, name := range s.Also {
		a, b := p.matchAs(r, s, name)
		all, some = all || a, some || b
	}
	return all, some
}

// matchAs is matchRule for a subject under another name of its tool.
func (p *Policy) matchAs(r *Rule, s *Subject, name string) (all, some bool) {
	other := *s
	other.Tool = name
	return p.matchRule(r, &other)
}

// spells reports whether a rule names a tool in full, without a wildcard.
func (r *Rule) spells(tool string) bool {
	return r.Tool == tool || r.Tool == "MCP" && strings.TrimSpace(r.Pattern) == tool
}

// Strict reports whether the rule restricts, so that doubt is a match. Every
// other list is read as narrowly as allow.
func (r *Rule) Strict() bool { return r.List == Deny || r.List == Ask }

// matchRule says whether r matches s for certain (all) or perhaps (some), in
// any of its readings.
func (p *Policy) matchRule(r *Rule, s *Subject) (all, some bool) {
	if r.plainlyRead() {
		return p.matchReading(r, s)
	}
	readings := r.Readings()
	for i := range readings {
		a, b := p.matchReading(&readings[i], s)
		all, some = all || a, some || b
	}
	return all, some
}

// matchReading is matchRule for the pattern as it is written.
func (p *Policy) matchReading(r *Rule, s *Subject) (all, some bool) {
	switch {
	case r.URL != nil:
		return r.matchEntry(s)
	case r.OfMCP():
		yes := matchMCP(r, s.Tool)
		return yes, yes
	case !r.SpeaksOf(s.Tool):
		return false, false
	case r.Bare, r.whole(s):
		return true, true
	case s.Bare:
		return false, false
	}
	all, some = p.matchPattern(r, s)
	if !all && r.Strict() && len(s.Fields) > 0 {
		a, b := p.matchField(r, s)
		return a, some || a || b
	}
	return all, some
}

// matchPattern matches a pattern in the grammar of its tool.
func (p *Policy) matchPattern(r *Rule, s *Subject) (all, some bool) {
	switch kind := KindOf(s.Tool); {
	case CommandTool(kind):
		return p.matchCommand(r, s.Command, kind == "PowerShell")
	case kind == "Read" || kind == "Edit":
		if all, some = p.matchFile(r, s); !some && s.HasName && r.SearchesByName() {
			all = matchName(r, s.Name, 0)
			some = all
		}
		return all, some
	case kind == "WebFetch":
		return matchWeb(r, s)
	case !s.HasName:
		return false, kind == "Agent" && r.Strict() && matchName(r, AnyAgent, 0)
	case kind == "Skill":
		all = matchSkill(r, s.Name)
	default:
		all = matchName(r, s.Name, 0)
	}
	return all, all
}

// AnyAgent is the type of an agent that a call does not name: the host picks it, Claude Code this one.
const AnyAgent = "general-purpose"

// SearchesByName reports whether a rule of a search tool restricts what may be
// searched for, as well as where.
func (r *Rule) SearchesByName() bool {
	return r.Strict() && r.Tool != "Read" && readTool(r.Tool)
}

// SpeaksOf reports whether a rule speaks about calls of a tool, whatever its
// pattern.
func (r *Rule) SpeaksOf(tool string) bool {
	switch {
	case r.Tool == tool, r.Spares != "" && strings.Contains(r.Spares, " "+tool+" "):
		return r.Tool == tool
	case r.Tool == "Bash":
		return tool == "Monitor"
	case r.Tool == "Read":
		return readTool(tool) || r.List == Deny && EditTool(tool)
	case r.Tool == "Edit":
		return EditTool(tool)
	case strings.ContainsAny(r.Tool, "*?"):
		// in allow such names exist only after mcp__server__
		g := grammar.Compile(r.Tool)
		return g.Match(tool)
	}
	return false
}

// KindOf names the grammar of the patterns of rules on a tool by one tool that has it.
func KindOf(tool string) string {
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

// OfMCP reports whether a rule is matched by the name of an MCP tool alone.
func (r *Rule) OfMCP() bool { return r.Tool == "MCP" || mcpTool(r.Tool) && r.Pattern == "" }

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
	return mcpTool(tool) && (mcpName(pattern, tool) || r.Strict() && mcpName("mcp__"+pattern, tool))
}

// mcpName matches mcp__server, mcp__server__tool and globs of either.
func mcpName(pattern, tool string) bool {
	g := grammar.Compile(pattern)
	if g.Match(tool) {
		return true
	}
	server := len(pattern) > len("mcp__") && !strings.Contains(pattern[5:], "__") && g.Plain()
	return server && strings.HasPrefix(tool, pattern+"__")
}

// ReadCommand is how the pattern of a Bash or PowerShell rule is read.
func (p *Policy) ReadCommand(r *Rule, powershell bool) grammar.Reading {
	read := grammar.Reading{Pattern: strings.TrimSpace(r.Pattern), PowerShell: powershell, Claude: r.Claude}
	if !powershell {
		read.Home = p.Home.Given
	}
	if r.Strict() {
		read.Placed = p.OS.programPattern(read.Pattern, p.Cwd.Given, p.Home.Given)
	}
	return read
}

// matchCommand matches a Bash or PowerShell rule against one subcommand.
func (p *Policy) matchCommand(r *Rule, c *Command, powershell bool) (all, some bool) {
	if c == nil {
		return false, false // no pattern speaks about a text without any subcommand
	}
	read := p.ReadCommand(r, powershell)
	if !powershell && read.Placed == "" && c.differs(grammar.FirstWord(read.Pattern), r.Strict()) {
		return false, false
	}
	if !r.Strict() {
		all = allows(&read, c)
		return all, all
	}
	texts := make([]grammar.Text, 0, len(c.Allow)+len(c.Exact)+len(c.Deny))
	texts = append(append(append(texts, c.Allow...), c.Exact...), c.Deny...)
	globs := read.Wide()
	for _, t := range texts {
		forms := [2]grammar.Text{t}
		n := 1
		if plain, changed := t.Unquote(); changed {
			forms[1], n = plain, 2
		}
		for _, f := range forms[:n] {
			if powershell {
				f = foldTexts(f)
			}
			for i := range globs {
				a, s := globs[i].Covers(f)
				if a {
					return true, true
				}
				some = some || s
			}
		}
	}
	if c.Means != nil && strings.Contains(read.Pattern, " -") {
		a, b := c.Means(&read)
		return a, some || b
	}
	return false, some
}

// differs reports whether no text of the command can start with prefix. It
// only saves work: most rules are about another program.
func (c *Command) differs(prefix string, strict bool) bool {
	if prefix == "" {
		return false
	}
	for _, list := range [...][]grammar.Text{c.Allow, c.Exact, c.Deny} {
		for _, t := range list {
			if len(t) > 0 && mayStart(t, prefix, strict) {
				return false
			}
		}
	}
	return true
}

// mayStart reports whether a text that is not empty may start with prefix.
func mayStart(t grammar.Text, prefix string, strict bool) bool {
	if t[0].Hole != grammar.NoHole {
		return true
	}
	head := t[0].Lit[:min(len(t[0].Lit), len(prefix))]
	if strict && strings.ContainsAny(head, `'\`) {
		return true
	}
	return head == prefix || len(t) > 1 && strings.HasPrefix(prefix, head)
}

// matchField matches Tool(param:value) against the input. An absent field never
// matches. What the tool is about (its command, path or URL) is compared as it
// was sent, and as rules of the tool's own grammar read it: else "cd x && rm y",
// ./a/../.env or HTTPS://HOST/ would pass where the plain spelling is denied.
func (p *Policy) matchField(r *Rule, s *Subject) (all, some bool) {
	name, value, ok := grammar.FieldPattern(r.Pattern)
	if !ok || name == "command" && CommandTool(s.Tool) && grammar.AllStars(value) {
		return false, false // Bash(command:*) is about the program command
	}
	var g grammar.Glob
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Name != name {
			continue
		}
		if g = grammar.Compile(value); g.Match(f.text()) || f.text() == value {
			return true, true
		}
	}
	if name == "" || name != MainField(s.Tool) || value == "" {
		return false, false
	}
	switch {
	case name == "command":
		own := *r
		own.Pattern, own.Written = value, ""
		return p.matchCommand(&own, s.Command, s.Tool == "PowerShell")
	case s.Path != nil:
		g = grammar.Compile(grammar.FoldPath(value))
		all = g.Match(grammar.FoldPath(s.Path.Given)) || g.Match(grammar.FoldPath(s.Path.Real))
	case s.URL != nil:
		all = matchURLText(value, s.URL.Text, true)
		some = !s.URL.Sure
	case s.HasName:
		g = grammar.Compile(value)
		all = g.Match(s.Name)
	case s.Tool == "Agent":
		g = grammar.Compile(value)
		some = g.Match(AnyAgent)
	}
	return all, all || some
}

// MainField is the field a tool is about, whatever name a host gives it.
func MainField(tool string) string {
	switch tool {
	case "Bash", "Monitor", "PowerShell":
		return "command"
	case "Read", "Edit", "Write", "MultiEdit":
		return "file_path"
	case "NotebookEdit", "NotebookRead":
		return "notebook_path"
	case "Grep", "Glob", "LS":
		return "path"
	case "WebFetch":
		return "url"
	case "Agent":
		return "subagent_type"
	case "Skill":
		return "skill"
	}
	return ""
}

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
	case CommandTool(s.Tool):
		return n + r.commandCost(s)
	}
	return n
}

// fieldCost is that of comparing an input field.
func (r *Rule) fieldCost(s *Subject) (n int) {
	if !r.Strict() || len(s.Fields) == 0 {
		return 0
	}
	name, _, ok := grammar.FieldPattern(r.Pattern)
	for i := range s.Fields {
		if ok && s.Fields[i].Name == name {
			n += 4 + len(s.Fields[i].text())/64
		}
	}
	return n
}

// pathCost is that of comparing a path.
func (r *Rule) pathCost(s *Subject) int {
	if !r.SpeaksOf(s.Tool) {
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
	if !CommandTool(r.Tool) || r.Bare {
		return 0
	}
	pattern := strings.TrimSpace(r.Pattern)
	if name, value, ok := grammar.FieldPattern(pattern); ok && name == "command" && r.Strict() {
		pattern = value // see matchField
	}
	if s.Tool != "PowerShell" && s.Command.differs(grammar.FirstWord(pattern), r.Strict()) {
		return 0
	}
	n := longCost(pattern)
	for _, list := range [...][]grammar.Text{s.Command.Allow, s.Command.Exact, s.Command.Deny} {
		for _, t := range list {
			n += textCost(t, len(pattern))
		}
	}
	return n
}

// textCost is that of one text: with holes every place of the pattern is followed
// through it.
func textCost(t grammar.Text, pattern int) int {
	size, holes := 0, false
	for i := range t {
		size, holes = size+len(t[i].Lit), holes || t[i].Hole != grammar.NoHole
	}
	if holes {
		return 4 + size*(pattern+16)/64
	}
	return 4 + (size+pattern)/64
}

// longCost is what reading a pattern costs that is longer than people write them.
func longCost(pattern string) int { return max(0, len(pattern)-512) / 2 }
