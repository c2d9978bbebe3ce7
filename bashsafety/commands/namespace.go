package commands

// namespaceCommands are the programs that run another one in a namespace.
var namespaceCommands = []Command{
	{
		Names: "chroot", Title: "runs with another root", Values: "userspec groups -uGg", Flags: "skip-chdir -n",
		Style: StopAtOperand, refine: refineChroot,
		Examples: []Example{{"chroot /mnt rm -r x", "chroot>rm -r x"}, {"chroot /mnt", "chroot>-"}},
	},
	{
		Names: "nsenter", Title: "runs in other namespaces",
		Flags:     "-aceFZhV all env user-parent keep-caps follow-context preserve-credentials no-fork join-cgroup help version",
		OptValues: "-muinpUCTrw mount uts ipc net pid user cgroup time root wd", Values: "-tSGWN target setuid setgid wdns net-socket",
		Style: StopAtOperand, refine: refineShellLauncher,
		Examples: []Example{
			{"nsenter -t 1 -m sh -c id", "nsenter>sh -c id"}, {"nsenter --target 1 --mount -r/x -W /y rm x", "nsenter>rm x"}, {"nsenter", "nsenter>-"},
		},
	},
	{
		Names: "unshare", Title: "runs in namespaces of its own",
		Flags:     "-cfrhV fork map-root-user map-current-user keep-caps map-auto forward-signals help version",
		OptValues: "-muinpUCT mount uts ipc net pid user cgroup time mount-proc mount-binfmt kill-child",
		Values:    "-SGRwl setuid setgid propagation setgroups root wd map-user map-group map-users map-groups load-interp boottime monotonic owner",
		Style:     StopAtOperand, refine: refineShellLauncher,
		Examples: []Example{
			{"unshare -r rm x", "unshare>rm x"}, {"unshare -w /tmp rm x", "unshare>rm x"}, {"unshare --setgroups deny -R /y rm x", "unshare>rm x"},
			{"unshare --mount-proc -fp rm x", "unshare>rm x"}, {"unshare", "unshare>-"},
		},
	},
}

// refineChroot: without a command it starts a shell.
func refineChroot(c *Invocation) {
	if len(c.Operands) > 0 && len(c.rest(1)) == 0 {
		c.runs(Inner{Kind: InnerStdin, Via: "chroot"})
	}
	afterFirst(c)
}

// refineShellLauncher runs its operands, or a shell without any.
func refineShellLauncher(c *Invocation) {
	if len(c.Operands) == 0 {
		c.runs(Inner{Kind: InnerStdin, Via: ProgramName(c.Argv)})
		return
	}
	c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.rest(0)})
}
