package sessions

import "github.com/tidwall/gjson"

// qwen is what Qwen Code keeps of a session.
var qwen = Format{
	Name:  "qwen",
	Title: "session files of Qwen Code",
	Files: []string{
		"${QWEN_HOME:-~/.qwen}/projects/*/chats/*.jsonl",
		"${QWEN_HOME:-~/.qwen}/tmp/*/chats/*.jsonl",
	},
	Is: func(line gjson.Result) bool {
		if !line.Get("sessionId").Exists() {
			return false
		}
		switch line.Get("type").Str {
		case "user", "assistant", "tool_result":
			return line.Get("message.parts").Exists()
		case "system":
			return line.Get("systemPayload").Exists()
		}
		return false
	},
	Lacks:  "which calls somebody was asked about and approved, and the mode before it was changed first",
	Source: "QwenLM/qwen-code packages/core/src/services/chatRecordingService.ts (2026-10)",
	Read:   readQwen,
}

type qwenReader struct {
	f                  *File
	w                  *window
	session, cwd, mode string
}

func readQwen(f *File, take func(*Call) error) error {
	r := &qwenReader{f: f, w: newWindow(f, take)}
	if err := f.objects(r.line); err != nil {
		return err
	}
	return r.w.end()
}

func (r *qwenReader) line(number int, line gjson.Result) error {
	carry(&r.session, line.Get("sessionId"))
	carry(&r.cwd, line.Get("cwd"))
	switch line.Get("type").Str {
	case "assistant":
		return r.calls(number, line)
	case "tool_result":
		return r.result(line)
	case "system":
		if line.Get("subtype").Str == "session_approval_mode" {
			carry(&r.mode, line.Get("systemPayload.mode"))
		}
	case "user":
	default:
		r.f.Counts.Unknown++
	}
	return nil
}

func (r *qwenReader) calls(number int, line gjson.Result) (err error) {
	line.Get("message.parts").ForEach(func(_, part gjson.Result) bool {
		v := part.Get("functionCall")
		if !v.Exists() {
			return true
		}
		c := recorded{
			host: "qwen", tool: v.Get("name").Str, id: v.Get("id").Str, input: v.Get("args").Raw, session: r.session,
			cwd: r.cwd, mode: r.mode, time: line.Get("timestamp").Str,
		}
		if line.Get("isSidechain").Bool() || line.Get("agentId").Str != "" {
			carry(&c.agent, line.Get("agentId"), sidechain)
			carry(&c.agentType, line.Get("agentName"))
		}
		_, err = r.w.add(c.call(r.f.at(number)), nil, c.id)
		return err == nil
	})
	return err
}

func (r *qwenReader) result(line gjson.Result) (err error) {
	status := line.Get("toolCallResult.status").Str
	line.Get("message.parts").ForEach(func(_, part gjson.Result) bool {
		v := part.Get("functionResponse")
		h := r.w.get(v.Get("id").Str)
		if h == nil {
			return true
		}
		googleOutcome(h.call, status, v.Get("response").Raw)
		err = r.w.settle(h)
		return err == nil
	})
	return err
}
