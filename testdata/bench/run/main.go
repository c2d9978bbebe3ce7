// Command run compares the start-up of permgate with that of an empty Go program (noop) and of the four
// packages it is built on (floor). From the module root:
//
//	go run ./testdata/bench/run [-n 300] [-set DIR]
//
// All three are built as a release is, and permgate is started twice: as it is, and with its log switched off
// (unlogged). They are started in turn, each from the write of the payload to the
// end of the process, and what counts is the median of the ratios within a turn: the machine's mood falls
// out of it. With -set, DIR/home and DIR/project take the place of the made settings (four files of fifteen
// rules), and the log stays on.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var names = [...]string{"noop", "floor", "permgate", "unlogged"}

func main() {
	n := flag.Int("n", 300, "starts of each binary")
	set := flag.String("set", "", "directory with home and project to use instead of the made ones")
	flag.Parse()
	if err := run(*n, *set); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(n int, set string) error {
	tmp, err := os.MkdirTemp("", "permgate-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	bins, err := build(tmp)
	if err != nil {
		return err
	}
	made := set == ""
	if made {
		set = filepath.Join(tmp, "set")
		if err := writeSettings(set); err != nil {
			return err
		}
	}
	set, err = filepath.Abs(set)
	if err != nil {
		return err
	}
	h := hook{home: filepath.Join(set, "home"), project: filepath.Join(set, "project")}
	hooks := []hook{h, h, h, {home: filepath.Join(tmp, "unlogged", "home"), project: filepath.Join(tmp, "unlogged", "project")}}
	if len(bins) == 3 && made {
		if err := unlogged(set, filepath.Join(tmp, "unlogged")); err != nil {
			return err
		}
		bins = append(bins, bins[2])
	}
	times := make([][]float64, len(bins))
	for i := -10; i < n; i++ { // the first ten turns warm the page cache
		for k := range bins {
			k = (k + i + 10) % len(bins) // nobody always comes first
			ms, _, err := hooks[k].start(bins[k])
			if err != nil {
				return fmt.Errorf("%s: %w", names[k], err)
			}
			if i >= 0 {
				times[k] = append(times[k], ms)
			}
		}
	}
	report(times)
	if len(bins) > 2 {
		_, answer, _ := h.start(bins[2])
		fmt.Printf("answer of permgate: %s\n", answer)
	}
	return nil
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
	name := filepath.Join(dir, "permgate.json") // beside one of as many words, so that as much is read
	if err := os.WriteFile(name, []byte(`{"audit": "off"}`), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(from, "home", ".gen", "permgate.json"), []byte(`{"audit": "decisions"}`), 0o644)
}

// build builds the binaries, permgate only if the module has a main package by now.
func build(dir string) ([]string, error) {
	var bins []string
	for i, pkg := range [...]string{"./testdata/bench/noop", "./testdata/bench/floor", "."} {
		bin := filepath.Join(dir, names[i]+".exe") // the suffix does no harm elsewhere
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil && pkg == "." {
			fmt.Printf("permgate does not build, measuring without it: %s\n", bytes.TrimSpace(out))
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", pkg, err, out)
		}
		bins = append(bins, bin)
	}
	return bins, nil
}

// A hook is how the binaries are started.
type hook struct{ home, project string }

func (h hook) start(bin string) (ms float64, answer string, err error) {
	payload := fmt.Sprintf(`{"session_id":"0b1f9a52-6d1e-4c62-9d8b-1f0a8a0c1e11","transcript_path":%q,"cwd":%q,`+
		`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":`+
		`"cd web && npm test -- --watch=false 2>&1 | tail -n 40","description":"run the tests","timeout":120000},`+
		`"tool_use_id":"toolu_01A09q90qw90lq917835lq9"}`,
		filepath.Join(h.home, ".claude", "projects", "p", "s.jsonl"), h.project)
	cmd := exec.Command(bin, "hook", "--host", "claude", "--event", "PreToolUse")
	cmd.Dir = h.project
	cmd.Env = []string{"HOME=" + h.home, "USERPROFILE=" + h.home, "PATH=" + os.Getenv("PATH"), "CLAUDE_PROJECT_DIR=" + h.project}
	in, w, err := os.Pipe()
	if err != nil {
		return 0, "", err
	}
	out, err := os.CreateTemp("", "permgate-bench-answer") // a file, so that no goroutine copies while we measure
	if err != nil {
		return 0, "", err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	begin := time.Now()
	w.WriteString(payload)
	w.Close()
	err = cmd.Run()
	ms = float64(time.Since(begin).Microseconds()) / 1000
	in.Close()
	text, _ := os.ReadFile(out.Name())
	if err != nil {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return ms, strings.TrimSpace(string(text)), err
}

func report(times [][]float64) {
	fmt.Printf("%-10s %8s %8s   wall ms of %d starts\n", "", "min", "median", len(times[0]))
	for k, ts := range times {
		fmt.Printf("%-10s %8.3f %8.3f\n", names[k], slices.Min(ts), median(ts))
	}
	ratio := func(a, b int) {
		var rs []float64
		for i := range times[a] {
			rs = append(rs, times[a][i]/times[b][i])
		}
		fmt.Printf("%s/%s: median of the pairwise ratios %.3f\n", names[a], names[b], median(rs))
	}
	ratio(1, 0)
	if len(times) > 2 {
		ratio(2, 0)
		ratio(2, 1)
	}
	if len(times) > 3 {
		ratio(3, 0)
		ratio(2, 3)
	}
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
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
