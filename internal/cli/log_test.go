package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

var logTime = time.Date(2026, 11, 20, 14, 0, 0, 0, time.Local)

// decided is a record of a decision on a shell text, n seconds after logTime.
func decided(n int, decision, answered, step, text string) log.Record {
	var in subcmd.Object
	in.Add("command", text)
	return log.Record{
		Time: logTime.Add(time.Duration(n) * time.Second), Schema: log.Schema, Version: "v1", Event: log.EventDecision,
		Host: "claude", HostEvent: "PreToolUse", Session: "s1", Cwd: "/w/app", Project: "/w/app", Tool: "Bash",
		Input: string(in.End()), InputHash: "hash of " + text, CallID: fmt.Sprint("call", n), Mode: "default",
		Decision: decision, Answered: answered, Step: step, Reason: "why " + text, Duration: time.Duration(n+1) * time.Millisecond,
	}
}

// became is a record of how a decided call ended.
func became(n int, of log.Record, outcome string) log.Record {
	return log.Record{
		Time: logTime.Add(time.Duration(n) * time.Second), Schema: log.Schema, Event: log.EventOutcome, Host: of.Host, HostEvent: "PostToolUse",
		Session: of.Session, Tool: of.Tool, CallID: of.CallID, InputHash: of.InputHash, Outcome: outcome,
	}
}

// exampleLog is a day: what every form has to show.
func exampleLog() []log.Record {
	status := decided(0, "allow", "allow", "6", "git status")
	status.Rule, status.RulePlace = "Bash(git:*)", "/w/app/.gen/settings.json:3:15"
	push := decided(1, "ask", "ask", "5", "cd web && git push origin main")
	push.Rule, push.RulePlace, push.Reason = "Bash(git push:*)", "/w/app/.gen/settings.json:4:13", `ask rule: Bash(git push:*) matches "git push origin main"`
	dialog := push
	dialog.Time, dialog.HostEvent, dialog.CallID, dialog.Answered = push.Time.Add(time.Second), "PermissionRequest", "", log.Silence
	rm := decided(4, "ask", "ask", "2", "rm -rf x")
	rm.Check = "recursive-remove"
	make := decided(5, "ask", log.Silence, "7", "make all")
	codex := decided(6, "ask", "deny", "5", "git push")
	codex.Host, codex.Session = "codex", "s2"
	seen := decided(86400, "deny", log.Silence, "1", "npm publish")
	seen.Observed, seen.Session = true, "s3"
	fault := decided(86401, "ask", "ask", "", "")
	fault.Fault, fault.Input, fault.Tool, fault.Reason = log.FaultDeadline, "", "", "the deadline of 2 s passed"
	read := decided(86402, "allow", "allow", "7", "")
	read.Tool, read.Input = "Read", `{"file_path":"/w/app/a.go"}`
	return []log.Record{
		status, became(1, status, log.Ran), push, dialog, became(3, push, log.Refused), rm, make, became(6, make, log.Failed),
		codex, seen, fault, read,
		{Time: logTime.Add(90000 * time.Second), Schema: log.Schema, Event: log.EventSessionEnd, Host: "claude", Session: "s1"},
	}
}

// A logRun is a log in a folder and how permgate is run next to it.
type logRun struct {
	t   *testing.T
	dir string
	e   subcmd.Env
}

func newLogRun(t *testing.T, records []log.Record) *logRun {
	t.Helper()
	l := &logRun{t: t, dir: filepath.Join(t.TempDir(), "permgate")}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range records {
		l.append(string(records[i].AppendJSON(nil)))
	}
	home := filepath.Join(filepath.Dir(l.dir), "home")
	l.e.World = worldOf(home, "/w/app", "XDG_STATE_HOME", filepath.Dir(l.dir))
	l.e.World.Now = logTime.Add(25 * time.Hour)
	return l
}

func (l *logRun) append(text string) {
	l.t.Helper()
	f, err := os.OpenFile(filepath.Join(l.dir, log.Name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		l.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		l.t.Fatal(err)
	}
}

func (l *logRun) run(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &err, l.e.World)
	return out.String(), err.String(), code
}

// want runs permgate and compares what it prints.
func (l *logRun) want(want string, args ...string) {
	l.t.Helper()
	out, err, code := l.run(args...)
	if out != want || code != subcmd.ExitOK || err != "" {
		l.t.Errorf("%s: exit %d, %s\ngot\n%s\nwant\n%s", args, code, err, out, want)
	}
}

