package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/golden"
)

// TestIndex keeps index.go in step with the tables.
func TestIndex(t *testing.T) {
	keys, seen := golden.TableKeys(t, "command.go", "families"), map[string]bool{}
	var cases []golden.Case
	for f, family := range families {
		for i := range family {
			for _, n := range strings.Fields(family[i].Names) {
				if seen[n] {
					t.Errorf("%s is in two entries", n)
				}
				seen[n] = true
			}
			names := strings.Fields(family[i].Names)
			cases = append(cases, golden.Case{Names: names, Result: fmt.Sprintf("%s, %q", keys[f-1], names[0])})
		}
	}
	golden.Index(t, "index.go", "commands", `// index returns the family of a program and the first name of its entry, noFamily for one that no table has.
func index(name string) (of family, first string) {`, cases, `noFamily, ""`)
}
