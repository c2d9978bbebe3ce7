package subcmd

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
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

// A Change is what one command wants to make of one file.
type Change struct {
	Name      string // as the user knows it
	Target    string // the file it is, when name is a symlink
	Old, Text []byte // no text: the file goes
	mode      fs.FileMode
	Backup    string
	What      []string // what it comes to, for a summary
}

// ReadForChange reads a settings file for a change.
func ReadForChange(e *Env, name string) (*Change, *edit.Doc, error) {
	ch, err := LoadText(name)
	if err != nil {
		return nil, nil, err
	}
	doc, err := edit.Parse(e.Path(name), ch.Old)
	return ch, doc, err
}

// LoadText reads a file that is only ever written or removed as a whole.
func LoadText(name string) (*Change, error) {
	target, old, mode, err := edit.Read(rules.NativeOS().Native(name))
	return &Change{Name: name, Target: target, Old: old, Text: old, mode: mode}, err
}

// Changed reports whether the file will have another text.
func (ch *Change) Changed() bool { return !bytes.Equal(ch.Old, ch.Text) }

// Readable lets everybody read a new file of a scope that is not one user's.
func (ch *Change) Readable(scope string) {
	if len(ch.Old) == 0 && scope != "user" {
		ch.mode = 0o644
	}
}

// Kept says where the old text is, for messages.
func (ch *Change) Kept(e *Env) string {
	if ch.Backup == "" {
		return ""
	}
	return " (backup: " + e.Path(ch.Backup) + ")"
}

func (ch *Change) diff(e *Env) []byte {
	old, now := e.Path(ch.Name), e.Path(ch.Name)
	if len(ch.Old) == 0 {
		old = "/dev/null"
	}
	if len(ch.Text) == 0 {
		now = "/dev/null"
	}
	return diff.Diff(old, ch.Old, now, ch.Text)
}

// PrintDiff prints a diff, which anybody's file may be in, without the characters that a terminal obeys.
func (e *Env) PrintDiff(text []byte) {
	for line := range strings.Lines(string(text)) {
		body := strings.TrimSuffix(line, "\n")
		end := line[len(body):]
		if cut, ok := strings.CutSuffix(body, "\r"); ok { // as files of Windows end every line
			body, end = cut, "\r"+end
		}
		fmt.Fprint(e.Machine(), EscapeBetween(body, "\t"), end)
	}
}

// EscapeBetween escapes what is between separators, which stay.
func EscapeBetween(text, separator string) string {
	parts := strings.Split(text, separator)
	for i := range parts {
		parts[i] = hookio.Escape(parts[i])
	}
	return strings.Join(parts, separator)
}

// WriteOptions are the options of every command that writes settings.
type WriteOptions struct {
	DryRun, Yes bool
	Summary     bool // changes are shown as what they come to, and as a diff only on request
	Diff        bool // that request
	NoBackup    bool // the old texts are not kept
	// first is called once with the changes before they are written, or shown only; nil for nothing.
	First func([]*Change)
}

// Register adds --dry-run and --yes.
func (o *WriteOptions) Register(fs *pflag.FlagSet) {
	fs.BoolVar(&o.DryRun, "dry-run", false, "print the change as a diff and write nothing")
	fs.BoolVar(&o.Yes, "yes", false, "do not ask on the terminal")
}

// tries is how often a change is worked out again because others write too.
const tries = 20

// Write works a change out and applies it. With --yes it is worked out again when others changed a file meanwhile,
// now with its folder locked, so that each of many processes gets its turn.
func (e *Env) Write(o *WriteOptions, plan func() ([]*Change, error)) (done bool, code int) {
	var todo []*Change
	for n := 1; ; n++ {
		release, err := hold(todo)
		if err != nil {
			return false, e.FailFile(err)
		}
		defer release()
		changes, err := plan()
		if err != nil {
			return false, e.FailFile(err)
		}
		todo = Changed(changes)
		if done, code, err = e.try(o, changes); err == nil {
			return done, code
		}
		if !o.Yes || n == tries || !errors.Is(err, edit.ErrChanged) {
			return false, e.FailFile(err)
		}
	}
}

