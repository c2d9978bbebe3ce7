// Package complete writes the completion scripts of shells for a tree of
// commands. The scripts hold everything they offer: completing a word starts
// no process. Options end at the first operand of a command that takes the words
// of another one, or a verb, as they do for permgate.
package complete

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// A Command is a program, one of its subcommands, or a verb of one.
type Command struct {
	Name, Help string
	Flags      []Flag
	Subs       []Command
	Operands   []*Values // by place; the last is that of all further ones; nil: nothing to offer
	Anywhere   bool      // options may follow operands
}

// A Flag is an option.
type Flag struct {
	Name, Short, Help string  // without dashes; Short is "" or one letter
	Takes             bool    // a value
	Values            *Values // what to offer as its value, nil for nothing
}

// Values is what one place of a command line takes. Its name is an identifier,
// and means the same values everywhere.
type Values struct {
	Name  string
	Words []Word
	Shell Shell // besides the words
}

// A Word is one value, letters, digits, dots, dashes and underscores only.
type Word struct{ Text, Help string }

// Shell is what a shell itself knows to complete.
type Shell uint8

const (
	Nothing Shell = iota
	Files
	Dirs
	Programs
)

// Shells are the shells there is a script for.
var Shells = [...]struct {
	Name  string
	Use   string // how the script gets to work
	Write func(io.Writer, *Command)
}{
	{"bash", `source <(permgate completion bash)`, Bash},
	{"zsh", `source <(permgate completion zsh)`, Zsh},
	{"fish", `permgate completion fish | source`, Fish},
}

// A node is a command with the words that lead to it.
type node struct {
	*Command
	path string
}

// walk returns the command and all below it, in the order of help.
func walk(c *Command, above string) []node {
	path := strings.TrimPrefix(above+" "+c.Name, " ")
	out := []node{{c, path}}
	for i := range c.Subs {
		out = append(out, walk(&c.Subs[i], path)...)
	}
	return out
}

// values returns everything that is offered anywhere, by name.
func values(nodes []node) []*Values {
	seen := map[string]*Values{}
	add := func(v *Values) {
		if v != nil {
			seen[v.Name] = v
		}
	}
	for _, n := range nodes {
		for _, v := range n.Operands {
			add(v)
		}
		for i := range n.Flags {
			add(n.Flags[i].Values)
		}
	}
	var out []*Values
	for _, v := range seen {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// anywhere returns the paths of the commands that take options after operands.
func anywhere(nodes []node) []string {
	var out []string
	for _, n := range nodes {
		if n.Anywhere {
			out = append(out, n.path)
		}
	}
	return out
}

// texts returns the words of v.
func (v *Values) texts() []string {
	var out []string
	for _, w := range v.Words {
		out = append(out, w.Text)
	}
	return out
}

// spelt returns a flag as it is typed: "--json", or "-f" and "--follow".
func (f *Flag) spelt() []string {
	out := []string{"--" + f.Name}
	if f.Short != "" {
		out = append(out, "-"+f.Short)
	}
	return out
}

// first cuts a help text to what fits next to a word of a list.
func first(help string) string {
	help, _, _ = strings.Cut(help, ";")
	return strings.Join(strings.Fields(help), " ")
}

// quote quotes a text for bash and zsh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// pattern joins texts to a pattern of case, in bash.
func pattern(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return strings.Join(quoted, " | ")
}

// printer returns a function that writes one line, indented by tabs.
func printer(w io.Writer) func(tabs int, format string, args ...any) {
	return func(tabs int, format string, args ...any) {
		fmt.Fprintf(w, strings.Repeat("\t", tabs)+format+"\n", args...)
	}
}
