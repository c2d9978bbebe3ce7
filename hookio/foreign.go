package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// A mark tells the payloads of a program that has no adapter yet.
type mark struct {
	title  string
	detect func(Top) bool
}

// foreignMarks are tried in order. A host that gets an adapter leaves this list.
var foreignMarks = [...]mark{
	{"Windsurf", func(p Top) bool { return p.Has("agent_action_name", "tool_info") }},
	{"Antigravity", func(p Top) bool { return p.Get("toolCall").IsObject() }},
	{"Cline", func(p Top) bool {
		return p.Has("hookName", "preToolUse") || p.Has("hookName", "clineVersion")
	}},
	{"Devin CLI", func(p Top) bool { return p.Has("hook_event_name", "prompt_id") && !p.Has("transcript_path") }},
}

// foreign returns the title of the program without adapter whose marks p carries, or "".
func foreign(p Top) string {
	for _, m := range foreignMarks {
		if m.detect(p) {
			return m.title
		}
	}
	return ""
}

// isoTime reports a date in the form 2026-09-05T10:00:00.
func isoTime(v gjson.Result) bool {
	return v.Type == gjson.String && len(v.Str) > 10 && v.Str[4] == '-' && v.Str[10] == 'T'
}

// transcriptIn reports whether the transcript lies below a folder called dir.
func transcriptIn(p Top, dir string) bool {
	v := p.Get("transcript_path")
	if v.String() == "" {
		v = p.Get("transcriptPath")
	}
	return v.Type == gjson.String && strings.Contains(strings.ReplaceAll(v.Str, `\`, "/"), "/"+dir+"/")
}
