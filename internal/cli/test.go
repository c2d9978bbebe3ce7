package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"permgate/hookio"
	"permgate/internal/edit"
	"permgate/internal/gate"
	"permgate/internal/policytest"
	"permgate/rules"
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
	var set *pflag.FlagSet
	return &Command{
		Name:     "test",
		Args:     "[FILE...] | --record CALL",
		Operands: fileOperands,
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
			set = fs
			fs.BoolVarP(&o.verbose, "verbose", "v", false, "print the tests that pass as well")
			fs.BoolVar(&o.coverage, "coverage", false, "list the rules no test is about")
			fs.BoolVar(&o.user, "user", false, "your own tests as well, from the settings folder in your home directory")
			fs.BoolVar(&o.record, "record", false, "add the answer to the call named by the operands to the tests of the project")
			o.last.register(fs, "with --record: ", "with --last: of this session, its id or the beginning of it")
			o.writeOptions.register(fs)
			o.callOptions.register(fs)
		},
		Run: func(e *env, args []string) int {
			if o.last.n != "" {
				args = o.last.rest(set, args)
			}
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
	b.WriteString(`Runs the lines of permissions.test in the settings folders (.gen, .san, .claude) of
the project, or of the files named. Nothing of a call is executed or logged.

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
It takes a call as check does, options first, and asks before it writes.

Calls are made in the folder that holds the settings folder of the file, and of
any other file in the project. The exit code is 0 when every test passed, 1 when
one failed, 3 when a line cannot be read or there is no test.`)
	return b.String()
}

// A testRun is what permgate test does, and has found so far.
type testRun struct {
	e        *env
	o        *testOptions
	files    []*policytest.File
	results  []*policytest.Result
	examples []policytest.Outcome
	coverage policytest.Coverage
}

func runTests(e *env, o *testOptions, args []string) int {
	h, err := gate.NamedHost(o.Host)
	if err != nil {
		return e.unknownHost(err)
	}
	p := e.policyUnder(h, &o.Flags)
	for i := range p.Faults { // they are why tests may fail, and the wrong shape of an example is one
		fmt.Fprintf(e.err, "%s: %s\n", e.cmd, e.fault(&p.Faults[i]))
	}
	names, err := o.names(e, p, args)
	if err != nil {
		return e.fail("", "%v", err)
	}
	if len(names) == 0 && len(p.Examples) == 0 {
		return e.fail("write lines such as: ask Bash git push", "no test: there is no %s in a settings folder of %s", policytest.FileName, e.path(p.Project.Given))
	}
	r := &testRun{e: e, o: o}
	r.coverage.Add(p)
	r.checkExamples(p)
	if code := r.read(names); code != exitOK {
		return code
	}
	for _, f := range r.files {
		if err := r.run(f, r.dir(p, f.Name)); err != nil {
			return e.fail("permgate help test shows the form of a line", "%v", err)
		}
	}
	if len(r.results)+len(r.examples) == 0 {
		for i := range names {
			names[i] = e.path(names[i])
		}
		return e.fail("write lines such as: ask Bash git push", "no test in %s", strings.Join(names, ", "))
	}
	return r.report()
}

// names are the files to run: those named, else those of the project, and with
// --user the user's.
func (o *testOptions) names(e *env, p *rules.Policy, args []string) ([]string, error) {
	if len(args) > 0 {
		for i, name := range args {
			args[i] = e.abs(name)
		}
		return args, nil
	}
	var folders, out []string
	for _, root := range rules.Roots {
		folders = append(folders, filepath.Join(p.Project.Given, root))
	}
	if o.user {
		users, err := e.postureFolders(hookio.ForUser)
		if err != nil {
			return nil, err
		}
		folders = append(folders, users...)
	}
	for _, folder := range folders {
		if name := filepath.Join(folder, policytest.FileName); exists(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// read reads the files. What is wrong with any of them is an error before a
// test is run: a line that is not understood must not look like one that passed.
func (r *testRun) read(names []string) int {
	wrong := 0
	for _, name := range names {
		if !exists(name) {
			return r.e.fail("", "%s: there is no such file", r.e.path(name))
		}
		_, text, _, err := edit.Read(name)
		if err != nil {
			return r.e.fail("", "%v", err)
		}
		f := policytest.Parse(name, string(text))
		for i := range f.Errors {
			at := f.Errors[i].Pos
			at.File = r.e.path(at.File)
			fmt.Fprintf(r.e.err, "%s: %s: %s\n", r.e.cmd, hookio.Escape(at.String()), f.Errors[i].Msg)
		}
		wrong += len(f.Errors)
		r.files = append(r.files, f)
	}
	if wrong > 0 {
		return r.e.fail("permgate help test shows the form of a line", "%s cannot be read, and no test was run", plural(wrong, "line", "lines"))
	}
	return exitOK
}

// checkExamples checks the examples that rules of permgate.json carry.
func (r *testRun) checkExamples(p *rules.Policy) {
	r.examples = policytest.Examples(p, r.o.Flags, r.e.world)
	for i := range r.examples {
		r.coverage.TouchRule(r.examples[i].Example.Rule)
	}
}

// dir is where the calls of a file are made.
func (r *testRun) dir(p *rules.Policy, name string) string {
	folder := filepath.Dir(name)
	home := r.e.world.Getenv("HOME")
	if up := filepath.Dir(folder); slices.Contains(rules.Roots[:], filepath.Base(folder)) && up != home && up != r.e.world.PasswdHome {
		return up
	}
	return p.Project.Given
}

// run runs the tests of one file.
func (r *testRun) run(f *policytest.File, dir string) error {
	runner := policytest.Runner{World: r.e.world, Flags: r.o.Flags, Dir: dir, Short: r.e.short}
	for i := range f.Tests {
		res, err := runner.Run(&f.Tests[i])
		if err != nil {
			return fmt.Errorf("%s: %w", r.e.place(f.Tests[i].Pos), err)
		}
		r.coverage.Touch(res.Case, res.Verdict)
		r.results = append(r.results, res)
	}
	return nil
}
