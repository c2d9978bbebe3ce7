package subcmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// CallOptions are the options of the subcommands that look at one call.
type CallOptions struct {
	gate.Flags
	Tool     string
	Shell    bool // the operand is shell text
	JSON     bool
	Classify bool   // ask the operator's classifier, too
	Session  string // whose grants count; "" for none, or the payload's
	Implied  *Implied
}

// RegisterClassify adds the option of those that may ask the operator's classifier.
func (o *CallOptions) RegisterClassify(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Classify, "classify", false, "in mode auto, run your classifier as the hook would")
}

// Register adds the options.
func (o *CallOptions) Register(fs *pflag.FlagSet) {
	fs.StringVar(&o.Tool, "tool", "", "tool to call instead of Bash; the operand is its path, URL or name, or a JSON object")
	fs.BoolVar(&o.JSON, "json", false, "print JSON")
	o.Flags.Register(fs)
}

// CommandWords reports whether operands are the words of a command: neither one quoted text nor for another tool.
func CommandWords(fs *pflag.FlagSet, operands []string) bool {
	if f := fs.Lookup("last"); f != nil && f.Changed {
		return false // the number of --last N
	}
	tool := fs.Lookup("tool").Value.String()
	return (tool == "" || gate.Primary(tool) == "command") && operands[0] != "-" &&
		!strings.ContainsAny(operands[0], shellMarks)
}

// shellMarks are characters that a word of a command cannot hold unquoted.
const shellMarks = " \t\n;|&<>"

// Call makes the operands a call by way of the payload a host would send, so that the same is wrong with it.
func (o *CallOptions) Call(e *Env, args []string) (*hookio.Call, error) {
	call, err := o.made(e, args)
	if err != nil {
		return nil, err
	}
	o.Implied.Bind(call)
	call.SessionID = cmp.Or(o.Session, call.SessionID)
	return call, nil
}

