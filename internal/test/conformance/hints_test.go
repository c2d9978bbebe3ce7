package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/test/built"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// hinted are the settings under which hints are tried: those of the page, with what permgate install writes and without,
// and what it writes alone.
var hinted = []struct {
	rules   string
	posture bool
}{
	{`{"permissions": {"deny": ["Read(./.env)", "Bash(npm publish:*)"], "ask": ["Bash(git push:*)"]}}`, true},
	{`{"permissions": {"deny": ["Read(./.env)"], "ask": ["Bash(git push:*)"], "allow": ["Bash(git:*)", "Bash(ls:*)", "Edit"]}}`, false},
	{`{}`, true},
}

// allowLast is how an answer tells what would let the call through.
var allowLast = regexp.MustCompile(`permgate allow --last(?: --scope \w+)?`)

// TestHintsAreTaken puts every hint of what the hook answers to the program: permgate allow as it is told, and the commands
// to try instead. The calls are those of the page, for its six programs, and each recorded stop in three modes; nothing of
// them is run.
//
//	PERMGATE_FULL=ci PERMGATE_CORPUS=... go test ./internal/test/conformance -run HintsAreTaken -v
func TestHintsAreTaken(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred processes: skipped by -short")
	}
	program, err := built.Permgate()
	if err != nil {
		t.Fatal(err)
	}
	var calls []hintCall
	stops := recordedStops(t)
	for set := range hinted {
		for _, part := range answered {
			for _, text := range part.calls {
				for _, host := range []string{"claude", "codex", "gemini", "cursor", "copilot", "gen"} {
					tool, input := toolInput(text)
					calls = append(calls, hintCall{set, host, "default", tool, input})
				}
			}
		}
		for _, r := range stops {
			for _, mode := range []string{"default", "acceptEdits", "auto"} {
				calls = append(calls, hintCall{set, "claude", mode, r.Tool, string(r.Input)})
			}
		}
	}
	every, next := testenv.Every(t, 40, 1, 1), make(chan hintCall)
	var mu sync.Mutex
	told, tried := 0, 0
	var wait sync.WaitGroup
	for range 2 {
		h := newHinter(t, program)
		wait.Go(func() {
			for c := range next {
				a, b := h.try(t, c)
				mu.Lock()
				told, tried = told+a, tried+b
				mu.Unlock()
			}
		})
	}
	for i := 0; i < len(calls); i += every {
		next <- calls[i]
	}
	close(next)
	wait.Wait()
	t.Logf("%d calls: %d are told of permgate allow, %d of another command", (len(calls)+every-1)/every, told, tried)
	if told == 0 || tried == 0 {
		t.Error("no hint is told")
	}
}

// recordedStops are the calls of the stops that were judged; none without the corpora.
func recordedStops(t *testing.T) (out []recorded) {
	if testenv.CorpusPath(t, "corpus/stops_dev.tsv") == "" {
		return nil
	}
	calls := recordedCalls(t)
	for line := range strings.Lines(string(testenv.Corpus(t, "corpus/stops_dev.tsv"))) {
		at, _, _ := strings.Cut(line, "\t")
		if n, err := strconv.Atoi(at); err == nil {
			out = append(out, calls[n-1])
		}
	}
	return out
}

// toolInput is a call of the page as its tool and the JSON of its input.
func toolInput(text string) (tool, input string) {
	if tool, input, ok := strings.Cut(text, " {"); ok && !strings.Contains(tool, " ") && tool[0] != ':' {
		return tool, "{" + input
	}
	command, _ := json.Marshal(map[string]string{"command": text})
	return "Bash", string(command)
}

// A hintCall is one call, and the program that makes it under one of the settings.
type hintCall struct {
	set                     int
	host, mode, tool, input string
}

// A hinter has a home and a project of its own.
type hinter struct {
	program, home, project string
	set                    int
	host                   string
}

func newHinter(t *testing.T, program string) *hinter {
	h := &hinter{program: program, home: t.TempDir(), set: -1}
	h.project = filepath.Join(h.home, "src", "app")
	for _, name := range []string{"src/app/src/a.go", "src/app/.env", "src/app/run.sh", ".ssh/id_ed25519", ".aws/credentials"} {
		writeAt(t, filepath.Join(h.home, name), "x\n")
	}
	return h
}

func writeAt(t *testing.T, name, text string) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}

// run is what the program prints to both, and its exit code.
func (h *hinter) run(in string, args ...string) (out string, code int) {
	cmd := exec.Command(h.program, args...)
	cmd.Dir, cmd.Stdin = h.project, strings.NewReader(in)
	cmd.Env = []string{"HOME=" + h.home, "PATH=/usr/bin:/bin"}
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	_ = cmd.Run()
	return b.String(), cmd.ProcessState.ExitCode()
}

// try has the hook answer, and tries what it tells: how many permgate allow and other commands that were.
func (h *hinter) try(t *testing.T, c hintCall) (told, tried int) {
	h.arrange(t, c)
	_ = os.RemoveAll(filepath.Join(h.home, ".local")) // permgate allow decides what is in the log again
	payload := func(tool, input string) string {
		input = strings.ReplaceAll(input, "/home/dev", h.home)
		return fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreToolUse","tool_use_id":"t","cwd":%q,"permission_mode":%q,"tool_name":%q,"tool_input":%s}`+"\n",
			h.project, c.mode, tool, strings.ReplaceAll(input, "/work/project", h.project))
	}
	answer, _ := h.run(payload(c.tool, c.input), "hook", "--host", c.host)
	if hint := allowLast.FindString(answer); hint != "" {
		told++
		args := append(strings.Fields(hint)[1:], "--dry-run")
		if out, code := h.run("", args...); code != 0 {
			t.Errorf("%s, %s, settings %d: %s %.300s\n%s is refused: %s", c.host, c.mode, c.set, c.tool, c.input, hint, out)
		}
	}
	for _, m := range tryHint.FindAllStringSubmatch(answer, -1) {
		var command string
		if json.Unmarshal([]byte(`"`+m[1]+`"`), &command) != nil {
			continue // cut
		}
		tried++
		input, _ := json.Marshal(map[string]string{"command": command})
		out, _ := h.run(payload("Bash", string(input)), "check", "--lines", "--host", c.host)
		var got struct{ Answer, Step, Origin string }
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Errorf("%s: %v: %s", command, err, out)
		}
		if step := got.Origin + got.Step; (got.Answer == "ask" || got.Answer == "deny") && !strings.HasPrefix(step, "7") {
			t.Errorf("%s, %s, settings %d: %s %.300s\n%s is stopped: %s", c.host, c.mode, c.set, c.tool, c.input, command, out)
		}
	}
	return told, tried
}

// tryHint is how the JSON of an answer offers a command.
var tryHint = regexp.MustCompile("(?:[Tt]ry|Safer:|first:|, try) `([^`]+)`")

// arrange writes the settings of a call, where they are not those of the call before.
func (h *hinter) arrange(t *testing.T, c hintCall) {
	if h.set == c.set && h.host == c.host {
		return
	}
	h.set, h.host = c.set, c.host
	set := hinted[c.set]
	posture := filepath.Join(h.home, ".claude", "permgate.json")
	writeAt(t, filepath.Join(h.home, ".claude", "settings.json"), set.rules)
	_ = os.Remove(posture)
	if set.posture {
		p, err := agents.NewPosture(hookio.Lookup(c.host))
		if err != nil {
			t.Error(err)
			return
		}
		writeAt(t, posture, string(p.Bytes()))
	}
}
