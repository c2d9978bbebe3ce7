package algebra

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A Language is what one rule matches among the calls of one tool, each written as one
// text: a command in canonical quoting, an absolute clean path, a host or URL, a name.
// An allow rule has no Maybe.
type Language struct {
	Sure  []*automaton.Machine // it matches for certain what one of these does
	Maybe []*automaton.Machine // it may match what one of these does, and what Sure does
	All   bool                 // it matches every call of the tool
	// Fields is what a deny or ask matches as Tool(param:value), whatever the text is.
	Fields []FieldLanguage
}

// A FieldLanguage is the values of one input field that a rule matches.
type FieldLanguage struct {
	Name  string
	Value *automaton.Machine
}

// LanguageOf is what a rule matches among the calls of one tool. why says what keeps it
// from being written down, "" where nothing does: else nothing follows from it.
func (p *Policy) LanguageOf(r *rules.Rule, tool string) (l Language, why string) {
	switch kind := rules.KindOf(tool); {
	case rules.CommandTool(kind):
		l, why = p.commandLanguage(r, tool)
		for _, m := range slices.Concat(l.Sure, l.Maybe) {
			readPrograms(m, r.Strict())
		}
		return l, why
	case kind == "Read" || kind == "Edit":
		return p.fileLanguage(r, tool)
	case kind == "WebFetch":
		return p.webLanguage(r)
	default:
		return p.nameLanguage(r, tool)
	}
}

// Universe is the texts that calls of a tool can be, see Language.
func (p *Policy) Universe(tool string) automaton.Universe {
	switch kind := rules.KindOf(tool); {
	case rules.CommandTool(kind):
		return newCommandTexts()
	case kind == "Read" || kind == "Edit":
		return pathTexts{p.OS == rules.Windows, p.letters}
	case kind == "WebFetch":
		return urlTexts{}
	default:
		return newNameTexts()
	}
}

// ToolLanguage is the tools that a rule speaks about, by name, see ToolUniverse. some
// says that it speaks of some calls of theirs only, see LanguageOf.
func (p *Policy) ToolLanguage(r *rules.Rule) (l Language, some bool) {
	begins := grammar.Compile("mcp__?*")
	server := globMachine(&begins, nil)
	add := func(g grammar.Glob) *automaton.Machine {
		m := globMachine(&g, nil)
		l.Sure = append(l.Sure, m)
		return m
	}
	if r.OfMCP() {
		globs := mcpGlobs(r)
		for i := range globs {
			if m := add(globs[i]); r.Tool == "MCP" {
				*m = *automaton.Intersect(m, server)
			}
		}
		if r.Tool == "MCP" && r.Bare {
			add(grammar.Compile("MCP"))
		}
	} else {
		add(grammar.Compile(r.Tool))
		for _, tool := range governed {
			if r.SpeaksOf(tool) {
				add(grammar.Compile(tool))
			}
		}
	}
	return l, !r.Bare && !r.OfMCP()
}

// mcpGlobs are the patterns of tool names that matchMCP compares with.
func mcpGlobs(r *rules.Rule) []grammar.Glob {
	if r.Bare && r.Tool == "MCP" {
		return []grammar.Glob{grammar.Compile("*")}
	}
	var out []grammar.Glob
	for _, pattern := range r.MCPNames() {
		g := grammar.Compile(pattern)
		out = append(out, g)
		if len(pattern) > len("mcp__") && !strings.Contains(pattern[5:], "__") && g.Plain() {
			out = append(out, grammar.Compile(pattern+"__*"))
		}
	}
	return out
}

// ToolUniverse is the names of tools.
func (p *Policy) ToolUniverse() automaton.Universe { return toolTexts{poolsOf(toolTexts{}, 1)} }

type toolTexts struct{ pools []string }

func (toolTexts) Next(_ int, r automaton.Symbol) (int, bool) {
	return 1, r > 0 && (grammar.Alnum(r) || strings.ContainsRune("_-./", r))
}

func (toolTexts) Accepts(state int) bool       { return state == 1 }
func (t toolTexts) Pools(int) []string         { return t.pools }
func (toolTexts) Marks(int) []automaton.Symbol { return nil }

