package policytest

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// policyFiles are settings under which every decision occurs.
var policyFiles = map[string]string{
	"/home/u/app/.gen/settings.json":      `{"permissions": {"allow": ["Bash(git *)", "Edit(src/**)"], "ask": ["Bash(git push*)"], "deny": ["Read(.env)", "Bash(a)", "Bash(run_in_background:true)"]}}`,
	"/home/u/app/.gen/agents/reviewer.md": "---\nname: reviewer\nallow_tools: [\"Bash(git diff*)\"]\n---\n",
	"/home/u/.gen/permgate.json":          `{"hosts": {"codex": {"catastrophic": "deny"}, "claude": {"onUnmatched": "defer"}}}`,
}

// payloads are calls as hosts send them.
var payloads = []string{
	`{"tool_name":"Bash","tool_input":{"command":"git push","description":"x","timeout":5}}`,
	`{"tool_name":"Bash","tool_input":{"command":"ls","run_in_background":true}}`,
	`{"tool_name":"Bash","permission_mode":"plan","tool_input":{"command":"git push"}}`,
	`{"tool_name":"Bash","permission_mode":"default","tool_input":{"command":"git log"}}`,
	`{"tool_name":"Edit","permission_mode":"acceptEdits","tool_input":{"file_path":"x.go","old_string":"a\nb","new_string":"c"}}`,
	`{"tool_name":"Read","cwd":"/home/u/app/sub","tool_input":{"file_path":"../.env"}}`,
	`{"tool_name":"MultiEdit","tool_input":{"file_path":"/home/u/app/src/a.go","edits":[]}}`,
	`{"tool_name":"Grep","tool_input":{"pattern":"x","path":"src"}}`,
	`{"tool_name":"Glob","tool_input":{"pattern":"*.go"}}`,
	`{"tool_name":"WebFetch","tool_input":{"url":"https://go.dev/#x => y","prompt":"p"}}`,
	`{"tool_name":"TodoWrite","tool_input":{}}`,
	`{"tool_name":"mcp__github__create_issue","tool_input":{"title":"x","n":1}}`,
	`{"tool_name":"Agent","tool_input":{"subagent_type":"reviewer","prompt":"look"}}`,
	`{"tool_name":"Bash","agent_id":"a1","agent_type":"reviewer","tool_input":{"command":"git diff"}}`,
	`{"session_id":"019a","turn_id":"t-8","transcript_path":null,"cwd":"/home/u/app","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","tool_name":"shell","tool_input":{"command":["bash","-lc","git status && rm -rf /"]}}`,
	`{"session_id":"0c9e","transcript_path":"/home/u/.claude/projects/x/0c9e.jsonl","cwd":"/home/u/app","permission_mode":"bypassPermissions","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`,
}

// TestRecord records calls and runs what was recorded: it has to pass, in one
// file, in whatever order the context lines lead through.
func TestRecord(t *testing.T) {
	w := world(policyFiles)
	text := ""
	n := 0
	for _, payload := range payloads {
		call, err := hookio.Read(strings.NewReader(payload), hookio.Options{})
		if err != nil {
			t.Fatalf("%s: %v", payload, err)
		}
		n++
		text = record(t, w, call, text)
	}
	for _, command := range awkward {
		if command == "git push" || strings.Contains(command, "\x00") { // recorded above; no call can hold a NUL
			continue
		}
		call, err := gate.Call("Bash", command)
		if err != nil {
			t.Fatal(err)
		}
		n++
		text = record(t, w, call, text)
	}
	f := Parse("f", text)
	if len(f.Tests) != n {
		t.Errorf("%d calls, %d tests", n, len(f.Tests))
	}
	pass(t, w, text)
}

// record adds the answer to a call to the text of a file.
func record(t *testing.T, w gate.World, call *hookio.Call, text string) string {
	t.Helper()
	c := gate.Case(call, &gate.Flags{}, w)
	v := decide.Decide(c)
	r := Runner{World: w, Dir: c.Policy.Project.Given}
	test, err := r.Record(c, v, Context{})
	if err != nil {
		t.Errorf("%s %q: %v", call.Tool, call.Command, err)
		return text
	}
	if test.Want != v.Decision().String() {
		t.Errorf("%s: %s, recorded as %s", call.Tool, v.Decision(), test.Want)
	}
	out, line, added, err := Append("f", text, test)
	if err != nil || !added {
		t.Errorf("%+v: added %v, %v", test, added, err)
		return text
	}
	if got := strings.Split(out, "\n")[line-1]; !strings.HasPrefix(got, test.Want+" "+test.Tool) {
		t.Errorf("line %d is %q", line, got)
	}
	if again, _, added, err := Append("f", out, test); added || again != out || err != nil {
		t.Errorf("%+v is added twice: %v", test, err)
	}
	return out
}

func pass(t *testing.T, w gate.World, text string) {
	t.Helper()
	f := Parse("f", text)
	for _, e := range f.Errors {
		t.Error(e.Error())
	}
	r := Runner{World: w, Dir: "/home/u/app"}
	for i := range f.Tests {
		if res, err := r.Run(&f.Tests[i]); err != nil || res.Wrong != "" {
			t.Errorf("%+v: %v %+v", f.Tests[i], err, res)
		}
	}
}