const exampleView = `2026-11-20 14:00:00  claude    allow    git status  (step 6: .gen/settings.json:3  Bash(git:*))  ran
2026-11-20 14:00:01  claude    ask      cd web && git push origin main  (step 5: .gen/settings.json:4  Bash(git push:*))  refused by the user
    ask rule: Bash(git push:*) matches "git push origin main"
2026-11-20 14:00:04  claude    ask      rm -rf x  (step 2: check recursive-remove)  no outcome
    why rm -rf x
2026-11-20 14:00:05  claude    silence  make all  (ask, step 7: mode default)  failed
2026-11-20 14:00:06  codex     deny     git push  (ask, step 5: ask)
    why git push
2026-11-21 14:00:00  claude    (deny)   npm publish  (step 1: deny)
    why npm publish
2026-11-21 14:00:01  claude    fault    -  (deadline, told ask)
    the deadline of 2 s passed
2026-11-21 14:00:02  claude    allow    Read /w/app/a.go  (step 7: mode default)  no outcome
`

func TestLogList(t *testing.T) {
	l := newLogRun(t, exampleLog())
	l.want(exampleView, "log")
}

// titles runs permgate log and returns the calls it lists.
func (l *logRun) titles(args ...string) string {
	l.t.Helper()
	out, err, code := l.run(append([]string{"log", "--csv"}, args...)...)
	if code != subcmd.ExitOK {
		l.t.Fatalf("%s: exit %d, %s", args, code, err)
	}
	rows, e := csv.NewReader(strings.NewReader(out)).ReadAll()
	if e != nil {
		l.t.Fatal(e)
	}
	var got []string
	for _, row := range rows[1:] {
		got = append(got, row[8])
	}
	return strings.Join(got, "; ")
}

func TestLogFilters(t *testing.T) {
	l := newLogRun(t, exampleLog())
	const push = "cd web && git push origin main"
	for _, tt := range []struct{ args, want string }{
		{"--decision allow", "git status; Read /w/app/a.go"},
		{"--decision ask --session s1", push + "; rm -rf x; "},
		{"--decision deny", "git push; npm publish"},
		{"--decision silence", "make all; npm publish"},
		{"--tool Read", "Read /w/app/a.go"},
		{"--tool R*d", "Read /w/app/a.go"},
		{"--tool B", ""},
		{"--rule settings.json:4", push},
		{"--rule Bash(git:*)", "git status"},
		{"--rule recursive-remove", "rm -rf x"},
		{"--rule recursive", ""},
		{"--host codex", "git push"},
		{"--host claude-code --tool Read", "Read /w/app/a.go"},
		{"--session s2", "git push"},
		{"--session s -n 2", "; Read /w/app/a.go"},
		{"--since 61m", "npm publish; ; Read /w/app/a.go"},
		{"--since 1d", "npm publish; ; Read /w/app/a.go"},
		{"--since 2w -n 1", "Read /w/app/a.go"},
		{"--since 2026-11-21", "npm publish; ; Read /w/app/a.go"},
		{"--since 2026-11-21T14:00:02", "Read /w/app/a.go"},
		{"--since 2026-11-22", ""},
		{"-n 1 --decision ask --host codex", "git push"},
	} {
		if got := l.titles(strings.Fields(tt.args)...); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.args, got, tt.want)
		}
	}
}

func TestLogRefusals(t *testing.T) {
	l := newLogRun(t, exampleLog())
	for _, tt := range []struct{ args, want string }{
		{"deny", "'deny' is not an option, and log takes no operands"},
		{"--decision no", "--decision 'no': expected allow, ask, deny or silence"},
		{"--since soon", "--since 'soon': expected a span like"},
		{"--since -2h", "--since '-2h': expected a span like"},
		{"--since d", "--since 'd': expected a span like"},
		{"--host nobody", "unknown host nobody; known are "},
		{"--tool [a", "--tool '[a': incomplete pattern"},
		{"-n -1", "-n takes a number of calls, 1 or more"},
		{"-n x", "invalid argument"},
		{"--json --csv", "use only one of"},
		{"--csv --stats", "does not go with --stats"},
		{"--csv -f", "does not go with --stats or --follow"},
		{"-f --stats", "does not go with --follow"},
	} {
		out, err, code := l.run(append([]string{"log"}, strings.Fields(tt.args)...)...)
		if code != subcmd.ExitError || out != "" || !strings.Contains(err, tt.want) || !strings.Contains(err, "\n  hint: permgate help log ") {
			t.Errorf("%s: exit %d, %s%s; want %s", tt.args, code, out, err, tt.want)
		}
	}
}

