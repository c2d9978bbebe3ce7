package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What su and its relatives have in common.
const (
	suFlags  = "-flmpPThV - login preserve-environment fast pty no-pty disable-internal-agent keep-cwd help version"
	suValues = "-gGuw group supp-group user whitelist-environment"
)

var suOpts = []Opt{{"-c command session-command", HasArg, 0}, {"-s shell", HasArg, Executes}}

// sudoCommands are the programs that run another one as somebody else.
var sudoCommands = []Command{
	{
		Names: "sudo", Title: "runs as another user",
		Flags:     "-ABbEHiknNPSs askpass background bell preserve-groups set-home login shell stdin non-interactive no-update",
		Values:    "-aCghpRrTtUuc auth-type close-from group host prompt chroot role command-timeout type other-user user",
		OptValues: "preserve-env",
		Opts: []Opt{
			{"-D chdir", HasArg, 0}, {"-lKvV list remove-timestamp validate version help", NoArg, Asks}, {"-e edit", NoArg, Unsafe},
			{"reset-timestamp", NoArg, 0},
		},
		Style: StopAtOperand, ReadOnly: true, refine: refineSudo,
	},
	{Names: "sudoedit", Title: "edits files as another user", Values: "-ughpCRT", Flags: "-ABknNS", Operands: Writes},
	{Names: "doas", Title: "runs as another user", Flags: "-Lns", Values: "-auC", Style: StopAtOperand, refine: refineSudo},
	{Names: "su runuser", Title: "runs as another user", Flags: suFlags, Values: suValues, Opts: suOpts, refine: refineSu, Style: StopAtOperand, Parser: Permutes},
	{Names: "pkexec", Title: "runs as another user", Flags: suFlags, Values: suValues, Opts: suOpts, refine: refineSu, Style: StopAtOperand},
	{Names: "sg", Title: "runs as another group", Flags: suFlags, Values: suValues, Opts: suOpts, refine: refineSu, Style: StopAtOperand},
	{Names: "newgrp", Title: "starts a shell with another group", Forms: []Form{{"", RunsInput, ""}}},
}

// refineSudo runs a command, a shell, or nothing when it only looks up.
func refineSudo(c *Invocation) {
	if c.asks {
		return
	}
	user := "root"
	if o := c.Option("u", "user"); o != nil {
		user = ""
		if o.Value.Known {
			user = o.Value.Text
		}
	}
	if c.Has("k") && len(c.Operands) == 0 {
		return
	}
	c.privilege(user)
	if c.Has("e", "edit") {
		c.writesOperands()
		return
	}
	in := Inner{Kind: InnerStdin, Via: c.Cmd.Name()}
	if o := c.Option("D", "chdir"); o != nil {
		in.Dir = &o.Value
	}
	in.Assigns, in.Argv = leadingAssigns(c.rest(0))
	startsShell := c.Has("s", "i", "shell", "login")
	switch argv := in.Argv; {
	case len(argv) == 0:
		if !startsShell {
			return
		}
	case startsShell && len(argv) == 1 && argv[0].Known && strings.ContainsAny(argv[0].Text, " \t\n;&|"):
		in.Kind, in.Text = InnerText, argv[0] // sudo escapes blanks, other launchers named so do not
	default:
		in.Kind = InnerArgv
	}
	c.runs(in)
}

// leadingAssigns splits NAME=value words off the front.
func leadingAssigns(argv []shell.Word) ([]shell.Assign, []shell.Word) {
	var as []shell.Assign
	for len(argv) > 0 {
		lit := shell.LiteralPrefix(&argv[0])
		name, _, ok := strings.Cut(lit, "=")
		if !ok || name == "" || strings.Contains(name, "/") {
			break
		}
		as = append(as, shell.Assign{Name: name, Value: shell.Suffix(&argv[0], len(name)+1)})
		argv = argv[1:]
	}
	return as, argv
}

// refineSu is su [-] [USER [ARGUMENT...]], runuser -u USER COMMAND, sg GROUP [-c] COMMAND and pkexec [--user USER]
// COMMAND.
func refineSu(c *Invocation) {
	name, sg := ProgramName(c.Argv), c.Cmd.Is("sg")
	if o := c.Option("u", "user"); o != nil {
		c.runsAs(o.Value.Text, c.rest(0))
		return
	} else if c.Cmd.Is("pkexec") {
		c.runsAs("root", c.rest(0))
		return
	}
	argv := c.suUser()
	if !sg && slices.ContainsFunc(argv, func(w shell.Word) bool { return mayBeOption(&w) }) {
		c.Narrow("a word only known at run time could be an option that names the shell")
	}
	switch text := c.suText(argv); {
	case text != nil:
		c.runs(Inner{Kind: InnerText, Via: name + " -c", Text: *text})
	case sg && len(argv) > 0:
		c.runs(Inner{Kind: InnerText, Via: name, Text: joined(argv)})
	default:
		c.runs(Inner{Kind: InnerStdin, Via: name})
	}
}

