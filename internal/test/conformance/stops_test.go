package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A stop is a recorded call that the installed posture and the starter policy
// ask about or deny.
type stop struct {
	line               int // of the recorded calls, from 1
	key, step, check   string
	answer             hookio.Decision
	session, tool, why string
	input              string
	mode               string // "recorded", "default" or "auto"
}

// A bench is the recorded projects on the disk: one folder holds the homes and
// every project below them, each a repository with the manifest of its kind
// and the files that permgate init writes.
type bench struct {
	t     *testing.T
	home  string
	host  string // the program that calls the hook
	roots map[string]bool
	// yes is what the person said yes to, by session and kept project; nil where no one says anything.
	yes map[string][]facts.Yes
}

// manifests are the files by which a recorded project shows what it is.
var manifests = []struct {
	part  string // of the project's path
	files map[string]string
}{
	{"agentv", map[string]string{
		"package.json": `{"name":"x","scripts":{"build":"bun run clean && tsc","clean":"rm -rf dist","test":"bun test","lint":"biome check .","typecheck":"tsc --noEmit"}}`,
		"bun.lock":     "", ".gitignore": "node_modules\ndist\n",
	}},
	{"cipher-box", map[string]string{
		"package.json":   `{"name":"x","scripts":{"build":"turbo build","test":"vitest run","lint":"eslint .","api:generate":"orval"}}`,
		"pnpm-lock.yaml": "", ".gitignore": "node_modules\ndist\n",
	}},
	{"", map[string]string{"go.mod": "module x\n", "main.go": "package main\n", ".gitignore": "dist\n", "mise.toml": "[tasks.test]\nrun = \"go test ./...\"\n[tasks.dup]\nrun = \"golangci-lint run\"\n"}},
}

// newBench makes the folder. It is no temporary one: what lies below those is
// not outside.
func newBench(t *testing.T) *bench {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no folder that is not temporary: ", err)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp(cache, "permgate-stops-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &bench{t: t, home: filepath.Join(dir, "dev"), host: "claude", roots: map[string]bool{}}
	b.write(filepath.Join(b.home, ".claude", "permgate.json"), installedPosture(t))
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// here rewrites the places of a recorded text.
func (b *bench) here(text string) string {
	name := strings.Map(func(r rune) rune { // as the folders of transcripts are called
		if strings.ContainsRune("/._", r) {
			return '-'
		}
		return r
	}, b.home)
	text = strings.ReplaceAll(text, "projects/-Users-dev-", "projects/"+name+"-")
	text = strings.ReplaceAll(text, "/Users/dev", b.home)
	return strings.ReplaceAll(text, "/home/dev", b.home)
}

// project makes one project, once.
func (b *bench) project(dir string) {
	if b.roots[dir] || !filepath.IsAbs(dir) {
		return
	}
	b.roots[dir] = true
	for i := range manifests {
		m := &manifests[i]
		if !strings.Contains(dir, m.part) {
			continue
		}
		for name, text := range m.files {
			b.write(filepath.Join(dir, name), text)
		}
		break
	}
	b.git(dir, "init", "-q")
	b.git(dir, "add", ".gitignore")
	p := profile.For(os.DirFS(dir), profile.Starter)
	b.write(filepath.Join(dir, ".claude", "settings.local.json"), string(p.Settings(true)))
	if g := p.Gate(); len(g) > 0 {
		b.write(filepath.Join(dir, ".claude", "permgate.json"), string(g))
	}
}

// git runs git in a folder of the bench.
func (b *bench) git(dir string, args ...string) {
	b.t.Helper()
	testenv.Git(b.t, b.home, dir, args...)
}

// world is the machine as the hook sees it.
func (b *bench) world(cwd string) gate.World {
	return gate.World{
		Getenv:     func(k string) string { return map[string]string{"HOME": b.home}[k] },
		Environ:    func() []string { return nil },
		Cwd:        cwd,
		PasswdHome: b.home,
		UID:        disk.UID(),
		OS:         rules.NativeOS(),
		Exe:        func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files:      &disk.Once{},
		Now:        time.Now(),
		ManagedDir: []string{filepath.Join(b.home, "managed")},
		AnyDisk:    true, // what the calls name was there
	}
}

// decide answers one recorded call in a mode.
func (b *bench) decide(r *recorded, mode string) (*decide.Input, decide.Verdict, error) {
	project, cwd := b.here(r.Project), b.here(r.Cwd)
	b.project(project)
	payload, _ := json.Marshal(map[string]any{
		"session_id": r.Session, "hook_event_name": "PreToolUse", "cwd": cwd, "permission_mode": mode,
		"tool_name": r.Tool, "tool_use_id": "t", "tool_input": json.RawMessage(b.here(string(r.Input))),
	})
	call, err := hookio.Read(strings.NewReader(string(payload)), hookio.Options{Host: b.host})
	if err != nil {
		return nil, decide.Verdict{}, err
	}
	call.Project = project
	c := gate.Case(call, &gate.Flags{Host: b.host, State: filepath.Join(b.home, "state")}, b.world(cwd))
	if b.yes == nil {
		return c, decide.Decide(c), nil
	}
	at := r.Session + "\x00" + project
	c.Answered = func() []facts.Yes { return b.yes[at] }
	v := decide.Decide(c)
	if v.Dialog(v.Answer(), atTerminal) {
		for _, q := range v.Why().Targets {
			b.yes[at] = append(b.yes[at], facts.Yes{Target: q, At: time.Now()})
		}
	}
	return c, v, nil
}

// atTerminal is the environment of a session in front of a person.
func atTerminal(name string) string {
	return map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}[name]
}

