package commands

import (
	_ "embed"
	"strconv"
	"strings"
)

// indexText is the index of all programs, which is generated: a walk over the tables would
// touch every page of them. Its lines are sorted; each holds a name, the number of the family,
// and in hexadecimal the tables of losses, a bit each.
//
//go:embed index.txt
var indexText string

// indexed looks a name up in the index. Both results are 0 for one it does not have.
func indexed(name string) (f family, losses uint32) {
	for from, to := 0, len(indexText); from < to; {
		start := (from + to) / 2
		for start > from && indexText[start-1] != '\n' {
			start--
		}
		line := indexText[start : start+strings.IndexByte(indexText[start:], '\n')]
		switch word := line[:strings.IndexByte(line, ' ')]; {
		case name < word:
			to = start
		case name > word:
			from = start + len(line) + 1
		default:
			of, bits, _ := strings.Cut(line[len(word)+1:], " ")
			n, _ := strconv.ParseUint(of, 10, 8)
			tables, _ := strconv.ParseUint(bits, 16, 32)
			return family(n), uint32(tables)
		}
	}
	return 0, 0
}
