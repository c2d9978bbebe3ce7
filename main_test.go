package main

import (
	"bytes"
	"debug/elf"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"permgate/internal/gate"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"permgate": func() {
		gate.TestOnlyWorld = sandbox
		main()
	}})
}

// sandbox keeps the settings of the machine out of the tests: the home
// directory is HOME, and the managed folders are beside it.
func sandbox(w *gate.World) {
	w.PasswdHome = os.Getenv("HOME")
	managed := filepath.Join(filepath.Dir(w.PasswdHome), "managed")
	for _, name := range [...]string{"gen", "san", "claude-code"} {
		w.ManagedDir = append(w.ManagedDir, filepath.Join(managed, name))
	}
}

// TestScript runs testdata/script with this very program as permgate. Every
// script has a home directory and a git project of its own, and starts in the
// project.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup:               setup,
		Condition: func(cond string) (bool, error) {
			return cond == "pty" && (runtime.GOOS == "linux" || runtime.GOOS == "darwin"), nil
		},
	})
}

func setup(env *testscript.Env) error {
	home, app := filepath.Join(env.WorkDir, "home"), filepath.Join(env.WorkDir, "app")
	for _, dir := range []string{home, filepath.Join(app, ".git"), filepath.Join(env.WorkDir, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	env.Setenv("HOME", home)
	env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
	env.Cd = app
	return nil
}

// TestReadme checks that the session the README shows is the one a user sees:
// the settings of its first json block are in force, and every line of its
// console block is run. -update rewrites the block.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	settings, _, ok := fenced(string(text), "json")
	block, at, ok2 := fenced(string(text), "console")
	if !ok || !ok2 {
		t.Fatal("README.md has no json and no console block")
	}
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	app := filepath.Join(home, "app")
	for _, d := range []string{filepath.Join(app, ".git"), filepath.Join(app, ".gen")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(app, ".gen", "settings.json"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "permgate")); err != nil { // see TestMain
		t.Skip(err)
	}
	var got strings.Builder
	for line := range strings.Lines(block) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			continue
		}
		if !strings.HasPrefix(command, "permgate check ") && !strings.HasPrefix(command, "permgate explain ") {
			t.Fatalf("not run: %s", command)
		}
		got.WriteString(line)
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = app
		cmd.Env = []string{"HOME=" + home, "PATH=" + bin, "XDG_STATE_HOME=" + filepath.Join(dir, "state")}
		out, err := cmd.CombinedOutput()
		if _, exit := err.(*exec.ExitError); err != nil && !exit {
			t.Fatal(err)
		}
		got.Write(out)
	}
	switch {
	case got.String() == block:
	case *update:
		if err := os.WriteFile("README.md", []byte(string(text[:at])+got.String()+string(text[at+len(block):])), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the session is\n%s\nREADME.md shows\n%s", got.String(), block)
	}
}

// fenced returns the first code block of a language and where it starts.
func fenced(text, language string) (block string, at int, ok bool) {
	open := "```" + language + "\n"
	at = strings.Index(text, open) + len(open)
	if at < len(open) {
		return "", 0, false
	}
	block, _, ok = strings.Cut(text[at:], "```\n")
	return block, at, ok
}

// TestImports checks the arrows of docs/architecture.md.
func TestImports(t *testing.T) {
	for _, tt := range []struct {
		pkg     string
		without []string
	}{
		{"./hookio", []string{"permgate/rules", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./rules", []string{"permgate/hookio", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./bashsafety", []string{"permgate/hookio", "permgate/rules", "permgate/decide", "permgate/internal/", "mvdan.cc/sh/v3/expand", "mvdan.cc/sh/v3/interp"}},
		{"./redact", []string{"permgate/hookio", "permgate/rules", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./decide", []string{"permgate/internal/"}},
		{"./internal/scripts", []string{"permgate/hookio", "permgate/decide", "permgate/internal/gate", "permgate/internal/cli", "permgate/internal/disk"}},
		{"./internal/gate", []string{"permgate/internal/cli"}},
		{".", []string{"html/template", "text/template", "encoding/xml", "net/http", "os/user", "os/exec"}},
	} {
		out, err := exec.Command("go", "list", "-deps", tt.pkg).Output()
		if err != nil {
			t.Skipf("go list: %v", err)
		}
		for _, dep := range strings.Fields(string(out)) {
			for _, bad := range tt.without {
				if bad == "os/user" && runtime.GOOS == "darwin" {
					continue // there it asks the directory service, without the C library
				}
				if dep == bad || strings.HasSuffix(bad, "/") && strings.HasPrefix(dep, bad) {
					t.Errorf("%s imports %s", tt.pkg, dep)
				}
			}
		}
	}
}

// TestStatic checks that a release build needs no dynamic loader, which would
// cost more than everything the hook does.
func TestStatic(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "permgate")
	build(t, bin)
	f, err := elf.Open(bin)
	if err != nil {
		t.Skipf("no ELF file here: %v", err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary is dynamically linked")
		}
	}
}

// TestInit checks that no package of ours does anything before main: the hook
// would pay for it on every call.
func TestInit(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "permgate")
	build(t, bin)
	cmd := exec.Command(bin, "version")
	cmd.Env = []string{"GODEBUG=inittrace=1"}
	var stderr bytes.Buffer
	cmd.Stderr, cmd.Stdout = &stderr, io.Discard
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr.String(), "init ") {
		t.Fatal("no trace")
	}
	for _, line := range strings.Split(stderr.String(), "\n") {
		if strings.HasPrefix(line, "init permgate") || strings.HasPrefix(line, "init main") {
			t.Error(line)
		}
	}
}

// build builds permgate the way install.sh does.
func build(t *testing.T, name string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", name, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}
