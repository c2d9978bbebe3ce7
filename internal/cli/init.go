package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"permgate/hookio"
	"permgate/internal/gate"
	"permgate/internal/policytest"
	"permgate/internal/profile"
	"permgate/rules"
)

// initOptions are the options of permgate init.
type initOptions struct {
	writeOptions
	host, profile, scope string
}

func initCommand() *Command {
	var o initOptions
	return &Command{
		Name:  "init",
		Short: "write a first policy for this project, with tests of it",
		Long: `Looks at what the project holds (git, go.mod, package.json and its lock file, Python,
Cargo.toml, a makefile, containers) and writes into its settings folder:

  settings.json      rules: what runs unasked, what is asked about, what never runs
  permgate.json      secrets no tool may read, and what else a project can tighten
  permissions.test   a call and the expected answer on each line, for permgate test

Of the project's files only the usual names of scripts and targets are taken (test,
lint, build ...). A file that is there is left as it is. Comments go into the files;
in .claude/settings.json they are a member "//", as Claude Code drops a file that
holds any other.

` + profilesText() + `
It changes what will be asked, so it needs a terminal to ask on, or --yes.`,
		Examples: []Example{
			{"permgate init --dry-run", "the files as a diff"},
			{"permgate init --profile strict", "ask about network, installs and every wildcard"},
			{"permgate init --scope local", "settings.local.json: for yourself, not for the repository"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.profile, "profile", profile.Starter, "how much is allowed: starter, strict")
			fs.StringVar(&o.host, "host", "", "agent program whose settings folder is used, see permgate help hosts")
			fs.StringVar(&o.scope, "scope", rules.Shared.String(), "shared (settings.json) or local (settings.local.json)")
			o.writeOptions.register(fs)
		},
		Run: func(e *env, args []string) int { return initProject(e, &o, args) },
	}
}

func profilesText() string {
	text := ""
	for _, p := range profile.Profiles {
		text += wrap(fmt.Sprintf("  %-9s", p.Name), strings.Repeat(" ", 11), p.Doc, 84)
	}
	return text
}

// A draft is what init writes, and what of it is there already.
type draft struct {
	policy                *profile.Policy
	settings, gate, tests string         // the names of the files
	missing               []profile.Rule // of a settings file that is there
	left                  []string       // files that are there
	changes               []*change
}

func initProject(e *env, o *initOptions, args []string) int {
	h, code := o.check(e, args)
	if code != exitOK {
		return code
	}
	p := e.policy(h)
	project := p.Project.Given
	if project == p.Home.Given || project == filepath.Dir(project) {
		return e.fail("cd into a project, or make it one with git init", "%s is no project: a policy for it would be one for everything in it", e.path(project))
	}
	name, err := e.settingsFile(p, h, o.scope)
	if err != nil {
		return e.fail("", "%v", err)
	}
	if folder := filepath.Dir(name); !inside(project, folder) {
		return e.fail("look where it leads (ls -l) and remove it, or write there from there", "%s is a symlink that leads out of the project", e.path(folder))
	}
	d := &draft{policy: profile.For(os.DirFS(project), o.profile), settings: name}
	d.gate = filepath.Join(filepath.Dir(name), "permgate.json")
	d.tests = filepath.Join(filepath.Dir(name), policytest.FileName)
	if !o.dryRun {
		d.found(e)
	}
	if done, code := e.write(&o.writeOptions, func() ([]*change, error) {
		err := d.plan(e)
		return d.changes, err
	}); !done {
		return code
	}
	return d.report(e, o)
}

// inside reports whether a folder of the project is in it, symlinks resolved.
// One that is not there yet is: it will be made.
func inside(project, folder string) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		_, err = os.Lstat(folder)
		return errors.Is(err, fs.ErrNotExist)
	}
	if project, err = filepath.EvalSymlinks(project); err != nil {
		return false
	}
	rel, err := filepath.Rel(project, real)
	return err == nil && filepath.IsLocal(rel)
}

// check looks at the options.
func (o *initOptions) check(e *env, args []string) (*hookio.Host, int) {
	h, err := gate.NamedHost(o.host)
	if err != nil {
		return nil, e.unknownHost(err)
	}
	switch {
	case len(args) > 0:
		return nil, e.fail("the policy is written for the project around the working directory", "unexpected operand %q", hookio.Escape(args[0]))
	case o.profile != profile.Starter && o.profile != profile.Strict:
		return nil, e.fail("--profile starter or strict", "unknown profile %q", hookio.Escape(o.profile))
	case o.scope != rules.Shared.String() && o.scope != rules.Local.String():
		return nil, e.fail("--scope shared or local; permgate install writes your own files", "a project's policy has no scope %q", hookio.Escape(o.scope))
	}
	return h, exitOK
}

// found says what the policy is made for.
func (d *draft) found(e *env) {
	what := d.policy.Names()
	if what == "" {
		what = "nothing that is known here: only what every project needs"
	}
	fmt.Fprintf(e.out, "found: %s\n", what)
}

// plan works out the files that are not there yet. Tests are written only
// where they would pass: with the rules they are about.
func (d *draft) plan(e *env) error {
	d.changes, d.left, d.missing = nil, nil, nil
	add := func(name string, text []byte) error {
		if _, err := os.Lstat(name); err == nil {
			d.left = append(d.left, name)
			return nil
		}
		ch, err := loadText(name)
		if err == nil {
			ch.text = text
			ch.readable(rules.Shared.String())
			d.changes = append(d.changes, ch)
		}
		return err
	}
	if err := add(d.gate, d.policy.Gate()); err != nil { // what restricts comes first
		return err
	}
	own := len(d.left) > 0
	if _, err := os.Lstat(d.settings); err == nil {
		if err := d.compare(e); err != nil {
			return err
		}
	}
	plain := filepath.Base(filepath.Dir(d.settings)) == ".claude"
	if err := add(d.settings, d.policy.Settings(plain)); err != nil || len(d.missing) > 0 {
		return err
	}
	return add(d.tests, d.policy.Tests(!own))
}

// compare finds the rules that the settings file lacks.
func (d *draft) compare(e *env) error {
	_, doc, err := load(e, d.settings)
	if err != nil {
		return err
	}
	for _, r := range d.policy.Rules() {
		if !slices.Contains(doc.Rules(r.List.String()), r.Text) {
			d.missing = append(d.missing, r)
		}
	}
	return nil
}

// report says what was written and what was not, and runs the tests.
func (d *draft) report(e *env, o *initOptions) int {
	for _, ch := range d.changes {
		fmt.Fprintf(e.out, "wrote %s\n", e.path(ch.name))
	}
	for _, name := range d.left {
		fmt.Fprintf(e.out, "left as it is: %s\n", e.path(name))
	}
	if len(d.missing) > 0 {
		fmt.Fprintf(e.out, "no tests were written: they need rules that %s does not hold; to add them:\n", e.path(d.settings))
		for _, r := range d.missing {
			fmt.Fprintf(e.out, "  permgate rules add --scope %s %s %s\n", o.scope, r.List, quoteArg(r.Text))
		}
		return exitOK
	}
	if !slices.ContainsFunc(d.changes, func(ch *change) bool { return ch.name == d.tests }) {
		return exitOK
	}
	t := &testOptions{}
	t.Host = o.host
	if runTests(e, t, []string{d.tests}) == exitFindings {
		e.wrapped("note: ", "a test fails where other settings say something else; permgate explain shows which")
	}
	return exitOK
}
