package main

import (
	"os"
	"strings"
	"testing"
)

// TestRulesDoc runs the sessions that docs/policy.md shows of permgate rules,
// with the settings it shows in force. -update rewrites them.
func TestRulesDoc(t *testing.T) {
	const heading = "\n## The rules in force\n"
	data, err := os.ReadFile("docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	before, section, ok := strings.Cut(string(data), heading)
	section, after, more := strings.Cut(section, "\n## ")
	settings, _, found := fenced(section, "json")
	parts := strings.Split(section, "```console\n")
	if !ok || !more || !found || len(parts) != 3 {
		t.Fatal("docs/policy.md shows no sessions of permgate rules")
	}
	r := newReadme(t, settings)
	for i := 1; i < len(parts); i++ {
		block, rest, _ := strings.Cut(parts[i], "```\n")
		got := r.session(block)
		if got != block && !*update {
			t.Errorf("the session is\n%s\ndocs/policy.md shows\n%s", got, block)
		}
		parts[i] = got + "```\n" + rest
	}
	now := before + heading + strings.Join(parts, "```console\n") + "\n## " + after
	if *update && now != string(data) {
		if err := os.WriteFile("docs/policy.md", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
