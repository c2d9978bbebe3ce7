package scripts

import (
	"bytes"
	"path"
	"strings"

	toml "github.com/pelletier/go-toml/v2/unstable"
	"github.com/permgate--owner/permgate/bashsafety"
)

// readMise returns the tasks of that name in a mise.toml (mise's documentation of tasks).
func readMise(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	doc, err := parseTOML(string(f.data))
	if err != nil {
		return note(title("mise", ref.Names...), f.path, err.Error())
	}
	b := &miseBuild{walk: walk{f: f}, ref: ref, tasks: doc.get("tasks")}
	for _, n := range ref.Names {
		b.task(n, true)
	}
	return b.out
}

type miseBuild struct {
	walk
	ref   *bashsafety.ScriptRef
	tasks *node
}

func (b *miseBuild) task(name string, named bool) {
	t := b.tasks.get(name)
	if t == nil || !b.first(name) {
		return
	}
	for _, key := range [...]string{"depends", "depends_post", "wait_for"} {
		if d := t.get(key); d != nil {
			for _, e := range append([]*node{d}, d.items...) {
				first, _, _ := strings.Cut(e.text, " ")
				b.task(first, false)
			}
		}
	}
	dir := b.f.dir
	if d := t.get("dir"); d != nil {
		switch text := strings.ReplaceAll(d.text, " ", ""); {
		case text == "{{cwd}}":
			dir = b.ref.Dir
		case text == "{{config_root}}":
		case d.kind != scalar || strings.Contains(text, "{{") || strings.HasPrefix(text, "~"):
			b.add(b.f.skip(name, d.line, "its directory is unknown"))
			return
		case path.IsAbs(d.text):
			dir = path.Clean(d.text)
		default:
			dir = path.Join(dir, d.text)
		}
	}
	b.runs(name, t, dir, named)
}

// runs adds what a task runs: its commands, or a file.
func (b *miseBuild) runs(name string, t *node, dir string, named bool) {
	run := t
	if t.kind == mapping {
		if run = t.get("run"); run == nil {
			if file := t.get("file"); file.belowProject() {
				b.out = append(b.out, b.f.finder.taskFile(name, path.Join(b.f.dir, file.text), dir)...)
			}
			return
		}
	}
	bash := false
	if shell := t.get("shell"); shell != nil {
		var ok bool
		if bash, ok = shellOf(shell.text); !ok {
			b.add(b.f.skip(name, shell.line, "its shell is unknown"))
			return
		}
	}
	commands := run.items
	if run.kind == scalar {
		commands = []*node{run}
	}
	for i, c := range commands {
		switch {
		case c.kind == scalar:
			s := b.f.settle(name, c.line, b.fill(c.text))
			s.Dir, s.Bash, s.Args = dir, bash, named && i == len(commands)-1
			if strings.HasPrefix(c.text, "#!") {
				var ok bool
				if s.Bash, ok = shellOf(c.text); !ok {
					s = b.f.skip(name, c.line, "it is not a shell script")
				}
				s.Args = false
			}
			b.add(s)
		case c.get("task") != nil:
			b.task(c.get("task").text, false)
		default:
			b.add(b.f.skip(name, c.line, errNotPlain.Error()))
		}
	}
}

// belowProject reports whether a value is a relative path without a template.
func (n *node) belowProject() bool {
	return n != nil && n.kind == scalar && !path.IsAbs(n.text) && !strings.Contains(n.text, "{{")
}

// fill replaces templates: the place of the file by its directory, everything else by a hole.
func (b *miseBuild) fill(text string) string {
	return fillTemplates(text, false, func(name string) string {
		if strings.TrimSpace(name) == "config_root" {
			return b.f.dir
		}
		return hole
	})
}

// taskDirs are the folders whose files are tasks.
var taskDirs = [...]string{"mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"}

// taskFiles looks for the tasks that are files of their own.
func (f *Finder) taskFiles(ref *bashsafety.ScriptRef, dir string) (out []bashsafety.ScriptText) {
	for _, n := range ref.Names {
		if n == "" || strings.ContainsAny(n, "/\\\x00") || n[0] == '.' {
			continue
		}
		for _, d := range taskDirs {
			out = append(out, f.taskFile(n, path.Join(dir, d, strings.ReplaceAll(n, ":", "/")), dir)...)
		}
	}
	return out
}