// stops decides all recorded calls and returns those that are asked about or denied.
func (b *bench) stops(calls []recorded, mode string) (out []stop) {
	for i := range calls {
		out = b.stop(out, calls[i], i, mode)
	}
	return out
}

// answered are those of the stops that are left where the person says yes to every question. What was not stopped
// without is not with it (TestYesProperty).
func (b *bench) answered(calls []recorded, stops []stop, mode string) (left []stop) {
	b.yes = map[string][]facts.Yes{}
	defer func() { b.yes = nil }()
	for i := range stops {
		left = b.stop(left, calls[stops[i].line-1], stops[i].line-1, mode)
	}
	return left
}

// stop decides one recorded call, and adds it to those that are asked about or denied.
func (b *bench) stop(out []stop, r recorded, i int, mode string) []stop {
	r.place()
	if r.Cwd == specstory || r.Project == specstory {
		r.Cwd, r.Project = specstory+"/specstory-cli", specstory
	}
	as := mode
	if mode == "recorded" {
		as = r.Mode
	}
	_, v, err := b.decide(&r, as)
	if err != nil {
		return out // no call the host takes
	}
	a := v.Answer()
	if a.Decision != hookio.Ask && a.Decision != hookio.Deny {
		return out
	}
	s := stop{line: i + 1, key: callKey(r.Tool, r.Input), step: v.Origin(), check: "-", answer: a.Decision,
		session: r.Session, tool: r.Tool, why: a.Reason, input: string(r.Input), mode: mode}
	if v.Why().Check != nil {
		s.check = v.Why().Check.ID
	}
	return append(out, s)
}

const specstory = "/Users/dev/Source/SpecStory/getspecstory"

// stopsFile holds the judgement of every stop: the key of the call, the step and
// check, what a person who knows the project would say of it, and why.
//
//	wanted    it is there to be stopped
//	arguable  the spec says so, and careful people differ
//	needless  nothing would be lost by running it
//	gone      wanted once, and not stopped any longer: the why argues it
var stopsFile = filepath.Join("..", "..", "..", "testdata", "corpus", "stops.tsv")

const stopsHead = "call\tstep\tcheck\tjudgement\twhy"

// maxNeedless is how many needless stops there may be in one mode.
const maxNeedless = 30

// A ruling is one row of stopsFile.
type ruling struct{ step, check, as, why string }

