package cli

import (
	"github.com/spf13/pflag"
)

// replayOptions are the options of permgate replay.
type replayOptions struct {
	recordedOptions
	json bool
	jobs int
}

func replayCommand() *Command {
	var o replayOptions
	return &Command{
		Name:     "replay",
		Args:     "[FILE...]",
		Operands: fileOperands,
		Short:    "decide recorded calls again and count the answers",
		Long: `Decides every recorded call again, under the settings of now, and counts the answers
by tool, rule, command and session.

Without operands the calls are those of permgate's own log; with --host NAME those of
that program's session files. Operands are such files, of any format that
docs/replay.md lists; with - or --lines they come from standard input, with --lines
as hook payloads, one per line. Every call that is read is decided, or skipped with
the reason.

Nothing is executed, written or logged, and neither classifier nor approver is asked.
The exit code is 0, or 3 if something could not be read.`,
		Examples: []Example{
			{"permgate replay --since 7d", "the last week of the log"},
			{"permgate replay --host claude", "the session files of Claude Code"},
			{"permgate replay --json session.jsonl | jq .answers", "one file, for programs"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.recordedOptions.register(fs)
			fs.BoolVar(&o.json, "json", false, "print the report as JSON")
			fs.IntVar(&o.jobs, "jobs", 0, "use `N` cores (default all)")
			o.registerPlaces(fs)
		},
		Run: func(e *env, args []string) int { return o.run(e, args) },
	}
}
