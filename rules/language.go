package rules

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/automaton"
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
func (p *Policy) LanguageOf(r *Rule, tool string) (l Language, why string) {
	switch kind := r.kind(tool); {
	case commandTool(kind):
		l, why = p.commandLanguage(r, tool)
		for _, m := range slices.Concat(l.Sure, l.Maybe) {
			readPrograms(m, r.strict())
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
	switch kind := (&Rule{}).kind(tool); {
	case commandTool(kind):
		return newCommandTexts()
	case kind == "Read" || kind == "Edit":
		return pathTexts{p.OS == Windows, p.letters}
	case kind == "WebFetch":
		return urlTexts{}
	default:
		return newNameTexts()
	}
}

// ToolLanguage is the tools that a rule speaks about, by name, see ToolUniverse. some
// says that it speaks of some calls of theirs only, see LanguageOf.
func (p *Policy) ToolLanguage(r *Rule) (l Language, some bool) {
	begins := compileGlob("mcp__?*")
	server := globMachine(&begins, nil)
	add := func(g glob) *automaton.Machine {
		m := globMachine(&g, nil)
		l.Sure = append(l.Sure, m)
		return m
	}
	if mcpRule(r) {
		globs := mcpGlobs(r)
		for i := range globs {
			if m := add(globs[i]); r.Tool == "MCP" {
				*m = *automaton.Intersect(m, server)
			}
		}
		if r.Tool == "MCP" && r.Bare {
			add(compileGlob("MCP"))
		}
	} else {
		add(compileGlob(r.Tool))
		for _, tool := range governed {
			if r.governs(tool) {
				add(compileGlob(tool))
			}
		}
	}
	return l, !r.Bare && !mcpRule(r)
}

// mcpGlobs are the patterns of tool names that matchMCP compares with.
func mcpGlobs(r *Rule) []glob {
	if r.Bare && r.Tool == "MCP" {
		return []glob{compileGlob("*")}
	}
	var out []glob
	for _, pattern := range mcpNames(r) {
		g := compileGlob(pattern)
		out = append(out, g)
		if len(pattern) > len("mcp__") && !strings.Contains(pattern[5:], "__") && g.plain() {
			out = append(out, compileGlob(pattern+"__*"))
		}
	}
	return out
}

// ToolUniverse is the names of tools.
func (p *Policy) ToolUniverse() automaton.Universe { return toolTexts{poolsOf(toolTexts{}, 1)} }

type toolTexts struct{ pools []string }

func (toolTexts) Next(_ int, r automaton.Symbol) (int, bool) {
	return 1, r > 0 && (alnum(r) || strings.ContainsRune("_-./", r))
}

func (toolTexts) Accepts(state int) bool       { return state == 1 }
func (t toolTexts) Pools(int) []string         { return t.pools }
func (toolTexts) Marks(int) []automaton.Symbol { return nil }
