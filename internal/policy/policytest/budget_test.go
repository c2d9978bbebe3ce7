package policytest

import (
	"slices"
	"strings"
	"testing"
)

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
