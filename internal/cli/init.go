package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/cli/verify"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/trust"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type initOptions struct {
	subcmd.WriteOptions
	host, profile, scope string
}

func initCommand() *subcmd.Command {
	var o initOptions
	return &subcmd.Command{
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
		Examples: []subcmd.Example{
			{"permgate init --dry-run", "the files as a diff"},
			{"permgate init --profile strict", "ask about network, installs and every wildcard"},
			{"permgate init --scope shared", "settings.json: for everyone on the project"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.profile, "profile", profile.Starter, "how much is allowed: starter, strict")
			fs.StringVar(&o.host, "host", "", "agent program whose settings folder is used, see permgate help hosts")
			fs.StringVar(&o.scope, "scope", rules.Local.String(),
				"local (settings.local.json, your own) or shared (settings.json)")
			o.WriteOptions.Register(fs)
		},
		Run: func(e *subcmd.Env, args []string) int { return initProject(e, &o, args) },
	}
}

func profilesText() string {
	text := ""
	for _, p := range profile.Profiles {
		text += subcmd.Wrap(fmt.Sprintf("  %-9s", p.Name), p.Doc, 84)
	}
	return text
}

func initProject(e *subcmd.Env, o *initOptions, args []string) int {
	h, code := o.check(e, args)
	if code != subcmd.ExitOK {
		return code
	}
	p := e.Policy(h)
	project := p.OS.Native(p.Project.Given)
	if project == p.OS.Native(p.Home.Given) || project == filepath.Dir(project) {
		return e.Fail("cd into a project, or create one with git init",
			"%s is not a project: a policy here would apply to everything in it", e.Path(project))
	}
	name, err := e.SettingsFile(p, h, o.scope)
	if err != nil {
		return e.Fail("", "%v", err)
	}
	if folder := filepath.Dir(name); !inside(project, folder) {
		return e.Fail("check where it leads (ls -l) and remove it, or run permgate there",
			"%s is a symlink that leads out of the project", e.Path(folder))
	}
	d := &draft{policy: profile.For(os.DirFS(project), o.profile), project: project, settings: name, scope: o.scope}
	d.files()
	if !o.DryRun {
		d.found(e)
	}
	d.trim(p)
	d.try(e)
	if done, code := e.Write(&o.WriteOptions, func() ([]*subcmd.Change, error) {
		err := d.plan(e, p)
		return d.changes, err
	}); !done {
		return code
	}
	return d.report(e, o)
}

// inside reports whether a folder of the project, which may not exist yet, is in it with symlinks resolved.
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

func (o *initOptions) check(e *subcmd.Env, args []string) (*hookio.Host, int) {
	h, err := gate.NamedHost(o.host)
	if err != nil {
		return nil, e.UnknownHost(err)
	}
	switch {
	case len(args) > 0:
		return nil, e.Fail("init writes the policy of the project in the working directory",
			"unexpected operand %q", hookio.Escape(args[0]))
	case o.profile != profile.Starter && o.profile != profile.Strict:
		return nil, e.Fail("--profile starter or strict", "unknown profile %q", hookio.Escape(o.profile))
	case o.scope != rules.Shared.String() && o.scope != rules.Local.String():
		return nil, e.Fail("--scope local or shared; permgate install writes settings for every project",
			"unknown scope %q for a project", hookio.Escape(o.scope))
	}
	return h, subcmd.ExitOK
}

// A draft is what init writes, and what of it is there already.
type draft struct {
	policy                *profile.Policy
	project, scope        string
	settings, gate, tests string         // the names of the files; no gate where the profile or scope has none
	missed                []missed       // tests that would fail
	left                  []string       // files that are there
	added                 []profile.Rule // to a settings file that is there
	changes               []*subcmd.Change
}

func (d *draft) files() {
	folder := filepath.Dir(d.settings)
	d.tests = filepath.Join(folder, policytest.LocalFileName)
	if d.scope == rules.Shared.String() {
		d.tests = filepath.Join(folder, policytest.FileName)
		if d.policy.Gate() != nil {
			d.gate = filepath.Join(folder, "permgate.json")
		}
	}
}

func (d *draft) found(e *subcmd.Env) {
	what := d.policy.Names()
	if what == "" {
		what = "no known tools: only the rules every project needs"
	}
	fmt.Fprintf(e.Out, "found: %s\n", what)
}

func (d *draft) plan(e *subcmd.Env, p *rules.Policy) error {
	d.changes, d.left, d.added = nil, nil, nil
	own := false
	if d.gate != "" { // what restricts comes first
		if err := d.add(d.gate, d.policy.Gate()); err != nil {
			return err
		}
		own = len(d.left) == 0
	}
	if err := d.planRules(e, p); err != nil {
		return err
	}
	if err := d.planTests(e, own); err != nil {
		return err
	}
	if d.scope != rules.Local.String() {
		return nil
	}
	ch, err := exclude(e, d.project, filepath.Base(filepath.Dir(d.settings)))
	if ch != nil {
		d.changes = append(d.changes, ch)
	}
	return err
}

