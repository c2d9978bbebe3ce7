package gate

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// LogDir is the folder of the log: that of the session state, unless
// XDG_STATE_HOME or HOME may have been set by a project's settings to divert
// it. p may be nil, where the settings could not be read.
func LogDir(f *Flags, w World, p *rules.Policy) string {
	if f.State != "" {
		return f.State
	}
	if d := w.Getenv("XDG_STATE_HOME"); w.OS.IsAbs(d) {
		if dir := filepath.Join(d, "permgate"); notOwn(dir, w, p) == "" {
			return dir
		}
	}
	base := w.PasswdHome
	if p != nil && p.Home.Given != "" {
		base = p.Home.Given
	}
	return filepath.Join(w.OS.Native(cmp.Or(base, home(f, w))), ".local", "state", "permgate")
}

// notOwn says why a folder is not the user's own to keep things in, or "": others
// own it or a parent, or it is in the session's workspace.
func notOwn(dir string, w World, p *rules.Policy) string {
	if p == nil {
		p = &rules.Policy{Cwd: rules.Path{Given: w.Cwd, Real: w.OS.Canon(load.Resolve(w.Files, w.OS.Canon(w.Cwd)))}}
	}
	real := w.OS.Canon(load.Resolve(w.Files, w.OS.Canon(dir)))
	for _, place := range append([]rules.Path{p.Cwd}, p.Places...) {
		if rules.Within(real, place.Real) {
			return "is in " + w.OS.Native(place.Given) + ", where the agent works"
		}
	}
	for {
		info, err := w.Files.Stat(dir)
		if err == nil {
			uid, known := w.Files.Owner(info)
			if info.IsDir() && !w.Files.OthersWrite(info) && (!known || uid == w.UID) {
				return ""
			}
			return "can be changed by others"
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "can be changed by others"
		}
		dir = up
	}
}

// LogWriter is where records of calls under a policy go; nil when they go nowhere.
func LogWriter(f *Flags, w World, p *rules.Policy) *log.Writer {
	var a rules.Audit
	if p != nil {
		a = p.Posture.AuditLevel()
	}
	if a.Level == "off" {
		return nil
	}
	return &log.Writer{Dir: LogDir(f, w, p), MaxBytes: a.MaxBytes, Keep: a.Keep}
}

// Policy loads the settings that bear on a call.
func Policy(call *hookio.Call, f *Flags, w World) *rules.Policy {
	return load.Load(LoadOptions(call, f, w), w.Files)
}

// EndSession forgets what was granted for the session of a call, what the
// operator's classifier said in it, and what the person said yes to.
func EndSession(call *hookio.Call, f *Flags, w World) {
	dir := StateDir(f, w)
	if name := state.File(dir, call.SessionID); name != "" {
		os.Remove(name)
		os.Remove(state.VerdictFile(dir, call.SessionID))
		os.Remove(state.YesFile(dir, call.SessionID))
	}
}

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
		Escape: r.Escape, Skill: r.Skill, SkillSource: r.SkillSource,
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
