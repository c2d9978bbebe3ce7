package gate_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate"
)

// claudeRules is Claude Code's own file of the user, which the program reads as well.
const claudeRules = "/home/dev/.claude/settings.json"

// recommended is the posture as installed, as far as it matters here.
const recommended = `{"onUnmatched":"defer"}`

// escaping is a shell call of Claude Code with one more field.
func escaping(command, field string) string {
	return `"hook_event_name":"PreToolUse","transcript_path":"/home/dev/.claude/projects/p/s.jsonl","permission_mode":"default",` +
		`"tool_name":"Bash","tool_input":{"command":` + strconv.Quote(command) + `,` + field + `}`
}

// ofCodex is a shell call of Codex, ofCursor one of Cursor.
func ofCodex(event, field string) string {
	return `"hook_event_name":"` + event + `","turn_id":"t-1","permission_mode":"default",` +
		`"tool_name":"exec_command","tool_input":{"cmd":"npm test",` + field + `}`
}

func ofCursor(fields string) string {
	return `"hook_event_name":"beforeShellExecution","cursor_version":"3.4.0","conversation_id":"c","generation_id":"g",` +
		`"workspace_roots":["/work/project"],"command":"npm test"` + fields
}

// TestSandbox: a call that asks to leave the program's sandbox is one effect more, Sandbox(escape).
func TestSandbox(t *testing.T) {
	const (
		off   = `"dangerouslyDisableSandbox":true`
		one   = `{"permissions":{"allow":["Bash(npm test)"]}}`
		both  = `{"permissions":{"allow":["Bash(npm test)","Sandbox(escape)"]}}`
		tells = "leaving the sandbox"
	)
	with := func(more, list string) string {
		return `{"permissions":{"allow":["Bash(npm test)","Sandbox(escape)"],"` + list + `":["` + more + `"]}}`
	}
	claude, codex, cursor := gate.Flags{Host: "claude"}, gate.Flags{Host: "codex"}, gate.Flags{Host: "cursor"}
	defers := func(rules string) map[string]string {
		return m(claudeRules, rules, "/home/dev/.claude/permgate.json", recommended)
	}
	runSentences(t, []sentence{
		{name: "claude: the command's rule alone", payload: escaping("npm test", off), flags: claude, files: m(user, one), want: ask, reason: tells},
		{name: "claude: both rules", payload: escaping("npm test", off), flags: claude, files: m(user, both), want: allow, reason: ""},
		{name: "claude: false stays inside", payload: escaping("npm test", `"dangerouslyDisableSandbox":false`), flags: claude, files: m(user, one), want: allow},
		{name: "claude: an unknown value", payload: escaping("npm test", `"dangerouslyDisableSandbox":"no"`), flags: claude, files: m(user, one), want: ask, reason: tells},
		{name: "claude: null", payload: escaping("npm test", `"dangerouslyDisableSandbox":null`), flags: claude, files: m(user, one), want: ask, reason: tells},
		{name: "claude: another spelling", payload: escaping("npm test", `"dangerously_disable_sandbox":true`), flags: claude, files: m(user, one), want: ask, reason: tells},
		{name: "claude: deny Sandbox(escape)", payload: escaping("npm test", off), flags: claude, files: m(user, with("Sandbox(escape)", "deny")), want: deny, reason: tells},
		{name: "claude: deny Sandbox", payload: escaping("npm test", off), flags: claude, files: m(user, with("Sandbox", "deny")), want: deny, reason: tells},
		{name: "claude: ask", payload: escaping("npm test", off), flags: claude, files: m(user, with("Sandbox(escape)", "ask")), want: ask, reason: tells},
		{name: "claude: deny without an escape", payload: escaping("npm test", `"timeout":1`), flags: claude, files: m(user, with("Sandbox(escape)", "deny")), want: allow},
		{name: "claude: bare Bash", payload: escaping("npm test", off), flags: claude, files: m(user, `{"permissions":{"allow":["Bash"]}}`), want: ask, reason: tells},
		{name: "claude: only Sandbox(escape)", payload: escaping("npm test", off), flags: claude, files: m(user, `{"permissions":{"allow":["Sandbox(escape)"]}}`), want: ask, reason: "npm test"},
		{name: "claude: bypass", payload: escaping("npm test", off), files: m(user, one), flags: gate.Flags{Host: "claude", Mode: "bypassPermissions", AllowBypass: true}, want: allow},
		{name: "claude: bypass and deny", payload: escaping("npm test", off), files: m(user, with("Sandbox(escape)", "deny")), flags: gate.Flags{Host: "claude", Mode: "bypassPermissions", AllowBypass: true}, want: deny},
		{name: "claude: auto proves nothing outside", payload: escaping("ls", off), flags: gate.Flags{Host: "generic", Mode: "auto"}, want: ask, reason: "leaves the sandbox"},
		{name: "claude: only reads", payload: escaping("ls", off), flags: gate.Flags{Host: "generic"}, files: m("/home/dev/.gen/permgate.json", `{"readOnlyCommands":"allow"}`), want: ask, reason: "leaves the sandbox"},
		{name: "claude: dontAsk", payload: escaping("npm test", off), flags: gate.Flags{Host: "claude", Mode: "dontAsk"}, files: m(user, one), want: deny, reason: tells},
		{name: "claude, defer: the program would read the rule as enough", payload: escaping("npm test", off), flags: claude, files: defers(one), want: ask, reason: tells},
		{name: "claude, defer: no rule speaks", payload: escaping("npm test", off), flags: claude, files: defers(`{}`), want: pass},
		{name: "claude, defer: both", payload: escaping("npm test", off), flags: claude, files: defers(both), want: allow},
		{name: "codex: require_escalated", payload: ofCodex("PermissionRequest", `"sandbox_permissions":"require_escalated"`), flags: codex, files: m(user, one), want: pass},
		{name: "codex: denied before", payload: ofCodex("PreToolUse", `"sandbox_permissions":"require_escalated"`), flags: codex, files: m(user, one), want: ask, reason: tells},
		{name: "codex: use_default", payload: ofCodex("PreToolUse", `"sandbox_permissions":"use_default"`), flags: codex, files: m(user, one), want: allow},
		{name: "codex: some permissions more", payload: ofCodex("PreToolUse", `"sandbox_permissions":"with_additional_permissions"`), flags: codex, files: m(user, one), want: ask, reason: tells},
		{name: "codex: an older release", payload: ofCodex("PreToolUse", `"with_escalated_permissions":true`), flags: codex, files: m(user, one), want: ask, reason: tells},
		{name: "codex: both rules", payload: ofCodex("PermissionRequest", `"with_escalated_permissions":true`), flags: codex, files: m(user, both), want: allow},
		{name: "cursor: outside", payload: ofCursor(`,"sandbox":false`), flags: cursor, files: m(user, one), want: ask, reason: tells},
		{name: "cursor: inside", payload: ofCursor(`,"sandbox":true`), flags: cursor, files: m(user, one), want: allow},
		{name: "cursor: an unknown value", payload: ofCursor(`,"sandbox":"loose"`), flags: cursor, files: m(user, one), want: ask, reason: tells},
		{name: "cursor: both rules", payload: ofCursor(`,"sandbox":false`), flags: cursor, files: m(user, both), want: allow},
		{name: "another program", payload: escaping("npm test", `"with_escalated_permissions":true`), flags: gate.Flags{Host: "generic"}, files: m(user, one), want: ask, reason: tells},
		{name: "no command", payload: tool("Read", `{"file_path":"a","sandbox":false}`), flags: gate.Flags{Host: "generic"}, files: m(user, with("Sandbox", "deny")), want: allow},
		{name: "malformed", payload: `"tool_name":"Bash","tool_input":{"command":"npm test","dangerouslyDisableSandbox":true,"dangerouslyDisableSandbox":false}`, files: m(user, with("Sandbox(escape)", "deny")), want: deny},
		{name: "an agent's list", payload: as(escaping("npm test", off), `"agent_id":"a1","agent_type":"worker"`), files: m("/home/dev/.gen/agents/worker.md", "---\nname: worker\nallow_tools: [\"Bash(npm test)\"]\n---\n"), want: deny, reason: tells},
	})
}

