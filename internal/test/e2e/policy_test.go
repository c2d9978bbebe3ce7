package e2e

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestRulesDoc runs the sessions that docs/policy.md shows of permgate rules,
// with the settings it shows in force.
func TestRulesDoc(t *testing.T) {
	showsLinux(t)
	policySection(t, "The rules in force", func(section string) string {
		settings, _, ok := fenced(section, "json")
		if !ok {
			t.Fatal("docs/policy.md shows no settings")
		}
		return newReadme(t, settings).sessions(section)
	})
}

// TestAllowDoc runs the sessions that docs/policy.md shows of permgate allow,
// after the calls of the README.
func TestAllowDoc(t *testing.T) {
	r := newReadme(t, "{}")
	r.calls()
	policySection(t, "Always allow", r.sessions)
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
	policySection(t, "Tests", r.sessions)
}

// TestInitDoc runs the session of permgate init in a project with Go and make.
func TestInitDoc(t *testing.T) {
	g := newTutorial(t)
	g.run("mkdir -p app/.git && cd app && printf 'module example.com/app\n' > go.mod && printf 'test lint:\n\ttrue\n' > Makefile")
	policySection(t, "Starting from a profile", g.follow)
}

// TestAutoDoc runs the session of permgate auto without any settings.
func TestAutoDoc(t *testing.T) { policySection(t, "Mode auto", newReadme(t, "{}").sessions) }

func policyPage(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// policySection compares a section of docs/policy.md with what run makes of it:
// the section with the output of now.
func policySection(t *testing.T, title string, run func(section string) string) {
	t.Helper()
	page := policyPage(t)
	before, section, ok := strings.Cut(page, "\n## "+title+"\n")
	section, after, more := strings.Cut(section, "\n## ")
	if !ok || !more || !strings.Contains(section, "```console\n$ ") {
		t.Fatalf("docs/policy.md shows no session in %q", title)
	}
	golden.File(t, "docs/policy.md", before+"\n## "+title+"\n"+run(section)+"\n## "+after)
}

// sessions runs the console blocks of a text and returns it as it would be now.
func (r *readme) sessions(text string) string {
	parts := strings.Split(text, "```console\n")
	for i := range parts[1:] {
		block, rest, _ := strings.Cut(parts[i+1], "```\n")
		parts[i+1] = r.session(block) + "```\n" + rest
	}
	return strings.Join(parts, "```console\n")
}

// TestFleetDoc runs the session of docs/fleet.md with the policy it shows, and without its second rule.
func TestFleetDoc(t *testing.T) {
	t.Parallel()
	name := filepath.Join("docs", "fleet.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	policy, _, ok := fenced(string(page), "json")
	before := strings.Replace(policy, `, "Bash(git push:*)"`, "", 1)
	if !ok || before == policy {
		t.Fatalf("%s shows no policy of two rules", name)
	}
	r := newReadme(t, "{}")
	for dir, text := range map[string]string{"policy": policy, "before": before} {
		file := filepath.Join(r.app, dir, "managed-settings.json")
		if err := cmp.Or(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	r.page(name)
}
