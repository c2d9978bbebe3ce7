package gate_test

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/gate"
)

// TestKillSwitch: where auto is taken away, what it denied or asked about is no laxer.
func TestKillSwitch(t *testing.T) {
	auto := func(command string) string { return as(bash(command), `"permission_mode":"auto"`) }
	lists := `{"autoMode":{"hard_deny":["Bash(sudo:*)","Bash(terraform apply:*)"],"soft_deny":["Bash(git push:*)"]},"permissions":{"allow":["Bash(git *)","Bash(ls:*)","Bash(sudo:*)"]}`
	off := m(user, lists+`,"disableAutoMode":true}`)
	on := m(user, lists+`}`)
	env := m("PERMGATE_DISABLE_AUTO_MODE", "1")
	runSentences(t, []sentence{
		{name: "auto hard", payload: auto("sudo id"), files: on, want: deny},
		{name: "locked hard", payload: auto("sudo id"), files: off, want: deny, reason: "autoMode.hard_deny"},
		{name: "locked soft", payload: auto("git push origin main"), files: off, want: ask, reason: "autoMode.soft_deny"},
		{name: "locked by disable", payload: auto("git push"), files: m(user, lists+`,"permissions2":1,"disableAutoMode":"disable"}`), want: ask},
		{name: "locked by shared", payload: auto("git push"), files: m(user, lists+`}`, shared, `{"disableAutoMode":true}`), want: ask, reason: "autoMode.soft_deny"},
		{name: "locked by local", payload: auto("sudo id"), files: m(user, lists+`}`, local, `{"permissions":{"disableAutoMode":true}}`), want: deny},
		{name: "locked by managed", payload: auto("sudo id"), files: m(user, lists+`}`, managed, `{"disableAutoMode":1}`), want: deny},
		{name: "locked by a broken managed file", payload: auto("sudo id"), files: m(user, lists+`}`, managed, `{`), want: deny},
		{name: "locked by env", payload: auto("sudo id"), files: on, env: env, want: deny},
		{name: "locked by env, soft", payload: auto("cd x && git push"), files: on, env: env, want: ask},
		{name: "locked by env of any word", payload: auto("git push"), files: on, env: m("PERMGATE_DISABLE_AUTO_MODE", "yes"), want: ask},
		{name: "auto by settings, locked", payload: bash("git push"), files: m(user, `{"autoMode":{"soft_deny":["Bash(git push:*)"]},"permissions":{"allow":["Bash(git *)"],"defaultMode":"auto"},"disableAutoMode":true}`), want: ask},
		{name: "auto by flag, locked", payload: bash("git push"), files: off, flags: gate.Flags{Mode: "auto"}, want: ask, reason: "autoMode"},
		{name: "locked, a hole", payload: auto("terraform $X"), files: m(user, `{"permissions":{"allow":["Bash"]},"autoMode":{"hard_deny":["Bash(terraform apply:*)"]},"disableAutoMode":true}`), want: ask, reason: "could-match"},
		{name: "locked, in a chain", payload: auto("ls && terraform apply"), files: off, want: deny},
		{name: "locked, headless", payload: auto("git push"), files: off, flags: gate.Flags{Headless: true}, want: deny},
		{name: "locked for claude", payload: auto("git push"), files: m(user, lists+`,"disableAutoMode":true}`, "/home/dev/.gen/permgate.json", `{"onUnmatched":"defer"}`), flags: gate.Flags{Host: "claude"}, want: ask},
		{name: "locked, no rule: no silence", payload: auto("make x"), files: m(user, lists+`,"disableAutoMode":true}`, "/home/dev/.gen/permgate.json", `{"onUnmatched":"defer"}`), flags: gate.Flags{Host: "claude"}, want: ask},
		{name: "locked edit", payload: as(tool("Edit", `{"file_path":"a"}`), `"permission_mode":"auto"`), files: on, env: env, want: ask},
		// look-alikes
		{name: "locked, allowed", payload: auto("git status"), files: off, want: allow},
		{name: "locked, another command", payload: auto("ls -la"), files: off, want: allow},
		{name: "locked, but the mode was default", payload: bash("git push"), files: off, want: allow},
		{name: "env says no", payload: as(tool("Edit", `{"file_path":"a"}`), `"permission_mode":"auto"`), files: on, env: m("PERMGATE_DISABLE_AUTO_MODE", "0"), want: allow},
		{name: "env in default mode", payload: bash("git push"), files: on, env: env, want: allow},
		{name: "lists of another mode", payload: as(bash("git push"), `"permission_mode":"acceptEdits"`), files: off, want: allow},
	})
}

