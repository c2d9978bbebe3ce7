package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// emulatorCommands are the windows, queues and benchmarks that run a command, and
// the wrappers that stand in front of every command of an agent.
var emulatorCommands = []Command{
	{
		Names: "xterm uxterm lxterm rxvt urxvt urxvtc st alacritty kitty foot footclient ghostty konsole " +
			"gnome-terminal xfce4-terminal mate-terminal lxterminal qterminal terminator tilix terminology " +
			"x-terminal-emulator wezterm kgx ptyxis mlterm deepin-terminal sakura termite cool-retro-term " +
			"xdg-terminal-exec mintty",
		Title: "opens a terminal that runs a command", Style: StopAtOperand | SingleDash, refine: refineWindow, InfoFlags: "--version -version -v --help -help -h",
		Flags: "e x hold detach fullscreen maximize", Values: "T title name class geometry working-directory workdir d bg fg fn font",
	},
	{
		Names: "tsp sbatch daemon dbus-launch dtach abduco mpirun mpiexec srun bsub onchange summon envchain " +
			"with-contenv chruby-exec samply py-spy dtruss startx xinit pueue zmx cage gamescope corepack pssh " +
			"parallel-ssh clush pdsh rargs pexec watchman-make",
		Title: "runs a command later, elsewhere or under watch", Style: StopAtOperand, refine: refineUnknownLauncher, InfoFlags: "--version -V --help -h",
	},
	{
		Names: "hyperfine", Title: "measures commands", InfoFlags: "--version -V --help -h",
		Flags:  "-Ni shell-none ignore-failure show-output",
		Values: "-wmMrusnDLP warmup min-runs max-runs runs time-unit style sort command-name parameter-scan parameter-step-size parameter-list output input reference",
		Opts: []Opt{
			{"-p prepare -c cleanup setup conclude -S shell", HasArg, 0}, {"export-json export-csv export-markdown export-asciidoc export-orgmode", HasArg, OutputsValue},
		},
		refine: refineHyperfine,
	},
	{
		Names: "nix", Title: "builds packages, and runs commands with them", Style: StopAtOperand, InfoFlags: "--version --help", refine: refineNix,
		Opts: []Opt{{"option extra-experimental-features experimental-features", HasArg, 0}},
	},
	{
		Names: "rtk", Title: "runs a command and shortens what it prints", Style: StopAtOperand, Flags: "-vuq verbose ultra-compact skip-env quiet", InfoFlags: "--version -V --help -h",
		refine: refineRtk,
	},
	{
		Names: "ipython bpython ptpython", Title: "runs Python", Style: StopAtOperand, InfoFlags: "--version -V --help -h",
		Flags: "-iqV quick simple-prompt no-banner", Opts: []Opt{{"-c", HasArg, Unsafe}, {"-m", HasArg, Unsafe}, {"profile config ext", HasArg, Unsafe}}, Operands: Scripts, refine: refineCodeOptions,
		Special: &Special{Stdin: &StdinProgram{Unless: "version help V", Narrows: []string{"ipython <<< '!id'", "echo 'import x' | ipython"}, Passes: []string{"ipython x.py < y"}}},
	},
	{
		Names: "raku dart nim zig janet fennel picolisp newlisp gosh chibi-scheme csi gsi mit-scheme yabasic bqn", Title: "runs a script",
		Style: StopAtOperand, Flags: "-v version help", Opts: []Opt{{"-ecE eval", HasArg, Unsafe}}, Operands: Scripts, refine: refineCodeOptions,
	},
}

// refineWindow runs the words behind -e, -x or --, or the text of --command.
func refineWindow(c *Invocation) {
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
		for _, option := range [...]string{"--command=", "--execute=", "-e="} {
			if strings.HasPrefix(w.Text, option) {
				c.Narrow("it opens a terminal that runs a command")
				c.runs(Inner{Kind: InnerText, Via: ProgramName(c.Argv), Text: shell.Suffix(w, len(option))})
				return
			}
		}
		if w.Known && runsRest(w.Text) && i+2 < len(c.Argv) {
			c.Narrow("it opens a terminal that runs a command")
			c.command(c.Argv[i+2:])
			return
		}
	}
	refineUnknownLauncher(c)
}

// runsRest names the options behind which a terminal's command stands.
func runsRest(option string) bool { return option == "-e" || option == "-x" || option == "--" }

// command runs an argv, or one word with blanks as text.
func (c *Invocation) command(argv []shell.Word) {
	in := Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: argv}
	if len(argv) == 1 && strings.ContainsAny(argv[0].Text, " \t\n;&|") {
		in.Kind, in.Text = InnerText, argv[0]
	}
	c.runs(in)
}

// refineHyperfine runs its operands, and what options prepare and clean up with.
func refineHyperfine(c *Invocation) {
	for i := range c.Opts {
		switch u := &c.Opts[i]; u.Name {
		case "p", "prepare", "c", "cleanup", "setup", "conclude":
			c.runs(Inner{Kind: InnerText, Via: "hyperfine " + c.Dashed(u.Name[:1]), Text: u.Value})
		case "S", "shell":
			c.Narrow("--shell names the program that runs the commands")
		}
	}
	for _, i := range c.Operands {
		c.runs(Inner{Kind: InnerText, Via: "hyperfine", Text: c.Argv[i]})
	}
}

// refineNix runs what stands behind -c or --command; behind -- are the words of the
// package that is run.
func refineNix(c *Invocation) {
	switch c.LiteralOperand(0) {
	case "develop", "shell", "run", "env":
	default:
		return
	}
	for n := 1; n < len(c.Operands); n++ {
		switch t := c.LiteralOperand(n); {
		case t == "-c" || t == "--command":
			if argv := c.rest(n + 1); len(argv) > 0 {
				c.runs(Inner{Kind: InnerArgv, Via: "nix", Argv: argv})
			}
			return
		case t == "--":
			if argv := c.rest(n + 1); len(argv) > 0 {
				c.remote(Inner{Kind: InnerArgv, Via: "nix", Argv: argv})
			}
			return
		}
	}
}

// refineRtk runs its operands but for its own verbs, some of which run what follows.
func refineRtk(c *Invocation) {
	switch c.LiteralOperand(0) {
	case "proxy", "err", "test", "summary", "run":
		if argv := c.rest(1); len(argv) > 0 {
			c.command(argv)
		}
	case "gain", "init", "config", "discover", "session", "telemetry", "learn", "verify", "trust", "untrust", "hook",
		"rewrite", "cc-economics", "hook-audit":
	default:
		if argv := c.rest(0); len(argv) > 0 {
			c.command(argv)
		}
	}
}
