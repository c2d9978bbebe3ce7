package hosttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A world is the home of a person and a project in it, below the user's cache folder: what lies below a
// temporary folder is no file outside the project to permgate.
type world struct {
	home, project, other, temp, session string
	main                                string // the main checkout, where the project is a linked worktree of it
	config                              string // the folder of the person's own files of Claude Code
}

// laxStores are the credential stores of ten programs, and one more of two of them, below the home.
var laxStores = [...]string{
	".ssh/id_rsa", ".aws/credentials", ".git-credentials", ".netrc", ".kube/config", ".docker/config.json",
	".npmrc", ".pypirc", ".config/gh/hosts.yml", ".gnupg/private-keys-v1.d/key.key",
	".config/gcloud/application_default_credentials.json", ".azure/msal_token_cache.json",
}

// secretText is what each of them holds.
const secretText = "token-of-nobody"

// newWorld makes the home, the project, another repository and a temporary folder.
func newWorld(t testing.TB) *world {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("no cache directory: %v", err)
	}
	cache = filepath.Join(cache, "permgate-hosttest")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.MkdirTemp(cache, "world-")
	if err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp("/tmp", "laxness-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root); os.RemoveAll(temp) })
	w := &world{home: filepath.Join(root, "home"), temp: temp, session: "5f0c1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f"}
	w.project, w.other = filepath.Join(w.home, "src", "app"), filepath.Join(w.home, "src", "other")
	w.main, w.config = w.project, filepath.Join(w.home, ".claude")
	for _, name := range laxStores {
		writeFile(t, filepath.Join(w.home, name), secretText+"\n")
	}
	for name, text := range map[string]string{
		"notes/todo.txt": "buy bread\n", "notes/old/a.txt": "a\n", "src/app/README.md": "an app\n",
		"src/app/.env":   "TOKEN=1\n",
		"src/app/go.mod": "module example.com/app\n\ngo 1.26\n", "src/app/main.go": "package main\n\nfunc main() {}\n",
		"src/app/package.json":      `{"name":"app","scripts":{"test":"true","build":"true"}}` + "\n",
		"src/app/package-lock.json": "{}\n",
		"src/app/.gitignore":        "dist/\n", "src/app/dist/a.js": "1\n", "src/app/old/a.go": "package old\n",
		"src/other/README.md": "another\n",
	} {
		writeFile(t, filepath.Join(w.home, name), text)
	}
	writeFile(t, filepath.Join(w.temp, "old", "a.txt"), "a\n")
	w.accept(t, filepath.Join(w.home, ".claude.json"))
	executable.Write(t, filepath.Join(w.home, "bin", "pwsh"), "#!/bin/sh\necho ran\n")
	for _, dir := range []string{w.project, w.other} {
		w.git(t, dir, "init", "-q")
		w.git(t, dir, "add", ".")
		w.git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first")
	}
	return w
}

// accept has the person have said that they trust the project.
func (w *world) accept(t testing.TB, path string) {
	t.Helper()
	writeFile(t, path, jsonText(map[string]any{
		"cachedGrowthBookFeatures": map[string]any{"tengu_scratch": true}, // by which the scratchpad is rolled out
		"projects": map[string]any{w.main: map[string]any{"hasTrustDialogAccepted": true},
			w.project: map[string]any{"hasTrustDialogAccepted": true}},
	}))
}

func (w *world) git(t testing.TB, dir string, args ...string) {
	t.Helper()
	testenv.Git(t, w.home, dir, args...)
}

// dashed is the name Claude Code gives to the folders of a project.
func dashed(project string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, project)
}

// memory is the folder in which Claude Code keeps its memory of a project.
func (w *world) memory(project string) string {
	return filepath.Join(w.home, ".claude", "projects", dashed(project), "memory")
}

// scratch is the folder Claude Code names for scratch files.
func (w *world) scratch() string {
	return filepath.Join(w.temp, fmt.Sprintf("claude-%d", os.Getuid()), dashed(w.project), w.session, "scratchpad")
}

// fill puts the paths of the world in the place of their names.
func (w *world) fill(text string) string {
	return strings.NewReplacer("{home}", w.home, "{project}", w.project, "{other}", w.other, "{temp}", w.temp,
		"{main}", w.main,
		"{memory}", w.memory(w.project), "{elsewhere}", w.memory(w.other), "{scratch}", w.scratch()).Replace(text)
}

// environment is what the session is told besides: a temporary folder of its own, the shell that has no program
// here, time for the server that answers prompts to start, without which the session ends, and that it may look up
// what is rolled out to it, from what is in the home.
func (w *world) environment() []string {
	env := []string{"CLAUDE_CODE_USE_POWERSHELL_TOOL=1", "TMPDIR=" + w.temp,
		"MCP_TIMEOUT=60000", "MCP_CONNECT_TIMEOUT_MS=60000",
		"PATH=" + filepath.Join(w.home, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		"DISABLE_TELEMETRY=", "DISABLE_ERROR_REPORTING=", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="}
	if w.config != filepath.Join(w.home, ".claude") {
		env = append(env, "CLAUDE_CONFIG_DIR="+w.config)
	}
	return env
}
