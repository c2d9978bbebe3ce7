package prove

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
)

// A literalFirst is texts of commands whose first word is known and not empty: all others
// are asked about whatever the rules say, and a rule that denies one denies a known one
// as well.
type literalFirst struct {
	automaton.Universe
	whole bool // all of its words are
}

// Where a text is: three bits below the state of its universe.
const (
	atStart = iota
	inFirst
	atQuote // after the first sign of all, which is a quote sign
	atEmpty // after one more
	inQuotes
	inEscape
	afterFirst
)

// placeAfter is where a text is after one more sign of its first word; false where that
// would be empty.
func placeAfter(at int, r automaton.Symbol) (next int, ok bool) {
	switch at {
	case atEmpty:
		return inEscape, r == '\\'
	case atQuote, inQuotes:
		return withinQuotes(at, r), true
	case inEscape:
		return inFirst, true
	}
	switch {
	case r == '\'' && at == atStart:
		return atQuote, true
	case r == '\'':
		return inQuotes, true
	case r == ' ' && at == inFirst:
		return afterFirst, true
	case r == '\\' && at == inFirst:
		return inEscape, true
	}
	return inFirst, true
}

func withinQuotes(at int, r automaton.Symbol) int {
	switch {
	case r != '\'':
		return inQuotes
	case at == atQuote:
		return atEmpty
	}
	return inFirst
}

// Next goes on from the place and the state.
func (u literalFirst) Next(state int, r automaton.Symbol) (int, bool) {
	at, ok := state&7, true
	if r < 0 && u.whole {
		return 0, false
	}
	if at != afterFirst {
		if at, ok = placeAfter(at, r); r < 0 || !ok {
			return 0, false
		}
	}
	next, ok := u.Universe.Next(state>>3, r)
	return next<<3 | at, ok
}

// Accepts is that of all texts, except for an empty word.
func (u literalFirst) Accepts(state int) bool {
	return state&7 != atEmpty && u.Universe.Accepts(state>>3)
}

// Pools are those of all texts.
func (u literalFirst) Pools(state int) []string { return u.Universe.Pools(state >> 3) }

// Marks returns nothing in the first word.
func (u literalFirst) Marks(state int) []automaton.Symbol {
	if state&7 != afterFirst || u.whole {
		return nil
	}
	return u.Universe.Marks(state >> 3)
}

// An unmarked is texts that are wholly known: of calls that are no shell texts.
type unmarked struct{ automaton.Universe }

// Next goes on with what is known.
func (u unmarked) Next(state int, r automaton.Symbol) (int, bool) {
	if r < 0 {
		return 0, false
	}
	return u.Universe.Next(state, r)
}

// Marks returns nothing.
func (unmarked) Marks(int) []automaton.Symbol { return nil }

// A prefixed is texts that begin alike and go on.
type prefixed struct {
	automaton.Universe
	prefix string
}

// Next goes on in the prefix, or after it. States are those of the universe, and below
// them how much of the prefix was read.
func (u prefixed) Next(state int, r automaton.Symbol) (int, bool) {
	n := state & 15
	if n < len(u.prefix) && r != rune(u.prefix[n]) {
		return 0, false
	}
	next, ok := u.Universe.Next(state>>4, r)
	return next<<4 | min(n+1, len(u.prefix)+1), ok
}

// Accepts is that of all texts that have the prefix.
func (u prefixed) Accepts(state int) bool {
	return state&15 > len(u.prefix) && u.Universe.Accepts(state>>4)
}

// Pools are those of all texts, once there is the prefix.
func (u prefixed) Pools(state int) []string {
	if n := state & 15; n < len(u.prefix) {
		return []string{u.prefix[n : n+1]}
	}
	return u.Universe.Pools(state >> 4)
}

// Marks are those of all texts.
func (u prefixed) Marks(state int) []automaton.Symbol { return u.Universe.Marks(state >> 4) }

