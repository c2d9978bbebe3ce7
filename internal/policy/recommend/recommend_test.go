package recommend_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/test/conformance"
	"github.com/permgate--owner/permgate/internal/test/testenv"
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
		Into: propose.Into{List: rules.Allow, Scope: rules.User, Claude: true}, Mode: "default", Most: 30,
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
	data := testenv.Corpus(t, "corpus/real_calls.jsonl")
	start := time.Now()
	s := gather(t, data, "")
	read := time.Since(start)
	r, err := s.Recommend(userSet)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("read and decided in %v, all in %v", read.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
	t.Logf("%d calls, %d decided, %d prompts, not to be ended by step %v", r.Read, r.Decided, r.Prompts, r.Settled)
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
	opensNothing(t, list, append(slices.Clip(ownReach), sharedReach))
	opensNothing(t, list[:min(len(list), 20)], ownReach)
	if now := gather(t, data, allowing(list)); r.Prompts-now.Prompts != r.Spared {
		t.Errorf("with the rules there are %d prompts, without %d: not %d fewer", now.Prompts, r.Prompts, r.Spared)
	}
}

// gather decides calls under settings of the user.
func gather(t *testing.T, data []byte, settings string) *recommend.Calls {
	t.Helper()
	s := recommend.New(options(), &gate.Flags{State: "/state"}, world(settings))
	err := sessions.Read([]string{"-"}, bytes.NewReader(data), sessions.Lookup("payload"), &sessions.Counts{},
		&sessions.Seen{}, time.Time{}, s.Add)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSpared checks the figures of a few calls against all of them decided again.
func TestSpared(t *testing.T) {
	var data bytes.Buffer
	add := func(session, tool, field, value string) {
		fmt.Fprintf(&data, `{"session_id":%q,"cwd":%q,"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":{%q:%q}}`+"\n",
			session, project, tool, field, value)
	}
	for i, c := range []string{
		"go vet ./a && npm test", "npm test", "go vet ./b", "make && make docs", "make", "make docs", "git log | head",
		"rm -rf ~", "sudo make", "npm test && git push --force", "go test ./a", "go test ./b -exec sh", "npm ci; npm test",
	} {
		add("s1", "Bash", "command", c)
		if i%3 != 0 {
			add("s2", "Bash", "command", c)
		}
	}
	for _, name := range []string{"zone/a/x.go", "zone/a/y.go", "zone/b/z.go", "/etc/passwd", ".git/config"} {
		add("s1", "Write", "file_path", name)
		add("s2", "Edit", "file_path", name)
	}
	r, err := gather(t, data.Bytes(), "").Recommend(userSet)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rules) < 5 {
		t.Errorf("only %d rules", len(r.Rules))
	}
	var list []string
	for _, p := range r.Rules {
		list = append(list, p.Rule)
		now := gather(t, data.Bytes(), allowing(list))
		if r.Prompts-now.Prompts != p.Total {
			t.Errorf("%q: %d prompts of %d are left, and not %d fewer", list, now.Prompts, r.Prompts, p.Total)
		}
	}
	t.Log(list)
	opensNothing(t, list, nil)
}

// TestSteps goes from a folder to the one above, the tool, and back to a file.
func TestSteps(t *testing.T) {
	var data bytes.Buffer
	for i, name := range []string{"zone/a/x.go", "zone/a/y.go", "zone/a/z.go", "zone/b/z.go", "other/q.go"} {
		for _, session := range []string{"s1", "s2"}[:1+i%2] {
			fmt.Fprintf(&data, `{"session_id":"%s%d","cwd":%q,"tool_name":"Write","tool_input":{"file_path":%q}}`+"\n", session, i, project, name)
		}
	}
	for _, wide := range []bool{false, true} {
		o := options()
		o.Wide, o.Lint, o.Into.Scope, o.Project = wide, nil, rules.Local, project
		s := recommend.New(o, &gate.Flags{State: "/state"}, world(""))
		if err := sessions.Read([]string{"-"}, bytes.NewReader(data.Bytes()), sessions.Lookup("payload"), &sessions.Counts{},
			&sessions.Seen{}, time.Time{}, s.Add); err != nil {
			t.Fatal(err)
		}
		x := s.Search()
		p, err := x.Next()
		if err != nil || p == nil {
			t.Fatal(p, err)
		}
		if wide {
			if p.Rule != "Edit" || p.Kind != recommend.Tool || p.Spared != 7 {
				t.Errorf("%+v", p)
			}
			continue
		}
		if p.Rule != "Edit(/zone/a/**)" || p.Spared != 4 {
			t.Errorf("%+v", p)
		}
		up, why, err := x.Wider(p)
		if err != nil || up == nil || up.Rule != "Edit(/zone/**)" || up.Spared != 6 || !slices.Equal(up.Adds, []string{"Write zone/b/z.go"}) {
			t.Fatal(up, why, err)
		}
		if top, why, err := x.Wider(up); top != nil || why == "" || err != nil {
			t.Error(top, why, err)
		}
		down, why, err := x.Narrower(p)
		if err != nil || down == nil || down.Rule != "Edit(/zone/a/y.go)" || down.Spared != 2 {
			t.Error(down, why, err)
		}
		x.Take(up)
		if p, err := x.Next(); p != nil && p.Spared > 1 || err != nil {
			t.Error(p, err)
		}
	}
}

