package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/rules"
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
		Short: "write a first policy for this project, with tests",
		Long: `Looks for git, go.mod, package.json and its lock file, Python, Cargo.toml, a makefile
and containers in the project, and writes into its settings folder, for yourself:

  settings.local.json      rules: what runs without asking, what asks, what never runs
  permissions.local.test   a call and the expected answer on each line

With --scope shared it writes settings.json and permissions.test, for everyone on the
project; --profile strict adds permgate.json there.

Existing rules stay, and no rule they cover is added. Only common script and target
names are used (test, lint, build ...). Every test written passes here, with and
without --host of each agent program. Your own files are added to .git/info/exclude.

` + profilesText() + `
It changes what is asked about, so it needs a terminal to confirm on, or --yes.`,
		Examples: []Example{
			{"permgate init --dry-run", "the files as a diff"},
			{"permgate init --profile strict", "ask about network, installs and every wildcard"},
			{"permgate init --scope shared", "settings.json: for everyone on the project"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.profile, "profile", profile.Starter, "how much is allowed: starter, strict")
			fs.StringVar(&o.host, "host", "", "agent program whose settings folder is used, see permgate help hosts")
			fs.StringVar(&o.scope, "scope", rules.Local.String(),
				"local (settings.local.json, your own) or shared (settings.json)")
			o.writeOptions.register(fs)
		},
		Run: func(e *env, args []string) int { return initProject(e, &o, args) },
	}
}

func profilesText() string {
	text := ""
	for _, p := range profile.Profiles {
		text += wrap(fmt.Sprintf("  %-9s", p.Name), p.Doc, 84)
	}
	return text
}

func initProject(e *env, o *initOptions, args []string) int {
	h, code := o.check(e, args)
	if code != exitOK {
		return code
	}
	p := e.policy(h)
	project := p.Project.Given
	if project == p.Home.Given || project == filepath.Dir(project) {
		return e.fail("cd into a project, or create one with git init",
			"%s is not a project: a policy here would apply to everything in it", e.path(project))
	}
	name, err := e.settingsFile(p, h, o.scope)
	if err != nil {
		return e.fail("", "%v", err)
	}
	if folder := filepath.Dir(name); !inside(project, folder) {
		return e.fail("check where it leads (ls -l) and remove it, or run permgate there",
			"%s is a symlink that leads out of the project", e.path(folder))
	}
	d := &draft{policy: profile.For(os.DirFS(project), o.profile), project: project, settings: name, scope: o.scope}
	d.files()
	if !o.dryRun {
		d.found(e)
	}
	d.trim(p)
	d.try(e)
	if done, code := e.write(&o.writeOptions, func() ([]*change, error) {
		err := d.plan(e, p)
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
		return nil, e.fail("init writes the policy of the project in the working directory",
			"unexpected operand %q", hookio.Escape(args[0]))
	case o.profile != profile.Starter && o.profile != profile.Strict:
		return nil, e.fail("--profile starter or strict", "unknown profile %q", hookio.Escape(o.profile))
	case o.scope != rules.Shared.String() && o.scope != rules.Local.String():
		return nil, e.fail("--scope local or shared; permgate install writes settings for every project",
			"unknown scope %q for a project", hookio.Escape(o.scope))
	}
	return h, exitOK
}
