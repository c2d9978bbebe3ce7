package profile

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// usual are the names of scripts and targets that build, test or look. Only
// these are taken from a project's files: a rule never holds any other text
// from there.
func usual(name string) bool {
	switch name {
	case "test", "tests", "unit", "coverage", "check", "lint", "vet", "build", "compile",
		"typecheck", "type-check", "types", "tsc", "format", "fmt":
		return true
	}
	return false
}

// sends are words of a script's name that say that something leaves the machine.
func sends(word string) bool {
	switch word {
	case "deploy", "publish", "release", "push", "upload", "send":
		return true
	}
	return false
}

// scriptName reports whether a script may be named in a rule: a usual name, or
// one with further words, such as test:unit or lint:fix.
func scriptName(name string) bool {
	words := strings.Split(name, ":")
	if !usual(words[0]) || len(name) > 40 {
		return false
	}
	for _, word := range words[1:] {
		if word == "" || strings.Trim(word, letters) != "" || slices.ContainsFunc(strings.Split(word, "-"), sends) {
			return false
		}
	}
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// most is how much of a file is read, mostNames how many names one part takes.
const (
	most      = 1 << 20
	mostNames = 16
)

// read returns the text of a regular file, nil where there is none.
func read(root fs.FS, name string) []byte {
	info, err := fs.Stat(root, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	text, _ := fs.ReadFile(root, name) // nothing is known then
	return text
}

// packageScripts returns the usual names under "scripts" of every package.json.
func packageScripts(root fs.FS, files []string) []string {
	var out []string
	for _, name := range files {
		if name != "package.json" && !strings.HasSuffix(name, "/package.json") {
			continue
		}
		text := read(root, name)
		if !gjson.ValidBytes(text) {
			continue
		}
		gjson.GetBytes(text, "scripts").ForEach(func(key, _ gjson.Result) bool {
			if scriptName(key.Str) && !slices.Contains(out, key.Str) {
				out = append(out, key.Str)
			}
			return len(out) < mostNames
		})
	}
	return out[:min(len(out), mostNames)]
}

// makeTargets returns the usual targets of the makefile that make would take.
func makeTargets(root fs.FS, _ []string) []string {
	var out []string
	for _, name := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
		text := read(root, name)
		if text == nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			names, rest, ok := strings.Cut(line, ":")
			if !ok || strings.HasPrefix(line, "\t") || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":=") {
				continue
			}
			for target := range strings.FieldsSeq(names) {
				if usual(target) && !slices.Contains(out, target) {
					out = append(out, target)
				}
			}
		}
		return out
	}
	return out
}
