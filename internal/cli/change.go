package cli

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A change is what one command wants to make of one file.
type change struct {
	name      string // as the user knows it
	target    string // the file it is, when name is a symlink
	old, text []byte // no text: the file goes
	mode      fs.FileMode
	backup    string
	what      []string // what it comes to, for a summary
}

// readForChange reads a settings file for a change.
func readForChange(e *env, name string) (*change, *edit.Doc, error) {
	target, old, mode, err := edit.Read(name)
	if err != nil {
		return nil, nil, err
	}
	doc, err := edit.Parse(e.path(name), old)
	if err != nil {
		return nil, nil, err
	}
	return &change{name: name, target: target, old: old, text: old, mode: mode}, doc, nil
}

// loadText reads a file that is only ever written or removed as a whole.
func loadText(name string) (*change, error) {
	target, old, mode, err := edit.Read(name)
	return &change{name: name, target: target, old: old, text: old, mode: mode}, err
}

// changed reports whether the file will have another text.
func (ch *change) changed() bool { return !bytes.Equal(ch.old, ch.text) }

// readable lets everybody read a new file of a scope that is not one user's.
func (ch *change) readable(scope string) {
	if len(ch.old) == 0 && scope != "user" {
		ch.mode = 0o644
	}
}

// kept says where the old text is, for messages.
func (ch *change) kept(e *env) string {
	if ch.backup == "" {
		return ""
	}
	return " (backup: " + e.path(ch.backup) + ")"
}

// diff is the change in unified form.
func (ch *change) diff(e *env) []byte {
	old := "/dev/null"
	if len(ch.old) > 0 {
		old = e.path(ch.name)
	}
	now := e.path(ch.name)
	if len(ch.text) == 0 {
		now = "/dev/null"
	}
	return diff.Diff(old, ch.old, now, ch.text)
}

// printDiff prints a diff without the characters that a terminal obeys: what is
// read here decides what is written or trusted, and the file may be anybody's.
func (e *env) printDiff(text []byte) {
	for line := range strings.Lines(string(text)) {
		body := strings.TrimSuffix(line, "\n")
		end := line[len(body):]
		if cut, ok := strings.CutSuffix(body, "\r"); ok { // as files of Windows end every line
			body, end = cut, "\r"+end
		}
		parts := strings.Split(body, "\t")
		for i := range parts {
			parts[i] = hookio.Escape(parts[i])
		}
		fmt.Fprint(e.machine(), strings.Join(parts, "\t"), end)
	}
}

// writeOptions are the options of every command that writes settings.
type writeOptions struct {
	dryRun, yes bool
	summary     bool // changes are shown as what they come to, and as a diff only on request
	diff        bool // that request
	noBackup    bool // the old texts are not kept
	// first is called once with the changes before they are written, or shown only; nil for nothing.
	first func([]*change)
}

// register adds --dry-run and --yes.
func (o *writeOptions) register(fs *pflag.FlagSet) {
	fs.BoolVar(&o.dryRun, "dry-run", false, "print the change as a diff and write nothing")
	fs.BoolVar(&o.yes, "yes", false, "do not ask on the terminal")
}

// tries is how often a change is worked out again because others write too.
const tries = 20

// write works a change out and applies it. With --yes it is worked out again
// when others changed a file in between, and then with its folder locked, so that
// every one of many processes gets its turn; what the user confirmed is
// what is written, or nothing.
func (e *env) write(o *writeOptions, plan func() ([]*change, error)) (done bool, code int) {
	var todo []*change
	for n := 1; ; n++ {
		release, err := hold(todo)
		if err != nil {
			return false, e.failFile(err)
		}
		defer release()
		changes, err := plan()
		if err != nil {
			return false, e.failFile(err)
		}
		todo = changed(changes)
		if done, code, err = e.try(o, changes); err == nil {
			return done, code
		}
		if !o.yes || n == tries || !errors.Is(err, edit.ErrChanged) {
			return false, e.failFile(err)
		}
	}
}

// apply is write for a change that is worked out once.
func (e *env) apply(o *writeOptions, changes ...*change) (done bool, code int) {
	done, code, err := e.try(o, changes)
	if err != nil {
		return false, e.failFile(err)
	}
	return done, code
}

// try shows, asks and writes. done is false when nothing is to be reported
// any more: a dry run, or a no. err is about a file.
func (e *env) try(o *writeOptions, changes []*change) (done bool, code int, err error) {
	todo := changed(changes)
	if o.dryRun {
		e.show(o, todo)
		o.tryFirst(todo)
		switch {
		case len(todo) == 0:
			fmt.Fprintln(e.out, "nothing to change")
		case o.summary && !o.diff:
			fmt.Fprintln(e.out, "nothing written; --diff shows every line")
		}
		return false, exitOK, nil
	}
	if len(todo) == 0 {
		return true, exitOK, nil
	}
	if !o.yes {
		e.show(o, todo)
	}
	o.tryFirst(todo)
	if !o.yes {
		if code := e.asks(o, todo); code != exitOK {
			return false, code, nil
		}
	}
	release, err := hold(todo)
	if err != nil {
		return false, exitError, err
	}
	defer release()
	for _, ch := range todo {
		if len(ch.text) == 0 {
			if err := edit.Remove(ch.target, ch.old); err != nil {
				return false, exitError, err
			}
			continue
		}
		if len(ch.old) > 0 && !o.noBackup {
			ch.backup = edit.Backup(e.keptAs(ch.target), e.world.Now)
		}
		if err := e.replace(ch); err != nil {
			return false, exitError, err
		}
	}
	return true, exitOK, nil
}

