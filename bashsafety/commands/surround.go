package commands

import (
	"path"
	"strings"
)

// surroundCommands are the programs that run another one in a surrounding of its own.
var surroundCommands = []Command{
	{
		Names: "systemd-run systemd-inhibit numactl setarch linux32 linux64 setpriv capsh daemonize perf valgrind " +
			"xvfb-run bwrap catchsegv aa-exec cgexec choom chpst chronic cpulimit concurrently cross-env dotenv " +
			"dumb-init env-cmd envdir fakechroot faketime flatpak-spawn gosu ifne memusage nq nsjail proot retry " +
			"rr run0 runcon s6-setuidgid sandbox-exec sem setuidgid softlimit ssh-agent start-stop-daemon su-exec " +
			"systemd-nspawn arch-nspawn bear genie grc icecc ksu mosh-server multitime openvt scan-build setlock timelimit tini torify tsocks uclampset watchexec winpty",
		Title: "runs a command in another environment", Style: StopAtOperand,
		Flags: "-adGPqrStvwWn pty wait scope user system quiet collect remain-after-exit shell same-dir no-block auto-servernum",
		Values: "-Epsufle property unit slice setenv description uid gid nice working-directory service-type on-active what who why " +
			"mode server-args error-file server-num",
		refine: refineUnknownLauncher,
	},
	{
		Names: "aws-vault chamber direnv doppler dotenvx infisical op",
		Title: "sets variables and runs a command with them", refine: refineSetting, Style: StopAtOperand,
		Special: &Special{Credentials: []Credential{{"op read|inject", "", "*"}, {"op item|document get", "", "*"}, {"doppler secrets download|get", "", "*"}, {"doppler secrets", "--json --raw --plain", "*"}, {"doppler configure get token", "", ""}, {"infisical secrets|export", "", "*"}, {"chamber read|export|env", "", "*"}, {"aws-vault export", "", onAmazon}}},
	},
	{
		Names: "lerna rush distrobox guix incus lxc devbox honcho teller nx opam apptainer singularity berglas spack " +
			"pixi rtx toolbox rvm fnm volta",
		Title: "manages environments, and runs commands in them", refine: refineVerb, Style: StopAtOperand,
		Special: &Special{Losses: []Loss{{Of: OfMachine, Names: "lxc incus", Verbs: []string{"delete|rm", "* delete|rm", "storage * delete", "stop --all"}}}},
	},
}

// refineUnknownLauncher is for launchers whose options are many and differ by release:
// the first word that is no option is taken for the command, and so is every
// later one that names a program of the tables, because what stands between may
// be a value, a user or a profile. No patterned rule covers the launcher.
func refineUnknownLauncher(c *Invocation) {
	c.Narrow("what it runs depends on unknown options")
	for _, in := range c.candidates(0) {
		c.runs(in)
	}
}

// candidates returns, for every operand from the first on that may start a
// command, that command; behind -- only the one that follows. What comes after
// the first program of the tables is most likely an argument of it: deny rules
// and checks see that too.
func (c *Invocation) candidates(first int) []Inner {
	for n, i := range c.Operands {
		if n >= first && c.Argv[i].Known && c.Argv[i].Text == "--" && n+1 < len(c.Operands) {
			first = n + 1
			break
		}
	}
	var all []Inner
	found := false
	for n := first; n < len(c.Operands); n++ {
		i := c.Operands[n]
		w := &c.Argv[i]
		in := Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.Argv[i:], Remote: found}
		known := w.Known && tabled(w.Text)
		switch {
		case w.Known && strings.ContainsAny(w.Text, " \t\n"): // hyperfine 'make x' 'make y'
			in.Kind, in.Text = InnerText, *w
		case n != first && !known:
			continue
		}
		found = found || known
		all = append(all, in)
	}
	return all
}

// tabled reports whether the tables know a program.
func tabled(word string) bool {
	e := Find(path.Base(word))
	return e.Known()
}

// refineVerb is for tools of which one verb launches: uv run, lxc exec NAME. Deny
// rules and checks see the command; a rule that allows the verb is enough.
func refineVerb(c *Invocation) {
	switch c.LiteralOperand(0) {
	case "exec", "run", "x", "enter", "shell", "execute", "console", "environment", "do":
		for _, in := range c.candidates(1) {
			c.remote(in)
		}
	}
}

// refineSetting is for tools that do nothing but set variables and then launch:
// direnv exec DIR COMMAND, aws-vault exec NAME -- COMMAND, op run -- COMMAND.
func refineSetting(c *Invocation) {
	at := 0
	switch c.LiteralOperand(0) {
	case "exec":
		at = 2
	case "run":
		at = 1
	default:
		return
	}
	for n := range c.Operands {
		if c.LiteralOperand(n) == "--" {
			at = n + 1
			break
		}
	}
	if argv := c.rest(at); len(argv) > 0 {
		c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: argv})
	}
}
