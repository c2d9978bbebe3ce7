package operator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/test/conformance"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// posture names an approver for calls of a conformance.Setup.
var posture = map[string]string{"/home/dev/.gen/permgate.json": `{"approver": {"command": ["my-approver"]}}`}

// testApprover saves grants in a folder of the test, and counts what would be
// written for good.
func testApprover(t *testing.T) (a *Asker, written *int) {
	written = new(int)
	return &Asker{
		Flags: &gate.Flags{State: t.TempDir(), Headless: true}, Err: io.Discard,
		World:   func() gate.World { return gate.World{Files: disk.Disk{}, UID: disk.UID()} },
		Propose: proposing(func() error { *written++; return nil }),
	}, written
}

// proposing proposes the rules of the session as permgate allow does, and Rule for good.
func proposing(save func() error) func(*decide.Input, decide.Verdict, *gate.Flags, gate.World) (session, always Saving) {
	return func(c *decide.Input, v decide.Verdict, _ *gate.Flags, _ gate.World) (session, always Saving) {
		list, refusal := propose.For(v, propose.Into{List: rules.Allow, Scope: rules.Session})
		if refusal != nil {
			session.Why = refusal.Why
		}
		for i := range list {
			session.Rules = append(session.Rules, list[i].Rule)
		}
		return session, Saving{Rules: []string{"Rule"}, Save: save}
	}
}

func call(t *testing.T, tool, input string) (*decide.Input, decide.Verdict) {
	t.Helper()
	c, v, err := conformance.Call(conformance.Setup{Tool: tool, Input: json.RawMessage(input), Headless: true, Settings: posture})
	if err != nil {
		t.Fatal(err)
	}
	return c, v
}

func bash(command string) string {
	b, _ := json.Marshal(map[string]string{"command": command})
	return string(b)
}

// TestRequest: what the approver reads of a call.
func TestRequest(t *testing.T) {
	a, _ := testApprover(t)
	for _, tt := range []struct{ tool, input, kind, answers string }{
		{"Bash", bash("make"), "shell", "deny once session session-tool always"},
		{"Write", `{"file_path":"a","content":"b"}`, "write", "deny once session session-tool always"},
		{"mcp__db__query", `{"q":"x"}`, "mcp", "deny once session-tool always"},
		{"WebFetch", `{"url":"https://go.dev/x"}`, "url", "deny once session-tool always always-url"}, // by a rule
		{"Read", `{"file_path":"a"}`, "read", "deny once session-tool always"},
		{"LS", `{"path":"a"}`, "path", "deny once session session-tool always"},
		{"Odd", `{"name":"x"}`, "other", "deny once session session-tool always"},
		{"Bash", bash("git reset --hard"), "shell", "deny once"},
		{"Bash", bash("rm -rf /"), "shell", "deny once"},
		{"Write", `{"file_path":"/opt/a","content":"b"}`, "write", "deny once"},
		{"Bash", bash("echo " + strings.Repeat("x", 70<<10)), "shell", "deny"},
		{"Write", `{"file_path":"a","content":"` + strings.Repeat("x", 70<<10) + `"}`, "write", "deny"},
	} {
		c, v := call(t, tt.tool, tt.input)
		if v.Decision() == hookio.Allow {
			p := *c.Policy
			p.Ask = []rules.Rule{{Text: tt.tool, Tool: tt.tool, Bare: true, List: rules.Ask}}
			v = decide.Decide(c.Under(&p))
		}
		r := a.request(c, v)
		line := r.json(c, v)
		var got struct {
			Version                  int
			ID, Kind, Tool, Reason   string
			Input                    json.RawMessage
			Cut                      bool
			Answers, Always          []string
			Step, Cwd, Host, Project string
		}
		if err := json.Unmarshal(line, &got); err != nil || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("%v: %.300s", err, line)
		}
		if got.Kind != tt.kind || strings.Join(got.Answers, " ") != tt.answers || got.Tool != tt.tool || got.ID == "" ||
			got.Version != requestVersion || got.Cut != (tt.answers == "deny") || got.Reason == "" || got.Cwd != "/work/project" {
			t.Errorf("%s %.60s: %.500s", tt.tool, tt.input, line)
		}
	}
	c, v := call(t, "Bash", bash("curl -H 'Authorization: Bearer abcdefghijklmnop1234567890' x \u202e"))
	if line := string(a.request(c, v).json(c, v)); strings.Contains(line, "abcdefghijklmnop") || strings.Contains(line, "\u202e") {
		t.Errorf("%s", line)
	}
}