// TestStops decides the recorded calls under the installed posture and the
// starter policy, in the recorded modes, in default and in auto, and prints the
// stops by judgement:
//
//	go test ./internal/test/conformance -run Stops -v
//
// A stop without a judgement fails, and a judged one that is gone; -update adds
// and removes rows. PERMGATE_ROWS prints every stop.
func TestStops(t *testing.T) {
	calls := recordedCalls(t)
	b := newBench(t)
	rulings, order := readStops(t)
	seen := map[string]*stop{}
	wanted := wantedStops(t)
	for _, mode := range []string{"recorded", "default", "auto"} {
		stops := b.stops(calls, mode)
		for i := range stops {
			if s := &stops[i]; seen[s.key] == nil {
				seen[s.key] = s
			}
			delete(wanted, stops[i].line)
		}
		report(t, mode, calls, stops, rulings)
		report(t, mode+", every question answered yes", calls, b.answered(calls, stops, mode), rulings)
	}
	for line := range wanted {
		if r := rulings[callKey(calls[line-1].Tool, calls[line-1].Input)]; r.as != "gone" {
			t.Errorf("line %d of the recorded calls was stopped for a good reason, and is not: %.300s", line, calls[line-1].Input)
		}
	}
	checkStops(t, seen, rulings, order)
}

// report prints the stops of one mode by judgement, and per session.
func report(t *testing.T, mode string, calls []recorded, stops []stop, rulings map[string]ruling) {
	t.Helper()
	sizes, all, needless := tally{}, tally{}, tally{}
	for i := range calls {
		sizes[calls[i].Session]++
	}
	by, total := tally{}, 0
	for i := range stops {
		s := &stops[i]
		as := cmp.Or(rulings[s.key].as, "not judged")
		by[as+": "+s.answer.String()+" at step "+s.step+" "+s.check]++
		all[s.session]++
		if as == "needless" {
			total++
			needless[s.session]++
		}
		if os.Getenv("PERMGATE_ROWS") != "" {
			fmt.Printf("%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.500q\t%.300q\n", s.line, mode, s.key, s.answer, s.step, s.check, as, s.tool, s.input, s.why)
		}
	}
	sessions, stopped, needed := 0, 0, 0
	for id, n := range sizes {
		if n >= 20 {
			sessions++
			stopped += all[id]
			needed += needless[id]
		}
	}
	t.Logf("mode %s: %d stops of %d calls, %d needless; in %d sessions of 20 calls and more %.2f stops each, %.2f needless:%s",
		mode, len(stops), len(calls), total, sessions, float64(stopped)/float64(sessions), float64(needed)/float64(sessions), by.top(60))
	if total > maxNeedless {
		t.Errorf("mode %s: %d needless stops, %d is the most", mode, total, maxNeedless)
	}
}

// wantedStops are the lines of the recorded calls that the shared list judges wanted.
func wantedStops(t *testing.T) map[int]bool {
	out := map[int]bool{}
	for line := range strings.Lines(string(testenv.Corpus(t, "corpus/stops_dev.tsv"))) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if n, err := strconv.Atoi(f[0]); err == nil && len(f) > 4 && f[4] == "wanted" {
			out[n] = true
		}
	}
	return out
}

