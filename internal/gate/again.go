package gate

import (
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// Again makes the call of a logged decision once more, and the flags its hook
// ran with. Call is nil where the record does not hold enough of it; why says so.
func Again(r *log.Record) (call *hookio.Call, f *Flags, why string) {
	f, err := LoggedFlags(r.Command)
	call, why = AgainUnder(r, f, err)
	return call, f, why
}

// LoggedFlags are the flags of a hook's logged command line, and what is wrong with it.
func LoggedFlags(command string) (*Flags, error) {
	f := &Flags{}
	fs := pflag.NewFlagSet("hook", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	f.Register(fs)
	return f, fs.Parse(hookArgs(command))
}

// AgainUnder is Again with what LoggedFlags returned for the record's command line.
func AgainUnder(r *log.Record, f *Flags, err error) (call *hookio.Call, why string) {
	host := hookio.Lookup(r.Host)
	switch {
	case r.Fault != "" && r.Fault != log.FaultUnwritten:
		why = "the hook could not decide it (" + hookio.Escape(r.Fault) + ")"
	case err != nil:
		why = "the hook was called with options this permgate does not know: " + err.Error()
	case r.Malformed != "":
		why = "the program sent ambiguous input (" + hookio.Escape(r.Malformed) + ")"
	case r.Redacted:
		why = "a secret in it was redacted in the log"
	case r.Input == "":
		why = "its input was not logged"
	case strings.Contains(r.Input, log.CutMark):
		why = "its input was too long to be logged whole"
	case host == nil:
		why = "this permgate does not know the program " + hookio.Escape(r.Host)
	}
	if why != "" {
		return nil, why
	}
	event := hookio.Unread(hookio.Options{Host: r.Host, Event: r.HostEvent}).Event
	return hookio.Call{
		Host: host, Named: r.Command == "" || hookio.Lookup(f.Host) == host, Event: event, RawEvent: r.HostEvent,
		Tool: r.Tool, RawTool: r.RawTool, CallID: r.CallID, Cwd: r.Cwd, Dir: r.Dir, Project: r.Project,
		SessionID: r.Session, AgentID: r.AgentID, AgentType: r.AgentType, RawMode: r.RawMode,
		Escape: r.Escape,
	}.Again(r.Input), ""
}

// hookArgs are the words of a command line after permgate hook.
func hookArgs(line string) []string {
	subs := bashsafety.Analyze(line, bashsafety.Env{}).Subcommands
	if len(subs) != 1 || len(subs[0].Argv) < 2 {
		return nil
	}
	var args []string
	for _, w := range subs[0].Argv[2:] {
		args = append(args, w.Text)
	}
	return args
}
