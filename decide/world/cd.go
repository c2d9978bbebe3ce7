package world

import (
	"encoding/base64"
	"path"
	"slices"
	"strings"
)

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
