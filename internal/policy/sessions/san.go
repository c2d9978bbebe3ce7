package sessions

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// gen is what Gen keeps of a session.
var gen = Format{
	Name:  "gen",
	Title: "session files of Gen",
	Files: []string{"~/.gen/projects/*/transcripts/*.jsonl"},
	Is: func(line gjson.Result) bool {
		return line.Get("transcriptId").Exists() && line.Get("time").Exists()
	},
	Lacks:  "which calls somebody was asked about, and which of those that failed were refused",
	Source: "yanmxa/gencode internal/session/transcript at v1.15.7 (2026-04-30)",
	Read:   readSan,
}

// san is what San, Gen's successor, keeps of a session, its questions and who answered included.
var san = Format{
	Name:  "san",
	Title: "session files of San",
	Files: []string{"~/.san/projects/*/transcripts/*.jsonl"},
	Is: func(line gjson.Result) bool {
		kind := line.Get("type").Str
		return line.Get("sessionId").Exists() && line.Get("time").Exists() && strings.Contains(kind, ".")
	},
	Lacks:  "which of the calls that failed without an answer of San's own were refused by a hook",
	Source: "genai-io/san internal/session/transcript (2026-08-22)",
	Read:   readSan,
}

type sanReader struct {
	reader
	call recorded // what calls have in common
}

func readSan(f *File, take func(*Call) error) error {
	r := &sanReader{reader: newReader(f, take), call: recorded{host: f.Format.Name}}
	return r.read(r.line)
}

func (r *sanReader) line(line gjson.Result) error {
	carry(&r.call.session, line.Get("sessionId"), line.Get("transcriptId"))
	carry(&r.call.cwd, line.Get("cwd"))
	switch kind := line.Get("type").Str; kind {
	case "message.appended":
		return r.message(line)
	case "state.patched", "session.state.patched":
		line.Get("state.ops").ForEach(func(_, op gjson.Result) bool {
			if op.Get("path").Str == "mode" {
				r.mode(op.Get("value").Str)
			}
			return true
		})
	case "permission.required", "permission.decided":
		r.permission(kind == "permission.decided", line.Get("permission"))
	default:
		entity, _, _ := strings.Cut(kind, ".")
		switch entity {
		case "transcript", "session", "inference", "system", "tool", "hook", "skill", "notice":
		default:
			r.f.Counts.Unknown++
		}
	}
	return nil
}

// mode notes the mode, in the words of the hook.
func (r *sanReader) mode(word string) {
	switch word {
	case "normal":
		word = "default"
	case "auto-accept":
		word = "auto"
	case "auto-pilot":
		word = "autoPilot"
	}
	if word != "" {
		r.call.mode = strings.Clone(word)
	}
}

func (r *sanReader) message(line gjson.Result) error {
	content := line.Get("message.content")
	if err := r.w.results(content, sanResult); err != nil {
		return err
	}
	return uses(content, func(block gjson.Result) error {
		c := r.call.of(block)
		c.time = line.Get("time").Str
		if agent := line.Get("agentId"); line.Get("isSidechain").Bool() {
			carry(&c.agent, agent, sidechain)
		}
		c.about = sanKey(c.tool, c.input)
		return r.add(&c)
	})
}

func sanResult(c *Call, block gjson.Result) {
	if c.Outcome == "" {
		plainResult(c, block)
	}
}

// sanKey is the same for a call and what is recorded about its permission.
func sanKey(tool, input string) string {
	var v any
	if json.Unmarshal([]byte(input), &v) == nil {
		if b, err := json.Marshal(v); err == nil {
			input = string(b)
		}
	}
	return tool + "\x00" + input
}

// permission notes that someone is to be asked about a call, or who decided it.
func (r *sanReader) permission(decided bool, p gjson.Result) {
	key := sanKey(p.Get("tool").String(), p.Get("input").Raw)
	for _, h := range r.w.queue {
		if h.known || h.about != key {
			continue
		}
		if decided {
			h.about = ""
			h.call.decidedBySan(p)
		}
		return
	}
}

func (c *Call) decidedBySan(p gjson.Result) {
	by, asked := ByUnknown, No
	switch p.Get("source").Str {
	case "user":
		by, asked = ByUser, Yes
	case "config", "mode":
		by = ByRule
	case "reviewer":
		by = ByClassifier
	case "hook":
	default:
		asked = Unknown
	}
	if p.Get("decision").Str == "reject" {
		c.refused(by, "")
	}
	c.Prompted = asked
}

// droid is what Factory Droid keeps of a session.
var droid = Format{
	Name:  "droid",
	Title: "session files of Factory Droid",
	Files: []string{
		"${FACTORY_HOME_OVERRIDE:-~}/.factory/sessions/*.jsonl",
		"${FACTORY_HOME_OVERRIDE:-~}/.factory/sessions/*/*.jsonl",
		"${FACTORY_HOME_OVERRIDE:-~}/.factory/projects/*/*.jsonl",
	},
	Is: func(line gjson.Result) bool {
		switch line.Get("type").Str {
		case "session_start":
			return line.Get("id").Exists()
		case "message":
			return line.Get("message.content").Exists()
		}
		return false
	},
	Lacks:  "which calls somebody was asked about, which of those that failed were refused, and the mode",
	Source: "session files of Factory Droid as read by public programs (2026-07); none was seen",
	Read:   readDroid,
}

type droidReader struct {
	reader
	call recorded // what calls have in common
}

func readDroid(f *File, take func(*Call) error) error {
	r := &droidReader{reader: newReader(f, take), call: recorded{host: "droid"}}
	return r.read(r.line)
}

func (r *droidReader) line(line gjson.Result) error {
	switch line.Get("type").Str {
	case "session_start":
		carry(&r.call.session, line.Get("id"))
		carry(&r.call.cwd, line.Get("cwd"))
		if line.Get("callingSessionId").Str != "" {
			carry(&r.call.agent, line.Get("id"))
		}
		return nil
	case "message":
	case "todo_state", "session_end", "compaction_state", "session_title":
		return nil
	default:
		r.f.Counts.Unknown++
		return nil
	}
	content := line.Get("message.content")
	if err := r.w.results(content, plainResult); err != nil {
		return err
	}
	r.call.time = line.Get("timestamp").Str
	return uses(content, func(block gjson.Result) error {
		c := r.call.of(block)
		return r.add(&c)
	})
}