// runsAs runs the text of -c, a command, or a shell as another user.
func (c *Invocation) runsAs(user string, argv []shell.Word) {
	name := ProgramName(c.Argv)
	c.privilege(strings.ReplaceAll(user, shell.HoleMark, ""))
	switch text := c.Option("c", "command", "session-command"); {
	case text != nil:
		c.runs(Inner{Kind: InnerText, Via: name + " -c", Text: text.Value})
	case len(argv) > 0:
		c.runs(Inner{Kind: InnerArgv, Via: name, Argv: argv})
	default:
		c.runs(Inner{Kind: InnerStdin, Via: name})
	}
}

// suUser reads [-] [USER] and returns what follows.
func (c *Invocation) suUser() []shell.Word {
	user, argv := "root", c.rest(0)
	for len(argv) > 0 && argv[0].Known && argv[0].Text == "-" {
		argv = argv[1:]
	}
	if len(argv) > 0 && !strings.HasPrefix(argv[0].Text, "-") {
		user, argv = argv[0].Text, argv[1:]
	}
	c.privilege(strings.ReplaceAll(user, shell.HoleMark, ""))
	return argv
}

// suText is the text of -c, which may follow the user; nil if none.
func (c *Invocation) suText(argv []shell.Word) (text *shell.Word) {
	if o := c.Option("c", "command", "session-command"); o != nil {
		return &o.Value
	}
	for i := range argv {
		if t := argv[i].Text; (t == "-c" || t == "--command") && i+1 < len(argv) {
			text = &argv[i+1]
		} else if v, ok := strings.CutPrefix(t, "--command="); ok {
			text = new(shell.Suffix(&argv[i], len(t)-len(v)))
		}
	}
	return text
}

// namespaceCommands are the programs that run another one in a namespace.
var namespaceCommands = []Command{
	{
		Names: "chroot", Title: "runs with another root", Values: "userspec groups -uGg", Flags: "skip-chdir -n",
		Style: StopAtOperand, Forms: []Form{{"* $", RunsInput, ""}, {"* COMMAND", Runs, ""}},
	},
	{
		Names: "nsenter", Title: "runs in other namespaces",
		Flags:     "-aceFZhV all env user-parent keep-caps follow-context preserve-credentials no-fork join-cgroup help version",
		OptValues: "-muinpUCTrw mount uts ipc net pid user cgroup time root wd", Values: "-tSGWN target setuid setgid wdns net-socket",
		Style: StopAtOperand, RunsRest: true, Forms: []Form{{"$", RunsInput, ""}},
	},
	{
		Names: "unshare", Title: "runs in namespaces of its own",
		Flags:     "-cfrhV fork map-root-user map-current-user keep-caps map-auto forward-signals help version",
		OptValues: "-muinpUCT mount uts ipc net pid user cgroup time mount-proc mount-binfmt kill-child",
		Values:    "-SGRwl setuid setgid propagation setgroups root wd map-user map-group map-users map-groups load-interp boottime monotonic owner",
		Style:     StopAtOperand, RunsRest: true, Forms: []Form{{"$", RunsInput, ""}},
	},
	{ // learn.microsoft.com/windows/wsl/basic-commands (2025-08); it sees the drives of Windows at /mnt
		Names: "wsl", Title: "runs a command in Linux on Windows", Flags: "-e exec system", Values: "-du distribution user cd shell-type",
		Style: StopAtOperand, refine: refineWSL, Special: &Special{Losses: []Loss{{Of: OfMachine, Names: "wsl", Verbs: []string{" --unregister"}}}},
	},
}

// refineWSL: a shell reads the words as one text, unless -e is given.
func refineWSL(c *Invocation) {
	in := Inner{Kind: InnerStdin, Via: "wsl"}
	if o := c.Option("cd"); o != nil {
		in.Dir = &o.Value
	}
	switch words := c.rest(0); {
	case len(words) == 0 && len(c.Unknown) > 0: // it manages what is installed
		return
	case c.Has("e", "exec"):
		in.Kind, in.Argv = InnerArgv, words
	case len(words) > 0:
		in.Kind, in.Text = InnerText, joined(words)
		quoted, blank := slices.Clone(words), false
		for i := 1; i < len(quoted); i++ {
			if w := &quoted[i]; strings.ContainsAny(w.Text, " \t") {
				w.Text, blank = `"`+strings.ReplaceAll(w.Text, `"`, `\"`)+`"`, true
			}
		}
		if blank { // it may be given them in quotes
			c.runs(in)
			in.Text = joined(quoted)
		}
	}
	c.runs(in)
}

