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
			j.aliases = append(j.aliases, justVar{name: strings.TrimSpace(name), value: strings.TrimSpace(target)})
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
	j.vars = append(j.vars, justVar{name: name, value: value, unknown: !literal})
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