// planTests plans a new file of tests, or adds those of the added rules.
func (d *draft) planTests(e *subcmd.Env, own bool) error {
	if len(d.added) == 0 || !subcmd.Exists(d.tests) {
		return d.add(d.tests, d.policy.Tests(own))
	}
	ch, err := subcmd.LoadText(d.tests)
	if err != nil {
		return err
	}
	text := string(ch.Old)
	for _, g := range d.policy.Groups {
		if !slices.ContainsFunc(d.added, g.Has) {
			continue
		}
		f := policytest.Parse("", "@mode default\n"+strings.Join(g.Tests, "\n"))
		for i := range f.Tests {
			if text, _, _, err = policytest.Append(e.Path(d.tests), text, &f.Tests[i]); err != nil {
				return err
			}
		}
	}
	ch.Text = []byte(text)
	d.changes = append(d.changes, ch)
	return nil
}

// add plans a file that is written only if it does not exist.
func (d *draft) add(name string, text []byte) error {
	if _, err := os.Lstat(name); err == nil {
		d.left = append(d.left, name)
		return nil
	}
	ch, err := subcmd.LoadText(name)
	if err == nil {
		ch.Text = text
		ch.Readable(d.scope)
		d.changes = append(d.changes, ch)
	}
	return err
}

// planRules plans a new settings file with comments, or adds the rules.
func (d *draft) planRules(e *subcmd.Env, p *rules.Policy) error {
	ch, doc, err := e.OpenSettings(p, d.scope, d.settings)
	if err != nil {
		return err
	}
	if len(ch.Old) == 0 {
		ch.Text = d.policy.Settings(filepath.Base(filepath.Dir(d.settings)) == ".claude")
		ch.Readable(d.scope)
		d.changes = append(d.changes, ch)
		return nil
	}
	for _, r := range d.policy.Rules() {
		added, err := doc.AddRule(r.List.String(), r.Text)
		if err != nil {
			return err
		}
		if added {
			d.added = append(d.added, r)
		}
	}
	if d.policy.Profile == profile.Strict {
		if err := lockBypass(doc); err != nil {
			return err
		}
	}
	if ch.Text = doc.Bytes(); ch.Changed() {
		d.changes = append(d.changes, ch)
	} else {
		d.left = append(d.left, d.settings)
	}
	return nil
}

// lockBypass sets the lock of the strict profile, unless a value is there.
func lockBypass(doc *edit.Doc) error {
	section, err := doc.Object("permissions")
	if err != nil || edit.Member(section, "disableBypassPermissionsMode") != nil {
		return err
	}
	return doc.AddMember(section, "disableBypassPermissionsMode", edit.Quote("disable"))
}

func (d *draft) report(e *subcmd.Env, o *initOptions) int {
	tests := false
	for _, ch := range subcmd.Changed(d.changes) {
		tests = tests || ch.Name == d.tests
		if len(ch.Old) > 0 && ch.Name == d.settings {
			fmt.Fprintf(e.Out, "added %s to %s%s\n", subcmd.Plural(len(d.added), "rule", "rules"), e.Path(ch.Name), ch.Kept(e))
			continue
		}
		fmt.Fprintf(e.Out, "wrote %s%s\n", e.Path(ch.Name), ch.Kept(e))
	}
	for _, name := range d.left {
		fmt.Fprintf(e.Out, "left as it is: %s\n", e.Path(name))
	}
	if !tests {
		return subcmd.ExitOK
	}
	d.sayMissed(e)
	t := &verify.TestOptions{}
	t.Host = o.host
	if verify.RunTests(e, t, []string{d.tests}) == subcmd.ExitFindings {
		e.Wrapped("note: ", "a test fails if other settings decide differently; permgate explain shows which")
	}
	return subcmd.ExitOK
}

// exclude plans the line that keeps a person's own files out of the repository: a settings.local.json that git
// tracks may have come with a clone, so it grants nothing until it is trusted. nil where git ignores the files
// already, or no repository is the user's own.
func exclude(e *subcmd.Env, project, root string) (*subcmd.Change, error) {
	at := trust.Locate(e.World.Files, e.World.OS, e.World.UID, project)
	if at.Repo == "" {
		return nil, nil
	}
	folder := path.Join(at.Folder, root)
	name := filepath.Join(e.World.OS.Native(at.Repo), "info", "exclude")
	if !inside(e.World.OS.Native(at.Repo), filepath.Dir(name)) {
		return nil, nil
	}
	for _, file := range [...]string{name, filepath.Join(e.World.OS.Native(at.Top), ".gitignore")} {
		if slices.ContainsFunc(strings.Split(string(readSmall(file)), "\n"), func(have string) bool {
			return ignores(have, folder)
		}) {
			return nil, nil
		}
	}
	ch, err := subcmd.LoadText(name)
	if err != nil {
		return nil, err
	}
	text := string(ch.Old)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	ch.Text = []byte(text + "/" + folder + "/*.local.*\n")
	ch.Readable("local")
	return ch, nil
}