// TestNoStem: of commands that an attack is made with no stem is proposed.
func TestNoStem(t *testing.T) {
	var data bytes.Buffer
	for _, c := range []string{"rm a", "rm b", "git stash push a", "git stash push b", "go vet ./a", "go vet ./b"} {
		for _, session := range []string{"s1", "s2"} {
			fmt.Fprintf(&data, `{"session_id":%q,"cwd":%q,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q}}`+"\n",
				session, project, c)
		}
	}
	r, err := gather(t, data.Bytes(), "").Recommend(userSet)
	if err != nil {
		t.Fatal(err)
	}
	var stems []string
	for _, p := range r.Rules {
		if p.Kind == recommend.Stem {
			stems = append(stems, p.Rule)
		}
	}
	if !slices.Equal(stems, []string{"Bash(go vet:*)"}) {
		t.Errorf("the stems %q", stems)
	}
}

// opensNothing checks that rules allow no attack of the tables that was not
// allowed before, and that lint has nothing to say about them.
func opensNothing(t *testing.T, list, but []string) {
	t.Helper()
	for _, f := range attackRows(t) {
		if attack(t, f, list) == hookio.Allow && attack(t, f, nil) != hookio.Allow && !slices.Contains(but, f[0]) {
			t.Errorf("%s: %s %s is allowed with the rules", f[0], f[2], f[3])
		}
	}
	in := lint.New(world(allowing(list)), gate.Flags{State: "/state"}, hookio.Lookup("claude"))
	for _, finding := range lint.Run(in) {
		t.Errorf("lint: %s: %s", finding.Check.ID, finding.Text)
	}
}

// ownReach are rows of our table about how far the row's own rule reaches, or what
// a mode does without a rule. With a wider rule for the very command, which lint has
// nothing to say about, their calls are what that rule is for.
var ownReach = []string{
	"A-substitution-07", "A-tool_option-05", "A-tool_option-658", // grep and gh api, sed without -n, strace and ls
	"A-mode-01", "A-mode-02", // go build
	"A-rule_glob-16", "A-rule_glob-18", "A-rule_glob-19", "A-rule_glob-20", // git diff, git log
	"A-git_exec-61", "A-git_exec-62", "A-git_exec-63", "A-git_exec-121", // git log, git commit
	"A-dos_cap-17", "A-dos_cap-32", // echo
}

// sharedReach is such a row of the shared table: git status --porcelain.
const sharedReach = "AD-286"

// attackRows are the rows of our table of attacks and, where it is, of the shared one.
func attackRows(t *testing.T) (out [][]string) {
	t.Helper()
	own, err := os.ReadFile("../../../testdata/corpus/attacks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var shared []byte
	if testenv.CorpusPath(t, "corpus/attacks_dev.tsv") != "" {
		shared = testenv.Corpus(t, "corpus/attacks_dev.tsv")
	}
	for _, table := range []string{string(own), string(shared)} {
		for i, row := range strings.Split(strings.TrimSpace(table), "\n") {
			if f := strings.Split(row, "\t"); i > 0 && len(f) > 5 {
				out = append(out, f)
			}
		}
	}
	return out
}

// TestAttacks: what the tables at run time list is not allowed under a bare policy,
// whatever the tables say of it, and there is some of every source.
func TestAttacks(t *testing.T) {
	from := map[string]int{}
	for _, a := range recommend.Attacks() {
		kind, _, _ := strings.Cut(a.From, " ")
		from[kind]++
		input := map[string]string{gate.Primary(a.Tool): a.Arg}
		text, _ := json.Marshal(input)
		_, v, err := conformance.Call(conformance.Setup{Tool: a.Tool, Input: text})
		if err == nil && v.Decision() == hookio.Allow && a.Tool != "Read" && a.Tool != "WebFetch" {
			t.Errorf("%s %s is allowed without a rule", a.Tool, a.Arg)
		}
	}
	t.Log(from)
	for _, kind := range []string{"check", "secret", "sensitive", "runs", "downloads", "sends"} {
		if from[kind] < 3 {
			t.Errorf("%d attacks from %s", from[kind], kind)
		}
	}
}

// attack decides a row of a table of attacks with further allow rules.
func attack(t *testing.T, f []string, list []string) hookio.Decision {
	t.Helper()
	s := conformance.Setup{Tool: f[2], Input: json.RawMessage(f[3]), Settings: map[string]string{
		home + "/.gen/settings.json": `{"permissions":` + f[4] + `}`,
	}, Before: func(c *decide.Input) {
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
	return v.Decision()
}
