package checks

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// assigns are the variables that take what a subcommand prints: those read sets,
// and the one whose value the substitution around it is.
func assigns(a *interp.Analysis, sub *interp.Subcommand) []string {
	switch sub.Program {
	case "read", "mapfile", "readarray":
		var names []string
		for i := range sub.Argv[1:] {
			if t := sub.Argv[1+i].Text; shell.ValidName(t) {
				names = append(names, t)
			}
		}
		return append(names, "REPLY", "MAPFILE")
	}
	if n := len(sub.Via); n == 0 || sub.Via[n-1] != "$()" && sub.Via[n-1] != "<()" {
		return nil
	}
	if name := assignedBefore(a.Text[:min(sub.Span.Start, len(a.Text))]); name != "" {
		return []string{name}
	}
	return assignedIn(a.Text[sub.Span.Start:sub.Span.End])
}

// assignedBefore returns the variable whose value begins with the substitution
// that a text ends in: x for x="a$(cat and for `for x in $(cat`.
func assignedBefore(text string) string {
	depth, at := 0, -1
	for i := len(text) - 1; i > 0 && at < 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				if text[i-1] != '$' && text[i-1] != '<' {
					depth = 0 // a subshell in the substitution
					continue
				}
				at = i - 1
			}
		case '`':
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	line := text[strings.LastIndexAny(text[:at], "\n;&|")+1 : at]
	if words := strings.Fields(line); len(words) > 2 && words[len(words)-1] == "in" && words[len(words)-3] == "for" {
		return words[len(words)-2]
	}
	for eq := strings.LastIndexByte(line, '='); eq > 0; eq = strings.LastIndexByte(line[:eq], '=') {
		start := eq
		if line[start-1] == '+' {
			start--
		}
		end := start
		for start > 0 && shell.NameByte(line[start-1]) {
			start--
		}
		begins := start == 0 || strings.IndexByte(" \t({\"'", line[start-1]) >= 0
		if name := line[start:end]; begins && shell.ValidName(name) {
			return name
		}
	}
	return ""
}

// assignedIn returns every variable that a text inside a word gives the output of
// a command: all commands in it have the place of the word.
func assignedIn(text string) []string {
	var names []string
	for i := 1; i+2 < len(text); i++ {
		if text[i] != '=' || !shell.StartsWithAny(strings.TrimLeft(text[i+1:], `"'\`), "$(", "`") {
			continue
		}
		start := i
		for start > 0 && shell.NameByte(text[start-1]) {
			start--
		}
		if name := text[start:i]; shell.ValidName(name) {
			names = append(names, name)
		}
	}
	return names
}
