package bashsafety

import "strings"

// packageCommands are the programs that install packages of the system.
var packageCommands = []Command{
	{
		Names: []string{"brew", "port"}, Title: "installs packages", Flags: "-qvd", Subs: []Command{
			{
				Names:    []string{"list", "info", "search", "deps", "leaves", "config", "doctor"},
				ReadOnly: true,
				Flags:    "-1v versions cask formula json full-name installed tree",
				more:     brewMore,
				Examples: []Example{{"brew list -1", "ro"}, {"brew info jq", "ro"}, {"brew info ./x.rb", ""}, {"brew info a/b/c", ""}, {`brew info "$x"`, ""}},
			},
			{
				Names:    []string{"outdated", "install", "uninstall", "upgrade", "update", "tap", "untap", "services", "cleanup", "link", "unlink", "reinstall", "bundle"},
				Examples: []Example{{"brew install jq", ""}},
			},
		}, Examples: []Example{{"brew frob", ""}},
	},
}

// brewMore: a path, a URL or the name of a foreign tap is a program in Ruby that
// is loaded to be shown.
func brewMore(c *call) {
	for _, i := range c.operands {
		if w := &c.argv[i]; !w.Known || strings.Contains(w.Text, "/") || strings.HasSuffix(w.Text, ".rb") {
			c.disprove("may load a formula from a file or a foreign tap")
		}
	}
}
