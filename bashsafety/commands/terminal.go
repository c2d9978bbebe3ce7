package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// terminalCommands are the programs that keep terminals.
var terminalCommands = []Command{
	{Names: "i3-msg swaymsg hyprctl riverctl", Title: "tells the window manager what to do", Forms: []Form{{"", ObeysWords, ownLanguage}}, refine: refineDesktop, Flags: "-qrv", Values: "-st"},
	{
		Names: "tmux byobu tmate", Net: StaysHere, Special: &Special{Language: tmuxConfig, Files: "-f"}, Title: "manages terminal sessions", Flags: "-2DlNuvV", Values: "-LST",
		Opts: []Opt{{"-f", HasArg, Unsafe}, {"-c", HasArg, 0}, {"-C", NoArg, Unsafe}}, Style: StopAtOperand, ReadsSome: true, KnownWords: true,
		refine: refineTmux,
	},
	{Names: "screen", Title: "manages terminal sessions", Style: NoOptions, ReadsSome: true, KnownWords: true, refine: refineScreen},
	{
		Names: "zellij", Title: "manages terminal sessions", Flags: "-dVh debug version help", Values: "-s session max-panes data-dir server",
		Opts: []Opt{{"-lcn layout config config-dir new-session-with-layout", HasArg, Unsafe}}, ReadOnly: false,
		Subs: []Command{
			{Names: "list-sessions ls list-aliases", ReadOnly: true, Flags: "-nsr no-formatting short reverse"},
			{Names: "run r", Flags: "-cifs close-on-exit in-place floating start-suspended", Values: "-dnxy direction cwd name height width", Forms: zellijForms},
			{
				Names: "action ac",
				Subs: []Command{
					{Names: "new-pane", Flags: "-cifs", Values: "-dn direction cwd name", Forms: zellijForms},
					{Names: "query-tab-names list-clients", ReadOnly: true},
					{Names: "dump-screen", Flags: "-f full", Operands: Writes},
				},
			},
		},
	},
}

var zellijForms = []Form{{"-- COMMAND...", Runs, ""}, {"!-- COMMAND...", Runs, ""}}

// tmuxVerbs are the commands of tmux that only ask, display-message and capture-pane with -p.
// list-keys and list-commands start a server, which runs its configuration.
var tmuxVerbs = []Command{
	{Names: "list-sessions ls", Values: "-Ff"},
	{Names: "list-windows lsw", Flags: "-a", Values: "-Fft"},
	{Names: "list-panes lsp", Flags: "-as", Values: "-Fft"},
	{Names: "list-clients lsc", Values: "-Fft"},
	{Names: "list-buffers lsb", Values: "-Ff"},
	{Names: "has-session has", Values: "-t"},
	{Names: "show-options show", Flags: "-AgHpqsvw", Values: "-t"},
	{Names: "show-window-options showw", Flags: "-gv", Values: "-t"},
	{Names: "show-messages showmsgs", Flags: "-JT", Values: "-t"},
	{Names: "display-message display", Flags: "-alNpv", Values: "-cdt"},
	{Names: "capture-pane capturep", Flags: "-aCeJMNpPqT", Values: "-bESt"},
}

// tmuxShells are the commands of tmux that hand their operands to a shell.
var tmuxShells = []Command{
	{Names: "new-session new", Flags: "-AdDEPX", Values: "-ceFfnstxy"},
	{Names: "new-window neww", Flags: "-abdkPS", Values: "-ceFnt"},
	{Names: "split-window splitw", Flags: "-bdfhIvPZ", Values: "-ceFlpst"},
	{Names: "respawn-pane respawnp", Flags: "-k", Values: "-cet"},
	{Names: "respawn-window respawnw", Flags: "-k", Values: "-cet"},
	{Names: "run-shell run", Flags: "-bC", Values: "-cdt"},
	{Names: "if-shell if", Flags: "-bF", Values: "-t"},
	{Names: "pipe-pane pipep", Flags: "-IOo", Values: "-t"},
	{Names: "display-popup popup", Flags: "-BCEkN", Values: "-bcdehsStTwxy"},
}

