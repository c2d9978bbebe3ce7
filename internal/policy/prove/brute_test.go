package prove

import (
	"math/rand/v2"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	worlds "github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A world decides calls in memory: the disk is empty.
type world struct {
	scripts map[string]*bashsafety.Analysis
}

var place = rules.Path{Given: "/b", Real: "/b"}

func (w *world) caseOf(p *rules.Policy, call *hookio.Call) *decide.Input {
	at := worlds.New(worlds.Facts{FS: fakefs.New(nil), AnyDisk: true, User: worlds.User{ID: 1000, Home: "/h"}}, p, "")
	c := &decide.Input{Input: facts.Input{Call: call, Policy: p, World: at}}
	if call.Command != "" && call.Malformed == "" {
		if w.scripts[call.Command] == nil {
			w.scripts[call.Command] = bashsafety.Analyze(call.Command, bashsafety.Env{Cwd: "/b", Home: "/h"})
		}
		c.Script = w.scripts[call.Command]
	}
	return c
}

func (w *world) side(p *rules.Policy) *side {
	return &side{policy: p, langs: algebra.Of(p), sample: w.caseOf(p, &hookio.Call{}), caseOf: w.caseOf}
}

func policyOf(mode string) *rules.Policy {
	return &rules.Policy{Cwd: place, Project: place, Home: rules.Path{Given: "/h", Real: "/h"},
		Mode: rules.Setting{Value: mode}}
}

// add adds a rule in its list.
func add(p *rules.Policy, text string, list rules.List, scope rules.Scope, claude bool) bool {
	r, err := rules.ParseRule(text, list, scope, rules.Pos{File: "/b/" + scope.String(), Line: 1, Col: 1}, claude)
	if err != nil {
		return false
	}
	switch list {
	case rules.Allow:
		p.Allow = append(p.Allow, r)
	case rules.Ask:
		p.Ask = append(p.Ask, r)
	default:
		p.Deny = append(p.Deny, r)
	}
	return true
}

// A ground is what random policies are about, and all calls that are decided.
type ground struct {
	name    string
	letters string // of the calls
	longest int
	holes   bool
	calls   []*trial
	rule    func(*rand.Rand) string
}

// tool is the one that is looked at.
func (g *ground) tool() string {
	if g.name == "servers" {
		return anyMCP
	}
	return g.calls[0].tool
}

// texts are all texts of some letters up to a length.
func texts(letters []string, length int) []string {
	out, last := []string{""}, []string{""}
	for range length {
		var next []string
		for _, t := range last {
			for _, l := range letters {
				next = append(next, t+l)
			}
		}
		out, last = append(out, next...), next
	}
	return out
}

// word is a random text of some pieces.
func word(r *rand.Rand, pieces []string, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// labels are a random pattern of hosts.
func labels(r *rand.Rand) string {
	list := make([]string, 1+r.IntN(3))
	for i := range list {
		list[i] = pick(r, "a", "b", "ab", "*", "*", "a*")
	}
	return strings.Join(list, ".")
}

// inUniverse reports whether a text is one that searches know.
func inUniverse(tool, text string) bool {
	u, state := algebra.Of(policyOf("default")).Universe(tool), 0
	for _, r := range text {
		next, ok := u.Next(state, r)
		if !ok {
			return false
		}
		state = next
	}
	return u.Accepts(state)
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func grounds() []ground {
	shell := func(length int, letters ...string) (out []*trial) {
		for _, text := range texts(letters, length) {
			if strings.TrimSpace(text) != "" {
				out = append(out, trialOf("Bash", text))
			}
		}
		return out
	}
	command := func(r *rand.Rand) string {
		if r.IntN(12) == 0 {
			return pick(r, "Bash", "Monitor", "Monitor(a:*)", "*")
		}
		return "Bash(" + word(r, []string{"a", "b", " ", "a", "b", "*"}, 4) + pick(r, "", "", ":*") + ")"
	}
	var paths, urls, agents, servers []*trial
	for _, text := range texts([]string{"a", "b", "/"}, 5) {
		if text == path.Clean(text) && strings.HasPrefix(text, "/") {
			paths = append(paths, trialOf("Read", text))
		}
	}
	edits := make([]*trial, len(paths))
	for i, t := range paths {
		edits[i] = trialOf("Edit", t.text)
	}
	var marked []*trial
	for _, text := range texts([]string{"e", "é", "\u0301", "/"}, 4) {
		if text == path.Clean(text) && strings.HasPrefix(text, "/") {
			marked = append(marked, trialOf("Edit", text))
		}
	}
	for _, text := range texts([]string{"a", "b", ".", "/"}, 5) {
		if text = "http://" + text; inUniverse("WebFetch", text) {
			urls = append(urls, trialOf("WebFetch", text))
		}
	}
	for _, text := range texts([]string{"a", "b", ":"}, 5)[1:] {
		agents = append(agents, trialOf("Agent", text))
	}
	for _, text := range texts([]string{"a", "_", "b"}, 5)[1:] {
		servers = append(servers, trialOf(anyMCP, "mcp__"+text))
	}
	fileOf := func(pieces []string, tools ...string) func(r *rand.Rand) string {
		return func(r *rand.Rand) string {
			if r.IntN(12) == 0 {
				return pick(r, tools...)
			}
			return pick(r, tools...) + "(" + pick(r, "//", "/", "~/", "./", "") + word(r, pieces, 3) + ")"
		}
	}
	file := func(tools ...string) func(r *rand.Rand) string {
		return fileOf([]string{"a", "b", "/", "*", "**"}, tools...)
	}
	host := func(r *rand.Rand) string {
		switch r.IntN(6) {
		case 0:
			return "WebFetch(http://" + labels(r) + pick(r, "", "/", "/*", "/a", "*") + ")"
		case 1:
			return "WebFetch"
		}
		return "WebFetch(domain:" + labels(r) + ")"
	}
	agent := func(r *rand.Rand) string {
		return pick(r, "Agent", "Task") + "(" + word(r, []string{"a", "b", ":", "*", "?"}, 3) + ")"
	}
	server := func(r *rand.Rand) string {
		return pick(r, "mcp__", "mcp__", "mcp__a__", "MCP(mcp__") + word(r, []string{"a", "b", "_", "*"}, 3)
	}
	return []ground{
		{"reads", "ab/", 5, false, paths, file("Read", "Read", "Edit")},
		{"edits", "ab/", 5, false, edits, file("Edit", "Read", "Write")},
		{"marks", "eé\u0301/", 4, false, marked, fileOf([]string{"e", "é", "\u0301", "/", "*", "?", "**"}, "Edit", "Read", "Write")},
		{"addresses", "ab./htp:", 12, false, urls, host},
		{"agents", "ab:", 5, false, agents, agent},
		{"servers", "ab_mcp", 10, false, servers, func(r *rand.Rand) string {
			text := server(r)
			if strings.Contains(text, "(") {
				text += ")"
			}
			return text
		}},
		{"commands", "ab ", 5, false, shell(5, "a", "b", " "), command},
		{"parts", "ab ;", 5, false, shell(5, "a", "b", " ", ";"), command},
		{"holes", `ab $"`, 4, true, shell(4, "a", "b", " ", "$x", `"$x"`), command},
	}
}

// pairs is how many random pairs of policies are compared.
func pairs(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("PERMGATE_PROVE")); err == nil {
		return n
	}
	return testenv.Count(t, 60, 300, 1000)
}

// TestBruteForce decides every short call under random pairs of policies.
func TestBruteForce(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	all := grounds()
	var count [3]int
	for n := range pairs(t) {
		r := rand.New(rand.NewPCG(20, uint64(n)))
		g := &all[n%len(all)]
		was := policyOf(pick(r, "default", "default", "acceptEdits", "dontAsk", "bypassPermissions"))
		now := policyOf(was.Mode.Value)
		if r.IntN(3) == 0 {
			was.Posture.OutsideReads.Value, now.Posture.OutsideReads.Value = "ask", "ask"
		}
		if r.IntN(4) == 0 {
			was.FenceWrite.Value, now.FenceWrite.Value = "true", "true"
		}
		texts := randomPair(r, g, now, was)
		j := &Job{Flags: &gate.Flags{}, Claim: NoLooser, Tool: g.tool()}
		report, err := j.compare(w.side(now), w.side(was))
		if err != nil {
			t.Fatal(err)
		}
		count[report.Verdict]++
		if report.Verdict == Unknown && !g.holes { // what is held back of a call with holes is no matter of rules
			j.literal = true
			report, _ = j.compare(w.side(now), w.side(was))
		}
		shortest := w.shortest(g, now, was)
		if !g.agrees(report, shortest) {
			t.Errorf("pair %d (%s, %s): %s\n%+v\nbrute force: %v", n, g.name, was.Mode.Value, texts, report, shortest)
			if t.Failed() && count[0]+count[1]+count[2] > 40 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d hold, %d fail, %d unknown", count[Holds], count[Fails], count[Unknown])
}

// randomPair fills two policies: one is the other with some rules changed.
func randomPair(r *rand.Rand, g *ground, now, was *rules.Policy) string {
	var b strings.Builder
	rule := func(to ...*rules.Policy) {
		text, claude := g.rule(r), r.IntN(3) == 0
		list := rules.List(1 + r.IntN(3))
		scope := rules.Scope(1 + r.IntN(2))
		if r.IntN(8) == 0 {
			scope = rules.Managed
		}
		for _, p := range to {
			add(p, text, list, scope, claude)
		}
		b.WriteString(list.String() + " " + scope.String() + " " + text + "; ")
	}
	for range r.IntN(4) {
		rule(now, was)
	}
	folders := func(p *rules.Policy) {
		if kindOf(g.tool()) == files && r.IntN(3) == 0 {
			p.Dirs = append(p.Dirs, dirsOf(pick(r, "/a", "/a/b", "/b/a", "/a/a", "/bb"))...)
			b.WriteString("folder " + p.Dirs[0].Path.Given + "; ")
		}
	}
	b.WriteString("NOW ")
	for range r.IntN(3) {
		rule(now)
	}
	folders(now)
	b.WriteString("WAS ")
	for range r.IntN(3) {
		rule(was)
	}
	folders(was)
	return b.String()
}

// shortest is the shortest call that is answered laxer now, nil for none.
func (w *world) shortest(g *ground, now, was *rules.Policy) *trial {
	a, b := w.side(now), w.side(was)
	for _, t := range g.calls {
		call, err := t.call(&gate.Flags{}, nil)
		if err != nil {
			continue
		}
		if a.decide(call).told < b.decide(call).told {
			return t
		}
	}
	return nil
}

// size is how many letters and holes a text has.
func size(text string) int {
	return utf8.RuneCountInString(strings.NewReplacer(`"$x"`, "$", "$x", "$").Replace(text))
}

// agrees reports whether a report says what brute force found. What it found may have
// letters and holes that the texts of the ground do not have: then they may be longer.
func (g *ground) agrees(r *Report, shortest *trial) bool {
	least, foreign := 1<<20, false
	for _, f := range r.Findings {
		if n := size(strings.TrimSuffix(f.Text, "/xyzzy")); n < least { // of a folder a file in it is shown
			least, foreign = n, strings.Trim(strings.ReplaceAll(f.Text, "$x", "$"), g.letters) != "" || f.Text == "" ||
				string(f.Input) != string(trialOf(f.Tool, f.Text).input) // a field more
		}
	}
	switch {
	case r.Verdict == Unknown:
		return g.holes
	case shortest == nil:
		return r.Verdict == Holds || least > g.longest || foreign
	}
	if g.holes { // texts without holes are looked for first
		return r.Verdict == Fails
	}
	return r.Verdict == Fails && (least == size(shortest.text) || foreign && least < size(shortest.text))
}
