package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// sanMarks are what San's engine sends with every call; the mode follows.
const sanMarks = `"transcript_path":"/home/dev/.san/projects/x/s1.jsonl","hook_event_name":"PreToolUse","permission_mode":`

// TestSanCalls: what San sends, could send or never should, to its hook as install registers it, under rules of its own.
func TestSanCalls(t *testing.T) {
	files := m("/home/dev/.san/settings.json", `{"permissions":{"allow":["Bash(go vet:*)","Bash(make)","Edit","Write","Agent(explore)","MCP(mcp__notes__*)"],
			"ask":["Bash(go test:*)"],"deny":["Bash(sudo *)","Agent(rogue)","MCP(mcp__secret__*)"]}}`,
		"/home/dev/.san/permgate.json", `{"hosts":{"san":{"catastrophic":"deny","destructive":"practical","secrets":"ask","onUnmatched":"defer"}}}`,
		"/work/project/.san/agents/reviewer.md", "---\nname: reviewer\nallow_tools: [Read]\n---\n")
	table := []sentence{
		{name: "allow", payload: as(bash("go vet ./..."), sanMarks+`"default"`), want: allow},
		{name: "ask", payload: as(bash("go test ./..."), sanMarks+`"default"`), want: ask},
		{name: "deny", payload: as(bash("sudo make"), sanMarks+`"default"`), want: deny},
		{name: "silence", payload: as(bash("npm ci"), sanMarks+`"default"`), want: pass},
		{name: "no id", payload: as(bash("go vet ./..."), sanMarks+`"default"`, `"tool_use_id":""`), want: allow},

		// a map without members is left out of the payload
		{name: "no input, safe", payload: as(`"tool_name":"TaskList"`, sanMarks+`"default"`), want: pass},
		{name: "no input, mcp", payload: as(`"tool_name":"mcp__notes__list"`, sanMarks+`"default"`), want: allow},
		{name: "no input, mcp denied", payload: as(`"tool_name":"mcp__secret__list"`, sanMarks+`"default"`), want: deny},
		{name: "no input, unknown", payload: as(`"tool_name":"Evolve"`, sanMarks+`"default"`), want: pass},
		{name: "no input, shell", payload: as(`"tool_name":"Bash"`, sanMarks+`"bypassPermissions"`), want: ask, reason: "malformed"},
		{name: "no input, edit", payload: as(`"tool_name":"Edit"`, sanMarks+`"auto"`), want: ask, reason: "malformed"},
		{name: "null input", payload: as(tool("mcp__notes__list", `null`), sanMarks+`"default"`), want: ask, reason: "malformed"},
		{name: "input of text", payload: as(tool("Bash", `"go vet ./..."`), sanMarks+`"default"`), want: ask, reason: "malformed"},
		{name: "command of a number", payload: as(tool("Bash", `{"command":5}`), sanMarks+`"default"`), want: ask, reason: "malformed"},
		{name: "command twice", payload: as(tool("Bash", `{"command":"go vet","command":"sudo make"}`), sanMarks+`"default"`), want: ask, reason: "malformed"},
		{name: "tool twice", payload: as(bash("go vet ./..."), sanMarks+`"default"`, `"tool_name":"Read"`), want: ask, reason: "malformed"},
		{name: "broken text", payload: as(bash("go vet \ufffd"), sanMarks+`"default"`), want: ask, reason: "malformed"},

		// subagents: a name, or an id, restricts
		{name: "agent's list", payload: as(bash("go vet ./..."), sanMarks+`"default"`, `"agent_name":"reviewer"`), want: deny, reason: "allow_tools"},
		{name: "agent's ask", payload: as(bash("go test ./..."), sanMarks+`"default"`, `"agent_name":"other"`), want: deny},
		{name: "agent has no grants", payload: as(bash("go vet ./..."), sanMarks+`"default"`, `"agent_name":"other"`), want: pass},
		{name: "agent by id", payload: as(bash("go test ./..."), sanMarks+`"bypassPermissions"`, `"agent_id":"a1"`), want: deny},
		{name: "agent of a number", payload: as(bash("go vet ./..."), sanMarks+`"default"`, `"agent_name":5`), want: deny, reason: "malformed"},

		// the agent it starts is named by name
		{name: "agent denied", payload: as(tool("Agent", `{"name":"rogue","prompt":"p","description":"d"}`), sanMarks+`"bypassPermissions"`), want: deny},
		{name: "agent of a name that may be a label", payload: as(tool("Agent", `{"name":"explore","prompt":"p","description":"d"}`), sanMarks+`"default"`), want: pass},
		{name: "agent by two names", payload: as(tool("Agent", `{"name":"worker","subagent_type":"explore","prompt":"p"}`), sanMarks+`"default"`), want: ask, reason: "malformed"},
		{name: "agent denied by the older key", payload: as(tool("Agent", `{"subagent_type":"rogue","prompt":"p"}`), sanMarks+`"default"`), want: deny},
		{name: "agent denied by one of both", payload: as(tool("Agent", `{"name":"explore","subagent_type":"rogue","prompt":"p"}`), sanMarks+`"default"`), want: ask, reason: "malformed"},
		{name: "agent without a name", payload: as(tool("Agent", `{"prompt":"p"}`), sanMarks+`"default"`), want: pass},

		// modes
		{name: "autoPilot asks", payload: as(bash("go test ./..."), sanMarks+`"autoPilot"`), want: ask},
		{name: "autoPilot allows nothing", payload: as(bash("npm ci"), sanMarks+`"autoPilot"`), want: pass},
		{name: "autoPilot destroys", payload: as(bash("rm -rf /"), sanMarks+`"autoPilot"`), want: deny},
		{name: "bypass destroys", payload: as(bash("git push --force"), sanMarks+`"bypassPermissions"`), want: ask},
		{name: "read-only", payload: as(bash("npm ci"), sanMarks+`"readOnly"`), want: pass},
		{name: "edit outside", payload: as(tool("Edit", `{"path":"/srv/a","edits":[{"oldText":"a","newText":"b"}]}`), sanMarks+`"auto"`), want: ask},
		{name: "edit of both keys", payload: as(tool("Edit", `{"path":"a","file_path":"/srv/a","edits":[]}`), sanMarks+`"auto"`), want: ask},
		{name: "its own settings", payload: as(tool("Edit", `{"path":"/home/dev/.san/settings.json","edits":[]}`), sanMarks+`"auto"`), want: ask},
		{name: "its own hooks by shell", payload: as(bash("cp x .san/settings.local.json"), sanMarks+`"bypassPermissions"`), want: ask},
	}
	for i := range table {
		table[i].files, table[i].flags = files, gate.Flags{Host: "san", Event: "PreToolUse"}
	}
	table = append(table, sentence{name: "every agent allowed", payload: as(tool("Agent", `{"name":"explore","prompt":"p"}`), sanMarks+`"default"`),
		files: m("/home/dev/.san/settings.json", `{"permissions":{"allow":["Agent"]}}`), flags: gate.Flags{Host: "san"}, want: allow})
	runSentences(t, table)
}

// TestSanForeign: what another program sends to San's hook is refused, silent or malformed, or the same call to both.
func TestSanForeign(t *testing.T) {
	for _, h := range hookio.Hosts() {
		for _, x := range h.Examples() {
			call, err := hookio.Read(strings.NewReader(x.In), hookio.Options{Host: "san", Event: "PreToolUse"})
			if err != nil || !call.Event.Decides() || call.Malformed != "" || !rules.KnownTool(call.Tool) { // which asks
				continue
			}
			own, err := hookio.Read(strings.NewReader(x.In), hookio.Options{Host: h.Name, Event: string(x.Event)})
			if err != nil || call.Tool != own.Tool || call.Command != own.Command || !slices.Equal(call.Args, own.Args) {
				t.Errorf("%s, %s: San's hook takes it for %s %s %v", h.Name, x.Name, call.Tool, call.Command, call.Args)
			}
		}
	}
}