// TestAnswers: what each line that may come back leads to.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		line   string
		err    error
		want   hookio.Decision
		reason string
	}{
		{`{"answer":"once"}`, nil, hookio.Allow, "allowed this call once"},
		{`{"answer":"deny","reason":"no"}`, nil, hookio.Deny, "the approver denied it: no"},
		{`{"answer":"session"}`, nil, hookio.Allow, "allowed Bash(make) for this session"},
		{`{"answer":"session-tool"}`, nil, hookio.Allow, "allowed all Bash for this session"},
		{`{"answer":"always"}`, nil, hookio.Allow, "allowed Rule for good"},
		{`{"answer":"deny","reason":"a\nb \u202e TOKEN=hunter2secret99 ` + strings.Repeat("x", 900) + `"}`, nil, hookio.Deny, `a\nb \u202e TOKEN=[`},
		{"", errors.New("did not answer within 1s"), hookio.Deny, "did not answer within 1s"},
		{"", nil, hookio.Deny, "is no JSON object"},
		{`"once"`, nil, hookio.Deny, "is no JSON object"},
		{`[{"answer":"once"}]`, nil, hookio.Deny, "is no JSON object"},
		{`{"answer":"once"} {"answer":"once"}`, nil, hookio.Deny, "is no JSON object"},
		{`{"answer":"once"`, nil, hookio.Deny, "is no JSON object"},
		{`{}`, nil, hookio.Deny, `"" is none of the answers`},
		{`{"reason":"once"}`, nil, hookio.Deny, `"" is none of the answers`},
		{`{"answer":""}`, nil, hookio.Deny, `"" is none of the answers`},
		{`{"answer":"allow"}`, nil, hookio.Deny, `"allow" is none of the answers`},
		{`{"answer":" once"}`, nil, hookio.Deny, `is none of the answers`},
		{`{"answer":null}`, nil, hookio.Deny, "is no string"},
		{`{"answer":["once"]}`, nil, hookio.Deny, "is no string"},
		{`{"answer":"once","reason":7}`, nil, hookio.Deny, "is no string"},
		{`{"answer":"once","answer":"once"}`, nil, hookio.Deny, "twice"},
		{`{"answer":"once","answ\u0065r":"deny"}`, nil, hookio.Deny, "twice"},
		{`{"Answer":"once"}`, nil, hookio.Deny, "has the key"},
		{`{"answer":"once","decision":"deny"}`, nil, hookio.Deny, "has the key"},
		{`{"answer":"always-url"}`, nil, hookio.Deny, "for calls of kind url"},
		{`{"answer":"once","reason":"` + strings.Repeat("x", 2000) + `"}`, nil, hookio.Deny, "its reason is over 1024 bytes"},
	} {
		a, _ := testApprover(t)
		c, v := call(t, "Bash", bash("make"))
		o := a.conclude(a.request(c, v), []byte(tt.line), tt.err)
		if o.Decision != tt.want || !strings.Contains(o.Reason, tt.reason) || len(o.Reason) > 2000 || strings.Contains(o.Reason, "hunter2") {
			t.Errorf("%.80s: %v %s", tt.line, o.Decision, o.Reason)
		}
		if counts := o.Answer != ""; counts == o.Unexpected || counts != (tt.want == hookio.Allow || strings.HasPrefix(tt.line, `{"answer":"deny"`)) {
			t.Errorf("%.80s: %+v", tt.line, o)
		}
	}
}

// TestNotSaved: a yes holds for the call, whatever keeps it from being saved.
func TestNotSaved(t *testing.T) {
	a, _ := testApprover(t)
	var said bytes.Buffer
	a.Err = &said
	a.Propose = proposing(func() error { return errors.New("no space left on device") })
	c, v := call(t, "Bash", bash("make"))
	o := a.conclude(a.request(c, v), []byte(`{"answer":"always"}`), nil)
	if o.Decision != hookio.Allow || o.Failed != "no space left on device" || !strings.Contains(said.String(), o.Failed) ||
		!strings.Contains(o.Reason, "once; always could not be saved") {
		t.Errorf("%+v, %q", o, said.String())
	}
	for name, change := range map[string]func(){
		"no session":     func() { c.Call.SessionID = "" },
		"a bad session":  func() { c.Call.SessionID = "../x" },
		"grants are off": func() { c.Policy.Posture.NoSessionGrants.Value = "true" },
		"managed only":   func() { c.Policy.ManagedOnly.Value = "true" },
		"strict":         func() { c.AsAgent = true },
	} {
		c, v = call(t, "Bash", bash("make"))
		change()
		for _, answer := range []string{say.AnswerSession, say.AnswerSessionTool} {
			r := a.request(c, v)
			o := a.conclude(r, []byte(`{"answer":"`+answer+`"}`), nil)
			if o.Decision != hookio.Allow || slices.Contains(r.answers(), answer) || !strings.Contains(o.Reason, "allows this call once here") {
				t.Errorf("%s: %s: %+v", name, answer, o)
			}
		}
	}
	if files, _ := os.ReadDir(a.Flags.State); len(files) > 0 {
		t.Errorf("something was saved: %v", files)
	}
}

