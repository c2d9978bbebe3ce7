// Package profile proposes a first policy for a project: rules, the keys of
// permgate.json, and tests that say what they do. What belongs to one
// ecosystem is one literal; the files are made of those that a project shows.
package profile

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Profile is how much is allowed unasked.
type Profile struct{ Name, Doc string }

// Profiles are the profiles there are; the first is the default.
var Profiles = [...]Profile{
	{Starter, "building, testing and committing run without asking, project secrets stay unread; it adds no prompts"},
	{Strict, "only whole commands are allowed, without wildcards where project code would run; " +
		"network, installing and pushing ask"},
}

const (
	Starter = "starter"
	Strict  = "strict"
)

// A Part is what one ecosystem adds. A text with {} is repeated for every name
// that Each finds; one with {test} is used where the name test is found.
type Part struct {
	Name    string   // for people
	Files   []string // patterns of file names, one is enough; none: always
	Root    bool     // only files in the root of the project count, not those in its folders
	Unless  []string // patterns that show that another part is meant
	Each    func(root fs.FS, files []string) []string
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

// Groups returns the parts a project shows, under one profile. The first is
// about every project.
func Groups(root fs.FS, profile string) []Group {
	var out []Group
	files := manifests(root)
	for i := range parts {
		p := &parts[i]
		shown := p.shown(files, p.Files)
		if len(p.Files) > 0 && len(shown) == 0 || len(p.shown(files, p.Unless)) > 0 {
			continue
		}
		more := &p.Starter
		if profile == Strict {
			more = &p.Strict
		}
		var names []string
		if p.Each != nil {
			names = p.Each(root, files)
		}
		g := Group{p.Name, p.Comment, Lists{
			fill(p.Both.Allow, more.Allow, names), fill(p.Both.Ask, more.Ask, names),
			fill(p.Both.Deny, more.Deny, names), fill(p.Both.Tests, more.Tests, names),
		}}
		if g.rules() > 0 {
			out = append(out, g)
		}
	}
	return out
}

func (g *Group) rules() int { return len(g.Allow) + len(g.Ask) + len(g.Deny) }

// shown are the files whose name one of the patterns matches.
func (p *Part) shown(files, patterns []string) []string {
	var out []string
	for _, name := range files {
		if p.Root && strings.Contains(name, "/") {
			continue
		}
		for _, pattern := range patterns {
			if ok, _ := path.Match(pattern, path.Base(name)); ok { // the patterns are those of the table
				out = append(out, name)
				break
			}
		}
	}
	return out
}

// fill joins two lists and puts the names in.
func fill(both, more, names []string) []string {
	var out []string
	for _, text := range slices.Concat(both, more) {
		switch {
		case strings.Contains(text, "{test}"):
			if slices.Contains(names, "test") {
				out = append(out, strings.ReplaceAll(text, "{test}", "test"))
			}
		case !strings.Contains(text, "{}"):
			out = append(out, text)
		default:
			for _, name := range names {
				out = append(out, strings.ReplaceAll(text, "{}", name))
			}
		}
	}
	return out
}
