package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules/load"
)

var _ load.Files = Disk{}

func write(t *testing.T, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("file"), "hello")
	write(t, at("empty"), "")
	write(t, at("big"), strings.Repeat("x", 101))
	write(t, at("full"), strings.Repeat("x", 100))
	for _, l := range [][2]string{{"file", "link"}, {"nowhere", "dangling"}, {"loop", "loop"}} {
		if err := os.Symlink(l[0], at(l[1])); err != nil {
			t.Skip("no symlinks here")
		}
	}
	for _, c := range []struct{ name, want, err string }{
		{"file", "hello", ""},
		{"empty", "", ""},
		{"link", "hello", ""},
		{"full", strings.Repeat("x", 100), ""},
		{"big", "", "larger than 100 bytes"},
		{"none", "", "no such file"},
		{"dangling", "", "no such file"},
		{"loop", "", "too many"},
		{"file/x", "", "not a directory"},
		{".", "", "not a regular file but a directory"},
	} {
		data, err := Disk{}.ReadFile(at(c.name), 100)
		if string(data) != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v; want %q, %q", c.name, data, err, c.want, c.err)
		}
	}
	if _, err := (Disk{}).ReadFile(at("none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file is %v", err)
	}
}

func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"b", "a", ".c"} {
		write(t, filepath.Join(dir, n), "")
	}
	names, err := Disk{}.ReadDir(dir)
	if strings.Join(names, " ") != ".c a b" || err != nil {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := (Disk{}).ReadDir(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent directory is %v", err)
	}
	if _, err := (Disk{}).ReadDir(filepath.Join(dir, "a")); err == nil || !strings.HasSuffix(err.Error(), "not a directory") && runtime.GOOS != "windows" {
		t.Errorf("a file is %v", err)
	}
	for i := range 300 { // more than are read at once
		write(t, filepath.Join(dir, fmt.Sprintf("%03d", i)+strings.Repeat("x", 100)), "")
	}
	if names, err := (Disk{}).ReadDir(dir); len(names) != 303 || !slices.IsSorted(names) || err != nil {
		t.Errorf("%d names, %v", len(names), err)
	}
}

func TestPasswdHome(t *testing.T) {
	file := filepath.Join(t.TempDir(), "passwd")
	write(t, file, "# comment\nroot:x:0:0:root:/root:/bin/sh\nshort:x:7\nrel:x:8:8::home:/bin/sh\nu:x:1000:1000:U,,,:/home/u:/bin/sh\nv:x:1000:1000::/home/v:\n")
	for uid, want := range map[int]string{0: "/root", 7: "", 8: "", 1000: "/home/u", 100: ""} {
		if got := passwdHome(file, uid); got != want {
			t.Errorf("%d: %q, want %q", uid, got, want)
		}
	}
	if got := passwdHome(file+"x", 0); got != "" {
		t.Errorf("without a file: %q", got)
	}
}

var _ load.Files = (*Once)(nil)

func TestOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	o := &Once{}
	if _, err := o.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	write(t, name, "x")
	if _, err := o.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Error("two answers for one name")
	}
	if _, err := o.Stat(name); err != nil {
		t.Error(err)
	}
	link := filepath.Join(filepath.Dir(name), "link")
	if os.Symlink(name, link) == nil {
		o.Lstat(link)
		if info, err := o.Stat(link); err != nil || !info.Mode().IsRegular() {
			t.Errorf("a link leads to %v, %v", info, err)
		}
	}
	dir := filepath.Dir(name)
	names, err := o.ReadDir(dir)
	slices.Reverse(names)
	write(t, filepath.Join(dir, "b"), "x")
	if same, err2 := o.ReadDir(dir); err != nil || err2 != nil || len(same) != len(names) || !slices.IsSorted(same) {
		t.Errorf("another answer to ReadDir: %v %v %v", same, err, err2)
	}
	for i := range 100 { // more than there is room for
		missing := filepath.Join(dir, fmt.Sprintf("m%d", i))
		o.Lstat(missing)
		write(t, missing, "x")
		if _, err := o.Lstat(missing); !errors.Is(err, fs.ErrNotExist) {
			t.Error("two answers for one name of many")
		}
	}
	if _, err := o.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the first answer is forgotten")
	}
	for want := range 2 {
		if got := o.Kept("k", func() any { return want }); got != 0 {
			t.Errorf("kept %v", got)
		}
	}
	again := &Once{}
	info, err := again.Lstat(name)
	os.Remove(name)
	if same, err2 := again.Lstat(name); err != nil || err2 != nil || same != info || info.Size() != 1 {
		t.Errorf("%v %v %v", info, err, err2)
	}
	if same, err := again.Stat(name); err != nil || same != info {
		t.Errorf("another answer to Stat: %v %v", same, err)
	}
}
