package hosttest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A Session is one headless run of a host in a temporary home and project of its own.
type Session struct {
	Host    *Host
	API     *API
	Home    string // an empty directory; becomes HOME
	Project string // working directory; becomes the project
	Posture Posture
	Hooks   []Hook
	Rules   []string        // the host's own allow rules, where a posture needs them
	MCP     map[string]any  // MCP servers by name, in the form of .mcp.json
	Env     []string        // additional environment
	common  map[string]bool // names of the environment the host was started with
	hung    bool            // the run was ended because nothing happened any more
}

// NewSession makes the home and the project of a session with the host's first posture.
func NewSession(t testing.TB, h *Host, calls ...ToolCall) *Session {
	t.Helper()
	return &Session{Host: h, API: StartAPI(t, h.API, calls...), Home: t.TempDir(), Project: t.TempDir(), Posture: h.Gates[0].Postures[0]}
}

// take gives the session a posture, and the calls to whom the posture wants to make them.
func (s *Session) take(t testing.TB, p Posture) {
	s.Posture = p
	calls := s.API.Conversations[0].Calls
	for i := range calls {
		calls[i] = calls[i].with(p)
		if p.Skills {
			calls[i] = s.skill(t, filepath.Join(s.Project, ".claude"), fmt.Sprintf("skill-%d", i), calls[i].Input["command"].(string))
		}
	}
	if p.Errand != nil {
		s.API.Conversations = []Conversation{{Prompt, []ToolCall{*p.Errand}}, {errandPrompt, calls}}
		s.API.Watched = 1
	}
}

// skill writes a skill below a folder whose text holds a command, and returns the call of it.
func (s *Session) skill(t testing.TB, dir, name, command string) ToolCall {
	t.Helper()
	writeFile(t, filepath.Join(dir, "skills", name, "SKILL.md"),
		"---\nname: "+name+"\ndescription: a probe\nallowed-tools: Bash\n---\n"+name+" says: !`"+command+"`\n")
	return ToolCall{Name: "Skill", Input: map[string]any{"skill": name}}
}

// Run starts the host once and waits for its end. It returns standard output and standard error
// together; an exit code other than 0 is an error. No network but the fake API is reachable, since
// every other connection is sent to a proxy port where no one listens.
func (s *Session) Run(t testing.TB, program []string) (string, error) {
	t.Helper()
	args, env := s.Host.Launch(t, s)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go s.watch(ctx, cancel)
	cmd := exec.CommandContext(ctx, program[0], append(program[1:len(program):len(program)], args...)...)
	cmd.Dir = s.Project
	cmd.Env = s.environment(program, env)
	s.common = map[string]bool{"PWD": true, "OLDPWD": true, "SHLVL": true, "_": true} // the shell's own
	for _, v := range cmd.Env {
		name, _, _ := strings.Cut(v, "=")
		s.common[name] = true
	}
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if cause := context.Cause(ctx); cause != nil {
		s.hung, err = true, cause
	}
	return string(out), err
}

// environment is all that a host is told of this machine, with what its own literal adds.
func (s *Session) environment(program, env []string) []string {
	path := os.Getenv("PATH")
	if s.Host.Node != "" {
		path = filepath.Dir(program[0]) + string(os.PathListSeparator) + path
	}
	return append(append([]string{
		"HOME=" + s.Home, "PATH=" + path, "TMPDIR=" + s.Home, "LANG=C.UTF-8",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
		"http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "no_proxy=127.0.0.1,localhost",
	}, env...), s.Env...)
}

// watch ends a run that asked nothing of the model for idleLimit: it waits for a person. It counts its ticks, not the
// time: while the whole machine is stopped, neither the host nor the count gets on.
func (s *Session) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	const every = time.Second
	tick := time.NewTicker(every)
	defer tick.Stop()
	var idle time.Duration
	for asked := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if now := s.API.Asked(); now > asked {
				asked, idle = now, 0
			}
			if idle += every; idle > idleLimit {
				cancel(fmt.Errorf("%s asked nothing of the model for %v", s.Host.Name, idleLimit))
				return
			}
		}
	}
}

// Ran reports whether the tool call `touch name` was executed in the project.
func (s *Session) Ran(name string) bool {
	_, err := os.Stat(filepath.Join(s.Project, name))
	return err == nil
}

// letter says how call number n ended, which makes the file name (see Seen).
func (s *Session) letter(n int, name string) string {
	switch {
	case s.Ran(name):
		return "y"
	case len(s.API.Results()) > n:
		return "n"
	case s.hung:
		return "h"
	}
	return "e"
}

// Touch is the harmless tool call all probes use.
func (h *Host) Touch(name string) ToolCall { return h.Shell("touch " + name) }

// with adds the fields a posture needs.
func (c ToolCall) with(p Posture) ToolCall {
	for k, v := range p.Call {
		c.Input[k] = v
	}
	return c
}

// beside makes a call one of the same message as the call before it.
func (c ToolCall) beside() ToolCall {
	c.Parallel = true
	return c
}

// addSettings adds members to a JSON settings file that may be there already.
func addSettings(t testing.TB, path string, members map[string]any) {
	t.Helper()
	settings := map[string]any{}
	if text, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(text, &settings); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	for k, v := range members {
		settings[k] = v
	}
	writeFile(t, path, jsonText(settings))
}

// writeFile writes a file and the folders it needs.
func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
