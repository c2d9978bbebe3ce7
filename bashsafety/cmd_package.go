package bashsafety

// packageCommands are the programs that install packages of the system.
var packageCommands = []Command{
	{
		Names: []string{"brew", "port"}, Title: "installs packages", Flags: "-qvd", Subs: []Command{
			{
				Names:    []string{"list", "info", "search", "deps", "outdated", "leaves", "config", "doctor"},
				ReadOnly: true,
				Flags:    "-1v versions cask formula json full-name installed tree",
				Examples: []Example{{"brew list -1", "ro"}},
			},
			{
				Names:    []string{"install", "uninstall", "upgrade", "update", "tap", "untap", "services", "cleanup", "link", "unlink", "reinstall", "bundle"},
				Examples: []Example{{"brew install jq", ""}},
			},
		}, Examples: []Example{{"brew frob", ""}},
	},
}
