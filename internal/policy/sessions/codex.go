package sessions

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/tidwall/gjson"
)

// codex is what Codex keeps of a session. A subagent's file may begin with its parent's history.
var codex = Format{
	Name:  "codex",
	Title: "session files of Codex",
	Files: []string{
		"${CODEX_HOME:-~/.codex}/sessions/*/*/*/rollout-*.jsonl",
		"${CODEX_HOME:-~/.codex}/archived_sessions/rollout-*.jsonl",
	},
	Is: func(line gjson.Result) bool {
		switch line.Get("type").Str {
		case "session_meta", "turn_context", "response_item", "event_msg":
			return line.Get("payload").IsObject()
		}
		return false
	},
	Lacks: "which calls somebody was asked about and approved, commands inside of a program text (tool exec), and archives " +
		"that Codex compressed",
	Source: "session files of Codex 0.142 to 0.159; openai/codex codex-rs/protocol and codex-rs/rollout (2026-08); " +
		"payloads of 0.169.0 (2026-11)",
	Read: readCodex,
}

// A codexReader carries on what earlier lines said.
type codexReader struct {
	reader
	own, now  codexSession
	cwd, mode string
	from      int64 // number of the first line that is not the history of another session; 0: not known
}

// A codexSession is what session_meta says.
type codexSession struct{ id, agent, agentType string }

func readCodex(f *File, take func(*Call) error) error {
	r := &codexReader{reader: newReader(f, take)}
	return r.read(r.line)
}

func (r *codexReader) line(line gjson.Result) error {
	p := line.Get("payload")
	if n := line.Get("ordinal"); r.from > 0 && n.Int() >= r.from {
		r.now = r.own
	}
	switch line.Get("type").Str {
	case "session_meta":
		r.meta(p)
	case "turn_context":
		if r.from == 0 {
			r.now = r.own
		}
		carry(&r.cwd, p.Get("cwd"))
		if policy := p.Get("approval_policy"); policy.Exists() {
			r.mode = "default"
			if policy.Str == "never" {
				r.mode = "bypassPermissions"
			}
		}
	case "response_item":
		return r.item(p, line.Get("timestamp").Str)
	case "event_msg":
		r.event(p)
	case "compacted", "world_state", "inter_agent_communication", "agent_message", "user_message":
	default:
		r.f.Counts.Unknown++
	}
	return nil
}

// meta notes whose calls come next. The first one is about the file itself.
func (r *codexReader) meta(p gjson.Result) {
	var s codexSession
	carry(&s.id, p.Get("session_id"), p.Get("id"))
	if sub := p.Get("source.subagent"); sub.Exists() || p.Get("thread_source").Str == "subagent" {
		carry(&s.agent, p.Get("id"), sidechain)
		carry(&s.agentType, p.Get("agent_role"), sub.Get("thread_spawn.agent_role"), sub)
		if parent := p.Get("source.subagent.thread_spawn.parent_thread_id"); !p.Get("session_id").Exists() {
			carry(&s.id, parent)
		}
	}
	if r.own.id == "" {
		r.own, r.from = s, p.Get("subagent_history_start_ordinal").Int()
	}
	r.now = s
	carry(&r.cwd, p.Get("cwd"))
}

func (r *codexReader) item(p gjson.Result, at string) error {
	id := p.Get("call_id").Str
	c := recorded{
		host: "codex", id: id, session: r.now.id, agent: r.now.agent, agentType: r.now.agentType,
		cwd: r.cwd, mode: r.mode, time: at,
	}
	switch p.Get("type").Str {
	case "function_call":
		c.tool, c.input, c.skip = codexFunction(p, r.cwd)
	case "custom_tool_call":
		c.tool, c.input = p.Get("name").Str, `{"command":`+p.Get("input").Raw+`}`
		if c.tool != "apply_patch" {
			c.skip = skipText
		}
	case "local_shell_call":
		a := p.Get("action")
		c.tool, c.input = codexShell(a.Get("command"), a.Get("working_directory").Str, r.cwd)
	case "function_call_output", "custom_tool_call_output":
		if h := r.w.get(id); h != nil {
			if h.call.Outcome == "" {
				codexOutcome(h.call, p.Get("output"))
			}
			return r.w.settle(h)
		}
		return nil
	default:
		return nil
	}
	return r.add(&c)
}

