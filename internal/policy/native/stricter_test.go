package native

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A met is what the person meets of a call, the laxest first.
type met uint8

const (
	runs   met = iota
	judged     // by the program's own classifier
	asked
	refused
)

func (m met) String() string { return [...]string{"runs", "judged", "asked", "refused"}[m] }

// A posture is a permgate.json of the user.
type posture struct{ name, text string }

func posturesTried() []posture {
	with := func(old, new string) string { return strings.Replace(recommended, old, new, 1) }
	return []posture{
		{"", recommended},
		{"bare", `{}`},
		{"reads", with(`"catastrophic"`, `"readOnlyCommands": "allow", "outsideReads": "ask", "catastrophic"`)},
		{"asking", `{"destructive": "practical", "secrets": "ask", "catastrophic": "deny"}`},
		{"observing", with(`"catastrophic"`, `"enforce": false, "catastrophic"`)},
		{"strict", with(`"practical"`, `"strict"`)},
		{"everywhere", `{"catastrophic": "deny", "destructive": "practical", "secrets": "ask", "onUnmatched": "defer", "subagents": "host",
			"projectTrust": "require", "rememberYes": true}`},
	}
}

// folderRule is in front of what is no rule but an additional directory.
const folderRule = "folder "

// A placed is a rule and where it is written: user, local, shared, gen; session is granted to the session.
type placed struct{ rule, file string }

// A scene is one call, the rules there are, and those that are added.
type scene struct {
	tool, text        string // Bash where none is said
	host, mode        string // Claude Code where none is said
	posture           string
	request           bool // the call is asked about by PermissionRequest
	headless, agent   bool
	classifier        bool // plan leaves commands to the classifier of auto
	base, added       []placed
	grant             string // granted to the session with what is added: bash or edits
	denying, querying []string
	written           string   // the local file's text, with what is added
	about             []string // rules that may be about the call
}

func (s *scene) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q in %s", cmp.Or(s.tool, "Bash"), s.text, cmp.Or(s.mode, "no mode"))
	for _, f := range []struct {
		is   bool
		name string
	}{{s.host != "", s.host}, {s.posture != "", s.posture}, {s.request, "PermissionRequest"}, {s.headless, "headless"}, {s.agent, "subagent"},
		{s.classifier, "classifier"}} {
		if f.is {
			b.WriteString(", " + f.name)
		}
	}
	for _, r := range s.base {
		fmt.Fprintf(&b, "; with %s %s", r.file, r.rule)
	}
	for _, r := range s.added {
		fmt.Fprintf(&b, "; adding %s %s", r.file, r.rule)
	}
	if s.grant != "" {
		b.WriteString("; granting " + s.grant)
	}
	if len(s.denying)+len(s.querying) > 0 {
		fmt.Fprintf(&b, "; deny %q, ask %q", s.denying, s.querying)
	}
	return b.String()
}

// A stage is where scenes are decided: a disk for each posture, whose settings files are written for each.
type stage map[string]gate.World

func newStage(t *testing.T) stage {
	st := stage{}
	for _, p := range posturesTried() {
		st[p.name] = worldOf(t, filesOf(p.text, map[string]string{
			"package.json": `{"name": "x", "scripts": {"build": "tsc", "test": "vitest run", "lint": "eslint ."}}`,
			".gitignore":   "dist\nnode_modules\n.env\n", "go.mod": "module x\n", "README.md": "x", "src/main.go": "package main\n",
			"sub/package.json": "{}", ".env": "A=1", "Makefile": "build:\n\tgo build\n",
		}))
	}
	return st
}

// filesOf are all files of a machine: settings without rules, and those of a project.
func filesOf(posture string, inProject map[string]string) map[string]string {
	files := map[string]string{"/home/u/.claude/permgate.json": posture, "/home/u/.ssh/id_rsa": "k", "/home/u/notes/a.md": "x",
		"/home/u/other/x.txt": "x", "/srv/data": "x"}
	for _, file := range []string{"user", "local", "shared", "gen"} {
		files[settingsFile(file)] = "{}"
	}
	for name, text := range inProject {
		files[project+"/"+name] = text
	}
	return files
}

