package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A testRun is what permgate test does, and has found so far.
type testRun struct {
	e        *env
	o        *testOptions
	files    []*policytest.File
	results  []*policytest.Result
	budgets  []*policytest.Spent
	examples []policytest.Outcome
	coverage policytest.Coverage
}

func runTests(e *env, o *testOptions, args []string) int {
	if o.implied != nil && o.implied.host != nil {
		o.Host = o.implied.host.Name
	}
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
		return e.fail("write lines such as: ask Bash git push",
			"no tests: there is no %s in a settings folder of %s", policytest.FileName, e.path(p.Project.Given))
	}
	r := &testRun{e: e, o: o}
	r.coverage.Add(p)
	r.checkExamples(p)
	if code := r.read(names); code != exitOK {
		return code
	}
	for _, f := range r.files {
		if err := r.run(f, r.dir(p, f.Name)); err != nil {
			return e.fail("permgate help test shows the format of a line", "%v", err)
		}
	}
	if len(r.results)+len(r.budgets)+len(r.examples) == 0 {
		for i := range names {
			names[i] = e.path(names[i])
		}
		return e.fail("write lines such as: ask Bash git push", "no tests in %s", strings.Join(names, ", "))
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
	for _, root := range load.Roots {
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
		for _, file := range policytest.FileNames {
			if name := filepath.Join(folder, file); exists(name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
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
			return r.e.fail("", "%s: no such file", r.e.path(name))
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
		return r.e.fail("permgate help test shows the format of a line", "%s is malformed, so no test was run",
			plural(wrong, "line", "lines"))
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
	if up := filepath.Dir(folder); slices.Contains(load.Roots[:], filepath.Base(folder)) && up != home &&
		up != r.e.world.PasswdHome {
		return up
	}
	return p.Project.Given
}

// run runs the tests of one file, and holds its budgets against what was recorded.
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
	for i := range f.Budgets {
		spent, err := runner.Hold(&f.Budgets[i])
		if err != nil {
			return fmt.Errorf("%s: %w", r.e.place(f.Budgets[i].Pos), err)
		}
		r.budgets = append(r.budgets, spent)
	}
	return nil
}
