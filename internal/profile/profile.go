// Package profile proposes a first policy for a project: rules, the keys of
// permgate.json, and tests that say what they do. What belongs to one
// ecosystem is one literal; the files are made of those that a project shows.
package profile

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// A Profile is how much is allowed unasked.
type Profile struct{ Name, Doc string }

// Profiles are the profiles there are; the first is the default.
var Profiles = [...]Profile{
	{Starter, "what a day's work needs runs unasked: building, testing, looking around; installing and sending is asked about"},
	{Strict, "only whole commands are allowed, none with a wildcard where code of the project would run; network and installing are asked about"},
}

const (
	Starter = "starter"
	Strict  = "strict"
)

// A Part is what one ecosystem adds. Texts with {} stand once for every name
// that Each finds, and not at all where it finds none.
type Part struct {
	Name    string   // for people
	Files   []string // patterns in the root of the project, one is enough; none: always
	Unless  []string // patterns that show that another part is meant
	Each    func(fs.FS) []string
	Comment string // above its rules and tests
	Both    Lists
	Starter Lists
	Strict  Lists
}

// Lists are rules, and tests of them in the form of permissions.test.
type Lists struct{ Allow, Ask, Deny, Tests []string }

// A Group is what one part adds to the files of one project.
type Group struct {
	Name, Comment string
	Lists
}

// Groups returns the parts a project shows, under one profile.
func Groups(root fs.FS, profile string) []Group {
	var out []Group
	for i := range parts {
		p := &parts[i]
		if len(p.Files) > 0 && !holds(root, p.Files) || holds(root, p.Unless) {
			continue
		}
		more := &p.Starter
		if profile == Strict {
			more = &p.Strict
		}
		var names []string
		if p.Each != nil {
			names = p.Each(root)
		}
		g := Group{p.Name, p.Comment, Lists{
			fill(p.Both.Allow, more.Allow, names), fill(p.Both.Ask, more.Ask, names),
			fill(p.Both.Deny, more.Deny, names), fill(p.Both.Tests, more.Tests, names),
		}}
		if len(g.Allow)+len(g.Ask)+len(g.Deny)+len(g.Tests) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// holds reports whether a regular file of one of the patterns is in the root.
func holds(root fs.FS, patterns []string) bool {
	for _, p := range patterns {
		names, _ := fs.Glob(root, p) // the patterns are those of the table
		for _, name := range names {
			if _, err := fs.Stat(root, name); err == nil {
				return true
			}
		}
	}
	return false
}

// fill joins two lists and puts the names in.
func fill(both, more, names []string) []string {
	var out []string
	for _, text := range slices.Concat(both, more) {
		if !strings.Contains(text, "{}") {
			out = append(out, text)
			continue
		}
		for _, name := range names {
			out = append(out, strings.ReplaceAll(text, "{}", name))
		}
	}
	return out
}

// usual are the names of scripts and targets that build, test or look. Only
// these are taken from a project's files: a rule never holds text from there.
func usual(name string) bool {
	switch name {
	case "test", "check", "lint", "build", "typecheck", "type-check", "format", "fmt", "vet", "unit":
		return true
	}
	return false
}

// most is how much of a file is read.
const most = 1 << 20

// read returns the text of a regular file, nil where there is none.
func read(root fs.FS, name string) []byte {
	info, err := fs.Stat(root, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	text, _ := fs.ReadFile(root, name) // nothing is known then
	return text
}

// packageScripts returns the usual names under "scripts" of package.json.
func packageScripts(root fs.FS) []string {
	var out []string
	text := read(root, "package.json")
	if !gjson.ValidBytes(text) {
		return nil
	}
	gjson.GetBytes(text, "scripts").ForEach(func(key, _ gjson.Result) bool {
		if usual(key.Str) && !slices.Contains(out, key.Str) {
			out = append(out, key.Str)
		}
		return true
	})
	return out
}

// makeTargets returns the usual targets of the makefile that make would take.
func makeTargets(root fs.FS) []string {
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
