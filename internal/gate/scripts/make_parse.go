package scripts

import "strings"

// parse reads the lines of the file. What stands between conditional
// directives counts on both sides: rules are all kept, variables are unknown.
func (m *makefile) parse() {
	var open *makeRule // the rule whose recipe may follow
	conditional := 0
	for i := 0; i < len(m.lines); {
		at := i
		recipe := strings.HasPrefix(m.lines[i], "\t") && open != nil
		text := m.logical(&i, recipe)
		if recipe {
			open.recipe = append(open.recipe, recipeLine{text, at + 1})
			continue
		}
		text = strings.TrimSpace(uncomment(text))
		word, rest, _ := strings.Cut(text, " ")
		word, _, _ = strings.Cut(word, "\t")
		switch word {
		case "":
			continue
		case "ifeq", "ifneq", "ifdef", "ifndef":
			conditional++
			continue
		case "else":
			continue
		case "endif":
			conditional = max(conditional-1, 0)
			continue
		case "include", "-include", "sinclude", "vpath", "unexport", "load", "-load":
			continue
		case "undefine":
			m.set(strings.TrimSpace(rest), "", true)
			continue
		case "define":
			name, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			m.set(name, "", true)
			for i < len(m.lines) && strings.TrimSpace(m.lines[i]) != "endef" {
				i++
			}
			i++
			continue
		case "export", "override", "private":
			text = strings.TrimSpace(rest)
			if !strings.Contains(text, "=") {
				continue
			}
		}
		if open = nil; !m.assignment(text, conditional > 0) {
			open = m.rule(text, at+1)
		}
	}
}

// logical returns the line at i with those it is continued on and moves i
// behind them. In a recipe the shell reads the continuation itself.
func (m *makefile) logical(i *int, recipe bool) string {
	text := m.lines[*i]
	if recipe {
		text = text[1:]
	}
	var b strings.Builder
	for *i++; continued(text) && *i < len(m.lines); *i++ {
		if recipe {
			b.WriteString(text + "\n")
			text = strings.TrimPrefix(m.lines[*i], "\t")
		} else {
			b.WriteString(strings.TrimRight(text[:len(text)-1], " \t") + " ")
			text = strings.TrimLeft(m.lines[*i], " \t")
		}
	}
	b.WriteString(text)
	return b.String()
}

// continued reports whether a line ends in an odd number of backslashes.
func continued(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// uncomment cuts a line at the first # that no backslash escapes.
func uncomment(line string) string {
	for i := 0; i < len(line); i++ {
		if line[i] == '#' && (i == 0 || line[i-1] != '\\') {
			return line[:i]
		}
	}
	return line
}

// assignment reads NAME = value in its forms; false when the line is none.
func (m *makefile) assignment(text string, conditional bool) bool {
	eq := strings.IndexByte(text, '=')
	if eq <= 0 {
		return false
	}
	name := text[:eq]
	op := name[len(strings.TrimRight(name, ":?+!")):]
	name = strings.TrimSpace(name[:len(name)-len(op)])
	if name == "" || strings.ContainsAny(name, " \t:#=") {
		return false
	}
	if strings.ContainsAny(name, "$(){}") {
		return true // a computed name: some variable, no rule
	}
	value := strings.TrimLeft(text[eq+1:], " \t")
	m.set(name, value, conditional || op == "+" || op == "!")
	return true
}

// set notes a variable. One that is set twice is unknown: which value holds
// depends on where it is looked at.
func (m *makefile) set(name, value string, unknown bool) {
	v := m.find(name)
	switch {
	case v == nil && len(m.vars) >= maxNames:
		m.opaque = "it has too many variables"
		return
	case v == nil:
		m.vars = append(m.vars, makeVar{name: name, value: value, unknown: unknown})
		return
	case v.fixed:
		return
	}
	v.unknown = v.unknown || unknown || v.value != value
}

// rule reads targets : prerequisites ; recipe, nil when the line is none.
func (m *makefile) rule(text string, line int) *makeRule {
	colon := outside(text, ':')
	if colon < 0 {
		return nil // $(eval ...), $(info ...): nothing that is known
	}
	r := makeRule{line: line}
	head, rest := strings.TrimSuffix(text[:colon], "&"), strings.TrimPrefix(text[colon+1:], ":")
	inline := ""
	hasInline := false
	if semi := outside(rest, ';'); semi >= 0 {
		rest, inline, hasInline = rest[:semi], rest[semi+1:], true
	}
	eq := strings.IndexByte(rest, '=')
	if eq >= 0 && !strings.ContainsAny(rest[:eq], "$") { // a variable of the target alone
		fields := strings.Fields(strings.TrimRight(rest[:eq], ":?+!"))
		if len(fields) > 0 {
			m.set(fields[len(fields)-1], "", true)
		}
		return nil
	}
	if static := outside(rest, ':'); static >= 0 {
		r.why, rest = "it is a static pattern rule", rest[static+1:]
	}
	targets, ok := m.expand(head, nil, 0)
	needs, ok2 := m.expand(strings.ReplaceAll(rest, "|", " "), nil, 0)
	if !ok || !ok2 {
		return nil
	}
	r.targets, r.needs = strings.Fields(targets), strings.Fields(needs)
	if strings.Contains(targets, hole) {
		r.why = "its target name is computed by make"
	}
	if hasInline {
		r.recipe = append(r.recipe, recipeLine{strings.TrimLeft(inline, " \t"), line})
	}
	m.rules = append(m.rules, r)
	return &m.rules[len(m.rules)-1]
}

// outside returns the position of the first b that stands in no reference, -1
// when there is none. A colon of := is no separator.
func outside(text string, b byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '(' || text[i] == '{':
			depth++
		case text[i] == ')' || text[i] == '}':
			depth = max(depth-1, 0)
		case text[i] == b && depth == 0:
			return i
		}
	}
	return -1
}
