package replay

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

// A recorded is a call and how it ended.
type recorded struct{ tool, input, refusedBy, denial string }

func bash(command, refusedBy string) recorded {
	input, _ := json.Marshal(map[string]string{"command": command})
	return recorded{"Bash", string(input), refusedBy, ""}
}

// compared is the report on calls: the policy of now against none.
func compared(t *testing.T, settings string, calls ...recorded) *Report {
	t.Helper()
	world := func(settings string) gate.World {
		return gate.World{
			Getenv: func(string) string { return "" }, Cwd: "/w", PasswdHome: "/home/dev", ManagedDir: []string{},
			Files: fakefs.New(map[string]string{"/w/.git/HEAD": "", "/home/dev/.claude/settings.json": settings}),
			Exe:   func() (string, error) { return "/opt/permgate", nil },
		}
	}
	was := world("{}")
	j := &Job{Flags: &gate.Flags{}, World: world(settings), Against: &was, Room: 1 << 20, Rows: true}
	r, err := j.Run(func(take func(*sessions.Call) error) error {
		for i, c := range calls {
			payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s%d","cwd":"/w","tool_name":%q,"tool_input":%s}`,
				i, c.tool, c.input)
			call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
			if err != nil {
				t.Fatal(err)
			}
			take(&sessions.Call{Call: call, Host: "claude", RefusedBy: c.refusedBy, Denial: c.denial})
		}
		return nil
	})
	if err != nil || r.Read != len(calls) || r.Decided != r.Read {
		t.Fatal(err, r)
	}
	return r
}

// TestReportHasNoSecrets: session files and settings hold secrets, a report does not.
func TestReportHasNoSecrets(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	settings := `{"permissions": {"allow": ["Bash(docker ` + secret + `:*)", "Bash(x ` + secret + `:*)"]}}`
	r := compared(t, settings,
		bash("docker "+secret, "user"), bash("git "+secret, ""), bash(secret, ""), bash("npm --password hunter2 install", ""),
		recorded{secret, `{"a":1}`, "", ""}, recorded{"Read", `{"file_path":"/x/` + secret + `"}`, "classifier", secret},
		recorded{"WebFetch", `{"url":"https://` + secret + `.example.com/"}`, "", ""})
	text, _ := json.Marshal(r)
	if len(r.Rows) == 0 || len(r.NeverHit) == 0 || len(r.Commands) == 0 || len(r.Classifier) == 0 {
		t.Fatalf("the report lacks what is looked at: %s", text)
	}
	for _, bad := range []string{secret[4:], "hunter2"} {
		if at := strings.Index(string(text), bad); at >= 0 {
			t.Errorf("the report holds a secret: %s", text[max(at-80, 0):at+20])
		}
	}
}

// TestLongNames: what is counted by name is cut, since a file may hold anything.
func TestLongNames(t *testing.T) {
	r := compared(t, "{}", recorded{"mcp__x__" + strings.Repeat("é", 10_000), `{"a":1}`, "classifier", strings.Repeat("x", 10_000)})
	if text, _ := json.Marshal(r); len(text) > 5_000 {
		t.Errorf("%d bytes for one call", len(text))
	}
}

// TestRefusedFirst: a person's refusal counts more than a program's, and is the first example.
func TestRefusedFirst(t *testing.T) {
	r := compared(t, `{"permissions": {"allow": ["Bash(make:*)"]}}`,
		bash("make a", ""), bash("make b", "rule"), bash("make c", "classifier"), bash("make d", "user"), bash("make b", "user"),
		bash("make b", "classifier"), bash("make b", "user"))
	if len(r.Changes) != 1 || !reflect.DeepEqual(r.Changes[0].Examples, []string{"make d", "make b", "make a"}) {
		t.Errorf("changes: %+v", r.Changes)
	}
	for _, row := range r.Rows {
		want := map[string]string{"make a": "", "make b": "user", "make c": "classifier", "make d": "user"}[row.Text]
		if row.Refused != want {
			t.Errorf("%s is refused by %q, want %q", row.Text, row.Refused, want)
		}
	}
}

// TestShownPlace: a place is found by it, unless the name of its file is a secret.
func TestShownPlace(t *testing.T) {
	for place, want := range map[string]string{
		"": "", "/w/secret.json:1:7": "/w/secret.json:1:7", "HEAD:.claude/settings.json:12:3": "HEAD:.claude/settings.json:12:3",
		"/w/ghp_0123456789abcdefghijABCDEFGHIJ012345/x.json:1:7": "/w/ghp_[redacted]/x.json:1:7",
	} {
		if got := shownPlace(place); got != want {
			t.Errorf("%s: got %s, want %s", place, got, want)
		}
	}
}

func TestGroup(t *testing.T) {
	for _, tt := range []struct{ tool, input, reason, want string }{
		{"Bash", `{"command":"cd web && npm run build"}`, "", "npm run"},
		{"Bash", `{"command":"git -C x push --force"}`, "", "git push"},
		{"Bash", `{"command":"ls; git push; git commit"}`, `matches "git commit"`, "git commit"},
		{"Bash", `{"command":"make -j4 all"}`, "", "make"},
		{"Bash", `{"command":"'"}`, "", "Bash"},
		{"Bash", `{"command":"$X y"}`, "", "Bash"},
		{"WebFetch", `{"url":"https://go.dev:80/x"}`, "", "WebFetch go.dev"},
		{"Edit", `{"file_path":"x"}`, "", "Edit"},
		{"mcp__x__y", `{"command":"z"}`, "", "mcp__x__y"},
	} {
		if got := Group(tt.tool, gjson.Parse(tt.input), "/w", tt.reason); got != tt.want {
			t.Errorf("%s %s: got %s, want %s", tt.tool, tt.input, got, tt.want)
		}
	}
}

// TestStops: what was asked about or denied is counted by day and session, whatever order it comes in, and in bounds.
func TestStops(t *testing.T) {
	j := testJob(t, `{"permissions": {"allow": ["Bash(ls)"], "deny": ["Bash(rm:*)"]}}`)
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.Local) }
	var calls []*sessions.Call
	for _, c := range []struct {
		at               time.Time
		session, command string
	}{
		{day(20), "b", "rm x"}, {day(20), "b", "make"}, {day(20), "a", "make"}, {day(19), "b", "make"}, {day(19), "b", "ls"}, {time.Time{}, "a", "make"},
	} {
		call := called(t, c.session, c.command)
		call.Time = c.at
		calls = append(calls, call)
	}
	r, err := j.Run(from(calls))
	if err != nil {
		t.Fatal(err)
	}
	want := []Stopped{{"2026-11-19", "b", 1, 0}, {"2026-11-20", "b", 1, 1}, {"2026-11-20", "a", 1, 0}}
	if !reflect.DeepEqual(r.Stops, want) {
		t.Errorf("%+v, want %+v", r.Stops, want)
	}
	calls = nil
	for i := range maxNames + 50 {
		call := called(t, fmt.Sprint("s", i), "make")
		call.Time = day(1 + i%2)
		calls = append(calls, call)
	}
	if r, err = j.Run(from(calls)); err != nil {
		t.Fatal(err)
	}
	n, others := 0, 0
	for _, s := range r.Stops {
		if n += s.Ask; s.Session == Others {
			others += s.Ask
		}
	}
	if n != maxNames+50 || len(r.Stops) > maxNames+2 || others != 50 {
		t.Errorf("%d stops in %d rows, %d of others", n, len(r.Stops), others)
	}
}
