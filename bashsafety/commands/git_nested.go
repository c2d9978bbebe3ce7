package commands

// The subcommands of git's subcommands.

var gitBisectSubs = []Command{
	{
		Names: "run", Style: NoOptions, refine: refineGitRun,
		Examples: []Example{{"git bisect run make test", "narrow gitchange:. git bisect run>'make test'"}, {"git bisect run sh -c 'rm x'", "narrow gitchange:. git bisect run>'sh -c rm x'"}},
	},
	{Names: "log terms", ReadOnly: true, Flags: "term-good term-bad term-old term-new", Examples: []Example{{"git bisect log", "ro gitread:."}, {"git bisect terms --term-good", "ro gitread:."}}},
	{Names: "visualize view", Narrows: gitUnsafe, Examples: []Example{{"git bisect view", "narrow gitchange:."}}},
	{
		Names: "replay", Operands: Reads, Narrows: gitUnsafe,
		Examples: []Example{{"git bisect replay x", "read:x narrow gitchange:."}},
	},
	{Names: "start bad good new old skip reset next", Flags: "no-checkout first-parent", Values: "term-good term-bad term-old term-new", Examples: []Example{{"git bisect good", "gitchange:."}, {"git bisect start HEAD v1", "gitchange:."}}},
}

var gitNotesSubs = []Command{
	{Names: "list show get-ref", ReadOnly: true, Examples: []Example{{"git notes show", "ro gitread:."}, {"git notes --ref=x list", "ro gitread:."}}},
	{
		Names: "add copy append edit merge remove prune",
		Flags: "-fnvq force stdin allow-empty dry-run verbose quiet commit abort ignore-missing no-stripspace stripspace", Values: "-mcCs message reedit-message reuse-message strategy for-rewrite", OptValues: "separator",
		Opts:     []Opt{{"-F file", HasArg, ReadsValue}, {"-e edit", NoArg, 0}},
		Examples: []Example{{"git notes add -m x", "gitchange:."}, {"git notes add -F .env", "read:.env gitchange:."}},
	},
}

var gitReflogSubs = []Command{
	{
		Names: "show list exists", ReadOnly: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts,
		Examples: []Example{{"git reflog show --date=iso", "ro gitread:."}, {"git reflog show --outp x", "write:x narrow gitchange:."}},
	},
	{
		Names: "expire delete", Flags: "-n all dry-run verbose rewrite updateref stale-fix single-worktree", Values: "expire expire-unreachable",
		Reading:  &Reading{If: "n dry-run", Unless: "i interactive"},
		Examples: []Example{{"git reflog expire --all", "gitchange:."}, {"git reflog expire --all --dry-run", "ro gitread:."}},
	},
	{Names: "drop write", Flags: "all single-worktree", Examples: []Example{{"git reflog drop --all", "gitchange:."}}},
}

var gitRemoteSubs = []Command{
	{Names: "get-url", ReadOnly: true, Flags: "push all", Examples: []Example{{"git remote get-url origin", "ro gitread:."}, {`git remote get-url "$x"`, "narrow gitread:."}}},
	{Names: "show", ReadOnly: true, Flags: "-n", refine: refineGitLsRemote, Examples: []Example{{"git remote show origin", "ro gitread:."}, {"git remote show ext::x", "narrow gitchange:. git ext::>>'x'"}}},
	{
		Names: "set-url set-head set-branches", Flags: "-ad push add delete auto", Narrows: gitUnsafe,
		Examples: []Example{{"git remote set-url origin x", "narrow gitchange:."}, {"git remote -v set-url --push origin x", "narrow gitchange:."}},
	},
	{
		Names: "add rename remove rm prune update",
		Flags: "-fnp fetch tags no-tags dry-run prune progress no-progress", Values: "-tm track master", OptValues: "mirror",
		refine:   refineGitRemote,
		Examples: []Example{{"git remote add o https://h/x", "net:https://h/x gitchange:."}, {"git remote add o ext::x", "narrow gitchange:. git ext::>>'x'"}},
	},
}

