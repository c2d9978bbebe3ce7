package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// policyOptions are the options of the subcommands that look at the policy and
// not at a call.
type policyOptions struct{ gate.Flags }

// register adds the shared options that bear on a policy.
func (o *policyOptions) register(fs *pflag.FlagSet) {
	registerOnly(fs, &o.Flags, "host", "cwd", "home", "agent", "skill", "permission-mode",
		"allow-dangerously-skip-permissions", "settings", "add-dir", "allowedTools", "disallowedTools", "tools")
}

// registerOnly adds those of the shared options that have these names.
func registerOnly(fs *pflag.FlagSet, f *gate.Flags, names ...string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(all)
	for _, name := range names {
		fs.AddFlag(all.Lookup(name))
	}
}

// load builds the case of a call about nothing, as check would.
func (o *policyOptions) load(e *env) (*decide.Case, error) {
	call, err := gate.Canonical([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"true"}}`), &o.Flags)
	if err != nil {
		return nil, err
	}
	return gate.Case(call, &o.Flags, e.world), nil
}

func rulesCommand() *Command {
	var o policyOptions
	var json bool
	var set *pflag.FlagSet
	return &Command{
		Name:  "rules",
		Args:  "[add | remove]",
		Short: "list the rules in force here and their sources; add or remove one",
		Long: `Lists what applies to a call made from the working directory: the mode and where it
comes from, locks and fences, every settings file and whether its grants count, the
posture, and every rule with scope and place, in the order of the steps. A rule
without effect is marked with the rule that overrides it. Rules that do not count
and files with errors are listed with the reason.

With --agent it lists what applies to a subagent. Session grants are not included.
permgate help patterns explains the patterns.`,
		Examples: []Example{
			{"permgate rules", "the rules in force here"},
			{"permgate rules --host claude --json", "for one program, as JSON"},
			{"permgate rules add allow 'Bash(npm test)'", "in your own settings for this project"},
			{"permgate rules remove allow 'Bash(npm test)'", ""},
		},
		Flags: func(fs *pflag.FlagSet) {
			set = fs
			fs.BoolVar(&json, "json", false, "print JSON")
			o.register(fs)
		},
		Run: func(e *env, args []string) int {
			if len(args) > 0 && args[0] != "list" || len(args) > 1 {
				return e.fail("permgate rules add LIST RULE, permgate rules remove LIST RULE; permgate explain COMMAND shows the rules for one call",
					"unexpected operand %q", hookio.Escape(args[len(args)-1]))
			}
			c, err := o.load(e)
			if err != nil {
				return e.fail("permgate help hosts lists the programs", "%v", err)
			}
			v := newPolicyView(c, o.Flags.Host)
			if json {
				e.machine().Write(append(v.json(), '\n'))
			} else {
				v.print(e)
			}
			return exitOK
		},
		Subs: []*Command{rulesAddCommand(&set), rulesRemoveCommand(&set)},
	}
}

// misplaced reports an option in front of the verb, where it would have no effect.
func misplaced(e *env, set *pflag.FlagSet) (code int, found bool) {
	name := ""
	if set != nil {
		set.Visit(func(f *pflag.Flag) { name = f.Name })
	}
	if name == "" {
		return 0, false
	}
	return e.fail(e.cmd+" ... --"+name, "--%s comes before the verb; options of a verb go after it", name), true
}

// print writes the view for people.
func (v *policyView) print(e *env) {
	p := v.c.Policy
	e.pairs([][2]string{
		{"working directory", hookio.Escape(p.Cwd.Given)},
		{"project", hookio.Escape(e.tilde(p.Project.Given))},
		{"host", v.hostLine()},
		{"mode", p.Mode.Value + "   " + e.modeFrom(v)},
	})
	for _, n := range p.ModeNotes {
		e.wrapped("  ", hookio.Escape(e.short(n)))
	}
	v.printAgent(e)
	v.printSwitches(e)
	v.printSources(e)
	v.printPosture(e)
	v.printDirs(e)
	v.printRules(e)
	v.printRest(e)
	fmt.Fprintf(e.out, "\n%s\n", v.summary())
}

func (v *policyView) hostLine() string {
	if v.host == "" {
		return `none: "hosts" in permgate.json is ignored; use --host NAME`
	}
	return v.host
}

func (e *env) modeFrom(v *policyView) string {
	p := v.c.Policy
	if p.Mode.Pos.File == "" {
		return "the default; the mode the host sends with a call overrides it"
	}
	return e.place(p.Mode.Pos)
}

// tilde is e.path, but for the working directory itself.
func (e *env) tilde(name string) string {
	if name == e.world.Cwd {
		return name
	}
	return e.path(name)
}
