package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/hosts"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/trust"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type trustOptions struct {
	subcmd.WriteOptions
	list, diff, revoke, json bool
	folder, home, repo       string
}

func trustCommand() *subcmd.Command {
	var o trustOptions
	return &subcmd.Command{
		Name:     "trust",
		Args:     "[DIR]",
		Operands: "dir -",
		Short:    "trust what this project's files grant",
		Long: `With projectTrust "require", which install sets, files that came with a repository
grant nothing until you trust them: allow rules, additional directories and a
defaultMode in the project's settings.json, in a settings.local.json that git
tracks, in permgate.json, allow_tools and mode in its agent definitions, and
allowed-tools in its skills. Restrictions always apply.

Shows every such grant with its place, asks, and records each of them. After a
change only new grants are withheld; trusted grants stay trusted, in every work tree
of the same git repository. The records are in the state folder, by the path of the
repository, or outside git by the real paths of project and file: a project that was
moved has to be trusted again. Changes you make through permgate are recorded too.

A settings.local.json also needs a record if no git index shows that it is not part
of the repository: in a project without git, or if the index is missing.

--folder DIR records a folder of yours that HOME, XDG_STATE_HOME or
CLAUDE_CONFIG_DIR names and that is not in its usual place in the home directory of
your passwd entry: a project can set these variables for a hook, so such a folder can
only restrict until you say it is yours.

--repo DIR records a git repository of yours, by its top folder: git commands that
change it count as in the project's own while its configuration, hooks and attributes
stay as they are now. One that is an additional directory of your own settings needs no
record if it has no hooks.

--home DIR does the same for your home directory. Without a passwd entry, as in a
container started with some number, there is no place for the record: the hooks you
registered then name the folder themselves, with --home.

DIR is the project, if it is not the one found from here: a program started in a
subfolder of a repository uses that folder as its project.

It changes what is asked about, so it needs a terminal to confirm on, or --yes.

Exit code of --diff: 0 if no grant is new, 1 if one is or a trusted file is missing,
3 if that is unknown.`,
		Examples: []subcmd.Example{
			{"permgate trust", "show the project's grants and trust them"},
			{"permgate trust --diff", "what changed since, and new grants"},
			{"permgate trust --list", "the trusted files"},
			{"permgate trust --revoke", "stop trusting this project"},
			{"permgate trust --folder ~/.claude-work", "record your own CLAUDE_CONFIG_DIR"},
			{"permgate trust --repo ../lib", "work in another repository of yours"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.list, "list", false, "list files and whether they are trusted")
			fs.BoolVar(&o.diff, "diff", false, "show what changed since files with new grants were trusted")
			fs.BoolVar(&o.revoke, "revoke", false, "stop trusting this project, in all its work trees")
			fs.StringVar(&o.folder, "folder", "",
				"record a folder named by HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR; with --revoke: forget it")
			fs.StringVar(&o.repo, "repo", "", "record a git repository of yours as it is now; with --revoke: forget it")
			fs.StringVar(&o.home, "home", "",
				"record your home directory, or name it in your hooks if you have no passwd entry; with --revoke: undo that")
			fs.BoolVar(&o.json, "json", false, "list the files and their grants as JSON")
			fs.BoolVar(&o.DryRun, "dry-run", false, "show what would be trusted and record nothing")
			fs.BoolVar(&o.Yes, "yes", false, "do not ask on the terminal")
		},
		Run: func(e *subcmd.Env, args []string) int { return trustRun(e, &o, args) },
	}
}

func trustRun(e *subcmd.Env, o *trustOptions, args []string) int {
	if why := o.refused(args); why != "" {
		return e.Fail("permgate help trust", "%s", why)
	}
	if o.home != "" && e.World.PasswdHome == "" {
		return nameHome(e, o)
	} else if o.folder = cmp.Or(o.folder, o.home); o.folder+o.repo != "" {
		return trustPlace(e, o)
	}
	dir := ""
	if len(args) == 1 {
		if dir = e.Abs(args[0]); !subcmd.Exists(dir) {
			return e.Fail("permgate trust DIR takes the folder of the project", "%s does not exist", hookio.Escape(args[0]))
		}
	}
	return runTrust(e.GrantDiff(dir), e, o, dir)
}

