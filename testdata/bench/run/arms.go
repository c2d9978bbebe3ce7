package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An arm is one program under one set of settings.
type arm struct {
	name, bin     string
	home, project string
	uses          []use
}

// A use is what one start took.
type use struct {
	wall, cpu time.Duration
	faults    int64 // minor page faults, -1 where the system does not say
}

func makeArms(tmp, set string, against []string) ([]*arm, error) {
	set, err := filepath.Abs(set)
	if err != nil {
		return nil, err
	}
	quiet := filepath.Join(tmp, "unlogged")
	if err := unlogged(set, quiet); err != nil {
		return nil, err
	}
	overlay, err := emptyMain(tmp)
	if err != nil {
		return nil, err
	}
	var arms []*arm
	add := func(name, bin, set string) error {
		copied := filepath.Join(tmp, fmt.Sprintf("%d-%s.exe", len(arms), filepath.Base(name))) // the suffix does no harm elsewhere
		arms = append(arms, &arm{name: name, bin: copied, home: filepath.Join(set, "home"), project: filepath.Join(set, "project")})
		return largeCopy(bin, copied)
	}
	for _, b := range [...]struct{ name, pkg, overlay, set string }{
		{"noop", "./testdata/bench/noop", "", set},
		{"floor", "./testdata/bench/floor", "", set},
		{"main", ".", overlay, set},
		{"permgate", ".", "", set},
		{"unlogged", ".", "", quiet},
	} {
		bin := filepath.Join(tmp, "built-"+b.name)
		if err := build(bin, b.pkg, b.overlay); err != nil {
			return nil, err
		}
		if err := add(b.name, bin, b.set); err != nil {
			return nil, err
		}
	}
	for _, bin := range against {
		if err := add(bin, bin, set); err != nil {
			return nil, err
		}
	}
	return arms, nil
}

func build(bin, pkg, overlay string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-overlay", overlay, "-o", bin, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", pkg, err, out)
	}
	return nil
}

// emptyMain writes an overlay for go build: main.go with a main that does what noop does, unless it gets more
// arguments than anybody gives, so that all of permgate is still linked.
func emptyMain(tmp string) (overlay string, err error) {
	const begins = "func main() {"
	text, err := os.ReadFile("main.go")
	if err != nil {
		return "", err
	}
	instead := strings.Replace(string(text), begins, begins+`
	if len(os.Args) < 99 {
		io.ReadAll(os.Stdin)
		os.Stdout.WriteString("{}\n")
		return
	}
`, 1)
	if instead == string(text) {
		return "", fmt.Errorf("main.go holds no %q", begins)
	}
	name, err := filepath.Abs("main.go")
	if err != nil {
		return "", err
	}
	replaced := filepath.Join(tmp, "main.go")
	if err := os.WriteFile(replaced, []byte(instead), 0o644); err != nil {
		return "", err
	}
	overlay = filepath.Join(tmp, "overlay.json")
	return overlay, os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, name, replaced), 0o644)
}

// largeCopy copies a binary into a new file in writes of 4 MiB and has it written to the disk. A linker writes
// piece by piece, and the pages of its file can only be mapped one by one.
func largeCopy(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	defer f.Close()
	for len(text) > 0 {
		block := text[:min(len(text), 4<<20)]
		if _, err := f.Write(block); err != nil {
			return err
		}
		text = text[len(block):]
	}
	return f.Sync()
}

// hook is the command that starts an arm. The log goes to the home of the settings, which is the user's own for
// this call.
func (a *arm) hook(before ...string) *exec.Cmd {
	words := append(before, a.bin, "hook", "--host", "claude", "--event", "PreToolUse", "--home", a.home)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = a.project
	cmd.Env = []string{"HOME=" + a.home, "USERPROFILE=" + a.home, "PATH=" + os.Getenv("PATH"), "CLAUDE_PROJECT_DIR=" + a.project}
	return cmd
}

func (a *arm) payload() string {
	return fmt.Sprintf(`{"session_id":"0b1f9a52-6d1e-4c62-9d8b-1f0a8a0c1e11","transcript_path":%q,"cwd":%q,`+
		`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":`+
		`"cd web && npm test -- --watch=false 2>&1 | tail -n 40","description":"run the tests","timeout":120000},`+
		`"tool_use_id":"toolu_01A09q90qw90lq917835lq9"}`,
		filepath.Join(a.home, ".claude", "projects", "p", "s.jsonl"), a.project)
}

// start runs the program once.
func (a *arm) start(before ...string) (u use, answer string, err error) {
	cmd := a.hook(before...)
	in, w, err := os.Pipe()
	if err != nil {
		return use{}, "", err
	}
	defer in.Close()
	out, err := os.CreateTemp("", "permgate-bench-answer") // a file, so that no goroutine copies while we measure
	if err != nil {
		return use{}, "", err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	begin := time.Now()
	w.WriteString(a.payload())
	w.Close()
	err = cmd.Run()
	u.wall = time.Since(begin)
	text, _ := os.ReadFile(out.Name())
	if err != nil {
		return use{}, "", fmt.Errorf("%w: %s", err, text)
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.faults = minorFaults(cmd.ProcessState)
	return u, strings.TrimSpace(string(text)), nil
}

// writeSettings makes a home and a project with four settings files of fifteen rules each.
func writeSettings(dir string) error {
	allow := []string{"git status:*", "git diff:*", "git log:*", "go test:*", "npm test:*", "npm run *", "ls:*", "tail:*"}
	for i, path := range []string{"home/.claude/settings.json", "home/.gen/settings.json",
		"project/.claude/settings.json", "project/.claude/settings.local.json"} {
		var rules []string
		for _, a := range allow {
			rules = append(rules, fmt.Sprintf("      %q", fmt.Sprintf("Bash(%s)", a)))
		}
		text := fmt.Sprintf(`{
  "permissions": {
    "allow": [
%s,
      "Read(./src%d/**)",
      "WebFetch(domain:docs%d.example.org)"
    ],
    "ask": ["Bash(git push:*)", "Edit(./deploy%d/**)"],
    "deny": ["Read(./secret%d/**)", "Bash(terraform apply:*)", "Edit(//srv/data%d/**)"]
  }
}
`, strings.Join(rules, ",\n"), i, i, i, i, i)
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(dir, "project", ".git"), 0o755)
}

// unlogged copies settings and switches the log off in the copy.
func unlogged(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	dir := filepath.Join(to, "home", ".gen")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(from, "home", ".gen"), 0o755); err != nil {
		return err
	}
	name := filepath.Join(dir, "permgate.json") // next to one of as many words, so that as much is read
	if err := os.WriteFile(name, []byte(`{"audit": "off"}`), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(from, "home", ".gen", "permgate.json"), []byte(`{"audit": "decisions"}`), 0o644)
}
