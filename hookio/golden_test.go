package hookio

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden answers anew")

// TestGolden reads the payloads in testdata/hosts/HOST/*.json, which have the
// shape the host is known to send, one for each event and family of tools, and
// compares what they are taken for and the exact line for every decision with
// HOST/golden.txt.
func TestGolden(t *testing.T) {
	for _, h := range Hosts() {
		dir := filepath.Join("..", "testdata", "hosts", h.Name)
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			var b strings.Builder
			for _, file := range files {
				in, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				sniffed, named := read(t, string(in), Options{}), read(t, string(in), Options{Host: h.Name})
				if sniffed.Host != h || named.Host != h || named.Malformed != "" {
					t.Errorf("%s: hosts %s and %s, malformed %q", file, sniffed.Host.Name, named.Host.Name, named.Malformed)
				}
				// whoever's file it is run from: the program that runs it gets its own form
				for _, other := range Hosts() {
					if !other.Shared {
						continue
					}
					if c := read(t, string(in), Options{Host: other.Name}); golden(c) != golden(sniffed) {
						t.Errorf("%s run from a file of %s: %s answer, %s", file, other.Title, c.Host.Name, golden(c))
					}
				}
				fmt.Fprintf(&b, "== %s\n%s", strings.TrimSuffix(filepath.Base(file), ".json"), golden(named))
			}
			name := filepath.Join(dir, "golden.txt")
			if *update {
				if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(b.String(), "\n")
			for i, line := range strings.Split(string(want), "\n") {
				if i >= len(got) || got[i] != line {
					t.Fatalf("%s:%d:\n got %q\nwant %q", name, i+1, append(got, "")[min(i, len(got))], line)
				}
			}
			if len(got) != strings.Count(string(want), "\n")+1 {
				t.Errorf("%s: %d lines, got %d", name, strings.Count(string(want), "\n")+1, len(got))
			}
		})
	}
}

// golden is a call and its four answers, a line each; - is an empty answer.
func golden(c *Call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "event    %s (%s)\n", c.Event, c.RawEvent)
	if c.Event.OfCall() {
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
		fmt.Fprintf(&b, "%-8s %s\n", d, dash(strings.TrimSuffix(string(Write(nil, c, Answer{d, "why"})), "\n")))
	}
	return b.String()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
