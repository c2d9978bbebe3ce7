package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// traceCommands are the programs that trace and debug another one.
var traceCommands = []Command{
	{
		Names: "strace", Title: "traces a program",
		Flags: "-AcCdDfFhiknNqrtTvVwxyYzZ follow-forks output-separately successful-only failed-only instruction-pointer stack-traces " +
			"syscall-number output-append-mode no-abbrev summary-only summary summary-wall-clock debug seccomp-bpf help version",
		Values: "-abeIOpPsSuUX attach expr user string-limit trace signal status inject fault detach-on interruptible trace-path " +
			"columns abbrev verbose raw read write kvm const-print-style summary-syscall-overhead summary-sort-by summary-columns",
		OptValues: "daemonize quiet relative-timestamps absolute-timestamps syscall-times strings-in-hex decode-fds decode-pids tips secontext",
		Opts:      []Opt{{"-o output", HasArg, 0}, {"-E env", HasArg, Unsafe}}, Style: StopAtOperand, refine: refineStrace,
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
			{"ex x command eval-command ix iex init-command init-eval-command o O one-line source S K", HasArg, Unsafe}, {"args", NoArg, 0},
			{"-", NoArg, 0},
		},
		refine: refineDebug,
		Special: &Special{Stdin: &StdinProgram{
			Unless: "batch version help", Operands: NoLimit,
			Narrows: []string{"gdb <<< 'shell id'", "lldb x < y", "echo 'shell id' | gdb -q x"}, Passes: []string{"gdb -q x", "gdb -batch x < y"},
		}},
	},
}

// refineStrace writes -o's file; a value that starts with | or ! is a command.
func refineStrace(c *Invocation) {
	if o := c.Option("o", "output"); o != nil {
		if t := shell.LiteralPrefix(&o.Value); strings.HasPrefix(t, "|") || strings.HasPrefix(t, "!") {
			c.Narrow("-o runs a command")
		} else if c.write(&o.Value) {
			c.Narrow("-o writes a file")
		}
	}
	c.runsRest()
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
		if argv := c.Argv[at+1:]; len(argv) > 0 {
			c.runs(Inner{Kind: InnerArgv, Via: c.Argv[0].Text, Argv: argv})
		}
		return
	}
	if w := c.Operand(0); w != nil {
		c.execute(w)
	}
}
