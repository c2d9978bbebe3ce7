package hosttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// ClaudeVersion is the release of Claude Code the expectations of this package were observed on.
const ClaudeVersion = "2.1.329"

// Claude returns the path of the Claude Code binary, from the user's cache directory. The package is
// installed there only when PERMGATE_HOST_INSTALL is set (it is some 400 MB); otherwise, and with
// -short, the test is skipped.
func Claude(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("real host: skipped by -short")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("real host: no cache directory: %v", err)
	}
	dir := filepath.Join(cache, "permgate-hosttest", "claude-code-"+ClaudeVersion)
	bin := claudeBinary(dir)
	if _, err := os.Stat(bin); err == nil {
		return bin
	}
	if os.Getenv("PERMGATE_HOST_INSTALL") == "" {
		t.Skipf("real host: Claude Code %s is not in %s; PERMGATE_HOST_INSTALL=1 installs it from npm", ClaudeVersion, dir)
	}
	if err := npmInstall(dir, "@anthropic-ai/claude-code@"+ClaudeVersion); err != nil {
		t.Skipf("real host: %v", err)
	}
	if _, err := os.Stat(bin); err != nil {
		t.Skipf("real host: no binary for this platform: %v", err)
	}
	return bin
}

// claudeBinary returns where npm puts the native binary of this platform.
func claudeBinary(dir string) string {
	arch, name := runtime.GOARCH, "claude"
	if arch == "amd64" {
		arch = "x64"
	}
	system := runtime.GOOS
	if system == "windows" {
		system, name = "win32", "claude.exe"
	}
	return filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-"+system+"-"+arch, name)
}

func npmInstall(dir, pkg string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("npm is missing: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// A Session is one headless run of Claude Code in a temporary home and project of its own.
type Session struct {
	API      *API
	Home     string // an empty directory; becomes HOME
	Project  string // working directory; becomes the project
	Settings string // JSON passed by --settings; hooks and the host's own rules
	Mode     string // --permission-mode, or empty
}

// NewSession makes the home and the project of a session.
func NewSession(t testing.TB, api *API) *Session {
	t.Helper()
	return &Session{API: api, Home: t.TempDir(), Project: t.TempDir()}
}

// Run starts Claude Code once and waits for its end. It returns standard output and standard error
// together; an exit code other than 0 is an error. No network but the fake API is reachable, since
// every other connection is sent to a proxy port where nobody listens.
func (s *Session) Run(t testing.TB, claude string) (string, error) {
	t.Helper()
	args := []string{"-p", "go on", "--output-format", "json", "--settings", s.Settings}
	if s.Mode != "" {
		args = append(args, "--permission-mode", s.Mode)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, claude, args...)
	cmd.Dir = s.Project
	cmd.Env = []string{
		"HOME=" + s.Home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + s.Home, "LANG=C.UTF-8",
		"ANTHROPIC_BASE_URL=" + s.API.URL, "ANTHROPIC_API_KEY=dummy",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"IS_SANDBOX=1", // root may use bypassPermissions only in what claims to be a sandbox
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("claude did not end in time: %w", err)
	}
	return string(out), err
}

// Ran reports whether the tool call `touch name` was executed in the project.
func (s *Session) Ran(name string) bool {
	_, err := os.Stat(filepath.Join(s.Project, name))
	return err == nil
}

// Touch is the harmless tool call all probes use.
func Touch(name string) ToolCall {
	return ToolCall{"Bash", map[string]any{"command": "touch " + name, "description": "make a file"}}
}

// A Hook is one command handler of Claude Code's settings.
type Hook struct {
	Type      string   `json:"type"` // "command"
	Command   string   `json:"command"`
	Args      []string `json:"args,omitempty"`      // present: exec form, no shell
	Timeout   int      `json:"timeout,omitempty"`   // seconds
	OnFailure string   `json:"onFailure,omitempty"` // "continue" or "block"
}

// Settings renders settings with one PreToolUse hook for every tool and the host's own allow rules.
func Settings(h Hook, allow ...string) string {
	h.Type = "command"
	s := map[string]any{"hooks": map[string]any{"PreToolUse": []any{map[string]any{"matcher": "*", "hooks": []Hook{h}}}}}
	if len(allow) > 0 {
		s["permissions"] = map[string]any{"allow": allow}
	}
	out, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings and ints always marshal
	}
	return string(out)
}
