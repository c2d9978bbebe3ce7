package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
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

// register adds the options.
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

// sayImplied names the posture that counted.
func (e *env) sayImplied(i *implied) {
	if note := i.note(e); note != "" {
		e.wrapped("  ", note)
	}
}

// registerOnly adds those of the shared options that have these names.
func registerOnly(fs *pflag.FlagSet, f *gate.Flags, names ...string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(all)
	for _, name := range names {
		fs.AddFlag(all.Lookup(name))
	}
}