func (o *trustOptions) refused(args []string) string {
	chosen := slices.DeleteFunc([]bool{o.listing(), o.diff, o.revoke}, func(on bool) bool { return !on })
	switch {
	case len(args) > 1:
		return fmt.Sprintf("expected at most one operand, the project's folder; got %d", len(args))
	case o.folder != "" && o.home+o.repo != "", o.home != "" && o.repo != "":
		return "--folder, --home and --repo exclude each other"
	case o.folder+o.home+o.repo != "" && (len(args) > 0 || o.listing() || o.diff):
		return "--folder, --home and --repo: each goes with --revoke, --dry-run and --yes only"
	case o.folder+o.home+o.repo == "" && len(chosen) > 1:
		return "--list (or --json), --diff and --revoke exclude each other"
	}
	return ""
}

func (o *trustOptions) listing() bool { return o.list || o.json }

// runTrust does what the options say. A list and a dry run of trusting need no record.
func runTrust(k *subcmd.GrantDiff, e *subcmd.Env, o *trustOptions, dir string) int {
	if o.listing() {
		printTrust(k, e, o.json)
	} else if o.DryRun && !o.diff && !o.revoke {
		return trustFiles(k, e, o, dir)
	}
	switch {
	case k.Err != nil:
		return e.Fail("the trust records do not count: fix the folder or move it away, then trust again", "%v", k.Err)
	case o.listing():
		return subcmd.ExitOK
	case o.diff:
		return printTrustDiffs(k, e)
	case o.revoke:
		return revokeTrust(k, e, o)
	}
	return trustFiles(k, e, o, dir)
}

func requiredLine(e *subcmd.Env, hosts []string, from []rules.Pos) string {
	if len(hosts) == 0 {
		return `projectTrust is "off": these files count without trust`
	}
	var each []string
	for i, name := range hosts {
		each = append(each, name+" ("+e.Place(from[i])+")")
	}
	if len(hosts) == len(hookio.Hosts()) && len(slices.Compact(slices.Clone(from))) == 1 {
		return `projectTrust is "require" (` + e.Place(from[0]) + ")"
	}
	return `projectTrust is "require" for ` + strings.Join(each, ", ")
}

// nameHome makes the registered hooks name the home directory of a user for whom nothing can be recorded.
func nameHome(e *subcmd.Env, o *trustOptions) int {
	dir := realFolder(e, o.home)
	if o.revoke {
		return hosts.NameHome(e, &o.WriteOptions, "")
	}
	if code := trustOwnFolder(e, dir); code != subcmd.ExitOK {
		return code
	}
	if in := hosts.BelowProject(e, dir); in != "" {
		return e.Fail("name a folder that no project can change", "%s is in the project %s", e.Path(dir), e.Path(in))
	}
	return hosts.NameHome(e, &o.WriteOptions, dir)
}

// realFolder is the path of a folder as records and settings have it.
func realFolder(e *subcmd.Env, name string) string {
	w := e.World
	return w.OS.Canon(load.Resolve(w.Files, w.OS.Canon(e.Abs(name))))
}

