package checks

import (
	"strings"
	"testing"

	"permgate/bashsafety/remote"
	"permgate/internal/golden"
)

// TestTableIndex keeps index.go in step with the tables.
func TestTableIndex(t *testing.T) {
	var tables []golden.Table
	forms := func(key string, rows []remote.Form) {
		table := golden.Table{Key: key}
		for _, r := range rows {
			table.Rows = append(table.Rows, strings.Fields(r.Names))
		}
		tables = append(tables, table)
	}
	forms("ofDatabases", databaseForms)
	forms("ofResets", resetForms)
	forms("ofSecrets", secretForms)
	clients, sending := golden.Table{Key: "ofClients"}, golden.Table{Key: "ofSenders"}
	for _, r := range dataClients {
		clients.Rows = append(clients.Rows, strings.Fields(r.Names))
	}
	for _, r := range senders {
		sending.Rows = append(sending.Rows, strings.Fields(r.Names))
	}
	golden.Bits(t, "index.go", "checks", `// tableIndex returns the tables with a row about a program, a bit each.
func tableIndex(name string) uint8 {`, append(tables, clients, sending))
}
