package scale

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPage: the page shows what is tested.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(docs + ".md")
	if err != nil {
		t.Fatal(err)
	}
	queries, err := os.ReadFile(filepath.Join(docs, "calls.sql"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "npm install --ignore-scripts "+duckdb+"\n") {
		t.Errorf("the page does not install %s", duckdb)
	}
	_, shown, _ := strings.Cut(string(page), "```sql\n")
	if shown, _, _ = strings.Cut(shown, "```"); shown == "" || !strings.Contains(string(queries), shown) {
		t.Errorf("calls.sql does not have the query of the page:\n%s", shown)
	}
}