// TestPrimaryField: Tool(param:value) on what the tool is about.
func TestPrimaryField(t *testing.T) {
	rule := func(list, r string) map[string]string {
		return m(user, `{"permissions":{"allow":["Bash","Read","Edit","Write","WebFetch","Grep","Glob","NotebookEdit","mcp__db__query","Skill"],"`+list+`":["`+r+`"]}}`)
	}
	runSentences(t, []sentence{
		{name: "command", payload: bash("rm a"), files: rule("deny", "Bash(command:rm *)"), want: deny},
		{name: "command in a chain", payload: bash("cd x && rm a"), files: rule("deny", "Bash(command:rm *)"), want: deny},
		{name: "command behind a launcher", payload: bash("timeout 9 /bin/rm a"), files: rule("deny", "Bash(command:rm *)"), want: deny},
		{name: "command as a whole", payload: bash("echo a; echo b"), files: rule("deny", "Bash(command:*; echo b)"), want: deny},
		{name: "command, blanks", payload: bash("rm a"), files: rule("ask", "Bash( command : rm * )"), want: ask},
		{name: "command with a stem", payload: bash("git push -f"), files: rule("ask", "Bash(command:git push:*)"), want: ask},
		{name: "command, a hole", payload: bash("rm $x"), files: rule("deny", "Bash(command:rm -rf *)"), want: ask, reason: "could-match"},
		{name: "monitor", payload: tool("Monitor", `{"command":"rm a"}`), files: rule("deny", "Bash(command:rm *)"), want: deny},
		{name: "path", payload: tool("Read", `{"file_path":"/work/project/a.env"}`), files: rule("deny", "Read(file_path:*.env)"), want: deny},
		{name: "path, case", payload: tool("Read", `{"file_path":"/work/project/A.ENV"}`), files: rule("deny", "Read(file_path:*.env)"), want: deny},
		{name: "path, not clean", payload: tool("Read", `{"file_path":"/work/project/s/../a.env"}`), files: rule("deny", "Read(file_path:/work/project/a.env)"), want: deny},
		{name: "path, relative", payload: tool("Read", `{"file_path":"a.env"}`), files: rule("deny", "Read(file_path:/work/project/a.env)"), want: deny},
		{name: "path, link", payload: tool("Read", `{"file_path":"/work/project/l"}`), files: m(user, rule("deny", "Read(file_path:*/a.env)")[user], "/work/project/l", "-> /work/project/a.env"), want: deny},
		{name: "path of an edit", payload: tool("Write", `{"file_path":"x/a.env.d","content":"x"}`), files: rule("deny", "Write(file_path:*.env*)"), want: deny},
		{name: "path of a notebook", payload: tool("NotebookEdit", `{"notebook_path":"/work/project/a.ipynb","new_source":"x"}`), files: rule("ask", "NotebookEdit(notebook_path:*.ipynb)"), want: ask},
		{name: "path of a search", payload: tool("Grep", `{"pattern":"x","path":"/work/project/priv"}`), files: rule("deny", "Grep(path:*/priv)"), want: deny},
		{name: "url", payload: tool("WebFetch", `{"url":"https://x.io/upload?a=1","prompt":"p"}`), files: rule("deny", "WebFetch(url:*/upload*)"), want: deny},
		{name: "url, case", payload: tool("WebFetch", `{"url":"HTTPS://X.io/a","prompt":"p"}`), files: rule("deny", "WebFetch(url:https://x.io/*)"), want: deny},
		{name: "pattern of a search", payload: tool("Grep", `{"pattern":"password","path":"/work/project"}`), files: rule("ask", "Grep(pattern:*passw*)"), want: ask},
		{name: "skill", payload: tool("Skill", `{"skill":"deploy"}`), files: rule("ask", "Skill(skill:dep*)"), want: ask},
		{name: "agent", payload: tool("Agent", `{"subagent_type":"deploy","prompt":"p"}`), files: rule("deny", "Agent(subagent_type:dep*)"), want: deny},
		{name: "agent by its old name", payload: tool("Task", `{"subagent_type":"deploy","prompt":"p"}`), files: rule("deny", "Task(subagent_type:deploy)"), want: deny},
		{name: "agent the host picks", payload: tool("Agent", `{"prompt":"p"}`), files: rule("deny", "Agent(subagent_type:general*)"), want: ask, reason: "could-match"},
		{name: "url below an address", payload: tool("WebFetch", `{"url":"https://x/a/b","prompt":"p"}`), files: rule("deny", "WebFetch(url:https://x/*)"), want: deny},
		{name: "path of the system", payload: tool("Read", `{"file_path":"/etc/../etc/passwd"}`), files: rule("ask", "Read(file_path:/etc/*)"), want: ask},
		{name: "command anywhere in a text", payload: bash("echo a | xargs rm"), files: rule("deny", "Bash(command:*rm*)"), want: deny},
		{name: "query of a tool", payload: tool("Custom", `{"query":"drop it"}`), files: rule("deny", "Custom(query:drop*)"), want: deny},
		// look-alikes
		{name: "another command", payload: bash("echo rm a"), files: rule("deny", "Bash(command:rm *)"), want: allow},
		{name: "the program command", payload: bash("echo a"), files: rule("deny", "Bash(command:*)"), want: allow},
		{name: "the program command itself", payload: bash("command foo"), files: rule("deny", "Bash(command:*)"), want: deny},
		{name: "another path", payload: tool("Read", `{"file_path":"/work/project/a.envx"}`), files: rule("deny", "Read(file_path:*.env)"), want: allow},
		{name: "domain keeps its meaning", payload: tool("WebFetch", `{"url":"https://x.io/a","prompt":"p"}`), files: rule("deny", "WebFetch(domain:y.io)"), want: allow},
		{name: "domain denies", payload: tool("WebFetch", `{"url":"https://x.io/a","prompt":"p"}`), files: rule("deny", "WebFetch(domain:x.io)"), want: deny},
		{name: "another url", payload: tool("WebFetch", `{"url":"https://x.io/a","prompt":"p"}`), files: rule("deny", "WebFetch(url:*/upload*)"), want: allow},
		{name: "an absent field", payload: tool("Read", `{"file_path":"/work/project/a.env"}`), files: rule("deny", "Read(path:*)"), want: allow},
		{name: "no allow by a field", payload: bash("rm a"), files: m(user, `{"permissions":{"allow":["Bash(command:rm *)"]}}`), want: ask},
	})
}
