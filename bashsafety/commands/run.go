package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What chrt and taskset have in common.
const (
	scheduleFlags = "-abdfiomrRvchV all-tasks max other batch idle ext rr fifo deadline reset-on-fork verbose " +
		"cpu-list help version"
	scheduleValues = "-TPD sched-runtime sched-period sched-deadline"
)

var (
	scheduleOpts = []Opt{{"-p pid", NoArg, Asks}}
	wraps        = []Form{{"$", Proves, ""}, {"COMMAND", Wraps, ""}}
)

// runCommands are the programs that run another one.
var runCommands = []Command{
	{
		Names: "caffeinate", Title: "keeps the machine awake", Flags: "-disum", Values: "-tw", Style: StopAtOperand,
		refine: refineEnvironment, Special: &Special{Environments: []Environment{{}}},
	},
	{
		Names: "xvfb-run", Title: "runs with a display of its own", Style: StopAtOperand, refine: refineEnvironment,
		Flags: "-alh auto-servernum listen-tcp help", Values: "-npsw server-num xauth-protocol server-args wait",
		Opts: []Opt{{"-ef error-file auth-file", HasArg, WritesValue}}, Special: &Special{Environments: []Environment{{}}},
	},
	{
		Names: "nice gnice", Shortens: true, InfoFlags: "--help --version", Title: "runs with another priority",
		Flags: "-0123456789 help version", Values: "-n adjustment", Style: StopAtOperand, Forms: wraps,
	},
	{Names: "nohup", InfoFlags: "--help --version", Title: "runs without hangups", Flags: "help version", Style: StopAtOperand, Forms: wraps},
	{
		Names: "setsid", Title: "runs in a session of its own", Flags: "-cfwhV ctty fork wait help version", Style: StopAtOperand,
		RunsRest: true,
	},
	{
		Names: "stdbuf gstdbuf", Shortens: true, InfoFlags: "--help --version", Title: "runs with other buffering",
		Values: "-ioe input output error", Style: StopAtOperand, Forms: wraps,
	},
	{
		Names: "ionice", Title: "runs with another I/O priority", Flags: "-t ignore", Values: "-cn class classdata",
		Opts: []Opt{{"-pPu pid pgid uid", NoArg, Asks}}, Style: StopAtOperand, RunsRest: true,
	},
	{
		Names: "taskset", Title: "runs with another schedule", Flags: scheduleFlags, Opts: scheduleOpts, Values: scheduleValues,
		Style: StopAtOperand, Forms: []Form{{"!-p|--pid * COMMAND", Runs, ""}},
	},
	{
		Names: "chrt", Title: "runs with another schedule", Flags: scheduleFlags, Opts: scheduleOpts, Values: scheduleValues,
		Style: StopAtOperand, refine: refineChrt,
	},
	{
		Names: "prlimit", Title: "runs with other limits", Flags: "-V noheadings raw verbose",
		OptValues: "-cdefilmnqrstuvxy core data nofile nproc as cpu fsize memlock stack rss nice rtprio sigpending msgqueue locks rttime",
		Values:    "-o output -p pid", Style: StopAtOperand, RunsRest: true,
	},
	{
		Names: "time gtime", Title: "measures a command", Flags: "-apvqlh append portability verbose quiet help version",
		Values: "-f format", Opts: []Opt{{"-o output", HasArg, WritesValue}}, Style: StopAtOperand, Forms: wraps,
	},
	{
		Names: "timeout gtimeout", Shortens: true, InfoFlags: "--help --version", Title: "runs with a time limit",
		Flags: "-vfp preserve-status foreground verbose help version", Values: "-ks kill-after signal", Style: StopAtOperand,
		refine: refineTimeout,
	},
	{
		Names: "flock", Title: "runs under a lock",
		Flags:  "-ensuxoFvhV exclusive shared nonblock nb unlock close no-fork verbose fcntl help version",
		Values: "-wE wait timeout conflict-exit-code", Opts: []Opt{{"-c command", HasArg, RunsText}}, Style: StopAtOperand, Forms: []Form{{"FILE", Writes, ""}},
		refine: refineFlock,
	},
	{
		Names: "at batch", Title: "runs shell text later", Flags: "-bdlmMrvV", Values: "-qtc",
		Opts: []Opt{{"-f", HasArg, Reads}},
		Forms: []Form{
			{"-l|-c !-r|-d", Proves, ""}, {"!-l|-r|-d|-c >/var/spool/cron/atjobs", Writes, ""},
			{"!-l|-r|-d|-c -f=FILE", Executes, ""}, {"!-l|-r|-d|-c|-f", RunsInput, ""},
		},
	},
	{
		Names: "script", Title: "records a terminal", Flags: "-aefqVrdhk append return flush force quiet help version",
		Values: "-Emo echo logging-format output-limit", OptValues: "-t timing",
		Opts: []Opt{{"-c command", HasArg, RunsText}, {"-BIOT log-in log-out log-io log-timing", HasArg, Writes}},
		Forms: []Form{
			{"FILE", Writes, ""}, {"$ !-B|-I|-O|--log-in|--log-out|--log-io >typescript", Writes, ""},
			{"!-c|--command $", RunsInput, ""}, {"!-c|--command * $", RunsInput, ""}, {"!-c|--command * COMMAND", Runs, ""}, // elsewhere than on Linux
		},
	},
	{
		Names: "busybox toybox", Title: "runs one of its applets", Style: StopAtOperand,
		Opts: []Opt{{"list list-full help", NoArg, Asks}, {"install -s", NoArg, Changes}}, Forms: []Form{{"!--list|--list-full|--help COMMAND", Runs, ""}}, ReadsIfAsked: true,
	},
	{
		Names: "ld.so", Title: "runs a program through the dynamic loader",
		Flags:  "list verify inhibit-cache list-tunables list-diagnostics help version",
		Values: "library-path glibc-hwcaps-prepend glibc-hwcaps-mask inhibit-rpath argv0", Opts: []Opt{{"preload audit", HasArg, Unsafe}},
		Style: StopAtOperand, RunsRest: true,
	},
	{
		Names: "dbus-run-session eatmydata fakeroot unbuffer rlwrap proxychains proxychains4 torsocks firejail",
		Title: "runs a command in another environment", Flags: "-v -q -l -u -i", Values: "-b -s -f",
		Opts: []Opt{{"config-file dbus-daemon faked lib", HasArg, Unsafe}}, Style: StopAtOperand, RunsRest: true,
		Forms: []Form{{"$", MayRunFed, ""}},
	},
}

