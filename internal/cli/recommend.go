package cli

import (
	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/rules"
)

// recommendOptions are the options of permgate recommend.
type recommendOptions struct {
	recordedOptions
	writeOptions
	scope      string
	mode       string
	most       int
	unused     int
	wide, rare bool
	json       bool
}

func recommendCommand() *Command {
	var o recommendOptions
	return &Command{
		Name:     "recommend",
		Args:     "[FILE...]",
		Operands: "file",
		Short:    "propose rules that would have spared prompts, from recorded calls",
		Long: `Reads recorded calls as permgate replay does (the log, or session files), decides each
again, and proposes the allow rules that would have spared the most prompts: the
exact text, a stem where several calls have one, a folder, a host. --wide also
proposes rules for a whole tool. Each figure is what deciding the calls again with
the rule says.

Never proposed: what no allow rule can or should end (deny rules, destructive and
sensitive calls, writes outside the project), what you refused once, what was asked
in one session only (unless --rare), a rule that lint has an exploit for, and one
that would allow an attack of permgate's own tables.

It also names allow rules of the file that matched no call for 30 days (--unused),
with the older calls that need them, and rules far wider than their use, with
narrower ones that would do for every recorded call.

On a terminal you answer each with one key. --yes takes exact rules only. What is
written also adds a line to the policy tests, as permgate test --record does.
docs/recommend.md explains the keys and what is counted.`,
		Examples: []Example{
			{"permgate recommend", "from the log, one key each"},
			{"permgate recommend --host claude --since 30d --dry-run", "from the session files of Claude Code; print only"},
			{"permgate recommend --scope user --yes", "exact rules for all projects, without asking"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.recordedOptions.register(fs)
			fs.StringVar(&o.scope, "scope", rules.Local.String(), "settings file to write to: local, shared or user")
			fs.StringVar(&o.mode, "permission-mode", "", "decide the calls in this mode, not in that of each")
			fs.IntVarP(&o.most, "most", "n", defaultMost, "propose at most `N` rules")
			fs.BoolVar(&o.wide, "wide", false, "propose rules for a whole tool too")
			fs.BoolVar(&o.rare, "rare", false, "propose what was asked in one session only too")
			fs.IntVar(&o.unused, "unused", defaultUnused, "report allow rules that matched nothing for `DAYS`")
			fs.BoolVar(&o.json, "json", false, "print the proposals as JSON and write nothing")
			o.writeOptions.register(fs)
			fs.Lookup("dry-run").Usage = "print the proposals and write nothing"
			fs.Lookup("yes").Usage = "write the exact rules without asking on the terminal"
			o.registerPlaces(fs)
		},
		Run: func(e *env, args []string) int { return o.run(e, args) },
	}
}

// How many rules are proposed, and after how many days one counts as unused.
const (
	defaultMost   = 20
	defaultUnused = 30
)
