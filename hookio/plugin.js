// "permgate install" writes this file, and uninstall takes it away. What it runs is in permgate.json
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
