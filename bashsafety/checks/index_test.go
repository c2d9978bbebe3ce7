package checks

import (
	"strings"
	"testing"

	rows "github.com/permgate--owner/permgate/internal/test/examples"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestTableIndex keeps index.go in step with the tables and lists.
func TestTableIndex(t *testing.T) {
	var tables []golden.Table
	add := func(key string, rows ...string) {
		table := golden.Table{Key: key}
		for _, names := range rows {
			table.Names = append(table.Names, strings.Fields(names)...)
		}
		tables = append(tables, table)
	}
	for _, r := range dataClients {
		add("ofClients", r.Names)
	}
	for _, r := range senders {
		add("ofSenders", r.Names)
		if err := rows.Pattern(r.Verbs, "", true); err != nil {
			t.Errorf("%s: %q: %v", r.Names, r.Verbs, err)
		}
	}
	add("ofInterpreters", interpreters)
	add("ofDownloaders", downloaders)
	add("ofPackagers", packageManagers)
	golden.Bits(t, "index.go", "checks", golden.Index{Head: `// tableIndex returns the tables that name a program, a bit each.
func tableIndex(name string) uint16 {`, Tables: tables, None: "0"})
}
