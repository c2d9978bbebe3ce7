package sessions

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// claude is what Claude Code keeps of a session, without approvals. Streamed messages
// and resumed or forked sessions repeat calls, which their id tells apart.
var claude = Format{
	Name:  "claude",
	Title: "session files of Claude Code",
	Files: []string{
		"${CLAUDE_CONFIG_DIR:-~/.claude}/projects/*/*.jsonl",
		"${CLAUDE_CONFIG_DIR:-~/.claude}/projects/*/*/subagents/agent-*.jsonl",
		"${CLAUDE_CONFIG_DIR:-~/.claude}/projects/*/*/subagents/workflows/*/agent-*.jsonl",
	},
	Is: func(line gjson.Result) bool {
		switch line.Get("type").Str {
		case "assistant", "user":
			// The content of a line that was cut is not there.
			return line.Get("message.content").Exists() || line.Get("userType").Exists() && line.Get("message").IsObject()
		case "file-history-snapshot", "queue-operation", "permission-mode", "last-prompt", "custom-title":
			return true
		case "summary":
			return line.Get("leafUuid").Exists()
		case "attachment", "progress", "system":
			return line.Get("userType").Exists() || line.Get("permissionMode").Exists()
		}
		return false
	},
	Lacks:  "which calls somebody was asked about and approved",
	Source: "session files of Claude Code 2.0 to 2.1.329 (2026-11); code.claude.com/docs how-claude-code-works",
	Read:   readClaude,
}

// A claudeReader carries on what earlier lines said.
type claudeReader struct {
	reader
	session, cwd, mode string
	agentType          string   // of the subagent that the file is of
	modes              []moment // of the session that this is a subagent of
}

func readClaude(f *File, take func(*Call) error) error {
	r := &claudeReader{reader: newReader(f, take)}
	if main := sessionOf(f.Name); main != "" {
		r.agentType, r.modes = agentTypeOf(f.Name), f.Seen.modesOf(main)
	}
	return r.read(r.line)
}

func (r *claudeReader) line(line gjson.Result) error {
	side := line.Get("isSidechain").Bool() || line.Get("parent_tool_use_id").Str != ""
	carry(&r.cwd, line.Get("cwd"))
	carry(&r.session, line.Get("sessionId"), line.Get("session_id"))
	if !side {
		carry(&r.mode, line.Get("permissionMode"))
	}
	switch line.Get("type").Str {
	case "assistant":
		return r.calls(line, side)
	case "user":
		return r.w.results(line.Get("message.content"), func(c *Call, block gjson.Result) { claudeOutcome(c, line, block) })
	case "system", "progress", "attachment", "file-history-snapshot", "queue-operation", "last-prompt", "custom-title",
		"mode", "permission-mode", "summary", "pr-link", "result", "stream_event", "ai-title", "agent-name", "tag",
		"cost-state":
		return nil
	}
	r.f.Counts.Unknown++
	return nil
}

// carry keeps the first value that is a text.
func carry(to *string, values ...gjson.Result) {
	for _, v := range values {
		if v.Type == gjson.String && v.Str != "" {
			if *to != v.Str {
				*to = strings.Clone(v.Str)
			}
			return
		}
	}
}

func (r *claudeReader) calls(line gjson.Result, side bool) error {
	common := recorded{
		host: "claude", session: r.session, cwd: r.cwd, mode: r.mode, time: line.Get("timestamp").Str,
	}
	if common.mode == "" {
		common.mode = modeAt(r.modes, common.time)
	}
	if side {
		common.agentType = r.agentType
		carry(&common.agent, line.Get("agentId"), line.Get("parent_tool_use_id"), sidechain)
	}
	return uses(line.Get("message.content"), func(block gjson.Result) error {
		c := common.of(block)
		return r.add(&c)
	})
}

// sidechain is the id of a subagent whose file names none.
var sidechain = gjson.Result{Type: gjson.String, Str: "sidechain"}