// refineTmux reads each command of a line: a word that ends in ; is its last.
func refineTmux(c *Invocation) {
	if o := c.Option("c"); o != nil {
		c.runs(Inner{Kind: InnerText, Via: "tmux", Text: o.Value})
		return
	}
	words := c.rest(0)
	asks := len(words) > 0 && !c.Has("f", "C") || len(words) == 0 && c.Has("V")
	for len(words) > 0 {
		end := 0
		for end < len(words) && !strings.HasSuffix(words[end].Text, ";") {
			end++
		}
		argv := words[:min(end+1, len(words))]
		words = words[len(argv):]
		if end < len(argv) {
			last := argv[end]
			last.Text = strings.TrimSuffix(last.Text, ";")
			argv = append(append([]shell.Word(nil), argv[:end]...), last)
			if last.Text == "" {
				argv = argv[:end]
			}
		}
		if len(argv) > 0 && !c.tmuxCommand(argv) {
			asks = false
		}
	}
	c.disproveIf(!asks)
}

// tmuxCommand reads one command of tmux and reports whether it only asks.
func (c *Invocation) tmuxCommand(argv []shell.Word) bool {
	if !argv[0].Known {
		return false
	}
	formats := c.tmuxFormats(argv)
	name := argv[0].Text
	if v := tmuxVerb(tmuxVerbs, name); v != nil {
		return formats && tmuxPrints(v, argv)
	}
	if v := tmuxVerb(tmuxShells, name); v != nil {
		a := parseArgs(argv, 1, StopAtOperand, []*Command{v})
		c.tmuxShell(v.Name(), argv, &a)
		return false
	}
	last := &argv[len(argv)-1]
	if risky := tmuxRisk(name); risky != "" {
		c.Narrow("tmux " + risky + " can run commands, now or later")
		if risky == "source-file" && len(argv) > 1 {
			c.readValue(last)
		}
		c.tmuxLater(argv[1:])
	} else if len(argv) > 1 {
		c.tmuxBuffer(name, last)
	}
	return false
}

// tmuxLater shows what commands run that others are given: bind-key x run-shell TEXT, set-hook x 'run-shell TEXT'.
func (c *Invocation) tmuxLater(words []shell.Word) {
	from := len(c.Facts.Inner)
	for i := range words {
		if w := &words[i]; w.Known && strings.ContainsAny(w.Text, " \t\n") {
			tmuxConfig(c, w)
		} else if v := tmuxVerb(tmuxShells, w.Text); v != nil && w.Known {
			a := parseArgs(words[i:], 1, StopAtOperand, []*Command{v})
			c.tmuxShell(v.Name(), words[i:], &a)
			break
		}
	}
	for i := range c.Facts.Inner[from:] {
		c.Facts.Inner[from+i].Standing = Guessed()
	}
}

// tmuxConfig shows what the lines of a configuration, or of commands, run.
func tmuxConfig(c *Invocation, text *shell.Word) {
	for line := range strings.FieldsFuncSeq(text.Text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if words := splitWords(line, text); len(words) > 1 && len(words) < 100 {
			c.tmuxLater(words)
		}
	}
}

// tmuxPrints reports whether a command prints what it finds, with known options.
func tmuxPrints(v *Command, argv []shell.Word) bool {
	a := parseArgs(argv, 1, StopAtOperand, []*Command{v})
	prints := !shell.Among("display-message capture-pane", v.Name())
	for i := range a.Opts {
		prints = prints || a.Opts[i].Name == "p"
	}
	return prints && len(a.Unknown) == 0
}

// tmuxRisky are the commands that run something, or change what is run later.
const tmuxRisky = "source-file bind-key set-hook set-option set-window-option setw set-environment setenv " +
	"confirm-before confirm command-prompt display-menu menu copy-mode choose-tree choose-client choose-buffer " +
	"customize-mode display-panes"

// tmuxRisk is the risky command that a name abbreviates, "" for none.
func tmuxRisk(name string) string {
	for risky := range strings.FieldsSeq(tmuxRisky) {
		if len(name) > 2 && strings.HasPrefix(risky, name) {
			return risky
		}
	}
	return ""
}

// tmuxBuffer is save-buffer and load-buffer FILE.
func (c *Invocation) tmuxBuffer(name string, file *shell.Word) {
	if strings.HasPrefix(name, "save") && name != "save" {
		c.write(file)
	}
	if strings.HasPrefix(name, "load") {
		c.readValue(file)
	}
}

