package hookio

import "github.com/tidwall/gjson"

// gen is Gen (gencode). Its payloads say auto for what permgate and Gen's own
// settings call acceptEdits.
var gen = Host{
	Name:        "gen",
	Aliases:     []string{"gencode"},
	Title:       "Gen",
	Roots:       []string{".gen"},
	Detect:      func(p gjson.Result) bool { return transcriptIn(p, ".gen") },
	Encode:      encodeNested,
	Modes:       []Pair{{"default", "default"}, {"auto", "acceptEdits"}, {"bypassPermissions", "bypassPermissions"}},
	Tools:       []Pair{{"Task", "Agent"}, {"MultiEdit", "Edit"}},
	AskIs:       askNested,
	ProjectVar:  "GEN_PROJECT_DIR",
	ConfigPaths: []string{"~/.gen/settings.json", ".gen/settings.json", ".gen/settings.local.json"},
	Register:    &registerGen,
	Source:      "github.com/yanmxa/gencode docs/hook.md and internal/hook, v1.15.7 (2026-04-30)",
	Examples: []Example{{
		Name: "accept-edits mode", Event: PreToolUse,
		In:    `{"session_id":"s-1","transcript_path":"/home/u/.gen/projects/x/s-1.jsonl","cwd":"/home/u/app","permission_mode":"auto","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/home/u/app/a.go","content":"package a\n"}}`,
		Want:  "Write /home/u/app/a.go",
		Allow: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"why"}}`,
		Ask:   `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`,
		Deny:  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}`,
	}},
}
