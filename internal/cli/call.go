package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// callOptions are the options of the subcommands that look at one call.
type callOptions struct {
	gate.Flags
	tool     string
	json     bool
	classify bool   // ask the operator's classifier, too
	session  string // whose grants count; "" for none, or the payload's
	implied  *implied
}

// registerClassify adds the option of those that may ask the operator's classifier.
func (o *callOptions) registerClassify(fs *pflag.FlagSet) {
	fs.BoolVar(&o.classify, "classify", false, "in mode auto, run your classifier as the hook would")
}

func (o *callOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.tool, "tool", "", "tool to call instead of Bash; the operand is its path, URL or name, or a JSON object")
	fs.BoolVar(&o.json, "json", false, "print JSON")
	o.Flags.Register(fs)
}

// commandWords reports whether operands of a subcommand that looks at a call are
// the words of one command. One quoted text is not, nor is the operand of a tool.
func commandWords(fs *pflag.FlagSet, operands []string) bool {
	if f := fs.Lookup("last"); f != nil && f.Changed {
		return false // the number of --last N
	}
	tool := fs.Lookup("tool").Value.String()
	return (tool == "" || gate.Primary(tool) == "command") && operands[0] != "-" &&
		!strings.ContainsAny(operands[0], shellMarks)
}

// shellMarks are characters that a word of a command cannot hold unquoted.
const shellMarks = " \t\n;|&<>"

// call makes the operands a call, by way of the very payload a host would
// send: what the reader finds wrong with one it finds here too.
func (o *callOptions) call(e *env, args []string) (*hookio.Call, error) {
	call, err := o.made(e, args)
	if err == nil {
		o.implied.bind(call)
	}
	if err == nil && o.session != "" {
		call.SessionID = o.session
	}
	return call, err
}

func (o *callOptions) made(e *env, args []string) (*hookio.Call, error) {
	if len(args) == 1 && args[0] == "-" && o.tool == "" {
		return o.read(e.in)
	}
	payload, err := o.payload(args)
	if err != nil {
		return nil, err
	}
	return gate.Canonical(payload, &o.Flags)
}

// read reads a payload in the form of any host.
func (o *callOptions) read(r interface{ Read([]byte) (int, error) }) (*hookio.Call, error) {
	call, err := hookio.Read(r, hookio.Options{Host: o.Host, Event: o.Event})
	if err != nil {
		return nil, err
	}
	if !call.Event.Decides() {
		return nil, fmt.Errorf("nothing to decide on event %s", hookio.Escape(string(call.Event)))
	}
	return call, nil
}

func (o *callOptions) payload(args []string) ([]byte, error) {
	tool := o.tool
	if tool == "" {
		tool = "Bash"
	}
	var p object
	p.add("hook_event_name", string(o.event()), "tool_name", tool)
	switch field := gate.Primary(tool); {
	case len(args) == 0 && o.tool == "":
		return nil, errors.New("no command given")
	case o.tool == "" && len(args) > 1 && strings.ContainsAny(args[0], shellMarks):
		return nil, fmt.Errorf("several operands are the words of one command, and %q is not a word: quote the whole command", hookio.Escape(args[0]))
	case len(args) == 0:
		p.raw("tool_input", []byte("{}"))
	case o.tool != "" && len(args) == 1 && strings.HasPrefix(strings.TrimSpace(args[0]), "{"):
		p.raw("tool_input", []byte(args[0]))
	default:
		text := args[0]
		if len(args) > 1 {
			if field != "command" {
				return nil, fmt.Errorf("%s takes one operand, not %d", tool, len(args))
			}
			text = words(args)
		}
		var in object
		in.str(field, text)
		p.raw("tool_input", in.end())
	}
	return p.end(), nil
}

func (o *callOptions) event() hookio.Event {
	if o.Event == "" {
		return hookio.PreToolUse
	}
	return hookio.Event(o.Event)
}

