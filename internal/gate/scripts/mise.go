package scripts

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/tree"
)

// readMise returns the tasks of that name in a mise.toml (mise's documentation of tasks).
func readMise(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	text := strings.ReplaceAll(strings.TrimPrefix(string(f.data), "\ufeff"), "\r\n", "\n")
	doc, err := tree.TOML(text)
	if err != nil {
		return note(title("mise", ref.Names...), f.path, errNotPlain.Error())
	}
	b := &miseBuild{walk: walk{f: f}, ref: ref, tasks: doc.Get("tasks"), text: text}
	for _, n := range ref.Names {
		b.task(n, true)
	}
	return b.out
}

type miseBuild struct {
	walk
	ref   *bashsafety.ScriptRef
	tasks *tree.Node
	text  string
}

// line is where a value starts.
func (b *miseBuild) line(n *tree.Node) int { return 1 + strings.Count(b.text[:n.Off], "\n") }

func (b *miseBuild) task(name string, named bool) {
	t := b.tasks.Get(name)
	if t.Kind == 0 || !b.first(name) {
		return
	}
	for _, key := range [...]string{"depends", "depends_post", "wait_for"} {
		d := t.Get(key)
		for _, e := range append([]*tree.Node{d}, d.Items...) {
			first, _, _ := strings.Cut(e.Text, " ")
			b.task(first, false)
		}
	}
	dir := b.f.dir
	if d := t.Get("dir"); d.Kind != 0 {
		switch text := strings.ReplaceAll(d.Text, " ", ""); {
		case text == "{{cwd}}":
			dir = b.ref.Dir
		case text == "{{config_root}}":
		case d.Kind != tree.Text || strings.Contains(text, "{{") || strings.HasPrefix(text, "~"):
			b.add(b.f.skip(name, b.line(d), "its directory is unknown"))
			return
		case path.IsAbs(d.Text):
			dir = path.Clean(d.Text)
		default:
			dir = path.Join(dir, d.Text)
		}
	}
	b.runs(name, t, dir, named)
}

// runs adds what a task runs: its commands, or a file.
func (b *miseBuild) runs(name string, t *tree.Node, dir string, named bool) {
	run := t
	if t.Kind == tree.Table {
		if run = t.Get("run"); run.Kind == 0 {
			if file := t.Get("file"); belowProject(file) {
				b.out = append(b.out, b.f.finder.taskFile(name, path.Join(b.f.dir, file.Text), dir)...)
			}
			return
		}
	}
	bash := false
	if shell := t.Get("shell"); shell.Kind != 0 {
		var ok bool
		if bash, ok = shellOf(shell.Text); !ok {
			b.add(b.f.skip(name, b.line(shell), "its shell is unknown"))
			return
		}
	}
	commands := run.Items
	if run.Kind == tree.Text {
		commands = []*tree.Node{run}
	}
	for i, c := range commands {
		switch {
		case c.Kind == tree.Text:
			s := b.f.settle(name, b.line(c), b.fill(c.Text))
			s.Dir, s.Bash, s.Args = dir, bash, named && i == len(commands)-1
			if strings.HasPrefix(c.Text, "#!") {
				var ok bool
				if s.Bash, ok = shellOf(c.Text); !ok {
					s = b.f.skip(name, b.line(c), "it is not a shell script")
				}
				s.Args = false
			}
			b.add(s)
		case c.Get("task").Kind != 0:
			b.task(c.Get("task").Text, false)
		default:
			b.add(b.f.skip(name, b.line(c), errNotPlain.Error()))
		}
	}
}

// belowProject reports whether a value is a relative path without a template.
func belowProject(n *tree.Node) bool {
	return n.Kind == tree.Text && !path.IsAbs(n.Text) && !strings.Contains(n.Text, "{{")
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
