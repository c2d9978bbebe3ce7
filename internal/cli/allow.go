package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// allowOptions are the options of permgate allow.
type allowOptions struct {
	callOptions
	writeOptions
	last      lastOptions
	deny, ask bool
	scope     string
	grant     bool // for one session, in no settings file
	stem      bool
	pick      string
}

func allowCommand() *Command {
	var o allowOptions
	return &Command{
		Name:     "allow",
		Args:     "COMMAND | WORD... | --tool NAME OPERAND | - | --last [N]",
		Operands: "program file",
		Words:    commandWords,
		Short:    "write the rule that allows a call, or stops it",
		Long: `Takes the same forms as check, or with --last a call the hook decided, as in
explain. It proposes the rules the call lacks: the exact text of each command no
rule allows yet, the exact path, the host, the tool. Each rule was tried: with them
the call is allowed. If no rule can allow the call, permgate says what blocks it.
With "destructive": "practical" it also proposes the exact rule for a destructive
command where that works, and says what you will no longer be asked about.

A stem, such as Bash(npm test:*) for every npm test, is written only if you pick it:
on the terminal, with --stem or with --pick. No stem is offered for shells,
interpreters and programs that run others. Below each rule you see which other
logged calls it would allow.

The rules go into the project's settings.local.json unless --scope names another
file; with --for-session they are granted for one session only. The change is shown
first, with the calls of the log that it would decide otherwise, and needs a terminal
to confirm on, or --yes. Without --host the call is
decided for the program the hook is registered with, as in check.`,
		Examples: []Example{
			{"permgate allow 'npm test'", "the exact command"},
			{"permgate allow --last", "what the hook asked about last"},
			{"permgate allow --stem --yes npm test", "npm test with any arguments, without asking"},
			{"permgate allow --last --for-session", "the same, until the session ends"},
			{"permgate allow --deny 'git push --force'", "a rule that denies it"},
			{"permgate allow --tool WebFetch https://go.dev/doc", "a host, or the origin if urls.allow of permgate.json is set"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.deny, "deny", false, "propose a deny rule instead")
			fs.BoolVar(&o.ask, "ask", false, "propose an ask rule instead")
			fs.StringVar(&o.scope, "scope", rules.Local.String(), "settings file to write to: local, shared or user")
			fs.BoolVar(&o.grant, "for-session", false,
				"grant it for one session instead: that of --last, of --session, or the newest here")
			fs.BoolVar(&o.stem, "stem", false, "take the stem rule if there is one")
			fs.StringVar(&o.pick, "pick", "", "take the rules with these `numbers`, separated by commas")
			o.writeOptions.register(fs)
			o.last.register(fs, "", "with --last or --for-session: this session, its id or the start of it")
			o.callOptions.register(fs)
		},
		Run: func(e *env, args []string) int {
			switch {
			case o.deny && o.ask, o.stem && o.pick != "":
				return e.fail("permgate help allow", "use only one of --deny and --ask, and only one of --stem and --pick")
			case o.last.n != "":
			case o.grant && o.list() != rules.Allow:
				return e.fail("permgate help allow", "a session has only grants, no deny or ask rules")
			case o.last.session != "" && !o.grant:
				return e.fail("permgate allow --last --session ID", "--session goes with --last or --for-session")
			}
			o.imply(e)
			return allow(e, &o, args)
		},
	}
}

func (o *allowOptions) list() rules.List {
	switch {
	case o.deny:
		return rules.Deny
	case o.ask:
		return rules.Ask
	}
	return rules.Allow
}

// allow proposes, shows, lets pick and writes.
func allow(e *env, o *allowOptions, args []string) int {
	call, flags, code := o.last.subject(e, &o.callOptions, args, "allow", "no rule can be proposed for that call")
	if call == nil {
		return code
	}
	var s *session
	if o.grant {
		if s, code = o.grantee(e, call); s == nil {
			return code
		}
	}
	c := gate.Case(call, flags, e.world)
	v := decide.Decide(c)
	var host *hookio.Host
	if call.Named {
		host = call.Host
	}
	file, err := e.settingsFile(c.Policy, host, o.scope)
	if err != nil {
		return e.fail("--scope local|shared|user", "%v", err)
	}
	a := &allowing{env: e, o: o, c: c, v: v, flags: flags, file: file, host: host, session: s}
	a.into = propose.Into{List: o.list(), Scope: scopeNamed(o.scope), Claude: a.claude()}
	if s != nil {
		a.into = propose.Into{List: rules.Allow, Scope: rules.Session}
		a.file = state.File(s.store.Dir, s.id)
	}
	if proposals, code := a.origins(); proposals != nil {
		return a.run(proposals)
	} else if code != exitOK {
		return code
	}
	proposals, refusal := propose.For(c, v, a.into)
	if refusal != nil {
		if refusal.Done {
			fmt.Fprintf(e.out, "nothing to do for %s\n", hookio.Escape(gate.Heading(call)))
			e.wrapped("  ", e.short(hookio.Escape(refusal.Why)))
			return exitOK
		}
		// redacted one by one: a name such as credentials would take the reason for its value
		name, _ := redact.Text(hookio.Escape(gate.Heading(call)))
		why, _ := redact.Text(e.short(hookio.Escape(refusal.Why)))
		return e.fail(refusal.Instead, "no rule is proposed for %s: %s", name, strings.TrimPrefix(why, name+": "))
	}
	return a.run(proposals)
}
