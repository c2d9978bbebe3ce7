// Package golden compares what is generated with the committed file, or writes
// the file where the test is run with -update. It is for tests only.
//
// go generate ./... runs every test that generates something with -update.
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is generated, as go generate ./... does everywhere")

// Update reports whether files are written instead of compared.
func Update() bool { return *update }

// File checks that a file holds text, or writes it.
func File(t testing.TB, name, text string) {
	t.Helper()
	have, err := os.ReadFile(name)
	if err == nil && string(have) == text {
		return
	}
	if !*update {
		t.Errorf("%s is stale: go generate ./... writes it (%v)\n%s", name, err, Diff(string(have), text))
		return
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Part checks that a page holds text between the lines start and end, or writes
// it there.
func Part(t testing.TB, page, start, end, text string) {
	t.Helper()
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(have), start+"\n")
	_, after, closed := strings.Cut(rest, end+"\n")
	if !ok || !closed {
		t.Fatalf("%s: no line %q, or no %q after it", page, start, end)
	}
	File(t, page, before+start+"\n"+text+end+"\n"+after)
}

// Diff returns the first lines in which two texts differ, "" for none.
func Diff(have, want string) string {
	const shown = 4
	x, y := strings.Split(have, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	if i == len(x) && i == len(y) {
		return ""
	}
	var b strings.Builder
	for _, l := range x[i:min(i+shown, len(x))] {
		b.WriteString("- " + l + "\n")
	}
	for _, l := range y[i:min(i+shown, len(y))] {
		b.WriteString("+ " + l + "\n")
	}
	return b.String()
}
