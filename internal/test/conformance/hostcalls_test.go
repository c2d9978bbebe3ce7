package conformance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A canonCall is one call in Claude Code's words.
type canonCall struct {
	id    string
	tool  string
	input string
	rules string // further permissions object, "" for none
	mode  string // "" is default
	agent string // type of the subagent that calls, "" for the main agent
}

// handCalls are the calls written for this test; canonCalls adds the project's
// own corpora up to two hundred.
var handCalls = []canonCall{
	{tool: "Bash", input: `{"command":"npm test"}`},
	{tool: "Bash", input: `{"command":"npm test","description":"run the tests","timeout":1000}`},
	{tool: "Bash", input: `{"command":"git push --force"}`},
	{tool: "Bash", input: `{"command":"rm -rf build"}`},
	{tool: "Bash", input: `{"command":"echo x > /etc/hosts"}`},
	{tool: "Bash", input: `{"command":"cat .env"}`},
	{tool: "Bash", input: `{"command":"git status"}`, mode: "plan"},
	{tool: "Bash", input: `{"command":"touch a"}`, mode: "acceptEdits"},
	{tool: "Bash", input: `{"command":"touch a"}`, mode: "bypassPermissions"},
	{tool: "Bash", input: `{"command":"rm -rf ~"}`, mode: "bypassPermissions"},
	{tool: "Bash", input: `{"command":"npm run x"}`, mode: "dontAsk"},
	{tool: "Bash", input: `{"command":"npm test"}`, agent: "reviewer"},
	{tool: "Bash", input: `{"command":"git push"}`, agent: "reviewer"},
	{tool: "Read", input: `{"file_path":"/work/project/a.go"}`},
	{tool: "Read", input: `{"file_path":"/work/project/.env"}`},
	{tool: "Read", input: `{"file_path":"/work/project/secret/key"}`},
	{tool: "Read", input: `{"file_path":"/etc/shadow"}`},
	{tool: "Read", input: `{"file_path":"../other/x"}`},
	{tool: "Read", input: `{"file_path":"/proc/1/environ"}`},
	{tool: "Read", input: `{"file_path":"a.go"}`, agent: "reviewer"},
	{tool: "Read", input: `{"file_path":"a.go"}`, mode: "plan"},
	{tool: "Write", input: `{"file_path":"/work/project/build/a","content":"x"}`},
	{tool: "Write", input: `{"file_path":"/work/project/src/a.go","content":"package a\n"}`},
	{tool: "Write", input: `{"file_path":"/work/project/vendor/a.go","content":"package a\n"}`},
	{tool: "Write", input: `{"file_path":"/work/project/.git/config","content":""}`},
	{tool: "Write", input: `{"file_path":"/work/other/a","content":"x"}`},
	{tool: "Write", input: `{"file_path":"a","content":"x"}`, mode: "acceptEdits"},
	{tool: "Write", input: `{"file_path":"a","content":"x"}`, mode: "dontAsk"},
	{tool: "Edit", input: `{"file_path":"/work/project/src/a.go","old_string":"a","new_string":"b"}`},
	{tool: "Edit", input: `{"file_path":"/work/project/vendor/a.go","old_string":"a","new_string":"b"}`},
	{tool: "Edit", input: `{"file_path":"/work/project/.claude/settings.json","old_string":"a","new_string":"b"}`},
	{tool: "Edit", input: `{"file_path":"/home/dev/.bashrc","old_string":"a","new_string":"b"}`},
	{tool: "Edit", input: `{"file_path":"a.go","old_string":"a","new_string":"b"}`, mode: "acceptEdits"},
	{tool: "Edit", input: `{"file_path":"a.go","old_string":"a","new_string":"b"}`, mode: "bypassPermissions"},
	{tool: "Edit", input: `{"file_path":"a.go","old_string":"a","new_string":"b"}`, agent: "reviewer"},
	{tool: "NotebookEdit", input: `{"notebook_path":"/work/project/nb/a.ipynb","new_source":"x"}`},
	{tool: "NotebookEdit", input: `{"notebook_path":"/work/project/vendor/a.ipynb","new_source":"x"}`},
	{tool: "NotebookEdit", input: `{"notebook_path":"/work/other/a.ipynb","new_source":"x"}`},
	{tool: "Glob", input: `{"pattern":"**/*.go"}`},
	{tool: "Glob", input: `{"pattern":"*.go","path":"/work/project/src"}`},
	{tool: "Glob", input: `{"pattern":"/work/project/secret/*"}`},
	{tool: "Glob", input: `{"pattern":"*","path":"/etc"}`},
	{tool: "Grep", input: `{"pattern":"TODO"}`},
	{tool: "Grep", input: `{"pattern":"TODO","path":"/work/project/src"}`},
	{tool: "Grep", input: `{"pattern":"root","path":"/etc/shadow"}`},
	{tool: "Grep", input: `{"pattern":"k","path":"/work/project/secret"}`},
	{tool: "LS", input: `{"path":"/work/project"}`},
	{tool: "LS", input: `{"path":"/work/project/secret"}`},
	{tool: "WebFetch", input: `{"url":"https://go.dev/doc/","prompt":"summary"}`},
	{tool: "WebFetch", input: `{"url":"https://example.org/","prompt":"summary"}`},
	{tool: "WebFetch", input: `{"url":"https://evil.test/x?y=1","prompt":"summary"}`},
	{tool: "WebFetch", input: `{"url":"https://sub.evil.test./","prompt":"summary"}`},
	{tool: "WebFetch", input: `{"url":"http://other.example/","prompt":"summary"}`, mode: "plan"},
	{tool: "WebSearch", input: `{"query":"go modules"}`},
	{tool: "WebSearch", input: `{"query":"password of admin"}`},
	{tool: "WebSearch", input: `{"query":"go modules"}`, mode: "dontAsk"},
	{tool: "Agent", input: `{"description":"d","prompt":"p","subagent_type":"Explore"}`},
	{tool: "Agent", input: `{"description":"d","prompt":"p","subagent_type":"deployer"}`},
	{tool: "Agent", input: `{"description":"d","prompt":"p","subagent_type":"root"}`},
	{tool: "Agent", input: `{"description":"d","prompt":"p"}`},
	{tool: "Agent", input: `{"description":"d","prompt":"p","subagent_type":"Explore"}`, agent: "reviewer"},
	{tool: "Skill", input: `{"skill":"review"}`},
	{tool: "Skill", input: `{"skill":"danger:zone"}`},
	{tool: "Skill", input: `{"skill":"other"}`},
	{tool: "mcp__fs__read", input: `{"path":"a"}`},
	{tool: "mcp__fs__write", input: `{"path":"a","text":"x"}`},
	{tool: "mcp__fs__delete", input: `{"path":"a"}`},
	{tool: "mcp__github__search", input: `{"query":"q"}`},
	{tool: "mcp__fs__read", input: `{}`, agent: "reviewer"},
	{tool: "mcp__fs__delete", input: `{}`, mode: "bypassPermissions"},
}

