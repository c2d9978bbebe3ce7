// Package scripts reads the scripts that a project's files name (package.json,
// Makefile, justfile, Taskfile, mise.toml) for the analysis of a command that
// runs them. It reads what is plain and never guesses: what it does not
// understand is left out, with a note that says so.
package scripts

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

const (
	maxFile    = 1 << 20 // bytes of a file that is read
	maxRead    = 4 << 20 // bytes of all files one Finder reads
	maxScripts = 100     // scripts one command may lead to: targets and what they depend on
	maxTexts   = 500     // commands of those scripts
	maxNames   = 2000    // variables, or members of one table
	maxUp      = 64      // directories that are searched, one above the other
	maxValues  = 1 << 20 // bytes that references may be replaced by
)

// A Finder finds scripts below some directories, for one call: all it reads is bounded.
type Finder struct {
	Files load.Files
	Roots []rules.Path // the workspace

	// WrittenOnly leaves the disk alone: only what the call itself writes is read.
	WrittenOnly bool

	done int // bytes read so far
}

// A runner is one program whose scripts can be read.
type runner struct {
	name  string   // as bashsafety.ScriptRef has it
	files []string // looked for in a directory, in this order
	up    bool     // in those above it too
	all   bool     // every one of them counts, not only the first
	// read returns the scripts a command asks for; nothing where f has none of that name.
	read func(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText
}

// runners are in the order of docs/rules.md.
var runners = [...]runner{
	{name: "npm", files: []string{"package.json"}, up: true, read: readPackage},
	{name: "pnpm", files: []string{"package.json"}, up: true, read: readPackage},
	{name: "yarn", files: []string{"package.json"}, up: true, read: readPackage},
	{name: "bun", files: []string{"package.json"}, up: true, read: readPackage},
	{name: "make", files: []string{"GNUmakefile", "makefile", "Makefile"}, read: readMakefile},
	{name: "just", files: []string{"justfile", "Justfile", "JUSTFILE", ".justfile"}, up: true, read: readJustfile},
	{name: "task", files: []string{
		"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml",
		"Taskfile.dist.yml", "taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yaml",
	}, up: true, read: readTaskfile},
	{name: "mise", files: []string{
		"mise.local.toml", ".mise.local.toml", "mise.toml", ".mise.toml", "mise/config.toml", ".mise/config.toml",
		".config/mise.toml", ".config/mise/config.toml",
	}, up: true, all: true, read: readMise},
}

// A file is one file of the project that holds scripts.
type file struct {
	path   string
	dir    string // the directory the runner takes for the project's
	runner string
	data   []byte
	finder *Finder
	// written is set for a text of the call itself.
	written bool
	spent   int // bytes references were replaced by
}

// Find returns the scripts a command asks for, with what they run besides.
func (f *Finder) Find(ref bashsafety.ScriptRef) []bashsafety.ScriptText {
	for i := range runners {
		if r := &runners[i]; r.name == ref.Runner {
			out := f.find(r, &ref)
			if len(out) > maxTexts {
				out = append(out[:maxTexts:maxTexts], doubt(r.title(&ref), "", "it runs too many commands")...)
			}
			return out
		}
	}
	return nil
}

func (f *Finder) find(r *runner, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	if ref.File != "" {
		out, _ := f.look(r, ref, path.Dir(ref.File), path.Base(ref.File))
		return out
	}
	for dir, n := ref.Dir, 0; n == 0 || n < maxUp && f.inside(dir); dir, n = path.Dir(dir), n+1 {
		if others := f.others(r, ref, dir); len(others) > 0 {
			return others
		}
		var all []bashsafety.ScriptText
		for _, name := range r.files {
			out, found := f.look(r, ref, dir, name)
			if found && !r.all {
				return out
			}
			all = append(all, out...)
		}
		if r.name == "mise" {
			all = append(all, f.taskFiles(ref, dir)...)
		}
		if len(all) > 0 {
			return all
		}
		if !r.up || dir == "/" {
			break
		}
	}
	if !f.inside(ref.Dir) && !f.WrittenOnly {
		return note(r.title(ref), ref.Dir, "it is outside the working directories")
	}
	return nil
}

// title is the command as reasons name it.
func (r *runner) title(ref *bashsafety.ScriptRef) string { return title(r.name, ref.Names...) }

func title(runner string, names ...string) string {
	verb := ""
	switch runner {
	case "npm", "pnpm", "yarn", "bun", "mise":
		verb = " run"
	}
	if len(names) == 0 {
		return runner
	}
	return runner + verb + " " + strings.Join(names, " ")
}

// look reads one file, if it is there.
func (f *Finder) look(r *runner, ref *bashsafety.ScriptRef, dir, name string) (
	out []bashsafety.ScriptText, found bool,
) {
	name = path.Join(dir, name)
	if ref.Written != nil { // beside what is there: which of the two is read is not known
		for _, w := range ref.Written(name) {
			if w.Hidden {
				out = append(out, bashsafety.ScriptText{Origin: bashsafety.Origin{Name: r.title(ref), File: name}, Why: "its text was decoded or changed", Written: true})
				continue
			}
			for _, t := range r.read(&file{path: name, dir: dir, runner: r.name, data: []byte(w.Text), finder: f, written: true}, ref) {
				if t.Doubt, t.Written = false, w.Whole; t.Why == "" || w.Whole {
					out = append(out, t)
				}
			}
		}
	}
	data, why := f.read(name)
	switch {
	case why != "":
		return append(out, doubt(r.title(ref), name, why)...), true
	case data == nil:
		return out, len(out) > 0
	}
	return append(out, r.read(&file{path: name, dir: dir, runner: r.name, data: data, finder: f}, ref)...), true
}

// read returns the content of a file in the workspace; nil without a reason is no such file.
func (f *Finder) read(name string) (data []byte, why string) {
	if f.WrittenOnly {
		return nil, ""
	}
	if _, err := f.Files.Lstat(name); err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil, ""
		}
		return nil, err.Error()
	}
	real := load.Resolve(f.Files, name)
	if !f.inside(real) {
		if !f.inside(name) {
			return nil, ""
		}
		return nil, "it leads outside the project, to " + real
	}
	if f.done > maxRead {
		return nil, "too much has been read already"
	}
	data, err := f.Files.ReadFile(real, maxFile)
	f.done += len(data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ""
	case err != nil:
		return nil, err.Error()
	case data == nil:
		data = []byte{}
	}
	return data, ""
}

