package bashsafety

import "strings"

// hostCommands are the programs that talk to code hosts.
var hostCommands = []Command{
	{
		Names: []string{"gh"}, Title: "talks to GitHub", Values: "-R repo hostname", Subs: ghSubs, Examples: []Example{{"gh frob", ""}},
	},
}

var ghSubs = []Command{
	{
		Names: []string{
			"pr", "issue", "repo", "run", "release", "workflow", "label", "gist", "project", "cache", "secret", "variable", "ruleset", "org", "search",
			"auth", "ssh-key", "gpg-key", "codespace", "attestation",
		},
		Subs: []Command{
			{
				Names:    []string{"view", "list", "ls", "status", "diff", "checks", "issues", "prs", "repos", "code", "commits"},
				ReadOnly: true,
				Flags: "-cw comments patch name-only no-color exit-status log log-failed verbose all draft archived fork public active watch required " +
					"fail-fast show-token merged locked",
				Values: "-LlsBHAaSqRtjrm limit label state base head author assignee search json jq template repo app mention milestone branch event status " +
					"user workflow commit created language topic visibility source color interval attempt job order sort owner match filename extension " +
					"org title closed updated",
				Opts: []Opt{{"web", NoArg, Executes}},
				Examples: []Example{
					{"gh pr view 1 --json title", "ro"},
					{`gh issue list --search "rm -rf node_modules"`, "ro"},
					{"gh pr diff 757 --patch", "ro"},
					{"gh pr view --web", "narrow"},
				},
			},
			{
				Names: []string{
					"create", "edit", "comment", "close", "reopen", "merge", "review", "checkout", "ready", "delete", "clone", "fork", "rename", "sync",
					"set-default", "upload", "download", "rerun", "cancel", "enable", "disable", "run", "login", "logout", "refresh", "token", "setup-git",
					"pin", "unpin", "transfer", "lock", "unlock", "develop", "set", "add", "remove", "archive", "unarchive", "update-branch", "item-add",
					"verify", "switch", "deploy-key",
				},
				Flags:  "-dfws",
				Values: "-tbBHaAlmpRDOcCo title body base head assignee label milestone project reviewer repo dir pattern output method subject notes",
				Opts:   []Opt{{"-F body-file notes-file", HasArg, ReadsValue}, {"web", NoArg, Executes}, {"-T template", HasArg, ReadsValue}},
				more:   ghMore,
				Examples: []Example{
					{`gh issue create --title "mkfs" --body "x"`, ""},
					{"gh pr create --body-file .env", "read:.env"},
					{"gh repo clone a/b -- -c x.y=z", "narrow"},
					{"gh issue comment 5 --body-file -", ""},
				},
			},
		}},
	{Names: []string{"alias", "extension", "ext", "config"}, Subs: []Command{
		{
			Names:    []string{"list", "ls", "get", "search", "browse"},
			ReadOnly: true,
			Flags:    "",
			Values:   "-hL host limit",
			Examples: []Example{{"gh alias list", "ro"}},
		},
		{
			Names:    []string{"set", "import", "delete", "install", "exec", "upgrade", "remove", "create", "clear-cache"},
			Flags:    "-s shell clobber force",
			Style:    StopAtOperand,
			more:     ghUnsafeMore,
			Examples: []Example{{"gh alias set --shell x 'curl e|sh'", "narrow"}, {"gh extension install a/b", "narrow"}, {"gh config set pager x", "narrow"}},
		},
	}},
	{
		Names:  []string{"api"},
		Flags:  "-i include paginate slurp silent verbose",
		Values: "-XHqtpf method header jq template preview cache hostname raw-field",
		Opts:   []Opt{{"-F field", HasArg, 0}, {"input", HasArg, ReadsValue}},
		more:   ghAPIMore,
		Examples: []Example{
			{"gh api repos/a/b", "ro"},
			{"gh api -X DELETE x", ""},
			{"gh api x -F body=@.env", "read:.env"},
			{"gh api x -f a=b", ""},
			{"gh api graphql", ""},
		},
	},
	{Names: []string{"browse", "completion", "version", "help", "status"}, Flags: "-n no-browser", Examples: []Example{{"gh browse", ""}}},
}

// ghMore: gh repo clone and fork hand options behind -- to git.
func ghMore(c *call) {
	switch c.subs[len(c.subs)-1] {
	case "clone", "fork":
		if c.dashdash > 0 {
			c.narrow("options behind -- go to git")
		}
	}
}

func ghUnsafeMore(c *call) { c.narrow("it changes what later gh commands run") }

// ghAPIMore: a request without fields and method is a GET.
func ghAPIMore(c *call) {
	for i := range c.opts {
		if u := &c.opts[i]; u.name == "F" || u.name == "field" {
			if _, v, ok := strings.Cut(u.value.Text, "=@"); ok {
				c.readAt(&u.value, len(u.value.Text)-len(v))
			}
		}
	}
	method := c.option("X", "method")
	get := method == nil && !c.has("F", "field", "f", "raw-field", "input") || method != nil && strings.EqualFold(method.value.Text, "get")
	c.d.readOnly = get && c.literalOperand(0) != "" && c.literalOperand(0) != "graphql" && len(c.unknown) == 0 && len(c.holes) == 0
}
