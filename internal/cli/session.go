package cli

import (
	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/internal/gate"
)

// sessionOptions are the options of permgate session.
type sessionOptions struct {
	gate.Flags // --state and --home only
	writeOptions
	session string
	json    bool
	saved   bool // reset: the allow rules of the project's local settings as well
}

func (o *sessionOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.session, "session", "", "the session: its `ID`, or the start of a logged one; default: the newest of this project")
	fs.StringVar(&o.State, "state", "", "folder of the session state")
	fs.StringVar(&o.Home, "home", "", "home directory, for that folder")
}

func sessionCommand() *Command {
	var o sessionOptions
	show := func(fs *pflag.FlagSet) {
		o.register(fs)
		fs.BoolVar(&o.json, "json", false, "print JSON")
	}
	return &Command{
		Name:  "session",
		Args:  "[show | allow-all | allow-edits | allow-bash | allow RULE | add-dir DIR | reset]",
		Short: "show or change what a running session may do beyond the settings",
		Long: `Shows or changes the grants of one running session, like "allow this for the session"
in an agent program's dialog. They count in step 4. Deny rules, step 2 and the prompt
for writes outside the workspace still apply; ordinary ask rules are silenced, as by
every grant. Grants end with the session, after 7 days, or when the session works in
another project.

Without --session it is the newest session of this project in the log. If two of them
made a call within the last hour, permgate does not guess.

Grants need a terminal to confirm on, or --yes.`,
		Examples: []Example{
			{"permgate session", "the grants"},
			{"permgate session allow-all", "everything but what deny rules, step 2 and writes outside the workspace stop"},
			{"permgate session allow-edits", "Edit, Write and NotebookEdit, in the workspace"},
			{"permgate session allow 'Bash(npm test:*)'", "a rule, for this session only"},
			{"permgate session allow WebFetch", "every call of one tool"},
			{"permgate session add-dir ../lib", "another directory writes may go to"},
			{"permgate session reset --session 0c9e --yes", "remove all grants"},
			{"permgate session reset --saved", "and what permgate allow, or the program, saved for the project"},
		},
		Flags: show,
		Run: func(e *env, args []string) int {
			if len(args) > 0 {
				return e.fail("permgate help session lists the verbs", "no %s", quoteArg(args[0]))
			}
			return showSession(e, &o)
		},
		Subs: []*Command{
			{Name: "show", Short: "show the grants and when they end", Flags: show,
				Run: func(e *env, args []string) int { return o.none(e, args, showSession) }},
			o.verb("allow-all", "", "allow every call that deny rules, step 2 and writes outside the workspace do not stop", (*granting).all),
			o.verb("allow-edits", "", "allow Edit, Write and NotebookEdit in the workspace", (*granting).edits),
			o.verb("allow-bash", "", "allow every Bash command", (*granting).bash),
			o.verb("allow", "RULE", "allow what a rule matches; a bare tool name allows all its calls", (*granting).rule),
			o.verb("add-dir", "DIR", "make a directory part of the workspace", (*granting).dir),
			o.verb("reset", "", "remove all grants", nil),
		},
	}
}

// verb is a command that changes what is granted; without a grant it takes everything back.
func (o *sessionOptions) verb(name, args, short string, grant func(*granting, string) error) *Command {
	operands := ""
	if args == "DIR" {
		operands = "dir -"
	}
	return &Command{
		Name: name, Args: args, Short: short, Operands: operands,
		Flags: func(fs *pflag.FlagSet) {
			o.writeOptions.register(fs)
			o.register(fs)
			if grant == nil {
				fs.BoolVar(&o.saved, "saved", false, "also remove the allow rules in the project's settings.local.json")
			}
		},
		Run: func(e *env, operands []string) int {
			if args == "" {
				return o.none(e, operands, func(e *env, o *sessionOptions) int { return grantSession(e, o, grant, "") })
			}
			if len(operands) != 1 {
				return e.fail("quote it: "+e.cmd+" '"+args+"'", "takes one %s, not %d", args, len(operands))
			}
			return grantSession(e, o, grant, operands[0])
		},
	}
}

// none runs a command that takes no operand.
func (o *sessionOptions) none(e *env, operands []string, run func(*env, *sessionOptions) int) int {
	if len(operands) > 0 {
		return e.fail("permgate help session lists the verbs", "takes no operand, and got %s", quoteArg(operands[0]))
	}
	return run(e, o)
}
