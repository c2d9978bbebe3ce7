package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/inorder"
)

func checkCommand() *subcmd.Command {
	var o subcmd.CallOptions
	var lines, quiet bool
	var jobs int
	var silence silenceCode
	return &subcmd.Command{
		Name:     "check",
		Args:     "COMMAND | WORD... | --tool NAME OPERAND | - | --shell - | --lines",
		Operands: "program file",
		Words:    subcmd.CommandWords,
		Short:    "decide a call as the hook would, without running it",
		Long: `One operand is shell text; several are the words of one command, including its
options (put the options of check before them, or after one quoted text). With
--tool the operand is the tool's path, URL or name, or a JSON object that is its
whole input. With - check reads a hook payload from standard input, with --shell - a
shell text, with --lines one payload per line; it answers every line with one line of
JSON, in their order, and a malformed line with one that has the key "error". All lines
are decided under settings and files as they are while it runs: what was read once is
not read again.

Without --host the call is decided for the program the hook is registered with, by
you or by the administrator; if there are several, for the one whose answer is the
strictest. The output says which.

In JSON "answer" is what the program gets (allow, ask, deny or silence), and "decision"
what permgate makes of the call by itself; a script wants the answer.

Nothing is executed and nothing is written, unless --classify has your classifier
asked about the call. The exit code is the answer: 0 allow, 1 ask
or silence (--exit-code silence=N tells the two apart), 2 deny, 3 error. With --lines it
is 0, or 3 if some line could not be read.`,
		Examples: []subcmd.Example{
			{"permgate check 'git status && rm -rf x'", "a shell command"},
			{"permgate check git push --force", "the words of a command"},
			{"permgate check --tool Edit ./main.go", "a file tool"},
			{"permgate check --agent reviewer 'git diff'", "as a subagent"},
			{"permgate check --host codex 'git push'", "what ask becomes there"},
			{"permgate check --quiet --shell - < deploy.sh", "in a script: only the exit code"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&lines, "lines", false, "read one payload per line, print one result per line")
			fs.IntVar(&jobs, "jobs", 0, "with --lines: use `N` cores (default all)")
			fs.BoolVar(&o.Shell, "shell", false, "the operand is shell text, - the one on standard input")
			fs.BoolVarP(&quiet, "quiet", "q", false, "print nothing: the exit code is the answer")
			fs.Var(&silence, "exit-code", "exit code of silence, which is 1 like ask: silence=`N`")
			fs.StringVar(&o.Session, "session", "", "with the grants of this session: its `ID`")
			o.RegisterClassify(fs)
			o.Register(fs)
		},
		Run: func(e *subcmd.Env, args []string) int {
			o.Imply(e)
			if lines || o.JSON {
				e.Needed()
			}
			if lines && o.Classify {
				return e.Fail("permgate check --classify COMMAND", "--classify is for one call")
			}
			if lines {
				return checkLines(e, &o, args, jobs)
			}
			if jobs != 0 {
				return e.Fail("permgate check --lines --jobs N < calls.jsonl", "--jobs is for --lines alone")
			}
			call, err := o.Call(e, args)
			if err != nil {
				return e.Fail("permgate help check shows the forms", "%v", err)
			}
			v := o.Decide(e, call)
			switch {
			case quiet:
			case o.JSON:
				res := explain.Fill(&subcmd.Object{}, v)
				o.Implied.Of(v.Input().Call).AddTo(res)
				e.PrintObject(res)
			default:
				printVerdict(e, v)
				e.SayImplied(o.Implied.Of(v.Input().Call))
			}
			return exitCode(v, silence)
		},
	}
}

// A silenceCode is the exit code of silence, 0 for that of ask.
type silenceCode uint8

func (s *silenceCode) Set(text string) error {
	name, number, _ := strings.Cut(text, "=")
	n, err := strconv.ParseUint(number, 10, 8)
	if name != "silence" || err != nil || n < subcmd.ExitError+1 {
		return fmt.Errorf("takes silence=N, N from %d to 255", subcmd.ExitError+1)
	}
	*s = silenceCode(n)
	return nil
}

func (s *silenceCode) String() string {
	if *s == 0 {
		return ""
	}
	return "silence=" + strconv.Itoa(int(*s))
}

func (s *silenceCode) Type() string { return "string" }

func exitCode(v decide.Verdict, silence silenceCode) int {
	switch {
	case explain.Silence(v) != "":
		if silence > 0 {
			return int(silence)
		}
	case v.Decision() == hookio.Allow:
		return subcmd.ExitOK
	case v.Decision() == hookio.Deny:
		return subcmd.ExitDeny
	}
	return subcmd.ExitAsk
}

// printVerdict prints what the host gets on a line of its own and the reason below it.
func printVerdict(e *subcmd.Env, v decide.Verdict) {
	call := v.Input().Call
	answer, why := e.Answer(v)
	fmt.Fprintf(e.Out, "%s  %s  (%s)\n", answer, hookio.Escape(gate.Heading(call)), why)
	if explain.Silence(v) != "" {
		e.Wrapped("  ", fmt.Sprintf("permgate alone would %s: %s", v.Decision(), e.Short(v.Reason())))
	} else {
		e.Wrapped("  ", e.Short(v.Reason()))
	}
	if explain.HostDenies(v) {
		e.Wrapped("  ", call.Host.Title+" cannot ask here: it gets a deny")
	}
	if line := observing(e, v); line != "" {
		e.Wrapped("  ", line)
	}
}