// canonCalls are two hundred calls: those above and, evenly spread, rows of the
// project's corpora. Rows on decoders are left out: they are about bytes that a
// host would have put in order.
func canonCalls(t *testing.T) []canonCall {
	calls := append([]canonCall(nil), handCalls...)
	pools := map[string][]corpusRow{}
	for _, name := range []string{"attacks.tsv", "benign.tsv"} {
		for _, r := range ownCorpus(t, name) {
			tool := r.tool
			switch {
			case r.class == "json" || r.class == "mode" || !json.Valid([]byte(r.input)) || strings.Contains(r.input, "\uFFFD"):
				continue
			case tool == "Bash":
				tool = name
			case tool != "Write" && tool != "Read" && tool != "Edit" && tool != "WebFetch":
				continue
			}
			pools[tool] = append(pools[tool], r)
		}
	}
	for _, want := range []struct {
		pool string
		n    int
	}{{"Write", 12}, {"Read", 8}, {"Edit", 6}, {"WebFetch", 14}, {"attacks.tsv", 0}, {"benign.tsv", 0}} {
		pool, n := pools[want.pool], want.n
		switch want.pool {
		case "attacks.tsv":
			n = (200 - len(calls)) / 2
		case "benign.tsv":
			n = 200 - len(calls)
		}
		for i := range n {
			r := pool[i*len(pool)/n]
			calls = append(calls, canonCall{id: r.id, tool: r.tool, input: r.input, rules: r.settings})
		}
	}
	if len(calls) != 200 {
		t.Fatalf("%d calls", len(calls))
	}
	return calls
}

