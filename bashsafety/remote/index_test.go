package remote

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/golden"
)

// TestDeletionIndex keeps index.go in step with the tables.
func TestDeletionIndex(t *testing.T) {
	keys := golden.TableKeys(t, "remote.go", "deletionFamilies")
	var tables []golden.Table
	for f, rows := range deletionFamilies {
		table := golden.Table{Key: "1<<" + keys[f]}
		for i := range rows {
			if len(rows[i].verbs) == 0 && rows[i].fits == nil {
				t.Errorf("%s describes nothing", rows[i].programs)
			}
			table.Names = append(table.Names, indexed(&rows[i])...)
			for n := range strings.FieldsSeq(rows[i].programs) {
				if strings.Contains(n, "*") && deletionsOf(n) != ^uint32(0) {
					t.Errorf("%s is found by no start of a name", n)
				}
			}
		}
		tables = append(tables, table)
	}
	golden.Bits(t, "index.go", "remote", `// deletionIndex returns the tables of deletions that name a program, a bit each.
func deletionIndex(name string) uint32 {`, tables, "0")
}

// indexed are the names of a row that the index has: the others are found by their start.
func indexed(row *deletion) []string {
	var names []string
	for n := range strings.FieldsSeq(strings.ToLower(row.programs)) {
		if !strings.Contains(n, "*") {
			names = append(names, n)
		}
	}
	return names
}
