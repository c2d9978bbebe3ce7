package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// testJob is a job in an empty project, under a policy.
func testJob(t *testing.T, policy string) *Job {
	t.Helper()
	dir := t.TempDir()
	app := filepath.Join(dir, "app")
	if err := os.MkdirAll(filepath.Join(app, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	j := &Job{Flags: &gate.Flags{}, Jobs: 2, Room: 1 << 20, World: gate.World{
		Getenv: func(string) string { return "" }, Cwd: app, PasswdHome: filepath.Join(dir, "home"), UID: disk.UID(),
		OS:  rules.NativeOS(),
		Exe: func() (string, error) { return "/opt/bin/permgate", nil }, Files: disk.Disk{},
		Now: time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC), ManagedDir: []string{},
	}}
	j.World.StandIns = standIn(policy)
	return j
}

func standIn(policy string) *load.StandIns {
	return &load.StandIns{Whole: true, Files: []load.StandIn{{Scope: rules.Shared, Root: ".claude", Place: "policy", Data: []byte(policy)}}}
}

// called is a recorded call of Bash.
func called(t *testing.T, session, command string) *sessions.Call {
	t.Helper()
	payload := fmt.Sprintf(`{"session_id":%q,"cwd":"/nowhere","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q}}`,
		session, command)
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
	if err != nil {
		t.Fatal(err)
	}
	return &sessions.Call{Call: call, Host: "claude", Session: session}
}

func from(calls []*sessions.Call) Source {
	return func(take func(*sessions.Call) error) error {
		for _, c := range calls {
			if err := take(c); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestRun: what a file says about a call is counted.
func TestRun(t *testing.T) {
	j := testJob(t, `{"permissions": {"allow": ["Bash(make:*)"], "ask": ["Bash(npm:*)"], "deny": ["Bash(cargo:*)"]}}`)
	spared, refused, kept := called(t, "a", "make x"), called(t, "a", "make y"), called(t, "b", "npm ci")
	spared.RefusedBy, spared.Denial = "classifier", "automode-blocked"
	refused.RefusedBy = "user"
	kept.RefusedBy, kept.Denial = "classifier", "automode-blocked"
	cut := &sessions.Call{Skip: "its input was not logged"}
	broken := &sessions.Call{}
	panics := called(t, "a", "make z")
	panics.Call.Host = nil
	r, err := j.Run(from([]*sessions.Call{spared, refused, kept, cut, cut, broken, panics, called(t, "b", "npm i"), called(t, "c", "make w")}))
	if err != nil {
		t.Fatal(err)
	}
	if r.Read != 9 || r.Decided != 5 || len(r.Skipped) != 3 || r.Skipped[0] != (Skipped{"its input was not logged", 2}) {
		t.Errorf("%d read, %d decided, %+v", r.Read, r.Decided, r.Skipped)
	}
	want := []Denied{{Word: "automode-blocked", Calls: 2, Now: Tally{Allow: 1, Ask: 1}, Spared: 1, Examples: []string{"make x"}}}
	if !reflect.DeepEqual(r.Classifier, want) {
		t.Errorf("classifier: %+v", r.Classifier)
	}
	if len(r.Overruled) != 1 || r.Overruled[0].By != "Bash(make:*)" || r.Overruled[0].Refused != 1 {
		t.Errorf("refused and allowed: %+v", r.Overruled)
	}
	if s := (Sessions{Count: 3, Prompts: 2, P50: 0, P90: 2, Max: 2}); r.Sessions != s {
		t.Errorf("sessions: %+v", r.Sessions)
	}
	if len(r.NeverHit) != 1 || r.NeverHit[0].Name != "Bash(cargo:*)" || r.NeverHit[0].List != "deny" {
		t.Errorf("never hit: %+v", r.NeverHit)
	}
}

// TestRunFails: the error of a source is returned, with what was read before.
func TestRunFails(t *testing.T) {
	j := testJob(t, "{}")
	r, err := j.Run(func(take func(*sessions.Call) error) error {
		take(called(t, "a", "ls"))
		return os.ErrClosed
	})
	if err != os.ErrClosed || r.Read != 1 {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestBounds: what is counted by name is bounded, and nothing is lost.
func TestBounds(t *testing.T) {
	j := testJob(t, `{"permissions": {"ask": ["Bash"]}}`)
	j.Against = &gate.World{}
	*j.Against, j.Rows = j.World, true
	j.Against.StandIns = standIn("{}")
	const n = maxNames + 200
	r, err := j.Run(func(take func(*sessions.Call) error) error {
		for i := range n {
			take(called(t, fmt.Sprint(i), fmt.Sprintf("tool%d x", i)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, c := range r.Commands {
		calls += c.Calls()
	}
	if len(r.Commands) > maxNames+1 || calls != n || r.Commands[0].Name != Others || r.Commands[0].Ask != 200 {
		t.Errorf("%d commands with %d calls, first %+v", len(r.Commands), calls, r.Commands[0])
	}
	if r.Same+len(r.Rows)+r.More != n {
		t.Errorf("%d alike, %d rows, %d more", r.Same, len(r.Rows), r.More)
	}
}

// TestClip: a secret is taken out even where the text is cut in it.
func TestClip(t *testing.T) {
	secret := "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	for _, before := range []int{0, maxShown - 10, maxShown + 10} {
		got := clip(strings.Repeat("x", before)+" --token "+secret+" end", maxShown)
		if strings.Contains(got, "ghp_01") || len(got) > maxShown+4 {
			t.Errorf("behind %d bytes: %s", before, got)
		}
	}
}