func settingsFile(file string) string {
	switch file {
	case "user":
		return "/home/u/.claude/settings.json"
	case "local":
		return project + "/.claude/settings.local.json"
	case "shared":
		return project + "/.claude/settings.json"
	}
	return "/home/u/.gen/settings.json"
}

// call is what the host sends.
func (s *scene) call() *hookio.Call {
	call, err := gate.Call(cmp.Or(s.tool, "Bash"), s.text)
	if err != nil {
		panic(err)
	}
	call.Host, call.Named, call.Mode = hookio.Lookup(cmp.Or(s.host, "claude")), true, s.mode
	if call.Event = hookio.PreToolUse; s.request {
		call.Event = hookio.PermissionRequest
	}
	if s.agent {
		call.AgentID, call.AgentType = "a", "general-purpose"
	}
	return call
}

// decide decides the call of a scene under rules.
func (st stage) decide(s *scene, list []placed, grant string) decide.Verdict {
	w := st[s.posture]
	for _, file := range []string{"user", "local", "shared", "gen"} {
		p := map[string][]string{"allow": {}, "deny": {}, "ask": {}, "additionalDirectories": {}}
		for _, r := range list {
			if folder, is := strings.CutPrefix(r.rule, folderRule); is && r.file == file {
				p["additionalDirectories"] = append(p["additionalDirectories"], folder)
			} else if r.file == file {
				p["allow"] = append(p["allow"], r.rule)
			}
		}
		if file == "gen" {
			p["deny"], p["ask"] = append(p["deny"], s.denying...), append(p["ask"], s.querying...)
		}
		text, _ := json.Marshal(map[string]any{"permissions": p})
		if file == "local" && s.written != "" && len(list) > len(s.base) {
			text = []byte(s.written)
		}
		w.Files.(*fakefs.FS).File(settingsFile(file)).Data = string(text)
	}
	in := gate.Case(s.call(), &gate.Flags{Host: cmp.Or(s.host, "claude"), Cwd: project, Headless: s.headless}, w)
	for _, p := range list {
		if r, err := rules.ParseRule(p.rule, rules.Allow, rules.Session, rules.Pos{File: "session"}, false); err == nil && p.file == "session" {
			in.Grants.Rules = append(in.Grants.Rules, r)
		}
	}
	in.Grants.AllBash, in.Grants.AllEdits = grant == "bash", grant == "edits"
	defer func() { _ = recover() }()
	return decide.Decide(in)
}

// meets is what the person meets: our answer, and what the host does by itself where that is silence. A host that
// is not known better asks then.
func (s *scene) meets(v decide.Verdict, list []placed) met {
	h := v.Input().Call.Host
	switch told := hookio.Told(v.Input().Call, v.Answer()); {
	case told == hookio.Allow:
		return runs
	case told == hookio.Ask:
		return asked
	case told == hookio.Deny, s.request && (s.mode == "dontAsk" || s.headless):
		return refused
	case s.request:
		return asked
	case h.SilenceRuns, s.mode == "bypassPermissions":
		return runs
	case h.Name != "claude":
		return asked
	}
	m := s.alone(list)
	switch commands := s.tool == ""; {
	case commands && m.runs(s.text), !commands && m.runsTool(s.mode, s.tool, s.text):
		return runs
	case s.mode == "dontAsk", s.headless:
		return refused
	case s.mode == "auto", m.judged && commands:
		return judged
	}
	return asked
}

// alone is Claude Code with the rules of its own files.
func (s *scene) alone(list []placed) *claudeModel {
	m := &claudeModel{edits: s.mode == "acceptEdits", judged: s.mode == "auto" || s.mode == "plan" && s.classifier}
	for _, r := range list {
		folder, is := strings.CutPrefix(r.rule, folderRule)
		home := r.file == "user" && (strings.Contains(r.rule, "(/") && !strings.Contains(r.rule, "(//")) // below ~/.claude
		switch {
		case r.file == "gen", r.file == "session", home && !strings.HasPrefix(r.rule, "Bash"):
		case is:
			m.folders = append(m.folders, folder)
		default:
			m.allow = append(m.allow, r.rule)
		}
	}
	return m
}

// A tightening is what rules made stricter.
type tightening struct {
	was, is       met
	before, after decide.Verdict
	cause         string
}

func (v *tightening) class() string { return fmt.Sprintf("%s, then %s: %s", v.was, v.is, v.cause) }