// decide answers a call with the one function that answers the hook.
func (o *callOptions) decide(e *env, call *hookio.Call) (*decide.Case, decide.Verdict) {
	c := gate.Case(call, &o.Flags, e.world)
	return c, o.verdict(c)
}

// verdict is Decide, with the operator's classifier where --classify wants it.
func (o *callOptions) verdict(c *decide.Case) decide.Verdict {
	if o.classify {
		c.Classify = (&operator.Asker{Flags: &o.Flags, Afresh: true}).Judge
	}
	return decide.Decide(c)
}

func words(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = rules.Quote(a)
	}
	return strings.Join(quoted, " ")
}

// quoteArg quotes a word for the user's shell.
func quoteArg(s string) string { return "'" + strings.ReplaceAll(hookio.Escape(s), "'", `'\''`) + "'" }

// allowHint says what to type so that a call is let through from now on, where
// rules can do that; args name the call.
func (e *env) allowHint(c *decide.Case, v decide.Verdict, args string) {
	if v.Decision == hookio.Allow || v.ObserveOnly(c) {
		return
	}
	var host *hookio.Host
	if c.Call.Named {
		host = c.Call.Host
	}
	into := propose.Into{List: rules.Allow, Scope: rules.Local, Claude: forClaude(host, c.Policy, rules.Local.String())}
	list, refusal := propose.For(c, v, into)
	if refusal != nil {
		return
	}
	var texts []string
	for i := range list {
		texts = append(texts, list[i].Rule)
	}
	e.wrapped("  ", "to allow it from now on: permgate allow "+args+", which proposes "+strings.Join(texts, ", "))
}

// callArgs are the operands that name a call on the command line, "" where only
// a payload does.
func callArgs(args []string, tool string) string {
	quoted := make([]string, 0, len(args)+2)
	if tool != "" {
		quoted = append(quoted, "--tool", rules.Quote(tool))
	}
	for _, arg := range args {
		quoted = append(quoted, rules.Quote(arg))
	}
	return strings.Join(quoted, " ")
}

// lastOptions are the options that take a call from the log.
type lastOptions struct {
	n       string // "" when --last was not given
	session string
}

// defaultLast is the value of --last alone.
const defaultLast = "1"

// register adds --last and --session; with is written before what --last does, and
// session says what the other one is for.
func (l *lastOptions) register(fs *pflag.FlagSet, with, session string) {
	fs.StringVar(&l.n, "last", "", with+"the `N`th last call in the log instead of one given here")
	fs.Lookup("last").NoOptDefVal = defaultLast
	fs.StringVar(&l.session, "session", "", session)
}

// subject is the call that the operands or --last name, and the flags it is
// decided with; without one it says so and returns nil. forms is the command
// whose help shows the operands, and cannot what is not done with a call that
// was not logged whole.
func (l *lastOptions) subject(e *env, o *callOptions, args []string, forms, cannot string) (call *hookio.Call,
	f *gate.Flags, code int) {
	if l.n == "" {
		call, err := o.call(e, args)
		if err != nil {
			return nil, nil, e.fail("permgate help "+forms+" shows the forms", "%v", err)
		}
		return call, &o.Flags, exitOK
	}
	last, _, _, code := l.find(e, o, args)
	if last == nil {
		return nil, nil, code
	}
	call, f, why := gate.Again(&last.Record)
	if call == nil {
		return nil, nil, e.fail("permgate explain --last shows what was logged", "%s: %s", cannot, why)
	}
	return call, f, exitOK
}