func (o *CallOptions) made(e *Env, args []string) (*hookio.Call, error) {
	switch alone := len(args) == 1 && args[0] == "-" && o.Tool == ""; {
	case o.Shell && (len(args) != 1 || o.Tool != ""):
		return nil, errors.New("--shell takes one operand, the text, or - for the one on standard input")
	case alone && o.Shell:
		text, err := io.ReadAll(io.LimitReader(e.In, hookio.MaxPayload+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("standard input: %w", err)
		case len(text) > hookio.MaxPayload:
			return nil, fmt.Errorf("the text on standard input is longer than %d MiB", hookio.MaxPayload>>20)
		}
		args = []string{strings.TrimRight(string(text), "\n")}
	case alone:
		return o.Read(e.In)
	}
	payload, err := o.payload(args)
	if err != nil {
		return nil, err
	}
	return gate.Canonical(payload, &o.Flags)
}

// Read reads a payload in the form of any host.
func (o *CallOptions) Read(r io.Reader) (*hookio.Call, error) {
	return gate.Deciding(r, hookio.Options{Host: o.Host, Event: o.Event})
}

func (o *CallOptions) payload(args []string) ([]byte, error) {
	tool := cmp.Or(o.Tool, "Bash")
	var p Object
	p.Add("hook_event_name", cmp.Or(o.Event, string(hookio.PreToolUse)), "tool_name", tool)
	switch field := gate.Primary(tool); {
	case len(args) == 0 && o.Tool == "":
		return nil, errors.New("no command given")
	case o.Tool == "" && len(args) > 1 && strings.ContainsAny(args[0], shellMarks):
		return nil, fmt.Errorf("several operands are the words of one command, and %q is not a word: quote the whole command", hookio.Escape(args[0]))
	case len(args) == 0:
		p.Add("tool_input", []byte("{}"))
	case o.Tool != "" && len(args) == 1 && strings.HasPrefix(strings.TrimSpace(args[0]), "{"):
		p.Add("tool_input", []byte(args[0]))
	default:
		text := args[0]
		if len(args) > 1 {
			if field != "command" {
				return nil, fmt.Errorf("%s takes one operand, not %d", tool, len(args))
			}
			text = CallArgs(args, "")
		}
		p.Add("tool_input", NewObject(field, text))
	}
	return p.End(), nil
}

// Decide answers a call with the one function that answers the hook.
func (o *CallOptions) Decide(e *Env, call *hookio.Call) decide.Verdict {
	one := func(call *hookio.Call) decide.Verdict { return o.Verdict(gate.Case(call, &o.Flags, e.World)) }
	return o.Implied.Strictest(call, one)
}

// Verdict is Decide, with the operator's classifier where --classify wants it.
func (o *CallOptions) Verdict(c *decide.Input) decide.Verdict {
	if o.Classify {
		c.Classify = (&operator.Asker{Flags: &o.Flags, Afresh: true}).Judge
	}
	return decide.Decide(c)
}

// QuoteArg quotes a word for the user's shell.
func QuoteArg(s string) string { return "'" + strings.ReplaceAll(hookio.Escape(s), "'", `'\''`) + "'" }

// CallArgs are the operands that name a call on the command line.
func CallArgs(args []string, tool string) string {
	quoted := make([]string, 0, len(args)+2)
	if tool != "" {
		quoted = append(quoted, "--tool", grammar.Quote(tool))
	}
	for _, arg := range args {
		quoted = append(quoted, grammar.Quote(arg))
	}
	return strings.Join(quoted, " ")
}

// An Implied says whose posture a call has without --host: that of the one program the user's or administrator's
// settings register the hook with. With several that is the bare one, but where the strictest is looked for.
type Implied struct {
	Host *hookio.Host // nil for the bare posture
	file string       // where it is registered
	all  []registered // every program that is
}

// A registered is a program that the hook is registered with, and the file that says so.
type registered struct {
	host *hookio.Host
	file string
}

// Imply works out whose posture counts, where the options name no program.
func (o *CallOptions) Imply(e *Env) {
	if o.Host != "" {
		return
	}
	dirs, err := e.Dirs()
	if err != nil {
		return
	}
	if o.Home != "" {
		dirs.Home = e.Abs(o.Home)
	}
	o.Implied = &Implied{}
	for _, h := range agents.Hosts() {
		plugin, _ := dirs.Plugin(h, e.ReadText)
		if file := cmp.Or(registeredIn(dirs, h), plugin.Name); file != "" {
			o.Implied.all = append(o.Implied.all, registered{h, file})
		}
	}
	if len(o.Implied.all) == 1 {
		o.Implied.Host, o.Implied.file = o.Implied.all[0].host, o.Implied.all[0].file
	}
}

// Strictest decides a call; where several programs are registered and it names none, for each of them: the strictest
// answer counts, of equal ones the first.
func (i *Implied) Strictest(call *hookio.Call, answer func(*hookio.Call) decide.Verdict) (v decide.Verdict) {
	if i == nil || len(i.all) < 2 || call.Named || call.Host.Name != gate.Unmarked {
		return answer(call)
	}
	most := -1
	for _, r := range i.all {
		one := *call
		gate.Bind(&one, r.host)
		of := answer(&one)
		rank := slices.Index([]hookio.Decision{hookio.Allow, hookio.Pass, hookio.Ask, hookio.Deny}, of.Answer().Decision)
		if rank > most {
			most, v = rank, of
		}
	}
	return v
}

// registeredIn is the file, of the user or managed, that registers the hook with a host; "" for none.
func registeredIn(dirs *agents.Dirs, h *hookio.Host) string {
	for _, p := range dirs.Places(h) {
		if p.Scope == hookio.ForProject {
			continue
		}
		_, text, _, err := edit.Read(p.Name)
		if err != nil || len(text) == 0 {
			continue
		}
		if doc, err := edit.Parse(p.Name, text); err == nil && len(agents.Find(h, p, doc, "")) > 0 {
			return p.Name
		}
	}
	return ""
}

// Bind makes a call one of the implied host, as its hook would see it.
func (i *Implied) Bind(call *hookio.Call) {
	if i != nil {
		gate.Bind(call, i.Host)
	}
}

// Of is i where it counted for a call, else nil.
func (i *Implied) Of(call *hookio.Call) *Implied {
	if i == nil {
		return nil
	}
	for _, r := range i.all {
		if call.Host == r.host {
			return &Implied{r.host, r.file, i.all}
		}
	}
	if i.Host == nil && call.Host.Name == gate.Unmarked {
		return i
	}
	return nil
}

// note names the posture for people, "" where there is only the bare one.
func (i *Implied) note(e *Env) string {
	switch {
	case i == nil || len(i.all) == 0:
		return ""
	case i.Host == nil:
		return "without a particular program: several are registered (" + i.names() +
			"); --host NAME decides as one of them"
	case len(i.all) > 1:
		return "as " + i.Host.Title + " would call, whose answer is the strictest of " + i.names() +
			"; --host NAME names another"
	}
	return "as " + i.Host.Title + " would call: the hook is registered in " + e.Path(i.file)
}

func (i *Implied) names() string {
	names := make([]string, len(i.all))
	for n := range i.all {
		names[n] = i.all[n].host.Name
	}
	return strings.Join(names, ", ")
}

// Option is what makes another subcommand decide alike.
func (i *Implied) Option() string {
	if i == nil || i.Host == nil {
		return ""
	}
	return "--host " + i.Host.Name + " "
}

// AddTo adds it to a result.
func (i *Implied) AddTo(o *Object) {
	if i != nil && i.Host != nil {
		o.Add("registered_in", Opt(hookio.Escape(i.file)))
	}
}

// SayImplied names the posture that counted.
func (e *Env) SayImplied(i *Implied) {
	if note := i.note(e); note != "" {
		e.Wrapped("  ", note)
	}
}

// RegisterOnly adds those of the shared options that have these names.
func RegisterOnly(fs *pflag.FlagSet, f *gate.Flags, names ...string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(all)
	for _, name := range names {
		fs.AddFlag(all.Lookup(name))
	}
}

// LastOptions are the options that take a call from the log.
type LastOptions struct {
	N       string // "" when --last was not given
	Session string
}

// Register adds --last and --session: with goes before what --last does, session says what the other one does.
func (l *LastOptions) Register(fs *pflag.FlagSet, with, session string) {
	fs.StringVar(&l.N, "last", "", with+"the `N`th last call in the log instead of one given here")
	fs.Lookup("last").NoOptDefVal = defaultLast
	fs.StringVar(&l.Session, "session", "", session)
}

// Subject is the call that operands or --last name and its flags; nil when it said why not. forms is the
// command whose help shows operands, cannot what is not done with a call that was not logged whole.
func (l *LastOptions) Subject(e *Env, o *CallOptions, args []string, forms, cannot string) (call *hookio.Call,
	f *gate.Flags, code int) {
	if l.N == "" {
		call, err := o.Call(e, args)
		if err != nil {
			return nil, nil, e.Fail("permgate help "+forms+" shows the forms", "%v", err)
		}
		return call, &o.Flags, ExitOK
	}
	last, _, _, code := l.Find(e, o, args)
	if last == nil {
		return nil, nil, code
	}
	call, f, why := gate.Again(&last.Record)
	if call == nil {
		return nil, nil, e.Fail("permgate explain --last shows what was logged", "%s: %s", cannot, why)
	}
	return call, f, ExitOK
}

// Find takes the nth last of the logged calls that where describes; nil when it said why not.
func (l *LastOptions) Find(e *Env, o *CallOptions, args []string) (last *LastCall, n int, where string, code int) {
	n, err := l.number(args)
	if err != nil {
		return nil, n, "", e.Fail(e.Cmd+" --last=2 is the last call but one", "%v", err)
	}
	index, dir, err := e.Index(o)
	if err != nil {
		return nil, n, "", e.Fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	found, where := lastOf(e, o, l, index)
	switch {
	case len(index.Calls) == 0:
		return nil, n, where, e.nothingLogged(o, dir)
	case len(found) == 0:
		return nil, n, where, e.Fail("permgate log -n 5 lists the last calls anywhere, --session ID takes one of any project", "no call is logged %s", where)
	case len(found) < n:
		return nil, n, where, e.Fail(fmt.Sprintf("%s --last=%d is the oldest", e.Cmd, len(found)),
			"only %s logged %s", Plural(len(found), "call is", "calls are"), where)
	}
	last = &LastCall{LoggedCall: found[len(found)-n], Args: fmt.Sprintf("--last=%d", n)}
	if l.Session != "" {
		last.Args += " --session " + grammar.Quote(l.Session)
	}
	for i := range index.Lines {
		if l := &index.Lines[i]; l.Call == last.LoggedCall && l.Rec.Event == log.EventDecision && last.Line == "" {
			last.Line = l.Text
		}
	}
	return last, n, where, ExitOK
}

func (l *LastOptions) number(args []string) (int, error) {
	text := l.N
	if len(args) == 1 && text == defaultLast {
		text, args = args[0], nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case len(args) > 0:
		return 0, errors.New("--last takes its call from the log, not from a command")
	case err != nil || n < 1:
		return 0, fmt.Errorf("--last %s: not a number; 1 is the last call", QuoteArg(text))
	}
	return n, nil
}

// looks reports whether a call was an agent's look at the log, or started a skill that takes one: the call it asks
// about is one before. A denied one is a call like any other.
func looks(c *LoggedCall) bool {
	switch input := gjson.Parse(c.Input); {
	case c.Answered == hookio.Deny.String():
		return false
	case c.Tool == "Skill":
		return strings.HasPrefix(input.Get("skill").Str, "permgate:")
	default:
		text := input.Get("command").Str
		return (strings.HasPrefix(text, "permgate explain ") || strings.HasPrefix(text, "permgate log")) &&
			!strings.ContainsAny(text, ";&|<>()$`\n")
	}
}

const defaultLast = "1"

// A LastCall is one call of the log and how it would be decided now.
type LastCall struct {
	*LoggedCall
	Line string // as it is stored
	Args string // name the call to permgate allow

	Changed bool          // the settings are others than then
	Why     string        // why it cannot be decided again; "" when it was
	Case    *decide.Input // nil when it cannot be decided again
	Verdict decide.Verdict
}

// Again decides the call again, under the settings of now.
func (l *LastCall) Again(e *Env) {
	call, f, why := gate.Again(&l.Record)
	if call == nil {
		l.Why = why
		call = hookio.Unread(hookio.Options{Host: l.Host, Event: l.HostEvent})
		call.Cwd, call.Project, call.AgentID, call.AgentType = l.Cwd, l.Project, l.AgentID, l.AgentType
		l.Changed = l.PolicyHash != gate.Policy(call, f, e.World).Hash()
		return
	}
	l.Verdict = decide.Decide(gate.Case(call, f, e.World))
	l.Case = l.Verdict.Input()
	l.Changed = l.PolicyHash != l.Case.Policy.Hash()
}

// Index reads the whole log in dir.
func (e *Env) Index(o *CallOptions) (index *LogIndex, dir string, err error) {
	index = &LogIndex{Texts: true}
	tail := &log.Tail{Dir: LogDir(e, &o.Flags)}
	defer tail.Close()
	if err := tail.Next(index.Add); err != nil {
		return nil, tail.Dir, err
	}
	tail.End(index.Add)
	index.Settle()
	return index, tail.Dir, nil
}

// lastOf returns the calls meant: those of this project in any session, or of one session anywhere.
func lastOf(e *Env, o *CallOptions, l *LastOptions, b *LogIndex) (found []*LoggedCall, where string) {
	where = "of session " + hookio.Escape(l.Session)
	meant := func(c *LoggedCall) bool { return strings.HasPrefix(c.Session, l.Session) }
	if l.Session == "" {
		p := e.PolicyUnder(nil, &o.Flags).Project
		where = "below " + e.Path(p.Given)
		meant = func(c *LoggedCall) bool {
			return c.Project == p.Given || Within(c.Cwd, p) || c.Project == "" && c.Cwd == ""
		}
	}
	for _, c := range b.Calls {
		if meant(c) && !looks(c) {
			found = append(found, c)
		}
	}
	return found, where
}

// Within reports whether a file or folder is below a directory.
func Within(name string, dir rules.Path) bool {
	return rules.Within(name, dir.Given) || rules.Within(name, dir.Real)
}

// InProject reports whether a recorded call is one of a project: it was made in it, or below its directory.
func InProject(dir, project, cwd string) bool {
	dir = rules.NativeOS().Canon(dir)
	return project == dir || rules.Within(cwd, dir)
}

func (e *Env) nothingLogged(o *CallOptions, dir string) int {
	p := e.PolicyUnder(nil, &o.Flags)
	if a := p.Posture.Audit; p.Posture.AuditLevel().Level == "off" {
		return e.Fail(`remove "audit": "off", or set "decisions"`,
			"nothing is logged: the log is switched off (%s)", e.Place(a.Pos))
	}
	return e.Fail("permgate doctor checks that the hook is registered and the log is writable",
		"no call is logged in %s", e.Path(dir))
}

// Ago spells how long ago something was.
func Ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return Plural(max(int(d.Seconds()), 0), "second", "seconds") + " ago"
	case d < time.Hour:
		return Plural(int(d.Minutes()), "minute", "minutes") + " ago"
	case d < 48*time.Hour:
		return Plural(int(d.Hours()), "hour", "hours") + " ago"
	}
	return Plural(int(d.Hours()/24), "day", "days") + " ago"
}
