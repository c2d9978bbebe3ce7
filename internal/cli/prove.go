package cli

import (
	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/internal/gate"
)

// proveOptions are the options of permgate prove.
type proveOptions struct {
	gate.Flags // --host, --agent, --cwd, --home, --permission-mode and --headless only
	comparedOptions
	tool, never, always, format string
	equivalent, json, asIs      bool
	shared                      bool     // see sharing
	implied                     *implied // whose calls they are
}

func proveCommand() *Command {
	var o proveOptions
	return &Command{
		Name:  "prove",
		Short: "prove that a policy allows nothing that another one does not, or show the call",
		Long: `Compares the rules of two policies as such, without recorded calls: is there any call
that the policy in force, or that of --policy, answers more loosely than the one of
--against? From loose to strict the answers are allow, left to the program, ask, deny.
Printed is "no looser", or for each rule responsible the shortest call that shows it,
decided under both policies before.

--against and --policy name settings as permgate replay --against does: a folder, a
file, SCOPE=FILE, a git revision, or now. With a revision your own, managed and local
settings are the same on both sides, and what the project shares counts as trusted on
both, so that only changes of the project are compared. --as-is compares with what is in
force now instead. --equivalent also proves the other direction. --never RULE proves
that no call the rule matches is ever allowed, --always RULE that each one is; these
look at one policy.

What a proof assumes is printed with it; docs/prove.md explains it. Nothing is executed
and nothing is written, and neither classifier nor approver is asked.
The exit code is 0 if it is proven, 1 if a call refutes it, 2 if neither can be said,
with what prevents it, and 3 on errors.`,
		Examples: []Example{
			{"permgate prove --against HEAD", "do the uncommitted changes loosen anything"},
			{"permgate prove --against origin/main --format markdown", "a table for a pull request"},
			{"permgate prove --against HEAD --policy \"$(git write-tree)\"", "does what is staged"},
			{"permgate prove --policy user=new.json --against now", "a file as your own settings.json"},
			{"permgate prove --against old --equivalent --tool Bash", "the same answers, for shell commands"},
			{"permgate prove --never 'Bash(git push:*)'", "no git push is ever allowed"},
			{"permgate prove --against HEAD --json | jq .findings", "for programs"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.against, "against", "", "compare with the settings of this `DIR|FILE|GITREF`, or now")
			fs.StringVar(&o.policy, "policy", "", "the settings of this `DIR|FILE|GITREF`, not those in force")
			fs.StringVar(&o.tool, "tool", "", "calls of this tool only")
			fs.BoolVar(&o.equivalent, "equivalent", false, "prove that it is no stricter either")
			fs.BoolVar(&o.asIs, "as-is", false, "compare a revision with what is in force now")
			fs.StringVar(&o.never, "never", "", "prove that nothing this `RULE` matches is ever allowed")
			fs.StringVar(&o.always, "always", "", "prove that all this `RULE` matches is allowed")
			fs.StringVar(&o.format, "format", "", "text, json or markdown (default text)")
			fs.BoolVar(&o.json, "json", false, "the same as --format json")
			registerOnly(fs, &o.Flags, "host", "permission-mode", "agent", "headless", "cwd", "home")
			o.given = fs.Changed
		},
		Run: func(e *env, args []string) int { return o.run(e, args) },
	}
}
