package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAllowDoc runs the sessions that docs/policy.md shows of permgate allow,
// after the calls of the README. -update rewrites them.
func TestAllowDoc(t *testing.T) {
	r := newReadme(t, "{}")
	r.calls()
	policySection(t, "Always allow", r)
}

// TestTestDoc runs the session on permgate test with the settings and tests
// shown above it.
func TestTestDoc(t *testing.T) {
	_, section, _ := strings.Cut(policyPage(t), "\n## Tests\n")
	settings, at, ok := fenced(section, "json")
	_, rest, more := strings.Cut(section[at+len(settings):], "\n```\n")
	tests, _, end := strings.Cut(rest, "```\n")
	if !ok || !more || !end {
		t.Fatal("docs/policy.md shows no settings and tests")
	}
	r := newReadme(t, settings)
	if err := os.WriteFile(filepath.Join(r.app, ".gen", "permissions.test"), []byte(tests), 0o644); err != nil {
		t.Fatal(err)
	}
	policySection(t, "Tests", r)
}

func policyPage(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// policySection runs the sessions in a section of docs/policy.md. -update
// rewrites them.
func policySection(t *testing.T, title string, r *readme) {
	t.Helper()
	page := policyPage(t)
	before, section, ok := strings.Cut(page, "\n## "+title+"\n")
	section, after, more := strings.Cut(section, "\n## ")
	parts := strings.Split(section, "```console\n")
	if !ok || !more || len(parts) < 2 {
		t.Fatalf("docs/policy.md shows no session in %q", title)
	}
	for i := 1; i < len(parts); i++ {
		block, rest, _ := strings.Cut(parts[i], "```\n")
		got := r.session(block)
		if got != block && !*update {
			t.Errorf("the session is\n%s\ndocs/policy.md shows\n%s", got, block)
		}
		parts[i] = got + "```\n" + rest
	}
	now := before + "\n## " + title + "\n" + strings.Join(parts, "```console\n") + "\n## " + after
	if *update && now != page {
		if err := os.WriteFile("docs/policy.md", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
