package hookio

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

// primary is what a call is about.
func primary(c *Call) string {
	switch {
	case c.Command != "":
		return c.Command
	case c.URL != "":
		return c.URL
	case len(c.Args) > 0:
		return c.Args[0].Path
	}
	return c.Name
}

func read(t *testing.T, in string, o Options) *Call {
	t.Helper()
	c, err := Read(strings.NewReader(in), o)
	if err != nil {
		t.Fatalf("Read(%s): %v", in, err)
	}
	return c
}

func TestComplete(t *testing.T) {
	for _, h := range Hosts() {
		if len(h.Examples()) == 0 || h.Source == "" || h.Title == "" || h.AskIs == nil || h.Detect == nil {
			t.Errorf("%s: incomplete", h.Name)
		}
	}
}

// TestHosts finds the Host literal of every host_*.go in Hosts.
func TestHosts(t *testing.T) {
	files, err := filepath.Glob("host_*.go")
	if err != nil || len(files) != len(Hosts()) {
		t.Errorf("%d files, %d hosts, %v", len(files), len(Hosts()), err)
	}
	name := regexp.MustCompile(`= (?:\w+\()?Host\{\s*Name:\s*"([\w-]+)"`)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := name.FindSubmatch(src); m == nil || Lookup(string(m[1])) == nil {
			t.Errorf("%s: its host is not in Hosts", file)
		}
	}
	if Lookup("claude-code") != &claude || Lookup("gencode") != &gen || Lookup("Claude") != nil {
		t.Error("aliases")
	}
}

func TestEvents(t *testing.T) {
	tool := `"tool_name":"Bash","tool_input":{"command":"ls"}`
	for _, tt := range []struct {
		in, flag string
		want     Event
		tool     string
	}{
		{`{` + tool + `}`, "", PreToolUse, "Bash"},
		{`{` + tool + `}`, "PermissionRequest", PermissionRequest, "Bash"},
		{`{` + tool + `}`, "preToolUse", PreToolUse, "Bash"},
		{`{` + tool + `}`, "pre_tool_use", PreToolUse, "Bash"},
		{`{"hook_event_name":"PermissionRequest",` + tool + `}`, "PreToolUse", PermissionRequest, "Bash"},
		{`{"hook_event_name":"",` + tool + `}`, "PermissionRequest", PermissionRequest, "Bash"},
		{`{"hook_event_name":null,` + tool + `}`, "", PreToolUse, "Bash"},
		{`{"hook_event_name":"pretooluse",` + tool + `}`, "", PreToolUse, "Bash"},
		{`{"hook_event_name":"PostToolUse",` + tool + `}`, "", "PostToolUse", "Bash"},
		{`{"hook_event_name":"SessionEnd","session_id":"s"}`, "", "SessionEnd", ""},
		{`{"session_id":"s"}`, "SessionStart", "SessionStart", ""},
		{`{"hook_event_name":"PostToolUse","hook_event_name":"PreToolUse",` + tool + `}`, "", PreToolUse, "Bash"},
	} {
		c := read(t, tt.in, Options{Event: tt.flag})
		if c.Event != tt.want || c.Tool != tt.tool {
			t.Errorf("%s: event %s tool %q", tt.in, c.Event, c.Tool)
		}
		if out := Write(nil, c, Answer{Decision: Deny, Reason: "x"}); (len(out) > 0) != tt.want.Decides() {
			t.Errorf("%s: answered %q", tt.in, out)
		}
	}
}

