package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A world is a home with a project in it.
type world struct {
	name, home, project string
	registered          []string // the words of the hook after the program
	calls               []call
}

// A call is one that Claude Code makes; %s in its input is the project.
type call struct{ name, tool, input string }

// calls are made in every world. The deny rule on .env is in the user's settings where there are any.
func calls() []call {
	return []call{
		{"status", "Bash", `{"command":"git status","description":"look"}`},
		{"pipe", "Bash", `{"command":"cd web && npm test -- --watch=false 2>&1 | tail -n 40","description":"run the tests","timeout":120000}`},
		{"edit", "Edit", `{"file_path":"%s/src/d03/f0150.go","old_string":"return 1","new_string":"return 2"}`},
		{"cat", "Bash", `{"command":"cat .env"}`},
	}
}

// tracked is how many files the project of a real world has in git. With their folders those that are removed are a
// little less than what permgate looks at before it asks.
const (
	tracked = 2000
	removed = 1950
)

// makeWorlds makes
//
//	bare       no settings at all
//	installed  what permgate install writes, and a deny rule of the user's
//	real       that, with rules of a project and those that somebody clicked, in a git repository
//	large      that, with a larger index
func makeWorlds(dir, permgate string, entries int) ([]*world, error) {
	var out []*world
	for _, name := range [...]string{"bare", "installed", "real", "large"} {
		w := &world{name: name, home: filepath.Join(dir, name, "dev"), calls: calls(), registered: []string{"hook"}}
		w.project = filepath.Join(w.home, "app")
		steps := []func() error{func() error { return os.MkdirAll(filepath.Join(w.project, "web"), 0o755) }}
		if name != "bare" {
			steps = append(steps, func() error { return w.install(permgate) })
		}
		if name == "real" || name == "large" {
			steps = append(steps, w.rules, w.repository)
			w.calls = append(w.calls, call{"remove", "Bash", `{"command":"rm -rf src"}`})
		}
		if name == "large" {
			steps = append(steps, func() error { return w.enlarge(entries) })
			w.calls = w.calls[:1]
		}
		for _, step := range steps {
			if err := step(); err != nil {
				return nil, fmt.Errorf("world %s: %w", name, err)
			}
		}
		out = append(out, w)
	}
	return out, nil
}

func (w *world) write(name, text string) error {
	name = filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

func (w *world) env() []string {
	return []string{"HOME=" + w.home, "USERPROFILE=" + w.home, "PATH=" + os.Getenv("PATH"), "CLAUDE_PROJECT_DIR=" + w.project}
}

// install has the hook registered, and takes the words it is registered with.
func (w *world) install(permgate string) error {
	if err := w.write(".claude/settings.json", `{"permissions": {"deny": ["Read(**/.env)"]}}`+"\n"); err != nil {
		return err
	}
	cmd := exec.Command(permgate, "install", "--host", "claude", "--yes")
	cmd.Dir, cmd.Env = w.home, w.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(w.home, ".claude/settings.json"))
	if err != nil {
		return err
	}
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string   `json:"command"`
				Args    []string `json:"args"`
			} `json:"hooks"`
		} `json:"hooks"`
	}
	if err := json.Unmarshal(text, &settings); err != nil {
		return err
	}
	groups := settings.Hooks["PreToolUse"]
	if len(groups) != 1 || len(groups[0].Hooks) != 1 || groups[0].Hooks[0].Command != permgate {
		return fmt.Errorf("the hook is not registered by the program and its words: %s", text)
	}
	w.registered = groups[0].Hooks[0].Args
	return nil
}

// rules writes ninety-eight: with the user's own there are ninety-nine.
func (w *world) rules() error {
	numbered := func(n int, form string) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("%q", fmt.Sprintf(form, i)))
		}
		return out
	}
	list := func(parts ...[]string) string {
		var all []string
		for _, p := range parts {
			all = append(all, p...)
		}
		return "[\n      " + strings.Join(all, ",\n      ") + "\n    ]"
	}
	shared := fmt.Sprintf("{\n  \"permissions\": {\n    \"allow\": %s,\n    \"ask\": %s,\n    \"deny\": %s\n  }\n}\n",
		list(numbered(20, "Bash(npm run task%d:*)"), numbered(10, "Read(./docs%d/**)")),
		list(numbered(5, "Bash(git push remote%d:*)")), list(numbered(15, "Read(./secret%d/**)")))
	local := fmt.Sprintf("{\n  \"permissions\": {\n    \"allow\": %s\n  }\n}\n",
		list(numbered(24, "Bash(make target%d)"), numbered(12, "Bash(go test ./pkg%d/...)"), numbered(12, "WebFetch(domain:docs%d.example.org)")))
	if err := w.write("app/.claude/settings.json", shared); err != nil {
		return err
	}
	return w.write("app/.claude/settings.local.json", local)
}

// repository commits the project; its files are older than the index, as they mostly are.
func (w *world) repository() error {
	for i := range tracked - 2 {
		text := fmt.Sprintf("package p\n\n// F%d is one of many.\nfunc F%d() int { return %d }\n", i, i, i)
		top := "src"
		if i >= removed {
			top = "lib"
		}
		if err := w.write(fmt.Sprintf("app/%s/d%02d/f%04d.go", top, i/50, i), text); err != nil {
			return err
		}
	}
	if err := w.write("app/.gitignore", ".env\nsettings.local.json\n"); err != nil {
		return err
	}
	if err := w.write("app/.env", "TOKEN=1\n"); err != nil {
		return err
	}
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(w.project, func(name string, _ os.DirEntry, err error) error {
		if err == nil {
			err = os.Chtimes(name, old, old)
		}
		return err
	})
	for _, args := range [...]string{"init -q", "add .", "-c user.name=a -c user.email=a@example.org commit -qm first",
		"gc -q"} { // a clone has packs
		if err == nil {
			err = w.git("", strings.Fields(args)...)
		}
	}
	return err
}

// enlarge adds entries to the index, of files that are not there.
func (w *world) enlarge(entries int) error {
	var b strings.Builder
	for i := range entries - tracked {
		fmt.Fprintf(&b, "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\tlib/p%03d/n%06d.go\n", i/100, i)
	}
	return w.git(b.String(), "update-index", "--index-info")
}

func (w *world) git(in string, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = w.project, w.env(), strings.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}

// payload is what Claude Code writes to the hook.
func (w *world) payload(c call) string {
	input := c.input
	if strings.Contains(input, "%s") {
		input = fmt.Sprintf(input, filepath.ToSlash(w.project))
	}
	return fmt.Sprintf(`{"session_id":"0b1f9a52-6d1e-4c62-9d8b-1f0a8a0c1e11","transcript_path":%q,"cwd":%q,`+
		`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s,"tool_use_id":"toolu_01A09q90qw90lq917835lq9"}`,
		filepath.Join(w.home, ".claude", "projects", "p", "s.jsonl"), w.project, c.tool, input)
}
