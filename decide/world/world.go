// Package world answers what a decision asks about paths and the disk: where a path
// leads, what it lies in, what is there. It knows the folders of the session and the
// disk, and neither rules nor what a call wants to do.
//
// A World belongs to one call: what it remembers would be a hole if it outlived it.
package world

import (
	"encoding/base64"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/load"
)

// An FS is the disk as a decision sees it. Only this package asks it.
type FS = load.Files

// A User is who runs the hook.
type User struct {
	ID   int    // numeric
	Home string // of the passwd entry; "" without one
	Temp string // $TMPDIR as it is; "" when unset
}

// Facts are what a World starts from.
type Facts struct {
	FS // nil where no disk can be asked
	// AnyDisk: the question is about rules, and what is not there now may be when a call is made.
	AnyDisk bool
	User    User
	// Environ lists the hook's environment, NAME=value, which the command will
	// have as well. Nil says nothing of it.
	Environ func() []string
	// Guarded lists permgate's own files: binary, state, settings; absolute. Only a call that writes asks for them.
	Guarded func() []string
	// Program is permgate's own file, "" where that is not known. Only a call that runs a program
	// by its path asks for it.
	Program func() string
}

// A World is what one call knows of paths and the disk.
type World struct {
	Facts
	OS                 rules.OS
	Cwd, Project, Home rules.Path
	// Dir is the folder the call runs in, where relative paths start.
	Dir string
	// Roots are the folders that writes may go to.
	Roots []rules.Path

	real      map[string]string // what Path said
	own       []string          // what Guarded said
	ownFolded []rules.Path      // see GateFilesFolded
	globs     globbing
	folders   int // how many folders Landed looked at
}

// New is the world of a call under a policy that runs in a folder; "" is that of the
// session.
func New(f Facts, p *rules.Policy, dir string) *World {
	w := &World{Facts: f, OS: p.OS, Cwd: p.Cwd, Project: p.Project, Home: p.Home, Dir: p.Cwd.Given}
	if dir != "" {
		w.Dir, _ = p.OS.Clean(dir, p.Cwd.Given, p.Home.Given)
	}
	return w
}

// Again is a world of the same facts under another policy that has not looked at anything
// yet. What the hook's environment says is not known in it.
func (w *World) Again(p *rules.Policy) *World {
	f := w.Facts
	f.Environ = nil
	again := New(f, p, "")
	again.Dir = w.Dir
	return again
}

// Names lists what is directly in a folder, in name order.
func (w *World) Names(dir string) ([]string, error) { return w.FS.ReadDir(dir) }

// Kept is what made returns, which says nothing but what the disk does: where that answers for one call, it is made once
// for all decisions of that call.
func (w *World) Kept(key string, made func() any) any {
	if k, ok := w.FS.(interface{ Kept(string, func() any) any }); ok {
		return k.Kept(key, made)
	}
	return made()
}

// Read returns a regular file of at most max bytes.
func (w *World) Read(name string, max int64) ([]byte, error) { return w.FS.ReadFile(name, max) }

// Parts gives parts of a regular file of at most max bytes, if the disk reads parts.
func (w *World) Parts(name string, max int64, use func(file io.ReaderAt, size int64)) bool {
	p, ok := w.FS.(load.Parted)
	return ok && p.Parts(name, max, use) == nil
}

// Readlink returns the target of a symlink.
func (w *World) Readlink(name string) (string, error) { return w.FS.Readlink(name) }

// Follow is where the kernel goes for a path: each symlink, and .. from where it leads.
func (w *World) Follow(name string) string { return load.Follow(w.FS, name) }

// Git finds the user's repositories.
func (w *World) Git() gitindex.Git { return load.Git(w.FS, w.OS, w.User.ID) }

// Blind reports whether there is no disk to ask.
func (w *World) Blind() bool { return w.FS == nil }

// ReplacesCd reports whether one of the last snapshots of a shell in a folder defines cd, or cannot be read.
func (w *World) ReplacesCd(dir string) bool {
	const last, most = 8, 1 << 20 // snapshots that are looked at, and their size
	names, err := w.Names(dir)
	if err != nil {
		_, err = w.Lstat(dir)
		return err == nil
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(afterShell(a), afterShell(b)) })
	return slices.ContainsFunc(names[max(0, len(names)-last):], func(name string) bool {
		text, err := w.Read(path.Join(dir, name), most)
		return err != nil || definesCd(string(text))
	})
}

// afterShell is the name of a snapshot without the shell it is of: what follows is the time it was made.
func afterShell(name string) string {
	name = strings.TrimPrefix(name, "snapshot-")
	_, made, _ := strings.Cut(name, "-")
	return made
}

// definesCd reports whether a text has a function or an alias named cd, or holds encoded what may be one.
func definesCd(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(line), " ")
		for _, start := range [...]string{"cd ()", "cd()", "cd () {", "function cd", "alias cd=", "alias -- cd=", "alias 'cd'="} {
			if strings.HasPrefix(line, start) {
				return true
			}
		}
	}
	parts := strings.Split(text, "base64 -d")
	for _, part := range parts[:len(parts)-1] {
		at := strings.LastIndex(part, "echo '")
		code, _, closed := strings.Cut(part[max(at, 0):], "' |")
		code = strings.TrimPrefix(code, "echo '")
		plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(code), ""))
		if at < 0 || !closed || err != nil || definesCd(string(plain)) {
			return true
		}
	}
	return false
}
