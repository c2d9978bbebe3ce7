package gate_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// only are the flags with a whitelist of tools.
func only(lists ...string) gate.Flags { return gate.Flags{Tools: lists} }

// TestWhitelist: what --tools does not name is denied in every mode, and what it names is decided as ever.
func TestWhitelist(t *testing.T) {
	allowed := m(user, `{"permissions":{"allow":["Bash","Read","Grep","mcp__db"]}}`)
	read := tool("Read", `{"file_path":"a"}`)
	bypass := func(f gate.Flags) gate.Flags {
		f.Mode, f.AllowBypass = "bypassPermissions", true
		return f
	}
	cases := []sentence{
		{name: "named", payload: bash("make"), files: allowed, flags: only("Bash"), want: allow},
		{name: "named, and no grant", payload: bash("make"), flags: only("Bash"), want: ask},
		{name: "not named", payload: bash("make"), files: allowed, flags: only("Read,Edit"), want: deny, reason: "tool Bash is not in --tools"},
		{name: "a safe tool", payload: read, flags: only("Bash"), want: deny},
		{name: "a safe tool that is named", payload: read, flags: only("Bash Read"), want: allow},
		{name: "the very name", payload: tool("Grep", `{"pattern":"x"}`), files: allowed, flags: only("Read"), want: deny},
		{name: "an edit is no write", payload: tool("Write", `{"file_path":"a","content":""}`), flags: bypass(only("Edit")), want: deny},
		{name: "the empty list", payload: read, flags: only(""), want: deny},
		{name: "a list of nothing that is a rule", payload: read, flags: only("("), want: deny},
		{name: "several lists", payload: read, flags: only("Bash", "Read"), want: allow},
		{name: "bypass", payload: bash("make"), flags: bypass(only("Read")), want: deny},
		{name: "bypass, named", payload: bash("make"), flags: bypass(only("Bash")), want: allow},
		{name: "a pattern", payload: bash("git status"), files: allowed, flags: only("Bash(git:*)"), want: allow},
		{name: "a pattern, and another command", payload: bash("git status && make"), files: allowed, flags: only("Bash(git:*)"), want: deny, reason: "`make`"},
		{name: "a pattern that is narrowed", payload: bash("git -c core.pager=./x log"), files: allowed, flags: only("Bash(git:*)"), want: deny},
		{name: "a pattern under bypass", payload: bash("make"), flags: bypass(only("Bash(git:*)")), want: deny},
		{name: "a path", payload: tool("Read", `{"file_path":"b/a"}`), files: allowed, flags: only("Read(src/**)"), want: deny},
		{name: "a path inside", payload: tool("Read", `{"file_path":"src/a"}`), files: allowed, flags: only("Read(src/**)"), want: allow},
		{name: "a question", payload: tool("AskUserQuestion", `{"questions":[]}`), flags: only("Bash"), want: deny},
		{name: "a server", payload: tool("mcp__db__query", `{}`), files: allowed, flags: only("mcp__db"), want: allow},
		{name: "a pattern of servers", payload: tool("mcp__db__query", `{}`), files: allowed, flags: only("MCP(mcp__d*)"), want: allow},
		{name: "another server", payload: tool("mcp__web__query", `{}`), files: allowed, flags: only("mcp__db"), want: deny},
		{name: "a deny rule", payload: bash("make"), files: m(user, `{"permissions":{"deny":["Bash(make:*)"]}}`), flags: only("Bash"), want: deny, reason: "deny rule"},
		{name: "an ask of step 2", payload: bash("rm -rf x"), files: allowed, flags: only("Bash"), want: ask},
		{name: "a subagent", payload: as(read, `"agent_id":"a1"`), flags: only("Bash"), want: deny},
		{name: "a malformed call", payload: tool("Bash", `{"command":1}`), flags: only("Read"), want: deny},
		{name: "all servers", payload: tool("mcp__db__query", `{}`), files: allowed, flags: only("mcp__*"), want: allow},
		{name: "no server", payload: bash("make"), files: allowed, flags: only("mcp__*"), want: deny},
		{name: "all tools", payload: bash("make"), files: allowed, flags: only("*"), want: allow},
	}
	runSentences(t, cases)
	file := strings.Replace(user, "settings.json", "permgate.json", 1)
	for i := range cases { // the same list in a file, and what is allowed under both
		c := &cases[i]
		c.files = maps.Clone(c.files)
		if c.files == nil {
			c.files = map[string]string{}
		}
		names := strings.FieldsFunc(strings.Join(c.flags.Tools, " "), func(r rune) bool { return r == ' ' || r == ',' })
		list, _ := json.Marshal(append([]string{}, names...))
		c.files[file] = `{"tools": ` + string(list) + `}`
		c.name, c.reason = "in a file: "+c.name, strings.Replace(c.reason, "--tools", "tools ("+file, 1)
		c.flags.Tools = nil
	}
	runSentences(t, append(cases,
		sentence{name: "a file and the flag", payload: bash("make"), files: m(file, `{"tools": ["Bash", "Read"]}`), flags: bypass(only("Bash")), want: allow},
		sentence{name: "a file against the flag", payload: bash("make"), files: m(file, `{"tools": ["Read"]}`), flags: bypass(only("Bash")), want: deny},
		sentence{name: "no list", payload: read, files: m(file, `{"tools": true}`), flags: bypass(gate.Flags{}), want: deny},
		sentence{name: "a managed list in observe mode", payload: read, files: m("/etc/gen/permgate.json", `{"tools": ["Bash"]}`, file, `{"enforce": false}`), want: deny},
	))
}