// refineTimeout is timeout [options] DURATION COMMAND.
func refineTimeout(c *Invocation) {
	if w := c.Operand(0); w != nil && w.Known && (w.Text == "" || strings.IndexByte("0123456789.i", w.Text[0]) < 0) {
		c.Narrow("the time is not a number; old versions read the first word as the command")
		c.runs(Inner{Kind: InnerArgv, Via: "timeout", Argv: c.rest(0)})
		return
	}
	c.runs(Inner{Kind: InnerArgv, Via: "timeout", Argv: c.rest(1), Strip: true})
}

// refineChrt is taskset with a priority: a first word that is no number is the command.
func refineChrt(c *Invocation) {
	switch w := c.Operand(0); {
	case c.Has("p", "pid"):
	case w == nil || !w.Known || shell.Number(w.Text):
		c.runsFrom(1)
	default:
		c.runsFrom(0)
		c.within(Inner{Kind: InnerArgv, Via: "chrt", Argv: c.rest(1)})
	}
}

// refineFlock is flock [options] FILE COMMAND, or FILE -c TEXT, or a descriptor.
func refineFlock(c *Invocation) {
	switch argv := c.rest(1); {
	case c.Has("c", "command"):
	case len(argv) > 1 && (argv[0].Text == "-c" || argv[0].Text == "--command"):
		c.runs(Inner{Kind: InnerText, Via: "flock -c", Text: argv[1]})
	default:
		c.runs(Inner{Kind: InnerArgv, Via: "flock", Argv: argv})
	}
}

