package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/permgate--owner/permgate/internal/test/built"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

//go:generate go test . -run "^Test(Script|Readme|Tutorial|HostsTables|HostsPage|RulesDoc|AllowDoc|TestDoc|InitDoc|AutoDoc|ScriptsDoc)$" -update

// The tests run in the root of the module, whose pages and testdata they read.
const root = "../../.."

// program is permgate, built to take HOME for everything outside the project:
// see TestMain of package main.
var program string

// source is the root of the module, absolute.
var source string

// drained runs a program on a terminal and keeps that open for a moment, because
// testscript closes its side without having read what was printed last.
const drained = "#!/bin/sh\n\"$@\"\ncode=$?\nsleep 0.1\nexit $code\n"

func TestMain(m *testing.M) {
	if code, ok := asTool(); ok {
		os.Exit(code)
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "permgate")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(root); err != nil {
		panic(err)
	}
	if source, err = os.Getwd(); err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "permgate")
	if runtime.GOOS == "windows" {
		program += ".exe"
		if err := linkTools(dir); err != nil {
			panic(err)
		}
	}
	shared, err := built.Permgate()
	if err != nil {
		panic(err)
	}
	text, err := os.ReadFile(shared)
	if err != nil {
		panic(err)
	}
	if err := executable.WriteFile(program, text, 0o555); err != nil { // install need not write it again for every script
		panic(err)
	}
	if err := executable.WriteFile(filepath.Join(dir, "drained"), []byte(drained), 0o700); err != nil {
		panic(err)
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// linkProgram puts the program into a folder under its name, by which TestMain of the root knows it.
func linkProgram(name string) error {
	if runtime.GOOS == "windows" {
		return link(program, name+".exe")
	}
	return os.Symlink(program, name)
}

// skipShort leaves out what starts hundreds of processes.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts hundreds of processes: skipped by -short")
	}
}

// TestScript runs testdata/script with this very program as permgate. Every
// script has a home directory and a git project of its own, and starts in the
// project.
func TestScript(t *testing.T) {
	skipShort(t)
	dir := filepath.Join("testdata", "script")
	if !golden.Update() && runtime.GOOS != "windows" && testenv.Sampled(t, "commands run in the process of the test") {
		from := dir
		dir = t.TempDir()
		insideScripts(t, from, dir)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"permgate": runInside},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       golden.Update(),
		Setup:               setup,
		Condition: func(cond string) (bool, error) {
			pty := runtime.GOOS == "linux" || runtime.GOOS == "darwin"
			return cond == "pty" && pty || cond == "uid0" && os.Getuid() == 0, nil
		},
	})
}

// setup arranges what every script finds. The programs among its files are started while others run.
func setup(env *testscript.Env) error {
	if err := executable.Renew(env.WorkDir); err != nil {
		return err
	}
	home, app := filepath.Join(env.WorkDir, "home"), filepath.Join(env.WorkDir, "app")
	for _, dir := range []string{home, filepath.Join(app, ".git"), filepath.Join(env.WorkDir, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	// the index of a repository that tracks nothing: its local settings are the user's
	index := append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"), make([]byte, 20)...)
	if err := os.WriteFile(filepath.Join(app, ".git", "index"), index, 0o644); err != nil {
		return err
	}
	env.Setenv("ROOT", source) // the source, for committed copies of what is printed
	env.Setenv("HOME", home)
	env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
	env.Setenv("DRIVE", filepath.VolumeName(env.WorkDir)) // an absolute path begins with it
	env.Cd = app
	if runtime.GOOS == "windows" {
		if err := linkScripts(env.WorkDir); err != nil {
			return err
		}
		env.Setenv("LOCALAPPDATA", filepath.Join(home, "AppData", "Local"))
		env.Setenv("TEST_SLASHES", "1") // see TestMain of package main
		env.Setenv("WORK", filepath.ToSlash(env.WorkDir))
	}
	return nil
}
