package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Found is a file that a format keeps calls in.
type Found struct {
	Name    string
	Changed time.Time
}

// Find returns the files of a format below a home, the newest last.
func (f *Format) Find(home string, getenv func(string) string) []Found {
	var out []Found
	for _, pattern := range f.Files {
		dir := expand(pattern, home, getenv)
		if !filepath.IsAbs(dir) {
			continue
		}
		names, _ := filepath.Glob(filepath.FromSlash(dir))
		for _, name := range names {
			info, err := os.Stat(name)
			if err == nil && info.Mode().IsRegular() {
				out = append(out, Found{name, info.ModTime()})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Found) int { return a.Changed.Compare(b.Changed) })
	return out
}

// expand puts the home and the environment into a pattern: "${NAME:-DEFAULT}/..." and
// "~/...". A folder that a variable names is none of the pattern's: what is special
// to Glob is escaped. A variable that is no absolute path counts for nothing.
func expand(pattern, home string, getenv func(string) string) string {
	if rest, ok := strings.CutPrefix(pattern, "${"); ok {
		name, rest, _ := strings.Cut(rest, ":-")
		standard, rest, _ := strings.Cut(rest, "}")
		if dir := getenv(name); filepath.IsAbs(dir) {
			return escapeGlob(dir) + rest
		}
		pattern = standard + rest
	}
	if rest, ok := strings.CutPrefix(pattern, "~"); ok {
		pattern = escapeGlob(home) + rest
	}
	return pattern
}

func escapeGlob(dir string) string {
	if filepath.Separator == '\\' {
		return dir // Glob has no escapes there
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}
