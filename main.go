// The number of CPUs is not watched: a hook call is over before it changes.
//go:debug updatemaxprocs=0

// Permgate decides, before an agent's tool call runs, whether it may: it reads
// the hook's JSON on standard input and prints allow, ask or deny with a reason.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/hook"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	_ "github.com/permgate--owner/permgate/internal/stack"
)

func main() { os.Exit(run(time.Now(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the hook, or a subcommand when one is named.
func run(start time.Time, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if !isHook(args) {
		return cli.Main(args, stdin, stdout, stderr, gate.System())
	}
	var f gate.Flags
	if len(args) > 0 && args[0] == "hook" {
		args = args[1:]
	}
	// a host that stopped reading gets exit 2, see write; a full quota is the log's error
	signal.Ignore(hook.Ignored...)
	a := &hook.Answerer{Start: start, Args: args, Out: stdout, Err: stderr, Flags: &f, Version: cli.Version}
	defer a.Watch(os.Exit)()
	if why := parse(&f, args); why != "" {
		return a.BadUsage(why)
	}
	a.SetCall(hookio.Unread(hookio.Options{Host: f.Host, Event: f.Event}))
	return decision(a, stdin)
}

// parse reads the hook's options and says what is wrong with them, "" for nothing.
func parse(f *gate.Flags, args []string) string {
	if f.Plain(args) {
		return ""
	}
	flags := pflag.NewFlagSet("hook", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	f.Register(flags)
	if err := flags.Parse(args); err != nil {
		return err.Error()
	}
	if flags.NArg() > 0 {
		return flags.Arg(0) + " is no option, and the hook takes nothing else"
	}
	return ""
}

// answerRoom is more than most answers take, so that they need not be moved as they grow.
const answerRoom = 480

func isHook(args []string) bool {
	if len(args) == 0 {
		return !term.IsTerminal(int(os.Stdin.Fd()))
	}
	switch first := args[0]; first {
	case "hook":
		return len(args) != 2 || args[1] != "--help" && args[1] != "-h"
	case "-", "-h", "--help", "-v", "--version":
		return false
	default:
		return strings.HasPrefix(first, "-")
	}
}

// decision reads one call, loads the policy, analyses, decides and writes: the
// whole program in six lines. Whatever goes wrong on the way asks or blocks.
// The log comes last, when nothing can change the answer any more.
func decision(a *hook.Answerer, stdin io.Reader) (code int) {
	f := a.Flags
	defer func() {
		if p := recover(); p != nil {
			code = a.Fault(log.FaultPanic, fmt.Sprint("internal error: ", p))
		}
	}()
	call, err := hookio.Read(stdin, hookio.Options{Host: f.Host, Event: f.Event})
	if err != nil {
		return a.Unreadable(call, err)
	}
	a.SetCall(call)
	w := gate.System().WithCache()
	gate.PinCwd(call, f, w)
	if !call.Event.Decides() {
		return a.Outcome(call, w)
	}
	c := gate.Case(call, f, w)
	c.Denied = func(v decide.Verdict) {
		if !v.ObserveOnly() {
			a.Denied(v.Reason())
		}
	}
	a.Unasked.Store(c.Policy.NoPrompts.On() || facts.Refuses(c.Policy.Mode.Value))
	operators(a, c, w)
	verdict := gate.Decide(c, f, w)
	c = verdict.Input()
	answer := verdict.Answer()
	call.AllowForSession = verdict.AllowForSession()
	writer := a.Writer(w, c.Policy)
	a.AllowLast = func(c *decide.Input, v decide.Verdict) string { return cli.AllowLast(c, v, f, w) }
	told, asks := a.Repeated(writer, c, verdict, answer, gate.AsksNobody(w))
	if a.Write(hookio.Write(make([]byte, 0, answerRoom), call, told)) {
		a.Log(writer, func() *log.Record { return log.Decided(c, verdict, answer) })
		asks.Add()
		gate.Ask(c, verdict, told, f, w)
	}
	return a.Code
}

// operators has the programs asked that the settings name.
func operators(a *hook.Answerer, c *decide.Input, w gate.World) {
	g := &c.Policy.Posture
	if g.Classifier.Value == "" && g.Approver.Value == "" || gate.AsksNobody(w) {
		return
	}
	asker := &operator.Asker{Flags: a.Flags, World: gate.System, Err: a.Err, Wait: a.Waiting, Propose: cli.Propose}
	if c.Policy.Mode.Value == "auto" && g.Classifier.Value != "" {
		c.Classify = asker.Judge
	}
	if g.Approver.Value != "" {
		c.Approve = asker.Approve
	}
}
