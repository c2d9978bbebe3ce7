package policytest

import (
	"strings"
	"testing"
)

// lines are texts of one line that hold one test.
var lines = []struct {
	text                         string
	want, tool, argument, reason string
}{
	{"ask Bash git push origin main", "ask", "Bash", "git push origin main", ""},
	{"deny Read ./.env", "deny", "Read", "./.env", ""},
	{"  allow \t Bash \t git  status \t", "allow", "Bash", "git  status", ""},
	{"allow Bash git status\r", "allow", "Bash", "git status", ""},
	{"\ufeffallow Bash ls", "allow", "Bash", "ls", ""},
	{"allow TodoWrite", "allow", "TodoWrite", "", ""},
	{"silence mcp__github__list_issues", "silence", "mcp__github__list_issues", "", ""},
	{"ask Bash echo \"a # b\" 'c' # d", "ask", "Bash", "echo \"a # b\" 'c' # d", ""},
	{"ask Bash git push => ask rule: Bash(git push*)", "ask", "Bash", "git push", "ask rule: Bash(git push*)"},
	{"ask Bash echo 'a => b' => mode", "ask", "Bash", "echo 'a => b'", "mode"},
	{"ask Bash awk '$1=>2'", "ask", "Bash", "awk '$1=>2'", ""},
	{"ask Bash a=>b", "ask", "Bash", "a=>b", ""},
	{"ask ExitPlanMode => mode", "ask", "ExitPlanMode", "", "mode"},
	{`allow Edit {"file_path": "src/x.go"}`, "allow", "Edit", `{"file_path": "src/x.go"}`, ""},
	{`ask Bash {"command": "echo '} => {'"}  =>  mode`, "ask", "Bash", `{"command": "echo '} => {'"}`, "mode"},
	{`ask Bash {"command": "a\" => b"}`, "ask", "Bash", `{"command": "a\" => b"}`, ""},
	{`ask WebFetch https://go.dev/#x`, "ask", "WebFetch", "https://go.dev/#x", ""},
}

func TestParse(t *testing.T) {
	for _, tt := range lines {
		f := Parse("f", tt.text)
		if len(f.Errors) > 0 || len(f.Tests) != 1 {
			t.Errorf("%q: %d tests, errors %v", tt.text, len(f.Tests), f.Errors)
			continue
		}
		if got := f.Tests[0]; got.Want != tt.want || got.Tool != tt.tool || got.Argument != tt.argument || got.Reason != tt.reason || got.Given != (tt.argument != "") {
			t.Errorf("%q: got %+v", tt.text, got)
		}
	}
}

// faults are texts of one line that is wrong, with the place and a part of what is said.
var faults = []struct{ text, at, msg string }{
	{"alow Bash ls", "f:1:1", `"alow" is not a decision: a test starts with allow, ask, deny, silence`},
	{"Allow Bash ls", "f:1:1", "not a decision"},
	{"  allow", "f:1:8", "the tool is missing"},
	{"allow bash ls", "f:1:7", `unknown tool "bash": did you mean Bash`},
	{"allow Bash(ls)", "f:1:7", "is a rule, but a test takes a call: Bash ls"},
	{"allow mcp__x__* y", "f:1:7", "is not the name of a tool"},
	{"allow Ba$h ls", "f:1:7", "is not the name of a tool"},
	{"ask Bash git push =>", "f:1:19", "no text after =>"},
	{"ask Bash { echo a; }", "f:1:10", "must be a JSON object"},
	{`ask Bash {"command": "a"`, "f:1:10", "must be a JSON object"},
	{`ask Bash {"command": "a"} b`, "f:1:26", "text after the JSON object"},
	{`ask Bash {"command": "a"}} => b`, "f:1:26", "text after the JSON object"},
	{"@mod plan", "f:1:1", `unknown context "@mod": known are @mode, @agent`},
	{"@", "f:1:1", "unknown context"},
	{" @mode acceptEdit", "f:1:8", `@mode: unknown mode "acceptEdit"`},
	{"@host nobody", "f:1:7", "unknown host"},
	{"@event SessionEnd", "f:1:8", "takes no decision"},
	{"@headless maybe", "f:1:11", "neither on nor off"},
	{"@cwd ~/x", "f:1:6", "write an absolute path"},
	{"allow Bash a\x00b", "f:1:13", "control character"},
	{"allow Bash a\x1b[2Jb", "f:1:13", "control character"},
	{"allow Bash a\rb", "f:1:13", "control character"},
	{"allow Bash \xff", "f:1:1", "not UTF-8"},
}