// trustPlace records a folder or a repository, or forgets it.
func trustPlace(e *subcmd.Env, o *trustOptions) int {
	dir, store, file := realFolder(e, cmp.Or(o.folder, o.repo)), gate.FoldersStore(e.World), trust.Folders
	if o.repo != "" {
		file = trust.Repositories
	}
	have, err := store.Lines(file)
	known := slices.ContainsFunc(have, isOf(dir))
	switch {
	case store.Dir == "":
		return e.Fail("permgate trust --home DIR names your home directory in the hooks you registered",
			"user %d has no passwd entry, so there is no home directory to keep records in", e.World.UID)
	case err != nil:
		return e.FailFile(err)
	case strings.ContainsAny(dir, "\n\r"):
		return e.Fail("rename it", "a folder with a line break in its name cannot be recorded")
	case o.revoke || known && o.repo == "": // it need not be there any more
	default:
		if code := trustOwnFolder(e, dir); code != subcmd.ExitOK {
			return code
		}
	}
	line, says, code := o.recorded(e, dir)
	switch {
	case code != subcmd.ExitOK:
		return code
	case o.revoke && !known || slices.Contains(have, line):
		fmt.Fprintf(e.Out, "nothing to do: %s is %s\n", e.Path(dir), map[bool]string{true: "not recorded", false: "already recorded"}[o.revoke])
		return subcmd.ExitOK
	}
	fmt.Fprintf(e.Out, "%s %s: %s\n", map[bool]string{true: "forget", false: "record"}[o.revoke], e.Path(dir), hookio.Escape(says))
	if o.DryRun {
		return subcmd.ExitOK
	}
	if code := o.Confirmed(e, "is this right?"); code != subcmd.ExitOK {
		return code
	}
	if err := recordPlace(e, file, dir, line); err != nil {
		return e.FailFile(err)
	}
	return subcmd.ExitOK
}

// recorded is the line that is kept of a place, "" to forget it, and what that does.
func (o *trustOptions) recorded(e *subcmd.Env, dir string) (line, says string, code int) {
	switch {
	case o.repo == "" && o.revoke:
		return "", "settings that HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR name there will only restrict", subcmd.ExitOK
	case o.repo == "":
		return dir, "its settings, session grants and trust records count when HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR names it", subcmd.ExitOK
	case o.revoke:
		return "", "git commands that change it are asked about", subcmd.ExitOK
	}
	stamp, runs, why := gate.Stamp(e.World, e.GrantDiff("").Policy.Home, dir)
	if why != "" {
		return "", "", e.Fail("permgate trust --repo DIR takes the top folder of a repository whose configuration runs nothing",
			"%s cannot be recorded: %s", e.Path(dir), hookio.Escape(why))
	}
	if says = "git commands that change it count as in the project's own"; runs != "" {
		says += "; " + runs + ", which git runs there"
	}
	return dir + "\t" + stamp, says, subcmd.ExitOK
}

// isOf recognises the line of a recorded place.
func isOf(dir string) func(line string) bool {
	return func(line string) bool { return line == dir || strings.HasPrefix(line, dir+"\t") }
}

func trustOwnFolder(e *subcmd.Env, dir string) int {
	info, err := os.Stat(e.World.OS.Native(dir))
	if err == nil {
		info, err = e.World.Files.Stat(dir)
	}
	if err != nil {
		return e.FailFile(err)
	}
	uid, known := e.World.Files.Owner(info)
	switch {
	case !info.IsDir():
		return e.Fail("name the folder", "%s is not a folder", e.Path(dir))
	case known && uid != e.World.UID:
		return e.Fail("name a folder you own", "%s does not belong to you", e.Path(dir))
	case e.World.Files.OthersWrite(info):
		return e.Fail(subcmd.NotOthers("go-w", dir), "others can write to %s", e.Path(dir))
	}
	return subcmd.ExitOK
}