const someRules = `{
	"allow": ["Bash(npm test)", "Bash(git status:*)", "Read(//etc/hosts)", "Edit(/src/**)", "Write(/build/**)", "NotebookEdit(/nb/**)",
		"WebFetch(domain:go.dev)", "WebSearch", "Agent(Explore)", "Skill(review)", "mcp__fs__read", "LS",
		"Sandbox(escape)"],
	"ask": ["Bash(git push:*)", "Read(/secret/**)", "WebFetch(domain:example.org)", "Agent(deployer)", "mcp__fs__write"],
	"deny": ["Bash(curl:*)", "Read(.env)", "Read(//etc/shadow)", "Edit(/vendor/**)", "WebFetch(domain:evil.test)", "WebFetch(domain:*.evil.test)",
		"WebSearch(*password*)", "Agent(root)", "Skill(danger:*)", "mcp__fs__delete"]}`

// canonPolicies are the settings each call is decided under. Posture is what install
// writes for Claude Code, here for every host.
func canonPolicies(c *canonCall) map[string]map[string]string {
	const settings, gateFile = "/home/dev/.gen/settings.json", "/home/dev/.gen/permgate.json"
	posture := `{"catastrophic":"deny","onUnmatched":"defer","subagents":"host","projectTrust":"require"}`
	out := map[string]map[string]string{
		"bare":        nil,
		"rules":       {settings: `{"permissions":` + someRules + `}`},
		"installed":   {settings: `{"permissions":` + someRules + `}`, gateFile: posture},
		"acceptEdits": {settings: `{"permissions":{"defaultMode":"acceptEdits"}}`},
		"plan":        {settings: `{"permissions":{"defaultMode":"plan"}}`, gateFile: posture},
	}
	if c.rules != "" {
		// what Codex asks about may be a call outside of its sandbox
		own := strings.Replace(c.rules, `"allow": [`, `"allow": ["Sandbox(escape)", `, 1)
		out["own"] = map[string]string{settings: `{"permissions":` + own + `}`}
	}
	return out
}

// said is what every host must agree on.
type said struct {
	decision          hookio.Decision
	step, rule, check string
}

// judge sends a payload through the flow of the hook.
func judge(payload string, o hookio.Options, files map[string]string) (*decide.Input, decide.Verdict, error) {
	call, err := hookio.Read(strings.NewReader(payload), o)
	if err != nil {
		return nil, decide.Verdict{}, err
	}
	s := Setup{Cwd: "/work/project", Home: "/home/dev", Settings: files}
	c := gate.Case(call, &gate.Flags{Host: o.Host, Event: o.Event, State: "/state"}, s.world())
	return c, decide.Decide(c), nil
}

func saidBy(v decide.Verdict) said {
	s := said{decision: v.Decision(), step: v.Step()}
	if v.Why().Rule != nil {
		s.rule = v.Why().Rule.Pos.String() + " " + v.Why().Rule.Text
	}
	if v.Why().Check != nil {
		s.check = v.Why().Check.ID
	}
	return s
}

//go:generate go test . -run "^Test(SameCalls|SilentAttacks)$" -update

