package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// xargsCommands are the programs that run another one for every argument.
var xargsCommands = []Command{
	{
		Names: "xargs gxargs", Title: "runs a command with arguments from standard input",
		Flags:  "-0oprtx null open-tty interactive no-run-if-empty verbose exit show-limits help version",
		Values: "-dEILnPRsSJ delimiter max-args max-procs max-chars", OptValues: "-eil eof replace max-lines",
		Opts:  []Opt{{"-a arg-file", HasArg, ReadsValue}, {"process-slot-var", HasArg, Unsafe}}, // PATH is a variable
		Style: StopAtOperand, ReadOnly: true, refine: refineXargs,
	},
	{
		Names: "parallel", Parser: Plus, Title: "runs a command for every argument",
		Flags: "-0kmtuvXrqpx bar dry-run dryrun eta keep-order line-buffer linebuffer lb no-notice progress quote shuf tag ungroup " +
			"group verbose null will-cite xargs no-run-if-empty interactive pipe pipepart pipe-part round-robin roundrobin cat fifo " +
			"link xapply keep plus resume resume-failed transfer cleanup nonall onall tty tmux regexp regex controlmaster linewise help " +
			"version color",
		Values: "-aCdEIjLnNPsU arg-file jobs delay max-args max-procs max-replace-args nice retries timeout colsep delimiter load " +
			"memfree memsuspend halt halt-on-error tmpdir tempdir workdir wd basefile bf return trc env block block-size recstart " +
			"recend tagstring header trim arg-sep argsep arg-file-sep argfilesep sshdelay max-chars process-slot-var group-by " +
			"transferfile tf",
		OptValues: "-eil replace max-lines eof files",
		Opts: []Opt{
			{"-SJ sshlogin sshloginfile slf profile rpl filter", HasArg, Unsafe}, {"ssh limit compress-program decompress-program", HasArg, Executes},
			{"results res joblog", HasArg, WritesValue},
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
		in.More = o.Name == "J" // which puts all of them there
	}
	c.runs(in)
}

// refineParallel runs the words before ::: with {} filled in. One word with
// blanks is shell text.
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
	for i := range argv {
		if strings.Contains(argv[i].Text, "{=") {
			c.Narrow("{= =} is Perl that parallel runs")
		}
	}
	argv, placed := replaced(argv, "{")
	if len(argv) == 1 && strings.ContainsAny(argv[0].Text, " \t\n|;&$`<>") {
		c.runs(Inner{Kind: InnerText, Via: "parallel", Text: argv[0]})
		return
	}
	c.runs(Inner{Kind: InnerArgv, Via: "parallel", Argv: argv, More: !placed})
}

// replaced puts holes where words hold the mark; "{" stands for {}, {.}, {/}
// and the like.
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