// heldBack is the one cause for which a call may be stricter: a question in the place of a rule by which Claude Code would
// run it without its classifier, or, with a host of which that is not known, a denial where no one can be asked.
const heldBack = "held back"

// tightened says what the rules that are added make stricter, nil for nothing.
func (st stage) tightened(s *scene) *tightening {
	v := st.stricterThan(s, st.decide(s, s.base, ""))
	if v != nil && v.cause == heldBack {
		return nil
	}
	return v
}

// stricterThan is tightened where the answer without the rules is known, heldBack included.
func (st stage) stricterThan(s *scene, before decide.Verdict) *tightening {
	v := &tightening{before: before}
	if v.before.Input() == nil {
		return &tightening{asked, refused, v.before, v.before, "a panic"}
	}
	if v.was = s.meets(v.before, s.base); v.was == refused {
		return nil
	}
	all := slices.Concat(s.base, s.added)
	v.after = st.decide(s, all, s.grant)
	if v.after.Input() == nil {
		return &tightening{v.was, refused, v.before, v.after, "a panic"}
	}
	if v.is = s.meets(v.after, all); v.is <= v.was {
		return nil
	}
	unasked := s.host != "" && v.is == refused && v.after.Origin() == "7"
	if unasked || v.was == judged && v.is == asked && s.heldBack(all, v.after) {
		v.cause = heldBack
		return v
	}
	m := s.alone(all)
	m.judged = false // what only reads may run next to what a rule covers
	switch covered := s.covered(m); {
	case v.after.Origin() != "7":
		v.cause = "step " + v.after.Origin()
	case !covered:
		v.cause = m.why
	case v.was == judged:
		v.cause = "a write in the project"
	default:
		v.cause = "it runs anyway"
	}
	if s.tool != "" {
		v.cause += ", " + s.tool
	}
	if s.host != "" {
		v.cause = "another host"
	}
	trusted := func(r placed) bool { return r.file != "shared" }
	if own := slices.DeleteFunc(slices.Clone(s.added), func(r placed) bool { return !trusted(r) }); len(own) < len(s.added) {
		c := *s
		if c.added = own; st.tightened(&c) == nil {
			v.cause += ", and a rule that is not trusted"
		}
	}
	return v
}

func (s *scene) covered(m *claudeModel) bool {
	if s.tool != "" {
		return m.runsTool(s.mode, s.tool, s.text)
	}
	return m.runs(s.text)
}

// heldBack reports whether a question is asked in the place of a rule by which Claude Code would run the call without
// its classifier, and not only for a write that it may make.
func (s *scene) heldBack(all []placed, v decide.Verdict) bool {
	m := s.alone(all)
	m.judged = s.tool != ""
	why, _, _ := strings.Cut(v.Reason(), "; not proven")
	return v.Origin() == "7" && s.covered(m) && !strings.Contains(why, "writes a file")
}

// shrunk is a smaller scene of the same class.
func (st stage) shrunk(s *scene) *scene {
	class := st.tightened(s).class()
	for again := true; again; {
		again = false
		for _, c := range s.smaller() {
			if v := st.tightened(c); v != nil && v.class() == class {
				s, again = c, true
				break
			}
		}
	}
	return s
}

// smaller are scenes with one thing less.
func (s *scene) smaller() (out []*scene) {
	try := func(f func(c *scene)) {
		c := *s
		if f(&c); c.String() != s.String() {
			out = append(out, &c)
		}
	}
	for i := range s.base {
		try(func(c *scene) { c.base = slices.Delete(slices.Clone(s.base), i, i+1) })
	}
	for i := range s.added {
		try(func(c *scene) { c.added = slices.Delete(slices.Clone(s.added), i, i+1) })
	}
	try(func(c *scene) { c.grant = "" })
	try(func(c *scene) { c.denying, c.querying = nil, nil })
	try(func(c *scene) { c.headless = false })
	try(func(c *scene) { c.agent = false })
	try(func(c *scene) { c.request = false })
	try(func(c *scene) { c.posture = "" })
	try(func(c *scene) { c.host = "" })
	try(func(c *scene) { c.mode, c.classifier = "auto", false })
	inUser := func(list []placed) (out []placed) {
		for _, r := range list {
			out = append(out, placed{r.rule, "user"})
		}
		return out
	}
	try(func(c *scene) { c.base, c.added = inUser(c.base), inUser(c.added) })
	if s.tool == "" {
		for _, text := range smallerTexts(s.text) {
			try(func(c *scene) { c.text = text })
		}
	}
	return out
}

