package checks

import (
	_ "embed"
	"strconv"
	"strings"
)

// examples has a line for each: the id of a check, whether the check reports the
// command or lets it pass, and the command, with tabs in between.
//
//go:embed examples.tsv
var examples string

// Examples returns the commands that a check must report, and look-alikes that it
// must leave alone. In the file, a command of several lines is quoted as in Go.
func Examples(id string) (reported, passed []string) {
	for line := range strings.Lines(examples) {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), id+"\t")
		if !ok {
			continue
		}
		kind, command, _ := strings.Cut(rest, "\t")
		if text, err := strconv.Unquote(command); err == nil && strings.Contains(text, "\n") {
			command = text
		}
		if kind == "reported" {
			reported = append(reported, command)
		} else {
			passed = append(passed, command)
		}
	}
	return reported, passed
}
