package operator_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/rules"
)

// writeAgent puts a program that says something into a folder, with all that npm puts next to it.
func writeAgent(t *testing.T, dir, said string) {
	executable.Write(t, filepath.Join(dir, "agent"), "#!/bin/sh\ncat <<'EOF'\n"+said+"\nEOF\n")
	if runtime.GOOS == "windows" {
		lines := "@echo off\r\n"
		for line := range strings.Lines(said) {
			lines += "echo " + strings.TrimRight(line, "\n") + "\r\n"
		}
		executable.Write(t, filepath.Join(dir, "agent.cmd"), lines)
		executable.Write(t, filepath.Join(dir, "agent.ps1"), "exit 9\r\n")
	}
}

// TestVersion reads what agent programs say of their version.
func TestVersion(t *testing.T) {
	defer func(old []string) { operator.TestOnlyTemp = old }(operator.TestOnlyTemp)
	operator.TestOnlyTemp = []string{}
	dir := t.TempDir()
	environ := []string{"PATH=" + dir + ":/bin:/usr/bin"}
	if runtime.GOOS == "windows" {
		environ = append(os.Environ(), "PATH="+dir)
	}
	for said, want := range map[string]string{
		"2.1.330 (Claude Code)": "2.1.330", "codex-cli 0.169.0": "0.169.0", "0.61.0": "0.61.0", "v1.0.0-rc.1": "1.0.0-rc.1",
		"GitHub Copilot CLI 1.0.102.\nRun 'copilot update'": "1.0.102", "version: 3": "", "x.y.z": "", "1.2\x1b[31m": "", "": "",
	} {
		writeAgent(t, dir, said)
		got, err := operator.Version("agent", &rules.Policy{}, environ)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", said, got, err, want)
		}
	}
	policy := &rules.Policy{}
	policy.Cwd.Given, policy.Cwd.Real = dir, dir
	if got, err := operator.Version("agent", policy, environ); err == nil || !strings.Contains(err.Error(), "where the agent works") {
		t.Errorf("a program of the project: %q, %v", got, err)
	}
}
