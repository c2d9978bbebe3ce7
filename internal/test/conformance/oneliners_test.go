package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneliners: what makes a program run a command, load a library, write a file or send one, mostly as
// GTFOBins lists it, is not covered by Bash(PROGRAM:*). A line says what holds it back: the name of an option, the
// file it writes, or what the tables know of the program; or "open:" and why the rule covers it all the same.
func TestOneliners(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", "oneliners.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	count := map[string]int{}
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("line %d: %d fields, want 4", i+2, len(f))
		}
		program, kind, command, closed := f[0], f[1], f[2], f[3]
		policy, _ := json.Marshal(map[string]any{"permissions": map[string]any{"allow": []string{"Bash(" + program + ":*)"}}})
		_, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: "default", Settings: map[string]string{"/home/dev/.gen/settings.json": string(policy)}})
		reason, open := strings.CutPrefix(closed, "open: ")
		switch allowed := v.Decision.String() == "allow"; {
		case allowed && !open:
			t.Errorf("%s: %s is allowed", kind, command)
		case !allowed && open:
			t.Errorf("%s: %s is held back now: say by what in its line", kind, command)
		case open && reason == "":
			t.Errorf("%s: %s has no reason", kind, command)
		}
		count[strings.SplitN(closed, ":", 2)[0]]++
	}
	t.Logf("%d texts: %v", len(lines)-1, count)
	if len(lines) < 900 {
		t.Errorf("only %d texts", len(lines)-1)
	}
}