// TestSameCalls decides two hundred calls through every form of every host that
// can express them: decision, step and rule are the same, and what the host
// reads out of the line is the answer, or what docs/hosts.md says becomes of it.
// What a host cannot express is listed, with the reason, in
// testdata/hosts/gaps.tsv, and the test fails when that list is no longer true.
func TestSameCalls(t *testing.T) {
	gaps := map[string]int{}
	calls := canonCalls(t)
	every := testenv.Every(t, 5, 1, 1) // a sample takes each call in some of the forms
	for i := range calls {
		call := &calls[i]
		if call.id == "" {
			call.id = fmt.Sprintf("hand-%02d", i+1)
		}
		for policy, files := range canonPolicies(call) {
			want := map[string]said{}
			for _, base := range []string{"claude", "generic"} {
				for _, f := range []*form{formOf(base), formOf(base).modeless()} {
					_, v, err := judge(spell(f, call), hookio.Options{Host: base}, files)
					if err != nil {
						t.Fatalf("%s: %v", call.id, err)
					}
					want[f.name] = saidBy(v)
				}
			}
			for fi := range forms {
				f := &forms[fi]
				if why := f.gap(call); why != "" {
					if policy == "bare" {
						gaps[f.name+"\t"+why]++
					}
					continue
				}
				if (i+fi)%every > 0 {
					continue
				}
				payload, o := spell(f, call), hookio.Options{Host: f.host, Event: f.event(call)}
				c, v, err := judge(payload, o, files)
				if err != nil {
					t.Errorf("%s %s: %v\n%s", f.name, call.id, err, payload)
					continue
				}
				base := "generic"
				passes := func(h *hookio.Host) bool { return policy == "plan" && slices.Contains(h.PlanPasses, c.Call.Tool) }
				planned := passes(hookio.Lookup("generic")) && !passes(c.Call.Host)
				if c.Call.Host.SubagentsPrompt || planned { // an ask of a subagent can be asked
					base = "claude"
				}
				if f.modes == nil { // the mode of the settings holds
					base += modeless
				}
				if got := saidBy(v); got != want[base] {
					t.Errorf("%s, %s, %s: got %v, want %v: %s\n%s", f.name, call.id, policy, got, want[base], v.Reason(), payload)
				}
				a := v.Answer()
				line := string(hookio.Write(nil, c.Call, a))
				got, meant := f.reads(line, o.Event), f.means(a.Decision, c.Call)
				if got != meant {
					t.Errorf("%s, %s, %s: the answer %s is read as %q, want %q: %s", f.name, call.id, policy, a.Decision, got, meant, line)
				}
				if a.Decision == hookio.Ask && got == "deny" && !strings.Contains(line, "cannot ask") {
					t.Errorf("%s, %s: a deny in the place of an ask does not say so: %s", f.name, call.id, line)
				}
				if a.Decision == hookio.Deny && got != "deny" || a.Decision == hookio.Ask && got == "allow" {
					t.Errorf("%s, %s: the host is laxer than the answer %s: %s", f.name, call.id, a.Decision, line)
				}
			}
		}
	}
	checkGaps(t, gaps)
}

// checkGaps compares what could not be expressed with the list.
func checkGaps(t *testing.T, gaps map[string]int) {
	lines := make([]string, 0, len(gaps))
	for k, n := range gaps {
		lines = append(lines, fmt.Sprintf("%s\t%d\n", k, n))
	}
	sort.Strings(lines)
	got := "form\twhat it cannot say\tcalls of 200\n" + strings.Join(lines, "")
	name := filepath.Join("..", "..", "..", "testdata", "hosts", "gaps.tsv")
	golden.File(t, name, got)
}

// TestFormsComplete finds every host among the forms, and in the forms
// everything the host's tables know: a gap that could be closed is an error.
func TestFormsComplete(t *testing.T) {
	tools, modes := map[string]map[string]bool{}, map[string]map[string]bool{}
	for i := range forms {
		f := &forms[i]
		if tools[f.host] == nil {
			tools[f.host], modes[f.host] = map[string]bool{}, map[string]bool{}
		}
		for canon := range f.tools {
			tools[f.host][canon] = true
		}
		for canon := range f.modes {
			modes[f.host][canon] = true
		}
	}
	asked := map[string]bool{}
	for _, c := range handCalls {
		asked[c.tool] = true
		asked["mode "+c.mode] = true
	}
	for _, h := range hookio.Hosts() {
		if tools[h.Name] == nil {
			t.Errorf("%s: no form speaks like it", h.Name)
			continue
		}
		for _, p := range h.Tools {
			if asked[p.To] && !tools[h.Name][p.To] {
				t.Errorf("%s has %s for %s, but no form says it", h.Name, p.From, p.To)
			}
		}
		for _, p := range h.Modes {
			if asked["mode "+p.To] && !modes[h.Name][p.To] {
				t.Errorf("%s has mode %s for %s, but no form says it", h.Name, p.From, p.To)
			}
		}
	}
}

// silentFile lists the labelled attacks to which permgate, installed for Claude
// Code, is silent: the id, and what the host then does by itself.
var silentFile = filepath.Join("..", "..", "..", "testdata", "corpus", "silent.tsv")

