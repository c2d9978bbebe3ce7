package lint

import (
	"cmp"
	_ "embed" // of the examples
	"strconv"
	"strings"
)

// An Example is a settings file that a check is about, alone in its world.
type Example struct {
	Text string // of the file
	At   string // what the finding underlines, as Text has it; "" for the top of the file
	// Fixed is the text after --fix; "" where the mistake cannot be mended by a machine.
	Fixed string
	// Exploit is the command the finding shows; "" for none.
	Exploit string
	// File is relative to the project, ~ or / (managed settings); "" is .claude/settings.json.
	File    string
	Tracked bool    // in the git index
	UID     int     // owner; 0 is the one it should be
	Loose   bool    // others may write to it
	Beside  []Other // what else there is
}

// Name is the file of the example.
func (x *Example) Name() string { return cmp.Or(x.File, ".claude/settings.json") }

// An Other is a further file of an example; a name that ends in / is a folder.
type Other struct{ Name, Text string }

// examples has a line for each: the id of a check, whether the check reports the file or lets it pass, and the text of
// the file, with tabs in between. Lines that begin with a tab say more of the example before them.
//
//go:embed examples.txt
var examples string

// Examples returns the files that the check must report, and look-alikes that it must leave alone.
func (c *Check) Examples() (reported, passed []Example) {
	var x *Example
	for line := range strings.Lines(examples) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		key, text, _ := strings.Cut(rest, "\t")
		if whole, err := strconv.Unquote(text); err == nil && strings.Contains(whole, "\n") {
			text = whole // of several lines, quoted as in Go
		}
		switch {
		case id == "" && x != nil:
			x.set(key, text)
		case id != c.ID:
			x = nil
		case key == "reported":
			reported = append(reported, Example{Text: text})
			x = &reported[len(reported)-1]
		default:
			passed = append(passed, Example{Text: text})
			x = &passed[len(passed)-1]
		}
	}
	return reported, passed
}

func (x *Example) set(key, text string) {
	switch key {
	case "file":
		x.File = text
	case "at":
		x.At = text
	case "fixed":
		x.Fixed = text
	case "exploit":
		x.Exploit = text
	case "tracked":
		x.Tracked = true
	case "owner":
		x.UID, _ = strconv.Atoi(text)
	case "loose":
		x.Loose = true
	default:
		x.Beside = append(x.Beside, Other{strings.TrimPrefix(key, "with "), text})
	}
}