// TestLogJSON checks that lines come out as they are stored, rotated files and
// keys of later versions included, and that what is no record is counted.
func TestLogJSON(t *testing.T) {
	records := exampleLog()
	l := newLogRun(t, nil)
	var all []string
	for i := range records {
		line := strings.Replace(string(records[i].AppendJSON(nil)), `"Attributes":{`, `"Attributes":{ "permgate.later" : [1],`, 1)
		all = append(all, line)
		name := map[bool]string{true: "log.1.jsonl", false: "log.jsonl"}[i < 5]
		f, err := os.OpenFile(filepath.Join(l.dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			f.WriteString(line[:30] + "\n\x00\x00\n{}\n")
		}
		f.WriteString(line)
		f.Close()
	}
	l.append(all[0][:50])
	const skipped = "permgate log: 4 lines skipped: incomplete, or not written by permgate\n"
	for _, tt := range []struct{ args, want string }{
		{"log --json", strings.Join(all, "")},
		{"log --json --tool Bash -n 1", all[9]},
		{"log --json --rule Bash(git:*)", all[0] + all[1]},
		{"log --json --session s3", all[9]},
		{"log --json --rule settings.json:4", all[2] + all[3] + all[4]},
	} {
		out, err, code := l.run(strings.Fields(tt.args)...)
		if out != tt.want || err != skipped || code != subcmd.ExitOK {
			t.Errorf("%s: exit %d, %s\ngot\n%s\nwant\n%s", tt.args, code, err, out, tt.want)
		}
	}
}

// TestLogCSV checks the form of RFC 4180, and that no cell is a formula.
func TestLogCSV(t *testing.T) {
	evil := decided(0, "deny", "deny", "1", "=HYPERLINK(\"http://x\",\"a\n\")")
	evil.Reason, evil.Session, evil.Mode, evil.Cwd, evil.Check = "-1+1", "+1", "@SUM(A1)", "a,\u202eb", "\tx"
	l := newLogRun(t, []log.Record{evil})
	out, _, _ := l.run("log", "--csv")
	if !strings.HasPrefix(out, "time,host,event,session,") || strings.Count(out, "\r\n") != 2 || strings.Count(out, "\n") != 2 {
		t.Errorf("%q", out)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range rows[0] {
		if cell := rows[1][i]; cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
			t.Errorf("%s: %q", name, cell)
		}
	}
	if got := rows[1][8]; got != `'=HYPERLINK("http://x","a\n")` {
		t.Errorf("call: %s", got)
	}
	if got := rows[1][5]; got != `a,\u202eb` {
		t.Errorf("cwd: %s", got)
	}
}

// TestLogEscapes checks that no text of the log reaches the terminal as it is.
func TestLogEscapes(t *testing.T) {
	const evil = "\x1b[2J\u200b\u202e\r\n"
	var in subcmd.Object
	in.Add("command", "ls "+evil)
	r := decided(0, "deny", "deny", "1", "ls")
	r.Input = string(in.End())
	line := string(r.AppendJSON(nil))
	// a line that somebody else wrote, with everything not escaped
	for _, key := range []string{"permgate.host", "permgate.decision", "permgate.answered", "permgate.mode", "permgate.step", "permgate.rule", "permgate.rule_place",
		"permgate.check", "gen_ai.tool.name", "permgate.raw_tool", "permgate.origin", "error.type", "permgate.outcome", "permgate.host_event"} {
		var v subcmd.Object
		v.Add(key, evil)
		one := strings.Replace(line, `"Attributes":{`, `"Attributes":{`+strings.Trim(string(v.End()), "{}")+`,`, 1)
		l := newLogRun(t, nil)
		l.append(one)
		for _, args := range [][]string{{"log"}, {"log", "--csv"}, {"log", "--stats"}} {
			out, _, code := l.run(args...)
			if code != subcmd.ExitOK || strings.ContainsAny(strings.ReplaceAll(out, "\r\n", "\n"), "\x1b\u200b\u202e\r") || !strings.Contains(out, "\n") {
				t.Errorf("%s with %s: %q", args, key, out)
			}
		}
	}
}

func TestLogEmpty(t *testing.T) {
	l := newLogRun(t, nil)
	for _, args := range [][]string{{"log"}, {"log", "--json"}, {"log", "--stats"}} {
		_, err, code := l.run(args...)
		if code != subcmd.ExitOK || !strings.Contains(err, "no call is logged in ") || !strings.Contains(err, "\n  hint: ") {
			t.Errorf("%s: exit %d, %s", args, code, err)
		}
	}
	l.e.World.Getenv = func(string) string { return "" }
	l.e.World.PasswdHome = l.dir + "/none"
	if _, err, code := l.run("log"); code != subcmd.ExitOK || !strings.Contains(err, "no call is logged") {
		t.Errorf("no folder: exit %d, %s", code, err)
	}
}

// TestLogStats compares the text of the example, and checks the JSON of it.
func TestLogStats(t *testing.T) {
	l := newLogRun(t, exampleLog())
	l.want(exampleStats, "log", "--stats")
	out, _, _ := l.run("log", "--stats", "--json")
	for path, want := range map[string]string{
		"calls": "8", "observed": "1", "observing": "false", "faults": "1", "sessions": "3", "allow": "2", "ask": "3", "deny": "2", "silence": "1",
		"days.0.name": "2026-11-20", "days.1.deny": "1", "hosts.0.name": "claude", "top_rules.0.name": "Bash(git push:*)  /w/app/.gen/settings.json:4:13",
		"top_prompts.#": "3", "prompts.asked": "3", "prompts.refused": "1", "prompts.no_outcome": "1", "prompts.unknown": "1", "prompts.approved": "0", "duration_us.max": "86403000",
	} {
		if got := gjson.Get(out, path).String(); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if !gjson.Valid(out) || strings.Count(out, "\n") != 1 {
		t.Error(out)
	}
}

const exampleStats = `observe mode was on for 1 of 8 calls: they count as the decision they would have got

8 calls in 3 sessions, 2026-11-20 14:00 to 2026-11-21 14:00

by day   (+ allow  ? ask  x deny  . silence)
  2026-11-20  ++++++++????????????????xxxxxxxx........     1 allow, 2 ask, 1 deny, 1 silence
  2026-11-21  ++++++++????????xxxxxxxx                     1 allow, 1 ask, 1 deny

by program
  claude  ++++++++++++??????????????????xxxxxx......   2 allow, 3 ask, 1 deny, 1 silence
  codex   xxxxxx                                       1 deny

by step
  1 deny    xxxxxxxxxxxxxxxxxxxx                         1 deny
  2 immune  ????????????????????                         1 ask
  5 ask     ????????????????????xxxxxxxxxxxxxxxxxxxx     1 ask, 1 deny
  6 allow   ++++++++++++++++++++                         1 allow
  7 mode    ++++++++++++++++++++....................     1 allow, 1 silence

top rules and checks
      1  Bash(git push:*)  .gen/settings.json:4
      1  Bash(git:*)  .gen/settings.json:3
      1  check recursive-remove

top prompts
      1  a call that could not be read
      1  git push
      1  rm

3 prompts
  0 approved, 1 refused, 1 without outcome (refused, failed or given up), 1 unknown

time to the answer
  p50 6.0 ms   p90 86403.0 ms   p99 86403.0 ms   max 86403.0 ms

1 call could not be decided; permgate doctor looks for the reason
`

// TestLogStatsObserve checks the first line while observe mode is on, for every
// host or for one.
func TestLogStatsObserve(t *testing.T) {
	for text, want := range map[string]string{
		`{"enforce": false}`:                        "OBSERVE MODE IS ON (enforce: false, ~/.gen/permgate.json:1): ",
		`{"hosts": {"claude": {"enforce": false}}}`: "OBSERVE MODE IS ON for claude (enforce: false, ~/.gen/permgate.json:1): ",
	} {
		l := newLogRun(t, exampleLog()[:1])
		writeFile(t, filepath.Join(l.e.World.PasswdHome, ".gen", "permgate.json"), text)
		if out, _, _ := l.run("log", "--stats"); !strings.HasPrefix(out, want) {
			t.Errorf("%s: %s", text, out)
		}
		if out, _, _ := l.run("log", "--stats", "--json"); !gjson.Get(out, "observing").Bool() {
			t.Errorf("%s: %s", text, out)
		}
	}
}

func TestPercentile(t *testing.T) {
	var d []time.Duration
	for i := 1; i <= 200; i++ {
		d = append(d, time.Duration(i))
	}
	for p, want := range map[int]time.Duration{50: 100, 90: 180, 99: 198, 100: 200} {
		if got := replay.Percentile(d, p); got != want {
			t.Errorf("p%d is %d, want %d", p, got, want)
		}
	}
	if got := replay.Percentile(d[:1], 50); got != 1 {
		t.Errorf("p50 of one is %d", got)
	}
}

// A watched buffer is written by one goroutine and read by another.
type watched struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

// until waits until text has been written.
func (w *watched) until(t *testing.T, text string) {
	t.Helper()
	for range 2400 { // a minute
		w.mu.Lock()
		got := w.b.String()
		w.mu.Unlock()
		if strings.Contains(got, text) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("%q did not come", text)
}

// TestLogFollow follows a log across rotation, and ends with its context and
// when no one reads.
func TestLogFollow(t *testing.T) {
	l := newLogRun(t, nil)
	out := &watched{}
	l.e.Out = out
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan int)
	start := func(ctx context.Context, w io.Writer, o *logOptions) {
		e := l.e
		e.Out = w
		index, tail := &subcmd.LogIndex{Texts: true}, &log.Tail{Dir: l.dir}
		if err := tail.Next(index.Add); err != nil {
			t.Error(err)
		}
		v := newLogView(&e, bufio.NewWriter(w))
		done <- follow(ctx, v, o, index, tail, chosenOf(index, &o.filter, 0))
		tail.Close()
	}
	one := decided(0, "ask", "ask", "5", "git push")
	l.append(string(one.AppendJSON(nil)))
	go start(ctx, out, &logOptions{filter: logFilter{decision: "ask"}})
	out.until(t, "git push")
	two, other := decided(1, "ask", "ask", "5", "make all"), decided(2, "allow", "allow", "6", "not asked about")
	line, whole := string(two.AppendJSON(nil)), decided(1, "ask", "ask", "5", "git fetch")
	l.append(string(whole.AppendJSON(nil)) + line[:40])
	out.until(t, "git fetch") // then the beginning of the next line has been read too
	l.append(line[40:] + string(other.AppendJSON(nil)))
	out.until(t, "make all")
	cur := filepath.Join(l.dir, log.Name)
	if err := os.Rename(cur, filepath.Join(l.dir, "log.1.jsonl")); err != nil {
		t.Fatal(err)
	}
	ran, three := became(3, one, log.Ran), decided(4, "ask", "ask", "5", "after the rotation")
	l.append(string(ran.AppendJSON(nil)) + string(three.AppendJSON(nil)))
	out.until(t, "claude    ran      git push")
	out.until(t, "after the rotation")
	stop()
	if code := <-done; code != subcmd.ExitOK {
		t.Errorf("exit %d", code)
	}
	if strings.Contains(out.b.String(), "not asked about") {
		t.Errorf("the filter was forgotten:\n%s", out.b.String())
	}

	r, w := io.Pipe()
	r.Close()
	go start(context.Background(), w, &logOptions{json: true})
	if code := <-done; code != subcmd.ExitOK {
		t.Errorf("nobody reads: exit %d", code)
	}
}

// FuzzLogLine has every form read a line somebody else wrote: none may fall
// over it, or let a control character out.
func FuzzLogLine(f *testing.F) {
	for _, r := range exampleLog() {
		f.Add(string(r.AppendJSON(nil)))
	}
	f.Add(`{"Timestamp":"2026-11-20T14:00:00Z","EventName":"permgate.decision","Attributes":{"permgate.schema":1,"permgate.host":"gen","gen_ai.tool.name":"Bash","gen_ai.tool.call.arguments":{"command":"ls\u0000","command":7},"process.command_line":"permgate hook --host gen --cwd /"}}`)
	f.Add(`{"Timestamp":"2026-11-20T14:00:00Z","EventName":"permgate.decision","Attributes":{"permgate.schema":1,"permgate.host":"codex","gen_ai.tool.name":"Edit","permgate.raw_tool":"apply_patch","gen_ai.tool.call.arguments":{"command":"*** Begin Patch"}}}`)
	f.Fuzz(func(t *testing.T, line string) {
		l := newLogRun(t, nil)
		l.append(line + "\n")
		for _, args := range [][]string{{"log"}, {"log", "--csv"}, {"log", "--stats"}, {"log", "--stats", "--json"}, {"explain", "--last", "--session", ""}, {"explain", "--last"}} {
			out, err, _ := l.run(args...)
			for _, r := range strings.ReplaceAll(out, "\r\n", "\n") + err {
				if r < ' ' && r != '\n' || r == 0x7f || r == 0x200b || r == 0x202e {
					t.Fatalf("%s: %q", args, out+err)
				}
			}
		}
	})
}