// watchCommands are the programs that run another one again when time passes or files change.
var watchCommands = []Command{
	{
		Names: "watch viddy", Title: "repeats a command",
		Flags:  "-bcCefgprtvwxhN beep color no-color errexit chgexit follow precise no-rerun no-title no-linewrap no-wrap exec help version",
		Values: "-nqs interval shotsdir equexit", OptValues: "-d differences", Style: StopAtOperand, Forms: []Form{{"!-x|--exec TEXT...", RunsText, ""}, {"-x|--exec COMMAND", Runs, ""}},
	},
	{
		Names: "entr", Title: "runs a command when files change", Flags: "-acdnprxz", Opts: []Opt{{"-s", NoArg, 0}},
		Style: StopAtOperand, Forms: []Form{{"-s TEXT", RunsText, ""}}, refine: refineEntr,
	},
	{
		Names: "cargo-watch", Title: "runs cargo or a command when files change",
		Flags:  "-cqNBLEV clear quiet notify no-vcs-ignores no-dot-ignores no-restart poll postpone why watch-when-idle debug ignore-nothing",
		Values: "-bdiwC delay ignore watch workdir features env use-shell", Opts: []Opt{{"-x exec", HasArg, 0}, {"-s shell", HasArg, 0}},
		Style: StopAtOperand, refine: func(c *Invocation) { c.cargoWatch(&c.Args) },
	},
	{
		Names: "nix-shell nodemon chokidar npm-watch",
		Title: "runs a command in another environment, or when files change", Flags: "-qvV pure verbose quiet",
		Values: "-piIjdwe packages attr arg argstr delay watch ext ignore", Opts: []Opt{{"-xcs exec run command shell", HasArg, RunsText}},
		Forms: []Form{{"=nix-shell !--run|--command", MayRunFed, ""}},
	},
}

// refineEntr runs its operands; /_ is a file.
func refineEntr(c *Invocation) {
	if !c.Has("s") {
		argv, _ := replaced(c.rest(0), "/_")
		c.runs(Inner{Kind: InnerArgv, Via: "entr", Argv: argv})
	}
}

// cargoWatch: -x is a command of cargo, -s shell text, the operands a command.
func (c *Invocation) cargoWatch(a *Args) {
	for u := range a.options() {
		switch u.Name {
		case "x", "exec":
			text := u.Value
			text.Text = "cargo " + text.Text
			c.runs(Inner{Kind: InnerText, Via: "cargo-watch -x", Text: text})
		case "s", "shell":
			c.runs(Inner{Kind: InnerText, Via: "cargo-watch -s", Text: u.Value})
		}
	}
	for _, at := range a.Operands[:min(len(a.Operands), 1+len(a.Unknown))] {
		c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.Argv[at:]})
	}
}

