package commands

// The subcommands of git's subcommands.

var gitBisectSubs = []Command{
	{Names: "run", Style: NoOptions, refine: refineGitRun},
	{Names: "log terms", ReadOnly: true, Flags: "term-good term-bad term-old term-new"},
	{Names: "visualize view", Narrows: gitUnsafe},
	{Names: "replay", Operands: Reads, Narrows: gitUnsafe},
	{Names: "start bad good new old skip reset next", Flags: "no-checkout first-parent", Values: "term-good term-bad term-old term-new"},
}

var gitNotesSubs = []Command{
	{Names: "list show get-ref", ReadOnly: true},
	{
		Names: "add copy append edit merge remove prune",
		Flags: "-fnvq force stdin allow-empty dry-run verbose quiet commit abort ignore-missing no-stripspace stripspace", Values: "-mcCs message reedit-message reuse-message strategy for-rewrite", OptValues: "separator",
		Opts: []Opt{{"-F file", HasArg, ReadsValue}, {"-e edit", NoArg, 0}},
	},
}

var gitReflogSubs = []Command{
	{Names: "show list exists", ReadOnly: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts},
	{
		Names: "expire delete", Flags: "-n all dry-run verbose rewrite updateref stale-fix single-worktree", Values: "expire expire-unreachable",
		Reading: &Reading{If: "n dry-run", Unless: "i interactive"},
	},
	{Names: "drop write", Flags: "all single-worktree"},
}

var gitRemoteSubs = []Command{
	{Names: "get-url", ReadOnly: true, Flags: "push all"},
	{Names: "show", ReadOnly: true, Flags: "-n", refine: refineGitLsRemote},
	{Names: "set-url set-head set-branches", Flags: "-ad push add delete auto", Narrows: gitUnsafe},
	{
		Names: "add rename remove rm prune update",
		Flags: "-fnp fetch tags no-tags dry-run prune progress no-progress", Values: "-tm track master", OptValues: "mirror",
		refine: refineGitRemote,
	},
}

var gitStashSubs = []Command{
	{
		Names: "list show", ReadOnly: true, Flags: gitLogFlags + " include-untracked only-untracked no-include-untracked",
		Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts,
	},
	{Names: "push save", Local: true, Flags: "index", refine: gitReadsPaths},
	{Names: "pop apply drop clear branch create store export import", Flags: "index no-index"},
}

var gitSubmoduleSubs = []Command{
	{Names: "foreach", Style: StopAtOperand, Flags: "recursive", refine: refineGitRun},
	{Names: "status summary", ReadOnly: true, Flags: "recursive cached files for-status", Values: "-n summary-limit"},
	{
		Names:  "update",
		Flags:  "-Nf init remote no-fetch force checkout merge rebase progress recursive dissociate single-branch no-single-branch recommend-shallow no-recommend-shallow",
		Values: "-j depth jobs filter", Opts: []Opt{{"reference", HasArg, ReadsValue}},
	},
	{Names: "set-url", Narrows: gitUnsafe},
	{
		Names: "add init deinit set-branch sync absorbgitdirs", Flags: "-fd force all default recursive progress",
		Values: "-b branch name depth ref-format", Opts: []Opt{{"reference", HasArg, ReadsValue}}, refine: refineGitSubmoduleAdd,
	},
}

var gitWorktreeSubs = []Command{
	{Names: "list", ReadOnly: true, Flags: "-vz verbose porcelain", Values: "expire"},
	{
		Names:  "add",
		Flags:  "-fdq force detach checkout no-checkout lock quiet guess-remote no-guess-remote orphan track no-track relative-paths no-relative-paths",
		Values: "-bB reason", refine: refineGitWorktree,
	},
	{Names: "move", Flags: "-f force relative-paths no-relative-paths", Operands: Moves},
	{Names: "remove", Flags: "-f force", refine: refineGitWorktreeRemove},
	{Names: "lock prune repair unlock", Flags: "-nv dry-run verbose", Values: "reason expire"},
}
