package cli

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/gate/trust"
)

// exclude plans the line that keeps a person's own files out of the
// repository: a settings.local.json that git tracks may have come with a
// clone, so it grants nothing until it is trusted, and "git add -A" is all it
// takes. It is written where all work trees look. nil where git ignores the
// files already, or there is no repository that is the user's own.
func (e *env) exclude(project, root string) (*change, error) {
	at := trust.Locate(e.world.Files, e.world.OS, e.world.UID, project)
	if at.Repo == "" {
		return nil, nil
	}
	folder := path.Join(at.Folder, root)
	name := filepath.Join(filepath.FromSlash(at.Repo), "info", "exclude")
	if !inside(filepath.FromSlash(at.Repo), filepath.Dir(name)) {
		return nil, nil
	}
	for _, file := range [...]string{name, filepath.Join(filepath.FromSlash(at.Top), ".gitignore")} {
		if slices.ContainsFunc(strings.Split(string(readSmall(file)), "\n"), func(have string) bool {
			return ignores(have, folder)
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
	ch.text = []byte(text + "/" + folder + "/*.local.*\n")
	ch.readable("local")
	return ch, nil
}

// ignores reports whether a line of a .gitignore is known to name the local
// files of a settings folder. One that is not known only leads to a line more.
func ignores(line, folder string) bool {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "/"), "/")
	switch strings.TrimPrefix(line, "**/") {
	case path.Base(folder), "*.local.*":
		return true
	}
	return line == folder || line == folder+"/*" || line == folder+"/**" || line == folder+"/*.local.*"
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
