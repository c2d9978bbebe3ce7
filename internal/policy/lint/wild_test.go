package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// wildFiles are settings files of real projects.
func wildFiles(t *testing.T) []string {
	t.Helper()
	return testenv.CorpusGlob(t, "corpus/wild_settings/*.json")
}

// wildRows reads testdata/wild.tsv: file, line, check, judgement and why. A
// finding is right when what it says holds for its author, and arguable when
// the author may well mean it so; a wrong one has no place there, but is mended.
func wildRows(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/wild.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 5 || f[3] != "right" && f[3] != "arguable" || f[4] == "" {
			t.Fatalf("wild.tsv:%d: want file, line, check, right or arguable, and why", i+1)
		}
		key := strings.Join(f[:3], "\t")
		if rows[key] != "" {
			t.Fatalf("wild.tsv:%d: stands twice", i+1)
		}
		rows[key] = f[3]
	}
	return rows
}

// TestWild lints each of the files as the local settings of a project: every
// finding is judged, and none that was judged is gone.
func TestWild(t *testing.T) {
	files, rows := wildFiles(t), wildRows(t)
	right, arguable := 0, 0
	var found []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := exampleInput(&Example{File: ".claude/settings.local.json"}, string(text))
		findings := Run(in)
		for _, at := range []string{".claude/settings.json", "~/.claude/settings.json"} {
			if n := len(Run(exampleInput(&Example{File: at}, string(text)))); n != len(findings) {
				t.Errorf("%s as %s: %d findings, and %d as local settings", name, at, n, len(findings))
			}
		}
		for _, f := range findings {
			key := fmt.Sprintf("%s\t%d\t%s", strings.TrimSuffix(filepath.Base(name), ".json"), f.Pos.Line, f.Check.ID)
			switch rows[key] {
			case "right":
				right++
			case "arguable":
				arguable++
			default:
				t.Errorf("not judged: %s\t%s; %s; %s", key, f.Text, f.Exploit, f.Instead)
			}
			found = append(found, key)
		}
	}
	for key := range rows {
		if !slices.Contains(found, key) {
			t.Errorf("judged and gone: %s", key)
		}
	}
	t.Logf("%d files, %d findings: %d right, %d arguable", len(files), len(found), right, arguable)
}
