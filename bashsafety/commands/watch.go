package commands

// watchCommands are the programs that run another one again when time passes or files change.
var watchCommands = []Command{
	{
		Names: "watch", Title: "repeats a command",
		Flags:  "-bcCefgprtvwxhN beep color no-color errexit chgexit follow precise no-rerun no-title no-linewrap no-wrap exec help version",
		Values: "-nqs interval shotsdir equexit", OptValues: "-d differences", Style: StopAtOperand, refine: refineWatch,
	},
	{
		Names: "entr", Title: "runs a command when files change", Flags: "-acdnprxz", Opts: []Opt{{"-s", NoArg, 0}},
		Style: StopAtOperand, refine: refineEntr,
	},
	{
		Names: "cargo-watch", Title: "runs cargo or a command when files change",
		Flags:  "-cqNBLEV clear quiet notify no-vcs-ignores no-dot-ignores no-restart poll postpone why watch-when-idle debug ignore-nothing",
		Values: "-bdiwC delay ignore watch workdir features env use-shell", Opts: []Opt{{"-x exec", HasArg, 0}, {"-s shell", HasArg, 0}},
		Style: StopAtOperand, refine: refineCargoWatch,
	},
	{
		Names: "nix-shell nodemon chokidar npm-watch",
		Title: "runs a command in another environment, or when files change", Flags: "-qvV pure verbose quiet",
		Values: "-piIjdwe packages attr arg argstr delay watch ext ignore", Opts: []Opt{{"-xcs exec run command shell", HasArg, 0}},
		Style: StopAtOperand, refine: refineOptionText,
	},
}

// refineWatch runs its operands as shell text, with -x as they stand.
func refineWatch(c *Invocation) {
	argv := c.rest(0)
	switch {
	case len(argv) == 0:
	case c.Has("x", "exec"):
		c.runs(Inner{Kind: InnerArgv, Via: "watch", Argv: argv})
	default:
		c.runs(Inner{Kind: InnerText, Via: "watch", Text: joined(argv)})
	}
}

// refineEntr runs its operands, with -s the first as shell text; /_ is a file.
func refineEntr(c *Invocation) {
	argv := c.rest(0)
	switch {
	case len(argv) == 0:
	case c.Has("s"):
		c.runs(Inner{Kind: InnerText, Via: "entr -s", Text: argv[0]})
	default:
		c.runs(Inner{Kind: InnerArgv, Via: "entr", Argv: argv, More: true})
	}
}

// refineCargoWatch: -x is a command of cargo, -s shell text, the operands a
// command.
func refineCargoWatch(c *Invocation) {
	for i := range c.Opts {
		switch u := &c.Opts[i]; u.Name {
		case "x", "exec":
			text := u.Value
			text.Text = "cargo " + text.Text
			c.runs(Inner{Kind: InnerText, Via: "cargo-watch -x", Text: text})
		case "s", "shell":
			c.runs(Inner{Kind: InnerText, Via: "cargo-watch -s", Text: u.Value})
		}
	}
	c.runsRest()
}

// refineOptionText runs the shell text that options hold.
func refineOptionText(c *Invocation) {
	for i := range c.Opts {
		if u := &c.Opts[i]; u.Given {
			switch u.Name {
			case "x", "c", "s", "exec", "run", "command", "shell":
				c.runs(Inner{Kind: InnerText, Via: ProgramName(c.Argv) + " " + c.spell(u), Text: u.Value})
			}
		}
	}
}
