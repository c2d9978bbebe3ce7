package oracle

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestMisses runs the texts that once were missed, testdata/misses.txt. Each line is a state, a shell, the
// quoted text and behind # what it shows. An open one is still missed: when it no longer is, it is time to
// call it closed.
func TestMisses(t *testing.T) {
	data, err := os.ReadFile("testdata/misses.txt")
	if err != nil {
		t.Fatal(err)
	}
	shim := Build(t)
	workers := map[string]*worker{}
	open := 0
	for n, line := range strings.Split(string(data), "\n") {
		state, rest, _ := strings.Cut(line, " ")
		if state == "" || state == "#" {
			continue
		}
		shell, rest, _ := strings.Cut(rest, " ")
		text, err := unquote(rest)
		if err != nil {
			t.Fatalf("misses.txt:%d: %v", n+1, err)
		}
		if workers[shell] == nil {
			workers[shell] = newWorker(t, shell, shim, 0, 1, nil)
		}
		w := workers[shell]
		w.gen.posix = false
		s, _, m := w.look(text)
		switch {
		case w.err != nil:
			t.Fatal(w.err)
		case state == "open" && !m.found():
			t.Errorf("misses.txt:%d: %s, %q is missed no more: call it closed", n+1, shell, text)
		case state == "open":
			open++
		case m.found():
			t.Errorf("misses.txt:%d: %s, %q is missed again: ran %q, wrote %q; the analysis says %s", n+1, shell, text, m.execs, m.writes, describe(s))
		case state != "closed":
			t.Errorf("misses.txt:%d: state %q", n+1, state)
		}
	}
	t.Logf("%d open", open)
}

func unquote(s string) (string, error) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", err
	}
	return strconv.Unquote(q)
}
