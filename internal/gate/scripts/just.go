package scripts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A justfile is what is plain in one. Grammar: just's GRAMMAR.md and its manual.
type justfile struct {
	f       *file
	recipes []justRecipe
	vars    []justVar // assignments; an alias is one too
	aliases []justVar
	bash    bool
	opaque  string // why no recipe of the file can be read
}

type justVar struct {
	name, value string
	unknown     bool
}

type justRecipe struct {
	name   string
	params []string
	needs  []string
	lines  []recipeLine
	line   int
	first  bool // [default]
	noCd   bool
	why    string
}

func readJustfile(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	if ref.File != "" {
		f.dir = ref.Dir
	}
	j := &justfile{f: f}
	lines := strings.Split(strings.ReplaceAll(string(f.data), "\r\n", "\n"), "\n")
	j.parse(lines)
	for _, w := range ref.Vars {
		name, value, _ := strings.Cut(w, "=")
		j.vars = append([]justVar{{name: name, value: value}}, j.vars...)
	}
	names := ref.Names
	if len(names) == 0 && len(j.recipes) > 0 {
		names = []string{j.recipes[0].name}
		for i := range j.recipes {
			if j.recipes[i].first {
				names[0] = j.recipes[i].name
			}
		}
	}
	b := &justBuild{justfile: j, ref: ref}
	for _, n := range names {
		b.recipe(n)
	}
	return b.out
}

// A justBuild follows recipes through what they depend on.
type justBuild struct {
	*justfile
	ref  *bashsafety.ScriptRef
	seen []string
	out  []bashsafety.ScriptText
}

func (b *justBuild) recipe(name string) {
	for i := range b.aliases {
		if b.aliases[i].name == name {
			name = b.aliases[i].value
		}
	}
	if len(b.seen) >= maxScripts || slices.Contains(b.seen, name) {
		return
	}
	b.seen = append(b.seen, name)
	for i := range b.recipes {
		if r := &b.recipes[i]; r.name == name {
			for _, n := range r.needs {
				b.recipe(n)
			}
			b.body(r)
		}
	}
}

func (b *justBuild) body(r *justRecipe) {
	name, dir := title("just", r.name), b.f.dir
	if r.noCd {
		dir = b.ref.Dir
	}
	if b.opaque != "" {
		r.why = b.opaque
	}
	if r.why != "" {
		b.out = append(b.out, b.f.skip(name, r.line, r.why))
		return
	}
	if len(r.lines) > 0 && strings.HasPrefix(r.lines[0].text, "#!") {
		b.shebang(r, name, dir)
		return
	}
	for _, l := range r.lines {
		if len(b.out) > maxTexts {
			return
		}
		text := strings.TrimLeft(l.text, "@- \t")
		if text = b.interpolate(text, r); text == "" {
			continue
		}
		t := b.f.settle(name, l.line, text)
		t.Dir, t.Bash = dir, b.bash
		b.out = append(b.out, t)
	}
}

// shebang is a recipe that is one script with an interpreter of its own.
func (b *justBuild) shebang(r *justRecipe, name, dir string) {
	bash, ok := shellOf(r.lines[0].text)
	if !ok {
		b.out = append(b.out, b.f.skip(name, r.line, "it is not a shell script"))
		return
	}
	var lines []string
	for _, l := range r.lines {
		lines = append(lines, l.text)
	}
	t := b.f.settle(name, r.lines[0].line, b.interpolate(strings.Join(lines, "\n"), r))
	t.Dir, t.Bash = dir, bash
	b.out = append(b.out, t)
}

// shellOf reads a shebang line; ok where it names sh or bash.
func shellOf(line string) (bash, ok bool) {
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		if words = words[1:]; len(words) > 0 && words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return false, false
	}
	switch path.Base(words[0]) {
	case "bash":
		return true, true
	case "sh", "dash", "ash":
		return false, true
	}
	return false, false
}

// interpolate replaces {{...}}: a literal variable by its value, all else by a hole.
func (b *justBuild) interpolate(text string, r *justRecipe) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		if strings.HasPrefix(rest, "{{") { // an escaped {{
			out.WriteString("{{")
			text = rest[2:]
			continue
		}
		name, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return out.String() + hole
		}
		out.WriteString(b.value(strings.TrimSpace(name), r))
		text = after
	}
}

func (b *justBuild) value(name string, r *justRecipe) string {
	if slices.Contains(r.params, name) {
		return hole
	}
	for _, v := range b.vars {
		if v.name == name && !v.unknown && b.f.spend(v.value) {
			return v.value
		}
	}
	return hole
}