// universe is the texts that calls of a group can be.
func (p *prover) universe(g *group) automaton.Universe {
	langs := p.sides[0].langs
	switch tool := g.tool(); {
	case tool == anyMCP:
		return prefixed{algebra.ToolUniverse(), "mcp__"}
	case tool == anyOther:
		return algebra.ToolUniverse()
	case kindOf(tool) == commands:
		return literalFirst{langs.Universe(tool), p.job.literal}
	case kindOf(tool) == files:
		return unmarked{langs.Universe(tool)}
	default:
		return langs.Universe(tool)
	}
}

// maxCarriers is how many commands that are allowed are tried with what they could do
// besides.
const maxCarriers = 8

// carriers are commands that the first side lets run: each may write any file by a
// redirect, and run by a program like timeout.
func (p *prover) carriers() []string {
	if p.carried != nil {
		return p.carried
	}
	p.carried = []string{}
	add := func(text string) {
		a, ok := p.told(p.sides[0], p.sides[0].policy, p.shell(), text)
		runs := a.told == allow || a.told == silence && p.job.Claim != Never
		if ok && runs && len(p.carried) < maxCarriers {
			p.carried = append(p.carried, text)
		}
	}
	for _, text := range samples("Bash", "") {
		add(text)
	}
	for _, list := range p.sides[0].sample.Facts().GrantLists() {
		for i := range list {
			if len(p.carried) < maxCarriers && list[i].Governs(p.shell()) {
				for _, text := range p.shortest(&list[i]) {
					add(text)
				}
			}
		}
	}
	return p.carried
}

// shortest are the shortest commands that an allow rule matches, and some that go on.
func (p *prover) shortest(r *rules.Rule) []string {
	text := p.oneOf(r, p.shell())
	switch text {
	case "":
		return nil
	case "xyzzy":
		return []string{text}
	}
	return []string{text, text + " a"}
}

// oneOf is the shortest text that a rule matches among the calls of a tool, and "xyzzy"
// where it matches any. "" is returned for none.
func (p *prover) oneOf(r *rules.Rule, tool string) (text string) {
	l, why := p.sides[0].langs.LanguageOf(r, tool)
	if why != "" || l.All {
		return "xyzzy"
	}
	u := p.sides[0].langs.Universe(tool)
	s := &automaton.Search{Universe: unmarked{u}, Budget: p.budget(), Wanted: func(l automaton.Lists) bool { return l != 0 }}
	if kindOf(tool) == commands {
		s.Universe = literalFirst{u, true}
	}
	for _, m := range l.Sure {
		s.Patterns = append(s.Patterns, automaton.Pattern{Machine: m, Lists: 1})
	}
	s.Run(func(f automaton.Found) bool {
		text = written(f.Text)
		return false
	})
	return text
}

// wrapped tries commands that other commands run: a rule on timeout is about the whole,
// an allow rule about what timeout runs.
func (h *hunt) wrapped() {
	r := h.r.entry.any()
	first, _, _ := strings.Cut(strings.TrimSpace(r.Pattern), " ")
	first = path.Base(strings.TrimSuffix(first, ":*"))
	own := false
	for _, w := range [...]string{"timeout 1", "timeout 5", "timeout 10", "gtimeout 1", "gtimeout 5", "time", "gtime",
		"nice", "nice -n 10", "gnice", "nohup", "stdbuf -o0", "stdbuf -oL", "gstdbuf -o0"} {
		program, _, _ := strings.Cut(w, " ")
		if own = own || first == program; first != program && !strings.ContainsAny(first, "*?") {
			continue
		}
		for _, text := range h.p.carriers() {
			if h.tryCall(trialOf(h.p.shell(), w+" "+text), true) {
				return
			}
		}
	}
	if own && strings.ContainsAny(r.Pattern, "*?") && len(h.p.carriers()) > 0 {
		h.texts = append(h.texts, first)
	}
}

// usual are the tools whose calls are looked at whatever the rules say.
var usual = [...]string{"Bash", "Monitor", "PowerShell", "Read", "Grep", "Glob", "LS", "LSP", "NotebookRead",
	"Edit", "Write", "NotebookEdit", "WebFetch", "WebSearch", "Agent", "Skill", anyMCP, anyOther}

