package commands

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestIndex keeps index.go in step with the tables.
func TestIndex(t *testing.T) {
	seen := map[string]bool{}
	var tables []golden.Table
	for f, key := range golden.TableKeys(t, "command.go", "families") {
		table := golden.Table{Key: key}
		for i := range families[f+1] {
			for n := range strings.FieldsSeq(families[f+1][i].Names) {
				if seen[n] {
					t.Errorf("%s is in two entries", n)
				}
				seen[n] = true
				table.Names = append(table.Names, n)
			}
		}
		tables = append(tables, table)
	}
	golden.Bits(t, "index.go", "commands", `// index returns the family of a program, noFamily for one that no table has.
func index(name string) family {`, tables, "noFamily")
}