// TestSandboxModes: what each host's call to leave the sandbox comes to in the six modes, with a rule for the command
// alone, with both, and for a command that only reads.
func TestSandboxModes(t *testing.T) {
	const (
		modes = "default acceptEdits plan dontAsk bypassPermissions auto"
		one   = `"Bash(npm test)"`
		both  = `"Bash(npm test)","Sandbox(escape)"`
		off   = `"dangerouslyDisableSandbox":true`
		asked = `"description":"outside the sandbox"`
	)
	claude := `"hook_event_name":"PreToolUse","transcript_path":"/home/dev/.claude/projects/p/s.jsonl","tool_name":"Bash","tool_input":{"command":%c,` + off + `}`
	codex := `"hook_event_name":"PermissionRequest","turn_id":"t-1","tool_name":"Bash","tool_input":{"command":%c,` + asked + `}`
	before := `"hook_event_name":"PreToolUse","turn_id":"t-1","tool_name":"Bash","tool_input":{"command":%c,"sandbox_permissions":"require_escalated"}`
	cursor := `"hook_event_name":"beforeShellExecution","cursor_version":"3.4.0","conversation_id":"c","generation_id":"g",` +
		`"workspace_roots":["/work/project"],"command":%c,"sandbox":false`
	counts := 0
	for _, row := range []struct{ host, payload, command, allow, want string }{
		{"claude", claude, "npm test", one, "ask ask deny deny allow ask"},
		{"claude", claude, "npm test", both, "allow allow allow allow allow allow"},
		{"claude", claude, "ls", one, "ask ask deny deny allow ask"},
		{"codex", codex, "npm test", one, "pass pass deny deny allow pass"},
		{"codex", codex, "npm test", both, "allow allow allow allow allow allow"},
		{"codex", codex, "ls", one, "pass pass pass deny allow pass"},
		{"codex", codex, "touch x", one, "pass pass deny deny allow pass"},
		{"codex", codex, "cat .env", one, "pass pass deny deny allow pass"},
		{"codex", before, "ls", one, "ask ask deny deny allow ask"},
		{"cursor", cursor, "npm test", one, "ask ask deny deny allow ask"},
		{"cursor", cursor, "npm test", both, "allow allow allow allow allow allow"},
		{"cursor", cursor, "ls", one, "ask ask deny deny allow ask"},
	} {
		var got []string
		for _, mode := range strings.Fields(modes) {
			payload := strings.ReplaceAll(row.payload, "%c", strconv.Quote(row.command)) + `,"permission_mode":"` + mode + `"`
			s := sentence{name: row.host + " " + mode, payload: payload, flags: gate.Flags{Host: row.host}, files: m(
				user, `{"permissions":{"allow":[`+row.allow+`]}}`, "/home/dev/.gen/permgate.json", `{"readOnlyCommands":"allow"}`)}
			_, _, a := s.answer(t)
			got = append(got, a.Decision.String())
			counts++
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s %s with %s in %s:\n got %s\nwant %s", row.host, row.command, row.allow, modes, strings.Join(got, " "), row.want)
		}
	}
	// a mode of the flag is the user's word, and so is a rule
	for _, row := range []struct {
		flags gate.Flags
		deny  string
		more  string
	}{
		{gate.Flags{Host: "codex", Mode: "plan"}, `"Bash(x)"`, ""}, {gate.Flags{Host: "codex", Headless: true}, `"Bash(x)"`, ""},
		{gate.Flags{Host: "codex"}, `"Sandbox(escape)"`, ""}, {gate.Flags{Host: "codex"}, `"Bash(ls)"`, ""},
		{gate.Flags{Host: "codex"}, `"Bash(x)"`, `,"agent_id":"a1","agent_type":"worker"`},
	} {
		s := sentence{payload: strings.ReplaceAll(codex, "%c", `"ls"`) + `,"permission_mode":"plan"` + row.more, flags: row.flags, files: m(
			user, `{"permissions":{"deny":[`+row.deny+`]}}`, "/home/dev/.gen/permgate.json", `{"readOnlyCommands":"allow"}`)}
		if _, v, a := s.answer(t); a.Decision != deny {
			t.Errorf("%+v, deny %s: got %v: %s", row.flags, row.deny, a.Decision, v.Reason())
		}
	}
	if counts < 20 {
		t.Errorf("only %d calls", counts)
	}
}
