package main

import (
	"os"
	"strings"
	"testing"
)

// TestAllowDoc runs the sessions that docs/policy.md shows of permgate allow,
// after the calls of the README. -update rewrites them.
func TestAllowDoc(t *testing.T) {
	data, err := os.ReadFile("docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	before, section, ok := strings.Cut(string(data), "\n## Always allow\n")
	section, after, more := strings.Cut(section, "\n## ")
	parts := strings.Split(section, "```console\n")
	if !ok || !more || len(parts) < 3 {
		t.Fatal("docs/policy.md shows no sessions of permgate allow")
	}
	r := newReadme(t, "{}")
	r.calls()
	for i := 1; i < len(parts); i++ {
		block, rest, _ := strings.Cut(parts[i], "```\n")
		got := r.session(block)
		if got != block && !*update {
			t.Errorf("the session is\n%s\ndocs/policy.md shows\n%s", got, block)
		}
		parts[i] = got + "```\n" + rest
	}
	now := before + "\n## Always allow\n" + strings.Join(parts, "```console\n") + "\n## " + after
	if *update && now != string(data) {
		if err := os.WriteFile("docs/policy.md", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
