package scripts

import (
	"bytes"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
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
	doc   *node
	fixed []string // NAME=value words of the command
}

func (b *taskBuild) task(name string) {
	tasks := b.doc.get("tasks")
	t := tasks.get(name)
	for i := 0; t == nil && tasks != nil && i < len(tasks.items); i++ {
		if a := tasks.items[i].get("aliases"); a != nil {
			for _, e := range a.items {
				if e.text == name {
					t, name = tasks.items[i], tasks.keys[i]
				}
			}
		}
	}
	if t == nil || !b.first(name) {
		return
	}
	if deps := t.get("deps"); deps != nil {
		for _, d := range deps.items {
			b.call(d)
		}
	}
	dir := b.f.dir
	if d := t.get("dir"); d != nil {
		text := b.fill(d, t)
		if d.kind != scalar || strings.Contains(text, hole) {
			b.add(b.f.skip(name, d.line, "its directory is unknown"))
			return
		}
		if !path.IsAbs(text) {
			text = path.Join(dir, text)
		}
		dir = path.Clean(text)
	}
	switch t.kind {
	case scalar:
		b.command(name, t, t, dir)
	case list:
		b.commands(name, t, t, dir)
	case mapping:
		if c := t.get("cmd"); c != nil {
			b.command(name, c, t, dir)
		}
		if c := t.get("cmds"); c != nil {
			b.commands(name, c, t, dir)
		}
	}
}

func (b *taskBuild) commands(name string, cmds, t *node, dir string) {
	for _, c := range cmds.items {
		switch c.kind {
		case scalar:
			b.command(name, c, t, dir)
		case mapping:
			d := c.get("defer")
			switch {
			case c.get("cmd") != nil:
				b.command(name, c.get("cmd"), t, dir)
			case d != nil && d.kind == scalar:
				b.command(name, d, t, dir)
			case d != nil:
				b.call(d)
			default:
				b.call(c)
			}
		default:
			b.add(b.f.skip(name, c.line, errNotPlain.Error()))
		}
	}
}

// call follows a task named in deps or cmds.
func (b *taskBuild) call(n *node) {
	switch n.kind {
	case scalar:
		b.task(n.text)
	case mapping:
		if t := n.get("task"); t != nil {
			b.task(t.text)
		}
	}
}

func (b *taskBuild) command(name string, c, t *node, dir string) {
	if len(b.out) > maxTexts {
		return
	}
	if c.kind != scalar {
		b.add(b.f.skip(name, c.line, errNotPlain.Error()))
		return
	}
	s := b.f.settle(name, c.line, b.fill(c, t))
	s.Dir, s.Bash = dir, true
	b.add(s)
}

// fill replaces templates: {{.NAME}} by the file's literal variable, everything else by a hole.
func (b *taskBuild) fill(n, t *node) string { return b.fillText(n.text, t, 0) }

func (b *taskBuild) fillText(text string, t *node, depth int) string {
	return fillTemplates(text, false, func(name string) string {
		return b.value(strings.TrimSpace(strings.Trim(name, "- ")), t, depth)
	})
}

// value is the text of a variable, a hole where the file alone does not say it.
func (b *taskBuild) value(name string, t *node, depth int) string {
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
	if t.get("vars").get(name) != nil {
		return hole
	}
	if v := b.doc.get("vars").get(name); v != nil && v.kind == scalar && depth < maxDepth && b.f.spend(v.text) {
		return b.fillText(v.text, nil, depth+1)
	}
	return hole
}

// readPackage reads "scripts" of a package.json. npm, yarn and bun run pre and
// post scripts around the one that is named, pnpm where it is told to.
func readPackage(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	name := title(f.runner, ref.Names...)
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
