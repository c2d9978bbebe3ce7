package sessions

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// gemini is what Gemini CLI keeps: messages, of which the last with an id counts, or one object.
var gemini = Format{
	Name:  "gemini",
	Title: "session files of Gemini CLI",
	Files: []string{
		"${GEMINI_CLI_HOME:-~}/.gemini/tmp/*/chats/session-*.jsonl",
		"${GEMINI_CLI_HOME:-~}/.gemini/tmp/*/chats/session-*.json",
		"${GEMINI_CLI_HOME:-~}/.gemini/tmp/*/chats/*/*.jsonl",
	},
	Is: func(line gjson.Result) bool {
		return line.Get("sessionId").Exists() && line.Get("projectHash").Exists() ||
			line.Get("type").Str == "gemini" && line.Get("content").Exists()
	},
	Lacks: "which calls somebody was asked about and approved, the mode, and the folder where the session is not in the " +
		"folder of its project",
	Source: "google-gemini/gemini-cli packages/core/src/services/chatRecordingTypes.ts and config/projectRegistry.ts (2026)",
	Read:   readGemini,
}

type geminiReader struct {
	reader
	session, cwd, agent string
}

func readGemini(f *File, take func(*Call) error) error {
	r := &geminiReader{reader: newReader(f, take), cwd: geminiRoot(f.Name)}
	in := bufio.NewReaderSize(f.In, headSize)
	f.In = in
	head, _ := in.Peek(headSize)
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	first, ok := object(line)
	if ok && !first.Get("messages").Exists() || !ok && !geminiWhole(head) {
		return r.read(r.line)
	}
	if err := r.whole(); err != nil {
		return err
	}
	return r.w.end()
}

// geminiWhole reports whether a file begins like one object, on many lines or a very long one.
func geminiWhole(head []byte) bool {
	v := gjson.ParseBytes(head)
	return v.IsObject() && v.Get("projectHash").Exists()
}

// whole reads a file that is one object.
func (r *geminiReader) whole() error {
	text, err := io.ReadAll(io.LimitReader(r.f.In, maxLine+1))
	if err != nil {
		return err
	}
	r.f.Counts.Lines++
	v, ok := object(text)
	if !ok || len(text) > maxLine {
		r.f.Counts.Torn++
		return nil
	}
	return r.line(v)
}

func (r *geminiReader) line(line gjson.Result) (err error) {
	carry(&r.session, line.Get("sessionId"))
	if line.Get("kind").Str == "subagent" {
		carry(&r.agent, line.Get("sessionId"))
	}
	set := line.Get("$set")
	switch {
	case line.Get("toolCalls").Exists():
		return r.calls(line.Get("toolCalls"))
	case line.Get("messages").Exists(), set.Get("messages").Exists():
		for _, list := range [...]gjson.Result{line.Get("messages"), set.Get("messages")} {
			list.ForEach(func(_, message gjson.Result) bool {
				err = r.calls(message.Get("toolCalls"))
				return err == nil
			})
		}
		return err
	case set.Exists(), line.Get("$rewindTo").Exists(), line.Get("projectHash").Exists():
	default:
		switch line.Get("type").Str {
		case "user", "gemini", "info", "error", "warning":
		default:
			r.f.Counts.Unknown++
		}
	}
	return nil
}

func (r *geminiReader) calls(list gjson.Result) (err error) {
	list.ForEach(func(_, v gjson.Result) bool {
		if err = r.call(v); err != nil {
			return false
		}
		h := r.w.get(v.Get("id").Str)
		if h != nil && googleOutcome(h.call, v.Get("status").Str, v.Get("result").Raw) {
			err = r.w.settle(h)
		}
		return err == nil
	})
	return err
}

// call adds a call, unless this is a later line about it.
func (r *geminiReader) call(v gjson.Result) error {
	c := recorded{
		host: "gemini", event: "BeforeTool", tool: v.Get("name").Str, id: v.Get("id").Str, input: v.Get("args").Raw,
		session: r.session, cwd: r.cwd, agent: r.agent, time: v.Get("timestamp").Str,
	}
	carry(&c.agent, v.Get("agentId"))
	return r.add(&c)
}

// googleOutcome notes a call's outcome by its status, and reports whether that is its last.
func googleOutcome(c *Call, status, result string) bool {
	switch status {
	case "success":
		c.ended(false)
	case "cancelled":
		if strings.Contains(result, "did not allow") {
			c.refused(ByUser, status)
		}
	case "error":
		if strings.Contains(result, "denied by policy") {
			c.refused(ByRule, "")
		} else {
			c.ended(true)
		}
	default:
		return false
	}
	return true
}

// geminiRoot is the project's folder, which the program notes above chats, or "".
func geminiRoot(name string) string {
	dir := filepath.Dir(name)
	for filepath.Base(dir) != "chats" {
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	root := strings.TrimSpace(small(filepath.Join(filepath.Dir(dir), ".project_root")))
	if path.IsAbs(root) || filepath.IsAbs(root) { // the file may be from another system
		return root
	}
	return ""
}

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
	reader
	session, cwd, mode string
}

func readQwen(f *File, take func(*Call) error) error {
	r := &qwenReader{reader: newReader(f, take)}
	return r.read(r.line)
}

func (r *qwenReader) line(line gjson.Result) error {
	carry(&r.session, line.Get("sessionId"))
	carry(&r.cwd, line.Get("cwd"))
	switch line.Get("type").Str {
	case "assistant":
		return r.calls(line)
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

func (r *qwenReader) calls(line gjson.Result) (err error) {
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
		err = r.add(&c)
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
