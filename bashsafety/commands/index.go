package commands

import (
	_ "embed"
	"strconv"
	"strings"
)

// indexText is the index of all programs, which is generated: a walk over the tables would
// touch every page of them. Its lines are sorted; each holds a name, the number of the family
// and of the row in it, and in hexadecimal the tables of losses, a bit each.
//
//go:embed index.txt
var indexText string

// indexed looks a name up in the index. All results are 0 for one it does not have.
func indexed(name string) (f family, row uint16, losses uint32) {
	if strings.IndexByte(name, ' ') >= 0 {
		return 0, 0, 0
	}
	for from, to := 0, len(indexText); from < to; {
		start := (from + to) / 2
		for start > from && indexText[start-1] != '\n' {
			start--
		}
		line := indexText[start:] // compared as a whole: a blank comes before what a longer name goes on with
		switch rest, same := strings.CutPrefix(line, name); {
		case same && rest != "" && rest[0] == ' ':
			line, _, _ = strings.Cut(rest[1:], "\n")
			of, line, _ := strings.Cut(line, " ")
			at, bits, _ := strings.Cut(line, " ")
			n, _ := strconv.ParseUint(of, 10, 8)
			k, _ := strconv.ParseUint(at, 10, 16)
			tables, _ := strconv.ParseUint(bits, 16, 32)
			return family(n), uint16(k), uint32(tables)
		case name < line:
			to = start
		default:
			from = start + strings.IndexByte(line, '\n') + 1
		}
	}
	return 0, 0, 0
}
