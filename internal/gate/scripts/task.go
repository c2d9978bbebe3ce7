package scripts

import (
	"bytes"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/tree"
	"github.com/tidwall/gjson"
)

// readTaskfile returns the commands of tasks and what they depend on (go-task's
// schema, version 3), run by a shell that reads bash.
func readTaskfile(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	names := ref.Names
	if len(names) == 0 {
		names = []string{"default"}
	}
	if ref.File != "" {
		f.dir = ref.Dir
	}
	doc, err := parseYAML(string(f.data))
	if err != nil {
		return note(title("task", names...), f.path, err.Error())
	}
	b := &taskBuild{walk: walk{f: f}, doc: doc, fixed: ref.Vars}
	for _, n := range names {
		b.task(n)
	}
	return b.out
}

// A taskBuild follows tasks through what they depend on and call.
type taskBuild struct {
	walk
	doc   *tree.Node
	fixed []string // NAME=value words of the command
}

func (b *taskBuild) task(name string) {
	tasks := b.doc.Get("tasks")
	t := tasks.Get(name)
	for i := 0; t.Kind == 0 && i < len(tasks.Keys); i++ {
		for _, e := range tasks.Items[i].Get("aliases").Items {
			if e.Text == name {
				t, name = tasks.Items[i], tasks.Keys[i]
			}
		}
	}
	if t.Kind == 0 || !b.first(name) {
		return
	}
	for _, d := range t.Get("deps").Items {
		b.call(d)
	}
	dir := b.f.dir
	if d := t.Get("dir"); d.Kind != 0 {
		text := b.fill(d, t)
		if d.Kind != tree.Text || strings.Contains(text, hole) {
			b.add(b.f.skip(name, d.Off, "its directory is unknown"))
			return
		}
		if !path.IsAbs(text) {
			text = path.Join(dir, text)
		}
		dir = path.Clean(text)
	}
	switch t.Kind {
	case tree.Text:
		b.command(name, t, t, dir)
	case tree.List:
		b.commands(name, t, t, dir)
	case tree.Table:
		if c := t.Get("cmd"); c.Kind != 0 {
			b.command(name, c, t, dir)
		}
		b.commands(name, t.Get("cmds"), t, dir)
	}
}

func (b *taskBuild) commands(name string, cmds, t *tree.Node, dir string) {
	for _, c := range cmds.Items {
		switch c.Kind {
		case tree.Text:
			b.command(name, c, t, dir)
		case tree.Table:
			d := c.Get("defer")
			switch {
			case c.Get("cmd").Kind != 0:
				b.command(name, c.Get("cmd"), t, dir)
			case d.Kind == tree.Text:
				b.command(name, d, t, dir)
			case d.Kind != 0:
				b.call(d)
			default:
				b.call(c)
			}
		default:
			b.add(b.f.skip(name, c.Off, errNotPlain.Error()))
		}
	}
}

// call follows a task named in deps or cmds.
func (b *taskBuild) call(n *tree.Node) {
	switch n.Kind {
	case tree.Text:
		b.task(n.Text)
	case tree.Table:
		if t := n.Get("task"); t.Kind != 0 {
			b.task(t.Text)
		}
	}
}

func (b *taskBuild) command(name string, c, t *tree.Node, dir string) {
	if len(b.out) > maxTexts {
		return
	}
	if c.Kind != tree.Text {
		b.add(b.f.skip(name, c.Off, errNotPlain.Error()))
		return
	}
	s := b.f.settle(name, c.Off, b.fill(c, t))
	s.Dir, s.Bash = dir, true
	b.add(s)
}

// fill replaces templates: {{.NAME}} by the file's literal variable, everything else by a hole.
func (b *taskBuild) fill(n, t *tree.Node) string { return b.fillText(n.Text, t, 0) }

func (b *taskBuild) fillText(text string, t *tree.Node, depth int) string {
	return fillTemplates(text, false, func(name string) string {
		return b.value(strings.TrimSpace(strings.Trim(name, "- ")), t, depth)
	})
}

// value is the text of a variable, a hole where the file alone does not say it.
func (b *taskBuild) value(name string, t *tree.Node, depth int) string {
	name, ok := strings.CutPrefix(name, ".")
	if !ok || !identifier(name) {
		return hole
	}
	switch name {
	case "ROOT_DIR", "TASKFILE_DIR":
		return b.f.dir
	}
	for _, w := range b.fixed {
		if strings.HasPrefix(w, name+"=") {
			return hole // it reaches the tasks that are named, not those they call
		}
	}
	if t.Get("vars").Get(name).Kind != 0 {
		return hole
	}
	if v := b.doc.Get("vars").Get(name); v.Kind == tree.Text && depth < maxDepth && b.f.spend(v.Text) {
		return b.fillText(v.Text, &tree.Node{}, depth+1)
	}
	return hole
}

// readPackage reads "scripts" of a package.json. npm, yarn and bun run pre and
// post scripts around the one that is named, pnpm where it is told to.
func readPackage(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	name := title(f.runner, ref.Names...)
	if f.written { // a variable of the shell that wrote it
		f.data = bytes.ReplaceAll(f.data, []byte(hole), []byte("${_}"))
	}
	data := bytes.TrimPrefix(f.data, []byte("\ufeff"))
	shift := len(f.data) - len(data)
	doc := gjson.ParseBytes(data)
	if !gjson.ValidBytes(data) || !doc.IsObject() {
		return doubt(name, f.path, "the file is not valid JSON")
	}
	scripts, twice := member(doc, "scripts")
	switch {
	case twice:
		return doubt(name, f.path, `the key "scripts" appears twice`)
	case !scripts.Exists():
		return nil
	case !scripts.IsObject():
		return doubt(name, f.path, `"scripts" is not an object`)
	}
	var out []bashsafety.ScriptText
	for _, n := range named(scripts, ref.Names) {
		for _, s := range [...]string{"pre" + n, n, "post" + n} {
			v, twice := member(scripts, s)
			title := title(f.runner, s)
			switch {
			case twice:
				return append(out, doubt(title, f.path, "the script appears twice")...)
			case v.Exists() && v.Type != gjson.String:
				return append(out, doubt(title, f.path, "the script is not a string")...)
			case strings.Contains(v.Str, hole):
				return append(out, doubt(title, f.path, "the script contains a NUL character")...)
			case v.Exists():
				t := f.text(s, f.line(shift+v.Index), v.Str)
				t.Args = s == n
				out = append(out, t)
			}
		}
	}
	return out
}

// named puts the scripts in the place of a pattern that they fit: build:*.
func named(scripts gjson.Result, names []string) (all []string) {
	for _, n := range names {
		if !strings.Contains(n, "*") {
			all = append(all, n)
			continue
		}
		pattern := strings.ReplaceAll(strings.ReplaceAll(n, "**", "*"), ":", "/")
		scripts.ForEach(func(key, _ gjson.Result) bool {
			if ok, err := path.Match(pattern, strings.ReplaceAll(key.Str, ":", "/")); ok && err == nil {
				all = append(all, key.Str)
			}
			return len(all) < maxScripts
		})
	}
	return all
}

// member returns a member of an object, and whether it is there twice.
func member(object gjson.Result, key string) (v gjson.Result, twice bool) {
	object.ForEach(func(k, value gjson.Result) bool {
		if k.Str == key {
			twice = v.Exists()
			v = value
		}
		return !twice
	})
	return v, twice
}
