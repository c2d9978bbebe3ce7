// Package fakefs is a file system in memory for tests and for the page of docs/try: it implements
// load.Files and world.FS, with owners, modes, symlinks, a git index and
// errors to order. Paths are absolute and slash-separated; it also takes those that package filepath of a Windows made.
package fakefs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"

	"github.com/permgate--owner/permgate/rules/gitindex"
)

// An FS is one tree. Its zero value is not ready; use New.
type FS struct {
	files map[string]*File
	// Reads counts the calls of ReadFile, found or not.
	Reads int
	// NoIndex: there is no git index; else it holds what is marked Tracked.
	NoIndex bool
}

// A File is one entry of the tree.
type File struct {
	Data    string
	Mode    fs.FileMode
	UID     int
	Target  string // of a symlink
	Tracked bool   // in the git index
	Dev     uint64 // number of the file system it is on
	Names   uint64 // hard links; 0 is one
	Err     error  // returned instead of reading the file or directory
	name    string
}

// New returns a tree of files, each with mode 0644 in directories of mode 0755, owned by root.
func New(files map[string]string) *FS {
	t := &FS{files: map[string]*File{"/": {Mode: fs.ModeDir | 0o755, name: "/"}}}
	for name, data := range files {
		t.Write(name, data)
	}
	return t
}

// Write adds a file and the directories above it, and returns it for changes.
func (t *FS) Write(name, data string) *File {
	return t.put(name, &File{Data: data, Mode: 0o644})
}

// Mkdir adds a directory and those above it, or returns the one that is there.
func (t *FS) Mkdir(name string) *File {
	name = clean(name)
	if f := t.files[name]; f != nil {
		return f
	}
	return t.put(name, &File{Mode: fs.ModeDir | 0o755})
}

// Link adds a symlink.
func (t *FS) Link(name, target string) *File {
	return t.put(name, &File{Target: target, Mode: fs.ModeSymlink | 0o777})
}

// Junction adds a junction of Windows, which is a link of another kind.
func (t *FS) Junction(name, target string) *File {
	return t.put(name, &File{Target: target, Mode: fs.ModeIrregular})
}

// Own gives name, and everything below it, to a user.
func (t *FS) Own(name string, uid int) {
	for p, f := range t.files {
		if p == name || strings.HasPrefix(p, name+"/") {
			f.UID = uid
		}
	}
}

// File returns the entry called name, or nil if none.
func (t *FS) File(name string) *File { return t.files[clean(name)] }

func clean(name string) string { return path.Clean(filepath.ToSlash(name)) }

func (t *FS) put(name string, f *File) *File {
	name = clean(name)
	t.Mkdir(path.Dir(name))
	f.name = path.Base(name)
	t.files[name] = f
	return f
}

// find walks to name as a kernel does; follow says whether a link at the end is followed.
func (t *FS) find(op, name string, follow bool) (*File, error) {
	fail := func(err error) (*File, error) { return nil, &fs.PathError{Op: op, Path: name, Err: err} }
	done, rest, links := "/", strings.TrimPrefix(clean(name), "/"), 0
	for rest != "" {
		part, after, _ := strings.Cut(rest, "/")
		rest = after
		if part == "" || part == "." {
			continue
		}
		if t.files[done].Mode&fs.ModeDir == 0 {
			return fail(syscall.ENOTDIR)
		}
		next := path.Join(done, part)
		f := t.files[next]
		if f == nil {
			return fail(fs.ErrNotExist)
		}
		if f.Target != "" && (rest != "" || follow) {
			if links++; links > 40 {
				return fail(syscall.ELOOP)
			}
			if rest = f.Target + "/" + rest; path.IsAbs(f.Target) {
				done = "/"
			}
			continue
		}
		done = next
	}
	return t.files[done], nil
}

