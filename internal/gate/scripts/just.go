package scripts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A justfile is what is plain in one. Grammar: just's GRAMMAR.md and its manual.
type justfile struct {
	walk
	ref     *bashsafety.ScriptRef
	recipes []justRecipe
	vars    []variable // assignments; an alias is one too
	aliases []variable
	bash    bool
	opaque  string // why no recipe of the file can be read
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
	j := &justfile{walk: walk{f: f}, ref: ref}
	lines := strings.Split(strings.ReplaceAll(string(f.data), "\r\n", "\n"), "\n")
	j.parse(lines)
	for _, w := range ref.Vars {
		name, value, _ := strings.Cut(w, "=")
		j.vars = append([]variable{{name: name, value: value}}, j.vars...)
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
	for _, n := range names {
		j.recipe(n)
	}
	return j.out
}

// recipe adds a recipe and what it depends on.
func (j *justfile) recipe(name string) {
	for i := range j.aliases {
		if j.aliases[i].name == name {
			name = j.aliases[i].value
		}
	}
	if !j.first(name) {
		return
	}
	for i := range j.recipes {
		if r := &j.recipes[i]; r.name == name {
			for _, n := range r.needs {
				j.recipe(n)
			}
			j.body(r)
		}
	}
}

func (j *justfile) body(r *justRecipe) {
	dir := j.f.dir
	if r.noCd {
		dir = j.ref.Dir
	}
	if why := cmp.Or(j.opaque, r.why); why != "" {
		j.add(j.f.skip(r.name, r.line, why))
		return
	}
	if len(r.lines) > 0 && strings.HasPrefix(r.lines[0].text, "#!") {
		j.shebang(r, dir)
		return
	}
	for _, l := range r.lines {
		if len(j.out) > maxTexts {
			return
		}
		text := strings.TrimLeft(l.text, "@- \t")
		if text = j.interpolate(text, r); text == "" {
			continue
		}
		t := j.f.settle(r.name, l.line, text)
		t.Dir, t.Bash = dir, j.bash
		j.add(t)
	}
}

// shebang is a recipe that is one script with an interpreter of its own.
func (j *justfile) shebang(r *justRecipe, dir string) {
	bash, ok := shellOf(r.lines[0].text)
	if !ok {
		j.add(j.f.skip(r.name, r.line, "it is not a shell script"))
		return
	}
	var lines []string
	for _, l := range r.lines {
		lines = append(lines, l.text)
	}
	t := j.f.settle(r.name, r.lines[0].line, j.interpolate(strings.Join(lines, "\n"), r))
	t.Dir, t.Bash = dir, bash
	j.add(t)
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
func (j *justfile) interpolate(text string, r *justRecipe) string {
	return fillTemplates(text, true, func(name string) string { return j.value(strings.TrimSpace(name), r) })
}

func (j *justfile) value(name string, r *justRecipe) string {
	if slices.Contains(r.params, name) {
		return hole
	}
	for _, v := range j.vars {
		if v.name == name && !v.unknown && j.f.spend(v.value) {
			return v.value
		}
	}
	return hole
}

// parse reads the lines of the file.
func (j *justfile) parse(lines []string) {
	var next justRecipe // what attributes say of the recipe that follows
	for i := 0; i < len(lines); {
		line, at := lines[i], i+1
		i++
		text := strings.TrimRight(line, " \t")
		switch {
		case text == "" || text[0] == '#':
			continue
		case text[0] == ' ' || text[0] == '\t':
			continue // after something that was no recipe
		case strings.Contains(text, "'''") || strings.Contains(text, `"""`) || strings.Count(text, "`")%2 == 1:
			j.opaque = "a multi-line string"
			return
		case text[0] == '[':
			next.attribute(text)
			continue
		}
		if j.statement(text) {
			continue
		}
		r, ok := recipeHead(text)
		if !ok {
			continue
		}
		r.line, r.first, r.noCd = at, next.first, next.noCd
		if r.why == "" {
			r.why = next.why
		}
		next = justRecipe{}
		i = r.body(lines, i)
		j.recipes = append(j.recipes, r)
	}
}

// attribute reads [name, name(value)].
func (r *justRecipe) attribute(text string) {
	for _, a := range strings.Split(strings.Trim(text, "[]"), ",") {
		name := strings.TrimSpace(a)
		if i := strings.IndexAny(name, "(:"); i >= 0 {
			name = strings.TrimSpace(name[:i])
		}
		switch name {
		case "no-cd":
			r.noCd = true
		case "default":
			r.first = true
		case "script", "extension", "working-directory":
			r.why = "the attribute " + name + " changes how it runs"
		}
	}
}

// statement reads the lines that are no recipe.
func (j *justfile) statement(text string) bool {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "import", "import?", "mod", "mod?", "unexport":
		return true
	case "set":
		j.setting(rest)
		return true
	case "alias":
		if name, target, ok := strings.Cut(rest, ":="); ok {
			if len(j.aliases) >= maxNames {
				j.opaque = "it has too many aliases"
				return true
			}
			j.aliases = append(j.aliases, variable{name: strings.TrimSpace(name), value: strings.TrimSpace(target)})
		}
		return true
	case "export", "eager", "lazy":
		text = rest
	}
	name, value, ok := strings.Cut(text, ":=")
	name = strings.TrimSpace(name)
	if !ok || !identifier(name) {
		return false
	}
	value, literal := quoted(value)
	if len(j.vars) >= maxNames {
		j.opaque = "it has too many variables"
		return true
	}
	j.vars = append(j.vars, variable{name: name, value: value, unknown: !literal})
	return true
}

// setting reads what is set for the whole file.
func (j *justfile) setting(text string) {
	name, value, _ := strings.Cut(text, ":=")
	switch strings.TrimSpace(name) {
	case "shell":
		first, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(value), "[]"), ",")
		shell, ok := quoted(first)
		bash, known := shellOf(shell)
		if j.bash = bash; !ok || !known {
			j.opaque = "its shell is unknown"
		}
	case "script-interpreter", "working-directory":
		j.opaque = "the setting " + strings.TrimSpace(name) + " changes how recipes run"
	}
}

