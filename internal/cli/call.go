package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
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

func (o *callOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.tool, "tool", "", "tool to call instead of Bash; the operand is its path, URL or name, or a JSON object")
	fs.BoolVar(&o.json, "json", false, "print JSON")
	o.Flags.Register(fs)
}

// commandWords reports whether operands of a subcommand that looks at a call are
// the words of one command. One quoted text is none, nor is what a tool is called on.
func commandWords(fs *pflag.FlagSet, operands []string) bool {
	if f := fs.Lookup("last"); f != nil && f.Changed {
		return false // the number of --last N
	}
	tool := fs.Lookup("tool").Value.String()
	return (tool == "" || gate.Primary(tool) == "command") && operands[0] != "-" &&
		!strings.ContainsAny(operands[0], shellMarks)
}

// shellMarks are characters that no word of a command holds unquoted.
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
	p.str("hook_event_name", string(o.event()))
	p.str("tool_name", tool)
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
