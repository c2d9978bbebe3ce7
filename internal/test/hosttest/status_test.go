package hosttest

import (
	"errors"
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

//go:generate go test . -run ^TestStatus$ -update

var mergeFiles = flag.String("merge", "", "with -update: take the newer rows of the status files this pattern names")

// TestStatus holds docs/hosts-status.md and the constants of hookio to testdata/hosts/status.tsv.
func TestStatus(t *testing.T) {
	rows, err := parseStatus(readFile(t, statusPath))
	if err != nil {
		t.Fatalf("%s: %v", statusPath, err)
	}
	if golden.Update() && *mergeFiles != "" {
		rows = mergeStatusFiles(t, rows)
		golden.File(t, statusPath, statusText(rows))
	}
	for _, r := range rows {
		if !slices.ContainsFunc(Hosts, func(h *Host) bool { return h.Name == r.Host }) {
			t.Errorf("%s: no host of this package is named %s", statusPath, r.Host)
		}
	}
	readme := readFile(t, filepath.Join("..", "..", "..", "README.md"))
	for _, h := range hookio.Hosts() {
		was := driven(rows, h.Name).Version != ""
		if tested, other, _ := strings.Cut(lineWith(readme, "| Claude Code,"), " | "); len(h.Reader) > 0 &&
			(strings.Contains(tested, h.Title) != was || strings.Contains(other, h.Title) == was) {
			t.Errorf("README.md: %s is in the wrong column of the table of agents: driven %v", h.Title, was)
		}
	}
	source, err := format.Source([]byte(statusSource(rows)))
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join("..", "..", "..", "hookio", "driven.go"), string(source))
	golden.Part(t, filepath.Join("..", "..", "..", "docs", "hosts-status.md"), "<!-- status: written by go generate -->",
		"<!-- end of status -->", statusPage(rows))
}

// lineWith is the line of a text that begins so.
func lineWith(text, start string) string {
	_, rest, _ := strings.Cut(text, "\n"+start)
	line, _, _ := strings.Cut(rest, "\n")
	return start + line
}

// mergeStatusFiles adds the rows of the files that -merge names.
func mergeStatusFiles(t *testing.T, rows []Status) []Status {
	files, err := filepath.Glob(*mergeFiles)
	if err != nil || len(files) == 0 {
		t.Fatalf("-merge %s names no file: %v", *mergeFiles, err)
	}
	for _, file := range files {
		run, err := parseStatus(readFile(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		rows = mergeStatus(rows, run)
	}
	return rows
}

// writeStatus writes what passed in this run, with -update, when all tests are over. What a part of a test
// proves is not written.
func writeStatus() error {
	if !golden.Update() || len(notes) == 0 {
		return nil
	}
	run, skip := flag.Lookup("test.run").Value.String(), flag.Lookup("test.skip").Value.String()
	if strings.Contains(run, "/") || skip != "" || *only != "." {
		return errors.New("not written: a part of a test was run; choose hosts by PERMGATE_HOSTS")
	}
	text, err := os.ReadFile(statusPath)
	if err != nil {
		return err
	}
	old, err := parseStatus(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", statusPath, err)
	}
	rows, failed := passed(notes)
	if err := os.WriteFile(statusPath, []byte(statusText(mergeStatus(old, rows))), 0o644); err != nil {
		return err
	}
	fmt.Printf("wrote %s; go generate ./... brings the page up to date\n", statusPath)
	if len(failed) > 0 {
		return fmt.Errorf("not written of %s: a test failed", strings.Join(failed, ", "))
	}
	return nil
}

func TestStatusRows(t *testing.T) {
	row := func(version, day, test, why string) Status { return Status{"claude", version, day, test, why} }
	old := []Status{row("1.0", "2026-11-01", "TestHosts", ""), row("1.0", "2026-11-01", "TestPayloads", "")}
	for _, tt := range []struct {
		name string
		run  []note
		want []Status
	}{
		{"nothing", nil, old},
		{"a failure writes nothing of the host", []note{
			{row("1.1", "2026-11-02", "TestHosts", ""), false}, {row("1.1", "2026-11-02", "TestPayloads", ""), true}}, old},
		{"of two gates one failed", []note{
			{row("1.1", "2026-11-02", "TestHosts", ""), false}, {row("1.1", "2026-11-02", "TestHosts", ""), true}}, old},
		{"a new release", []note{{row("1.1", "2026-11-02", "TestHosts", ""), false}}, []Status{row("1.1", "2026-11-02", "TestHosts", ""), old[1]}},
		{"the same some days later", []note{{row("1.0", "2026-11-02", "TestHosts", ""), false}}, old},
		{"the same a week later", []note{{row("1.0", "2026-11-08", "TestHosts", ""), false}}, []Status{row("1.0", "2026-11-08", "TestHosts", ""), old[1]}},
		{"an older run", []note{{row("0.9", "2026-10-08", "TestHosts", ""), false}}, old},
		{"skipped", []note{{row("1.0", "2026-11-02", "TestPayloads", "not on windows"), false}}, []Status{old[0], row("1.0", "2026-11-02", "TestPayloads", "not on windows")}},
	} {
		rows, _ := passed(tt.run)
		got := mergeStatus(old, rows)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		again, err := parseStatus(statusText(got))
		if err != nil || !slices.Equal(again, got) {
			t.Errorf("%s: read back %v, %v", tt.name, again, err)
		}
	}
	if d := driven([]Status{row("1.0", "2026-11-01", "TestHosts", "not on windows")}, "claude"); d != (hookio.Driven{}) {
		t.Errorf("a skipped test drove %v", d)
	}
	for _, bad := range []string{"", statusHead + "claude\t1\n", statusHead + "claude\t1\";var x = 1\t2026-11-01\tTestHosts\t\n",
		statusHead + "claude\t1\t2026-11-01\tTestHosts\t<b>\n", statusHead + "claude\t1\tnow\tTestHosts\t\n"} {
		if rows, err := parseStatus(bad); err == nil {
			t.Errorf("%q is read as %v", bad, rows)
		}
	}
}