// tmuxVerb finds a command by its name, its alias or a prefix of its name.
func tmuxVerb(list []Command, name string) *Command {
	for i := range list {
		if list[i].Named(name) {
			return &list[i]
		}
	}
	for i := range list {
		if len(name) > 3 && strings.HasPrefix(list[i].Name(), name) {
			return &list[i]
		}
	}
	return nil
}

// tmuxShell runs the shell text of a command.
func (c *Invocation) tmuxShell(verb string, argv []shell.Word, a *Args) {
	if len(a.Operands) == 0 {
		return
	}
	text := joined(argv[a.Operands[0]:])
	for i := range a.Opts {
		if name := a.Opts[i].Name; verb == "run-shell" && name == "C" || verb == "if-shell" && name == "F" {
			c.Narrow("it runs commands of tmux")
			c.tmuxLater(argv[a.Operands[0]:])
			return
		}
	}
	if verb == "if-shell" {
		c.Narrow("it runs commands of tmux")
		c.tmuxLater(argv[a.Operands[0]+1:])
		text = argv[a.Operands[0]]
	}
	c.runs(Inner{Kind: InnerText, Via: "tmux", Text: text})
}

// tmuxFormats reports whether no word is a format that runs a command, #(text),
// or that expands what a program may have set, #{E:name}.
func (c *Invocation) tmuxFormats(argv []shell.Word) bool {
	for i := range argv {
		w := &argv[i]
		if _, text, ok := strings.Cut(w.Text, "#("); ok && w.Known {
			c.Narrow("#() in a format runs a command")
			text, _, _ = strings.Cut(text, ")")
			c.scan("#()", text, w)
			return false
		}
		if !w.Known || strings.Contains(w.Text, "#{") && shell.ContainsAny(w.Text, "E:", "T:", "E;", "T;") {
			return false
		}
	}
	return true
}

// refineDesktop shows the command that a window manager is told to start: i3-msg exec COMMAND.
func refineDesktop(c *Invocation) {
	if len(c.Operands) == 0 {
		return
	}
	line := joined(c.rest(0))
	for _, verb := range [...]string{"exec_always ", "exec ", "spawn "} {
		if _, text, ok := strings.Cut(line.Text, verb); ok {
			c.scan(strings.TrimSpace(verb), strings.TrimPrefix(text, "--no-startup-id "), &line)
			return
		}
	}
}

// refineScreen is screen [options] [COMMAND].
func refineScreen(c *Invocation) {
	words, lists := c.screenOptions(c.Argv[1:])
	c.disproveIf(!lists)
	c.runs(Inner{Kind: InnerArgv, Via: "screen", Argv: words})
}

// screenPlain are the commands of screen that run nothing and touch no file.
const screenPlain = "quit detach title number select next prev kill info windows"

// screenOptions reads the options of screen and returns the words of the command
// it runs; lists says that it only tells which terminals there are.
func (c *Invocation) screenOptions(words []shell.Word) (command []shell.Word, lists bool) {
	for len(words) > 0 && strings.HasPrefix(shell.LiteralPrefix(&words[0]), "-") {
		t := words[0].Text
		words = words[1:]
		switch t {
		case "-ls", "-list", "-v", "--version":
			return nil, true
		case "-X", "-Q":
			if len(words) > 0 && !shell.Listed(screenPlain, words[0].Text) {
				c.Narrow("-X can run a command, or read or write a file")
				if shell.Among("readbuf readreg source", words[0].Text) && len(words) > 1 {
					c.read(&words[len(words)-1])
				}
			}
			return nil, false
		case "-Logfile":
			if len(words) > 0 {
				c.write(&words[0])
				words = words[1:]
			}
			continue
		case "-c":
			c.Narrow("-c reads a file of commands")
			if len(words) > 0 {
				c.readValue(&words[0])
			}
		}
		if strings.IndexByte("ceSTtphs", t[len(t)-1]) >= 0 && len(words) > 0 {
			words = words[1:]
		}
	}
	return words, false
}