// ignores reports whether a line of a .gitignore names the local files of a settings folder. An unknown form
// only adds a line.
func ignores(line, folder string) bool {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "/"), "/")
	switch strings.TrimPrefix(line, "**/") {
	case path.Base(folder), "*.local.*":
		return true
	}
	return line == folder || line == folder+"/*" || line == folder+"/**" || line == folder+"/*.local.*"
}

func readSmall(name string) []byte {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil
	}
	text, _ := os.ReadFile(name) // nothing is known then
	return text
}

// proposed is the file that rules of a draft are said to be in.
const proposed = "permgate init"

// rules are the draft's, as its settings file would have them.
func (d *draft) rules() []rules.Rule {
	scope := rules.Local
	if d.scope == rules.Shared.String() {
		scope = rules.Shared
	}
	claude := filepath.Base(filepath.Dir(d.settings)) == ".claude"
	var out []rules.Rule
	for i, r := range d.policy.Rules() {
		if rule, err := rules.ParseRule(r.Text, r.List, scope, rules.Pos{File: proposed, Line: i + 1}, claude); err == nil {
			out = append(out, rule)
		}
	}
	return out
}

// trim drops rules without effect: a rule in force covers them or decides before them.
func (d *draft) trim(p *rules.Policy) {
	idle := map[profile.Rule]bool{}
	for _, s := range algebra.Shadows(p.With(d.rules()...)) {
		own := slices.ContainsFunc(s.With, func(r *rules.Rule) bool { return r.Pos.File == proposed })
		if s.By != nil && s.Rule.Pos.File == proposed && s.By.Pos.File != proposed && !own {
			idle[profile.Rule{List: s.Rule.List, Text: s.Rule.Text}] = true
		}
	}
	d.policy.Keep(func(r profile.Rule) bool { return !idle[r] }, nil)
}

// missed is the call of a test that would fail, and what it leads to.
type missed struct{ call, why string }

// try runs the draft's tests without a host and under each one as installed. A test that other settings or the
// project's scripts decide otherwise is dropped.
func (d *draft) try(e *subcmd.Env) {
	lines := strings.Split(string(d.policy.Tests(false)), "\n")
	f := policytest.Parse(d.tests, strings.Join(lines, "\n"))
	failed, done, progress := map[string]bool{}, 0, e.Waiting()
	defer progress.Clear()
	for _, h := range append([]*hookio.Host{nil}, registeredFirst(e)...) {
		r := policytest.Runner{World: e.World, Dir: d.project, Extra: d.rules()}
		with := ""
		if h != nil {
			r.World.Files = installed(e, h)
			r.Flags.Host, with = h.Name, " with --host "+h.Name
		}
		for i := range f.Tests {
			t := &f.Tests[i]
			line := lines[t.Pos.Line-1]
			if failed[line] {
				continue
			}
			progress.Show(done, time.Now())
			done++
			res, err := r.Run(t)
			if err == nil && res.Wrong == "" {
				continue
			}
			failed[line] = true
			why := fmt.Sprint(err)
			if err == nil {
				why = "(" + res.Got() + with + "): " + e.Short(res.Verdict.Reason())
			}
			d.missed = append(d.missed, missed{t.Argument, why})
		}
	}
	d.policy.Keep(nil, func(line string) bool { return !failed[line] })
}

func (d *draft) sayMissed(e *subcmd.Env) {
	const most = 3
	for i, m := range d.missed {
		if i == most {
			fmt.Fprintf(e.Out, "and %s\n", subcmd.Plural(len(d.missed)-most, "more", "more"))
			return
		}
		e.Wrapped("no test for ", m.call+" "+m.why)
	}
}

// registeredFirst are all hosts, first those permgate is installed for: a reason should name them.
func registeredFirst(e *subcmd.Env) []*hookio.Host {
	var first, rest []*hookio.Host
	for _, h := range hookio.Hosts() {
		if name, err := e.PostureFile(h, hookio.ForUser); err == nil {
			doc, err := edit.Parse(name, e.ReadText(name))
			if err == nil && edit.Member(&doc.Root, "hosts", h.Name) != nil {
				first = append(first, h)
				continue
			}
		}
		rest = append(rest, h)
	}
	return append(first, rest...)
}

// installed are the files after permgate install for a host, with no removal harmless: that depends on the day's files.
func installed(e *subcmd.Env, h *hookio.Host) load.Files {
	if h.Register == nil { // by hand only
		return e.World.Files
	}
	name, err := e.PostureFile(h, hookio.ForUser)
	if err != nil {
		return e.World.Files
	}
	_, doc, err := subcmd.ReadForChange(e, name)
	if err != nil {
		return e.World.Files
	}
	if _, err := agents.Recommend(h, doc, true); err != nil {
		return e.World.Files
	}
	section, err := doc.Object("hosts", h.Name)
	if err != nil || doc.SetMember(section, "destructive", edit.Quote("strict")) != nil {
		return e.World.Files
	}
	return &subcmd.Preview{Files: e.World.Files, Name: e.World.OS.Canon(name), Text: doc.Bytes()}
}
