package commands

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/golden"
)

// TestLossIndex keeps index.go in step with the tables.
func TestLossIndex(t *testing.T) {
	keys := golden.TableKeys(t, "loss.go", "lossFamilies")
	var tables []golden.Table
	for f, rows := range lossFamilies {
		table := golden.Table{Key: "1<<" + keys[f]}
		for i := range rows {
			if len(rows[i].Verbs) == 0 && rows[i].fits == nil {
				t.Errorf("%s describes nothing", rows[i].Names)
			}
			table.Names = append(table.Names, indexed(&rows[i])...)
			for n := range strings.FieldsSeq(rows[i].Names) {
				if strings.Contains(n, "*") && LossesOf(n) != ^uint32(0) {
					t.Errorf("%s is found by no start of a name", n)
				}
			}
		}
		tables = append(tables, table)
	}
	golden.Bits(t, "loss_index.go", "commands", `// lossIndex returns the tables of deletions that name a program, a bit each.
func lossIndex(name string) uint32 {`, tables, "0")
}

// indexed are the names of a row that the index has: the others are found by their start.
func indexed(row *Loss) []string {
	var names []string
	for n := range strings.FieldsSeq(strings.ToLower(row.Names)) {
		if !strings.Contains(n, "*") {
			names = append(names, n)
		}
	}
	return names
}
