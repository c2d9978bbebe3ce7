package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
)

// TestCIDoc runs what docs/ci.md shows: the steps of the workflow except the
// installation, and both hooks, on a change that loosens a policy and on one that
// tightens it.
func TestCIDoc(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"git", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	data, err := os.ReadFile(filepath.Join("docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	workflow := section(t, page, "GitHub", "yaml")
	r := newPolicyRepo(t)

	r.policy(`{"permissions": {"allow": ["Bash(git status)"], "deny": ["Bash(git push:*)"]}}`)
	r.write(".claude/permissions.test", "allow Bash git status\ndeny Bash git push --force\n")
	r.must("git add -A && git commit -qm strict && git update-ref refs/remotes/origin/main HEAD")

	r.policy(`{"permissions": {"allow": ["Bash(git status)", "Bash(git log | x:*)", "Bash(make:*)"], "deny": ["Bash(git push:*)"]}}`)
	r.must("git add -A && git commit -qm looser")
	r.step(workflow, "Lint", 0)
	r.step(workflow, "Test", 0)
	r.step(workflow, "Prove", 1, "ACCEPTED=false")
	table := r.read("summary.md")
	if want := "| newly allowed | `ask -> allow` | `make` | `allow Bash(make:*)` | `.claude/settings.json:1` |"; !strings.Contains(table, want) {
		t.Errorf("the table has no row\n%s\n%s", want, table)
	}
	r.step(workflow, "Prove", 0, "ACCEPTED=true")
	r.step(workflow, "Prove", 3, "ACCEPTED=true", "BASE=no-such-branch")

	r.policy(`{"permissions": {"deny": ["Bash(git:*)"]}}`)
	r.must("git add -A && git commit -qm tighter")
	r.step(workflow, "Prove", 0, "ACCEPTED=false")
	if table := r.read("summary.md"); !strings.Contains(table, "**permgate prove**: no looser than `origin/main`\n") {
		t.Errorf("prints %s", table)
	}
	r.step(workflow, "Test", 1)

	hook := filepath.Join(r.dir, ".git", "hooks", "pre-commit")
	for _, install := range []func(){
		func() { executable.Write(t, hook, section(t, page, "Before the commit", "sh")) },
		func() {
			executable.Write(t, hook, "#!/bin/sh\n"+entry(t, section(t, page, "Before the commit", "yaml")))
		},
	} {
		install()
		r.must("chmod +x .git/hooks/pre-commit") // for a git of Linux that wine runs
		r.policy(`{"permissions": {"allow": ["Bash(make:*)"], "deny": ["Bash(git:*)"]}}`)
		out, code := r.run("git add -A && git commit -qm looser")
		if code == 0 || !strings.Contains(out, "allow Bash(make:*)") {
			t.Errorf("a looser policy is committed: %s", out)
		}
		r.must("git reset -q --hard")
		r.write(".claude/settings.local.json", `{"permissions": {"allow": ["Bash(ls)"]}}`) // in no commit
		r.policy(`{"permissions": {"deny": ["Bash(git:*)", "Bash(rm:*)"]}}`)
		r.must("git add .claude/settings.json && git commit -qm tighter")
		r.policy(`{"permissions": {"deny": ["Bash(git:*)"]}}`)
		r.must("git commit -qm 'not staged' --allow-empty")
		r.must("git commit -qm back --no-verify .claude/settings.json")
	}
}

// section returns the first code block of a language in a section of a page.
func section(t *testing.T, page, title, language string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "\n## "+title+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	block, _, found := fenced(rest, language)
	if !ok || !found {
		t.Fatalf("docs/ci.md: %q has no %s block", title, language)
	}
	return block
}

// entry is the command of a hook for pre-commit.
func entry(t *testing.T, block string) string {
	t.Helper()
	_, rest, ok := strings.Cut(block, "\n        entry: ")
	line, _, _ := strings.Cut(rest, "\n")
	if !ok {
		t.Fatalf("no entry in %s", block)
	}
	return line + "\n"
}

// runOf is what a step of a workflow runs.
func runOf(t *testing.T, workflow, step string) string {
	t.Helper()
	const in = "        "
	_, rest, ok := strings.Cut(workflow, "\n      - name: "+step+"\n")
	rest, _, _ = strings.Cut(rest, "\n      - ")
	_, run, found := strings.Cut("\n"+rest, "\n"+in+"run: ")
	if !ok || !found {
		t.Fatalf("the workflow has no step %q that runs something", step)
	}
	line, block, _ := strings.Cut(run, "\n")
	if line != "|" {
		return line
	}
	var script strings.Builder
	for l := range strings.Lines(block) {
		if text, inside := strings.CutPrefix(l, in+"  "); inside {
			script.WriteString(text)
		} else if strings.TrimSpace(l) != "" {
			break
		}
	}
	return script.String()
}

// A policyRepo is a repository that holds a policy, on a machine without other settings.
type policyRepo struct {
	t        *testing.T
	dir, out string
}

func newPolicyRepo(t *testing.T) *policyRepo {
	top := t.TempDir()
	r := &policyRepo{t: t, dir: filepath.Join(top, "repo"), out: filepath.Join(top, "out")}
	for _, dir := range []string{r.dir, r.out, filepath.Join(top, "home")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.must("git init -q -b main && mkdir -p .git/hooks")
	return r
}

func (r *policyRepo) policy(text string) { r.write(".claude/settings.json", text+"\n") }

func (r *policyRepo) write(name, text string) {
	r.t.Helper()
	name = filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// read returns what a step wrote, and removes it.
func (r *policyRepo) read(name string) string {
	r.t.Helper()
	name = filepath.Join(r.out, name)
	text, err := os.ReadFile(name)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// run runs a script as a runner does, which stops at the first command that fails.
func (r *policyRepo) run(script string, env ...string) (out string, code int) {
	cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir = r.dir
	home := filepath.Join(filepath.Dir(r.dir), "home")
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "RUNNER_TEMP=" + r.out,
		"GITHUB_STEP_SUMMARY=" + filepath.Join(r.out, "summary.md"), "BASE=main",
		"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@example.org", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@example.org"}, env...)
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

func (r *policyRepo) must(script string) {
	r.t.Helper()
	if out, code := r.run(script); code != 0 {
		r.t.Fatalf("%s: exit %d: %s", script, code, out)
	}
}

// step runs a step of the workflow, and wants its exit code.
func (r *policyRepo) step(workflow, name string, want int, env ...string) {
	r.t.Helper()
	if out, code := r.run(runOf(r.t, workflow, name), env...); code != want {
		r.t.Errorf("%s: exit %d, want %d: %s", name, code, want, out)
	} else if strings.Contains(out, "${{") {
		r.t.Errorf("%s: an expression is left: %s", name, fmt.Sprint(out))
	}
}
