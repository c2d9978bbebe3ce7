package profile

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

// A Policy is a proposal for one project.
type Policy struct {
	Profile string
	Groups  []Group
}

// For returns the proposal for the project in root.
func For(root fs.FS, profile string) *Policy { return &Policy{profile, Groups(root, profile)} }

// Names are the ecosystems that were found.
func (p *Policy) Names() string {
	var out []string
	for _, g := range p.Groups[1:] { // the first is about every project
		out = append(out, g.Name)
	}
	return strings.Join(out, ", ")
}

// A Rule is one entry of a list.
type Rule struct {
	List rules.List
	Text string
}

// Rules returns all rules, list by list.
func (p *Policy) Rules() []Rule {
	var out []Rule
	for _, l := range [...]rules.List{rules.Allow, rules.Ask, rules.Deny} {
		for i := range p.Groups {
			for _, text := range p.Groups[i].list(l) {
				out = append(out, Rule{l, text})
			}
		}
	}
	return out
}

func (g *Group) list(l rules.List) []string {
	switch l {
	case rules.Allow:
		return g.Allow
	case rules.Ask:
		return g.Ask
	}
	return g.Deny
}

// Has reports whether a rule is one of the group's.
func (g *Group) Has(r Rule) bool { return slices.Contains(g.list(r.List), r.Text) }

// Settings is the text of settings.json. plain makes comments members, which no program drops.
func (p *Policy) Settings(plain bool) []byte {
	var b strings.Builder
	about := []string{
		"Deny overrides ask, ask overrides allow.",
		"From the profile " + p.Profile + ", permgate init; permgate test checks that it still holds.",
		"To change it: permgate rules add and permgate rules remove; --scope names the file.",
	}
	b.WriteString("{\n")
	if plain {
		for _, g := range p.Groups {
			for _, l := range [...]rules.List{rules.Allow, rules.Ask, rules.Deny} {
				if len(g.list(l)) > 0 {
					about = append(about, g.Name+": "+g.about(l)+".")
				}
			}
		}
		b.WriteString("  \"//\": [\n    " + quoted(about, ",\n    ") + "\n  ],\n")
	} else {
		b.WriteString("  // " + strings.Join(about, "\n  // ") + "\n")
	}
	b.WriteString("  \"permissions\": {")
	if p.Profile == Strict {
		b.WriteString("\n    \"disableBypassPermissionsMode\": \"disable\",")
	}
	comma := "\n"
	for _, l := range [...]rules.List{rules.Allow, rules.Ask, rules.Deny} {
		if text := p.list(l, plain); text != "" {
			b.WriteString(comma + "    \"" + l.String() + "\": [\n" + text + "\n    ]")
			comma = ",\n"
		}
	}
	b.WriteString("\n  }\n}\n")
	return []byte(b.String())
}

// about is the comment above what a group has in one list.
func (g *Group) about(l rules.List) string {
	switch {
	case l == rules.Ask:
		return "asks about what reaches the network, installs, commits or runs other code"
	case l == rules.Deny && slices.Contains(g.Deny, "Bash(sudo:*)"):
		return "denies sudo, and " + g.Comment
	case l == rules.Deny:
		return "denies " + g.Comment
	}
	return g.Comment
}

// list is the inside of one list, group by group.
func (p *Policy) list(l rules.List, plain bool) string {
	var b strings.Builder
	comma := ""
	for i := range p.Groups {
		g := &p.Groups[i]
		texts := g.list(l)
		if len(texts) == 0 {
			continue
		}
		b.WriteString(comma)
		if !plain {
			b.WriteString("      // " + g.Name + ": " + g.about(l) + "\n")
		}
		b.WriteString("      " + quoted(texts, ",\n      "))
		comma = ",\n"
	}
	return b.String()
}

// Tests is the text of the file of tests; gate is set where permgate.json is that of Gate.
func (p *Policy) Tests(gate bool) []byte {
	var b strings.Builder
	b.WriteString(`# What these rules lead to: one call a line, run by permgate test.
# A line is EXPECT TOOL ARGUMENT; permgate help test says what else there is.
@mode default
`)
	for _, g := range p.Groups {
		if len(g.Tests) > 0 {
			fmt.Fprintf(&b, "\n# %s: %s\n%s\n", g.Name, g.Comment, strings.Join(g.Tests, "\n"))
		}
	}
	if gate {
		b.WriteString("\n# permgate.json: destructive commands, secrets, unwanted addresses\n")
		b.WriteString(strings.Join(gateTests[:], "\n") + "\n")
	}
	return []byte(b.String())
}

// Keep drops the rules and the tests that the functions say no to; nil keeps all.
func (p *Policy) Keep(rule func(Rule) bool, test func(line string) bool) {
	for i := range p.Groups {
		g := &p.Groups[i]
		if rule != nil {
			g.Allow = slices.DeleteFunc(g.Allow, func(text string) bool { return !rule(Rule{rules.Allow, text}) })
			g.Ask = slices.DeleteFunc(g.Ask, func(text string) bool { return !rule(Rule{rules.Ask, text}) })
			g.Deny = slices.DeleteFunc(g.Deny, func(text string) bool { return !rule(Rule{rules.Deny, text}) })
		}
		if test != nil {
			g.Tests = slices.DeleteFunc(g.Tests, func(line string) bool { return !test(line) })
		}
	}
}

func quoted(texts []string, sep string) string {
	var out []string
	for _, t := range texts {
		out = append(out, edit.Quote(t))
	}
	return strings.Join(out, sep)
}

// fold breaks a text at blanks.
func fold(text string, width int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			out = append(out, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(out, line)
}

// How far manifests looks: a monorepo has its go.mod or package.json below, and init starts at once even there.
const (
	depth   = 3    // folders below the root
	entries = 4000 // names that are looked at in all
)

// manifests are the files that may say what a project is, shallow ones first, and .git.
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
