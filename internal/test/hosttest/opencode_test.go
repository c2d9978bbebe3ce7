package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// pluginRun calls the plugin as opencode does: it prints "runs", or why the call is refused, for each session.
const pluginRun = `
import { Permgate } from "./permgate.js"
const sessions = { top: { id: "top" }, task: { id: "task", parentID: "mid", agent: "general" }, mid: { id: "mid", parentID: "top" },
  loop: { id: "loop", parentID: "loop" }, other: { id: "another" } }
const client = { session: { get: async ({ path }) => {
  if (path.id === "throws") throw new Error("no server")
  return { data: sessions[path.id] }
} } }
const hooks = await Permgate({ client, directory: process.cwd(), worktree: process.env.WORKTREE })
for (const id of process.argv.slice(2)) {
  const call = { tool: "bash", sessionID: id, callID: "call_1" }
  try {
    await hooks["tool.execute.before"](call, { args: { command: "ls" } })
    console.log("runs")
  } catch (e) { console.log("refused: " + e.message) }
  await hooks["tool.execute.after"]({ ...call, args: { command: "ls" } }, {})
}
`

// plugin runs the plugin in Node.js with hooks as permgate.json has them, "" for no such file.
func plugin(t *testing.T, hooks, worktree string, sessions ...string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not there")
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "package.json"), `{"type":"module"}`)
	writeFile(t, filepath.Join(dir, "run.mjs"), pluginRun)
	for _, f := range hookio.Lookup("opencode").Register.Beside {
		writeFile(t, filepath.Join(dir, f.Path), f.Text())
	}
	if hooks != "" {
		writeFile(t, filepath.Join(dir, "permgate.json"), hooks)
	}
	cmd := exec.Command(node, append([]string{"run.mjs"}, sessions...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "WORKTREE="+worktree)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestPluginRefuses: whatever goes wrong with the hook, the plugin of opencode refuses the call.
func TestPluginRefuses(t *testing.T) {
	script := func(text string) string {
		return `{"hooks":{"PreToolUse":[` + pluginHook("/bin/sh", "-c", text) + `]}}`
	}
	allow, deny := pluginHook("/bin/echo", `{"decision":"allow","reason":"r"}`), pluginHook("/bin/echo", `{"decision":"deny","reason":"no way"}`)
	for _, tt := range []struct{ name, hooks, want string }{
		{"silence", script(":"), "runs"},
		{"allow", `{"hooks":{"PreToolUse":[` + allow + `]}}`, "runs"},
		{"deny", `{"hooks":{"PreToolUse":[` + deny + `]}}`, "refused: no way"},
		{"deny before allow", `{"hooks":{"PreToolUse":[` + deny + `,` + allow + `]}}`, "refused: no way"},
		{"deny after allow", `{"hooks":{"PreToolUse":[` + allow + `,` + deny + `]}}`, "refused: no way"},
		{"deny without a reason", script(`echo '{"decision":"deny"}'`), "refused: denied without a reason"},
		{"no file", "", "ENOENT"},
		{"file is cut", `{"hooks":{"PreToolUse":[`, "refused: permgate did not answer"},
		{"no hooks", `{}`, "refused: permgate did not answer"},
		{"no hook of the event", `{"hooks":{"PostToolUse":[` + allow + `]}}`, "it has no hook for PreToolUse"},
		{"empty list", `{"hooks":{"PreToolUse":[]}}`, "it has no hook for PreToolUse"},
		{"a hook that is none", `{"hooks":{"PreToolUse":[null]}}`, "refused: permgate did not answer"},
		{"a hook without a program", `{"hooks":{"PreToolUse":[{"args":["hook"]}]}}`, "refused: permgate did not answer"},
		{"missing program", `{"hooks":{"PreToolUse":[` + pluginHook("/no/such/program") + `]}}`, "ENOENT"},
		{"a folder", `{"hooks":{"PreToolUse":[` + pluginHook("/") + `]}}`, "EACCES"},
		{"ask", script(`echo '{"decision":"ask","reason":"r"}'`), "its answer is not known"},
		{"another form", script("echo " + shellQuote(nestedAnswer("allow"))), "its answer is not known"},
		{"null", script("echo null"), "refused: permgate did not answer"},
		{"two answers", script(`echo '{"decision":"allow"}'; echo '{"decision":"allow"}'`), "refused: permgate did not answer"},
		{"allow in a list", script(`echo '[{"decision":"allow"}]'`), "its answer is not known"},
		{"allow in another case", script(`echo '{"decision":"Allow"}'`), "its answer is not known"},
		{"allow and exit 1", script(`echo '{"decision":"allow"}'; exit 1`), "it ended with exit code 1"},
		{"exit 2 with a reason", script("echo why >&2; exit 2"), "refused: permgate did not answer, so the call is refused: why"},
		{"killed", script("kill -9 $$"), "it ended with SIGKILL"},
		{"late", script("sleep 9"), "no answer within 1 s"},
		{"allow and late", script(`echo '{"decision":"allow"}'; sleep 9`), "no answer within 1 s"},
		{"endless", script("exec yes"), "its answer is too long"},
		{"does not read", script("exec <&-; exit 0"), "runs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.TrimSpace(plugin(t, tt.hooks, "/", "top"))
			if !strings.Contains(got, tt.want) || tt.want != "runs" && !strings.HasPrefix(got, "refused: ") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func pluginHook(program string, args ...string) string {
	if args == nil {
		args = []string{}
	}
	return jsonText(map[string]any{"command": program, "args": args, "timeout": 1})
}

// TestPluginSays: what the plugin tells of the session, and that a task's session that is not known counts as one.
func TestPluginSays(t *testing.T) {
	dir := t.TempDir()
	recorder := filepath.Join(dir, "recorder")
	executable.Write(t, recorder, "#!/bin/sh\nprintf '%s %s\\n' \"$1\" \"$(cat)\" >> "+dir+"/sent\n")
	hooks := `{"hooks":{"PreToolUse":[` + pluginHook(recorder, "PreToolUse") + `]}}`
	plugin(t, hooks, "/w", "top", "task", "loop", "other", "throws", "missing")
	plugin(t, hooks, "/", "top")
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(readFile(t, filepath.Join(dir, "sent"))), "\n") {
		c, err := hookio.Read(strings.NewReader(strings.TrimPrefix(line, "PreToolUse ")), hookio.Options{})
		if err != nil || c.Host.Name != "opencode" || c.Command != "ls" {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, c.SessionID+" "+c.AgentID+" "+c.AgentType+" "+c.Project)
	}
	want := []string{"top   /w", "top task general /w", "loop loop  /w", "other other  /w", "throws throws  /w", "missing missing  /w", "top   "}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
