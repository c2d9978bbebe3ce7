package remote

import (
	"slices"
	"strings"
	"testing"

	"permgate/internal/golden"
)

// TestDeletionIndex keeps index.go in step with the tables. A name that
// rows of several tables have gets a case of its own.
func TestDeletionIndex(t *testing.T) {
	keys, tables := golden.TableKeys(t, "remote.go", "deletionFamilies"), map[string]string{}
	for f, rows := range deletionFamilies {
		for i := range rows {
			if len(rows[i].verbs) == 0 && rows[i].fits == nil {
				t.Errorf("%s describes nothing", rows[i].programs)
			}
			for _, n := range indexed(&rows[i]) {
				if of := "1<<" + keys[f]; tables[n] == "" {
					tables[n] = of
				} else if !slices.Contains(strings.Split(tables[n], " | "), of) {
					tables[n] += " | " + of
				}
			}
			for n := range strings.FieldsSeq(rows[i].programs) {
				if strings.Contains(n, "*") && deletionsOf(n) != ^uint32(0) {
					t.Errorf("%s is found by no start of a name", n)
				}
			}
		}
	}
	var cases []golden.Case
	for f, rows := range deletionFamilies {
		for i := range rows {
			var own []string
			for _, n := range indexed(&rows[i]) {
				if of := tables[n]; of == "1<<"+keys[f] {
					own = append(own, n)
				} else if of != "" {
					cases = append(cases, golden.Case{Names: []string{n}, Result: of})
				}
				delete(tables, n)
			}
			if len(own) > 0 {
				cases = append(cases, golden.Case{Names: own, Result: "1 << " + keys[f]})
			}
		}
	}
	golden.Index(t, "index.go", "remote", `// deletionIndex returns the tables of deletions that name a program, a bit each.
func deletionIndex(name string) uint32 {`, cases, "0")
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
