package commands

import (
	"cmp"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestLossIndex keeps index.go in step with the tables.
func TestLossIndex(t *testing.T) {
	keys := append([]string{"inTable"}, golden.TableKeys(t, "loss.go", "lossFamilies")...)
	tables := make([]golden.Table, len(keys))
	add := func(of LossFamily, row *Loss, names string) {
		if len(row.Verbs) == 0 && row.fits == nil {
			t.Errorf("%s describes nothing", names)
		}
		for n := range strings.FieldsSeq(strings.ToLower(names)) {
			if !strings.Contains(n, "*") {
				tables[of].Names = append(tables[of].Names, n)
			} else if LossesOf(n) != ^uint32(0) {
				t.Errorf("%s is found by no start of a name", n)
			}
		}
	}
	for of, rows := range lossFamilies {
		tables[of].Key = "1<<" + keys[of]
		for i := range rows {
			add(LossFamily(of), &rows[i], rows[i].Names)
		}
	}
	for _, m := range All() {
		for i, rows := 0, m.Rare().Losses; i < len(rows); i++ {
			if rows[i].Of == inTable {
				t.Errorf("a loss of %s is of no family", m.Names)
			}
			add(rows[i].Of, &rows[i], cmp.Or(rows[i].Names, m.Names))
		}
	}
	golden.Bits(t, "loss_index.go", "commands", `// lossIndex returns the tables of deletions that name a program, a bit each.
func lossIndex(name string) uint32 {`, tables[1:], "0")
}
