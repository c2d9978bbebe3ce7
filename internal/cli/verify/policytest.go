package verify

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// TestOptions are the options of permgate test.
type TestOptions struct {
	subcmd.CallOptions
	subcmd.WriteOptions
	last                            subcmd.LastOptions
	verbose, coverage, User, record bool
}

// TestCommand checks written examples.
func TestCommand() *subcmd.Command {
	var o TestOptions
	return &subcmd.Command{
		Name:     "test",
		Args:     "[FILE...] | --record CALL",
		Operands: "file",
		Words:    func(fs *pflag.FlagSet, args []string) bool { return o.record && subcmd.CommandWords(fs, args) },
		Short:    "run the project's policy tests",
		Long:     testLong(),
		Examples: []subcmd.Example{
			{"permgate test", "the tests of this project"},
			{"permgate test -v --coverage", "every test, and the rules without one"},
			{"permgate test --settings new.json", "with additional settings"},
			{"permgate test --record 'git push'", "add a call and its decision as a test"},
			{"permgate test --record --last", "the same for the last call in the log"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVarP(&o.verbose, "verbose", "v", false, "also print tests that pass")
			fs.BoolVar(&o.coverage, "coverage", false, "list the rules without a test")
			fs.BoolVar(&o.User, "user", false, "also run your own tests, from the settings folder in your home directory")
			fs.BoolVar(&o.record, "record", false, "add the given call and its decision to the project's tests")
			o.last.Register(fs, "with --record: ", "with --last: from this session, its id or the start of it")
			o.WriteOptions.Register(fs)
			o.CallOptions.Register(fs)
		},
		Run: func(e *subcmd.Env, args []string) int {
			o.Imply(e)
			forRecord := o.last.N != "" || o.Tool != "" || o.Yes || o.DryRun
			switch {
			case !o.record && forRecord, o.last.N == "" && o.last.Session != "":
				return e.Fail("permgate test --record --last",
					"--last, --tool, --yes and --dry-run go with --record, and --session with --last")
			case o.record && (o.JSON || o.verbose || o.coverage):
				return e.Fail("permgate test", "--record runs no tests: it does not go with --json, -v or --coverage")
			case o.record:
				return recordTest(e, &o, args)
			}
			return RunTests(e, &o, args)
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

type testRun struct {
	e        *subcmd.Env
	o        *TestOptions
	files    []*policytest.File
	results  []*policytest.Result
	budgets  []*policytest.Spent
	examples []policytest.Outcome
	coverage policytest.Coverage
}

// RunTests runs the tests of files.
func RunTests(e *subcmd.Env, o *TestOptions, args []string) int {
	if o.Implied != nil && o.Implied.Host != nil {
		o.Host = o.Implied.Host.Name
	}
	h, err := gate.NamedHost(o.Host)
	if err != nil {
		return e.UnknownHost(err)
	}
	p := e.PolicyUnder(h, &o.Flags)
	PrintFaults(e, p) // they are why tests may fail, and the wrong shape of an example is one
	names, err := o.names(e, p, args)
	if err != nil {
		return e.Fail("", "%v", err)
	}
	if len(names) == 0 && len(p.Examples) == 0 {
		return e.Fail("write lines such as: ask Bash git push",
			"no tests: there is no %s in a settings folder of %s", policytest.FileName, e.Path(p.Project.Given))
	}
	r := &testRun{e: e, o: o}
	r.coverage.Add(p)
	r.checkExamples(p)
	if code := r.read(names); code != subcmd.ExitOK {
		return code
	}
	for _, f := range r.files {
		if err := r.run(f, r.dir(p, f.Name)); err != nil {
			return e.Fail("permgate help test shows the format of a line", "%v", err)
		}
	}
	if len(r.results)+len(r.budgets)+len(r.examples) == 0 {
		for i := range names {
			names[i] = e.Path(names[i])
		}
		return e.Fail("write lines such as: ask Bash git push", "no tests in %s", strings.Join(names, ", "))
	}
	return r.report()
}

// names are the files to run: those named, else the project's and with --user the user's.
func (o *TestOptions) names(e *subcmd.Env, p *rules.Policy, args []string) ([]string, error) {
	if len(args) > 0 {
		for i, name := range args {
			args[i] = e.Abs(name)
		}
		return args, nil
	}
	folders := projectFolders(p)
	if o.User {
		users, err := e.PostureFolders(hookio.ForUser)
		if err != nil {
			return nil, err
		}
		folders = append(folders, users...)
	}
	var out []string
	for _, folder := range folders {
		for _, file := range policytest.FileNames {
			if name := filepath.Join(folder, file); subcmd.Exists(name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

func projectFolders(p *rules.Policy) (out []string) {
	for _, root := range load.Roots {
		out = append(out, filepath.Join(p.OS.Native(p.Project.Given), root))
	}
	return out
}

// read reads the files. Any error stops before a test runs: a malformed line must not look like one that passed.
func (r *testRun) read(names []string) int {
	wrong := 0
	for _, name := range names {
		if !subcmd.Exists(name) {
			return r.e.Fail("", "%s: no such file", r.e.Path(name))
		}
		_, text, _, err := edit.Read(rules.NativeOS().Native(name))
		if err != nil {
			return r.e.Fail("", "%v", err)
		}
		f := policytest.Parse(name, string(text))
		for i := range f.Errors {
			at := f.Errors[i].Pos
			at.File = r.e.Path(at.File)
			fmt.Fprintf(r.e.Err, "%s: %s: %s\n", r.e.Cmd, hookio.Escape(at.String()), f.Errors[i].Msg)
		}
		wrong += len(f.Errors)
		r.files = append(r.files, f)
	}
	if wrong > 0 {
		return r.e.Fail("permgate help test shows the format of a line", "%s is malformed, so no test was run",
			subcmd.Plural(wrong, "line", "lines"))
	}
	return subcmd.ExitOK
}

func (r *testRun) checkExamples(p *rules.Policy) {
	r.examples = policytest.Examples(p, r.o.Flags, r.e.World)
	for i := range r.examples {
		r.coverage.TouchRule(r.examples[i].Example.Rule)
	}
}

func (r *testRun) dir(p *rules.Policy, name string) string {
	folder := filepath.Dir(name)
	home := r.e.World.Getenv("HOME")
	if up := filepath.Dir(folder); slices.Contains(load.Roots[:], filepath.Base(folder)) && up != home &&
		up != r.e.World.PasswdHome {
		return up
	}
	return p.Project.Given
}

func (r *testRun) run(f *policytest.File, dir string) error {
	progress := r.e.Waiting()
	defer progress.Clear()
	runner := policytest.Runner{World: r.e.World, Flags: r.o.Flags, Dir: dir, Short: r.e.Short,
		Told: func(calls int) { progress.Show(calls, time.Now()) }}
	for i := range f.Tests {
		res, err := runner.Run(&f.Tests[i])
		if err != nil {
			return fmt.Errorf("%s: %w", r.e.Place(f.Tests[i].Pos), err)
		}
		r.coverage.Touch(res.Verdict)
		r.results = append(r.results, res)
	}
	for i := range f.Budgets {
		spent, err := runner.Hold(&f.Budgets[i])
		if err != nil {
			return fmt.Errorf("%s: %w", r.e.Place(f.Budgets[i].Pos), err)
		}
		r.budgets = append(r.budgets, spent)
	}
	return nil
}

func recordTest(e *subcmd.Env, o *TestOptions, args []string) int {
	call, f, code := o.last.Subject(e, &o.CallOptions, args, "check", "that call cannot be recorded")
	if call == nil {
		return code
	}
	v := decide.Decide(gate.Case(call, f, e.World))
	c := v.Input()
	t, line, code := o.newTest(e, c, v, f)
	if t == nil {
		return code
	}
	name, err := o.RecordFile(e, c.Policy)
	if err != nil {
		return e.Fail("", "%v", err)
	}
	at, added, scope := 0, false, o.scope().String()
	done, code := e.Write(&o.WriteOptions, func() ([]*subcmd.Change, error) {
		ch, err := e.OpenText(c.Policy, scope, name)
		if err != nil {
			return nil, err
		}
		var text string
		if text, at, added, err = policytest.Append(e.Path(name), string(ch.Old), t); err != nil {
			return nil, err
		}
		ch.Text = []byte(text)
		ch.Readable(scope)
		return []*subcmd.Change{ch}, nil
	})
	if !done {
		return code
	}
	word := "recorded at"
	if !added {
		word = "is already there, at"
	}
	fmt.Fprintf(e.Out, "%s %s:%d\n  %s\n", word, e.Path(name), at, hookio.Escape(line))
	e.Wrapped("  ", e.Short(v.Reason()))
	return subcmd.ExitOK
}

// newTest is the test that expects a verdict, and its line; nil if it has said that no test can be made.
func (o *TestOptions) newTest(e *subcmd.Env, c *decide.Input, v decide.Verdict, f *gate.Flags) (t *policytest.Test,
	line string, code int) {
	if name := beyondTests(f); name != "" {
		return nil, "", e.Fail("remove it; tests run with the settings files only", "a test line cannot express --%s", name)
	}
	runner := policytest.Runner{World: e.World, Dir: c.Policy.Project.Given}
	t, err := runner.Record(c, v, o.context())
	if err != nil {
		return nil, "", e.Fail("permgate explain shows the whole decision", "%s cannot be recorded: %v",
			hookio.Escape(gate.Title(c.Call)), err)
	}
	if line, err = t.Line(); err != nil {
		return nil, "", e.Fail("", "%v", err)
	}
	if _, secret := redact.Text(line); secret {
		return nil, "", e.Fail("write the test by hand, with a placeholder",
			"the call contains what looks like a secret, and the test file is shared")
	}
	return t, line, subcmd.ExitOK
}

func beyondTests(f *gate.Flags) string {
	for _, o := range [...]struct {
		name string
		set  bool
	}{
		{"settings", len(f.Settings) > 0}, {"add-dir", len(f.AddDirs) > 0}, {"allowedTools", len(f.Allowed) > 0},
		{"disallowedTools", len(f.Denied) > 0}, {"tools", len(f.Tools) > 0}, {"home", f.Home != ""}, {"allow-dangerously-skip-permissions", f.AllowBypass},
	} {
		if o.set {
			return o.name
		}
	}
	return ""
}

func (o *TestOptions) scope() rules.Scope {
	if o.User {
		return rules.User
	}
	return rules.Shared
}

func (o *TestOptions) context() policytest.Context {
	c := policytest.Context{Mode: o.Mode, Agent: o.Agent, Skill: o.Skill, Host: o.Host, Event: o.Event}
	if o.Headless {
		c.Headless = "on"
	}
	return c
}

// RecordFile is the file a test is added to: one that exists, else one in the folder in use.
func (o *TestOptions) RecordFile(e *subcmd.Env, p *rules.Policy) (string, error) {
	settings, err := e.SettingsFile(p, nil, o.scope().String())
	if err != nil {
		return "", err
	}
	more := projectFolders(p)
	if o.User {
		if more, err = e.PostureFolders(hookio.ForUser); err != nil {
			return "", err
		}
	}
	folders := append([]string{filepath.Dir(settings)}, more...)
	for _, file := range policytest.FileNames {
		for _, folder := range folders {
			if name := filepath.Join(folder, file); subcmd.Exists(name) {
				return name, nil
			}
		}
	}
	return filepath.Join(folders[0], policytest.FileName), nil
}
