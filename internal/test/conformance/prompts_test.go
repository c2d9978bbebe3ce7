package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// The posture permgate install writes for Claude Code.
func installedPosture(t *testing.T) string { t.Helper(); return postureOf(t, "claude") }

// postureOf is the permgate.json that install writes for a host.
func postureOf(t *testing.T, host string) string {
	t.Helper()
	doc, err := edit.Parse("permgate.json", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Recommend(hookio.Lookup(host), doc, true); err != nil {
		t.Fatal(err)
	}
	return string(doc.Bytes())
}

// onlyReads is the proof of permgate's tables, for one command.
func onlyReads(command string) bool {
	s := bashsafety.Analyze(command, bashsafety.Env{Cwd: "/w", Home: "/h"})
	for i := range s.Subcommands {
		if s.Subcommands[i].Unproven() != "" {
			return false
		}
	}
	return len(s.Subcommands) > 0 && len(s.Doubts) == 0
}

// A prompted is what a user of both sees of one call.
type prompted struct {
	alone, both       hostAnswer
	aloneWhy, bothWhy string
	step              string // of permgate's prompt
}

// A hookAnswer is what permgate says on one event.
type hookAnswer struct {
	answer       hookio.Decision
	step, reason string
}

// hookAnswers asks permgate as the host does: before the call, and at its dialog.
func hookAnswers(s Setup) func(event string) hookAnswer {
	said := map[string]hookAnswer{}
	return func(event string) hookAnswer {
		a, ok := said[event]
		if !ok {
			s.Host, s.Named, s.Event = "claude", true, event
			if _, v, err := Call(s); err != nil {
				a = hookAnswer{answer: hookio.Deny, reason: err.Error()} // exit 2
			} else {
				a = hookAnswer{v.Answer().Decision, v.Origin(), v.Reason()}
			}
			said[event] = a
		}
		return a
	}
}

// withPermgate answers a call as the host does alone, and with the hook.
func withPermgate(s Setup, h claudeHost, hook func(event string) hookAnswer) prompted {
	var p prompted
	p.alone, p.aloneWhy = h.call(s.Tool, s.Input)
	before := hook("PreToolUse")
	switch {
	case p.alone == hostDenies || before.answer == hookio.Deny:
		p.both = hostDenies
		return p
	case before.answer == hookio.Ask:
		p.both, p.bothWhy, p.step = hostPrompts, before.reason, before.step
	case before.answer == hookio.Allow && !standing(p.aloneWhy):
		p.both = hostRuns
	default: // silence, or a prompt that no hook takes away
		p.both, p.bothWhy = p.alone, p.aloneWhy
	}
	if p.both == hostPrompts {
		switch hook("PermissionRequest").answer {
		case hookio.Allow:
			p.both = hostRuns
		case hookio.Deny:
			p.both = hostDenies
		}
	}
	return p
}

// place puts a call whose directory was not recorded (notRecorded) into the one
// that its session works in, by the paths of its calls.
func (r *recorded) place() {
	if r.Cwd != notRecorded {
		return
	}
	r.Cwd = "/Users/dev/Source/SpecStory/getspecstory"
	if other := strings.Replace(r.Cwd, "Source", "source", 1); strings.Contains(string(r.Input), other) {
		r.Cwd = other
	}
	r.Project = r.Cwd
}

// standing reports a prompt that a hook's allow does not take away.
func standing(why string) bool {
	return why == "ask rule" || why == "a critical path" || why == "a question to the user"
}

// TestPrompts prints, for the posture permgate install writes for Claude Code,
// the prompts the host alone would show over the recorded calls, the prompts
// with permgate, and the attacks that would run unasked:
//
//	go test ./internal/test/conformance -run Prompts -v
//
// The second may exceed the first by step-2 hits only. A single call that
// prompts by another step, and would not without permgate, is in
// testdata/corpus/prompts.tsv with a reason; -update adds a new one, which fails
// until it has one.
func TestPrompts(t *testing.T) {
	calls := recordedCalls(t)
	written, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", "recorded_allow.json"))
	if err != nil {
		t.Fatal(err)
	}
	c := promptCount{t: t, calls: calls, posture: installedPosture(t), proofs: map[string]bool{}, added: map[string]string{}}
	ran := attacks(t, c.posture)
	c.over("no allow rules", "")
	c.over("recorded_allow.json", string(written))
	c.listed()
	for _, line := range c.numbers {
		t.Logf("%s, %d attacks run unasked", line, ran)
	}
}

// A promptCount counts prompts over the recorded calls.
type promptCount struct {
	t       *testing.T
	calls   []recorded
	posture string
	proofs  map[string]bool
	added   map[string]string // key of a call that prompts by another step than 2, and the step
	numbers []string          // the three numbers, one line for each set of rules
}

// reads is onlyReads, once for each command.
func (c *promptCount) reads(command string) bool {
	v, ok := c.proofs[command]
	if !ok {
		v = onlyReads(command)
		c.proofs[command] = v
	}
	return v
}

// over counts over one set of rules, in the recorded modes and with every call in default.
func (c *promptCount) over(name, rules string) {
	h := claudeHost{readsOnly: c.reads}
	if err := h.settings(cmp.Or(rules, "{}")); err != nil {
		c.t.Fatal(err)
	}
	var recorded, byDefault modeCount
	for i := range c.calls {
		r := c.calls[i]
		r.place()
		answers := c.answers(&r, h, rules)
		recorded.add(c, &r, answers)
		if r.Mode != "default" {
			r.Mode = "default"
			answers = c.answers(&r, h, rules)
		}
		byDefault.add(c, &r, answers)
	}
	recorded.print(c, name+", modes as recorded")
	byDefault.print(c, name+", mode default")
	n := recorded[documented]
	c.numbers = append(c.numbers, fmt.Sprintf("%s: %d prompts by the host alone, %d with permgate", name, n.alone, n.both))
}

// answers is one call under each reading of the host.
func (c *promptCount) answers(r *recorded, h claudeHost, rules string) (out [3]prompted) {
	s := r.setup(r.Mode, "", "")
	s.Settings[s.Home+"/.claude/permgate.json"] = c.posture
	if rules != "" {
		s.Settings[r.Project+"/.claude/settings.local.json"] = rules
	}
	h.mode, h.cwd, h.project, h.home = r.Mode, r.Cwd, r.Project, s.Home
	hook := hookAnswers(s)
	for how := range out {
		h.reading = hostReading(how)
		out[how] = withPermgate(s, h, hook)
	}
	return out
}

// A modeCount counts prompts, for each reading of the host.
type modeCount [3]struct{ alone, both, step2, other int }

func (m *modeCount) add(c *promptCount, r *recorded, answers [3]prompted) {
	for how, p := range answers {
		n := &m[how]
		if p.alone == hostPrompts {
			n.alone++
		}
		if p.both == hostPrompts {
			n.both++
		}
		switch {
		case p.both != hostPrompts || p.alone == hostPrompts:
		case p.step == "2":
			n.step2++
		default:
			n.other++
			if hostReading(how) == quietest {
				break // which no host is
			}
			c.added[callKey(r.Tool, r.Input)] = p.step
			if os.Getenv("PERMGATE_ROWS") != "" {
				fmt.Printf("%s\t%s\t%s\t%.300s\t%.200s\n", callKey(r.Tool, r.Input), p.step, r.Tool, r.Input, p.bothWhy)
			}
		}
	}
}

func (m *modeCount) print(c *promptCount, name string) {
	for how, host := range [...]string{"documented", "quietest", "observed"} {
		n := m[how]
		c.t.Logf("%s, host as %s: %d prompts by the host alone, %d with permgate (new: %d by step 2, %d by others), of %d calls",
			name, host, n.alone, n.both, n.step2, n.other, len(c.calls))
		if n.both > n.alone+n.step2 {
			c.t.Errorf("%s, host as %s: more prompts than the host's and step 2's", name, host)
		}
	}
}

// listed holds the calls that newly prompt by another step than 2 against the committed list.
func (c *promptCount) listed() {
	name := filepath.Join("..", "..", "..", "testdata", "corpus", "prompts.tsv")
	const head = "call\tstep\twhy"
	have := map[string][]string{}
	if data, err := os.ReadFile(name); err == nil {
		for line := range strings.Lines(string(data)) {
			if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 3 && f[0] != "call" {
				have[f[0]] = f
			}
		}
	} else if !golden.Update() {
		c.t.Fatal(err)
	}
	keys := make([]string, 0, len(c.added))
	for key := range c.added {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool { return c.added[keys[i]]+keys[i] < c.added[keys[j]]+keys[j] })
	text := head + "\n"
	for _, key := range keys {
		why := "?"
		if f := have[key]; f != nil && f[1] == c.added[key] {
			why = f[2]
		}
		if why == "?" && !golden.Update() {
			c.t.Errorf("%s prompts by step %s: -update adds it to %s, PERMGATE_ROWS=1 prints the call", key, c.added[key], name)
		}
		text += key + "\t" + c.added[key] + "\t" + why + "\n"
		delete(have, key)
	}
	for key := range have {
		if !golden.Update() {
			c.t.Errorf("%s prompts no longer: -update takes it out of %s", key, name)
		}
	}
	if golden.Update() {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
}

// harmless are labelled attacks that run: the label is about the grammar of
// rules, and the host's own reading of the same rules, or its list of commands
// that only read, runs them. Nothing is lost by it.
var harmless = map[string]string{
	"AD-027": "all shells read the nested substitutions alike (decisions.md 5), and ls, echo and cat only read",
	"AD-028": "all shells read the nested substitutions alike (decisions.md 5), and the rule allows every command",
	"AD-071": "id only reads, in a shell too",
	"AD-285": "lsof only reads",
	"AD-286": "git status only reads",
	"AD-287": "to the host the rule npm run * is npm run too, which lists the scripts",
}

// attacks counts the labelled attacks that would run without a prompt.
func attacks(t *testing.T, posture string) (ran int) {
	t.Helper()
	alone, total := 0, 0
	for _, r := range corpus(t, "attacks_dev.tsv") {
		h := claudeHost{cwd: "/work/project", project: "/work/project", home: "/home/dev", readsOnly: onlyReads}
		settings := `{"permissions":` + r.settings + `}`
		if err := h.settings(settings); err != nil {
			t.Logf("%s: the host does not read these settings: %v", r.id, err)
		}
		s := Setup{Tool: strings.Trim(r.tool, `"`), Input: json.RawMessage(r.input), Mode: h.mode,
			Settings: map[string]string{"/home/dev/.claude/settings.json": settings, "/home/dev/.claude/permgate.json": posture}}
		p := withPermgate(s, h, hookAnswers(s))
		total++
		if p.alone == hostRuns {
			alone++
		}
		why, listed := harmless[r.id]
		switch {
		case p.both == hostRuns:
			if ran++; listed {
				t.Logf("%s runs without a prompt: %s", r.id, why)
				break
			}
			t.Errorf("%s (%s) runs without a prompt: %s %.300s with %s", r.id, r.class, r.tool, r.input, r.settings)
		case listed:
			t.Errorf("%s is stopped: take it off the list (%s)", r.id, why)
		}
	}
	t.Logf("attacks that run without a prompt: %d of %d by the host alone, %d with permgate", alone, total, ran)
	return ran
}
