package oracle

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A knownMiss is one line of testdata/misses.txt: a state, a shell, the quoted text, for an open one a quoted
// regular expression that finds its cause, and after # what it shows.
type knownMiss struct {
	line                     int
	state, shell, text, note string
	cause                    *regexp.Regexp
}

// knownMisses reads testdata/misses.txt.
func knownMisses(t testing.TB) (out []knownMiss) {
	t.Helper()
	data, err := os.ReadFile("testdata/misses.txt")
	if err != nil {
		t.Fatal(err)
	}
	for n, line := range strings.Split(string(data), "\n") {
		m := knownMiss{line: n + 1}
		m.state, line, _ = strings.Cut(line, " ")
		if m.state == "" || m.state == "#" {
			continue
		}
		m.shell, line, _ = strings.Cut(line, " ")
		m.text, line = quotedField(t, m.line, line)
		if m.state == "open" {
			var cause string
			cause, line = quotedField(t, m.line, line)
			m.cause = regexp.MustCompile(cause)
		}
		m.note = strings.TrimPrefix(line, "# ")
		out = append(out, m)
	}
	return out
}

func quotedField(t testing.TB, line int, s string) (field, rest string) {
	t.Helper()
	q, err := strconv.QuotedPrefix(s)
	if err == nil {
		field, err = strconv.Unquote(q)
	}
	if err != nil {
		t.Fatalf("misses.txt:%d: %q: %v", line, s, err)
	}
	return field, strings.TrimPrefix(s[len(q):], " ")
}

// openCauses is one expression for all that is open, nil when nothing is.
func openCauses(t testing.TB, shell string) *regexp.Regexp {
	t.Helper()
	var all []string
	for _, m := range knownMisses(t) {
		if m.state == "open" && m.shell == shell {
			all = append(all, m.cause.String())
		}
	}
	if len(all) == 0 {
		return nil
	}
	return regexp.MustCompile("(?s)" + strings.Join(all, "|"))
}

// TestMisses runs the texts that once were missed. An open one is still missed: when it no longer is, it is
// time to call it closed.
func TestMisses(t *testing.T) {
	shim, known, open := Build(t), knownMisses(t), 0
	for i := range tongues {
		shell := tongues[i].shell
		t.Run(shell, func(t *testing.T) {
			w := newWorker(t, shell, shim, 0, 1, nil)
			w.skip, w.lacks = nil, nil
			for _, m := range known {
				if m.shell == shell {
					w.missed1(t, &m)
				}
				if m.shell == shell && m.state == "open" {
					open++
				}
			}
		})
	}
	t.Logf("%d open", open)
}

// missed1 runs one of them.
func (w *worker) missed1(t *testing.T, m *knownMiss) {
	t.Helper()
	s, _, now := w.look(m.text)
	switch {
	case w.err != nil:
		t.Fatal(w.err)
	case m.state == "open":
		if !now.found() {
			t.Errorf("misses.txt:%d: %s, %q is missed no more: call it closed", m.line, m.shell, m.text)
		}
	case m.state != "closed":
		t.Errorf("misses.txt:%d: state %q", m.line, m.state)
	case now.found():
		t.Errorf("misses.txt:%d: %s, %q is missed again: ran %q, wrote %q; the analysis says %s", m.line, m.shell, m.text, now.execs, now.writes, describe(s))
	}
}
