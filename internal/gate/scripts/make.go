package scripts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A makefile is what is plain in a Makefile (GNU make manual, chapters 3 to 6).
type makefile struct {
	walk
	lines  []string
	rules  []makeRule
	vars   []variable
	goal   string // .DEFAULT_GOAL
	bash   bool   // SHELL is
	opaque string // why no recipe of the file can be read
}

type makeRule struct {
	targets, needs []string
	recipe         []recipeLine
	line           int
	why            string // why the recipe is not plain
}

// A recipeLine is one line of a recipe, continued ones joined.
type recipeLine struct {
	text string
	line int
}

// readMakefile returns the recipes of the named targets and of what they need.
func readMakefile(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	m := &makefile{walk: walk{f: f}, lines: strings.Split(strings.ReplaceAll(string(f.data), "\r\n", "\n"), "\n")}
	f.dir = ref.Dir
	m.command(ref.Vars)
	m.parse()
	m.settings()
	goals := ref.Names
	if len(goals) == 0 {
		goals = m.defaultGoal()
	}
	for _, g := range goals {
		m.target(g)
	}
	return m.out
}

// command takes the NAME=value words of the command line, which win over the file.
func (m *makefile) command(words []string) {
	for _, w := range words {
		left, value, _ := strings.Cut(w, "=")
		name := strings.TrimRight(left, ":+?!")
		m.set(name, value, strings.HasSuffix(left, "+") || strings.HasSuffix(left, "!"))
		m.find(name).fixed = true
	}
}

// settings takes in the variables that change how recipes are run.
func (m *makefile) settings() {
	if v := m.find("SHELL"); v != nil {
		shell, ok := m.expand("$(SHELL)", nil, 0)
		known := false
		if m.bash, known = shellOf(shell); !ok || !known {
			m.opaque = "SHELL is an unknown shell"
		}
	}
	if v := m.find(".SHELLFLAGS"); v != nil {
		flags := strings.Fields(v.value)
		for i, w := range flags {
			if v.unknown || strings.Trim(w, "-euxvlco") != "" && (i == 0 || !strings.HasSuffix(flags[i-1], "o")) {
				m.opaque = ".SHELLFLAGS is not plain"
			}
		}
	}
	if v := m.find(".RECIPEPREFIX"); v != nil {
		m.opaque = ".RECIPEPREFIX is set"
	}
	if v := m.find(".DEFAULT_GOAL"); v != nil && !v.unknown {
		m.goal = strings.TrimSpace(v.value)
	}
	if slices.ContainsFunc(m.rules, func(r makeRule) bool { return slices.Contains(r.targets, ".ONESHELL") }) {
		m.opaque = ".ONESHELL is set"
	}
}

// defaultGoal is the first target that is one.
func (m *makefile) defaultGoal() []string {
	if m.goal != "" {
		return []string{m.goal}
	}
	for i := range m.rules {
		for _, t := range m.rules[i].targets {
			if t != "" && (t[0] != '.' || strings.Contains(t, "/")) && !strings.Contains(t, "%") {
				return []string{t}
			}
		}
	}
	return nil
}

// target adds the recipes of a target and of what it needs.
func (m *makefile) target(name string) {
	if !m.first(name) {
		return
	}
	var needs []string
	for i := range m.rules {
		if slices.Contains(m.rules[i].targets, name) {
			needs = append(needs, m.rules[i].needs...)
		}
	}
	for _, n := range needs {
		m.target(n)
	}
	first := ""
	if len(needs) > 0 {
		first = needs[0]
	}
	all := strings.Join(needs, " ")
	auto := []variable{{name: "@", value: name}, {name: "<", value: first, unknown: first == ""}, {name: "^", value: all}, {name: "+", value: all}}
	for i := range m.rules {
		if r := &m.rules[i]; slices.Contains(r.targets, name) {
			m.recipe(name, r, auto)
		}
	}
}

func (m *makefile) recipe(name string, r *makeRule, auto []variable) {
	if why := cmp.Or(m.opaque, r.why); why != "" {
		m.add(m.f.skip(name, r.line, why))
		return
	}
	for _, l := range r.recipe {
		if len(m.out) > maxTexts {
			return
		}
		text, ok := m.expand(l.text, auto, 0)
		if !ok {
			m.add(m.f.skip(name, l.line, "its variables are too long or refer to themselves"))
			continue
		}
		if text = strings.TrimLeft(text, " \t@-+"); text == "" {
			continue
		}
		t := m.f.settle(name, l.line, text)
		t.Bash = m.bash
		m.add(t)
	}
}

const maxDepth = 16 // variables inside variables

func (m *makefile) find(name string) *variable {
	for i := range m.vars {
		if m.vars[i].name == name {
			return &m.vars[i]
		}
	}
	return nil
}

// expand replaces references by literal variables or holes. It is false when that does not end.
func (m *makefile) expand(text string, auto []variable, depth int) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '$')
		if k < 0 || i+k+1 >= len(text) {
			b.WriteString(text[i:])
			break
		}
		b.WriteString(text[i : i+k])
		i += k + 1
		if text[i] == '$' {
			b.WriteByte('$')
			i++
			continue
		}
		name := text[i : i+1]
		i++
		if name == "(" || name == "{" {
			end := closing(text, i-1)
			if end < 0 {
				return "", false
			}
			name, i = text[i:end], end+1
		}
		value, ok := m.value(name, auto, depth)
		if !ok || !m.f.spend(value) {
			return "", false
		}
		if b.WriteString(value); b.Len() > bashsafety.MaxBytes {
			return "", false
		}
	}
	return b.String(), true
}

// value is what one reference expands to.
func (m *makefile) value(name string, auto []variable, depth int) (string, bool) {
	for i := range auto {
		if auto[i].name == name && !auto[i].unknown {
			return auto[i].value, true
		}
	}
	if strings.ContainsAny(name, " \t$(){}:,@<^+?*%|") {
		return hole, true // a function, a substitution, an automatic variable
	}
	if v := m.find(name); v != nil {
		if v.unknown {
			return hole, true
		}
		if depth >= maxDepth {
			return "", false
		}
		return m.expand(v.value, nil, depth+1)
	}
	switch name {
	case "MAKE":
		return "make", true
	case "CURDIR":
		return m.f.dir, true
	case "RM":
		return "rm -f", true
	case "CC":
		return "cc", true
	case "CXX":
		return "g++", true
	case "AR":
		return "ar", true
	case "SHELL":
		return "/bin/sh", true
	case "HOME":
		return "${HOME}", true
	}
	return hole, true // from the environment, or empty
}

// closing returns the position of the bracket that ends the one at, -1 when none does.
func closing(text string, at int) int {
	open, end := text[at], byte(')')
	if open == '{' {
		end = '}'
	}
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// parse reads the lines of the file. What is between conditional
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

// logical returns the line at i with its continuations, which a recipe's shell reads, and moves i.
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

// assignment reads NAME = value in its forms; false for any other line.
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

// set notes a variable. One that is set twice is unknown: its value depends on the place.
func (m *makefile) set(name, value string, unknown bool) {
	v := m.find(name)
	switch {
	case v == nil && len(m.vars) >= maxNames:
		m.opaque = "it has too many variables"
		return
	case v == nil:
		m.vars = append(m.vars, variable{name: name, value: value, unknown: unknown})
		return
	case v.fixed:
		return
	}
	v.unknown = v.unknown || unknown || v.value != value
}

// rule reads targets : prerequisites ; recipe, nil for any other line.
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

// outside returns where the first b is outside references, not the colon of :=, or -1.
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
