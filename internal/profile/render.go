package profile

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"permgate/rules"
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

// Settings is the text of settings.json. Where a reader of the file may drop it
// for its comments, as Claude Code does, plain is set: they are a member then.
func (p *Policy) Settings(plain bool) []byte {
	var b strings.Builder
	about := []string{
		"What agents may do in this project unasked, and what never: deny beats ask, ask beats allow.",
		"From the profile " + p.Profile + "; permissions.test beside this file says what it leads to.",
		"To change it: permgate rules add allow 'Bash(make test)', then permgate test and permgate lint.",
	}
	b.WriteString("{\n")
	if plain {
		for _, g := range p.Groups {
			about = append(about, g.Name+": "+g.Comment+".")
		}
		b.WriteString("  \"//\": [\n    " + strings.Join(quoted(about), ",\n    ") + "\n  ],\n")
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
			b.WriteString("      // " + g.Name + ": " + g.Comment + "\n")
		}
		b.WriteString("      " + strings.Join(quoted(texts), ",\n      "))
		comma = ",\n"
	}
	return b.String()
}

// Gate is the text of permgate.json.
func (p *Policy) Gate() []byte {
	var b strings.Builder
	b.WriteString(`{
  // What permgate does beside the rules of settings.json. A project's file can only tighten; what
  // loosens belongs into your own permgate.json, which permgate install writes:
`)
	var own []string
	for i := range rules.GateKeys {
		if k := &rules.GateKeys[i]; len(k.Loosen) > 0 && k.Name != "catastrophic" {
			own = append(own, k.Name)
		}
	}
	for _, line := range fold(strings.Join(own, ", "), 90) {
		b.WriteString("  //   " + line + "\n")
	}
	urls := metadata[:]
	about := "  // Addresses that hand out the credentials of a cloud machine.\n"
	if p.Profile == Strict {
		urls = append(urls[:len(urls):len(urls)], dumps[:]...)
		about = "  // Addresses that hand out the credentials of a cloud machine, and places to leave data at.\n"
	}
	fmt.Fprintf(&b, `
  // Commands that destroy a system are denied, not asked about.
  "catastrophic": "deny",

  // Secrets: no tool reads or changes these files, and no command does.
  "contentExclusion": [
    %s
  ],

%s  "urls": {
    "deny": [
      %s
    ]
  }
}
`, strings.Join(quoted(excluded[:]), ",\n    "), about, strings.Join(quoted(urls), ",\n      "))
	return []byte(b.String())
}

// Tests is the text of permissions.test; gate is set where permgate.json is that of Gate.
func (p *Policy) Tests(gate bool) []byte {
	var b strings.Builder
	b.WriteString(`# What this project's rules lead to: one call a line, run by permgate test.
# A line is EXPECT TOOL ARGUMENT; permgate help test says what else there is.
@mode default
`)
	for _, g := range p.Groups {
		if len(g.Tests) > 0 {
			fmt.Fprintf(&b, "\n# %s: %s\n%s\n", g.Name, g.Comment, strings.Join(g.Tests, "\n"))
		}
	}
	if !gate {
		return []byte(b.String())
	}
	b.WriteString("\n# permgate.json: what destroys a system, secrets, addresses nobody needs\n" + strings.Join(gateTests[:], "\n") + "\n")
	if p.Profile == Strict {
		b.WriteString(strings.Join(strictGateTests[:], "\n") + "\n")
	}
	return []byte(b.String())
}

func quoted(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		b, _ := json.Marshal(t) // a string always can
		out[i] = strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(b))
	}
	return out
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