// ReadFile returns a regular file of at most max bytes.
func (t *FS) ReadFile(name string, max int64) ([]byte, error) {
	t.Reads++
	f, err := t.find("open", name, true)
	switch {
	case err != nil:
		return nil, err
	case f.Err != nil:
		return nil, f.Err
	case !f.Mode.IsRegular():
		return nil, errors.New("not a regular file")
	case int64(len(f.Data)) > max:
		return nil, fmt.Errorf("larger than %d bytes", max)
	}
	return []byte(f.Data), nil
}

// ReadDir returns the names in a directory in name order.
func (t *FS) ReadDir(name string) ([]string, error) {
	f, err := t.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if f.Err != nil {
		return nil, f.Err
	}
	var names []string
	for p := range t.files {
		if p != "/" && t.files[path.Dir(p)] == f {
			names = append(names, path.Base(p))
		}
	}
	sort.Strings(names)
	return names, nil
}

// Lstat describes a file without following a symlink.
func (t *FS) Lstat(name string) (fs.FileInfo, error) { return t.info("lstat", name, false) }

// Stat describes a file.
func (t *FS) Stat(name string) (fs.FileInfo, error) { return t.info("stat", name, true) }

func (t *FS) info(op, name string, follow bool) (fs.FileInfo, error) {
	f, err := t.find(op, name, follow)
	if err != nil {
		return nil, err
	}
	return info{f}, nil
}

// Readlink returns the target of a symlink.
func (t *FS) Readlink(name string) (string, error) {
	f, err := t.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	if f.Target == "" {
		return "", syscall.EINVAL
	}
	return f.Target, nil
}

// Owner returns the numeric owner of a file.
func (t *FS) Owner(i fs.FileInfo) (int, bool) { return i.(info).UID, true }

// Device returns the number of the file system a file is on.
func (t *FS) Device(i fs.FileInfo) (uint64, bool) { return i.(info).Dev, true }

// Links is one: no file has two names.
func (t *FS) Links(i fs.FileInfo) (uint64, bool) { return max(1, i.(info).Names), true }

// Inode is unknown.
func (t *FS) Inode(fs.FileInfo) (uint64, time.Time, bool) { return 0, time.Time{}, false }

// OthersWrite reports whether group or world may write.
func (t *FS) OthersWrite(i fs.FileInfo) bool { return i.Mode().Perm()&0o022 != 0 }

// Unindexed is NoIndex, for every path.
func (t *FS) Unindexed(string) bool { return t.NoIndex }

// Tracked reports whether the entry at this very path is marked Tracked.
func (t *FS) Tracked(name string) bool {
	f := t.files[clean(name)]
	return f != nil && f.Tracked
}

type info struct{ *File }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(len(i.Data)) }
func (i info) Mode() fs.FileMode  { return i.File.Mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.File.Mode.IsDir() }
func (i info) Sys() any           { return nil }

// Remove takes an entry away, and all that is below it.
func (t *FS) Remove(name string) {
	for p := range t.files {
		if p == name || strings.HasPrefix(p, name+"/") {
			delete(t.files, p)
		}
	}
}

// Index writes the git index of the work tree at root: what is Tracked below it, as it is now.
func (t *FS) Index(root string) {
	var names []string
	for p, f := range t.files {
		if f.Tracked && strings.HasPrefix(p, root+"/") {
			names = append(names, p)
		}
	}
	sort.Strings(names)
	out := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x02"), uint32(len(names)))
	for _, p := range names {
		entry := make([]byte, 40)
		copy(entry[24:], "\x00\x00\x81\xa4") // a regular file, 0644
		id := gitindex.Blob([]byte(t.files[p].Data))
		entry = append(entry, id[:]...)
		rel := strings.TrimPrefix(p, root+"/")
		entry = binary.BigEndian.AppendUint16(entry, uint16(len(rel)))
		entry = append(append(entry, rel...), 0)
		for len(entry)%8 != 0 {
			entry = append(entry, 0)
		}
		out = append(out, entry...)
	}
	t.Write(path.Join(root, ".git/index"), string(append(out, make([]byte, 20)...)))
}