// commandLanguage is what a rule matches among the commands of one tool.
func (p *Policy) commandLanguage(r *rules.Rule, tool string) (l Language, why string) {
	powershell := rules.KindOf(tool) == "PowerShell"
	if l, done := p.wholeTool(r, tool); done {
		return l, ""
	}
	home := p.Home.Given
	if powershell {
		home = ""
	}
	if !r.Strict() {
		read := grammar.Reading{Pattern: strings.TrimSpace(r.Pattern), Home: home, PowerShell: powershell, Claude: r.Claude}
		g := read.Narrow()
		l.Sure = append(l.Sure, &sureOf(newHoleMachine(&g, powershell)).Machine)
		return l, ""
	}
	readings := r.Readings()
	for i := range readings {
		read := grammar.Reading{Pattern: strings.TrimSpace(readings[i].Pattern), Home: home, PowerShell: powershell, Claude: r.Claude}
		l.addWide(&read)
		name, value, ok := grammar.FieldPattern(readings[i].Pattern)
		switch {
		case !ok || name == "command" && grammar.AllStars(value):
		case name != "command":
			l.addField(name, value)
		case value != "":
			g := grammar.Compile(value)
			l.Sure = append(l.Sure, &sureOf(newHoleMachine(&g, false)).Machine)
			read.Pattern = value
			l.addWide(&read)
		}
	}
	return l, ""
}

// addWide adds what deny and ask match by a pattern.
func (l *Language) addWide(read *grammar.Reading) {
	globs := read.Wide()
	head := len(grammar.FirstWord(read.Pattern))
	if read.PowerShell {
		head = 0
	}
	for i := range globs {
		sure := sureOf(newHoleMachine(&globs[i], read.PowerShell))
		maybe := maybeOf(newHoleMachine(&globs[i], read.PowerShell), head)
		l.Sure = append(l.Sure, &sure.Machine, sure.withoutQuotes())
		l.Maybe = append(l.Maybe, &maybe.Machine, maybe.withoutQuotes())
	}
}

// addField adds what Tool(name:value) matches.
func (l *Language) addField(name, value string) {
	if !identifier(name) {
		return // no field has such a name
	}
	g := grammar.Compile(value)
	l.Fields = append(l.Fields, FieldLanguage{name, globMachine(&g, nil)})
}

// wholeTool is the language of a rule that matches all calls of a tool, or none.
func (p *Policy) wholeTool(r *rules.Rule, tool string) (l Language, done bool) {
	switch {
	case r.OfMCP():
		l.All = r.Governs(tool)
		return l, true
	case !r.SpeaksOf(tool):
		return l, true
	}
	l.All = r.Bare
	return l, r.Bare
}

// nameLanguage is what a rule matches among the names that a tool is called with: the
// type of an agent, a skill, the primary field of any other.
func (p *Policy) nameLanguage(r *rules.Rule, tool string) (l Language, why string) {
	if l, done := p.wholeTool(r, tool); done {
		return l, ""
	}
	var same func(rune) []rune
	if r.Strict() {
		same = caseless
	}
	readings := r.Readings()
	for i := range readings {
		own := &readings[i]
		globs := nameGlobs(own, r.Strict(), tool == "Skill")
		for n := range globs {
			l.Sure = append(l.Sure, globMachine(&globs[n], same))
		}
		if !r.Strict() {
			return l, ""
		}
		plain := nameGlobs(own, true, false)
		unnamed := plain[0].Match(grammar.Fold(rules.AnyAgent))
		if name, value, ok := grammar.FieldPattern(own.Pattern); ok {
			g := grammar.Compile(value)
			if main := rules.MainField(tool); name != main || name == "" || value == "" {
				l.addField(name, value)
			} else {
				l.Sure = append(l.Sure, globMachine(&g, nil))
				unnamed = unnamed || g.Match(rules.AnyAgent)
			}
		}
		if tool == "Agent" && unnamed {
			l.Maybe = append(l.Maybe, unnamedCall())
		}
	}
	return l, ""
}

// unnamedCall matches a call that does not say what the name is.
func unnamedCall() *automaton.Machine {
	return &automaton.Machine{
		Edges:  [][]automaton.Edge{{{Set: anyHole, To: 1}}, nil},
		Start:  []int{0},
		Accept: []bool{false, true},
	}
}

// nameTexts are the names there are, and as the mark Any the call that has none.
type nameTexts struct{ pools []string }

func newNameTexts() nameTexts { return nameTexts{poolsOf(nameTexts{}, 0)} }

// The states of nameTexts.
const (
	noName = iota
	someName
	omittedName
)

func (nameTexts) Next(state int, r automaton.Symbol) (int, bool) {
	if r == automaton.Any {
		return omittedName, state == noName
	}
	return someName, state != omittedName && r > 0 && r <= 0x10ffff
}

func (nameTexts) Accepts(state int) bool { return state != noName }

func (n nameTexts) Pools(state int) []string {
	if state == omittedName {
		return nil
	}
	return n.pools
}

func (nameTexts) Marks(state int) []automaton.Symbol {
	if state != noName {
		return nil
	}
	return []automaton.Symbol{automaton.Any}
}