// TestRestrictionsTighten: neither a whitelist nor a deny rule about a field makes an answer laxer.
func TestRestrictionsTighten(t *testing.T) {
	calls := []string{
		bash("git status"), bash("git status; rm -rf x"), bash(`git $x`), bash("cat /etc/passwd >a"), bash(`echo "`),
		tool("Bash", `{"command":1}`), tool("Read", `{"file_path":"a"}`), tool("Edit", `{"file_path":".git/config","old_string":"a","new_string":"b"}`),
		tool("Write", `{"file_path":"/opt/x","content":""}`), tool("Grep", `{"pattern":"x","path":"src"}`), tool("WebFetch", `{"url":"https://x.io/a","prompt":"p"}`),
		tool("Agent", `{"prompt":"x"}`), tool("Agent", `{"subagent_type":"Explore","prompt":"x"}`), tool("Skill", `{"skill":"x"}`),
		tool("mcp__db__query", `{"sql":"drop"}`), tool("ExitPlanMode", `{}`), tool("AskUserQuestion", `{"questions":[]}`),
	}
	restrictions := []gate.Flags{
		only(""), only("Bash"), only("Bash(git:*)"), only("Bash(git status)", "Read(src/**)"), only("mcp__db,Agent,Skill,Edit,Write"), only("Read Grep WebFetch"),
		{Denied: []string{"Bash(command:git *)"}}, {Denied: []string{"Bash(command:*rm*)"}}, {Denied: []string{"Read(file_path:*)"}},
		{Denied: []string{"WebFetch(url:https://x.io/*)"}}, {Denied: []string{"Agent(subagent_type:Explore)"}}, {Denied: []string{"Agent(subagent_type:general-purpose)"}},
		{Denied: []string{"Skill(skill:*)"}}, {Denied: []string{"mcp__db__query(sql:drop*)"}}, {Denied: []string{"Grep(path:*)"}}, {Denied: []string{"Edit(file_path:*/config)"}},
	}
	files := m(user, `{"permissions":{"allow":["Bash(git:*)","mcp__db","Agent","Edit"],"additionalDirectories":["/opt"]}}`)
	tightened, every := 0, testenv.Every(t, 5, 1, 1) // a sample takes each call in each mode under some restrictions
	for _, mode := range []string{"default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"} {
		for k, payload := range calls {
			decided := func(f gate.Flags) decide.Verdict {
				f.Mode, f.AllowBypass = mode, true
				s := sentence{name: mode, payload: payload, files: files, flags: f}
				_, v, _ := s.answer(t)
				return v
			}
			free := decided(gate.Flags{})
			for i, f := range restrictions {
				if (i+k)%every > 0 {
					continue
				}
				v := decided(f)
				if v.Decision() < free.Decision() || v.Decision() == hookio.Pass {
					t.Errorf("%s: %s: %v, and without --tools %q --disallowedTools %q %v", mode, payload, v.Decision(), f.Tools, f.Denied, free.Decision())
				}
				if v.Decision() > free.Decision() {
					tightened++
				}
			}
		}
	}
	if tightened < 300/every {
		t.Errorf("%d answers are stricter", tightened)
	}
}

// TestPlanPasses: with Gen's kind of host mode plan lets a plan or an agent begin, and nothing that picks another mode.
func TestPlanPasses(t *testing.T) {
	plan := gate.Flags{Mode: "plan"}
	gen, claude := plan, plan
	gen.Host, claude.Host = "gen", "claude"
	agent := tool("Agent", `{"subagent_type":"Explore","prompt":"p","model":"haiku"}`)
	denied := m(user, `{"permissions":{"deny":["Agent(Explore)"]}}`)
	runSentences(t, []sentence{
		{name: "agent", payload: agent, flags: plan, want: allow},
		{name: "agent by its old name", payload: tool("Task", `{"subagent_type":"x","prompt":"p"}`), flags: gen, want: allow},
		{name: "enter", payload: tool("EnterPlanMode", `{}`), flags: gen, want: allow},
		{name: "leave: the user is asked", payload: tool("ExitPlanMode", `{"plan":"p"}`), flags: gen, want: pass},
		{name: "agent in another mode", payload: tool("Agent", `{"subagent_type":"x","prompt":"p","mode":"bypassPermissions"}`), flags: plan, want: deny},
		{name: "agent in another mode, spelled otherwise", payload: tool("Agent", `{"subagent_type":"x","prompt":"p","permissionMode":"auto"}`), flags: plan, want: deny},
		{name: "denied", payload: agent, files: denied, flags: plan, want: deny, reason: "deny rule"},
		{name: "not in the whitelist", payload: agent, flags: gate.Flags{Mode: "plan", Tools: []string{"Read"}}, want: deny},
		{name: "another host", payload: agent, flags: claude, want: deny},
		{name: "an agent's agent", payload: as(agent, `"agent_id":"a1"`), flags: plan, want: deny},
		{name: "explore", payload: agent, flags: gate.Flags{Mode: "explore"}, want: deny},
		{name: "what the agent does", payload: as(bash("make"), `"agent_id":"a1"`), flags: plan, want: deny},
	})
}