// recordPlace puts a line in place of what a file has of a folder, or "" to forget it.
func recordPlace(e *subcmd.Env, file, dir, line string) error {
	store := gate.FoldersStore(e.World)
	if err := store.Prepare(); err != nil {
		return err
	}
	unlock, err := edit.Hold(store.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	have, err := store.Lines(file)
	if err != nil {
		return err
	}
	if have = slices.DeleteFunc(have, isOf(dir)); line != "" {
		have = append(have, line)
	}
	name := filepath.Join(store.Dir, file)
	old, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	text := strings.Join(append(have, ""), "\n") // a line end after each
	return edit.Replace(name, old, []byte(text), 0o600, "")
}

func showTrust(k *subcmd.GrantDiff, e *subcmd.Env, files []*subcmd.Entry) {
	found := trustDangers(e, files)
	for _, f := range files {
		what := "never trusted"
		if f.State() == subcmd.StateChanged {
			what = "new since it was trusted on " + f.Since() + "; permgate trust --diff shows what changed"
		}
		grants := f.News()
		fmt.Fprintf(e.Out, "%s (%s)\n", e.Path(f.Path), what)
		if f.File != f.Path && f.File != subcmd.RealName(k, f.Path) {
			fmt.Fprintf(e.Out, "  resolves to %s\n", e.Path(f.File))
		}
		var rows [][]string
		for _, g := range grants {
			rows = append(rows, []string{g.Kind, hookio.Escape(g.Text), e.Place(g.Pos)})
			for i := range found[g.Pos] {
				rows = append(rows, []string{"    ! " + hookio.Escape(e.Short(danger(&found[g.Pos][i])))})
			}
		}
		e.Table("  ", rows)
	}
}

// trustDangers are lint's findings that a reader of grants must know, of the shown texts, by place.
func trustDangers(e *subcmd.Env, files []*subcmd.Entry) map[rules.Pos][]lint.Finding {
	out := map[rules.Pos][]lint.Finding{}
	var names []string
	for _, f := range files {
		if f.Scope < rules.Agent {
			names = append(names, f.Path)
		}
	}
	for _, in := range lint.Only(e.World, gate.Flags{}, hookio.Lookup("generic"), names) {
		for _, f := range files {
			if in.File(f.Path) != nil {
				in = in.With(f.Path, string(f.Content))
			}
		}
		for _, f := range lint.Run(in) {
			if f.Exploit != "" || f.Check.Severity == lint.Error {
				out[f.Pos] = append(out[f.Pos], f)
			}
		}
	}
	return out
}

func danger(f *lint.Finding) string {
	text := f.Check.ID + ": " + f.Text
	if f.Exploit != "" {
		text += "; also allows: " + f.Exploit
	}
	return text
}

func printTrust(k *subcmd.GrantDiff, e *subcmd.Env, json bool) {
	hosts, from := e.Required()
	if json {
		printTrustJSON(k, e, hosts)
		return
	}
	fmt.Fprintln(e.Out, requiredLine(e, hosts, from))
	var rows [][]string
	for _, f := range k.Entries {
		note := ""
		switch f.State() {
		case subcmd.StateTrusted:
			note = "on " + f.Since()
		case subcmd.StateChanged:
			note = subcmd.Plural(len(f.News()), "new grant", "new grants") + " since " + f.Since()
		case subcmd.StateNotNeeded:
			if note = "grants nothing"; len(f.Grants) > 0 {
				note = "git does not track it"
			}
		case subcmd.StateFaulty:
			note = e.Fault(f.Fault)
		case subcmd.StateUntrusted:
			if note = subcmd.Plural(len(f.Grants), "grant", "grants"); f.Err != nil {
				note += "; " + f.Err.Error()
			}
		}
		rows = append(rows, []string{f.State(), e.Path(f.Path), "(" + hookio.Escape(e.Short(note)) + ")"})
	}
	for _, r := range k.Gone {
		rows = append(rows, []string{subcmd.StateGone, e.Path(k.At.Path(r.Key)), "(trusted on " + trust.Date(r.When) + ")"})
	}
	folders, err := gate.Folders(e.World)
	for _, dir := range folders {
		rows = append(rows, []string{subcmd.StateTrusted, e.Path(dir), "(a folder of yours, by --folder)"})
	}
	own, more := gate.Repositories(e.World)
	for _, root := range slices.Sorted(maps.Keys(own)) {
		state := subcmd.StateTrusted
		if now, _, _ := gate.Stamp(e.World, k.Policy.Home, root); now != own[root] {
			state = subcmd.StateChanged
		}
		rows = append(rows, []string{state, e.Path(root), "(a repository of yours, by --repo)"})
	}
	if err = cmp.Or(err, more); err != nil {
		rows = append(rows, []string{subcmd.StateFaulty, hookio.Escape(err.Error()), ""})
	}
	e.Table("", rows)
	if len(k.Entries)+len(k.Gone) == 0 {
		fmt.Fprintf(e.Out, "no settings, agent definitions or skills in %s\n", e.Path(k.Policy.Project.Given))
	}
}

func printTrustJSON(k *subcmd.GrantDiff, e *subcmd.Env, hosts []string) {
	var o subcmd.Object
	o.Add("project", k.Policy.OS.Native(k.Policy.Project.Given), "required_by", hosts)
	o.List("files", len(k.Entries)+len(k.Gone), func(i int, o *subcmd.Object) {
		if i >= len(k.Entries) {
			r := k.Gone[i-len(k.Entries)]
			o.Add("file", k.At.Path(r.Key), "state", subcmd.StateGone, "trusted", trust.Date(r.When))
			return
		}
		f := k.Entries[i]
		o.Add("file", f.Path, "scope", f.Scope, "state", f.State(), "trusted", subcmd.Opt(f.Since()))
		if f.Fault != nil {
			o.Add("fault", f.Fault.Pos.String()+": "+f.Fault.Msg)
		}
		if f.Err != nil {
			o.Add("record", f.Err.Error())
		}
		o.List("grants", len(f.Grants), func(i int, o *subcmd.Object) {
			g := &f.Grants[i]
			o.Add("kind", g.Kind, "text", g.Text, "line", g.Pos.Line, "col", g.Pos.Col, "host", subcmd.Opt(g.Host))
			if f.Needed {
				o.Add("trusted", f.Held == nil || !f.Held[i])
			}
		})
	})
	e.PrintObject(&o)
}

func printTrustDiff(e *subcmd.Env, f *subcmd.Entry) {
	last := f.Last()
	if last == nil || len(last.Content) == 0 {
		e.PrintDiff(diff.Diff("/dev/null", nil, e.Path(f.Path), f.Content))
	} else {
		e.PrintDiff(diff.Diff(e.Path(f.Path)+" (trusted on "+f.Since()+")", last.Content, e.Path(f.Path), f.Content))
	}
	if last == nil {
		return
	}
	for _, g := range f.News() {
		fmt.Fprintf(e.Out, "new: %s %s (%s)\n", g.Kind, hookio.Escape(g.Text), e.Place(g.Pos))
	}
}

// printTrustDiffs prints what is new since the files were trusted. A change that grants nothing more does not count.
func printTrustDiffs(k *subcmd.GrantDiff, e *subcmd.Env) int {
	code := subcmd.ExitOK
	var err error
	for _, f := range k.Entries {
		switch {
		case f.Err != nil:
			err = errors.Join(err, f.Err)
		case f.Held == nil && f.Fault == nil, !f.Needed:
		default:
			printTrustDiff(e, f)
			code = subcmd.ExitFindings
		}
	}
	for _, r := range k.Gone {
		e.PrintDiff(diff.Diff(e.Path(k.At.Path(r.Key))+" (trusted on "+trust.Date(r.When)+")", r.Content, "/dev/null", nil))
		code = subcmd.ExitFindings
	}
	if err != nil {
		return e.FailFile(err)
	}
	return code
}

func trustFiles(k *subcmd.GrantDiff, e *subcmd.Env, o *trustOptions, dir string) int {
	var todo []*subcmd.Entry
	faulty := 0
	for _, f := range k.Entries {
		switch f.State() {
		case subcmd.StateFaulty:
			fmt.Fprintf(e.Err, "%s: not trusted: %s\n", e.Cmd, e.Fault(f.Fault))
			faulty++
		case subcmd.StateUntrusted, subcmd.StateChanged:
			todo = append(todo, f)
		}
	}
	code := subcmd.ExitOK
	if faulty > 0 {
		code = e.Fail("fix it first: until then it grants nothing", "%s has an error", subcmd.Plural(faulty, "file", "files"))
	}
	if len(todo) == 0 {
		if faulty == 0 {
			fmt.Fprintln(e.Out, hookio.Escape(nothingToTrust(k, e)))
		}
		return code
	}
	showTrust(k, e, todo)
	if o.DryRun {
		return code
	}
	if code := o.Confirmed(e, "trust this?"); code != subcmd.ExitOK {
		return code
	}
	if failed := recordTrust(k, e, todo, dir); failed != subcmd.ExitOK {
		return failed
	}
	for _, f := range todo {
		fmt.Fprintf(e.Out, "trusted %s\n", e.Path(f.Path))
	}
	if hosts, _ := e.Required(); len(hosts) == 0 {
		fmt.Fprintln(e.Out, `projectTrust is "off" here, so these files count anyway; the record matters once your permgate.json says "require"`)
	}
	return code
}

func nothingToTrust(k *subcmd.GrantDiff, e *subcmd.Env) string {
	trusted := func(f *subcmd.Entry) bool { return f.State() == subcmd.StateTrusted }
	if slices.ContainsFunc(k.Entries, trusted) {
		return "nothing to do: every file in " + e.Path(k.Policy.Project.Given) + " that grants something is trusted"
	}
	return "nothing to trust: no file in " + e.Path(k.Policy.Project.Given) + " grants anything that needs trust"
}

// recordTrust writes down what was shown, if that is still what the files hold.
func recordTrust(k *subcmd.GrantDiff, e *subcmd.Env, files []*subcmd.Entry, dir string) int {
	unlock, err := k.Lock()
	if err != nil {
		return e.FailFile(err)
	}
	defer unlock()
	now := e.GrantDiff(dir)
	for _, f := range files {
		if !now.Holds(f) {
			return e.Fail("run the command again", "%s changed meanwhile; nothing was recorded", e.Path(f.Path))
		}
	}
	for _, f := range files {
		now = e.GrantDiff(dir) // a local file of the main checkout has the record of the work tree's own
		if err := now.Put(e, now.Find(f.Path), now.All(f), f.Content); err != nil {
			return e.FailFile(err)
		}
	}
	return subcmd.ExitOK
}

func revokeTrust(k *subcmd.GrantDiff, e *subcmd.Env, o *trustOptions) int {
	for _, f := range k.Entries {
		if errors.Is(f.Err, trust.ErrNewer) {
			return e.FailFile(f.Err)
		}
	}
	have := k.Recorded()
	if len(have) == 0 {
		fmt.Fprintf(e.Out, "nothing to forget: no file in %s was trusted\n", e.Path(k.Policy.Project.Given))
		return subcmd.ExitOK
	}
	for _, r := range have {
		fmt.Fprintf(e.Out, "%s %s\n", map[bool]string{true: "would forget", false: "forget"}[o.DryRun],
			e.Path(k.At.Path(r.Key)))
	}
	if o.DryRun {
		return subcmd.ExitOK
	}
	if code := o.Confirmed(e, "stop trusting this?"); code != subcmd.ExitOK {
		return code
	}
	unlock, err := k.Lock()
	if err != nil {
		return e.FailFile(err)
	}
	defer unlock()
	for _, r := range have {
		if err := os.Remove(r.Name); err != nil && !os.IsNotExist(err) {
			return e.FailFile(err)
		}
	}
	fmt.Fprintf(e.Out, "%s in %s no longer trusted\n", subcmd.Plural(len(have), "file", "files"), e.Path(k.Policy.Project.Given))
	return subcmd.ExitOK
}