// tryFirst says what changes would come to, once: a change may be worked out again.
func (o *writeOptions) tryFirst(todo []*change) {
	if first := o.first; first != nil && len(todo) > 0 {
		o.first = nil
		first(todo)
	}
}

// changed are the changes that change something.
func changed(changes []*change) (todo []*change) {
	for _, ch := range changes {
		if ch != nil && ch.changed() {
			todo = append(todo, ch)
		}
	}
	return todo
}

// hold locks the folders of files that are to be changed.
func hold(todo []*change) (release func(), err error) {
	var dirs []string
	for _, ch := range todo {
		dirs = append(dirs, filepath.Dir(ch.target))
	}
	return edit.Hold(dirs...)
}

// confirmed asks, unless --yes has answered.
func (o *writeOptions) confirmed(e *env, question string) int {
	if o.yes {
		return exitOK
	}
	return e.confirm(question)
}

// confirm asks on the controlling terminal and reports everything but a yes.
func (e *env) confirm(question string, keys ...term.Key) int {
	switch yes, err := term.Confirm(question, keys...); {
	case errors.Is(err, term.ErrNoTerminal):
		return e.fail("run it in a terminal, or add --yes; --dry-run only shows the change",
			"%s changes what is asked about, and there is no terminal to confirm on", strings.TrimPrefix(e.cmd, "permgate "))
	case err != nil:
		return e.fail("", "%v", err)
	case !yes:
		return e.fail("", "nothing was changed")
	}
	return exitOK
}

// failFile reports an error about a file; nothing was written by it.
func (e *env) failFile(err error) int {
	hint := ""
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "managed files need sudo; for your own, check that file and folder are yours and writable (ls -la)"
	default:
		hint = "fix the file and run the command again; this change was not written"
	}
	return e.fail(hint, "%v", err)
}

// show prints what is about to be written: the diff, or, where a command has
// said of each change what it is, that, and the diff only on request.
func (e *env) show(o *writeOptions, todo []*change) {
	if o.summary {
		for _, ch := range todo {
			e.summary(ch)
		}
	}
	if !o.summary || o.diff {
		e.diffs(todo)
	}
}

func (e *env) diffs(todo []*change) {
	for _, ch := range todo {
		e.printDiff(ch.diff(e))
	}
}

// summary prints one change in a few lines.
func (e *env) summary(ch *change) {
	state := ""
	switch {
	case len(ch.text) == 0:
		state = "  (removed)"
	case len(ch.old) == 0:
		state = "  (new file)"
	}
	fmt.Fprintf(e.out, "%s%s\n", e.path(ch.name), state)
	for _, line := range ch.what {
		e.wrapped("    ", line)
	}
	if len(ch.what) == 0 && state == "" {
		added, gone := 0, 0
		for line := range strings.Lines(string(ch.diff(e))) {
			switch {
			case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			case strings.HasPrefix(line, "+"):
				added++
			case strings.HasPrefix(line, "-"):
				gone++
			}
		}
		fmt.Fprintf(e.out, "    %s more, %d fewer\n", plural(added, "line", "lines"), gone)
	}
}

// asks is the confirmation of a change; where only a summary was shown, d shows
// the diff.
func (e *env) asks(o *writeOptions, todo []*change) int {
	if !o.summary || o.diff {
		return e.confirm("write this?")
	}
	return e.confirm("write this?", term.Key{Letter: "d", Does: "shows the diff", Do: func() { e.diffs(todo) }})
}

// A preview is the file system with one settings file as it is going to be, so
// that the loader reads a rule in the form it will have before it is written.
type preview struct {
	load.Files
	name string // as rules.OS.Canon writes it
	text []byte
}

// worldWith is the world once changes are made: what they add to a file of a
// project counts, for permgate records what it writes.
func (e *env) worldWith(changes ...*change) gate.World {
	w := e.world
	for _, ch := range changes {
		name := e.world.OS.Canon(ch.name)
		w.Files = &preview{w.Files, name, ch.text}
		w.Writing = append(slices.Clip(w.Writing), gate.Writing{Name: name, Old: ch.old})
	}
	return w
}

// ReadFile returns the text the file will have.
func (v *preview) ReadFile(name string, max int64) ([]byte, error) {
	if name == v.name {
		return v.text, nil
	}
	return v.Files.ReadFile(name, max)
}

// Lstat describes a folder that will be there, too.
func (v *preview) Lstat(name string) (fs.FileInfo, error) {
	return v.info(name, v.Files.Lstat)
}

// Stat is Lstat that follows symlinks.
func (v *preview) Stat(name string) (fs.FileInfo, error) {
	return v.info(name, v.Files.Stat)
}

func (v *preview) info(name string, f func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	info, err := f(name)
	if errors.Is(err, fs.ErrNotExist) && name == path.Dir(v.name) {
		return v.Files.Stat(path.Dir(name))
	}
	return info, err
}

// keptAs is the name a file's backups begin with: its own, or, for a file of the
// project, one in the state folder: in the project they would be in the way of
// everybody who looks at it, and one git add from being committed.
func (e *env) keptAs(target string) string {
	p := e.policy(nil)
	file := e.world.OS.Canon(target)
	if !rules.Within(file, p.Project.Given) && !rules.Within(file, p.Project.Real) ||
		gate.SessionStoreProblem(&gate.Flags{}, e.world, p) != "" {
		return target
	}
	folder := fnv.New64a()
	folder.Write([]byte(filepath.Dir(file)))
	dir := filepath.Join(gate.StateDir(&gate.Flags{}, e.world), "backup",
		fmt.Sprintf("%s-%x", filepath.Base(p.Project.Given), folder.Sum64()))
	if os.MkdirAll(dir, 0o700) != nil {
		return target
	}
	return filepath.Join(dir, filepath.Base(target))
}