// TestSilentAttacks answers every labelled attack as installed for Claude Code,
// with the settings of its row as the user's. None is allowed that is to be
// stopped; those that are left to the host are listed with the host's own answer
// (its model, see claude_model_test.go), so that a new one is looked at. Those
// that run there are about the grammar of rules, and what they run only reads
// (id, ls, git log).
func TestSilentAttacks(t *testing.T) {
	posture := installedPosture(t)
	text := "id\tthe host\n"
	for _, rows := range [][]corpusRow{corpus(t, "attacks_dev.tsv"), ownCorpus(t, "attacks.tsv")} {
		for _, r := range rows {
			if r.expect == "allow" || r.expect == "not-deny" {
				continue
			}
			settings := `{"permissions":` + r.settings + `}`
			h := claudeHost{cwd: "/work/project", project: "/work/project", home: "/home/dev", readsOnly: onlyReads}
			if err := h.settings(settings); err != nil {
				continue // the host does not read these settings
			}
			s := Setup{Tool: strings.Trim(r.tool, `"`), Input: json.RawMessage(r.input), Mode: h.mode, Host: "claude", Named: true,
				Settings: map[string]string{"/home/dev/.claude/settings.json": settings, "/home/dev/.claude/permgate.json": posture}}
			_, v, err := Call(s)
			if err != nil {
				continue // exit 2 blocks
			}
			switch v.Answer().Decision {
			case hookio.Allow:
				if harmless[r.id] == "" {
					t.Errorf("%s is allowed: %s %.300s with %s: %s", r.id, r.tool, r.input, r.settings, v.Reason())
				}
			case hookio.Pass:
				host, why := h.call(s.Tool, s.Input)
				text += r.id + "\t" + [...]string{"runs", "prompts: ", "denies: "}[host] + why + "\n"
			}
		}
	}
	golden.File(t, silentFile, text)
	t.Logf("%d attacks are left to the host", strings.Count(text, "\n")-1)
}

//go:generate go test . -run ^TestAskAnswers$ -update

// askCalls are questions of every kind: a rule's, one that no rule lifts, a place outside, a secret, a call no rule names.
var askCalls = [...]canonCall{
	{tool: "Bash", input: `{"command":"git push --force origin main"}`},
	{tool: "Bash", input: `{"command":"git push origin main"}`},
	{tool: "Bash", input: `{"command":"touch /home/dev/notes/x.txt"}`},
	{tool: "Bash", input: `{"command":"npm test"}`},
	{tool: "Write", input: `{"file_path":"/work/project/.envrc","content":"x"}`},
	{tool: "Edit", input: `{"file_path":"/work/other/a.go","old_string":"a","new_string":"b"}`},
	{tool: "Read", input: `{"file_path":"/home/dev/.ssh/id_ed25519"}`},
	{tool: "WebFetch", input: `{"url":"https://example.org/","prompt":"summary"}`},
	{tool: "mcp__fs__write", input: `{"path":"a","text":"x"}`},
}

// TestAskAnswers holds testdata/hosts/NAME/ask.txt: what a program is told that cannot ask, where permgate would ask.
// The person and the model read the sentence in it.
func TestAskAnswers(t *testing.T) {
	texts := map[string]string{}
	for i := range forms {
		f := &forms[i]
		for j := range askCalls {
			call := &askCalls[j]
			if f.gap(call) != "" || hookio.Lookup(f.host) == nil || f.event(call) == "PermissionRequest" {
				continue
			}
			files := map[string]string{"/home/dev/.gen/settings.json": `{"permissions":{"ask":["Bash(git push:*)","WebFetch(domain:example.org)","mcp__fs__write"]}}`}
			if hookio.Lookup(f.host).Register != nil {
				files["/home/dev/.gen/permgate.json"] = postureOf(t, f.host)
			}
			c, v, err := judge(spell(f, call), hookio.Options{Host: f.host, Event: f.event(call)}, files)
			if err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			a := v.Answer()
			if told := hookio.Told(c.Call, a); a.Decision != hookio.Ask || told == hookio.Ask {
				continue
			}
			line := strings.TrimSpace(string(hookio.Write(nil, c.Call, a)))
			if line == "" {
				line = "(nothing: " + c.Call.Host.Title + " asks by its own rules, without this reason)\n# " + v.Reason()
			}
			texts[f.host] += "# " + c.Call.RawTool + " " + c.Call.Input.Raw + "\n" + line + "\n"
		}
	}
	for host, text := range texts {
		golden.File(t, filepath.Join("..", "..", "..", "testdata", "hosts", host, "ask.txt"), text)
	}
	for _, h := range hookio.Hosts() {
		told := hookio.Told(&hookio.Call{Host: h, Event: hookio.PreToolUse, Tool: "Edit"}, hookio.Answer{Decision: hookio.Ask})
		if told != hookio.Ask && texts[h.Name] == "" {
			t.Errorf("%s makes %s of an ask, and no file shows it", h.Name, told)
		}
	}
}
