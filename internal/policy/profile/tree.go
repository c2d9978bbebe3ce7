package profile

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// How far manifests looks: a monorepo has its go.mod or package.json two or
// three folders down, and however large a repository is, init starts at once.
const (
	depth   = 3    // folders below the root
	entries = 4000 // names that are looked at in all
)

// manifests are the files of a project that may say what it is, the shallow
// ones first, and .git, as slash-separated names.
func manifests(root fs.FS) []string {
	var out []string
	left := entries
	level := []string{"."}
	for d := 0; d <= depth && len(level) > 0; d++ {
		var below []string
		for _, dir := range level {
			for _, entry := range list(root, dir, left) {
				left--
				name := path.Join(dir, entry.Name())
				switch {
				case entry.Name() == ".git":
					out = append(out, name)
				case entry.IsDir():
					if !others(entry.Name()) {
						below = append(below, name)
					}
				case regular(root, name, entry):
					out = append(out, name)
				}
			}
		}
		level = below
	}
	return out
}

// list returns at most n entries of a folder in name order.
func list(root fs.FS, dir string, n int) []fs.DirEntry {
	if n <= 0 {
		return nil
	}
	f, err := root.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil
	}
	found, _ := d.ReadDir(n) // what is there to be seen is enough
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return found
}

// regular reports whether an entry is a file, or a symlink to one.
func regular(root fs.FS, name string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	info, err := fs.Stat(root, name)
	return err == nil && info.Mode().IsRegular()
}

// others reports whether a folder holds what others wrote, or what was built.
func others(name string) bool {
	switch name {
	case "node_modules", "vendor", "third_party", "testdata", "fixtures", "target", "dist", "build", "out", "venv",
		"__pycache__", "site-packages":
		return true
	}
	return strings.HasPrefix(name, ".")
}
