package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/internal/policy/policytest"
)

// testOptions are the options of permgate test.
type testOptions struct {
	callOptions
	writeOptions
	last                            lastOptions
	verbose, coverage, user, record bool
}

func testCommand() *Command {
	var o testOptions
	return &Command{
		Name:     "test",
		Args:     "[FILE...] | --record CALL",
		Operands: "file",
		Words:    func(fs *pflag.FlagSet, args []string) bool { return o.record && commandWords(fs, args) },
		Short:    "run the project's policy tests",
		Long:     testLong(),
		Examples: []Example{
			{"permgate test", "the tests of this project"},
			{"permgate test -v --coverage", "every test, and the rules without one"},
			{"permgate test --settings new.json", "with additional settings"},
			{"permgate test --record 'git push'", "add a call and its decision as a test"},
			{"permgate test --record --last", "the same for the last call in the log"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVarP(&o.verbose, "verbose", "v", false, "also print tests that pass")
			fs.BoolVar(&o.coverage, "coverage", false, "list the rules without a test")
			fs.BoolVar(&o.user, "user", false, "also run your own tests, from the settings folder in your home directory")
			fs.BoolVar(&o.record, "record", false, "add the given call and its decision to the project's tests")
			o.last.register(fs, "with --record: ", "with --last: from this session, its id or the start of it")
			o.writeOptions.register(fs)
			o.callOptions.register(fs)
		},
		Run: func(e *env, args []string) int {
			o.imply(e)
			forRecord := o.last.n != "" || o.tool != "" || o.yes || o.dryRun
			switch {
			case !o.record && forRecord, o.last.n == "" && o.last.session != "":
				return e.fail("permgate test --record --last",
					"--last, --tool, --yes and --dry-run go with --record, and --session with --last")
			case o.record && (o.json || o.verbose || o.coverage):
				return e.fail("permgate test", "--record runs no tests: it does not go with --json, -v or --coverage")
			case o.record:
				return recordTest(e, &o, args)
			}
			return runTests(e, &o, args)
		},
	}
}

// testLong is the help text; the context lines in it come from their table.
func testLong() string {
	var b strings.Builder
	b.WriteString(`Runs the lines of permissions.test and permissions.local.test (your own) in the
settings folders (.gen, .san, .claude) of the project, or of the given files. No call
is executed or logged.

  # a comment is on its own line
  ask Bash git push origin main
  deny Read ./.env => deny rule
  allow Edit {"file_path": "src/x.go"}
  @mode acceptEdits
  allow Edit src/x.go

A line is EXPECT TOOL ARGUMENT. EXPECT is allow, ask or deny, the decision that
permgate check prints, or silence: the host decides itself. ARGUMENT is the rest of
the line, unquoted: the command, path, URL or name; or a JSON object, which is the
whole input. "=> TEXT" at the end says what the reason must contain. Lines with @
apply to the lines below them, until changed or reset with "-" as the value:

`)
	for _, w := range policytest.Words() {
		fmt.Fprintf(&b, "  %-18s%s\n", "@"+w.Name+" "+w.Value, w.Doc)
	}
	b.WriteString(`
A budget bounds how often recorded sessions are interrupted: the calls in the files
are decided under the settings of now, and those answered ask (or deny) are counted,
in each session, in NN percent of the sessions, or in all:

  budget: prompts <= 2 per session of sessions/*.jsonl
  budget: p90 prompts <= 1 per session of sessions/*.jsonl
  budget: denies <= 0 in sessions/*.jsonl

FILE is a pattern from the folder of the test file; the files are those that permgate
replay reads, such as the output of permgate log --json. What context lines do not say
is as recorded. A pattern without a file, or a file without a call, fails.

The examples ("match", "not_match") of rules in permgate.json count as tests.

--record adds a call and its current decision, with the context lines it needs. It
takes a call as check does, and asks before it writes.

Calls are made in the folder that contains the settings folder of the test file, or
in the project for any other file. Exit code: 0 if every test passed, 1 if one
failed, 3 if a line is malformed or there are no tests.`)
	return b.String()
}