// Apply is write for a change that is worked out once.
func (e *Env) Apply(o *WriteOptions, changes ...*Change) (done bool, code int) {
	done, code, err := e.try(o, changes)
	if err != nil {
		return false, e.FailFile(err)
	}
	return done, code
}

// try shows, asks and writes. done is false after a dry run or a no; err is about a file.
func (e *Env) try(o *WriteOptions, changes []*Change) (done bool, code int, err error) {
	todo := Changed(changes)
	if o.DryRun {
		e.show(o, todo)
		o.tryFirst(todo)
		switch {
		case len(todo) == 0:
			fmt.Fprintln(e.Out, "nothing to change")
		case o.Summary && !o.Diff:
			fmt.Fprintln(e.Out, "nothing written; --diff shows every line")
		}
		return false, ExitOK, nil
	}
	if len(todo) == 0 {
		return true, ExitOK, nil
	}
	if !o.Yes {
		e.show(o, todo)
	}
	o.tryFirst(todo)
	if !o.Yes {
		if code := e.asks(o, todo); code != ExitOK {
			return false, code, nil
		}
	}
	release, err := hold(todo)
	if err != nil {
		return false, ExitError, err
	}
	defer release()
	for _, ch := range todo {
		if len(ch.Text) == 0 {
			if err := edit.Remove(ch.Target, ch.Old); err != nil {
				return false, ExitError, err
			}
			continue
		}
		if len(ch.Old) > 0 && !o.NoBackup {
			ch.Backup = edit.Backup(e.KeptAs(ch.Target), e.World.Now)
		}
		if err := e.Replace(ch); err != nil {
			return false, ExitError, err
		}
	}
	return true, ExitOK, nil
}

// tryFirst says what changes would come to, once: a change may be worked out again.
func (o *WriteOptions) tryFirst(todo []*Change) {
	if first := o.First; first != nil && len(todo) > 0 {
		o.First = nil
		first(todo)
	}
}

// Changed are the changes that change something.
func Changed(changes []*Change) (todo []*Change) {
	for _, ch := range changes {
		if ch != nil && ch.Changed() {
			todo = append(todo, ch)
		}
	}
	return todo
}

func hold(todo []*Change) (release func(), err error) {
	var dirs []string
	for _, ch := range todo {
		dirs = append(dirs, filepath.Dir(ch.Target))
	}
	return edit.Hold(dirs...)
}

// Confirmed asks, unless --yes has answered.
func (o *WriteOptions) Confirmed(e *Env, question string) int {
	if o.Yes {
		return ExitOK
	}
	return e.confirm(question)
}

// confirm asks on the controlling terminal and reports everything but a yes.
func (e *Env) confirm(question string, keys ...term.Key) int {
	yes, err := term.Confirm(question, keys...)
	if err == nil && !yes {
		err = io.EOF
	}
	return e.Answered(err, "run it in a terminal, or add --yes; --dry-run only shows the change", "confirm on")
}

// Answered reports a question that was not answered, io.EOF being a no. hint and use are for where there is no
// terminal: what to do, and what it is needed for.
func (e *Env) Answered(err error, hint, use string) int {
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, term.ErrNoTerminal):
		return e.Fail(hint, "%s changes what is asked about, and there is no terminal to %s",
			strings.TrimPrefix(e.Cmd, "permgate "), use)
	case errors.Is(err, io.EOF):
		return e.Fail("", "nothing was changed")
	}
	return e.Fail("", "%v", err)
}

// FailFile reports an error about a file; nothing was written by it.
func (e *Env) FailFile(err error) int {
	hint := "fix the file and run the command again; this change was not written"
	if errors.Is(err, fs.ErrPermission) {
		hint = "managed files need sudo; for your own, check that file and folder are yours and writable (ls -la)"
		if windows {
			hint = "managed files need a terminal that was opened as administrator; your own must be ones that you can write to"
		}
	}
	return e.Fail(hint, "%v", err)
}

