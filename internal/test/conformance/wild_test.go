package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// everyday are calls that an agent makes in any project.
var everyday = [...]struct{ tool, arg string }{
	{"Bash", "ls -la"}, {"Bash", "pwd"}, {"Bash", "git status"}, {"Bash", "git diff"}, {"Bash", "git diff --stat HEAD~1"},
	{"Bash", "git log --oneline -5"}, {"Bash", "git add -A"}, {"Bash", "git add README.md && git commit -m 'docs: a word'"}, {"Bash", "git branch --show-current"},
	{"Bash", "go test ./..."}, {"Bash", "go build ./... && go vet ./..."}, {"Bash", "npm test"}, {"Bash", "npm run build"}, {"Bash", "npm install"},
	{"Bash", "npx tsc --noEmit 2>&1 | head -20"}, {"Bash", "python -m pytest -q"}, {"Bash", "python3 -c 'print(1)'"}, {"Bash", "rg foo src"},
	{"Bash", "grep -rn 'TODO' . | head"}, {"Bash", "find . -name '*.go' | wc -l"}, {"Bash", "cat README.md"}, {"Bash", "head -50 src/main.go"},
	{"Bash", "mkdir -p build/x"}, {"Bash", "echo done"}, {"Bash", "cd src && ls"}, {"Bash", "FOO=1 make"}, {"Bash", "curl -s http://localhost:3000/health"},
	{"Read", "/work/project/README.md"}, {"Grep", "/work/project/src"}, {"Glob", "/work/project"}, {"Edit", "/work/project/src/main.go"}, {"Write", "/work/project/docs/a.md"},
	{"WebFetch", "https://github.com/a/b"}, {"mcp__github__get_issue", "x"},
}

// everydayInput is the input of one of them.
func everydayInput(tool, arg string) json.RawMessage {
	in := map[string]string{"file_path": arg}
	switch tool {
	case "Bash":
		in = map[string]string{"command": arg}
	case "Grep", "Glob":
		in = map[string]string{"pattern": "main", "path": arg}
	case "Edit":
		in = map[string]string{"file_path": arg, "old_string": "a", "new_string": "b"}
	case "Write":
		in = map[string]string{"file_path": arg, "content": "b"}
	case "WebFetch":
		in = map[string]string{"url": arg, "prompt": "x"}
	}
	text, _ := json.Marshal(in)
	return text
}

// TestWildEveryday makes everyday calls under the settings files of real
// projects, as the user's and as the local ones of a project, with the posture
// that permgate install writes: nothing is stopped that the host, by the reading
// with the fewest prompts, would run by itself.
func TestWildEveryday(t *testing.T) {
	names := testenv.CorpusGlob(t, "corpus/wild_settings/*.json")
	posture := installedPosture(t)
	calls, prompts, stops, bare := 0, 0, 0, 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []string{"/home/dev/.claude/settings.json", "/work/project/.claude/settings.local.json"} {
			for _, mode := range []string{"default", "acceptEdits", "auto", "bypassPermissions"} {
				h := claudeHost{readsOnly: onlyReads, reading: quietest}
				if err := h.settings(string(text)); err != nil {
					t.Fatal(name, err)
				}
				h.mode, h.cwd, h.project, h.home = mode, "/work/project", "/work/project", "/home/dev"
				for _, call := range everyday {
					s := Setup{Tool: call.tool, Input: everydayInput(call.tool, call.arg), Mode: mode, Settings: map[string]string{
						"/home/dev/.claude/permgate.json": posture, at: string(text),
						"/work/project/.git/HEAD": "ref: refs/heads/main\n", "/work/project/.git/config": "[core]\n\tbare = false\n", "/work/project/.git/index": "DIRC",
						"/work/project/README.md": "x", "/work/project/src/main.go": "package main", "/work/project/package.json": "{}", "/work/project/go.mod": "module x",
					}}
					p := withPermgate(s, h, hookAnswers(s))
					calls++
					if p.both == hostPrompts {
						prompts++
					}
					if p.both > p.alone {
						stops++
						t.Errorf("%s as %s in %s: %s %s is stopped, and the host alone is at %d: step %s: %s", filepath.Base(name), at, mode, call.tool, call.arg, p.alone, p.step, p.bothWhy)
					}
					if mode == "auto" { // and what is counted is there to be found
						delete(s.Settings, "/home/dev/.claude/permgate.json")
						if p := withPermgate(s, h, hookAnswers(s)); p.both > p.alone {
							bare++
						}
					}
				}
			}
		}
	}
	if bare == 0 {
		t.Error("the bare posture stops nothing either")
	}
	t.Logf("%d files, %d calls, %d prompts, %d of them permgate's (%d in auto without the posture)", len(names), calls, prompts, stops, bare)
}
