package scripts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A makefile is what can be told of a Makefile (GNU make manual, chapters 3 to 8).
type makefile struct {
	walk
	rules  []makeRule
	vars   []variable
	scoped []scopedVariable
	goal   string // .DEFAULT_GOAL
	bash   bool   // SHELL is
	one    bool   // .ONESHELL: a shell reads the whole recipe
	prefix string // of the lines of a recipe
	opaque string // why no recipe of the file can be read
	eval   int    // levels of $(eval) and of files that are included
	ref    *bashsafety.ScriptRef
	place  // what is expanded
}

// A place is what is expanded: a line of a recipe, in the pick-th of the ways in which variables may be set.
type place struct {
	target string
	line   int
	pick   int
	ways   int
}

type makeRule struct {
	targets, needs []string
	recipe         []recipeLine
	line           int
	pattern        string // of a static pattern rule
}

// A recipeLine is one line of a recipe, continued ones joined.
type recipeLine struct {
	text string
	line int
}

// A scopedVariable is set for some targets and what they need.
type scopedVariable struct {
	targets []string
	variable
}

// readMakefile returns the recipes of the named targets and of what they need.
func readMakefile(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	m := &makefile{walk: walk{f: f}, prefix: "\t", ref: ref}
	f.dir = ref.Dir
	m.command(ref.Vars)
	m.parse(strings.Split(strings.ReplaceAll(string(f.data), "\r\n", "\n"), "\n"), 1)
	m.settings()
	goals := ref.Names
	if len(goals) == 0 {
		goals = m.defaultGoal()
	}
	for _, g := range goals {
		m.build(g, nil, true)
	}
	return m.out
}