// show prints what is about to be written: the diff, or a summary with the diff only on request.
func (e *Env) show(o *WriteOptions, todo []*Change) {
	if o.Summary {
		for _, ch := range todo {
			e.summary(ch)
		}
	}
	if !o.Summary || o.Diff {
		e.diffs(todo)
	}
}

func (e *Env) diffs(todo []*Change) {
	for _, ch := range todo {
		e.PrintDiff(ch.diff(e))
	}
}

func (e *Env) summary(ch *Change) {
	state := ""
	switch {
	case len(ch.Text) == 0:
		state = "  (removed)"
	case len(ch.Old) == 0:
		state = "  (new file)"
	}
	fmt.Fprintf(e.Out, "%s%s\n", e.Path(ch.Name), state)
	for _, line := range ch.What {
		e.Wrapped("    ", line)
	}
	if len(ch.What) == 0 && state == "" {
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
		fmt.Fprintf(e.Out, "    %s more, %d fewer\n", Plural(added, "line", "lines"), gone)
	}
}

// asks has a change confirmed; after a summary, d shows the diff.
func (e *Env) asks(o *WriteOptions, todo []*Change) int {
	if !o.Summary || o.Diff {
		return e.confirm("write this?")
	}
	return e.confirm("write this?", term.Key{Letter: "d", Does: "shows the diff", Do: func() { e.diffs(todo) }})
}

// A Preview is the file system with one settings file as it is going to be.
type Preview struct {
	load.Files
	Name string // as rules.OS.Canon writes it
	Text []byte
}

// WorldWith is the world once changes are made. What they grant counts: permgate records what it writes.
func (e *Env) WorldWith(changes ...*Change) gate.World {
	w := e.World
	for _, ch := range changes {
		name := e.World.OS.Canon(ch.Name)
		w.Files = &Preview{w.Files, name, ch.Text}
		w.Writing = append(slices.Clip(w.Writing), gate.Writing{Name: name, Old: ch.Old})
	}
	return w
}

// ReadFile returns the text the file will have, by each of its names.
func (v *Preview) ReadFile(name string, max int64) ([]byte, error) {
	if name == v.Name || path.Base(name) == path.Base(v.Name) && load.Resolve(v.Files, name) == v.Name {
		return v.Text, nil
	}
	return v.Files.ReadFile(name, max)
}

// Kept is that of the files below: what is kept is not about settings.
func (v *Preview) Kept(key string, made func() any) any {
	if k, ok := v.Files.(interface{ Kept(string, func() any) any }); ok {
		return k.Kept(key, made)
	}
	return made()
}

// Lstat describes a folder that will be there, too.
func (v *Preview) Lstat(name string) (fs.FileInfo, error) {
	return v.info(name, v.Files.Lstat)
}

// Stat is Lstat that follows symlinks.
func (v *Preview) Stat(name string) (fs.FileInfo, error) {
	return v.info(name, v.Files.Stat)
}

func (v *Preview) info(name string, f func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	info, err := f(name)
	if errors.Is(err, fs.ErrNotExist) && name == path.Dir(v.Name) {
		return v.Files.Stat(path.Dir(name))
	}
	return info, err
}

// KeptAs is what the names of a file's backups begin with: its own name, or for a file of the project one in the
// state folder, where no one commits it.
func (e *Env) KeptAs(target string) string {
	p := e.Policy(nil)
	file := e.World.OS.Canon(target)
	if !rules.Within(file, p.Project.Given) && !rules.Within(file, p.Project.Real) ||
		gate.SessionStoreProblem(&gate.Flags{}, e.World, p) != "" {
		return target
	}
	folder := fnv.New64a()
	folder.Write([]byte(filepath.Dir(file)))
	dir := filepath.Join(gate.StateDir(&gate.Flags{}, e.World), "backup",
		fmt.Sprintf("%s-%x", filepath.Base(p.Project.Given), folder.Sum64()))
	if os.MkdirAll(dir, 0o700) != nil {
		return target
	}
	return filepath.Join(dir, filepath.Base(target))
}