func TestHostChoice(t *testing.T) {
	call := `"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}`
	for _, tt := range []struct {
		name, in, flag string
		want           string // host name, or part of the problem
		named          bool
	}{
		{"plain", `{` + call + `}`, "", "generic", false},
		{"plain, flag", `{` + call + `}`, "claude", "claude", true},
		{"alias", `{` + call + `}`, "gencode", "gen", true},
		{"session start", `{"hook_event_name":"SessionStart"}`, "", "generic", false},
		{"session start, flag", `{"hook_event_name":"SessionStart"}`, "claude", "claude", true},
		{"unknown flag", `{` + call + `}`, "clod", "unknown host", false},
		{"claude", `{"transcript_path":"/h/.claude/x.jsonl",` + call + `}`, "", "claude", false},
		{"flag codex on claude's payload", `{"transcript_path":"/h/.claude/x.jsonl",` + call + `}`, "codex", "codex", true},
		{"san runs claude's file", `{"transcript_path":"/h/.san/x.jsonl",` + call + `}`, "claude", "san", false},
		{"codex", `{"turn_id":"t",` + call + `}`, "", "codex", false},
		{"cursor", `{"cursor_version":"3",` + call + `}`, "", "cursor", false},
		{"cursor by its ids", `{"conversation_id":"c","generation_id":"g",` + call + `}`, "", "cursor", false},
		{"cursor runs claude's file", `{"cursor_version":"3",` + call + `}`, "claude", "cursor", false},
		{"cursor runs its own", `{"cursor_version":"3",` + call + `}`, "cursor", "cursor", true},
		{"grok runs cursor's file", `{"workspaceRoot":"/w","hookEventName":"pre_tool_use","toolName":"Bash",` + call + `}`, "cursor", "grok", false},
		{"windsurf", `{"agent_action_name":"pre_run_command","tool_info":{}}`, "", "Windsurf", false},
		{"antigravity", `{"toolCall":{"name":"run_command","args":{}}}`, "", "antigravity", false},
		{"cline", `{"clineVersion":"4","hookName":"PreToolUse"}`, "", "Cline", false},
		{"grok", `{"workspaceRoot":"/w","hookEventName":"pre_tool_use","toolName":"Bash",` + call + `}`, "claude", "grok", false},
		{"goose", `{"event":"PreToolUse","working_dir":"/w","tool_name":"developer__shell","tool_input":{}}`, "", "goose", false},
		{"goose by its matcher", `{"event":"PreToolUse","matcher_context":"x","tool_name":"developer__shell","tool_input":{}}`, "", "goose", false},
		{"crush", `{"event":"PreToolUse","tool_name":"bash","tool_input":{}}`, "", "crush", false},
		{"opencode", `{"agent":"opencode","plugin":1,` + call + `}`, "", "opencode", false},
		{"kilo", `{"agent":"kilo","plugin":1,` + call + `}`, "", "kilo", false},
		{"opencode, another agent's word", `{"agent":"opencode",` + call + `}`, "", "generic", false},
		{"factory", `{"transcript_path":"/h/.factory/x",` + call + `}`, "", "droid", false},
		{"factory, camelCase", `{"transcriptPath":"/h/.factory/x","sessionId":"s","hookEventName":"PreToolUse","tool_name":"Execute","tool_input":{}}`, "", "droid", false},
		{"factory runs claude's file", `{"transcript_path":"/h/.factory/x",` + call + `}`, "claude", "droid", false},
		{"copilot", `{"toolName":"bash","toolArgs":"{}"}`, "", "copilot", false},
		{"copilot, pascal case", `{"timestamp":"2026-09-05T10:00:00.000Z",` + call + `}`, "", "copilot", false},
		{"copilot runs claude's file", `{"timestamp":"2026-09-05T10:00:00.000Z",` + call + `}`, "claude", "copilot", false},
		{"copilot, flag", `{"toolName":"bash","toolArgs":{}}`, "copilot", "copilot", true},
		{"copilot, session", `{"sessionId":"s","timestamp":1788000000000,"cwd":"/w","toolName":"x","toolArgs":{}}`, "", "copilot", false},
		{"vs code", `{"hookEventName":"PreToolUse","sessionId":"s","tool_name":"run_in_terminal","tool_input":{}}`, "", "vscode", false},
		{"vs code runs claude's file", `{"hookEventName":"PreToolUse","sessionId":"s","tool_name":"run_in_terminal","tool_input":{}}`, "claude", "vscode", false},
		{"vs code runs copilot's file", `{"hookEventName":"PreToolUse","sessionId":"s","tool_name":"run_in_terminal","tool_input":{}}`, "copilot", "vscode", false},
		{"vs code in the other spelling", `{"timestamp":"2026-09-05T10:00:00.000Z","hook_event_name":"PreToolUse","transcript_path":"/x/t.json","tool_name":"run_in_terminal","tool_input":{}}`, "claude", "vscode", false},
		{"devin runs claude's file", `{"prompt_id":"p",` + call + `}`, "claude", "Devin", false},
		{"copilot runs vs code's file", `{"toolName":"bash","toolArgs":{}}`, "vscode", "copilot", false},
		{"gemini", `{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{}}`, "", "gemini", false},
		{"gemini runs a migrated claude file", `{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{}}`, "claude", "gemini", false},
		{"gemini, session", `{"hook_event_name":"SessionEnd","transcript_path":"/h/.gemini/tmp/x.json"}`, "", "gemini", false},
		{"qwen", `{"transcript_path":"/h/.qwen/x",` + call + `}`, "", "qwen", false},
	} {
		c, err := Read(strings.NewReader(tt.in), Options{Host: tt.flag})
		if err != nil {
			if c != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if c.Host.Name != tt.want || c.Named != tt.named {
			t.Errorf("%s: host %s, named %v", tt.name, c.Host.Name, c.Named)
		}
	}
}

func TestFields(t *testing.T) {
	c := read(t, `{"session_id":"s","transcript_path":"/h/.claude/t.jsonl","cwd":"/w","permission_mode":"manual","agent_id":null,"agent_type":"reviewer",
		"tool_name":"ExitPlanMode","tool_input":{"plan":"do it","planFilePath":"/h/.claude/plans/x.md"}}`, Options{})
	got := *c
	got.Host, got.Input = nil, gjson.Result{}
	want := Call{Event: PreToolUse, Tool: "ExitPlanMode", RawTool: "ExitPlanMode", Cwd: "/w", Transcript: "/h/.claude/t.jsonl", SessionID: "s",
		AgentType: "reviewer", RawMode: "manual", Mode: "default", PlanFile: "/h/.claude/plans/x.md"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if c.Subagent() {
		t.Error("agent_type alone is the main session of Claude Code")
	}
	for _, tt := range []struct{ host, mode, want string }{
		{"gen", "auto", "acceptEdits"}, {"san", "auto", "acceptEdits"}, {"san", "autoPilot", "autoPilot"},
		{"claude", "auto", "auto"}, {"", "auto", "auto"}, {"", "explore", "explore"}, {"claude", "BypassPermissions", "BypassPermissions"},
	} {
		c := read(t, `{"permission_mode":"`+tt.mode+`","agent_type":"x","tool_name":"Task","tool_input":{}}`, Options{Host: tt.host})
		if c.Mode != tt.want || c.RawMode != tt.mode {
			t.Errorf("%s %s: %s", tt.host, tt.mode, c.Mode)
		}
		if c.Subagent() == (tt.host == "claude") {
			t.Errorf("%s: subagent %v", tt.host, c.Subagent())
		}
	}
}

func TestArgs(t *testing.T) {
	for _, tt := range []struct {
		tool, in string
		want     []Arg
	}{
		{"Read", `{"file_path":"/a","offset":3}`, []Arg{{"/a", AccessRead, false}}},
		{"Write", `{"path":"~/a","content":"x"}`, []Arg{{"~/a", AccessWrite, false}}},
		{"NotebookEdit", `{"path":"b","notebook_path":"a.ipynb"}`, []Arg{{"a.ipynb", AccessWrite, false}, {"b", AccessWrite, false}}},
		{"Edit", `{"edits":[{"file_path":"b"},{"path":"c"}],"paths":["d","e"],"file_path":"a"}`,
			[]Arg{{"a", AccessWrite, false}, {"d", AccessWrite, false}, {"e", AccessWrite, false}, {"b", AccessWrite, false}, {"c", AccessWrite, false}}},
		{"MultiEdit", `{"file_path":"a","edits":[{"old_string":"x","new_string":"y"}]}`, []Arg{{"a", AccessWrite, false}}},
		{"Grep", `{"pattern":"x","path":"/etc"}`, []Arg{{"/etc", AccessRead, false}}},
		{"Glob", `{"pattern":"**/*.go"}`, nil},
		{"Glob", `{}`, nil},
		{"Glob", `{"pattern":"x","path":""}`, nil},
		{"LSP", `{"operation":"hover","filePath":"/a.go","line":1}`, []Arg{{"/a.go", AccessRead, false}}},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Add File: a\n+*** Add File: no\n*** Update File: b \n*** Move to: c\r\n@@\n-x\n*** Delete File: d\n*** End of File\n*** End Patch"}`,
			[]Arg{{"a", AccessWrite, false}, {"b", AccessWrite, false}, {"c", AccessWrite, false}, {"d", AccessWrite, false}}},
		{"mcp__fs__read", `{"path":"/a"}`, nil},
	} {
		c := read(t, `{"tool_name":"`+tt.tool+`","tool_input":`+tt.in+`}`, Options{})
		if c.Malformed != "" {
			t.Errorf("%s %s: %s", tt.tool, tt.in, c.Malformed)
		}
		if d := cmp.Diff(tt.want, c.Args); d != "" {
			t.Errorf("%s %s: %s", tt.tool, tt.in, d)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ tool, in, want string }{
		{"Agent", `{"subagent_type":"Explore"}`, "Explore"},
		{"Task", `{"subagent_type":"Explore"}`, "Explore"},
		{"Agent", `{"prompt":"x"}`, ""},
		{"Skill", `{"skill":"ns:x"}`, "ns:x"},
		{"WebSearch", `{"query":"q"}`, "q"},
		{"mcp__s__t", `{"url":"u","query":"q"}`, "q"},
		{"mcp__s__t", `{"query":{"a":1}}`, ""},
		{"Custom", `{"name":"n"}`, "n"},
		{"TaskList", `{}`, ""},
	} {
		c := read(t, `{"tool_name":"`+tt.tool+`","tool_input":`+tt.in+`}`, Options{})
		if c.Name != tt.want || c.HasName != (tt.want != "") || c.Malformed != "" {
			t.Errorf("%s %s: %q %v %s", tt.tool, tt.in, c.Name, c.HasName, c.Malformed)
		}
	}
}

func TestWrite(t *testing.T) {
	long := strings.Repeat("é", 9000)
	for _, tt := range []struct {
		host string
		d    Decision
		why  string
		want string // decision and decoded reason
	}{
		{"claude", Ask, "a\nb\u200b\"c\"\\ \xff \u202e", `ask a\nb\u200b"c"\ \xff \u202e`},
		{"codex", Deny, "", "deny permgate gave no reason"},
		{"claude", Decision(9), "x", "deny x"},
		{"gen", Deny, long, "deny " + long[:8990] + " ... (cut)"},
		{"codex", Ask, long, "deny " + long[:8918] + " ... (cut). Codex cannot ask here, so this is denied: tell the user, who can do it"},
	} {
		c := &Call{Host: Lookup(tt.host), Event: PreToolUse}
		line := string(Write([]byte("#"), c, Answer{Decision: tt.d, Reason: tt.why}))
		if !strings.HasPrefix(line, "#{") || strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("not one line: %q", line)
		}
		var out struct {
			HookSpecificOutput struct{ HookEventName, PermissionDecision, PermissionDecisionReason string }
		}
		if err := json.Unmarshal([]byte(line[1:]), &out); err != nil {
			t.Fatal(err)
		}
		o := out.HookSpecificOutput
		if got := o.PermissionDecision + " " + o.PermissionDecisionReason; got != tt.want || o.HookEventName != "PreToolUse" {
			t.Errorf("%s: got %d bytes %.80q, want %d bytes %.80q", tt.host, len(got), got, len(tt.want), tt.want)
		}
		if len(o.PermissionDecisionReason) > maxReason {
			t.Errorf("reason of %d bytes", len(o.PermissionDecisionReason))
		}
	}
	if out := string(Write(nil, nil, Answer{Decision: Ask, Reason: "x"})); !strings.Contains(out, `"permissionDecision":"ask"`) {
		t.Errorf("without a call: %q", out)
	}
	silent := &Call{Host: &Host{Encode: encodeNested, Title: "T"}, Event: PreToolUse}
	if out := Write(nil, silent, Answer{Decision: Ask, Reason: "x"}); !strings.Contains(string(out), `"deny"`) {
		t.Errorf("a host that does not say what ask is: %s", out)
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain `x` \\n":                          "plain `x` \\n",
		"日本 е é 👍":                               "日本 е é 👍",
		"a\tb\r\n":                               `a\tb\r\n`,
		"\x00\x1b[2K\x7f\u0085":                  `\u0000\u001b[2K\u007f\u0085`,
		"\u00ad\u200d\u2066\u2028\ufeff\u00a0":   `\u00ad\u200d\u2066\u2028\ufeff\u00a0`,
		"\ufe0f\u3164\u2800\U000e0041\U000e0100": `\ufe0f\u3164\u2800\U000e0041\U000e0100`,
		"\xc3(\xff\ufffd":                        `\xc3(\xff` + "\ufffd",
	} {
		if got := Escape(in); got != want {
			t.Errorf("%q: got %q want %q", in, got, want)
		}
	}
}

// TestHostNames checks the tables a host brings along: other spellings of
// events and payload fields, input as text, and a line for silence.
func TestHostNames(t *testing.T) {
	h := &Host{
		Name: "x", Title: "X", AskIs: askNested, Encode: encodeNested, Silence: `{"ok":true}`, InputText: true,
		Events: []EventName{{"beforeTool", PreToolUse}, {"afterTool", PostToolUse}},
		Fields: []Pair{{"toolName", "tool_name"}, {"toolArgs", "tool_input"}, {"event", "hook_event_name"}, {"sessionId", "session_id"}},
		Shapes: []Shape{{Tools: "look", Kind: KindPath, Access: AccessRead, Keys: []string{"where"}, First: 1, Need: true}},
	}
	for _, tt := range []struct{ in, flag, event, raw, tool, session, fault string }{
		{`{"event":"beforeTool","toolName":"look","toolArgs":"{\"where\":\"a\"}","sessionId":"s"}`, "", "PreToolUse", "beforeTool", "look", "s", ""},
		{`{"event":"before_tool","toolName":"look","toolArgs":{"where":"a"}}`, "", "PreToolUse", "before_tool", "look", "", ""},
		{`{"toolName":"look","toolArgs":{"where":"a"}}`, "afterTool", "PostToolUse", "afterTool", "look", "", ""},
		{`{"toolName":"look","tool_name":"look","toolArgs":{"where":"a"}}`, "", "PreToolUse", "", "look", "", ""},
		{`{"toolName":"look","tool_name":"rm","toolArgs":{"where":"a"}}`, "", "PreToolUse", "", "look", "", "twice"},
		{`{"toolname":"look","toolName":"look","toolArgs":{"where":"a"}}`, "", "PreToolUse", "", "look", "", "only in case"},
		{`{"toolName":"look","toolArgs":"{\"where\":\"a\""}`, "", "PreToolUse", "", "look", "", "not a JSON object"},
		{`{"toolName":"look","toolArgs":{"Where":"a"}}`, "", "PreToolUse", "", "look", "", "only in case"},
	} {
		c := &Call{Host: h}
		top := topOf(tt.in)
		c.setEvent(top, Options{Event: tt.flag})
		decode(c, top)
		if string(c.Event) != tt.event || c.RawEvent != tt.raw || c.Tool != tt.tool || c.SessionID != tt.session {
			t.Errorf("%s: %s %s %s %s", tt.in, c.Event, c.RawEvent, c.Tool, c.SessionID)
		}
		if c.Malformed != "" && tt.fault == "" || !strings.Contains(c.Malformed, tt.fault) {
			t.Errorf("%s: malformed %q, want %q", tt.in, c.Malformed, tt.fault)
		}
		if c.Event == PreToolUse && c.Malformed == "" && (len(c.Args) != 1 || c.Args[0].Path != "a") {
			t.Errorf("%s: paths %v", tt.in, c.Args)
		}
	}
	if got := string(Write(nil, &Call{Host: h, Event: PreToolUse}, Answer{})); got != h.Silence+"\n" {
		t.Errorf("silence is %q", got)
	}
}

func TestAfter(t *testing.T) {
	h := &Host{Reader: []Reading{
		{"", []Ending{EndsFailed}, FateHost, FateBlocks, "1"}, {"late", []Ending{EndsFailed}, FateRuns, 0, ""}, {"", []Ending{EndsDeny}, FateBlocks, 0, "2"},
	}}
	for _, tt := range []struct {
		event     string
		end       Ending
		installed bool
		want      Fate
	}{
		{"any", EndsFailed, false, FateHost}, {"any", EndsFailed, true, FateBlocks}, {"late", EndsFailed, true, FateRuns},
		{"late", EndsDeny, true, FateBlocks}, {"any", EndsLate, true, FateUnknown},
	} {
		if got, _ := h.After(tt.event, tt.end, tt.installed); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
