package hosttest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// A pluginCall is what the plugin is asked: with hooks as permgate.json has them, "" for no such file, of each session.
type pluginCall struct {
	hooks, worktree string
	sessions        []string
}

// pluginRun calls the plugin as opencode does, in a folder for each of its arguments: it prints "runs", or why the call
// is refused, for each session. It does not wait for a hook that the plugin has given up.
const pluginRun = `
import { readFileSync } from "node:fs"
const sessions = { top: { id: "top" }, task: { id: "task", parentID: "mid", agent: "general" }, mid: { id: "mid", parentID: "top" },
  loop: { id: "loop", parentID: "loop" }, other: { id: "another" } }
const client = { session: { get: async ({ path }) => {
  if (path.id === "throws") throw new Error("no server")
  return { data: sessions[path.id] }
} } }
const all = []
for (const dir of process.argv.slice(2)) {
  process.chdir(dir)
  const { Permgate } = await import(dir + "/permgate.js")
  const { worktree, ids } = JSON.parse(readFileSync("call.json"))
  const hooks = await Permgate({ client, directory: dir, worktree })
  const said = []
  for (const id of ids) {
    const call = { tool: "bash", sessionID: id, callID: "call_1" }
    try {
      await hooks["tool.execute.before"](call, { args: { command: "ls" } })
      said.push("runs")
    } catch (e) { said.push("refused: " + e.message) }
    await hooks["tool.execute.after"]({ ...call, args: { command: "ls" } }, {})
  }
  all.push(said.join("\n"))
}
process.stdout.write(JSON.stringify(all), () => process.exit())
`

// plugin runs the plugin in Node.js, once for all calls, and returns what each printed.
func plugin(t *testing.T, calls ...pluginCall) (printed []string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not there")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(top, "package.json"), `{"type":"module"}`)
	writeFile(t, filepath.Join(top, "run.mjs"), pluginRun)
	cmd := exec.Command(node, filepath.Join(top, "run.mjs"))
	for i, c := range calls {
		dir := filepath.Join(top, strconv.Itoa(i))
		for _, f := range hookio.Lookup("opencode").Register.Beside {
			writeFile(t, filepath.Join(dir, f.Path), f.Text())
		}
		if c.hooks != "" {
			writeFile(t, filepath.Join(dir, "permgate.json"), c.hooks)
		}
		call := map[string]any{"worktree": c.worktree, "ids": c.sessions}
		writeFile(t, filepath.Join(dir, "call.json"), jsonText(call))
		cmd.Args = append(cmd.Args, dir)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &printed)
	}
	if err != nil || len(printed) != len(calls) {
		t.Fatalf("%v\n%s%s", err, out, &stderr)
	}
	return printed
}

// TestPluginRefuses: whatever goes wrong with the hook, the plugin of opencode refuses the call.
func TestPluginRefuses(t *testing.T) {
	script := func(text string) string {
		return `{"hooks":{"PreToolUse":[` + pluginHook("/bin/sh", "-c", text) + `]}}`
	}
	soon := func(hooks string) string { return strings.Replace(hooks, `"timeout":60`, `"timeout":1`, 1) }
	allow, deny := pluginHook("/bin/echo", `{"decision":"allow","reason":"r"}`), pluginHook("/bin/echo", `{"decision":"deny","reason":"no way"}`)
	table := []struct{ name, hooks, want string }{
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
		{"late", soon(script("exec sleep 600")), "no answer within 1 s"},
		{"allow and late", soon(script(`echo '{"decision":"allow"}'; sleep 60`)), "no answer within 1 s"},
		{"endless", script("exec yes"), "its answer is too long"},
		{"does not read", script("exec <&-; exit 0"), "runs"},
	}
	var calls []pluginCall
	for _, tt := range table {
		calls = append(calls, pluginCall{tt.hooks, "/", []string{"top"}})
	}
	for i, got := range plugin(t, calls...) {
		tt := table[i]
		if !strings.Contains(got, tt.want) || tt.want != "runs" && !strings.HasPrefix(got, "refused: ") {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func pluginHook(program string, args ...string) string {
	if args == nil {
		args = []string{}
	}
	return jsonText(map[string]any{"command": program, "args": args, "timeout": 60})
}

// TestPluginSays: what the plugin tells of the session, and that a task's session that is not known counts as one.
func TestPluginSays(t *testing.T) {
	dir := t.TempDir()
	recorder := filepath.Join(dir, "recorder")
	executable.Write(t, recorder, "#!/bin/sh\nprintf '%s %s\\n' \"$1\" \"$(cat)\" >> "+dir+"/sent\n")
	hooks := `{"hooks":{"PreToolUse":[` + pluginHook(recorder, "PreToolUse") + `]}}`
	plugin(t, pluginCall{hooks, "/w", []string{"top", "task", "loop", "other", "throws", "missing"}},
		pluginCall{hooks, "/", []string{"top"}})
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
