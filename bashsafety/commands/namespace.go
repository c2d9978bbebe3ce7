package commands

// namespaceCommands are the programs that run another one in a namespace.
var namespaceCommands = []Command{
	{
		Names: "chroot", Title: "runs with another root", Values: "userspec groups -uGg", Flags: "skip-chdir -n",
		Style: StopAtOperand, refine: refineChroot,
	},
	{
		Names: "nsenter", Title: "runs in other namespaces",
		Flags:     "-aceFZhV all env user-parent keep-caps follow-context preserve-credentials no-fork join-cgroup help version",
		OptValues: "-muinpUCTrw mount uts ipc net pid user cgroup time root wd", Values: "-tSGWN target setuid setgid wdns net-socket",
		Style: StopAtOperand, refine: refineShellLauncher,
	},
	{
		Names: "unshare", Title: "runs in namespaces of its own",
		Flags:     "-cfrhV fork map-root-user map-current-user keep-caps map-auto forward-signals help version",
		OptValues: "-muinpUCT mount uts ipc net pid user cgroup time mount-proc mount-binfmt kill-child",
		Values:    "-SGRwl setuid setgid propagation setgroups root wd map-user map-group map-users map-groups load-interp boottime monotonic owner",
		Style:     StopAtOperand, refine: refineShellLauncher,
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
