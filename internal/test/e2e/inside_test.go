package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/permgate--owner/permgate/internal/cli"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/test/sandbox"
)

// Starting permgate costs more than most of its commands, and scripts have 1,800 of them. So without PERMGATE_FULL the
// commands of a script that need no process of their own run in the one of the test, one at a time; hooks, and what has
// a terminal, is fed, or starts itself, run as they do for a user.

// insideScripts copies the scripts of a folder to another and marks the commands that run inside.
func insideScripts(t *testing.T, from, to string) {
	names, err := filepath.Glob(filepath.Join(from, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	// what bench, doctor and install start has the environment of the process
	command := regexp.MustCompile(`^((?:\[[^\]]*\] )*(?:! )?)exec permgate ((?:[a-z]+)(?: .*[^&])?)$`)
	apart := regexp.MustCompile(`^(hook|bench|doctor|install|log -f)\b`)
	sets := regexp.MustCompile(`(?m)^(?:\[.*\] )?env '?(\w+)=`)
	variables = []string{"HOME", "PATH", "ROOT", "WORK", "DRIVE"}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range sets.FindAllStringSubmatch(string(text), -1) {
			variables = append(variables, m[1])
		}
		script, files, _ := strings.Cut(string(text), "\n-- ")
		lines, fed := strings.Split(script, "\n"), false
		for i, line := range lines {
			if m := command.FindStringSubmatch(line); m != nil && !fed && !apart.MatchString(m[2]) {
				lines[i] = m[1] + "permgate " + m[2]
			}
			fed = strings.HasPrefix(line, "stdin ") || strings.HasPrefix(line, "ttyin ") || fed && !strings.Contains(line, "exec ")
		}
		text = []byte(strings.Join(lines, "\n") + strings.TrimSuffix("\n-- "+files, "\n-- "))
		if err := os.WriteFile(filepath.Join(to, filepath.Base(name)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	inside    sync.Mutex
	variables []string // that scripts set
)

// runInside is a command of permgate as a script has it: in the folder and with the environment of the script, and as the
// binary that other commands of the script start.
func runInside(ts *testscript.TestScript, neg bool, args []string) {
	inside.Lock()
	defer inside.Unlock()
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(back)
	gate.TestOnlyWorld = func(w *gate.World) {
		w.Getenv, w.Exe = ts.Getenv, func() (string, error) { return onPath(ts.Getenv("PATH")) }
		w.Environ = func() (env []string) {
			for _, name := range variables {
				if v := ts.Getenv(name); v != "" {
					env = append(env, name+"="+v)
				}
			}
			return env
		}
		sandbox.World(w)
	}
	operator.TestOnlyTemp = []string{}
	defer func() { gate.TestOnlyWorld, operator.TestOnlyTemp = nil, nil }()
	code := cli.Main(args, strings.NewReader(""), ts.Stdout(), ts.Stderr(), gate.System())
	if (code != 0) != neg {
		ts.Fatalf("permgate %q: exit %d", args, code)
	}
}

// onPath is the permgate that a shell would start.
func onPath(dirs string) (string, error) {
	for _, dir := range filepath.SplitList(dirs) {
		if name, err := filepath.EvalSymlinks(filepath.Join(dir, "permgate")); err == nil {
			return name, nil
		}
	}
	return "", os.ErrNotExist
}
