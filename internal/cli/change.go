package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"permgate/internal/edit"
	"permgate/internal/term"
)

// A change is what one command wants to make of one file.
type change struct {
	name      string // as the user knows it
	target    string // the file it is, when name is a symlink
	old, text []byte // no text: the file goes
	mode      fs.FileMode
	backup    string
}

// load reads a settings file for a change.
func load(e *env, name string) (*change, *edit.Doc, error) {
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
	return " (the old text is in " + e.path(ch.backup) + ")"
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

// apply shows, asks and writes. done is false when nothing is to be reported
// any more: a dry run, a no, or an error.
func (e *env) apply(o *installOptions, changes ...*change) (done bool, code int) {
	var todo []*change
	for _, ch := range changes {
		if ch != nil && ch.changed() {
			todo = append(todo, ch)
		}
	}
	if o.dryRun {
		for _, ch := range todo {
			e.out.Write(ch.diff(e))
		}
		if len(todo) == 0 {
			fmt.Fprintln(e.out, "nothing to change")
		}
		return false, exitOK
	}
	if len(todo) == 0 {
		return true, exitOK
	}
	if !o.yes {
		for _, ch := range todo {
			e.out.Write(ch.diff(e))
		}
		switch yes, err := term.Confirm("write this?"); {
		case errors.Is(err, term.ErrNoTerminal):
			return false, e.fail("run it in a terminal, or add --yes; --dry-run only shows the change",
				"%s changes what will be asked, and there is no terminal to ask on", strings.TrimPrefix(e.cmd, "permgate "))
		case err != nil:
			return false, e.fail("", "%v", err)
		case !yes:
			return false, e.fail("", "nothing was changed")
		}
	}
	stamp := e.world.Now.Format("20060102150405")
	for _, ch := range todo {
		if len(ch.text) == 0 {
			if err := edit.Remove(ch.target, ch.old); err != nil {
				return false, e.failFile(err)
			}
			continue
		}
		if len(ch.old) > 0 {
			ch.backup = free(ch.target + ".bak-" + stamp)
		}
		if err := edit.Replace(ch.target, ch.old, ch.text, ch.mode, ch.backup); err != nil {
			return false, e.failFile(err)
		}
	}
	return true, exitOK
}

// free returns a name nobody has taken yet, for the second backup of a second.
func free(name string) string {
	for n, try := 2, name; ; n++ {
		if _, err := os.Lstat(try); err != nil {
			return try
		}
		try = fmt.Sprintf("%s-%d", name, n)
	}
}

// failFile reports an error about a file; nothing was written by it.
func (e *env) failFile(err error) int {
	hint := ""
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "managed files need sudo; for your own, look whether file and folder are yours and writable (ls -la)"
	default:
		hint = "correct the file and run the command again; this change was not written"
	}
	return e.fail(hint, "%v", err)
}