// checkStops holds the stops against their judgements.
func checkStops(t *testing.T, seen map[string]*stop, rulings map[string]ruling, order []string) {
	t.Helper()
	text := stopsHead + "\n"
	row := func(key string, r ruling) {
		text += strings.Join([]string{key, r.step, r.check, r.as, r.why}, "\t") + "\n"
	}
	for _, key := range order {
		s := seen[key]
		switch r := rulings[key]; {
		case s == nil && r.as == "gone":
			row(key, r)
		case s == nil && !golden.Update():
			t.Errorf("%s is not stopped any longer: -update takes it out of %s", key, stopsFile)
		case s != nil && !slices.Contains([]string{"wanted", "arguable", "needless"}, r.as):
			t.Errorf("%s: no judgement %q", key, r.as)
			row(key, r)
		case s != nil:
			row(key, ruling{s.step, s.check, r.as, r.why})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		if _, ok := rulings[key]; ok {
			continue
		}
		if !golden.Update() {
			t.Errorf("%s stops and is not judged (step %s %s): %.300s\n%s", key, seen[key].step, seen[key].check, seen[key].input, seen[key].why)
		}
		row(key, ruling{seen[key].step, seen[key].check, "?", "?"})
	}
	if golden.Update() {
		if err := os.WriteFile(stopsFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readStops(t *testing.T) (rulings map[string]ruling, order []string) {
	t.Helper()
	rulings = map[string]ruling{}
	data, err := os.ReadFile(stopsFile)
	if err != nil && !golden.Update() {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 5 && f[0] != "call" {
			rulings[f[0]] = ruling{f[1], f[2], f[3], f[4]}
			order = append(order, f[0])
		}
	}
	return rulings, order
}

// plausible are policies that people have around the rules of a row.
var plausible = [...]struct{ name, mode, gate string }{
	{"the rules alone", "default", `{}`},
	{"what only reads is allowed", "acceptEdits", `{"readOnlyCommands": "allow", "destructive": "practical", "catastrophic": "deny"}`},
	{"mode auto", "auto", `{"autoProjectCode": true, "destructive": "practical", "secrets": "ask"}`},
}

// TestAttacksUnderPolicies: what hides in data, in words the shell splits and under another name for a tool is
// allowed under none of the plausible policies. Rows of other families are about one rule of their own.
func TestAttacksUnderPolicies(t *testing.T) {
	tried := 0
	for _, r := range ownCorpus(t, "attacks.tsv") {
		family, _, _ := strings.Cut(strings.TrimPrefix(r.id, "A-"), "-")
		if !slices.Contains([]string{"arithmetic", "splitting_hole", "other_name", "agent_unchecked", "option_name", "fetch", "any_tool", "credential", "denied_word"}, family) {
			continue
		}
		for _, p := range plausible {
			tried++
			_, v, err := Call(Setup{Tool: r.tool, Input: json.RawMessage(r.input), Mode: p.mode, Settings: map[string]string{
				"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`, "/home/dev/.gen/permgate.json": p.gate,
			}})
			if err == nil && v.Decision().String() == "allow" {
				t.Errorf("%s under %s: %s %.200s: %s", r.id, p.name, r.tool, r.input, v.Reason())
			}
		}
	}
	if tried < 3*8*3 {
		t.Errorf("only %d calls", tried)
	}
}

// operator lets a program answer as the operator's approver or classifier: a word
// and a reason. It is a real one, echo, by its bare name: on Windows its path would not fit the setup's system. The
// value of its key is returned.
func (s *Setup) operator(t *testing.T, key, says string) string {
	t.Helper()
	if _, err := exec.LookPath("echo"); err != nil {
		t.Skip("there is no echo: ", err)
	}
	answer, reason, _ := strings.Cut(says, " ")
	member := map[string]string{"approver": "answer", "classifier": "verdict"}[key]
	line, _ := json.Marshal(map[string]string{member: answer, "reason": reason})
	value, _ := json.Marshal(map[string]any{"command": []string{"echo", string(line)}})
	flags := &gate.Flags{State: t.TempDir()}
	world := func() gate.World { return (&Setup{Cwd: "/work/project", Home: "/home/dev"}).world() } // nothing is saved
	wait := func(time.Duration) func() { return func() {} }
	s.Before = func(c *decide.Input) {
		c.World.Environ = func() []string { return []string{"PATH=" + os.Getenv("PATH")} }
		if key == "classifier" {
			c.Classify = (&operator.Asker{Flags: flags, Afresh: true}).Judge
		} else {
			no := func(*decide.Input, decide.Verdict, *gate.Flags, gate.World) (session, always operator.Saving) {
				return operator.Saving{Why: "not here"}, operator.Saving{Why: "not here"}
			}
			c.Approve = (&operator.Asker{Flags: flags, World: world, Err: io.Discard, Wait: wait, Propose: no}).Approve
		}
	}
	return string(value)
}
