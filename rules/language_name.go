package rules

import "github.com/permgate--owner/permgate/rules/automaton"

// nameLanguage is what a rule matches among the names that a tool is called with: the
// type of an agent, a skill, the primary field of any other.
func (p *Policy) nameLanguage(r *Rule, tool string) (l Language, why string) {
	if l, done := p.wholeTool(r, tool); done {
		return l, ""
	}
	var same func(rune) []rune
	if r.strict() {
		same = caseless
	}
	readings := r.readings()
	for i := range readings {
		own := &readings[i]
		globs := nameGlobs(own, r.strict(), tool == "Skill")
		for n := range globs {
			l.Sure = append(l.Sure, globMachine(&globs[n], same))
		}
		if !r.strict() {
			return l, ""
		}
		unnamed := matchName(own, anyAgent, 0)
		if name, value, ok := fieldPattern(own.Pattern); ok {
			g := compileGlob(value)
			if main := mainField(tool); name != main || name == "" || value == "" {
				l.addField(name, value)
			} else {
				l.Sure = append(l.Sure, globMachine(&g, nil))
				unnamed = unnamed || g.match(anyAgent)
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