func TestParseFaults(t *testing.T) {
	for _, tt := range faults {
		f := Parse("f", tt.text)
		if len(f.Tests) > 0 || len(f.Errors) != 1 {
			t.Errorf("%q: tests %+v, errors %v", tt.text, f.Tests, f.Errors)
			continue
		}
		if e := f.Errors[0]; e.Pos.String() != tt.at || !strings.Contains(e.Msg, tt.msg) {
			t.Errorf("%q: got %v, want %s with %q", tt.text, e.Error(), tt.at, tt.msg)
		}
	}
}

func TestContext(t *testing.T) {
	f := Parse("f", "# c\r\n\r\n@mode plan\r\n@agent reviewer\n@headless\nask Bash a\n@mode\n@agent -\n@cwd sub dir\nask Bash b\n@headless off\n@event PermissionRequest")
	if len(f.Errors) > 0 || len(f.Tests) != 2 {
		t.Fatalf("%+v", f)
	}
	if f := Parse("f", "@mode manual\nask Bash a"); len(f.Errors) > 0 || f.Tests[0].Context.Mode != "manual" {
		t.Errorf("manual: %+v", f)
	}
	if got, want := f.Tests[0].Context, (Context{Mode: "plan", Agent: "reviewer", Headless: "on"}); got != want {
		t.Errorf("first: %+v", got)
	}
	if got, want := f.Tests[1].Context, (Context{Cwd: "sub dir", Headless: "on"}); got != want {
		t.Errorf("second: %+v", got)
	}
	if got := f.Tests[1].Pos.Line; got != 10 {
		t.Errorf("line %d", got)
	}
	// the lines that lead from one context to another do
	again := Parse("f", strings.Join(append((Context{}).To(f.Tests[0].Context), f.Tests[0].Context.To(f.End)...), "\n"))
	if len(again.Errors) > 0 || again.End != f.End {
		t.Errorf("got %+v, want %+v, errors %v", again.End, f.End, again.Errors)
	}
}

// awkward are arguments that a plain line cannot all spell.
var awkward = []string{
	"git push", "a\nb", "a\tb", "a => b", "=> b", "a =>", "{ echo; }", " a", "a ", "a\r", "\x1b[2J", "a\x00", "#", "# a",
	"\"", `\`, "@mode plan", "\u200b", "a\u202eb", "{", "\ufeff", "-", `{"command": "x"}`, "é", "'",
}

func TestLine(t *testing.T) {
	for _, text := range awkward {
		if err := roundTrip(text); err != "" {
			t.Errorf("%q: %s", text, err)
		}
	}
	if line, err := (&Test{Want: "ask", Tool: "Bash", Argument: "\xff", Given: true}).Line(); err == nil {
		t.Errorf("a line for what is not UTF-8: %q", line)
	}
}

// roundTrip writes a test of a Bash command and reads it again.
func roundTrip(text string) string {
	test := Spelled("Bash", text)
	test.Want = "ask"
	line, err := test.Line()
	if err != nil {
		return err.Error()
	}
	f := Parse("f", line+"\n")
	if len(f.Errors) > 0 || len(f.Tests) != 1 {
		return "errors in " + line
	}
	got := f.Tests[0]
	if in := input(&got); in.Get("command").Str != text {
		return "another command: " + in.Raw
	}
	return ""
}

func FuzzParse(f *testing.F) {
	for _, tt := range lines {
		f.Add(tt.text)
	}
	for _, tt := range faults {
		f.Add(tt.text)
	}
	for _, tt := range budgets {
		f.Add(tt.text)
	}
	for _, tt := range budgetFaults {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := Parse("f", text)
		for i := range file.Budgets {
			if b := &file.Budgets[i]; !sameBudget(b, b) {
				t.Errorf("%q: %+v is written as %q", text, b, b.Line())
			}
		}
		for _, e := range file.Errors {
			if e.Pos.Line < 1 || e.Pos.Col < 1 || e.Msg == "" {
				t.Errorf("%q: %+v", text, e)
			}
		}
		for i := range file.Tests {
			test := &file.Tests[i]
			line, err := test.Line()
			if err != nil {
				t.Errorf("%q: %+v: %v", text, test, err)
				continue
			}
			if again := Parse("f", line); input(&again.Tests[0]).Raw != input(test).Raw || again.Tests[0].Reason != test.Reason {
				t.Errorf("%q: written as %q", text, line)
			}
		}
	})
}

func FuzzLine(f *testing.F) {
	for _, text := range awkward {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || strings.ToValidUTF8(text, "") != text {
			return
		}
		if err := roundTrip(text); err != "" {
			t.Errorf("%q: %s", text, err)
		}
	})
}
