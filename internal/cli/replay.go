package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/internal/gate"
)

// replayOptions are the options of permgate replay.
type replayOptions struct {
	recordedOptions
	comparedOptions
	json bool
	html string
	jobs int
}

func replayCommand() *Command {
	var o replayOptions
	return &Command{
		Name:     "replay",
		Args:     "[FILE...]",
		Operands: "file",
		Short:    "decide recorded calls again and count the answers",
		Long: `Decides every recorded call again, under the settings of now, and counts the answers
by tool, rule, command and session. Every call that is read is decided, or skipped
with the reason.

Without operands the calls are those of permgate's own log; with --host NAME those of
that program's session files. Operands are such files, of any format that
docs/replay.md lists; - is standard input, and --lines reads hook payloads from it.

--policy names the settings to decide under, --against those to compare with, the
old ones: "newly allowed" is what --policy allows and --against does not. Without
--policy the calls are decided under the settings of now; --against now compares with
them. A folder replaces the settings folders of every project: another project, or
its .claude. A file replaces the file of its name: settings.json, settings.local.json,
permgate.json; SCOPE=FILE with user, shared, local or managed puts it elsewhere.
--against also takes a git revision: the project's settings at that commit. What you
name so is trusted. Agents, skills and all other files are those of now.

Nothing is executed or logged, only the page of --html is written, and neither
classifier nor approver is asked.
The exit code is 0, with --against 1 if some call is answered otherwise; 3 if something
could not be read.`,
		Examples: []Example{
			{"permgate replay --since 7d", "the last week of the log"},
			{"permgate replay --host claude", "the session files of Claude Code"},
			{"permgate replay --against HEAD", "what the uncommitted changes of the settings do"},
			{"permgate replay --policy user=new.json --against now", "what a file would do as your own settings.json"},
			{"permgate replay --against HEAD --html page.html", "a page to look at"},
			{"permgate replay --json session.jsonl | jq .answers", "one file, for programs"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.recordedOptions.register(fs)
			fs.StringVar(&o.policy, "policy", "", "decide under the settings of this `DIR|FILE`")
			fs.StringVar(&o.against, "against", "", "compare with the settings of this `DIR|FILE|GITREF`, or now")
			fs.BoolVar(&o.json, "json", false, "print the report as JSON")
			fs.StringVar(&o.html, "html", "", "write the report as a page to this `file`, too")
			fs.IntVar(&o.jobs, "jobs", 0, "use `N` cores (default all)")
			o.registerPlaces(fs)
			o.given = fs.Changed
		},
		Run: func(e *env, args []string) int { return o.run(e, args) },
	}
}

// comparedOptions name the settings to decide under, and those to compare with.
type comparedOptions struct {
	policy, against string
	given           func(option string) bool
}

// sides are these settings: those in force without --policy, nil without --against. With
// revisions --policy may be a git revision too.
func (o *comparedOptions) sides(e *env, revisions bool) (policy, against *gate.World, err error) {
	policy = &e.world
	if o.given("policy") {
		if policy, err = e.settingsOf(o.policy, revisions); err != nil {
			return nil, nil, fmt.Errorf("--policy %w", err)
		}
	}
	if o.given("against") {
		if against, err = e.settingsOf(o.against, true); err != nil {
			return nil, nil, fmt.Errorf("--against %w", err)
		}
	}
	return policy, against, nil
}
