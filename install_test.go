package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/test/built"
)

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInstallScripts: both want the Go of go.mod, and show the same three calls and what to do next.
func TestInstallScripts(t *testing.T) {
	sh, ps := readText(t, "install.sh"), readText(t, "install.ps1")
	first := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(readText(t, "go.mod"))[1]
	for name, want := range map[string]string{"install.sh": "need=" + first + "\n", "install.ps1": "$need = [version]'" + first + "'\n"} {
		if !strings.Contains(readText(t, name), want) {
			t.Errorf("%s does not have %q", name, want)
		}
	}
	shown := regexp.MustCompile(`(?m)^\s*(?:demo ["']|Show-Call ')(.*)["'] ["'](git .*)["']$`)
	next := regexp.MustCompile(`(?m)^(?:say|Say) ["'](\w.*: +permgate .*)["']$`)
	for _, lines := range []*regexp.Regexp{shown, next} {
		var found [2][]string
		for i, text := range [...]string{sh, ps} {
			for _, m := range lines.FindAllStringSubmatch(text, -1) {
				found[i] = append(found[i], strings.Join(m[1:], " | "))
			}
		}
		if len(found[0]) < 3 || !slices.Equal(found[0], found[1]) {
			t.Errorf("install.sh has %q, install.ps1 %q", found[0], found[1])
		}
	}
}

// TestInstallPS1 reads install.ps1 with permgate's own reader, to the last line: each command is listed, and nothing is removed
// but what the script made.
func TestInstallPS1(t *testing.T) {
	text := readText(t, "install.ps1")
	if strings.ContainsFunc(text, func(r rune) bool { return r > 126 || r == '\r' || r == '\t' }) {
		t.Error("Windows PowerShell 5.1 takes a file without a mark for one of the user's code page")
	}
	a := bashsafety.AnalyzePowerShell(text, bashsafety.Env{})
	var commands []string
	for i := range a.Subcommands {
		span := a.Subcommands[i].Span
		commands = append(commands, strings.TrimSpace(text[span.Start:span.End]))
	}
	for _, d := range a.Doubts { // what it cannot know: its own function, two methods, and the program it has built
		if at := text[d.Span.Start:d.Span.End]; at != "Say" && at != "[Console]::Error.WriteLine" && !strings.HasPrefix(at, "& $target ") {
			t.Errorf("%s: %v", at, d)
		}
	}
	if last := "Say 'take it out again:   permgate uninstall --host claude'"; len(commands) == 0 || commands[len(commands)-1] != last {
		t.Errorf("it does not end with %s: %q", last, commands)
	}
	if want := `& go build -trimpath '-buildmode=exe' -ldflags '` + built.Strip + `' -o $new '.'`; !slices.Contains(commands, want) {
		t.Errorf("no %s in %q", want, commands)
	}
	var removed []string
	for i, c := range commands {
		if rest, ok := strings.CutPrefix(c, "Remove-Item"); ok {
			removed = append(removed, rest)
			if rest == " -Force -ErrorAction SilentlyContinue" && commands[i-1] != "Get-ChildItem -LiteralPath $bin -Filter '.permgate.*.old.exe' -Force" {
				t.Errorf("removes what comes from %s", commands[i-1])
			}
		}
	}
	if want := []string{" -LiteralPath $new -Force -ErrorAction SilentlyContinue", " -Force -ErrorAction SilentlyContinue",
		" -LiteralPath $project -Recurse -Force"}; !slices.Equal(removed, want) {
		t.Errorf("it removes %q", removed)
	}
}

// TestInstallPS1Parses asks PowerShell itself, where there is one.
func TestInstallPS1Parses(t *testing.T) {
	found := false
	for _, shell := range [...]string{"pwsh", "powershell"} {
		if _, err := exec.LookPath(shell); err != nil || exec.Command(shell, "-NoProfile", "-Command", "exit 7").Run() == nil {
			continue // that of wine does nothing
		}
		found = true
		const parse = "$errors = $null; $file = (Resolve-Path 'install.ps1').Path; " +
			"$null = [System.Management.Automation.Language.Parser]::ParseFile($file, [ref] $null, [ref] $errors); $errors; exit $errors.Count"
		if out, err := exec.Command(shell, "-NoProfile", "-NonInteractive", "-Command", parse).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
	if !found {
		t.Skip("there is no PowerShell here")
	}
}

// TestInstallPS1Runs installs twice, the second time while the first binary runs.
func TestInstallPS1Runs(t *testing.T) {
	shell, err := exec.LookPath("powershell")
	if runtime.GOOS != "windows" || testing.Short() || err != nil || exec.Command(shell, "-NoProfile", "-Command", "exit 7").Run() == nil {
		t.Skip("it is for Windows, with PowerShell")
	}
	prefix := t.TempDir()
	bin := filepath.Join(prefix, "bin", "permgate.exe")
	install := func() {
		cmd := exec.Command(shell, "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", "install.ps1")
		cmd.Env = append(os.Environ(), "PREFIX="+prefix)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "installed "+bin) || strings.Count(string(out), "permgate check --allowedTools") != 3 {
			t.Fatalf("%v\n%s", err, out)
		}
		if out, err := exec.Command(bin, "version").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	install()
	running := exec.Command(bin, "check", "--lines")
	in, err := running.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	install()
	in.Close()
	running.Wait()
	time.Sleep(time.Second) // its file is free then
	install()
	left, _ := filepath.Glob(filepath.Join(prefix, "bin", "*"))
	if len(left) != 1 {
		t.Errorf("left: %q", left)
	}
}
