package recommend_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/conformance"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/lint"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/recommend"
	"github.com/permgate--owner/permgate/internal/sessions"
	"github.com/permgate--owner/permgate/rules"
)

const (
	home    = "/home/dev"
	project = "/work/project"
	userSet = home + "/.claude/settings.json"
)

// world is a machine with one user and one project, and settings of the user.
func world(settings string) gate.World {
	files := fakefs.New(nil)
	files.Mkdir(project)
	files.Mkdir(home)
	if settings != "" {
		files.Write(userSet, settings)
	}
	files.Own(home, 1000)
	files.Own(project, 1000)
	return gate.World{
		Getenv:  func(k string) string { return map[string]string{"HOME": home}[k] },
		Environ: func() []string { return nil }, Cwd: project, PasswdHome: home, UID: 1000,
		Exe: func() (string, error) { return "/usr/local/bin/permgate", nil }, Files: files,
		Now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), ManagedDir: []string{"/etc/gen"},
	}
}

// allowing is a settings file with allow rules.
func allowing(list []string) string {
	b, _ := json.Marshal(map[string]any{"permissions": map[string]any{"allow": list}})
	return string(b)
}

// options are those of --scope user.
func options() recommend.Options {
	return recommend.Options{
		Into: propose.Into{List: rules.Allow, Scope: rules.User, Claude: true}, Mode: "default", Most: 40,
		Lint: func(list []string) (*lint.Input, error) {
			return lint.New(world(allowing(list)), gate.Flags{State: "/state"}, hookio.Lookup("claude")), nil
		},
	}
}

// TestRecorded prints what the first rules spare of a collection of recorded
// calls, and checks that they open nothing.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("13,099 recorded calls: skipped by -short")
	}
	data, err := conformance.Shared("corpus/real_calls.jsonl")
	if err != nil {
		t.Skip("the recorded calls are not here: ", err)
	}
	s := recommend.New(options(), &gate.Flags{State: "/state"}, world(""))
	f := sessions.File{Format: sessions.Lookup("payload"), Name: "real_calls.jsonl", In: bytes.NewReader(data),
		Counts: &sessions.Counts{}, Seen: &sessions.Seen{}}
	start := time.Now()
	if err := f.Format.Read(&f, s.Add); err != nil {
		t.Fatal(err)
	}
	read := time.Since(start)
	r, err := s.Recommend(userSet)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("read and decided in %v, all in %v", read.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
	t.Logf("%d calls, %d decided, %d prompts, settled %v", r.Read, r.Decided, r.Prompts, r.Settled)
	var list []string
	for i, p := range r.Rules {
		list = append(list, p.Rule)
		t.Logf("%3d  %-50.50s %-7s asked %4d in %3d  spares %4d  total %5d  others %v", i+1, p.Rule, p.Kind, p.Asked, p.Sessions, p.Spared, p.Total, p.Others)
	}
	for _, n := range []int{5, 10, 20} {
		if n <= len(r.Rules) {
			t.Logf("the first %d rules spare %d of %d prompts", n, r.Rules[n-1].Total, r.Prompts)
		}
	}
	for _, x := range r.Rejected {
		t.Logf("not proposed, would spare %d: %.60s: %.100s", x.Asks, x.Rule, x.Why)
	}
	opensNothing(t, list)
}

// opensNothing checks that rules allow no attack of the tables that was not
// allowed before, and that lint has nothing to say about them.
func opensNothing(t *testing.T, list []string) {
	t.Helper()
	data, err := conformance.Shared("corpus/attacks_dev.tsv")
	if err != nil {
		t.Skip("the shared corpora are not here: ", err)
	}
	for _, row := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(row, "\t")
		was, now := attack(t, f, nil), attack(t, f, list)
		if was != hookio.Allow && now == hookio.Allow {
			t.Errorf("%s: %s %s is allowed with the rules", f[0], f[2], f[3])
		}
	}
	in := lint.New(world(allowing(list)), gate.Flags{State: "/state"}, hookio.Lookup("claude"))
	for _, finding := range lint.Run(in) {
		t.Errorf("lint: %s: %s", finding.Check.ID, finding.Text)
	}
}

// attack decides a row of a table of attacks with further allow rules.
func attack(t *testing.T, f []string, list []string) hookio.Decision {
	t.Helper()
	s := conformance.Setup{Tool: f[2], Input: json.RawMessage(f[3]), Settings: map[string]string{
		home + "/.gen/settings.json": `{"permissions":` + f[4] + `}`,
	}, Before: func(c *decide.Case) {
		for i, text := range list {
			r, err := rules.ParseRule(text, rules.Allow, rules.User, rules.Pos{File: fmt.Sprint("rule ", i)}, true)
			if err != nil {
				t.Fatal(err)
			}
			c.Policy.Allow = append(c.Policy.Allow, r)
		}
	}}
	_, v, err := conformance.Call(s)
	if err != nil {
		return hookio.Deny
	}
	return v.Decision
}
