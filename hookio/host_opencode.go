package hookio

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// opencode is opencode, which calls a plugin before each tool. The plugin is
// ours, and so are payload and answer; all it can do is refuse a call or let
// opencode's own permissions decide. Allow and silence are the same to it.
var opencode = Host{
	Name:    "opencode",
	Title:   "opencode",
	Roots:   []string{".opencode"},
	Detect:  func(p Top) bool { return p.Get("agent").Str == "opencode" && p.Has("plugin") },
	Answers: answersOpencode,
	Strict:  true,
	Decode:  decodeOpencode,
	Encode:  encodeFlat,
	Shapes:  shapesOpencode,
	Tools:   toolsOpencode,
	MCP:     MCP{Forms: []MCPForm{{Sep: "_"}}},
	AskIs:   func(*Call) AskForm { return AskDenies },
	Alone: Alone{
		// Workspace: none. Of a shell text it looks at the operands of some programs, not at redirects and
		// symlinks, with --auto at nothing, and opencode.json, which is not read here, may allow it all.
		Rules: []string{},
		Own: []OwnFiles{
			{Base: BaseProject, Dir: ".opencode/plans", Ext: ".md", Doc: "plans, where the project is a git repository"},
			{Base: BaseHome, Dir: ".local/share/opencode/plans", Ext: ".md", Doc: "plans, elsewhere"},
		},
		Source: "opencode.ai/docs/permissions (2026-11); what " + opencodeVersion + " tells its agents: testdata/hosts/opencode/laxness.tsv",
	},
	Register: &Registration{
		Programs: []string{"opencode"}, Folder: "~/.config/opencode",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.config/opencode/plugins/permgate.json", Root: "hooks", Own: true},
			{Scope: ForProject, Path: ".opencode/plugins/permgate.json", Root: "hooks", Own: true},
		},
		Moved: Pair{"~/.config", "XDG_CONFIG_HOME"},
		Beside: []TextFile{{"permgate.js", "// The plugin by which opencode asks permgate before each tool call.\nconst host = \"opencode\"\n" + pluginText,
			"// The plugin by which opencode asks permgate "}},
		Flat: true, Exec: true, Timeout: "timeout",
		Events:  eventsOpencode,
		Posture: postureOpencode,
		After:   "start opencode again: a session that runs has its plugins loaded",
		Notes: []string{
			"opencode cannot ask for a plugin: what permgate would ask about is denied, with the rule that would allow it",
			"an allow of permgate leaves opencode's own permissions as they are: what opencode.json asks about is still asked",
			"a session that was started with --pure or OPENCODE_PURE=1 loads no plugin, and so runs without permgate",
			"another plugin that runs after permgate's may change the call that was decided",
			"opencode 2 loads plugins of another form, and not this one",
		},
		Source: "opencode.ai/docs/plugins (2026-11), and the program itself, " + opencodeVersion,
	},
	Driven: Driven{opencodeVersion, opencodeDay},
	Reader: []Reading{
		{"", passOpencode, FateHost, 0, opencodeVersion},
		{"", blockOpencode, FateBlocks, 0, opencodeVersion},
	},
	Source: "opencode.ai/docs plugins, permissions and tools (2026-11); " + opencodeVersion + " was run",
	Examples: []Example{
		{
			Name: "shell command", Event: PreToolUse,
			In: `{"agent":"opencode","plugin":1,"hook_event_name":"PreToolUse","session_id":"ses_1","cwd":"/home/u/app","project":"/home/u/app","tool_use_id":"call_1","tool_name":"bash","tool_input":{"command":"npm test","workdir":"web"}}`,
		},
		{
			Name: "edit inside a task", Event: PreToolUse,
			In: `{"agent":"opencode","plugin":1,"hook_event_name":"PreToolUse","session_id":"ses_1","agent_id":"ses_2","agent_type":"general","cwd":"/home/u/app","project":"/home/u/app","tool_use_id":"call_1","tool_name":"edit","tool_input":{"filePath":"/home/u/app/a.go","oldString":"a","newString":"b"}}`,
		},
	},
}

// Parts that Kilo, which was made out of opencode, has as well.
var (
	keysOpencode    = []string{"filePath"}
	answersOpencode = []AnswerKey{{Path: "decision", Words: "allow deny"}}
	shapesOpencode  = []Shape{
		{Tool: "bash", Kind: KindCommand, Keys: []string{"command", "workdir"}, First: 1, Need: true, Dir: "workdir", Also: []string{"description", "timeout"}},
		{Tool: "read", Kind: KindPath, Access: AccessRead, Keys: keysOpencode, First: 1, Need: true},
		{Tool: "write", Kind: KindPath, Access: AccessWrite, Keys: keysOpencode, First: 1, Need: true, Also: []string{"content"}},
		{Tool: "edit", Kind: KindPath, Access: AccessWrite, Keys: keysOpencode, First: 1, Need: true, Also: []string{"oldString", "newString", "replaceAll"}},
		// of Kilo alone; without a command it looks after those that run
		{Tool: "background_process", Kind: KindCommand, Keys: []string{"command", "workdir"}, First: 1, Dir: "workdir", Typed: true},
	}
	toolsOpencode = []Pair{
		{"bash", "Bash"}, {"read", "Read"}, {"write", "Write"}, {"edit", "Edit"}, {"apply_patch", "Edit"}, {"glob", "Glob"}, {"grep", "Grep"},
		{"list", "LS"}, {"lsp", "LSP"}, {"webfetch", "WebFetch"}, {"websearch", "WebSearch"}, {"task", "Agent"}, {"skill", "Skill"},
		{"todowrite", "TodoWrite"}, {"question", "AskUserQuestion"}, {"plan_enter", "EnterPlanMode"}, {"plan_exit", "ExitPlanMode"},
		{"list_mcp_resources", "ListMcpResourcesTool"}, {"list_mcp_resource_templates", "ListMcpResourcesTool"},
		{"read_mcp_resource", "ReadMcpResourceTool"},
	}
	eventsOpencode  = []HookEvent{{Name: "PreToolUse", Gates: true}, {Name: "PostToolUse", Records: true}}
	postureOpencode = []Recommended{{"catastrophic", `"deny"`, 1}, {"destructive", `"practical"`, 1}, {"secrets", `"ask"`, 1},
		{"onUnmatched", `"defer"`, 1}, {"subagents", `"host"`, 1}, {"projectTrust", `"require"`, 1}, {"expandScripts", "true", 1}}
	passOpencode  = []Ending{EndsAllow, EndsSilence}
	blockOpencode = []Ending{EndsAsk, EndsDeny, EndsText, EndsBroken, EndsFailed, EndsBlocked, EndsMute, EndsKilled, EndsLate,
		EndsMissing} // the line of an ask is a deny
)

