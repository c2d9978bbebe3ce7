package oracle

import (
	"hash/fnv"
	"io"
	"os"
	"path"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A fixture is what every run finds in /w. Its paths start with w/.
type fixture struct {
	cage  *Cage
	root  *os.Root // the cage's
	files []fixed
	was   map[string]state // as it was before the run
	made  map[string]bool  // directories the run made
	gid   int              // whose files they are; -1 where only the user's own group can be given
}

// A fixed file of the fixture: a directory when the name ends in a slash, a link when it has a target.
type fixed struct {
	name, data, link string
	mode             os.FileMode
}

// state is what can be changed of a file. The number of links is left out: it changes with another name.
type state struct {
	mode     uint32
	uid, gid uint32
	ino      uint64
	size     int64
	mtime    syscall.Timespec
	atime    syscall.Timespec
	ctime    syscall.Timespec // only says whether the content must be looked at again
	sum      uint64
	link     string
}

// longAgo is the time all files of the fixture have, so that a write of any kind shows.
var longAgo = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

// place makes the files that are missing.
func (f *fixture) place(t testing.TB) {
	t.Helper()
	for i := range f.files {
		if err := f.make(&f.files[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range slices.Backward(f.files) {
		if x.link == "" {
			if err := f.root.Chtimes(strings.TrimSuffix(x.name, "/"), longAgo, longAgo); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (f *fixture) make(x *fixed) error {
	at := strings.TrimSuffix(x.name, "/")
	if _, err := f.root.Lstat(at); err == nil {
		return nil
	}
	var err error
	switch {
	case x.link != "":
		err = f.root.Symlink(x.link, at)
	case strings.HasSuffix(x.name, "/"):
		err = f.root.Mkdir(at, 0o755)
	default:
		if err = f.root.WriteFile(at, []byte(x.data), 0o644); err == nil && x.mode != 0 {
			err = f.root.Chmod(at, x.mode)
		}
	}
	if err != nil {
		return err
	}
	return f.root.Lchown(at, f.cage.Uid, f.gid)
}

// look returns the state of every file in /w and /tmp. Contents are read where the state does not already
// show that they are those of old.
func (f *fixture) look(old map[string]state) (map[string]state, error) {
	now := make(map[string]state, len(f.files)+8)
	for _, top := range []string{"w", "tmp"} {
		if err := f.walk(top, old, now); err != nil {
			return nil, err
		}
	}
	return now, nil
}

func (f *fixture) walk(name string, old, now map[string]state) error {
	at := f.cage.Root + "/" + name
	var st syscall.Stat_t
	if err := syscall.Lstat(at, &st); err != nil {
		return err
	}
	s := state{mode: st.Mode, uid: st.Uid, gid: st.Gid, ino: st.Ino, size: st.Size, mtime: st.Mtim, atime: st.Atim, ctime: st.Ctim}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFDIR:
		s.size = 0
		now[name] = s
		os.Chmod(at, 0o755) // a run may have made it unreadable
		entries, err := os.ReadDir(at)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := f.walk(name+"/"+e.Name(), old, now); err != nil {
				return err
			}
		}
		if s.mode&0o7777 != 0o755 {
			syscall.Chmod(at, s.mode&0o7777)
		}
		return nil
	case syscall.S_IFLNK:
		s.link, _ = os.Readlink(at)
	case syscall.S_IFREG:
		o, ok := old[name]
		if s.sum = o.sum; !ok || o.ctime != s.ctime || o.ino != s.ino {
			s.sum = sum(at, s.mode)
		}
	}
	now[name] = s
	return nil
}

func sum(file string, mode uint32) uint64 {
	f, err := os.Open(file)
	if err != nil {
		return uint64(mode) // not readable for its owner; a test that is not root sees the mode
	}
	defer f.Close()
	h := fnv.New64a()
	io.Copy(h, f)
	return h.Sum64()
}

// changed lists the paths that are not as they were. The time of a directory changes with its entries, also
// with one that came and went, so it is left out: who sets it makes a call that is recorded.
func changed(was, now map[string]state) []string {
	var out []string
	for name, a := range was {
		b, ok := now[name]
		b.ctime = a.ctime
		if a.isDir() && b.isDir() {
			b.mtime = a.mtime
		}
		if !ok || a != b {
			out = append(out, name)
		}
	}
	for name := range now {
		if _, ok := was[name]; !ok {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// restore puts the fixture back after a run that changed these paths. It goes through an os.Root: a link that
// a run made must not lead out of the cage. What is above goes first.
func (f *fixture) restore(t testing.TB, paths []string) {
	t.Helper()
	for _, p := range paths {
		if p == "w" || p == "tmp" {
			f.root.Chmod(p, 0o777)
			f.root.Lchown(p, f.cage.Uid, f.gid)
			continue
		}
		if err := f.remove(p); err != nil {
			t.Fatal(err)
		}
	}
	if len(paths) > 0 {
		f.place(t)
		f.settle(t)
	}
}

// remove is os.RemoveAll, also of directories that no one may enter.
func (f *fixture) remove(name string) error {
	if st, err := f.root.Lstat(name); err != nil {
		return nil // gone with what was above
	} else if st.IsDir() {
		f.root.Chmod(name, 0o700)
		for _, e := range entries(f.root, name) {
			if err := f.remove(name + "/" + e); err != nil {
				return err
			}
		}
	}
	return f.root.Remove(name)
}

func entries(root *os.Root, name string) []string {
	d, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	return names
}

// settle takes the present state for the one before the next run.
func (f *fixture) settle(t testing.TB) {
	t.Helper()
	for _, dir := range []string{"w", "tmp"} {
		f.root.Chtimes(dir, longAgo, longAgo)
	}
	now, err := f.look(f.was)
	if err != nil {
		t.Fatal(err)
	}
	f.was = now
}

// resolve follows the links of the fixture in an absolute path of the cage, as the kernel would have before
// the run; what does not exist stays as it is.
func (f *fixture) resolve(p string) string {
	for range 20 {
		next := f.follow(p)
		if next == p {
			break
		}
		p = next
	}
	return p
}

// follow replaces the first link in a path.
func (f *fixture) follow(p string) string {
	parts := strings.Split(strings.TrimPrefix(p, "/"), "/")
	at := ""
	for i, part := range parts {
		if part == ".." {
			at = path.Dir("/" + at)[1:]
			continue
		}
		at = strings.TrimPrefix(at+"/"+part, "/")
		if s, ok := f.was[at]; ok && s.link != "" {
			target := s.link
			if !strings.HasPrefix(target, "/") {
				target = "/" + path.Dir(at) + "/" + target
			}
			return path.Clean(path.Join(append([]string{target}, parts[i+1:]...)...))
		}
	}
	return path.Clean("/" + at)
}
