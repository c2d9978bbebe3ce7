package hookio

// kilo is Kilo, which was made out of opencode: it loads the same plugin from folders of its own.
var kilo = Host{
	Name:    "kilo",
	Aliases: []string{"kilocode"},
	Title:   "Kilo",
	Roots:   []string{".kilo"},
	Detect:  func(p Top) bool { return p.Get("agent").Str == "kilo" && p.Has("plugin") },
	Answers: answersOpencode,
	Strict:  true,
	Decode:  decodeOpencode,
	Encode:  encodeFlat,
	Shapes:  shapesOpencode,
	Tools:   toolsOpencode,
	MCP:     MCP{Forms: []MCPForm{{Sep: "_"}}},
	AskIs:   func(*Call) AskForm { return AskDenies },
	Alone: Alone{
		Rules: []string{},
		Own: []OwnFiles{
			{Base: BaseProject, Dir: ".kilo/plans", Ext: ".md", Doc: "plans, where the project is a git repository"},
			{Base: BaseHome, Dir: ".local/share/kilo/plans", Ext: ".md", Doc: "plans, elsewhere"},
		},
		Source: "the program itself, 7.7.9: what it tells its agents",
	},
	Register: &Registration{
		Programs: []string{"kilo", "kilocode"}, Folder: "~/.config/kilo",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.config/kilo/plugins/permgate.json", Root: "hooks", Own: true},
			{Scope: ForProject, Path: ".kilo/plugins/permgate.json", Root: "hooks", Own: true},
		},
		Moved: Pair{"~/.config", "XDG_CONFIG_HOME"},
		Beside: []TextFile{{
			"permgate.js", "// The plugin by which Kilo asks permgate before each tool call.\nconst host = \"kilo\"\n",
			"// The plugin by which Kilo asks permgate ", &pluginText,
		}},
		Flat: true, Exec: true, Timeout: "timeout",
		Events:  eventsOpencode,
		Posture: postureOpencode,
		After:   "start Kilo again: a session that runs has its plugins loaded",
		Notes: []string{
			"Kilo cannot ask for a plugin: what permgate would ask about is denied, with the rule that would allow it",
			"an allow of permgate leaves Kilo's own permissions as they are: what kilo.json asks about is still asked",
			"a session that was started with --pure or KILO_PURE=1 loads no plugin, and so runs without permgate",
			"another plugin that runs after permgate's may change the call that was decided",
		},
		Source: "the program itself, 7.7.9",
	},
	Driven: Driven{kiloVersion, kiloDay},
	Reader: []Reading{
		{"", passOpencode, FateHost, 0, kiloVersion},
		{"", blockOpencode, FateBlocks, 0, kiloVersion},
	},
	Source: "the program itself, 7.7.9",
}