// command takes the NAME=value words of the command line, which win over the file.
func (m *makefile) command(words []string) {
	for _, w := range words {
		left, value, _ := strings.Cut(w, "=")
		name := strings.TrimRight(left, ":+?!")
		m.set(name, value, strings.TrimLeft(left[len(name):], ":?"), false)
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
	if v := m.find(".DEFAULT_GOAL"); v != nil && !v.unknown {
		m.goal = strings.TrimSpace(v.value)
	}
	m.one = slices.ContainsFunc(m.rules, func(r makeRule) bool { return slices.Contains(r.targets, ".ONESHELL") })
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

// A match is a rule that makes a target, with what % stands for.
type match struct {
	*makeRule
	stem  string
	guess bool // another rule may be the one
}

// matches are the rules of a target: its own, else those of a pattern, and for what is asked for the default.
func (m *makefile) matches(name string, goal bool) (found []match) {
	recipe := false
	for i := range m.rules {
		if r := &m.rules[i]; slices.Contains(r.targets, name) {
			stem, _ := stemOf(r.pattern, name)
			found = append(found, match{r, stem, false})
			recipe = recipe || len(r.recipe) > 0
		}
	}
	for i := range m.rules {
		r := &m.rules[i]
		for _, t := range r.targets {
			stem, ok := stemOf(t, name)
			ok = ok && (goal || t != "%") || strings.Contains(t, hole) // which make computes
			if ok && !recipe {
				found = append(found, match{r, stem, true})
			}
		}
	}
	for i := range m.rules {
		if r := &m.rules[i]; goal && len(found) == 0 && slices.Contains(r.targets, ".DEFAULT") {
			found = append(found, match{r, "", false})
		}
	}
	return found
}

// stemOf returns what % of a pattern stands for in a name.
func stemOf(pattern, name string) (string, bool) {
	head, tail, ok := strings.Cut(pattern, "%")
	if !ok || len(name) < len(head)+len(tail) || !strings.HasPrefix(name, head) || !strings.HasSuffix(name, tail) {
		return "", false
	}
	return name[len(head) : len(name)-len(tail)], true
}

// build adds the recipes of a target and of what it needs.
func (m *makefile) build(name string, inherited []variable, goal bool) {
	if !m.first(name) {
		return
	}
	own := slices.Clip(inherited)
	for i := range m.scoped {
		s := &m.scoped[i]
		fits := func(t string) bool { _, ok := stemOf(t, name); return ok || t == name }
		if slices.ContainsFunc(s.targets, fits) {
			own = slices.Insert(own, 0, s.variable)
		}
	}
	found := m.matches(name, goal)
	var needs []string
	for _, r := range found {
		for _, n := range r.needs {
			needs = append(needs, strings.Replace(n, "%", r.stem, 1))
		}
	}
	for _, n := range needs {
		m.build(n, own, false)
	}
	first := ""
	if len(needs) > 0 {
		first = needs[0]
	}
	all := strings.Join(needs, " ")
	own = append(own, variable{name: "@", value: name}, variable{name: "<", value: first, unknown: first == ""},
		variable{name: "^", value: all}, variable{name: "+", value: all})
	for _, r := range found {
		m.recipe(name, r, append(slices.Clip(own), variable{name: "*", value: r.stem, unknown: r.stem == ""}))
	}
}

// maxEval bounds $(eval) and include in one another.
const maxEval = 3

// maxWays is in how many ways variables are filled in that may be set in several.
const maxWays = 4

func (m *makefile) recipe(name string, r match, auto []variable) {
	if m.opaque != "" {
		m.add(m.f.skip(name, r.line, m.opaque))
		return
	}
	for _, l := range m.lines(r.recipe) {
		m.place = place{target: name, line: l.line}
		for m.pick = 0; m.pick <= min(m.ways, maxWays) && len(m.out) <= maxTexts; m.pick++ {
			m.recipeLine(l, r.guess || m.pick > 0, auto)
		}
	}
}

// lines are those of a recipe that a shell gets each.
func (m *makefile) lines(recipe []recipeLine) []recipeLine {
	if !m.one || len(recipe) < 2 {
		return recipe
	}
	var all []string
	for _, l := range recipe {
		all = append(all, strings.TrimLeft(l.text, " \t@-+"))
	}
	return []recipeLine{{strings.Join(all, "\n"), recipe[0].line}}
}

func (m *makefile) recipeLine(l recipeLine, guess bool, auto []variable) {
	text, ok := m.expand(l.text, auto, 0)
	if !ok {
		m.add(m.f.skip(m.target, l.line, "its variables are too long or refer to themselves"))
		return
	}
	text = strings.TrimLeft(text, " \t@-+")
	if guess {
		m.guess(text)
	} else if text != "" {
		t := m.f.settle(m.target, l.line, text)
		t.Bash = m.bash
		m.add(t)
	}
}

// guess adds what may be run: by $(shell), or where variables have the value of another place.
func (m *makefile) guess(text string) {
	same := func(t bashsafety.ScriptText) bool { return t.Text == text }
	if text = strings.TrimSpace(text); text == "" || commandOpen(text) || slices.ContainsFunc(m.out, same) {
		return
	}
	t := m.f.text(m.target, m.line, text)
	t.Name, t.Bash, t.Guess = strings.TrimSpace(t.Name), m.bash, true
	m.add(t)
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

// parse reads lines of the file, of which the first has a number. What is between conditional directives counts on both
// sides: rules are all kept, variables have several values.
func (m *makefile) parse(lines []string, number int) {
	var open *makeRule // the rule whose recipe may follow
	conditional := 0
	for i := 0; i < len(lines); {
		m.line = i + number
		recipe := strings.HasPrefix(lines[i], m.prefix) && open != nil
		text := m.logical(lines, &i, recipe)
		if recipe {
			open.recipe = append(open.recipe, recipeLine{text, m.line})
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
		case "include", "-include", "sinclude":
			m.include(rest)
			continue
		case "vpath", "unexport", "load", "-load":
			continue
		case "undefine":
			m.set(strings.TrimSpace(rest), "", "", true)
			continue
		case "define":
			from := i
			for i < len(lines) && strings.TrimSpace(lines[i]) != "endef" {
				i++
			}
			name, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			m.set(name, strings.Join(lines[from:i], "\n"), "", conditional > 0)
			i++
			continue
		case "export", "override", "private":
			text = strings.TrimSpace(rest)
			if !strings.Contains(text, "=") {
				continue
			}
		}
		if open = nil; !m.assignment(text, conditional > 0) {
			open = m.rule(text, m.line)
		}
	}
}

// logical returns the line at i with its continuations, which a recipe's shell reads, and moves i.
func (m *makefile) logical(lines []string, i *int, recipe bool) string {
	text := lines[*i]
	if recipe {
		text = text[1:]
	}
	var b strings.Builder
	for *i++; continued(text) && *i < len(lines); *i++ {
		if recipe {
			b.WriteString(text + "\n")
			text = strings.TrimPrefix(lines[*i], m.prefix)
		} else {
			b.WriteString(strings.TrimRight(text[:len(text)-1], " \t") + " ")
			text = strings.TrimLeft(lines[*i], " \t")
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
	switch {
	case name == ".RECIPEPREFIX":
		if value, _ = m.expand(value, nil, 0); strings.HasPrefix(value, hole) {
			m.opaque = ".RECIPEPREFIX is computed by make"
		}
		m.prefix = (value + "\t")[:1]
	case op == "!":
		m.call("shell", value, nil, 0)
	case strings.HasPrefix(op, ":"):
		m.expand(value, nil, 0)
	}
	m.set(name, value, op, conditional)
	return true
}

// set notes a variable. What is set twice, or under a condition, has several values.
func (m *makefile) set(name, value, op string, conditional bool) {
	v := m.find(name)
	unknown := conditional || op == "!"
	if op == "+" {
		unknown = unknown || v == nil || v.unknown
	}
	switch {
	case v == nil && len(m.vars) >= maxNames:
		m.opaque = "it has too many variables"
		return
	case v == nil:
		v = &variable{name: name, value: value, unknown: unknown}
		if op != "!" {
			v.others = []string{value}
		}
		m.vars = append(m.vars, *v)
		return
	case v.fixed:
		return
	case op == "+":
		value = v.value + " " + value
	case v.value != value:
		unknown = true
	}
	if v.unknown = v.unknown || unknown; len(v.others) < maxWays {
		v.others = append(v.others, value)
	}
	v.value = value
}

// rule reads targets : prerequisites ; recipe, nil for any other line.
func (m *makefile) rule(text string, line int) *makeRule {
	colon := outside(text, ':')
	if colon < 0 {
		made, ok := m.expand(text, nil, 0) // $(eval ...), $(info $(shell ...))
		m.computed(!ok || strings.Contains(made, hole))
		return nil
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
		m.scope(head, rest[:eq], strings.TrimSpace(rest[eq+1:]+inlineTail(hasInline, inline)))
		return nil
	}
	if static := outside(rest, ':'); static >= 0 {
		r.pattern, rest = strings.TrimSpace(rest[:static]), rest[static+1:]
	}
	targets, ok := m.expand(head, nil, 0)
	needs, ok2 := m.expand(strings.ReplaceAll(rest, "|", " "), nil, 0)
	if m.computed(!ok || !ok2); !ok || !ok2 {
		return nil
	}
	r.targets, r.needs = strings.Fields(targets), strings.Fields(needs)
	if hasInline {
		r.recipe = append(r.recipe, recipeLine{strings.TrimLeft(inline, " \t"), line})
	}
	m.rules = append(m.rules, r)
	return &m.rules[len(m.rules)-1]
}

// computed notes a line that may be any, where it is one.
func (m *makefile) computed(unclear bool) {
	if unclear {
		t := m.f.skip("", m.line, "make computes a line of it")
		t.Name = strings.TrimSpace(t.Name)
		m.add(t)
	}
}

// include reads the files that a line names, as far as they are known.
func (m *makefile) include(text string) {
	names, ok := m.expand(text, nil, 0)
	m.computed(!ok || strings.Contains(names, hole))
	for name := range strings.FieldsSeq(names) {
		if !path.IsAbs(name) {
			name = path.Join(m.f.dir, name)
		}
		if m.ref.Written != nil {
			for _, w := range m.ref.Written(name) {
				m.nested(w.Text)
			}
		}
		data, _ := m.f.finder.read(name)
		m.nested(string(data))
	}
}

// nested reads lines that are made, or are in another file, as if they were here.
func (m *makefile) nested(text string) {
	if m.computed(m.eval >= maxEval); m.eval < maxEval {
		m.eval++
		m.parse(strings.Split(text, "\n"), m.line)
		m.eval--
	}
}

// inlineTail is what a semicolon cut off.
func inlineTail(cut bool, tail string) string {
	if cut {
		return ";" + tail
	}
	return ""
}

// scope notes a variable of some targets: TARGETS: [private] NAME = VALUE.
func (m *makefile) scope(targets, left, value string) {
	name := strings.TrimRight(left, ":?+!")
	fields := strings.Fields(name)
	names, ok := m.expand(targets, nil, 0)
	if len(fields) == 0 || !ok || len(m.scoped) >= maxNames {
		return
	}
	v := variable{name: fields[len(fields)-1], value: value, others: []string{value}, unknown: strings.HasSuffix(left, "+")}
	m.scoped = append(m.scoped, scopedVariable{strings.Fields(names), v})
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