func checkLines(e *subcmd.Env, o *subcmd.CallOptions, args []string, jobs int) int {
	switch {
	case len(args) > 0:
		return e.Fail("permgate check --lines < calls.jsonl", "--lines reads calls from standard input")
	case jobs < 0 || jobs > subcmd.MaxJobs:
		return e.Fail("", "--jobs is %d, and takes a number from 1 to %d", jobs, subcmd.MaxJobs)
	case jobs == 0:
		jobs = min(runtime.GOMAXPROCS(0), subcmd.MaxJobs)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(subcmd.BatchGC))
	limit := min(subcmd.BatchLimit+int64(jobs-1)*subcmd.BatchLimit/3, subcmd.BatchMost)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	out := bufio.NewWriterSize(e.Machine(), 64<<10)
	defer out.Flush()
	progress := e.Progress()
	var bad atomic.Bool
	err := inorder.Answer(e.In, out, jobs, func() inorder.Answerer {
		a := &lineAnswerer{e: e, o: o, room: subcmd.BatchRoom / jobs, bad: &bad}
		a.restart()
		return a.answer
	}, func(lines int) { progress.Show(lines, time.Now()) })
	progress.Clear()
	switch {
	case err != nil:
		out.Flush()
		return e.Fail("", "standard input: %v", err)
	case bad.Load():
		return subcmd.ExitError
	}
	return subcmd.ExitOK
}

type lineAnswerer struct {
	e    *subcmd.Env
	o    *subcmd.CallOptions
	b    *gate.Batch
	room int
	bad  *atomic.Bool // set where a line could not be read or decided
}

func (a *lineAnswerer) restart() { a.b = gate.NewBatch(&a.o.Flags, a.e.World, a.room) }

// answer appends the answer to a line. A panic makes it an error of this line.
func (a *lineAnswerer) answer(number int, line, to []byte) (out []byte) {
	defer func() {
		if p := recover(); p != nil {
			out = a.fail(number, to, fmt.Sprint("internal error: ", p))
			a.restart()
		}
	}()
	call, err := readLine(a.o, line)
	if err != nil {
		return a.fail(number, to, err.Error())
	}
	a.o.Implied.Bind(call)
	one := func(call *hookio.Call) decide.Verdict { return decide.Decide(a.b.Case(call)) }
	v := a.o.Implied.Strictest(call, one)
	res := numbered(number, to)
	explain.Fill(&res, v)
	a.o.Implied.Of(v.Input().Call).AddTo(&res)
	return append(res.End(), '\n')
}

func (a *lineAnswerer) fail(number int, to []byte, why string) []byte {
	a.bad.Store(true)
	res := numbered(number, to)
	res.Add("error", why)
	return append(res.End(), '\n')
}

// numbered appends the beginning of the object of a line to a buffer.
func numbered(number int, to []byte) subcmd.Object {
	return subcmd.Object{B: strconv.AppendInt(append(to, `{"line":`...), int64(number), 10)}
}

// bom is the mark that some programs begin a text in UTF-8 with.
var bom = []byte("\xef\xbb\xbf")

const jsonBlanks = " \t\r\n"

// readLine reads a payload with a line to itself. One JSON object was found valid when it was read.
func readLine(o *subcmd.CallOptions, line []byte) (*hookio.Call, error) {
	text := bytes.TrimPrefix(line, bom)
	r := bytes.NewReader(line)
	call, err := o.Read(r)
	whole := len(bytes.Trim(line[len(line)-r.Len():], jsonBlanks)) == 0
	begins := bytes.HasPrefix(bytes.TrimLeft(text, jsonBlanks), []byte("{"))
	if err == nil && whole && begins {
		return call, nil
	}
	if !gjson.ValidBytes(text) {
		return nil, errors.New("not one JSON value")
	}
	return call, err
}

// observing says what observe mode makes of a verdict, "" where the gate enforces.
func observing(e *subcmd.Env, v decide.Verdict) string {
	c, s := v.Input(), v.Input().Policy.Posture.Enforce
	if s.Value != "false" {
		return ""
	}
	at := "observe mode (enforce: false, " + e.Place(s.Pos) + "): "
	switch {
	case v.ObserveOnly():
		would := "would have been " + v.Decision().String()
		switch told := log.Told(c.Call, v.HostAnswer()); told {
		case v.Decision().String():
		case log.Silence:
			would += ", left to the host"
		default:
			would += ", told as " + told
		}
		return at + would + "; the program is told nothing"
	case v.Decision() == hookio.Deny && v.Why().Managed:
		return at + "a deny from managed settings is still answered"
	}
	return at + "suspended while a managed settings file has an error, so the answer is given"
}
