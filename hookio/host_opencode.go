package hookio

import (
	_ "embed" // of pluginText
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// opencode is opencode, which calls a plugin before each tool. The plugin is
// ours, and so are payload and answer; all it can do is refuse a call or let
// opencode's own permissions decide. Allow and silence are the same to it.
var opencode = Host{
	Name:    "opencode",
	Title:   "opencode",
	Roots:   []string{".opencode"},
	Detect:  func(p Top) bool { return p.Get("agent").Str == "opencode" && p.Has("plugin") },
	Answers: answersOpencode,
	Strict:  true,
	Decode:  decodeOpencode,
	Encode:  encodeFlat,
	Shapes:  shapesOpencode,
	Tools:   toolsOpencode,
	MCP:     MCP{Forms: []MCPForm{{Sep: "_"}}},
	AskIs:   func(*Call) AskForm { return AskDenies },
	Alone: Alone{
		// Workspace: none. Of a shell text it looks at the operands of some programs, not at redirects and
		// symlinks, with --auto at nothing, and opencode.json, which is not read here, may allow it all.
		Rules: []string{},
		Own: []OwnFiles{
			{Base: BaseProject, Dir: ".opencode/plans", Ext: ".md", Doc: "plans, where the project is a git repository"},
			{Base: BaseHome, Dir: ".local/share/opencode/plans", Ext: ".md", Doc: "plans, elsewhere"},
		},
		Source: "opencode.ai/docs/permissions (2026-11); what " + opencodeVersion + " tells its agents: testdata/hosts/opencode/laxness.tsv",
	},
	Register: &Registration{
		Programs: []string{"opencode"}, Folder: "~/.config/opencode",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.config/opencode/plugins/permgate.json", Root: "hooks", Own: true},
			{Scope: ForProject, Path: ".opencode/plugins/permgate.json", Root: "hooks", Own: true},
		},
		Moved: Pair{"~/.config", "XDG_CONFIG_HOME"},
		Beside: []TextFile{{
			"permgate.js", "// The plugin by which opencode asks permgate before each tool call.\nconst host = \"opencode\"\n",
			"// The plugin by which opencode asks permgate ", &pluginText,
		}},
		Flat: true, Exec: true, Timeout: "timeout",
		Events:  eventsOpencode,
		Posture: postureOpencode,
		After:   "start opencode again: a session that runs has its plugins loaded",
		Notes: []string{
			"opencode cannot ask for a plugin: what permgate would ask about is denied, with the rule that would allow it",
			"an allow of permgate leaves opencode's own permissions as they are: what opencode.json asks about is still asked",
			"a session that was started with --pure or OPENCODE_PURE=1 loads no plugin, and so runs without permgate",
			"another plugin that runs after permgate's may change the call that was decided",
			"opencode 2 loads plugins of another form, and not this one",
		},
		Source: "opencode.ai/docs/plugins (2026-11), and the program itself, " + opencodeVersion,
	},
	Driven: Driven{opencodeVersion, opencodeDay},
	Reader: []Reading{
		{"", passOpencode, FateHost, 0, opencodeVersion},
		{"", blockOpencode, FateBlocks, 0, opencodeVersion},
	},
	Source: "opencode.ai/docs plugins, permissions and tools (2026-11); " + opencodeVersion + " was run",
}

// Parts that Kilo, which was made out of opencode, has as well.
var (
	keysOpencode    = []string{"filePath"}
	answersOpencode = []AnswerKey{{Path: "decision", Words: "allow deny"}}
	shapesOpencode  = []Shape{
		{Tools: "bash", Kind: KindCommand, Keys: []string{"command", "workdir"}, First: 1, Need: true, Dir: "workdir", Also: []string{"description", "timeout"}},
		{Tools: "read", Kind: KindPath, Access: AccessRead, Keys: keysOpencode, First: 1, Need: true},
		{Tools: "write", Kind: KindPath, Access: AccessWrite, Keys: keysOpencode, First: 1, Need: true, Also: []string{"content"}},
		{Tools: "edit", Kind: KindPath, Access: AccessWrite, Keys: keysOpencode, First: 1, Need: true, Also: []string{"oldString", "newString", "replaceAll"}},
		// of Kilo alone; without a command it looks after those that run
		{Tools: "background_process", Kind: KindCommand, Keys: []string{"command", "workdir"}, First: 1, Dir: "workdir", Typed: true},
	}
	toolsOpencode = []Pair{
		{"bash", "Bash"}, {"read", "Read"}, {"write", "Write"}, {"edit", "Edit"}, {"apply_patch", "Edit"}, {"glob", "Glob"}, {"grep", "Grep"},
		{"list", "LS"}, {"lsp", "LSP"}, {"webfetch", "WebFetch"}, {"websearch", "WebSearch"}, {"task", "Agent"}, {"skill", "Skill"},
		{"todowrite", "TodoWrite"}, {"question", "AskUserQuestion"}, {"plan_enter", "EnterPlanMode"}, {"plan_exit", "ExitPlanMode"},
		{"list_mcp_resources", "ListMcpResourcesTool"}, {"list_mcp_resource_templates", "ListMcpResourcesTool"},
		{"read_mcp_resource", "ReadMcpResourceTool"},
	}
	eventsOpencode  = []HookEvent{{Name: "PreToolUse", Gates: true}, {Name: "PostToolUse", Records: true}}
	postureOpencode = []Recommended{{"catastrophic", `"deny"`, 1}, {"destructive", `"practical"`, 1}, {"secrets", `"ask"`, 1},
		{"onUnmatched", `"defer"`, 1}, {"subagents", `"host"`, 1}, {"projectTrust", `"require"`, 1}, {"expandScripts", "true", 1}}
	passOpencode  = []Ending{EndsAllow, EndsSilence}
	blockOpencode = []Ending{EndsAsk, EndsDeny, EndsText, EndsBroken, EndsFailed, EndsBlocked, EndsMute, EndsKilled, EndsLate,
		EndsMissing} // the line of an ask is a deny
)

// decodeOpencode is decode; the payload names the project as well, where there is one. opencode
// takes ~ for a name like any other, which may be a link to somewhere, and not for the home.
func decodeOpencode(c *Call, p Top) {
	decode(c, p)
	home := func(name string) bool { return strings.HasPrefix(name, "~") }
	if home(c.Dir) || slices.ContainsFunc(c.Args, func(a Arg) bool { return home(a.Path) }) {
		c.fault(c.Host.Title + " does not take ~ for the home folder")
	}
	c.once(p, "agent", "plugin", "project")
	if v := p.Get("project"); v.Type == gjson.String {
		c.Project = v.Str
	}
}

// pluginText is what opencode and Kilo load, after a line with their name; it sends the payload that is read here.
//
//go:embed plugin.js
var pluginText string