func TestRecordRefuses(t *testing.T) {
	w := world(policyFiles)
	for _, tt := range []struct{ payload, want string }{
		{`{"tool_name":"Bash","tool_input":{"comand":"x"}}`, "is malformed"},
		{`{"tool_name":"Bash","tool_input":{"command":"a\u0000"}}`, "is malformed"},
		{`{"tool_name":"Bash","agent_id":"a1","tool_input":{"command":"git diff"}}`, "a subagent without a name"},
		{`{"tool_name":"Bash","agent_id":"a1","agent_type":"a\nb","tool_input":{"command":"git diff"}}`, "where the call is made"},
	} {
		call, err := hookio.Read(strings.NewReader(tt.payload), hookio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := gate.Case(call, &gate.Flags{}, w)
		v := decide.Decide(c)
		r := Runner{World: w, Dir: c.Policy.Project.Given}
		if test, err := r.Record(c, v, Context{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, %v", tt.payload, test, err)
		}
	}
	// what was granted for the session is in no file
	call, _ := gate.Call("Bash", "make")
	c := gate.Case(call, &gate.Flags{}, w)
	c.Grants.AllBash = true
	v := decide.Decide(c)
	r := Runner{World: w, Dir: c.Policy.Project.Given}
	if test, err := r.Record(c, v, Context{}); err == nil || !strings.Contains(err.Error(), "session grants") {
		t.Errorf("%+v, %v", test, err)
	}
}

func TestAppend(t *testing.T) {
	test := &Test{Want: "ask", Tool: "Bash", Argument: "ls", Given: true, Context: Context{Mode: "plan"}}
	for _, tt := range []struct{ in, want string }{
		{"", header + "@mode plan\nask Bash ls\n"},
		{"# x", "# x\n@mode plan\nask Bash ls\n"},
		{"@mode plan\r\nask Bash b\r\n", "@mode plan\r\nask Bash b\r\nask Bash ls\r\n"},
		{"@mode dontAsk\n@agent r\n", "@mode dontAsk\n@agent r\n@mode plan\n@agent -\nask Bash ls\n"},
		{"@mode plan\nask Bash ls\n", "@mode plan\nask Bash ls\n"},
	} {
		if got, _, _, err := Append("f", tt.in, test); got != tt.want || err != nil {
			t.Errorf("%q: got %q, %v", tt.in, got, err)
		}
	}
	if _, _, _, err := Append("f", "alow Bash x\n", test); err == nil || !strings.Contains(err.Error(), "f:1:1: ") {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// TestRecordWindows: where a call is made is written as every system spells it, from the folder of the tests on.
func TestRecordWindows(t *testing.T) {
	w := world(map[string]string{"/c/app/.git/HEAD": "", "/c/app/sub/dir/x": "", "/c/other/x": "", "/d/app/x": ""})
	w.Files.(*fakefs.FS).Own("/c", 1000)
	w.OS, w.Cwd, w.PasswdHome = rules.Windows, `C:\app`, `C:\home`
	for cwd, want := range map[string]string{
		`C:\app`: "", `C:\app\sub`: "sub", `C:\app\sub\dir`: "sub/dir", "/c/app/sub": "sub", `C:\other`: "/c/other", `D:\app`: "/d/app",
	} {
		call, err := gate.Call("Bash", "make")
		if err != nil {
			t.Fatal(err)
		}
		call.Cwd = cwd
		c := gate.Case(call, &gate.Flags{}, w)
		r := Runner{World: w, Dir: `C:\app`}
		test, err := r.Record(c, decide.Decide(c), Context{})
		if err != nil || test.Context.Cwd != want {
			t.Errorf("%s: %+v, %v, want %q", cwd, test, err, want)
			continue
		}
		if v, err := r.Decide(test); err != nil || v.Input().Policy.Cwd.Given != c.Policy.Cwd.Given {
			t.Errorf("%s: run in %+v, %v", cwd, v.Input(), err)
		}
	}
}

// budgets are texts of one line that hold one budget, and what they are written as.
var budgets = []struct {
	text string
	want Budget
}{
	{"budget: prompts <= 2 per session of a.jsonl", Budget{Most: 2, PerSession: true, Files: []string{"a.jsonl"}}},
	{" budget: \t prompts  <= 2 per session of a.jsonl  b/*.jsonl ",
		Budget{Most: 2, PerSession: true, Files: []string{"a.jsonl", "b/*.jsonl"}}},
	{"budget: p90 prompts <= 3 per session of **/x", Budget{Percentile: 90, Most: 3, PerSession: true, Files: []string{"**/x"}}},
	{"budget: denies <= 0 in ../x.jsonl\r", Budget{Denies: true, Files: []string{"../x.jsonl"}}},
	{"budget: prompts <= 120 in in", Budget{Most: 120, Files: []string{"in"}}},
}

func TestParseBudget(t *testing.T) {
	for _, tt := range budgets {
		f := Parse("f", tt.text)
		if len(f.Errors) > 0 || len(f.Budgets) != 1 || len(f.Tests) > 0 {
			t.Errorf("%q: %+v", tt.text, f)
			continue
		}
		if got := f.Budgets[0]; !sameBudget(&got, &tt.want) {
			t.Errorf("%q: got %+v, want %+v", tt.text, got, tt.want)
		}
	}
	f := Parse("f", "@mode plan\nbudget: prompts <= 1 in a\n@mode -\nask Bash a")
	if len(f.Budgets) != 1 || f.Budgets[0].Context.Mode != "plan" || f.Budgets[0].Pos.String() != "f:2:1" {
		t.Errorf("context: %+v", f)
	}
}

// sameBudget compares what the line says, and that writing and reading it again keeps that.
func sameBudget(a, b *Budget) bool {
	again := Parse("f", a.Line())
	return len(again.Budgets) == 1 && equalBudgets(a, b) && equalBudgets(a, &again.Budgets[0])
}

func equalBudgets(a, b *Budget) bool {
	return a.Percentile == b.Percentile && a.Denies == b.Denies && a.Most == b.Most && a.PerSession == b.PerSession &&
		slices.Equal(a.Files, b.Files)
}

// budgetFaults are budgets that are wrong, with the column and a part of what is said.
var budgetFaults = []struct{ text, at, msg string }{
	{"budget prompts <= 2 in a", "f:1:1", "not a decision: a test starts with allow, ask, deny, silence, a budget with budget:"},
	{"budget:", "f:1:8", "is about prompts or denies: budget: prompts <= 2 per session of FILE..."},
	{"budget: allows <= 2 in a", "f:1:9", "is about prompts or denies"},
	{"budget: p0 prompts <= 2 per session of a", "f:1:9", `"p0" is no percentile from p1 to p99`},
	{"budget: p100 prompts <= 2 per session of a", "f:1:9", "is no percentile"},
	{"budget: p9x prompts <= 2 per session of a", "f:1:9", "is no percentile"},
	{"budget: p+9 prompts <= 2 per session of a", "f:1:9", "is no percentile"},
	{"budget: prompts < 2 in a", "f:1:17", "<= is missing"},
	{"budget: prompts <= -1 in a", "f:1:20", `"-1" is no count from 0 on`},
	{"budget: prompts <= two in a", "f:1:20", "is no count"},
	{"budget: prompts <= 99999999999 in a", "f:1:20", "is no count"},
	{"budget: prompts <=", "f:1:19", "is no count"},
	{"budget: prompts <= 2", "f:1:21", "what it is counted in is missing"},
	{"budget: prompts <= 2 per day of a", "f:1:26", "what it is counted in is missing"},
	{"budget: prompts <= 2 of a", "f:1:22", "what it is counted in is missing"},
	{"budget: p50 denies <= 2 in a", "f:1:25", "a percentile is one of sessions: budget: p50 denies <= 2 per session of FILE..."},
	{"budget: prompts <= 2 in", "f:1:24", "the files of recorded calls are missing"},
	{"budget: prompts <= 2 in a ~/b", "f:1:27", "name files from the folder of the test file"},
	{"budget: prompts <= 2 in a[", "f:1:25", `"a[" is an incomplete pattern`},
}

func TestParseBudgetFaults(t *testing.T) {
	for _, tt := range budgetFaults {
		f := Parse("f", tt.text)
		if len(f.Tests)+len(f.Budgets) > 0 || len(f.Errors) != 1 {
			t.Errorf("%q: %+v", tt.text, f)
			continue
		}
		if e := f.Errors[0]; e.Pos.String() != tt.at || !strings.Contains(e.Msg, tt.msg) {
			t.Errorf("%q: got %v, want %s with %q", tt.text, e.Error(), tt.at, tt.msg)
		}
	}
}

func TestMoved(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"/home/a/app", "/ci"},
		{"/home/a/app/x.go", "/ci/x.go"},
		{`{"command":"cd /home/a/app && cat '/home/a/app/x' /home/a/app2/y"}`, `{"command":"cd /ci && cat '/ci/x' /home/a/app2/y"}`},
		{"/mnt/home/a/app/x", "/mnt/home/a/app/x"},
		{"x/home/a/app/x", "x/home/a/app/x"},
		{"/home/a/app.old/x", "/home/a/app.old/x"},
		{"/home/a/appé/x", "/home/a/appé/x"},
		{"--dir=/home/a/app:/home/a/app", "--dir=/ci:/ci"},
		{"", ""},
	} {
		if got := moved(tt.text, "/home/a/app", "/ci"); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// An appended test keeps the budgets of a file.
func TestAppendKeepsBudget(t *testing.T) {
	text := "@mode plan\nbudget: prompts <= 1 in a\n"
	out, line, added, err := Append("f", text, &Test{Want: "ask", Tool: "Bash", Argument: "make", Given: true})
	if err != nil || !added || out != text+"@mode -\nask Bash make\n" || line != 4 {
		t.Errorf("%q %d %v %v", out, line, added, err)
	}
}