// Tools that include many: their texts are the names of the tools.
const (
	anyMCP   = "mcp__*"
	anyOther = "*" // that nothing is known of
)

// apart are tools that modes and hosts treat in a way of their own: rules on every tool are about them too.
var apart = [...]string{"AskUserQuestion", "ExitPlanMode", "TodoWrite", "TaskList"}

func shownTool(tool string) string {
	switch tool {
	case anyMCP:
		return "MCP tools"
	case anyOther:
		return "other tools"
	}
	return tool
}

// toolsOf are the tools whose calls are looked at.
func (b *book) toolsOf(only string) []string {
	if only != "" {
		return []string{rules.CanonicalTool(only)}
	}
	out := slices.Clone(usual[:])
	for _, e := range b.entries {
		r := e.any()
		if r.Tool == "*" && !slices.Contains(out, apart[0]) {
			out = append(out, apart[:]...)
		}
		if strings.ContainsAny(r.Tool, "*?") || r.Tool == "MCP" || byName(r) || slices.Contains(out, r.Tool) {
			continue
		}
		out = append(out, r.Tool)
	}
	return out
}

// byName reports whether a rule speaks of MCP tools by their names alone.
func byName(r *rules.Rule) bool { return byServer(r) && r.Pattern == "" }

func byServer(r *rules.Rule) bool { return strings.HasPrefix(r.Tool, "mcp__") }

// any is the rule of either side.
func (e *entry) any() *rules.Rule {
	if e.rule[0] != nil {
		return e.rule[0]
	}
	return e.rule[1]
}

// governs reports whether a rule speaks of calls of a tool, or of some that a name
// means.
func (e *entry) governs(tool string) bool {
	r := e.any()
	wild := strings.ContainsAny(r.Tool, "*?")
	switch tool {
	case anyMCP:
		return r.Tool == "MCP" || strings.HasPrefix(r.Tool, "mcp__") || wild
	case anyOther:
		return wild && !strings.HasPrefix(r.Tool, "mcp__")
	}
	if byServer(r) && r.Pattern != "" { // it is about some calls of the tools that it names
		own := *r
		own.Pattern = ""
		r = &own
	}
	return r.Governs(tool) || r.URL != nil && tool == "WebFetch"
}

// A kind is what texts of calls are.
type kind uint8

const (
	commands kind = iota
	files
	addresses
	names     // of agents, skills, what else a tool is called on
	toolNames // of tools
)

func kindOf(tool string) kind {
	switch tool {
	case "Bash", "Monitor", "PowerShell":
		return commands
	case "Read", "Grep", "Glob", "LS", "LSP", "NotebookRead", "Edit", "Write", "NotebookEdit":
		return files
	case "WebFetch":
		return addresses
	case anyMCP, anyOther:
		return toolNames
	}
	return names
}

// samples are texts of calls that no rule is about, of every sort that modes and
// switches tell apart, in a folder.
func samples(tool, folder string) []string {
	switch kindOf(tool) {
	case commands:
		if tool == "PowerShell" {
			return []string{"Xyzzy-Plugh", "Get-ChildItem", "Get-Content xyzzy", "Get-Date"}
		}
		return []string{"xyzzy", "ls", "cat xyzzy", "git status", "mkdir xyzzy", "touch xyzzy", "make", "go test ./...", "npm test",
			"curl https://xyzzy.example/", "pwd"}
	case files:
		if rules.EditTool(tool) {
			return []string{folder + "/xyzzy"}
		}
		return []string{folder + "/xyzzy", "/xyzzy/plugh"}
	case addresses:
		return []string{"https://xyzzy.example/"}
	case toolNames:
		if tool == anyMCP {
			return []string{"mcp__xyzzy__plugh"}
		}
		return []string{"Xyzzy"}
	}
	return []string{"xyzzy"}
}
