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
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"permgate/decide"
	"permgate/hookio"
	"permgate/internal/cli"
	"permgate/internal/gate"
)

// deadline is the last resort: work is bounded by budgets, not by time. It lies
// far below every host's own time-out, because hosts run the tool after that.
const deadline = 2 * time.Second

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the hook, or a subcommand when one is named.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if !isHook(args) {
		return cli.Main(args, stdin, stdout, stderr, gate.System())
	}
	var f gate.Flags
	flags := pflag.NewFlagSet("hook", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	f.Register(flags)
	if len(args) > 0 && args[0] == "hook" {
		args = args[1:]
	}
	a := &answerer{out: stdout, err: stderr, flags: &f}
	if err := flags.Parse(args); err != nil {
		return a.refuse("permgate hook: " + err.Error())
	}
	if flags.NArg() > 0 {
		return a.refuse("permgate hook: " + flags.Arg(0) + " is no option, and the hook takes nothing else")
	}
	signal.Ignore(syscall.SIGPIPE) // a host that stopped reading gets exit 2, see write
	a.call = hookio.Unread(hookio.Options{Host: f.Host, Event: f.Event})
	timer := time.AfterFunc(deadline, func() { os.Exit(a.late()) })
	defer timer.Stop()
	return a.hook(stdin, &f)
}

func isHook(args []string) bool {
	if len(args) > 0 {
		return args[0] == "hook" || len(args[0]) > 1 && args[0][0] == '-' && args[0] != "-h" && args[0] != "--help" && args[0] != "--version"
	}
	return !term.IsTerminal(int(os.Stdin.Fd()))
}

// hook reads one call, loads the policy, analyses, decides and writes: the
// whole program in five lines. Whatever goes wrong on the way asks or blocks.
func (a *answerer) hook(stdin io.Reader, f *gate.Flags) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = a.fault(fmt.Sprint("internal error: ", p))
		}
	}()
	call, err := hookio.Read(stdin, hookio.Options{Host: f.Host, Event: f.Event})
	if err != nil {
		return a.unreadable(call, err)
	}
	a.seen(call)
	if !call.Event.Decides() {
		return 0
	}
	c := gate.Case(call, f, gate.System())
	verdict := decide.Decide(c)
	return a.write(hookio.Write(nil, call, verdict.Answer(c)))
}

// An answerer makes sure that exactly one answer leaves the process, whoever
// is first: the decision, a panic or the deadline.
type answerer struct {
	once     sync.Once
	mu       sync.Mutex
	out, err io.Writer
	flags    *gate.Flags
	call     *hookio.Call
	code     int
}

func (a *answerer) seen(c *hookio.Call) {
	a.mu.Lock()
	a.call = c
	a.mu.Unlock()
}

// write prints the line, once. A line that cannot be written is a block: the
// host sees exit 2 where it does not see the answer.
func (a *answerer) write(line []byte) int {
	a.once.Do(func() {
		if len(line) == 0 {
			return
		}
		if _, err := a.out.Write(line); err != nil {
			fmt.Fprintln(a.err, "permgate: the answer could not be written:", err)
			a.code = 2
		}
	})
	return a.code
}

// fault answers a call that could not be decided, in the host's form: ask, and
// deny where nobody can be asked.
func (a *answerer) fault(why string) int {
	a.mu.Lock()
	call := a.call
	a.mu.Unlock()
	fmt.Fprintln(a.err, "permgate:", hookio.Escape(why))
	if call == nil || !call.Event.Decides() {
		return a.refuse("permgate: " + why)
	}
	d := hookio.Ask
	if a.flags.Headless || a.flags.Agent != "" || call.Subagent() || nobodyAsks(a.flags.Mode) || nobodyAsks(call.Mode) {
		d = hookio.Deny
	}
	return a.write(hookio.Write(nil, call, hookio.Answer{Decision: d, Reason: "permgate could not decide: " + why}))
}

// nobodyAsks reports whether step 8 would turn an ask in a mode into a deny.
func nobodyAsks(mode string) bool { return mode == "dontAsk" || mode == "explore" || mode == "plan" }

func (a *answerer) late() int { return a.fault("the deadline of 2 s passed") }

// refuse is exit 2 with the reason on stderr: what is left when no answer can
// be put into a host's form.
func (a *answerer) refuse(why string) int {
	a.once.Do(func() {
		fmt.Fprintln(a.err, hookio.Escape(why))
		a.code = 2
	})
	return a.code
}

// unreadable answers a payload no call could be read from. One that is too
// long is denied on tool events, in the host's form, and ignored on others.
func (a *answerer) unreadable(call *hookio.Call, err error) int {
	if p, ok := err.(*hookio.Problem); ok && p.TooLong && call != nil {
		if !call.Event.Decides() {
			return 0
		}
		return a.write(hookio.Write(nil, call, hookio.Answer{Decision: hookio.Deny, Reason: p.Msg}))
	}
	return a.refuse("permgate: " + err.Error())
}