var gitStashSubs = []Command{
	{
		Names: "list show", ReadOnly: true, Flags: gitLogFlags + " include-untracked only-untracked no-include-untracked",
		Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts,
		Examples: []Example{
			{"git stash list", "ro gitread:."}, {"git stash show -p", "ro gitread:."}, {"git stash show --output=x", "write:x narrow gitchange:."},
			{"git stash list --format=%G?", "gitchange:."},
		},
	},
	{
		Names: "push save", Local: true, Flags: "index", refine: gitReadsPaths,
		Examples: []Example{{"git stash push .env", "read:.env gitchange:."}, {"git stash push -m 'a b'", "gitchange:."}},
	},
	{
		Names: "pop apply drop clear branch create store export import", Flags: "index no-index",
		Examples: []Example{{"git stash pop", "gitchange:."}},
	},
}

var gitSubmoduleSubs = []Command{
	{
		Names: "foreach", Style: StopAtOperand, Flags: "recursive", refine: refineGitRun,
		Examples: []Example{
			{"git submodule foreach 'rm x'", "narrow gitchange:. git submodule foreach>'rm x'"},
			{"git submodule foreach --recursive git clean -n", "narrow gitchange:. git submodule foreach>'git clean -n'"},
			{"git submodule --quiet foreach 'rm x'", "narrow gitchange:. git submodule foreach>'rm x'"},
		},
	},
	{
		Names: "status summary", ReadOnly: true, Flags: "recursive cached files for-status", Values: "-n summary-limit",
		Examples: []Example{{"git submodule status", "ro gitread:."}},
	},
	{
		Names:  "update",
		Flags:  "-Nf init remote no-fetch force checkout merge rebase progress recursive dissociate single-branch no-single-branch recommend-shallow no-recommend-shallow",
		Values: "-j depth jobs filter", Opts: []Opt{{"reference", HasArg, ReadsValue}},
		Examples: []Example{{"git submodule update --init --recursive", "gitchange:."}, {"git submodule update --checkout", "gitchange:."}},
	},
	{Names: "set-url", Narrows: gitUnsafe, Examples: []Example{{"git submodule set-url a x", "narrow gitchange:."}}},
	{
		Names: "add init deinit set-branch sync absorbgitdirs", Flags: "-fd force all default recursive progress",
		Values: "-b branch name depth ref-format", Opts: []Opt{{"reference", HasArg, ReadsValue}}, refine: refineGitSubmoduleAdd,
		Examples: []Example{
			{"git submodule add https://h/x d", "net:https://h/x write:d/** write:.gitmodules gitchange:."}, {"git submodule add ext::x d", "narrow write:d/** write:.gitmodules gitchange:. git ext::>>'x'"},
			{"git submodule add https://h/x.git", "net:https://h/x.git write:x/** write:.gitmodules gitchange:."}, {"git submodule init", "gitchange:."},
		},
	},
}

var gitWorktreeSubs = []Command{
	{
		Names: "list", ReadOnly: true, Flags: "-vz verbose porcelain", Values: "expire",
		Examples: []Example{{"git worktree list", "ro gitread:."}},
	},
	{
		Names:  "add",
		Flags:  "-fdq force detach checkout no-checkout lock quiet guess-remote no-guess-remote orphan track no-track relative-paths no-relative-paths",
		Values: "-bB reason", refine: refineGitWorktree,
		Examples: []Example{{"git worktree add -b x ../y main", "write:/y/** gitchange:."}},
	},
	{
		Names: "move", Flags: "-f force relative-paths no-relative-paths", Operands: Moves,
		Examples: []Example{{"git worktree move a /x/b", "delete:a write:/x/b/** write:/x/b/a/** gitchange:."}},
	},
	{
		Names: "remove", Flags: "-f force", refine: refineGitWorktreeRemove,
		Examples: []Example{{"git worktree remove ../y", "delete:/y/** gitchange:."}, {"git worktree remove -f wt", "delete:wt/** gitchange:."}},
	},
	{
		Names: "lock prune repair unlock", Flags: "-nv dry-run verbose", Values: "reason expire",
		Examples: []Example{{"git worktree prune", "gitchange:."}},
	},
}
