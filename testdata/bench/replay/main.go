//go:build unix

// Command replay measures permgate replay on many recorded calls, beside permgate check --lines on the same
// ones. From the module root:
//
//	go run ./testdata/bench/replay [-n 1000000] [-jobs N]
//
// The calls are the recorded ones of corpus/real_calls.jsonl below PERMGATE_CORPUS, else the commands of
// testdata/corpus/everyday.txt, repeated over sessions, with ids of their own. It prints calls per second and
// core, by the time of the processor, and the most memory that was in use. The machine may do other work.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

func main() {
	n := flag.Int("n", 1_000_000, "calls")
	jobs := flag.Int("jobs", runtime.GOMAXPROCS(0), "cores")
	flag.Parse()
	if err := run(*n, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(n, jobs int) error {
	tmp, err := os.MkdirTemp("", "permgate-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	bin, calls, other := filepath.Join(tmp, "permgate"), filepath.Join(tmp, "calls.jsonl"), filepath.Join(tmp, "other.json")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	recorded, err := readCalls()
	if err != nil {
		return err
	}
	if err := writeCalls(calls, recorded, n); err != nil {
		return err
	}
	rules := `{"permissions": {"allow": ["Bash(go test:*)", "Bash(grep:*)"], "deny": ["Bash(git push:*)"]}}`
	if err := os.WriteFile(other, []byte(rules), 0o600); err != nil {
		return err
	}
	fmt.Printf("%d calls, %d of them different\n", n, len(recorded))
	for _, args := range [][]string{
		{"check", "--lines", "--jobs", "1"},
		{"replay", "--lines", "--jobs", "1"},
		{"replay", "--lines", "--jobs", fmt.Sprint(jobs)},
		{"replay", "--lines", "--jobs", fmt.Sprint(jobs), "--policy", other, "--against", "user=" + other},
	} {
		if err := measure(tmp, bin, calls, n, args); err != nil {
			return err
		}
	}
	return nil
}

// readCalls returns payloads, without the members that are to differ.
func readCalls() ([]map[string]any, error) {
	var out []map[string]any
	name, err := testenv.Path("corpus/real_calls.jsonl")
	if err != nil {
		return nil, err
	}
	if name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			var call map[string]any
			if err := json.Unmarshal(line, &call); err != nil {
				return nil, err
			}
			out = append(out, call)
		}
		return out, nil
	}
	text, err := os.ReadFile("testdata/corpus/everyday.txt")
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		out = append(out, map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "session_id": "everyday",
			"cwd": "/home/dev/app", "tool_input": map[string]any{"command": string(bytes.TrimSpace(line))}})
	}
	return out, nil
}

// writeCalls writes n calls: each round over them is in sessions of its own.
func writeCalls(name string, calls []map[string]any, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	sessions := make([]any, len(calls))
	for i, c := range calls {
		sessions[i] = c["session_id"]
	}
	for i := range n {
		c := calls[i%len(calls)]
		c["session_id"] = fmt.Sprint(sessions[i%len(calls)], "-", i/len(calls))
		c["tool_use_id"] = fmt.Sprintf("toolu_%016d", i)
		line, err := json.Marshal(c)
		if err != nil {
			return err
		}
		w.Write(append(line, '\n'))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// measure runs one command on the calls, in a home of its own.
func measure(tmp, bin, calls string, n int, args []string) error {
	in, err := os.Open(calls)
	if err != nil {
		return err
	}
	defer in.Close()
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = tmp, in, os.Stderr
	cmd.Env = []string{"HOME=" + tmp, "PATH=" + os.Getenv("PATH")}
	begin := time.Now()
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		return err
	}
	took := time.Since(begin)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	rss := int64(0)
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		if rss = int64(u.Maxrss) << 10; runtime.GOOS == "darwin" {
			rss = int64(u.Maxrss)
		}
	}
	line := "permgate"
	for _, a := range args {
		line += " " + filepath.Base(a)
	}
	fmt.Printf("%7.0f calls a second and core  %7.0f a second  %4d MiB  %s\n", float64(n)/cpu.Seconds(), float64(n)/took.Seconds(),
		rss>>20, line)
	return nil
}
