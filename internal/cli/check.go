package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

func checkCommand() *Command {
	var o callOptions
	var lines bool
	var jobs int
	return &Command{
		Name:     "check",
		Args:     "COMMAND | WORD... | --tool NAME OPERAND | - | --lines",
		Operands: "program file",
		Words:    commandWords,
		Short:    "decide a call as the hook would, without running it",
		Long: `One operand is shell text; several are the words of one command, including its
options (put the options of check before them, or after one quoted text). With
--tool the operand is the tool's path, URL or name, or a JSON object that is its
whole input. With - check reads a hook payload from standard input, with --lines one
payload per line; it answers every line with one line of JSON, in their order, and a
malformed line with one that has the key "error". All lines are decided under settings
and files as they are while it runs: what was read once is not read again.

Without --host the call is decided for the program the hook is registered with, by
you or by the administrator; if there are several, without the posture of any. The
output says which.

Nothing is executed and nothing is written, unless --classify has your classifier
asked about the call. The exit code is the answer: 0 allow, 1 ask
or silence, 2 deny, 3 error. With --lines it is 0, or 3 if some line could not be
read.`,
		Examples: []Example{
			{"permgate check 'git status && rm -rf x'", "a shell command"},
			{"permgate check git push --force", "the words of a command"},
			{"permgate check --tool Edit ./main.go", "a file tool"},
			{"permgate check --agent reviewer 'git diff'", "as a subagent"},
			{"permgate check --host codex 'git push'", "what ask becomes there"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&lines, "lines", false, "read one payload per line, print one result per line")
			fs.IntVar(&jobs, "jobs", 0, "with --lines: use `N` cores (default all)")
			fs.StringVar(&o.session, "session", "", "with the grants of this session: its `ID`")
			o.registerClassify(fs)
			o.register(fs)
		},
		Run: func(e *env, args []string) int {
			o.imply(e)
			if lines || o.json {
				e.needed()
			}
			if lines && o.classify {
				return e.fail("permgate check --classify COMMAND", "--classify is for one call")
			}
			if lines {
				return checkLines(e, &o, args, jobs)
			}
			if jobs != 0 {
				return e.fail("permgate check --lines --jobs N < calls.jsonl", "--jobs is for --lines alone")
			}
			call, err := o.call(e, args)
			if err != nil {
				return e.fail("permgate help check shows the forms", "%v", err)
			}
			c, v := o.decide(e, call)
			if o.json {
				res := result(c, v)
				res.implies(o.implied.of(call))
				e.machine().Write(append(res.end(), '\n'))
			} else {
				printVerdict(e, c, v)
				e.sayImplied(o.implied.of(call))
			}
			return exitCode(c, v)
		},
	}
}

func exitCode(c *decide.Case, v decide.Verdict) int {
	switch {
	case silence(c, v) != "":
	case v.Decision == hookio.Allow:
		return exitOK
	case v.Decision == hookio.Deny:
		return exitDeny
	}
	return exitAsk
}

// printVerdict prints what the host gets on a line of its own and the reason below it.
func printVerdict(e *env, c *decide.Case, v decide.Verdict) {
	answer, why := e.answer(c, v)
	fmt.Fprintf(e.out, "%s  %s  (%s)\n", answer, hookio.Escape(gate.Heading(c.Call)), why)
	if silence(c, v) != "" {
		e.wrapped("  ", fmt.Sprintf("permgate's own answer would be %s (%s): %s", v.Decision, e.source(c, v),
			e.short(v.Reason)))
	} else {
		e.wrapped("  ", e.short(v.Reason))
	}
	if hostDenies(c, v) {
		e.wrapped("  ", c.Call.Host.Title+" cannot ask here: it gets a deny")
	}
	if line := e.observing(c, v); line != "" {
		e.wrapped("  ", line)
	}
}

// answer says what the host gets in one word, and where that comes from.
func (e *env) answer(c *decide.Case, v decide.Verdict) (word, why string) {
	if why := silence(c, v); why != "" {
		return e.paint()(hookio.Pass, log.Silence), why
	}
	return e.paint()(v.Decision, v.Decision.String()), e.source(c, v)
}

// silence says who decides where the host gets no answer, and why; "" where it
// gets one, and in observe mode, which has a line of its own.
func silence(c *decide.Case, v decide.Verdict) string {
	why := v.Silence(c)
	if why == "" || v.ObserveOnly(c) {
		return ""
	}
	return c.Call.Host.Title + " decides: " + why
}

// sayImplied names the posture that counted.
func (e *env) sayImplied(i *implied) {
	if note := i.note(e); note != "" {
		e.wrapped("  ", note)
	}
}

// hostDenies reports whether an ask reaches the host as a deny.
func hostDenies(c *decide.Case, v decide.Verdict) bool {
	h := c.Call.Host
	return v.Answer(c).Decision == hookio.Ask && (h.AskIs == nil || h.AskIs(c.Call) == hookio.AskDenies)
}