// decodeOpencode is decode; the payload names the project as well, where there is one. opencode
// takes ~ for a name like any other, which may be a link to somewhere, and not for the home.
func decodeOpencode(c *Call, p Top) {
	decode(c, p)
	home := func(name string) bool { return strings.HasPrefix(name, "~") }
	if home(c.Dir) || slices.ContainsFunc(c.Args, func(a Arg) bool { return home(a.Path) }) {
		c.fault(c.Host.Title + " does not take ~ for the home folder")
	}
	c.once(p, "agent", "plugin", "project")
	if v := p.Get("project"); v.Type == gjson.String {
		c.Project = v.Str
	}
}

// pluginText is what opencode and Kilo load, a module of JavaScript; it sends the payload that is read here.
const pluginText = `// "permgate install" writes this file, and uninstall takes it away. What it runs is in permgate.json
// next to it. Where there is no answer, the call is refused: the program goes on only if nothing is thrown.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { parse } from "node:path"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("./permgate.json", import.meta.url))
const most = 1 << 20 // bytes of an answer

// The commands of an event; it throws where there are none.
function commands(event) {
  const list = JSON.parse(readFileSync(file, "utf8")).hooks[event]
  if (!Array.isArray(list) || list.length === 0) throw new Error("it has no hook for " + event)
  return list
}

// Starts a program, without a shell, and returns how it ended.
function run(hook, input) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, GOMAXPROCS: "1" }
    const child = spawn(hook.command, hook.args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true, env })
    const text = { stdout: "", stderr: "" }
    const stop = (why) => (child.kill("SIGKILL"), reject(new Error(why)))
    const seconds = hook.timeout > 0 ? hook.timeout : 10
    const timer = setTimeout(stop, seconds * 1000, "no answer within " + seconds + " s")
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8")
      child[name].on("data", (s) => (text[name] += s).length > most && stop("its answer is too long"))
    }
    child.on("error", (e) => (clearTimeout(timer), reject(e)))
    child.on("close", (code, signal) => (clearTimeout(timer), resolve({ ...text, code, signal })))
    child.stdin.on("error", () => {}) // it may end before it has read everything
    child.stdin.end(input)
  })
}

// The reason of a deny, or nothing where the program may go on by its own permissions.
async function ask(hook, input) {
  const end = await run(hook, input)
  const said = end.stderr.trim().slice(0, 2000)
  if (end.code !== 0) throw new Error(said || "it ended with " + (end.signal ?? "exit code " + end.code))
  if (end.stdout.trim() === "") return
  const answer = JSON.parse(end.stdout)
  if (answer.decision === "deny") return String(answer.reason || "denied without a reason")
  if (answer.decision !== "allow") throw new Error("its answer is not known")
}

export const Permgate = async ({ client, directory, worktree }) => {
  const known = new Map() // what does not change of a session: whether it is a task's, and of whom

  // The session of the person, and the agent of a task. One that is not found counts as a task's.
  async function family(id) {
    if (known.has(id)) return known.get(id)
    let from = { session_id: id, agent_id: id }
    try {
      let session = (await client.session.get({ path: { id } })).data
      if (session?.id !== id) return from
      if (!session.parentID) from = { session_id: id }
      else if (session.agent) from.agent_type = session.agent
      for (let n = 0; session?.parentID && n < 20; n++) {
        from.session_id = session.parentID
        session = (await client.session.get({ path: { id: session.parentID } })).data
      }
      known.set(id, from)
    } catch {}
    return from
  }

  async function payload(event, call, args) {
    // outside git the worktree is the root folder
    const project = worktree && parse(worktree).root !== worktree ? worktree : ""
    return JSON.stringify({
      agent: host, plugin: 1, hook_event_name: event, ...(await family(call.sessionID)), cwd: directory, project,
      tool_use_id: call.callID, tool_name: call.tool, tool_input: args ?? {},
    })
  }

  return {
    "tool.execute.before": async (call, output) => {
      const reasons = []
      try {
        const input = await payload("PreToolUse", call, output.args)
        for (const hook of commands("PreToolUse")) reasons.push(await ask(hook, input))
      } catch (e) {
        throw new Error("permgate did not answer, so the call is refused: " + (e?.message ?? e) + " (" + file +
          "); the user can run permgate doctor --host " + host, { cause: e })
      }
      const reason = reasons.find((r) => r !== undefined)
      if (reason !== undefined) throw new Error(reason)
    },
    // for the log; no call waits for it
    "tool.execute.after": async (call) => {
      const log = async () => {
        const input = await payload("PostToolUse", call, call.args)
        for (const hook of commands("PostToolUse")) await run(hook, input)
      }
      log().catch(() => {})
    },
  }
}
`
