package hookio

import "github.com/tidwall/gjson"

// grok is Grok Build. It sends both spellings of its fields, runs the hooks of
// .claude and .cursor files too, and says when it cut an input short.
var grok = Host{
	Name:    "grok",
	Aliases: []string{"grok-build"},
	Title:   "Grok Build",
	Roots:   []string{".grok"},
	Detect:  func(p Top) bool { return p.Has("workspaceRoot", "hookEventName", "toolName") },
	Events: []EventName{
		{"pre_tool_use", PreToolUse},
		{"post_tool_use", PostToolUse},
		{"post_tool_use_failure", PostToolUseFailure},
		{"session_end", SessionEnd},
	},
	Fields:  fieldsCamel,
	Decode:  decodeGrok,
	Answers: []AnswerKey{{Path: "decision", Words: "allow ask deny"}},
	Encode:  encodeFlat,
	Shapes: []Shape{
		{Tools: "read_file", Kind: KindPath, Access: AccessRead, Keys: keysGrok, First: 5, Need: true},
		{Tools: "search_replace", Kind: KindPath, Access: AccessWrite, Keys: keysGrok, First: 5, Need: true, Also: alsoEdit},
		{Tools: "grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "target_directory", "paths", "glob", "include"}, First: 3, Filter: []string{"glob", "include"}, Also: alsoSearch},
		{Tools: "list_dir", Kind: KindPath, Access: AccessRead, Keys: []string{"target_directory", "path", "directory", "paths"}, First: 3},
	},
	Tools: []Pair{
		{"run_terminal_command", "Bash"}, {"run_terminal_cmd", "Bash"}, {"read_file", "Read"}, {"search_replace", "Edit"},
		{"list_dir", "LS"}, {"grep", "Grep"}, {"Task", "Agent"}, {"MultiEdit", "Edit"},
	},
	AskIs: askNested,
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, ""},
		{"", []Ending{EndsAsk}, FatePrompts, 0, ""},
		{"", []Ending{EndsDeny, EndsBlocked}, FateBlocks, 0, ""},
		{"", []Ending{EndsSilence, EndsLate}, FateHost, 0, ""},
		// registered with "|| exit 2"
		{"", []Ending{EndsFailed, EndsKilled, EndsMissing}, FateHost, FateBlocks, ""},
	},
	Source: "docs.x.ai/build/features/hooks; a live probe of 2026-09-13",
}

var keysGrok = []string{"file_path", "target_file", "path", "filePath", "notebook_path", "paths", "edits"}

// decodeGrok is decode. An input that was cut short is not the one that runs.
func decodeGrok(c *Call, p Top) {
	decode(c, p)
	if v := p.Get("toolInputTruncated"); v.Exists() && v.Type != gjson.False && v.Type != gjson.Null {
		c.fault("Grok Build truncated the input, so it is unknown what would run")
	}
	if root := p.Get("workspaceRoot"); root.Type == gjson.String {
		c.Project = root.Str
	}
}