// find takes the call from the log that is meant, the nth from the end of those
// that where describes. Without one it says so and returns nil.
func (l *lastOptions) find(e *env, o *callOptions, args []string) (last *lastCall, n int, where string, code int) {
	n, err := l.number(args)
	if err != nil {
		return nil, n, "", e.fail(e.cmd+" --last=2 is the last call but one", "%v", err)
	}
	index, dir, err := e.index(o)
	if err != nil {
		return nil, n, "", e.fail("permgate doctor checks the state folder", "the log cannot be read: %v", err)
	}
	found, where := lastOf(e, o, l, index)
	found = slices.DeleteFunc(found, looks)
	switch {
	case len(index.calls) == 0:
		return nil, n, where, e.nothingLogged(o, dir)
	case len(found) == 0:
		return nil, n, where, e.fail("permgate log -n 5 lists the last calls anywhere, --session ID takes one of any project", "no call is logged %s", where)
	case len(found) < n:
		return nil, n, where, e.fail(fmt.Sprintf("%s --last=%d is the oldest", e.cmd, len(found)),
			"only %s logged %s", plural(len(found), "call is", "calls are"), where)
	}
	last = &lastCall{loggedCall: found[len(found)-n], args: fmt.Sprintf("--last=%d", n)}
	if l.session != "" {
		last.args += " --session " + rules.Quote(l.session)
	}
	for i := range index.lines {
		if l := &index.lines[i]; l.call == last.loggedCall && l.rec.Event == log.EventDecision && last.line == "" {
			last.line = l.text
		}
	}
	return last, n, where, exitOK
}

// looks reports whether a call was an agent's look at the log, or its start of a skill that takes one: the call it asks
// about is one before. One that was denied is a call as any other.
func looks(c *loggedCall) bool {
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

// number reads N of --last=N or --last N.
func (l *lastOptions) number(args []string) (int, error) {
	text := l.n
	if len(args) == 1 && text == defaultLast {
		text, args = args[0], nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case len(args) > 0:
		return 0, errors.New("--last takes its call from the log, not from a command")
	case err != nil || n < 1:
		return 0, fmt.Errorf("--last %s: not a number; 1 is the last call", quoteArg(text))
	}
	return n, nil
}

// An implied says whose posture a call has that no --host was given for: that of
// the one program the hook is registered with, for this user or by the
// administrator. With several it is the bare posture.
type implied struct {
	host *hookio.Host // nil for the bare posture
	file string       // where it is registered
	all  []string     // the names of those that are registered
}

// imply works out whose posture counts, where the options name no program.
func (o *callOptions) imply(e *env) {
	if o.Host != "" {
		return
	}
	dirs, err := e.dirs()
	if err != nil {
		return
	}
	if o.Home != "" {
		dirs.Home = e.abs(o.Home)
	}
	o.implied = &implied{}
	for _, h := range agents.Hosts() {
		plugin, _ := dirs.Plugin(h, e.readText)
		if file := cmp.Or(registeredIn(dirs, h), plugin.Name); file != "" {
			o.implied.host, o.implied.file = h, file
			o.implied.all = append(o.implied.all, h.Name)
		}
	}
	if len(o.implied.all) != 1 {
		o.implied.host, o.implied.file = nil, ""
	}
}

// registeredIn is the file of the user or the administrator that registers the
// hook with a host, "" for none.
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

// bind makes a call one of the implied host, as its hook would see it.
func (i *implied) bind(call *hookio.Call) {
	if i != nil {
		gate.Bind(call, i.host)
	}
}

// of is i where it counted for a call, else nil.
func (i *implied) of(call *hookio.Call) *implied {
	switch {
	case i == nil:
	case i.host == nil && call.Host.Name == gate.Unmarked, i.host != nil && call.Host == i.host:
		return i
	}
	return nil
}

// note names the posture for people, "" where there is only the bare one.
func (i *implied) note(e *env) string {
	switch {
	case i == nil || len(i.all) == 0:
		return ""
	case i.host == nil:
		return "without a particular program: several are registered (" + strings.Join(i.all, ", ") +
			"); --host NAME decides as one of them"
	}
	return "as " + i.host.Title + " would call: the hook is registered in " + e.path(i.file)
}

// option is what makes another subcommand decide alike.
func (i *implied) option() string {
	if i == nil || i.host == nil {
		return ""
	}
	return "--host " + i.host.Name + " "
}

// implies adds it to a result.
func (o *object) implies(i *implied) {
	if i != nil && i.host != nil {
		o.opt("registered_in", hookio.Escape(i.file))
	}
}
