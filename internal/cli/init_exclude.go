package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// exclude plans the line that keeps a person's own files out of the
// repository: a settings.local.json that git tracks may have come with a
// clone, so it grants nothing until it is trusted, and "git add -A" is all it
// takes. nil where git ignores them already, or there is no repository here.
func exclude(project, root string) (*change, error) {
	git := filepath.Join(project, ".git")
	if info, err := os.Lstat(git); err != nil || !info.IsDir() { // a worktree's file leads to a folder of others
		return nil, nil
	}
	line := "/" + root + "/*.local.*"
	name := filepath.Join(git, "info", "exclude")
	if !inside(project, filepath.Dir(name)) {
		return nil, nil
	}
	for _, file := range [...]string{name, filepath.Join(project, ".gitignore")} {
		if slices.ContainsFunc(strings.Split(string(readSmall(file)), "\n"), func(have string) bool {
			return ignores(have, root)
		}) {
			return nil, nil
		}
	}
	ch, err := loadText(name)
	if err != nil {
		return nil, err
	}
	text := string(ch.old)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	ch.text = []byte(text + line + "\n")
	ch.readable("local")
	return ch, nil
}

// ignores reports whether a line of a .gitignore is known to name the local
// files of a settings folder. One that is not known only leads to a line more.
func ignores(line, root string) bool {
	line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "**/"), "/")
	switch strings.TrimSuffix(line, "/") {
	case root, root + "/*", root + "/**", root + "/*.local.*", "*.local.*":
		return true
	}
	return false
}

// readSmall returns the text of a regular file of a usual size.
func readSmall(name string) []byte {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil
	}
	text, _ := os.ReadFile(name) // nothing is known then
	return text
}