// claudeOutcome notes a call's outcome. Before 2.1.205 only a sentence tells of a refusal.
func claudeOutcome(c *Call, line, part gjson.Result) {
	failed := part.Get("is_error").Bool()
	kind := line.Get("toolDenialKind").Str
	switch {
	case kind == "user-rejected" && strings.Contains(textOf(part.Get("content")), "requires approval"):
		c.refused(ByUnknown, kind) // its word also where there is no user to ask
	case kind != "":
		c.denied(kind)
	case !failed:
		c.ended(false)
	default:
		text := strings.TrimPrefix(line.Get("toolUseResult").Str, "Error: ")
		if !c.refusedBy(claudeSentences[:], text, textOf(part.Get("content"))) {
			c.ended(true)
		}
	}
}

// denied notes Claude Code's word for a call that did not run.
func (c *Call) denied(kind string) {
	switch kind {
	case "user-rejected":
		c.refused(ByUser, kind)
	case "permission-rule":
		c.refused(ByRule, kind)
	case "interrupted", "cancelled": // it may have run
	default:
		by := ByUnknown
		if strings.HasPrefix(kind, "automode-") {
			by = ByClassifier
		}
		c.refused(by, kind)
	}
}

// claudeSentences are how results begin that say that a call did not run.
var claudeSentences = [...]sentence{
	{"User rejected tool use", "", ByUser},
	{"The user doesn't want to proceed with this tool use", "", ByUser},
	{"The user doesn't want to take this action right now", "", ByUser},
	{"[Request interrupted by user", "", ""},
	{"Permission to use ", "denied", ByRule},
	{"Permission for this action has been denied", "", ByClassifier},
	{"Claude requested permissions to ", "haven't granted", ByUnknown},
}

// textOf is the text of a result: itself, or of its first part.
func textOf(v gjson.Result) string {
	if v.IsArray() {
		return v.Get("0.text").Str
	}
	return v.Str
}

// A subagent has a file of its own, in its session's folder subagents or deeper, and its
// type in one next to it; its mode is in the session's file.

// A moment is when a mode began; time is as the file spells it, in UTC.
type moment struct{ time, mode string }

// sessionOf is the file of the session whose subagent a file is of, "" for none.
func sessionOf(name string) string {
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		switch {
		case filepath.Base(dir) == "subagents":
			return filepath.Dir(dir) + ".jsonl"
		case dir == filepath.Dir(dir):
			return ""
		}
	}
}

// agentTypeOf is the type of the subagent that a file is of.
func agentTypeOf(name string) (agentType string) {
	carry(&agentType, gjson.Get(small(strings.TrimSuffix(name, ".jsonl")+".meta.json"), "agentType"))
	return agentType
}

// small reads a file that is no longer than a few lines; "" for any other.
func small(name string) string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > headSize {
		return ""
	}
	text, _ := os.ReadFile(name)
	return string(text)
}

// modes are those of a session, by its file, which is read for them once.
func (s *Seen) modesOf(name string) []moment {
	if m, ok := s.modes[name]; ok || name == "" {
		return m
	}
	if s.modes == nil || len(s.modes) >= maxRemembered {
		s.modes = map[string][]moment{}
	}
	s.modes[name] = readModes(name)
	return s.modes[name]
}

func readModes(name string) (out []moment) {
	in, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer in.Close()
	var mode, when string
	f := &File{In: in, Counts: &Counts{}}
	f.lines(func(line []byte) error {
		if bytes.Contains(line, []byte(`"timestamp":"`)) {
			carry(&when, gjson.GetBytes(line, "timestamp"))
		}
		if !bytes.Contains(line, []byte(`"permissionMode":"`)) {
			return nil
		}
		if v, ok := object(line); ok && !v.Get("isSidechain").Bool() {
			carry(&mode, v.Get("permissionMode"))
		}
		if n := len(out); mode != "" && (n == 0 || out[n-1].mode != mode) {
			out = append(out, moment{when, mode})
		}
		return nil
	})
	return out
}

// modeAt is the mode at a time, "" where none is known.
func modeAt(modes []moment, when string) (mode string) {
	for _, m := range modes {
		if mode == "" || m.time <= when {
			mode = m.mode
		}
	}
	return mode
}
