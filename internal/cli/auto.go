package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

func autoCommand() *Command {
	var o callOptions
	return &Command{
		Name:  "auto",
		Args:  "[eval FILE]",
		Short: "list what mode auto denies, asks about and allows here; try it on labelled calls",
		Long: `Lists the three lists of mode auto, autoMode.hard_deny, soft_deny and allow: the
built-in entries, whether they are in force in this folder and why, your own rules
and the administrator's with their places, and what is written but does not count.

"$defaults" in a list puts the built-in entries into it. A list that is not set has
them as well, except next to a program with a classifier of its own where silence
lets that program decide (onUnmatched "defer"). A list without "$defaults" replaces
them; [] is no entry at all.`,
		Examples: []Example{
			{"permgate auto", "the lists in force here"},
			{"permgate auto --host claude --json", "for one program, as JSON"},
			{"permgate auto eval calls.jsonl", "how well mode auto answers labelled calls"},
		},
		Flags: func(fs *pflag.FlagSet) { registerAuto(fs, &o, "print JSON") },
		Run: func(e *env, args []string) int {
			if len(args) > 0 {
				return e.fail("permgate auto, or permgate auto eval FILE", "unexpected operand %q", hookio.Escape(args[0]))
			}
			c, err := autoCase(e, &o)
			if err != nil {
				return e.fail("permgate help hosts lists the programs", "%v", err)
			}
			if o.json {
				e.machine().Write(append(autoJSON(c), '\n'))
				return exitOK
			}
			printAuto(e, c)
			e.sayImplied(o.implied.of(c.Call))
			return exitOK
		},
		Subs: []*Command{autoEvalCommand()},
	}
}

// registerAuto adds the options that bear on the policy, and --json.
func registerAuto(fs *pflag.FlagSet, o *callOptions, json string) {
	fs.BoolVar(&o.json, "json", false, json)
	shared := policyOptions{}
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	shared.register(all)
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Flags.Register(own)
	all.VisitAll(func(f *pflag.Flag) {
		if f.Name != "permission-mode" && f.Name != "allow-dangerously-skip-permissions" {
			fs.AddFlag(own.Lookup(f.Name))
		}
	})
}

// autoCase is a call about nothing, in mode auto.
func autoCase(e *env, o *callOptions) (*decide.Case, error) {
	o.imply(e)
	o.Mode = "auto"
	shared := policyOptions{o.Flags}
	if o.implied != nil && o.implied.host != nil {
		shared.Host = o.implied.host.Name
	}
	return shared.load(e)
}

// An autoList is one list of autoMode as it applies.
type autoList struct {
	name    string
	in      bool // the built-in entries are in force
	why     string
	entries []*decide.AutoDefault
	rules   []rules.Rule
	dropped []*rules.Dropped
}

func autoLists(c *decide.Case) []autoList {
	p := c.Policy
	own := [...][]rules.Rule{p.Auto.HardDeny, p.Auto.SoftDeny, p.Auto.Allow}
	out := make([]autoList, len(own))
	for i := range out {
		l := &out[i]
		l.name, l.rules = rules.AutoKeys[i].Name, own[i]
		l.in, l.why = c.AutoInForce(i)
		for j := range decide.AutoDefaults {
			if d := &decide.AutoDefaults[j]; d.List == i {
				l.entries = append(l.entries, d)
			}
		}
		for j := range p.Dropped {
			if d := &p.Dropped[j]; d.Auto == l.name {
				l.dropped = append(l.dropped, d)
			}
		}
	}
	return out
}

// autoAnswers say what each list does, in the order of rules.AutoKeys.
var autoAnswers = [...]string{"denies", "asks about", "allows"}

func printAuto(e *env, c *decide.Case) {
	if why := autoLocked(c.Policy); why != "" {
		e.wrapped("", "mode auto is off: "+e.short(why)+"; hard_deny and soft_deny still apply to sessions that ask for it")
	}
	for i, l := range autoLists(c) {
		state := "in force"
		if !l.in {
			state = "not in force"
		}
		if i > 0 || autoLocked(c.Policy) != "" {
			fmt.Fprintln(e.out)
		}
		fmt.Fprintf(e.out, "autoMode.%s: what mode auto %s\n", l.name, autoAnswers[i])
		e.wrapped("  ", fmt.Sprintf("built in (version %d), %s: %s", decide.AutoDefaultsVersion, state, e.short(l.why)))
		for _, d := range l.entries {
			e.columns(fmt.Sprintf("    %-16s  ", d.ID), 22, d.Doc)
		}
		if len(l.rules) > 0 {
			fmt.Fprintln(e.out, "  rules")
		}
		var rows [][]string
		for j := range l.rules {
			rows = append(rows, []string{hookio.Escape(l.rules[j].Text), l.rules[j].Scope.String(), e.place(l.rules[j].Pos)})
		}
		e.table("    ", rows)
		if len(l.dropped) > 0 {
			fmt.Fprintln(e.out, "  written, but does not count")
		}
		for _, d := range l.dropped {
			e.wrapped("    ", hookio.Escape(d.Text)+"   "+e.place(d.Pos)+": "+e.short(d.Why))
		}
	}
	for i := range c.Policy.Faults {
		e.wrapped("", "fault: "+e.fault(&c.Policy.Faults[i]))
	}
}

// autoLocked says what takes mode auto away, "" where nothing does.
func autoLocked(p *rules.Policy) string {
	if !p.LockAuto.On() {
		return ""
	}
	return "locked by " + p.LockAuto.Pos.String()
}

func autoJSON(c *decide.Case) []byte {
	var o object
	o.num("version", decide.AutoDefaultsVersion)
	o.opt("locked_by", c.Policy.LockAuto.Pos.String())
	lists := autoLists(c)
	o.list("lists", len(lists), func(i int, o *object) {
		l := &lists[i]
		o.str("list", l.name)
		o.boolean("built_in", l.in)
		o.str("why", l.why)
		o.list("entries", len(l.entries), func(j int, o *object) {
			d := l.entries[j]
			o.str("id", d.ID)
			o.str("does", d.Does)
			o.str("doc", d.Doc)
			o.strs("hits", d.Hits)
			o.strs("passes", d.Passes)
		})
		o.list("rules", len(l.rules), func(j int, o *object) { fillRule(o, &l.rules[j]) })
		o.list("dropped", len(l.dropped), func(j int, o *object) {
			d := l.dropped[j]
			o.str("rule", d.Text)
			o.str("at", d.Pos.String())
			o.str("why", d.Why)
		})
	})
	return o.end()
}
