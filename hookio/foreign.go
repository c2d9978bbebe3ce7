package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// A mark tells the payloads of a program that has no adapter yet.
type mark struct {
	title  string
	detect func(gjson.Result) bool
}

// foreignMarks are tried in order. A host that gets an adapter leaves this list.
var foreignMarks = [...]mark{
	{"Windsurf", func(p gjson.Result) bool { return has(p, "agent_action_name", "tool_info") }},
	{"Antigravity", func(p gjson.Result) bool { return p.Get("toolCall").IsObject() }},
	{"Cline", func(p gjson.Result) bool {
		return has(p, "hookName", "preToolUse") || has(p, "hookName", "clineVersion")
	}},
	{"Devin CLI", func(p gjson.Result) bool { return has(p, "hook_event_name", "prompt_id") && !has(p, "transcript_path") }},
}

// foreign returns the title of the program without adapter whose marks p carries, or "".
func foreign(p gjson.Result) string {
	for _, m := range foreignMarks {
		if m.detect(p) {
			return m.title
		}
	}
	return ""
}

func has(p gjson.Result, keys ...string) bool {
	for _, k := range keys {
		if !p.Get(k).Exists() {
			return false
		}
	}
	return true
}

// isoTime reports a date in the form 2026-09-05T10:00:00.
func isoTime(v gjson.Result) bool {
	return v.Type == gjson.String && len(v.Str) > 10 && v.Str[4] == '-' && v.Str[10] == 'T'
}

// transcriptIn reports whether the transcript lies below a folder called dir.
func transcriptIn(p gjson.Result, dir string) bool {
	path := p.Get("transcript_path").String()
	if path == "" {
		path = p.Get("transcriptPath").String()
	}
	path = strings.ReplaceAll(path, `\`, "/")
	return strings.Contains(path, "/"+dir+"/")
}