// surroundCommands are the programs that run another one in a surrounding of its own.
var surroundCommands = []Command{
	{
		Names: "systemd-run systemd-inhibit numactl setarch linux32 linux64 setpriv capsh daemonize perf valgrind " +
			"bwrap catchsegv aa-exec cgexec choom chpst chronic cpulimit concurrently cross-env cross-env-shell " +
			"dumb-init envdir fakechroot faketime flatpak-spawn gosu ifne memusage nq nsjail proot retry " +
			"rr run0 runcon s6-setuidgid sandbox-exec sem setuidgid softlimit ssh-agent start-stop-daemon su-exec " +
			"systemd-nspawn arch-nspawn distrobox-enter bear genie grc icecc ksu mosh-server multitime openvt scan-build setlock timelimit tini torify tsocks uclampset winpty",
		Title: "runs a command in another environment", Style: StopAtOperand,
		Flags: "-adGPqrStvwWn pty wait scope user system quiet collect remain-after-exit shell same-dir no-block auto-servernum",
		Values: "-Epsufle property unit slice setenv description uid gid nice working-directory service-type on-active what who why " +
			"mode server-args error-file server-num",
		refine: refineUnknownLauncher,
	},
	{
		Names: "dotenv env-cmd", Title: "runs a command with the variables of a file", Style: StopAtOperand, refine: refineUnknownLauncher,
		Opts: []Opt{{"-fe file environments", HasArg, Reads}}, Flags: "-o override no-override verbose silent",
	},
	{
		Names: "distrobox incus lxc apptainer singularity toolbox rush spack",
		Title: "manages environments, and runs commands in them", refine: refineVerb, Style: StopAtOperand,
		Special: &Special{SharesHome: "distrobox apptainer singularity toolbox rush spack", Losses: []Loss{{Of: OfMachine, Names: "lxc incus", Verbs: []string{"delete|rm", "* delete|rm", "storage * delete", "stop --all"}}}},
	},
}

// refineStart runs its operands from the first that is a known program on.
func refineStart(c *Invocation) {
	c.Narrow("what it runs depends on unknown options")
	for _, i := range c.Operands {
		e := Find(path.Base(c.Argv[i].Text))
		if e.Program() && c.Argv[i].Known {
			c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.Argv[i:]})
			return
		}
	}
}

// refineUnknownLauncher is for launchers whose options are many and differ by release:
// the first word that is no option is taken for the command, and so is every
// later one that names a program of the tables, because what is between may
// be a value, a user or a profile. No patterned rule covers the launcher.
func refineUnknownLauncher(c *Invocation) {
	c.Narrow("what it runs depends on unknown options")
	for _, in := range c.candidates(0) {
		c.runs(in)
	}
	for _, w := range c.operands() { // concurrently npm:build
		if runner, script, ok := strings.Cut(w.Text, ":"); ok && shell.Among("npm pnpm yarn bun node", runner) {
			c.scan(runner, runner+" run "+script, w)
		}
	}
}

// candidates returns the command that starts at each operand from the first on; after -- only
// one. What follows the first known program is likely its argument: only deny rules and checks see it.
func (c *Invocation) candidates(first int) []Inner {
	for n, i := range c.Operands {
		if n >= first && c.Argv[i].Known && c.Argv[i].Text == "--" && n+1 < len(c.Operands) {
			first = n + 1
			break
		}
	}
	var all []Inner
	standing := Standing{}
	for n := first; n < len(c.Operands); n++ {
		i := c.Operands[n]
		w := &c.Argv[i]
		in := Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.Argv[i:], Standing: standing}
		known := w.Known && tabled(w.Text)
		switch {
		case w.Known && strings.ContainsAny(w.Text, " \t\n"): // hyperfine 'make x' 'make y'
			in.Kind, in.Text = InnerText, *w
		case n != first && !known:
			continue
		}
		if known {
			standing = Guessed()
		}
		all = append(all, in)
	}
	return all
}

// tabled reports whether the tables know a program.
func tabled(word string) bool {
	e := Find(path.Base(word))
	return e.Known()
}

// refineVerb is for tools of which one verb runs something in a container, lxc exec NAME, or a task. Deny
// rules and checks see the command; a rule that allows the verb is enough.
func refineVerb(c *Invocation) {
	first := 1
	if c.TableName(ProgramName(c.Argv)) == "rush" { // it has no verb
		first = 0
	}
	switch verb := c.LiteralOperand(0); {
	case first == 0, shell.Among("exec run x enter shell execute console environment do", verb):
		for _, in := range c.candidates(first) {
			c.remote(in)
		}
	}
}
