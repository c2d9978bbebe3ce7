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

// add adds what another rule matches but all calls.
func (l *Language) add(o Language) {
	l.Sure, l.Maybe, l.Fields = append(l.Sure, o.Sure...), append(l.Maybe, o.Maybe...), append(l.Fields, o.Fields...)
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
		l = p.commandLanguage(r, tool)
		for _, m := range slices.Concat(l.Sure, l.Maybe) {
			readPrograms(m, r.Strict())
		}
		return l, ""
	case kind == "Read" || kind == "Edit":
		return p.fileLanguage(r, tool)
	case kind == "WebFetch":
		return webLanguage(r)
	default:
		return nameLanguage(r, tool), ""
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
func ToolLanguage(r *rules.Rule) (l Language, some bool) {
	if !r.OfMCP() {
		l.Sure = append(l.Sure, patternMachine(r.Tool))
		for _, tool := range governed {
			if r.SpeaksOf(tool) {
				l.Sure = append(l.Sure, patternMachine(tool))
			}
		}
		return l, !r.Bare
	}
	server, globs := patternMachine("mcp__?*"), mcpGlobs(r)
	for i := range globs {
		m := globMachine(&globs[i], nil)
		if r.Tool == "MCP" {
			m = automaton.Intersect(m, server)
		}
		l.Sure = append(l.Sure, m)
	}
	if r.Tool == "MCP" && r.Bare {
		l.Sure = append(l.Sure, patternMachine("MCP"))
	}
	return l, false
}

// mcpGlobs are the patterns of the names that a rule about MCP tools matches.
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
func ToolUniverse() automaton.Universe { return toolTexts{poolsOf(toolTexts{}, 1)} }

type toolTexts struct{ pools []string }

func (toolTexts) Next(_ int, r automaton.Symbol) (int, bool) {
	return 1, r > 0 && (grammar.Alnum(r) || strings.ContainsRune("_-./", r))
}

func (toolTexts) Accepts(state int) bool       { return state == 1 }
func (t toolTexts) Pools(int) []string         { return t.pools }
func (toolTexts) Marks(int) []automaton.Symbol { return nil }

// commandLanguage is what a rule matches among the commands of one tool.
func (p *Policy) commandLanguage(r *rules.Rule, tool string) (l Language) {
	powershell := tool == "PowerShell"
	if l, done := wholeTool(r, tool); done {
		return l
	}
	if !r.Strict() {
		read := p.ReadCommand(r, powershell)
		g := read.Narrow()
		l.Sure = append(l.Sure, &sureOf(newHoleMachine(&g, powershell)).Machine)
		return l
	}
	for _, r := range r.Readings() {
		read := p.ReadCommand(&r, powershell)
		l.addWide(&read)
		name, value, ok := grammar.FieldPattern(r.Pattern)
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
	return l
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
	l.Fields = append(l.Fields, FieldLanguage{name, patternMachine(value)})
}

// wholeTool is the language of a rule that matches all calls of a tool, or none.
func wholeTool(r *rules.Rule, tool string) (l Language, done bool) {
	if !r.OfMCP() && !r.Bare && r.SpeaksOf(tool) {
		return Language{}, false
	}
	return Language{All: r.Governs(tool)}, true
}

// nameLanguage is what a rule matches among the names that a tool is called with: the
// type of an agent, a skill, the primary field of any other.
func nameLanguage(r *rules.Rule, tool string) (l Language) {
	if l, done := wholeTool(r, tool); done {
		return l
	}
	var same func(rune) []rune
	if r.Strict() {
		same = caseless
	}
	for _, own := range r.Readings() {
		globs := nameGlobs(&own, r.Strict(), tool == "Skill")
		for n := range globs {
			l.Sure = append(l.Sure, globMachine(&globs[n], same))
		}
		if !r.Strict() {
			return l
		}
		plain := nameGlobs(&own, true, false)
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
	return l
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
