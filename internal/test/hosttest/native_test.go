package hosttest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
)

// nativeSession has Claude Code make calls, and says which ran.
func nativeSession(t *testing.T, w *world, mode, verdict string, calls []laxCall) map[string]bool {
	t.Helper()
	program := Claude.Install(t)
	var made []ToolCall
	for i := range calls {
		made = append(made, calls[i].call(w))
	}
	s := &Session{Host: &Claude, API: StartAPI(t, Claude.API, made...), Home: w.home, Project: w.project, Env: w.environment(), MCP: mcpServers(t)}
	s.API.Verdict = verdict
	s.Posture = Posture{Args: []string{"--permission-mode", mode}}
	out, err := s.Run(t, program)
	results := s.API.Results()
	if len(results) != len(calls) {
		t.Fatalf("%d of %d calls were made: %v\n%s", len(results), len(calls), err, out)
	}
	ran := map[string]bool{}
	for i, r := range results {
		ran[calls[i].name] = laxOutcome(r, false) == laxRan
		t.Logf("%-45q %-5v %s", calls[i].name, ran[calls[i].name], firstLine(r.Text))
	}
	return ran
}

// TestNativeReadings holds Claude Code to the examples of its rules.
func TestNativeReadings(t *testing.T) {
	Claude.Install(t)
	w := newWorld(t)
	executable.Write(t, filepath.Join(w.home, "bin", "plugh"), "#!/bin/sh\necho ran \"$@\"\n")
	text, err := os.ReadFile("../../policy/native/testdata/readings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string // program, rule, call, "covered"
	var calls []laxCall
	var allow []string
	for line := range strings.Lines(string(text)) {
		if row := strings.Split(strings.TrimSpace(line), "\t"); row[0] == "claude" {
			rows, allow = append(rows, row), append(allow, row[1])
			calls = append(calls, laxCall{name: row[2], tool: "Bash", text: row[2]})
		}
	}
	addSettings(t, filepath.Join(w.home, ".claude", "settings.json"), map[string]any{"permissions": map[string]any{"allow": allow}})
	ran := nativeSession(t, w, "default", "", calls)
	for _, row := range rows {
		if ran[row[2]] != (row[3] == "covered") {
			t.Errorf("%q: ran: %v", row, ran[row[2]])
		}
	}
}

// nativeRuns are the classifiers of auto mode that a policy is run with: that of the server and Claude Code's own refuse
// everything, or it answers nothing but errors. A hook's allow counts in auto mode with either (observed on 2.1.330), so
// where hooks run, what permgate allows runs, too.
var nativeRuns = [...]struct {
	verdict string
	hooks   bool
}{{"flagged", false}, {VerdictBlock, true}, {VerdictDown, false}, {VerdictDown, true}}

// TestNativeExport exports policies and has Claude Code's classifier refuse everything, or fail: calls of families that
// were exported run, nothing else does, and without the hook nothing that permgate would not allow.
func TestNativeExport(t *testing.T) {
	Claude.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	permgate := BuildPermgate(t)
	t.Run("policies", func(t *testing.T) {
		for i := range nativePolicies {
			for j := range nativeRuns {
				policy, run := &nativePolicies[i], &nativeRuns[j]
				t.Run(fmt.Sprintf("%s, %s, %v", policy.name, run.verdict, run.hooks), func(t *testing.T) {
					t.Parallel()
					n := newNative(t, &Claude, permgate, policy)
					t.Log(n.run(t, "export", "--host", "claude", "--yes"))
					addSettings(t, filepath.Join(n.home, ".claude", "settings.json"), map[string]any{"disableAllHooks": !run.hooks})
					n.hold(t, policy, run.verdict, run.hooks)
				})
			}
		}
	})
}

// hold has Claude Code make the calls of a policy in auto mode, in turns, for it ends sessions of refusals only.
func (n *native) hold(t *testing.T, policy *nativePolicy, verdict string, hooks bool) {
	var calls []laxCall
	for i := range policy.exported {
		for _, text := range []string{policy.exported[i], policy.others[i]} {
			c := n.call(text)
			c.name = text
			calls = append(calls, c)
		}
	}
	ran := nativeSession(t, n.world, "auto", verdict, calls)
	for _, text := range policy.exported {
		if !ran[text] {
			t.Errorf("%q did not run", text)
		}
		if !n.allows(t, "claude", text) {
			t.Errorf("%q is exported, and permgate does not allow it", text)
		}
	}
	for _, text := range policy.others {
		if ran[text] && (!hooks || !n.allows(t, "claude", text)) {
			t.Errorf("%q ran", text)
		}
	}
	marks, _ := os.ReadFile(n.marks()) // none where no program was called
	for _, text := range strings.Split(strings.TrimSpace(string(marks)), "\n") {
		if text != "" && !n.allows(t, "claude", text) {
			t.Errorf("%q was called, and permgate does not allow it", text)
		}
	}
}

// TestNativeRestrictions: without hooks Claude Code stops what exported deny and ask rules are about, and no more of what
// is near to it than is said here.
func TestNativeRestrictions(t *testing.T) {
	Claude.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	n := newNative(t, &Claude, BuildPermgate(t), &nativePolicy{user: map[string][]string{
		"deny": {"Read(./.env)", "Read(/config/*.pem)", "Edit(docs/**)", "Edit(.github/**)", "Bash(* --force)", "Bash(echo prod*)", "Bash(wc *)"},
		"ask":  {"Bash(git *)"},
	}})
	for _, name := range []string{"old/.env", "config/a.pem", "config/a.txt", "old/b.pem"} {
		writeFile(t, filepath.Join(n.project, name), "x\n")
	}
	t.Log(n.run(t, "export", "--host", "claude", "--yes"))
	addSettings(t, filepath.Join(n.home, ".claude", "settings.json"), map[string]any{"disableAllHooks": true})
	stopped := []string{"Read: {project}/.env", "cat .env", "Read: {project}/config/a.pem", "Write: {project}/docs/a.md",
		"Write: {project}/.github/a.yml", "echo x --force", "echo prod-1", "wc -l README.md", "git status", "echo a && git log",
		"Read: {project}/old/.env"} // of ./ and a name it takes the name at any depth
	run := []string{"Read: {project}/main.go", "cat README.md", "Read: {project}/config/a.txt", "Write: {project}/a.md", "Read: {project}/old/b.pem",
		"echo x --forced", "echo a prod", "head README.md", "echo git", "Write: {project}/old/a.md",
		"Read: {project}/go.mod"}
	var calls []laxCall
	for i := range stopped { // in turns, see hold
		for _, text := range []string{stopped[i], run[i]} {
			c := n.call(text)
			c.name = text
			calls = append(calls, c)
		}
	}
	ran := nativeSession(t, n.world, "acceptEdits", "", calls)
	for i := range stopped {
		if ran[stopped[i]] || !ran[run[i]] {
			t.Errorf("%q: ran: %v; %q: ran: %v", stopped[i], ran[stopped[i]], run[i], ran[run[i]])
		}
	}
}