// taskFile reads a task that is a script of its own.
func (f *Finder) taskFile(name, script, dir string) []bashsafety.ScriptText {
	if info, err := f.Files.Stat(script); err == nil && info.IsDir() {
		return nil // the tasks of a namespace
	}
	data, why := f.read(script)
	switch {
	case why != "":
		return doubt(title("mise", name), script, why)
	case data == nil:
		return nil
	}
	own := &file{path: script, dir: dir, runner: "mise", data: data, finder: f}
	bash, ok := shellOf(string(data))
	if !ok || !strings.HasPrefix(string(data), "#!") {
		return []bashsafety.ScriptText{own.skip(name, 1, "it is not a shell script")}
	}
	s := own.text(name, 1, string(data))
	s.Bash = bash
	return []bashsafety.ScriptText{s}
}

// A tomlReader builds nodes of TOML expressions. Only strings, lists and tables are read.
type tomlReader struct {
	toml.Parser
	lines, counted int // line ends in the text up to counted
}

// parseTOML returns the file as a mapping of mappings.
func parseTOML(data string) (*node, error) {
	r := &tomlReader{}
	r.Reset([]byte(strings.ReplaceAll(strings.TrimPrefix(data, "\ufeff"), "\r\n", "\n")))
	root := &node{kind: mapping}
	table := root
	for r.NextExpression() {
		ok := true
		switch e := r.Expression(); e.Kind {
		case toml.Table:
			table = root.table(r.keys(e))
			ok = table != nil
		case toml.ArrayTable: // a list of tables: of no task
			table = root.table(append([]string{"[]"}, r.keys(e)...))
			ok = table != nil
		case toml.KeyValue:
			ok = r.pair(table, e, 0)
		}
		if !ok {
			return nil, errNotPlain
		}
	}
	if r.Error() != nil {
		return nil, errNotPlain
	}
	return root, nil
}

// table returns the table at a path of keys, made if missing; nil where a key is something else.
func (n *node) table(keys []string) *node {
	for _, k := range keys {
		next := n.get(k)
		if next == nil && len(n.keys) >= maxNames {
			return nil
		}
		if next == nil {
			next = &node{kind: mapping}
			n.keys, n.items = append(n.keys, k), append(n.items, next)
		}
		if next.kind != mapping {
			return nil
		}
		n = next
	}
	return n
}

// keys are the parts of a dotted key.
func (r *tomlReader) keys(e *toml.Node) (keys []string) {
	for it := e.Key(); it.Next(); {
		keys = append(keys, string(it.Node().Data))
		r.line(it.Node())
	}
	return keys
}

// pair puts key = value into a table.
func (r *tomlReader) pair(table *node, e *toml.Node, depth int) bool {
	keys := r.keys(e)
	last := len(keys) - 1
	to := table.table(keys[:last])
	if to == nil || to.get(keys[last]) != nil || len(to.keys) >= maxNames {
		return false
	}
	v := r.value(e.Value(), depth)
	if v == nil {
		return false
	}
	to.keys, to.items = append(to.keys, keys[last]), append(to.items, v)
	return true
}

// value builds a value's node, nil if it is nested too deep or a table has a key twice.
func (r *tomlReader) value(v *toml.Node, depth int) *node {
	if depth >= maxLevels {
		return nil
	}
	n := &node{line: r.line(v)}
	switch v.Kind {
	case toml.String:
		n.kind, n.text = scalar, string(v.Data)
	case toml.Array:
		n.kind = list
		for it := v.Children(); it.Next(); {
			e := r.value(it.Node(), depth+1)
			if e == nil {
				return nil
			}
			n.items = append(n.items, e)
		}
	case toml.InlineTable:
		n.kind = mapping
		for it := v.Children(); it.Next(); {
			if !r.pair(n, it.Node(), depth+1) {
				return nil
			}
		}
	}
	return n
}

// line is where a node starts; a list, whose place the parser does not know, after the node before.
func (r *tomlReader) line(v *toml.Node) int {
	if at := int(v.Raw.Offset); at > r.counted {
		r.lines += bytes.Count(r.Data()[r.counted:at], []byte("\n"))
		r.counted = at
	}
	return 1 + r.lines
}