// traceCommands are the programs that trace and debug another one.
var traceCommands = []Command{
	{
		Names: "strace", Title: "traces a program",
		Flags: "-AcCdDfFhiknNqrtTvVwxyYzZ follow-forks output-separately successful-only failed-only instruction-pointer stack-traces " +
			"syscall-number output-append-mode no-abbrev summary-only summary summary-wall-clock debug seccomp-bpf help version",
		Values: "-abeIOpPsSuUX attach expr user string-limit trace signal status inject fault detach-on interruptible trace-path " +
			"columns abbrev verbose raw read write kvm const-print-style summary-syscall-overhead summary-sort-by summary-columns",
		OptValues: "daemonize quiet relative-timestamps absolute-timestamps syscall-times strings-in-hex decode-fds decode-pids tips secontext",
		Opts:      []Opt{{"-o output", HasArg, 0}, {"-E env", HasArg, Unsafe}}, Style: StopAtOperand, RunsRest: true, refine: refineStrace,
	},
	{
		Names: "ltrace", Title: "traces the library calls of a program",
		Flags: "-bcCfhiLrStTV demangle help no-signals indent version", Values: "-aAeDlnpsuxXw align debug library where",
		Opts: []Opt{{"-o output", HasArg, WritesValue}, {"-F config", HasArg, Unsafe}}, Style: StopAtOperand, RunsRest: true,
	},
	{
		Names: "gdb lldb", Title: "debugs a program", Style: SingleDash, Flags: "q quiet batch nx nh n silent help version p",
		Values: "d cd c core symbols e exec s se pid tty",
		Opts: []Opt{
			{"ex eval-command iex init-eval-command o O one-line", HasArg, ObeysValue}, {"x command ix init-command source S K", HasArg, Unsafe}, {"args", NoArg, 0},
			{"-", NoArg, 0},
		},
		refine:  refineDebug,
		Special: &Special{Stdin: &StdinProgram{Unless: "batch version help", Operands: NoLimit}},
	},
}

// refineStrace writes -o's file; a value that starts with | or ! is a command.
func refineStrace(c *Invocation) {
	if o := c.Option("o", "output"); o != nil {
		if t := shell.LiteralPrefix(&o.Value); strings.HasPrefix(t, "|") || strings.HasPrefix(t, "!") {
			c.Narrow("-o runs a command")
			c.scan("-o", o.Value.Text[1:], &o.Value)
		} else {
			c.writeExtra(&o.Value)
		}
	}
}

// refineDebug is gdb --args COMMAND and lldb -- COMMAND; else the first operand
// is the program that may be run.
func refineDebug(c *Invocation) {
	refineCodeOptions(c)
	at := c.DashDash
	if o := c.Option("args"); o != nil {
		at = o.at
	}
	if at > 0 {
		c.runs(Inner{Kind: InnerArgv, Via: c.Argv[0].Text, Argv: c.Argv[at+1:]})
		return
	}
	if w := c.Operand(0); w != nil {
		c.execute(w)
	}
}

// xargsCommands are the programs that run another one for every argument.
var xargsCommands = []Command{
	{
		Names: "xargs gxargs", Title: "runs a command with arguments from standard input",
		Flags:  "-0oprtx null open-tty interactive no-run-if-empty verbose exit show-limits help version",
		Values: "-dEILnPRsSJ delimiter max-args max-procs max-chars", OptValues: "-eil eof replace max-lines",
		Opts:  []Opt{{"-a arg-file", HasArg, Reads}, {"process-slot-var", HasArg, Unsafe}}, // PATH is a variable
		Style: StopAtOperand, ReadOnly: true, refine: refineXargs,
	},
	{
		Names: "parallel", Parser: Plus, Title: "runs a command for every argument",
		Flags: "-0kmtuvXrqpx bar dry-run dryrun eta keep-order line-buffer linebuffer lb no-notice progress quote shuf tag ungroup " +
			"group verbose null will-cite xargs no-run-if-empty interactive pipe pipepart pipe-part round-robin roundrobin cat fifo " +
			"link xapply keep plus resume resume-failed transfer cleanup nonall onall tty tmux regexp regex controlmaster linewise help " +
			"version color",
		Values: "-CdEIjLnNPsU jobs delay max-args max-procs max-replace-args nice retries timeout colsep delimiter load " +
			"memfree memsuspend halt halt-on-error tmpdir tempdir workdir wd basefile bf return trc env block block-size recstart " +
			"recend tagstring header trim arg-sep argsep arg-file-sep argfilesep sshdelay max-chars process-slot-var group-by " +
			"transferfile tf",
		OptValues: "-eil replace max-lines eof files",
		Opts: []Opt{
			{"-SJ sshlogin sshloginfile slf profile", HasArg, Unsafe}, {"rpl filter", HasArg, ObeysValue}, {"ssh limit compress-program decompress-program", HasArg, Executes},
			{"results res joblog", HasArg, WritesValue}, {"-a arg-file", HasArg, Reads},
		},
		Style: StopAtOperand, refine: refineParallel,
	},
}

