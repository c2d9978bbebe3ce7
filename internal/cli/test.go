package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"permgate/internal/policytest"
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
		Operands: fileOperands,
		Words:    func(fs *pflag.FlagSet, args []string) bool { return o.record && commandWords(fs, args) },
		Short:    "run the policy tests of the project, as the hook would decide them",
		Long:     testLong(),
		Examples: []Example{
			{"permgate test", "the tests of this project"},
			{"permgate test -v --coverage", "every line, and the rules no test is about"},
			{"permgate test --settings new.json", "with further settings"},
			{"permgate test --record 'git push'", "add the answer to a call as a test"},
			{"permgate test --record --last", "that to the last call of the log"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVarP(&o.verbose, "verbose", "v", false, "print the tests that pass as well")
			fs.BoolVar(&o.coverage, "coverage", false, "list the rules no test is about")
			fs.BoolVar(&o.user, "user", false, "your own tests as well, from the settings folder in your home directory")
			fs.BoolVar(&o.record, "record", false, "add the answer to the call named by the operands to the tests of the project")
			o.last.register(fs, "with --record: ", "with --last: of this session, its id or the beginning of it")
			o.writeOptions.register(fs)
			o.callOptions.register(fs)
		},
		Run: func(e *env, args []string) int {
			o.imply(e)
			switch {
			case !o.record && (o.last.n != "" || o.tool != "" || o.yes || o.dryRun), o.last.n == "" && o.last.session != "":
				return e.fail("permgate test --record --last", "--last, --tool, --yes and --dry-run go with --record, and --session with --last")
			case o.record && (o.json || o.verbose || o.coverage):
				return e.fail("permgate test", "--record runs no tests: it takes neither --json nor -v nor --coverage")
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
settings folders (.gen, .san, .claude) of the project, or of the files named. Nothing
of a call is executed or logged.

  # a comment stands on a line of its own
  ask Bash git push origin main
  deny Read ./.env => deny rule
  allow Edit {"file_path": "src/x.go"}
  @mode acceptEdits
  allow Edit src/x.go

A line is EXPECT TOOL ARGUMENT. EXPECT is allow, ask or deny, the decision as
permgate check says it, or silence: the host is left to decide. ARGUMENT is the
rest of the line as it stands: the command, path, URL or name; or a JSON object,
which is the whole input. "=> TEXT" behind the last => says what the reason
contains. Lines with @ hold for those below them, until changed or taken back by
"-" in place of the value:

`)
	for _, w := range policytest.Words() {
		fmt.Fprintf(&b, "  %-18s%s\n", "@"+w.Name+" "+w.Value, w.Doc)
	}
	b.WriteString(`
The examples ("match", "not_match") of rules in permgate.json count as tests.

--record adds the answer to a call as it is now, with the context lines it needs.
It takes a call as check does, and asks before it writes.

Calls are made in the folder that holds the settings folder of the file, and of
any other file in the project. The exit code is 0 when every test passed, 1 when
one failed, 3 when a line cannot be read or there is no test.`)
	return b.String()
}