// emulatorCommands are the windows, queues and benchmarks that run a command, and
// the wrappers in front of every command of an agent.
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
			{"-p prepare -c cleanup setup conclude -S shell", HasArg, 0}, {"export-json export-csv export-markdown export-asciidoc export-orgmode", HasArg, Writes},
		},
		Operands: RunsText,
		Forms:    []Form{{"-p|--prepare|-c|--cleanup|--setup|--conclude=TEXT", RunsText, ""}, {"-S|--shell", Narrows, "--shell names the program that runs the commands"}},
	},
	{
		Names: "nix", Title: "builds packages, and runs commands with them", Style: StopAtOperand, InfoFlags: "--version --help", refine: refineNix,
		Opts: []Opt{{"option extra-experimental-features experimental-features", HasArg, 0}},
	},
	{
		Names: "rtk", Title: "runs a command and shortens what it prints", Style: StopAtOperand, Flags: "-vuq verbose ultra-compact skip-env quiet", InfoFlags: "--version -V --help -h",
		Forms: []Form{
			{"proxy|err|test|summary|run LINE...", Runs, ""},
			{"LINE:^proxy|err|test|summary|run|gain|init|config|discover|session|telemetry|learn|verify|trust|untrust|hook|rewrite|cc-economics|hook-audit", Runs, ""},
		},
	},
	{
		Names: "ipython bpython ptpython", Title: "runs Python", Style: StopAtOperand, InfoFlags: "--version -V --help -h",
		Flags: "-iqV quick simple-prompt no-banner", Opts: []Opt{{"-c", HasArg, Unsafe}, {"-m", HasArg, Unsafe}, {"profile config ext", HasArg, Unsafe}}, Operands: Scripts, refine: refineCodeOptions,
		Special: &Special{Stdin: &StdinProgram{Unless: "version help V"}},
	},
	{
		Names: "raku dart nim zig janet fennel picolisp newlisp gosh chibi-scheme csi gsi mit-scheme yabasic bqn", Title: "runs a script",
		Style: StopAtOperand, Flags: "-v version help", Opts: []Opt{{"-ecE eval", HasArg, Unsafe}}, Operands: Scripts, refine: refineCodeOptions,
	},
}

// refineWindow runs the words after -e, -x or --, or the text of --command.
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
		if w.Known && shell.Among("-e -x --", w.Text) && i+2 < len(c.Argv) {
			c.Narrow("it opens a terminal that runs a command")
			c.runs(line(ProgramName(c.Argv), c.Argv[i+2:]))
			return
		}
	}
	refineUnknownLauncher(c)
}

// nixRuns are the verbs of nix that run a command.
const nixRuns = "develop shell run env"

// nixFlags are options of nix run that do not change what runs.
const nixFlags = "-L --print-build-logs -v --verbose --quiet --offline --refresh --no-write-lock-file --show-trace"

// refineNix runs what follows -c or --command; nix run a package, and after -- come the words of its program.
func refineNix(c *Invocation) {
	from := 0
	for from+1 < len(c.Operands) && c.Has("option") && !shell.Among(nixRuns, c.LiteralOperand(from)) { // it takes two values
		from++
	}
	verb := c.LiteralOperand(from)
	var a Args
	alike := verb == "develop" // of the project one is in
	for n := from + 1; n < len(c.Operands) && shell.Among(nixRuns, verb); n++ {
		switch t := c.LiteralOperand(n); {
		case verb == "run" && t == "--": // in bash -c TEXT, too
			c.within(Inner{Kind: InnerArgv, Via: "nix", Argv: c.rest(n + 1)})
			n = len(c.Operands)
		case verb == "run" && !strings.HasPrefix(t, "-"):
			a.Operands = append(a.Operands, c.Operands[n])
		case verb == "run" && !shell.Among(nixFlags, t):
			c.Narrow(t + " may change what it runs")
		case t == "--command", !strings.HasPrefix(t, "--") && strings.HasPrefix(t, "-") && strings.Contains(t, "c"):
			if argv := c.rest(n + 1); len(argv) > 0 {
				c.runs(Inner{Kind: InnerArgv, Via: "nix", Argv: argv, At: c.Operands[n+1], Alike: alike})
			}
			return
		default:
			alike = alike && shell.Among(nixFlags, t)
		}
	}
	c.packaged(&a, 0, "")
}
