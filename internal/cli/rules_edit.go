package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A ruleEdit is what rules add and rules remove share.
type ruleEdit struct {
	writeOptions
	scope, host string

	// worked out from the operands
	list rules.List
	rule string
	h    *hookio.Host // nil when none is named
	p    *rules.Policy
}

func (o *ruleEdit) register(fs *pflag.FlagSet, scope, usage string) {
	fs.SetInterspersed(true) // options may also stand behind the rule
	fs.StringVar(&o.scope, "scope", scope, usage)
	fs.StringVar(&o.host, "host", "", "agent program whose settings folder is used; default: the first that exists of "+strings.Join(load.Roots[:], ", "))
	o.writeOptions.register(fs)
}

func rulesAddCommand(before **pflag.FlagSet) *Command {
	var o ruleEdit
	return &Command{
		Name:  "add",
		Args:  "LIST RULE",
		Short: "write a rule into a settings file",
		Long: `Adds the rule as the last entry of a list (allow, ask or deny) in the settings file
of a scope. Formatting and comments stay. permgate first checks the rule against all
others and says if it will have no effect, if it does not count in that file, and
which other rules lose their effect.

The change is shown as a diff, and with it each call of the log that it would decide
otherwise. It changes what is asked about, so it needs a terminal to confirm on, or
--yes.`,
		Examples: []Example{
			{"permgate rules add allow 'Bash(npm test)'", "your own settings for this project"},
			{"permgate rules add deny 'Read(./.env)' --scope shared", "for everyone on the project"},
			{"permgate rules add ask 'Bash(git push:*)' --scope user --dry-run", "the change as a diff"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.register(fs, rules.Local.String(), "which settings: local, shared, user")
		},
		Operands: "list -",
		Run: func(e *env, args []string) int {
			if code, found := misplaced(e, *before); found {
				return code
			}
			return o.add(e, args)
		},
	}
}

func rulesRemoveCommand(before **pflag.FlagSet) *Command {
	var o ruleEdit
	return &Command{
		Name:  "remove",
		Args:  "LIST RULE",
		Short: "remove a rule from a settings file",
		Long: `Removes the rule from a list (allow, ask or deny) of the settings file it is in; spell
it exactly as it is there. Comments around it stay. Without --scope permgate looks in
the local, shared and user settings; if several files have the rule, choose one with
--scope.

The change is shown as a diff, and with it each call of the log that it would decide
otherwise. It changes what is asked about, so it needs a terminal to confirm on, or
--yes.`,
		Examples: []Example{
			{"permgate rules remove allow 'Bash(npm test)'", "wherever it is"},
			{"permgate rules remove deny 'Read(./.env)' --scope shared", ""},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.register(fs, "", "which settings: local, shared, user; default: all of them")
		},
		Operands: "list -",
		Run: func(e *env, args []string) int {
			if code, found := misplaced(e, *before); found {
				return code
			}
			return o.remove(e, args)
		},
	}
}

// operands checks LIST RULE, scope and host, and loads the policy.
func (o *ruleEdit) operands(e *env, args []string) (code int, ok bool) {
	usage := e.cmd + " allow|ask|deny 'Tool(pattern)'"
	if len(args) != 2 {
		what := "expected two operands, the list and the rule"
		if len(args) > 2 {
			what = "expected one list and one rule: quote a rule with spaces or parentheses"
		}
		return e.fail(usage, "%s", what), false
	}
	for _, list := range [...]rules.List{rules.Allow, rules.Ask, rules.Deny} {
		if args[0] == list.String() {
			o.list = list
		}
	}
	if o.list == rules.NoList {
		return e.fail(usage, "unknown list %q; lists are allow, ask, deny", hookio.Escape(args[0])), false
	}
	o.rule = strings.TrimSpace(args[1])
	switch o.scope {
	case "", rules.Local.String(), rules.Shared.String(), rules.User.String():
	case rules.Managed.String():
		return e.fail("an administrator edits them by hand; permgate rules shows where they are",
			"this command does not change managed settings"), false
	default:
		return e.fail("--scope local, shared or user", "unknown scope %q", hookio.Escape(o.scope)), false
	}
	var err error
	if o.h, err = gate.NamedHost(o.host); err != nil {
		return e.unknownHost(err), false
	}
	o.p = e.policy(o.h)
	return exitOK, true
}

// add is rules add.
func (o *ruleEdit) add(e *env, args []string) int {
	if code, ok := o.operands(e, args); !ok {
		return code
	}
	if why, near := wrongRule(o.rule, o.list); why != "" {
		hint := "permgate help patterns has the grammar"
		if near != "" {
			hint = e.cmd + " " + o.list.String() + " " + quoteArg(near)
		}
		return e.fail(hint, "%s", hookio.Escape(why))
	}
	name, err := e.settingsFile(o.p, o.h, o.scope)
	if err != nil {
		return e.fail("", "%v", err)
	}
	if o.scope == rules.Shared.String() && o.users(e, name) {
		return e.fail("use --scope user; --scope local is for calls made from here",
			"here in your home directory, %s applies to every project", e.path(name))
	}
	now, doc, err := e.openSettings(o.p, o.scope, name)
	if err != nil {
		return e.failFile(err)
	}
	if at := rulePlace(e, doc, o.list, o.rule); at != "" {
		fmt.Fprintf(e.out, "nothing to do: %s is already in %s (%s)\n", hookio.Escape(o.rule), o.list, at)
		o.say(e, o.added(e, now))
		return exitOK
	}
	plan := func() ([]*change, error) {
		ch, err := e.addRules(o.p, o.scope, name, o.list, o.rule)
		return []*change{ch}, err
	}
	planned, err := plan()
	if err != nil {
		return e.failFile(err)
	}
	o.say(e, o.added(e, planned[0]))
	o.first = e.firstOn(&gate.Flags{})
	if done, code := e.write(&o.writeOptions, plan); !done {
		return code
	}
	fmt.Fprintf(e.out, "added to %s in %s: %s\n", o.list, e.path(name), hookio.Escape(o.rule))
	return exitOK
}

func (o *ruleEdit) say(e *env, notes []string) {
	for _, n := range notes {
		fmt.Fprint(e.err, wrap("note: ", hookio.Escape(n), 0))
	}
}

// rulePlace says where a rule stands in a list of a file, "" if it does not.
func rulePlace(e *env, doc *edit.Doc, list rules.List, rule string) string {
	els := edit.Elements(edit.Member(edit.Member(&doc.Root, "permissions"), list.String()))
	for i := range els {
		if edit.Text(&els[i]) == rule {
			pos := doc.Pos(&els[i])
			return pos[:strings.LastIndexByte(pos, ':')]
		}
	}
	return ""
}
