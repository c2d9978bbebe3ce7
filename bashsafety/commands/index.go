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
		start := strings.LastIndexByte(indexText[:(from+to)/2], '\n') + 1
		line, _, _ := strings.Cut(indexText[start:], "\n")
		word, values, _ := strings.Cut(line, " ")
		switch order := strings.Compare(name, word); {
		case order < 0:
			to = start
		case order > 0:
			from = start + len(line) + 1
		default:
			of, bits, _ := strings.Cut(values, " ")
			n, _ := strconv.ParseUint(of, 10, 8)
			tables, _ := strconv.ParseUint(bits, 16, 32)
			return family(n), uint32(tables)
		}
	}
	return 0, 0
}