// quoted reads a string without escapes; false for every other expression.
func quoted(expr string) (string, bool) {
	expr = strings.TrimSpace(expr)
	if n := len(expr); n >= 2 && (expr[0] == '\'' || expr[0] == '"') && expr[n-1] == expr[0] {
		text := expr[1 : n-1]
		if strings.IndexByte(text, expr[0]) < 0 && (expr[0] == '\'' || strings.IndexByte(text, '\\') < 0) {
			return text, true
		}
	}
	return "", false
}

func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '_', b|0x20 >= 'a' && b|0x20 <= 'z':
		case i > 0 && (b == '-' || b >= '0' && b <= '9'):
		default:
			return false
		}
	}
	return s != ""
}

// recipeHead reads name parameters: dependencies.
func recipeHead(text string) (justRecipe, bool) {
	var r justRecipe
	words, rest, ok := headWords(strings.TrimPrefix(text, "@"))
	if !ok || len(words) == 0 || !identifier(words[0]) {
		return r, false
	}
	r.name = words[0]
	for _, p := range words[1:] {
		name, _, _ := strings.Cut(strings.TrimLeft(p, "+*$"), "=")
		r.params = append(r.params, name)
	}
	if len(r.params) > maxNames/10 {
		r.why = "it has too many parameters"
	}
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	depth := 0
	for _, w := range strings.Fields(strings.ReplaceAll(strings.ReplaceAll(rest, "(", " ( "), ")", " ) ")) {
		switch {
		case w == "(":
			depth = 1
		case w == ")":
			depth = 0
		case depth == 0 && w != "&&", depth == 1:
			r.needs = append(r.needs, w)
			depth *= 2 // the rest in brackets are arguments
		}
	}
	return r, true
}

// headWords cuts the words in front of the first colon outside quotes and brackets.
func headWords(text string) (words []string, rest string, ok bool) {
	quote, depth, start := byte(0), 0, 0
	word := func(end int) {
		if end > start {
			words = append(words, text[start:end])
		}
		start = end + 1
	}
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '\'' || b == '"' || b == '`':
			quote = b
		case b == '(':
			depth++
		case b == ')':
			depth--
		case depth > 0:
		case b == ' ' || b == '\t':
			word(i)
		case b == ':':
			word(i)
			return words, text[i+1:], true
		}
	}
	return nil, "", false
}

// body reads the indented lines from i on and returns where they end.
func (r *justRecipe) body(lines []string, i int) int {
	indent := ""
	for ; i < len(lines); i++ {
		line := lines[i]
		blank := strings.TrimSpace(line) == ""
		if !blank && line[0] != ' ' && line[0] != '\t' {
			break
		}
		if indent == "" && !blank {
			indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		}
		if blank && len(r.lines) == 0 {
			continue
		}
		text := strings.TrimPrefix(line, indent)
		if n := len(r.lines); n > 0 && continued(r.lines[n-1].text) && !strings.HasPrefix(r.lines[0].text, "#!") {
			if last := &r.lines[n-1].text; len(*last) > bashsafety.MaxBytes {
				r.why = "a line of it is too long"
			} else {
				*last += "\n" + strings.TrimLeft(text, " \t")
			}
			continue
		}
		r.lines = append(r.lines, recipeLine{text, i + 1})
	}
	return i
}