// onceTightened are calls that rules made stricter, one of each class.
func onceTightened() []*scene {
	user, shared := func(r ...string) (out []placed) { return in("user", r...) }, func(r ...string) []placed { return in("shared", r...) }
	auto := func(text string, added []placed) *scene { return &scene{text: text, mode: "auto", added: added} }
	return []*scene{
		auto("AWS_REGION=x aws s3 ls", user("Bash(aws:*)")),
		auto("PYTHONPATH=src pytest", shared("Bash(pytest:*)")),
		auto("uv run pytest -q | tee out.txt", user("Bash(tee:*)")),
		auto("uv run pytest -q", shared("Bash(pytest:*)")),
		auto("(rg --pre sh x)", user("Bash(rg:*)")),
		auto("npm test &", shared("Bash(npm test:*)")),
		auto("rg --pre sh x > src/gen.go", user("Bash(rg:*)")),
		auto("npm test > out.txt", shared("Bash(npm test:*)")),
		auto("git log --output=out.txt", user("Bash(git log:*)")),
		{text: "touch a.txt", mode: "acceptEdits", added: shared("Bash(touch:*)")},
		{tool: "Read", text: "~/notes/a.md", mode: "auto", added: shared("Read(~/notes/**)")},
		{text: "nohup cat sub/.env.local", mode: "dontAsk", added: shared("Bash(nohup cat sub/.env.local)")},
		{text: "cargo build | xargs rm", mode: "default", base: user("Bash(cargo *)", "Bash(rm *)"), added: user("Bash(cargo build | xargs rm)")},
		{text: "doppler run tar xf x.tgz -C", mode: "dontAsk", base: user("Bash(doppler *)"), added: user("Read")},
		{text: "cd sub && caffeinate composer test", host: "droid", posture: "everywhere", mode: "auto", added: user("Bash(cd sub:*)")},
		{text: "git commit -m x", host: "droid", posture: "everywhere", mode: "default", added: shared("Bash(git commit:*)")},
		{text: "for f in a b; do watch cp ~/other/b; uv run tar xf -C; done", mode: "default"},
	}
}

// in are rules in one file.
func in(file string, rules ...string) (out []placed) {
	for _, r := range rules {
		out = append(out, placed{r, file})
	}
	return out
}

// TestNeverStricter: no allow rule, and no grant, makes a call stricter for the person than it is without.
func TestNeverStricter(t *testing.T) {
	st := newStage(t)
	for _, s := range onceTightened() {
		if v := st.tightened(s); v != nil {
			t.Errorf("%s: %s", v.class(), s)
		}
	}
	const batch, additions = 125, 4
	work, seeds := make(chan uint64), seedTexts(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	found, counts := map[string]*scene{}, map[string]int{}
	keep := func(st stage, s *scene, v *tightening) {
		mu.Lock()
		defer mu.Unlock()
		class := v.class()
		if counts[class]++; found[class] == nil {
			c := *s
			found[class] = st.shrunk(&c)
		}
	}
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			st := newStage(t)
			for n := range work {
				k := &maker{rand.New(rand.NewPCG(n, 52)), seeds}
				for range batch {
					s := k.scene()
					before := st.decide(s, s.base, "")
					for range additions {
						k.add(s)
						if v := st.stricterThan(s, before); v != nil && v.cause != heldBack {
							keep(st, s, v)
						}
					}
				}
			}
		})
	}
	for n := range testenv.Count(t, 32_000, 100_000, 1_000_000) / batch / additions {
		work <- uint64(n)
	}
	close(work)
	wg.Wait()
	for class, s := range found {
		v := st.tightened(s)
		t.Errorf("%s (%d)\n  %s\n  before: %s: %s, %s\n  after: %s: %s", class, counts[class], s, v.was, v.before.Decision(), cmp.Or(v.before.Silence(), v.before.Reason()), v.is, v.after.Reason())
	}
	t.Log(counts)
}
