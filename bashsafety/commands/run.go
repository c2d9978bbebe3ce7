package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What chrt and taskset have in common.
const (
	scheduleFlags = "-abdfiomrRvchV all-tasks max other batch idle ext rr fifo deadline reset-on-fork verbose " +
		"cpu-list help version"
	scheduleValues = "-TPD sched-runtime sched-period sched-deadline"
)

var scheduleOpts = []Opt{{"-p pid", NoArg, Asks}}

// runCommands are the programs that run another one.
var runCommands = []Command{
	{Names: "caffeinate", Title: "keeps the machine awake", Flags: "-disum", Values: "-tw", Style: StopAtOperand, RunsRest: true},
	{
		Names: "nice gnice", Shortens: true, InfoFlags: "--help --version", Title: "runs with another priority",
		Flags: "-0123456789 help version", Values: "-n adjustment", Style: StopAtOperand, ReadsSome: true, Bare: true, refine: refineWrap,
	},
	{Names: "nohup", InfoFlags: "--help --version", Title: "runs without hangups", Flags: "help version", Style: StopAtOperand, ReadsSome: true, Bare: true, refine: refineWrap},
	{
		Names: "setsid", Title: "runs in a session of its own", Flags: "-cfwhV ctty fork wait help version", Style: StopAtOperand,
		RunsRest: true,
	},
	{
		Names: "stdbuf gstdbuf", Shortens: true, InfoFlags: "--help --version", Title: "runs with other buffering",
		Values: "-ioe input output error", Style: StopAtOperand, ReadsSome: true, Bare: true, refine: refineWrap,
	},
	{
		Names: "ionice", Title: "runs with another I/O priority", Flags: "-t ignore", Values: "-cn class classdata",
		Opts: []Opt{{"-pPu pid pgid uid", NoArg, Asks}}, Style: StopAtOperand, RunsRest: true,
	},
	{
		Names: "taskset", Title: "runs with another schedule", Flags: scheduleFlags, Opts: scheduleOpts, Values: scheduleValues,
		Style: StopAtOperand, refine: refineTaskset,
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
		Values: "-f format", Opts: []Opt{{"-o output", HasArg, WritesValue}}, Style: StopAtOperand, ReadsSome: true, Bare: true,
		refine: refineWrap,
	},
	{
		Names: "timeout gtimeout", Shortens: true, InfoFlags: "--help --version", Title: "runs with a time limit",
		Flags: "-vfp preserve-status foreground verbose help version", Values: "-ks kill-after signal", Style: StopAtOperand,
		refine: refineTimeout,
	},
	{
		Names: "flock", Title: "runs under a lock",
		Flags:  "-ensuxoFvhV exclusive shared nonblock nb unlock close no-fork verbose fcntl help version",
		Values: "-wE wait timeout conflict-exit-code", Opts: []Opt{{"-c command", HasArg, 0}}, Style: StopAtOperand, refine: refineFlock,
	},
	{
		Names: "at batch", Title: "runs shell text later", Flags: "-bdlmMrvV", Values: "-qtc",
		Opts: []Opt{{"-f", HasArg, ReadsValue}}, Reading: &Reading{If: "-lc", Unless: "-rd"}, refine: refineAt,
	},
	{
		Names: "script", Title: "records a terminal", Flags: "-aefqVrdhk append return flush force quiet help version",
		Values: "-Emo echo logging-format output-limit", OptValues: "-t timing",
		Opts: []Opt{{"-c command", HasArg, 0}, {"-BIOT log-in log-out log-io log-timing", HasArg, OutputsValue}}, refine: refineScript,
	},
	{
		Names: "busybox toybox", Title: "runs one of its applets", Style: StopAtOperand,
		Opts: []Opt{{"list list-full help", NoArg, Asks}, {"install -s", NoArg, Changes}}, refine: refineBusybox, ReadsIfAsked: true,
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
	},
}

// refineWrap takes the wrapper off: its command stands for itself.
func refineWrap(c *Invocation) {
	if argv := c.rest(0); len(argv) > 0 {
		c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: argv, Strip: true})
	}
}

// refineTimeout is timeout [options] DURATION COMMAND.
func refineTimeout(c *Invocation) {
	if w := c.Operand(0); w != nil && w.Known && (w.Text == "" || strings.IndexByte("0123456789.i", w.Text[0]) < 0) {
		c.Narrow("the time is not a number; old versions read the first word as the command")
		c.runs(Inner{Kind: InnerArgv, Via: "timeout", Argv: c.rest(0)})
		return
	}
	if argv := c.rest(1); len(argv) > 0 {
		c.runs(Inner{Kind: InnerArgv, Via: "timeout", Argv: argv, Strip: true})
	}
}

// afterFirst runs what follows the first operand.
func afterFirst(c *Invocation) {
	if argv := c.rest(1); len(argv) > 0 {
		c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: argv})
	}
}

// refineTaskset: what follows a mask, with -p a process that runs already.
func refineTaskset(c *Invocation) {
	if !c.Has("p", "pid") {
		afterFirst(c)
	}
}

// refineChrt is taskset with a priority: the first word is the command when it is
// no number.
func refineChrt(c *Invocation) {
	if w := c.Operand(0); w == nil || !w.Known || shell.Number(w.Text) || c.Has("p", "pid") {
		refineTaskset(c)
		return
	}
	c.runs(Inner{Kind: InnerArgv, Via: "chrt", Argv: c.rest(0)})
	if argv := c.rest(1); len(argv) > 0 {
		c.remote(Inner{Kind: InnerArgv, Via: "chrt", Argv: argv})
	}
}

// refineFlock is flock [options] FILE COMMAND, or FILE -c TEXT, or a descriptor.
func refineFlock(c *Invocation) {
	argv := c.rest(0)
	if len(argv) == 0 {
		return
	}
	c.write(&argv[0])
	argv = argv[1:]
	switch o := c.Option("c", "command"); {
	case o != nil:
		c.runs(Inner{Kind: InnerText, Via: "flock -c", Text: o.Value})
	case len(argv) > 1 && (argv[0].Text == "-c" || argv[0].Text == "--command"):
		c.runs(Inner{Kind: InnerText, Via: "flock -c", Text: argv[1]})
	case len(argv) > 0:
		c.runs(Inner{Kind: InnerArgv, Via: "flock", Argv: argv})
	}
}

func refineAt(c *Invocation) {
	switch {
	case c.Has("l", "r", "d", "c"):
	case c.Has("f"):
		c.touch(shell.Execute, &c.Option("f").Value, false)
	default:
		c.runs(Inner{Kind: InnerStdin, Via: ProgramName(c.Argv)})
	}
}

// refineScript is script [-c TEXT] [FILE], elsewhere script FILE COMMAND.
func refineScript(c *Invocation) {
	w := c.Operand(0)
	name := shell.Literal("typescript", &c.Argv[0])
	if w == nil && !c.Has("B", "I", "O", "log-in", "log-out", "log-io") {
		w = &name
	}
	if w != nil {
		c.write(w)
	}
	switch o := c.Option("c", "command"); {
	case o != nil:
		c.runs(Inner{Kind: InnerText, Via: "script -c", Text: o.Value})
	case len(c.Operands) > 1:
		c.runs(Inner{Kind: InnerArgv, Via: "script", Argv: c.rest(1)})
	default:
		c.runs(Inner{Kind: InnerStdin, Via: "script"})
	}
}

func refineBusybox(c *Invocation) {
	if !c.asks {
		c.runsRest()
	}
}