// event takes what the program shows of a result.
func (r *codexReader) event(p gjson.Result) {
	h := r.w.get(p.Get("call_id").Str)
	if h == nil {
		return
	}
	switch p.Get("type").Str {
	case "exec_command_end":
		if p.Get("status").Str != "declined" {
			h.call.ended(p.Get("exit_code").Int() != 0)
		}
	case "patch_apply_end":
		if p.Get("status").Str != "declined" {
			h.call.ended(!p.Get("success").Bool())
		}
	}
}

// codexFunction is the call as its hook gets it: Bash for each tool that runs a command.
func codexFunction(p gjson.Result, cwd string) (tool, input, why string) {
	tool = p.Get("name").Str
	if space := p.Get("namespace").Str; strings.HasPrefix(space, "mcp__") {
		tool = strings.TrimSuffix(space, "__") + "__" + tool
	}
	input = strings.TrimSpace(p.Get("arguments").Str)
	if _, ok := object([]byte(input)); !ok {
		return tool, input, skipArguments
	}
	args := gjson.Parse(input)
	switch tool {
	case "exec_command":
		tool, input = codexShell(args.Get("cmd"), args.Get("workdir").Str, cwd)
	case "shell", "shell_command", "local_shell", "container.exec":
		tool, input = codexShell(args.Get("command"), args.Get("workdir").Str, cwd)
	}
	return tool, input, ""
}

// codexShell is the call of a command in a folder. A shell with a command's text is that command.
func codexShell(command gjson.Result, dir, cwd string) (tool, input string) {
	words := command.Array()
	if command.IsArray() && len(words) == 3 && shellText(words[0].Str, words[1].Str) {
		command = words[2]
	}
	b := []byte("{")
	if command.Exists() {
		b = append(append(b, `"command":`...), command.Raw...)
	}
	if dir = codexDir(dir, cwd); dir != "" {
		if command.Exists() {
			b = append(b, ',')
		}
		b = hookio.AppendJSON(append(b, `"workdir":`...), dir)
	}
	return "Bash", string(append(b, '}'))
}

// codexDir is a command's folder, of any system, "" where it is that of the session.
func codexDir(dir, cwd string) string {
	if dir == "" || cwd == "" {
		return dir
	}
	switch {
	case dir[0] == '/', dir[0] == '\\', dir[0] == '~', len(dir) > 1 && dir[1] == ':':
	default:
		dir = path.Clean(cwd + "/" + dir)
	}
	if path.Clean(dir) == path.Clean(cwd) {
		return ""
	}
	return dir
}

func shellText(program, option string) bool {
	switch path.Base(program) {
	case "bash", "sh", "zsh":
		return option == "-lc" || option == "-c"
	}
	return false
}

// codexOutcome notes the outcome of a call by the text the model got.
func codexOutcome(c *Call, out gjson.Result) {
	text := out.Str
	if out.IsObject() {
		text = out.Get("content").String()
	} else if out.IsArray() {
		text = textOf(out)
	}
	if c.refusedBy(codexSentences[:], text) {
		return
	}
	c.Outcome = log.Ran
	if v, ok := object([]byte(text)); ok {
		c.ended(v.Get("metadata.exit_code").Int() != 0)
		return
	}
	for _, mark := range [...]string{"Process exited with code ", "Exit code: "} {
		if _, rest, ok := strings.Cut(text[:min(len(text), 1<<10)], mark); ok {
			c.ended(!strings.HasPrefix(rest, "0"))
			return
		}
	}
}

// codexSentences are how results begin that say that a call did not run.
var codexSentences = [...]sentence{
	{"exec command rejected by user", "", ByUser},
	{"patch rejected by user", "", ByUser},
	{"rejected by user", "", ByUser},
	{"This action was rejected due to unacceptable risk", "", ByClassifier},
	{"exec command rejected", "", ByUnknown},
	{"Command blocked by PreToolUse hook", "", ByUnknown},
	{"failed to parse function arguments", "", ""},
	{"aborted", "", ""},
}