// refineXargs runs its operands with further words, or with the mark of -I
// replaced; without a command it prints them.
func refineXargs(c *Invocation) {
	argv := c.rest(0)
	if len(argv) == 0 {
		return
	}
	in := Inner{Kind: InnerArgv, Via: "xargs", Argv: argv, More: true}
	if o := c.Option("I", "i", "replace", "J"); o != nil {
		mark := "{}"
		if o.Given && o.Value.Known && o.Value.Text != "" {
			mark = o.Value.Text
		}
		in.Argv, _ = replaced(argv, mark)
		for i := range in.Argv {
			if argv[i].Text == mark {
				in.Argv[i].List = &shell.Listing{Fed: true}
			}
		}
		in.More = o.Name == "J" // which puts all of them there
	}
	c.runs(in)
}

// ParsesEach reports whether xargs starts a shell that only parses for one word at a time.
func (c *Invocation) ParsesEach() bool {
	one := false
	for u := range c.options() {
		switch u.Name {
		case "n", "max-args":
			one = u.Value.Known && u.Value.Text == "1"
		case "0", "null", "r", "no-run-if-empty", "t", "verbose", "P", "max-procs", "d", "delimiter":
		default:
			return false
		}
	}
	return one && c.Understood() && parsesOne(c.rest(0))
}

// refineParallel runs the words before ::: with {} filled in; one with blanks is shell text.
func refineParallel(c *Invocation) {
	argv := c.rest(0)
	for i := range argv {
		if t := argv[i].Text; strings.HasPrefix(t, ":::") {
			for k := range argv[i+1:] { // what is filled in is a file for most commands
				c.touch(shell.Read, &argv[i+1+k], false)
			}
			argv = argv[:i]
			break
		}
	}
	if len(argv) == 0 {
		c.doubt("piped-program", "parallel runs the lines it reads; name the command", &c.Argv[0])
		c.Disprove("")
		return
	}
	for _, w := range c.words() {
		if strings.Contains(w.Text, "{=") {
			c.Narrow("{= =} is Perl that parallel runs")
			c.program("perl", code.Perl, w)
		} else if strings.Contains(w.Text, "$(") {
			c.scan("text", w.Text, w)
		}
	}
	argv, placed := replaced(argv, "{")
	if len(argv) == 1 && strings.ContainsAny(argv[0].Text, " \t\n|;&$`<>") {
		c.runs(Inner{Kind: InnerText, Via: "parallel", Text: argv[0]})
		return
	}
	c.runs(Inner{Kind: InnerArgv, Via: "parallel", Argv: argv, More: !placed})
}

// replaced puts holes where words hold the mark; "{" means {}, {.}, {/} and the like.
func replaced(argv []shell.Word, mark string) ([]shell.Word, bool) {
	out, any := make([]shell.Word, len(argv)), false
	for i, w := range argv {
		switch {
		case mark == "{":
			for {
				from := strings.IndexByte(w.Text, '{')
				if from < 0 {
					break
				}
				to := strings.IndexByte(w.Text[from:], '}')
				if to < 0 || strings.ContainsAny(w.Text[from:from+to], " ;") {
					break
				}
				w.Text = w.Text[:from] + shell.HoleMark + w.Text[from+to+1:]
				w.Known, w.Single, w.Quoted, any = false, true, true, true
			}
		case mark != "" && strings.Contains(w.Text, mark):
			w.Text = strings.ReplaceAll(w.Text, mark, shell.HoleMark)
			w.Known, w.Single, w.Quoted, any = false, true, true, true
		}
		out[i] = w
	}
	return out, any
}

// MayExpand reports whether a value that is known may be other arguments where
// it is not quoted.
func MayExpand(text string) bool { return strings.ContainsAny(text, " \t\n*?[\\") }

// MaxFed is how many words xargs is followed for.
const MaxFed = 16
