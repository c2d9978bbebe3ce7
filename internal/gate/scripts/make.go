package scripts

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A makefile is what is plain in a Makefile. Grammar: the GNU make manual,
// chapters 3 to 6.
type makefile struct {
	f      *file
	lines  []string
	rules  []makeRule
	vars   []makeVar
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

type makeVar struct {
	name, value string
	unknown     bool
	fixed       bool // the command line says so
}

// readMakefile returns the recipes of the named targets and of what they need.
func readMakefile(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	m := &makefile{f: f, lines: strings.Split(strings.ReplaceAll(string(f.data), "\r\n", "\n"), "\n")}
	f.dir = ref.Dir
	m.command(ref.Vars)
	m.parse()
	m.settings()
	goals := ref.Names
	if len(goals) == 0 {
		goals = m.defaultGoal()
	}
	b := &makeBuild{makefile: m}
	for _, g := range goals {
		b.target(g)
	}
	return b.out
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
	for i := range m.rules {
		for _, t := range m.rules[i].targets {
			if t == ".ONESHELL" {
				m.opaque = ".ONESHELL is set"
			}
		}
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

// A makeBuild follows targets through what they need.
type makeBuild struct {
	*makefile
	seen []string
	out  []bashsafety.ScriptText
}

func (b *makeBuild) target(name string) {
	if len(b.seen) >= maxScripts || slices.Contains(b.seen, name) {
		return
	}
	b.seen = append(b.seen, name)
	var needs []string
	for i := range b.rules {
		if slices.Contains(b.rules[i].targets, name) {
			needs = append(needs, b.rules[i].needs...)
		}
	}
	for _, n := range needs {
		if len(b.seen) < maxScripts {
			b.target(n)
		}
	}
	first := ""
	if len(needs) > 0 {
		first = needs[0]
	}
	all := strings.Join(needs, " ")
	auto := []makeVar{{name: "@", value: name}, {name: "<", value: first, unknown: first == ""}, {name: "^", value: all}, {name: "+", value: all}}
	for i := range b.rules {
		if r := &b.rules[i]; slices.Contains(r.targets, name) {
			b.recipe(name, r, auto)
		}
	}
}

func (b *makeBuild) recipe(target string, r *makeRule, auto []makeVar) {
	name := title("make", target)
	why := r.why
	if b.opaque != "" {
		why = b.opaque
	}
	if why != "" {
		b.out = append(b.out, b.f.skip(name, r.line, why))
		return
	}
	for _, l := range r.recipe {
		if len(b.out) > maxTexts {
			return
		}
		text, ok := b.expand(l.text, auto, 0)
		if !ok {
			b.out = append(b.out, b.f.skip(name, l.line, "its variables are too long or refer to themselves"))
			continue
		}
		if text = strings.TrimLeft(text, " \t@-+"); text == "" {
			continue
		}
		t := b.f.settle(name, l.line, text)
		t.Bash = b.bash
		b.out = append(b.out, t)
	}
}
