package checks

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/remote"
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
	for _, forms := range []struct {
		key  string
		rows []remote.Form
	}{{"ofDatabases", databaseForms}, {"ofResets", resetForms}, {"ofSecrets", secretForms}} {
		var rows []string
		for _, r := range forms.rows {
			rows = append(rows, r.Names)
		}
		add(forms.key, rows...)
	}
	for _, r := range dataClients {
		add("ofClients", r.Names)
	}
	for _, r := range senders {
		add("ofSenders", r.Names)
	}
	add("ofInterpreters", interpreters)
	add("ofDownloaders", downloaders)
	add("ofPackagers", packageManagers)
	golden.Bits(t, "index.go", "checks", `// tableIndex returns the tables that name a program, a bit each.
func tableIndex(name string) uint16 {`, tables, "0")
}
