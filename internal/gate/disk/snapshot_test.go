package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/permgate--owner/permgate/rules/load"
)

var _ load.Files = (*Snapshot)(nil)

// answers is what a snapshot says of the files that TestSnapshot makes.
func answers(s load.Files, dir string) []string {
	var out []string
	add := func(values ...any) { out = append(out, fmt.Sprint(values...)) }
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	info, err := s.Lstat(file)
	add(info != nil && info.Size() == 1, err == nil)
	info, err = s.Stat(link)
	add(info != nil && info.Mode().IsRegular(), err == nil)
	data, err := s.ReadFile(file, 10)
	add(string(data), err == nil)
	data, err = s.ReadFile(file, 0)
	add(string(data), err)
	names, err := s.ReadDir(dir)
	add(names, err == nil)
	target, err := s.Readlink(link)
	add(filepath.Base(target), err == nil)
	add(s.Tracked(file), s.Unindexed(file))
	return out
}

// TestSnapshot: it says what the disk says, and goes on saying it until it has no room.
func TestSnapshot(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "x")
	if err := os.Symlink("file", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	s := &Snapshot{Files: Disk{}, Room: 64 << 10}
	before := answers(s, dir)
	if want := answers(Disk{}, dir); !reflect.DeepEqual(before, want) {
		t.Fatalf("%v\nwant %v", before, want)
	}
	for _, name := range [...]string{"file", "link"} {
		os.Remove(filepath.Join(dir, name))
	}
	os.Mkdir(filepath.Join(dir, ".git"), 0o700)
	write(t, filepath.Join(dir, ".git", "index"), "no index") // all counts as tracked
	if again := answers(s, dir); !reflect.DeepEqual(again, before) {
		t.Errorf("asked again: %v\nwant %v", again, before)
	}
	for i := range 1000 {
		s.Lstat(filepath.Join(dir, fmt.Sprint("none", i)))
	}
	after, want := answers(s, dir), answers(Disk{}, dir)
	if !reflect.DeepEqual(after, want) || reflect.DeepEqual(after, before) {
		t.Errorf("when all was forgotten: %v\nwant %v", after, want)
	}
}

// TestSnapshotOwn: what one caller does with an answer, no other one sees.
func TestSnapshotOwn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), "x")
	s := &Snapshot{Files: Disk{}, Room: 64 << 10}
	for range 2 {
		data, _ := s.ReadFile(filepath.Join(dir, "a"), 10)
		names, _ := s.ReadDir(dir)
		if string(data) != "x" || len(names) != 1 || names[0] != "a" {
			t.Fatalf("%q %v", data, names)
		}
		data[0], names[0] = 'y', "b"
	}
}

// TestSnapshotRoom: however many names are asked for, the room is enough.
func TestSnapshotRoom(t *testing.T) {
	s := &Snapshot{Files: Disk{}, Room: 256 << 10}
	most := s.Room / entrySize
	large := filepath.Join(t.TempDir(), "large")
	write(t, large, string(make([]byte, s.Room)))
	for i := range 100_000 {
		name := fmt.Sprint("/nowhere/", i)
		s.Lstat(name)
		if i%10 == 0 {
			s.Stat(name)
			s.ReadFile(name, 10)
			s.ReadDir(name)
		}
		if i%1000 == 0 {
			s.ReadFile(large, 2*int64(s.Room))
		}
		if n := len(s.lstats) + len(s.others); n > most || s.taken > s.Room {
			t.Fatalf("%d answers and %d bytes are kept after %d names", n, s.taken, i)
		}
	}
	if len(s.lstats) == 0 {
		t.Error("nothing is kept")
	}
	for _, r := range s.others {
		if r.size() > s.Room/4 {
			t.Errorf("%d bytes of one file are kept", r.size())
		}
	}
}

// TestUnindexed: which git index tells of a file.
func TestUnindexed(t *testing.T) {
	write := func(t *testing.T, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		make func(t *testing.T, dir string)
		want bool
	}{
		"no git":          {func(t *testing.T, dir string) {}, true},
		"index":           {func(t *testing.T, dir string) { write(t, dir+"/p/.git/index", "x") }, false},
		"index is gone":   {func(t *testing.T, dir string) { write(t, dir+"/p/.git/HEAD", "x") }, true},
		"above":           {func(t *testing.T, dir string) { write(t, dir+"/.git/index", "x") }, false},
		"gone, one above": {func(t *testing.T, dir string) { write(t, dir+"/.git/index", "x"); write(t, dir+"/p/.git/HEAD", "x") }, true},
		"no gitdir":       {func(t *testing.T, dir string) { write(t, dir+"/p/.git", "x") }, true},
		"another's": {func(t *testing.T, dir string) {
			write(t, dir+"/o/.git/index", "x")
			write(t, dir+"/p/.git", "gitdir: ../o/.git\n")
		}, true},
		"work tree":           {func(t *testing.T, dir string) { tree(t, write, dir, dir+"/p/.git") }, false},
		"another's work tree": {func(t *testing.T, dir string) { tree(t, write, dir, dir+"/q/.git"); write(t, dir+"/q/.git", "x") }, true},
		"submodule": {func(t *testing.T, dir string) {
			write(t, dir+"/.git/index", "x")
			write(t, dir+"/.git/modules/p/index", "x")
			write(t, dir+"/p/.git", "gitdir: ../.git/modules/p\n")
		}, false},
		"another's submodule": {func(t *testing.T, dir string) {
			write(t, dir+"/o/.git/modules/p/index", "x")
			write(t, dir+"/p/.git", "gitdir: ../o/.git/modules/p\n")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			tt.make(t, dir)
			file := dir + "/p/.claude/settings.local.json"
			if got, once := (Disk{}).Unindexed(file), (&Once{}).Unindexed(file); got != tt.want || once != tt.want {
				t.Errorf("%v, %v", got, once)
			}
		})
	}
}

func tree(t *testing.T, write func(*testing.T, string, string), dir, back string) {
	admin := dir + "/main/.git/worktrees/p"
	write(t, admin+"/index", "x")
	write(t, admin+"/commondir", "../..\n")
	write(t, admin+"/gitdir", back+"\n")
	write(t, dir+"/p/.git", "gitdir: "+admin+"\n")
}
