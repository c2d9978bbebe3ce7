package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownCorpus reads one of the project's own corpora: tab-separated lines of id,
// class, tool, input JSON, settings JSON (the "permissions" object of the
// user's settings), expected answer and reason, below one header line.
// Expected is allow, ask, deny, not-allow or not-deny.
func ownCorpus(t *testing.T, name string) []corpusRow {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	rows := make([]corpusRow, 0, len(lines))
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			t.Fatalf("%s:%d: %d fields, want 7", name, i+2, len(f))
		}
		rows = append(rows, corpusRow{f[0], f[1], f[2], f[3], f[4], f[5], f[6]})
	}
	return rows
}

// answer decides one row; a payload that cannot be read blocks.
func (r *corpusRow) answer() (decision, reason string) {
	_, v, err := Call(Setup{Tool: r.tool, Input: json.RawMessage(r.input), Settings: map[string]string{
		"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`,
	}})
	if err != nil {
		return "deny", err.Error()
	}
	return v.Decision.String(), v.Reason
}

// TestOwnCorpora answers every row of the own corpora as expected.
func TestOwnCorpora(t *testing.T) {
	for _, name := range []string{"attacks.tsv", "benign.tsv"} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, r := range ownCorpus(t, name) {
				if seen[r.id] {
					t.Errorf("%s: the id stands twice", r.id)
				}
				seen[r.id] = true
				if got, reason := r.answer(); !holds(got, r.expect) {
					t.Errorf("%s: got %s, want %s: %s %.300s\n\tsettings %s\n\twhy      %s\n\treason   %s", r.id, got, r.expect, r.tool, r.input, r.settings, r.why, reason)
				}
			}
		})
	}
}

// TestGaps fails when a known gap closes: its row then belongs into the corpus.
func TestGaps(t *testing.T) {
	for _, r := range ownCorpus(t, "gaps.tsv") {
		if got, _ := r.answer(); holds(got, r.expect) {
			t.Errorf("%s: answers %s as wanted; move the row to its corpus", r.id, got)
		}
	}
}
