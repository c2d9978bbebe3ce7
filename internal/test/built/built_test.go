package built

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestOnce: whoever asks at the same time gets the same program, and one that is there is not built again.
func TestOnce(t *testing.T) {
	dir := t.TempDir()
	noop := func() (string, error) { return buildIn(dir, "testdata/bench/noop", release(nil)...) }
	var names [4]string
	var all sync.WaitGroup
	for i := range names {
		all.Go(func() {
			var err error
			if names[i], err = noop(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	info, err := os.Stat(names[0])
	if err != nil {
		t.Fatal(err)
	}
	names[1], err = noop()
	again, statErr := os.Stat(names[1])
	if err != nil || statErr != nil || !os.SameFile(info, again) || names[2] != names[0] || names[3] != names[0] {
		t.Errorf("%q, %v, %v", names, err, statErr)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("there are %q, not one program and the lock", left)
	}
}

// TestKey: a program has another name after a change of what it is built from, and no other.
func TestKey(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	key := func(args ...string) string {
		k, err := keyOf(root, ".", args)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	write("go.mod", "module x\n")
	write("main.go", "package main\n\n//go:embed page.css\nvar page string\n")
	write("page.css", "a")
	program, tests := key("build"), key("test")
	if program == tests || program == key("build", "-x") {
		t.Error("how it is built is no part of it")
	}
	for _, row := range []struct {
		name         string
		other, again bool // the program is another one; the test program is
	}{
		{"main.go", true, true}, {"page.css", true, true}, {"sub/a.go", true, true}, {"go.sum", true, true},
		{"main_test.go", false, true},
		{"sub/a_test.go", false, false}, {"testdata/x.go", false, false}, {"README.md", false, false}, {".git/x.go", false, false},
	} {
		if row.name == "main.go" {
			write(row.name, "package main\n\n//go:embed page.css\nvar sheet string\n")
		} else {
			write(row.name, "changed")
		}
		p, q := key("build"), key("test")
		if (p != program) != row.other || (q != tests) != row.again {
			t.Errorf("%s: another program %v, another test program %v", row.name, p != program, q != tests)
		}
		program, tests = p, q
	}
}