// inside reports whether a path is in the workspace.
func (f *Finder) inside(name string) bool {
	return slices.ContainsFunc(f.Roots, func(r rules.Path) bool { return rules.Within(name, r.Given) || rules.Within(name, r.Real) })
}

// note says why something is not looked at.
func note(name, file, why string) []bashsafety.ScriptText {
	return []bashsafety.ScriptText{{Origin: bashsafety.Origin{Name: name, File: file}, Why: why}}
}

// doubt says why something that is there cannot be read.
func doubt(name, file, why string) []bashsafety.ScriptText {
	out := note(name, file, why)
	out[0].Doubt = true
	return out
}

// line is the number of the line that holds the byte at an offset.
func (f *file) line(at int) int {
	return 1 + bytes.Count(f.data[:min(at, len(f.data))], []byte{'\n'})
}

// spend counts what a reference is replaced by; false when it is too much.
func (f *file) spend(value string) bool {
	f.spent += len(value) + 16
	return f.spent <= maxValues
}

// text is one script of the file, run by sh in the project's directory.
func (f *file) text(name string, line int, text string) bashsafety.ScriptText {
	return bashsafety.ScriptText{Origin: f.origin(name, line), Text: text, Dir: f.dir}
}

// skip is one script of the file that is not plain.
func (f *file) skip(name string, line int, why string) bashsafety.ScriptText {
	return bashsafety.ScriptText{Origin: f.origin(name, line), Why: why}
}

func (f *file) origin(name string, line int) bashsafety.Origin {
	return bashsafety.Origin{Name: title(f.runner, name), File: f.path, Line: line}
}

// A walk follows the scripts of a file through what they lead to.
type walk struct {
	f    *file
	seen []string
	out  []bashsafety.ScriptText
}

// first reports whether a script is met for the first time, and there is room for it.
func (w *walk) first(name string) bool {
	if len(w.seen) >= maxScripts || slices.Contains(w.seen, name) {
		return false
	}
	w.seen = append(w.seen, name)
	return true
}

func (w *walk) add(t bashsafety.ScriptText) { w.out = append(w.out, t) }

// A variable is one that a file sets.
type variable struct {
	name, value string
	others      []string // the values it may have
	unknown     bool
	fixed       bool // the command line says so
	plain       bool // the value holds no references
}

const (
	hole     = bashsafety.HoleMark
	maxHoles = 100
	// separators end a command, or start one inside
	separators = ";&|(`{\n"
)

// commandOpen reports whether a hole is where a command starts: the text could be anything.
func commandOpen(text string) bool {
	if strings.Count(text, hole) > maxHoles {
		return true
	}
	for i := 0; ; {
		k := strings.IndexByte(text[i:], hole[0])
		if k < 0 {
			return false
		}
		if startsCommand(text[:i+k]) {
			return true
		}
		i += k + 1
	}
}

// startsCommand reports whether a command may start after a text, by words since a separator.
func startsCommand(before string) bool {
	if i := strings.LastIndexAny(before, separators); i >= 0 {
		if before[i] == '{' && i > 0 && before[i-1] == '$' {
			return false
		}
		before = before[i+1:]
	}
	fields := strings.Fields(before)
	if n := len(fields); n > 0 && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t") {
		last := fields[n-1]
		if strings.Contains(last, "=") { // X=…
			return false
		}
		fields = fields[:n-1]
	}
	for _, w := range fields {
		switch w {
		case "!", "if", "then", "else", "elif", "while", "until", "do", "time", "exec", "env", "sudo":
		default:
			const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
			if i := strings.IndexByte(w, '='); i <= 0 || strings.Trim(w[:i], letters) != "" {
				return false
			}
		}
	}
	return true
}

// settle turns a text with holes into a script, or a note where it is not plain.
func (f *file) settle(name string, line int, text string) bashsafety.ScriptText {
	if commandOpen(text) {
		return f.skip(name, line, "a command name in it comes from "+f.runner)
	}
	return f.text(name, line, text)
}

// fillTemplates replaces each {{...}} by what value makes of the inside, and an
// open one, to the end, by a hole. With escaped, {{{{ is a {{ of the text.
func fillTemplates(text string, escaped bool, value func(inside string) string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		if escaped && strings.HasPrefix(rest, "{{") {
			out.WriteString("{{")
			text = rest[2:]
			continue
		}
		inside, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return out.String() + hole
		}
		out.WriteString(value(inside))
		text = after
	}
}