// TestNeverLaxer: an approver that says yes to everything changes no deny, and what
// asks whatever is granted is saved nowhere.
func TestNeverLaxer(t *testing.T) {
	var calls []conformance.Setup
	add := func(tool, input, settings string) {
		s := conformance.Setup{Tool: tool, Input: json.RawMessage(input), Headless: true, Settings: map[string]string{}}
		for name, text := range posture {
			s.Settings[name] = text
		}
		if settings != "" {
			s.Settings["/home/dev/.gen/settings.json"] = `{"permissions":` + settings + `}`
		}
		calls = append(calls, s)
	}
	attacks, err := os.ReadFile("../../../testdata/corpus/attacks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(attacks)), "\n")[1:] {
		if f := strings.Split(line, "\t"); i%3 == 0 && json.Valid([]byte(f[3])) {
			add(f[2], f[3], f[4])
		}
	}
	if testenv.CorpusPath(t, "corpus/real_calls.jsonl") != "" {
		data := testenv.Corpus(t, "corpus/real_calls.jsonl")
		for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			var call struct {
				Tool  string          `json:"tool_name"`
				Input json.RawMessage `json:"tool_input"`
			}
			if i%11 == 0 && json.Unmarshal([]byte(line), &call) == nil {
				add(call.Tool, string(call.Input), `{"deny": ["Bash(git push:*)", "Edit(/src/**)"], "ask": ["Bash(npm:*)"]}`)
			}
		}
	}
	a, written := testApprover(t)
	asked, denied := 0, 0
	for i, s := range calls {
		c, plain, err := conformance.Call(s)
		if err != nil {
			continue
		}
		answer := []string{say.AnswerAlways, say.AnswerSession, say.AnswerSessionTool, say.AnswerOnce, "nonsense"}[i%5]
		heard := false
		with := c.Under(c.Policy)
		with.Approve = func(c *decide.Input, v decide.Verdict) say.Approval {
			heard = true
			return a.conclude(a.request(c, v), []byte(`{"answer":"`+answer+`"}`), nil)
		}
		*written = 0
		v := decide.Decide(with)
		switch {
		case !heard && v.Decision() != plain.Decision():
			t.Errorf("%s: %v without being asked, not %v", s.Input, v.Decision(), plain.Decision())
		case plain.Decision() == hookio.Deny && !plain.Coerced() && (heard || v.Decision() != hookio.Deny):
			t.Errorf("%s: asked about a deny of step %s", s.Input, plain.Step())
		case answer == "nonsense" && heard && v.Decision() != hookio.Deny:
			t.Errorf("%s: %v by nonsense", s.Input, v.Decision())
		}
		if heard {
			asked++
		} else if plain.Decision() == hookio.Deny {
			denied++
		}
		files, _ := os.ReadDir(a.Flags.State)
		if saved := *written > 0 || len(files) > 0; saved && plain.OnlyOnce() {
			t.Errorf("%s: saved, though step %s asks", s.Input, plain.Origin())
		}
		for _, f := range files {
			os.Remove(a.Flags.State + "/" + f.Name())
		}
	}
	t.Logf("%d calls: %d asked about, %d denied", len(calls), asked, denied)
	if asked < len(calls)/4 || denied == 0 {
		t.Errorf("%d of %d calls asked about, %d denied", asked, len(calls), denied)
	}
}

// FuzzAnswer: whatever line comes back, a call is allowed by one of the answers only,
// and nothing is saved for one that is denied.
func FuzzAnswer(f *testing.F) {
	for i := range Answers {
		f.Add([]byte(`{"answer":"` + Answers[i].Answer + `","reason":"x"}`))
	}
	f.Add([]byte(`{"answer":"once"}{"answer":"deny"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		saved := 0
		s := Saving{Rules: []string{"Rule"}, Save: func() error { saved++; return nil }}
		r := &approval{kind: "shell", session: s, tool: s, always: s}
		o := (&Asker{Err: io.Discard}).conclude(r, line, nil)
		var said struct{ Answer, Reason string }
		err := json.Unmarshal(line, &said)
		switch {
		case o.Decision != hookio.Allow && (o.Decision != hookio.Deny || saved > 0 || o.Unexpected == (o.Answer != "")):
			t.Errorf("%q: %+v, saved %d times", line, o, saved)
		case o.Decision == hookio.Allow && (err != nil || said.Answer != o.Answer || o.Answer == say.AnswerDeny || o.Answer == say.AnswerAlwaysURL):
			t.Errorf("%q: %+v, %v", line, o, err)
		case strings.ContainsAny(o.Reason, "\n\r\x1b"):
			t.Errorf("%q: %q", line, o.Reason)
		}
		r.cut = true
		if o := (&Asker{Err: io.Discard}).conclude(r, line, nil); o.Decision != hookio.Deny {
			t.Errorf("%q allows a call that was not shown whole", line)
		}
	})
}
