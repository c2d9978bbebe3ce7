package hookio

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

//go:generate go test . -run ^TestGolden$ -update

// TestGolden reads the examples of a host and the payloads in testdata/hosts/HOST/*.json, which have
// the shape the host is known to send, one for each event and family of tools, and compares what they
// are taken for and the exact line for every decision with golden.txt there.
func TestGolden(t *testing.T) {
	for _, h := range Hosts() {
		dir := filepath.Join("..", "testdata", "hosts", h.Name)
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(h.Name, func(t *testing.T) {
			var b strings.Builder
			payloads := h.Examples()
			for _, file := range files {
				in, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				payloads = append(payloads, Example{Name: strings.TrimSuffix(filepath.Base(file), ".json"), In: string(in)})
			}
			for _, x := range payloads {
				sniffed, named := read(t, x.In, Options{}), read(t, x.In, Options{Host: h.Name})
				if sniffed.Host != h || sniffed.Named || named.Host != h || !named.Named || named.Malformed != "" {
					t.Errorf("%s: hosts %s and %s, malformed %q", x.Name, sniffed.Host.Name, named.Host.Name, named.Malformed)
				}
				if x.Event != "" && named.Event != x.Event {
					t.Errorf("%s: event %s, want %s", x.Name, named.Event, x.Event)
				}
				// from any host's file: the program that runs it gets its own form
				for _, other := range Hosts() {
					if !other.Shared || h == &generic {
						continue
					}
					if c := read(t, x.In, Options{Host: other.Name}); answers(c) != answers(sniffed) {
						t.Errorf("%s run from a file of %s: %s answer, %s", x.Name, other.Title, c.Host.Name, answers(c))
					}
				}
				fmt.Fprintf(&b, "== %s\n%s", x.Name, answers(named))
			}
			golden.File(t, filepath.Join(dir, "golden.txt"), b.String())
		})
	}
}

// answers is a call and its four answers, a line each; - is an empty answer.
func answers(c *Call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "event    %s (%s)\n", c.Event, c.RawEvent)
	if c.Event.ofCall() {
		fmt.Fprintf(&b, "call     %s %s (%s)\n", c.Tool, Escape(primary(c)), c.RawTool)
	}
	for _, name := range c.AlsoTool {
		fmt.Fprintf(&b, "or       %s\n", name)
	}
	for _, url := range c.AlsoURL {
		fmt.Fprintf(&b, "url      %s\n", url)
	}
	for _, a := range c.Args {
		what := map[Access]string{AccessRead: "reads", AccessWrite: "writes"}[a.Access]
		if a.Pattern {
			what += " what matches"
		}
		fmt.Fprintf(&b, "path     %s %s\n", what, a.Path)
	}
	for _, pattern := range c.Under {
		fmt.Fprintf(&b, "below    %s\n", pattern)
	}
	fmt.Fprintf(&b, "where    cwd %s dir %s project %s session %s mode %s\n", dash(c.Cwd), dash(c.Dir), dash(c.Project), dash(c.SessionID), dash(c.Mode))
	for d := Pass; d <= Deny; d++ {
		fmt.Fprintf(&b, "%-8s %s\n", d, dash(strings.TrimSuffix(string(Write(nil, c, Answer{Decision: d, Reason: "why"})), "\n")))
	}
	return b.String()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
