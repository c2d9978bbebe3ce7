package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/trust"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// trustOptions are the options of permgate trust.
type trustOptions struct {
	writeOptions
	list, diff, revoke, json bool
	folder                   string
}

func trustCommand() *Command {
	var o trustOptions
	return &Command{
		Name:     "trust",
		Args:     "[DIR]",
		Operands: "dir -",
		Short:    "trust what this project's files grant",
		Long: `With projectTrust "require", which install sets, files that came with a repository
grant nothing until you trust them: allow rules, additional directories and a
defaultMode in the project's settings.json, in a settings.local.json that git
tracks, in permgate.json, and allow_tools and mode in its agent definitions.
Restrictions always apply.

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

DIR is the project, if it is not the one found from here: a program started in a
subfolder of a repository uses that folder as its project.

It changes what is asked about, so it needs a terminal to confirm on, or --yes.

Exit code of --diff: 0 if no grant is new, 1 if one is or a trusted file is missing,
3 if that is unknown.`,
		Examples: []Example{
			{"permgate trust", "show the project's grants and trust them"},
			{"permgate trust --diff", "what changed since, and new grants"},
			{"permgate trust --list", "the trusted files"},
			{"permgate trust --revoke", "stop trusting this project"},
			{"permgate trust --folder ~/.claude-work", "record your own CLAUDE_CONFIG_DIR"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.list, "list", false, "list files and whether they are trusted")
			fs.BoolVar(&o.diff, "diff", false, "show what changed since files with new grants were trusted")
			fs.BoolVar(&o.revoke, "revoke", false, "stop trusting this project, in all its work trees")
			fs.StringVar(&o.folder, "folder", "",
				"record a folder named by HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR; with --revoke: forget it")
			fs.BoolVar(&o.json, "json", false, "list the files and their grants as JSON")
			fs.BoolVar(&o.dryRun, "dry-run", false, "show what would be trusted and record nothing")
			fs.BoolVar(&o.yes, "yes", false, "do not ask on the terminal")
		},
		Run: func(e *env, args []string) int { return trustRun(e, &o, args) },
	}
}

func trustRun(e *env, o *trustOptions, args []string) int {
	if why := o.refused(args); why != "" {
		return e.fail("permgate help trust", "%s", why)
	}
	if o.folder != "" {
		return trustFolder(e, o)
	}
	dir := ""
	if len(args) == 1 {
		if dir = e.abs(args[0]); !exists(dir) {
			return e.fail("permgate trust DIR takes the folder of the project", "%s does not exist", hookio.Escape(args[0]))
		}
	}
	return e.grantDiff(dir).run(e, o, dir)
}

// refused says which options exclude each other, "" when they fit.
func (o *trustOptions) refused(args []string) string {
	modes := 0
	for _, on := range [...]bool{o.listing(), o.diff, o.revoke} {
		if on {
			modes++
		}
	}
	switch {
	case len(args) > 1:
		return fmt.Sprintf("expected at most one operand, the project's folder; got %d", len(args))
	case o.folder != "" && (len(args) > 0 || o.listing() || o.diff):
		return "--folder goes with --revoke, --dry-run and --yes only"
	case o.folder == "" && modes > 1:
		return "--list (or --json), --diff and --revoke exclude each other"
	}
	return ""
}

func (o *trustOptions) listing() bool { return o.list || o.json }

// run does what the options say. A list and a dry run of trusting need no record.
func (k *grantDiff) run(e *env, o *trustOptions, dir string) int {
	if o.listing() {
		k.print(e, o.json)
	} else if o.dryRun && !o.diff && !o.revoke {
		return k.trust(e, o, dir)
	}
	switch {
	case k.err != nil:
		return e.fail("the trust records do not count: fix the folder or move it away, then trust again", "%v", k.err)
	case o.listing():
		return exitOK
	case o.diff:
		return k.diff(e)
	case o.revoke:
		return k.revoke(e, o)
	}
	return k.trust(e, o, dir)
}

// requiredLine says the same in one sentence.
func (e *env) requiredLine(hosts []string, from []rules.Pos) string {
	if len(hosts) == 0 {
		return `projectTrust is "off": these files count without trust`
	}
	one := len(hosts) == len(hookio.Hosts())
	var each []string
	for i, name := range hosts {
		one = one && from[i] == from[0]
		each = append(each, name+" ("+e.place(from[i])+")")
	}
	if one {
		return `projectTrust is "require" (` + e.place(from[0]) + ")"
	}
	return `projectTrust is "require" for ` + strings.Join(each, ", ")
}

// trustFolder records a folder that an environment variable names, or forgets it.
func trustFolder(e *env, o *trustOptions) int {
	w := e.world
	dir := w.OS.Canon(load.Resolve(w.Files, w.OS.Canon(e.abs(o.folder))))
	store := gate.FoldersStore(w)
	have, err := store.Folders()
	switch {
	case store.Dir == "":
		return e.fail("name the home directory with --home", "the passwd entry has no home directory to keep records in")
	case err != nil:
		return e.failFile(err)
	case strings.ContainsAny(dir, "\n\r"):
		return e.fail("rename it", "a folder with a line break in its name cannot be recorded")
	case slices.Contains(have, dir) != o.revoke:
		fmt.Fprintf(e.out, "nothing to do: %s is %s\n", e.path(dir),
			map[bool]string{true: "not recorded", false: "already recorded"}[o.revoke])
		return exitOK
	case !o.revoke:
		if code := e.ownFolder(dir); code != exitOK {
			return code
		}
	}
	if o.revoke {
		fmt.Fprintf(e.out, "forget %s: settings that HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR name there will only restrict\n", e.path(dir))
	} else {
		fmt.Fprintf(e.out, "record %s: its settings, session grants and trust records count when HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR names it\n", e.path(dir))
	}
	if o.dryRun {
		return exitOK
	}
	if code := o.confirmed(e, "is this right?"); code != exitOK {
		return code
	}
	if err := recordFolder(e, dir, o.revoke); err != nil {
		return e.failFile(err)
	}
	return exitOK
}

// ownFolder refuses a folder that would not count anyway.
func (e *env) ownFolder(dir string) int {
	info, err := os.Stat(dir)
	if err != nil {
		return e.failFile(err)
	}
	uid, known := e.world.Files.Owner(info)
	switch {
	case !info.IsDir():
		return e.fail("name the folder", "%s is not a folder", e.path(dir))
	case known && uid != e.world.UID:
		return e.fail("name a folder you own", "%s does not belong to you", e.path(dir))
	case e.world.Files.OthersWrite(info):
		return e.fail("chmod go-w "+quoteArg(dir), "others can write to %s", e.path(dir))
	}
	return exitOK
}

// recordFolder writes the list with a folder added or taken out.
func recordFolder(e *env, dir string, revoke bool) error {
	store := gate.FoldersStore(e.world)
	if err := store.Prepare(); err != nil {
		return err
	}
	unlock, err := edit.Hold(store.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	have, err := store.Folders()
	if err != nil {
		return err
	}
	have = slices.DeleteFunc(have, func(name string) bool { return name == dir })
	if !revoke {
		have = append(have, dir)
	}
	old, err := os.ReadFile(store.FoldersFile())
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	text := ""
	for _, name := range have {
		text += name + "\n"
	}
	return edit.Replace(store.FoldersFile(), old, []byte(text), 0o600, "")
}

// show prints what the files grant, and what lint finds wrong with a grant.
func (k *grantDiff) show(e *env, files []*entry) {
	found := k.dangers(e, files)
	for _, f := range files {
		what := "never trusted"
		if f.state() == stateChanged {
			what = "new since it was trusted on " + f.since() + "; permgate trust --diff shows what changed"
		}
		grants := f.news()
		fmt.Fprintf(e.out, "%s (%s)\n", e.path(f.Path), what)
		if f.file != f.Path && f.file != realName(k, f.Path) {
			fmt.Fprintf(e.out, "  resolves to %s\n", e.path(f.file))
		}
		kind, text := 0, 0
		for _, g := range grants {
			kind, text = max(kind, len(g.Kind)), max(text, min(utf8.RuneCountInString(hookio.Escape(g.Text)), 60))
		}
		for _, g := range grants {
			fmt.Fprintf(e.out, "  %-*s  %-*s  %s\n", kind, g.Kind, text, hookio.Escape(g.Text), e.place(g.Pos))
			for i := range found[g.Pos] {
				e.wrapped("      ! ", hookio.Escape(e.short(danger(&found[g.Pos][i]))))
			}
		}
	}
}

// dangers are the findings of lint that a reader of grants must know, of the
// very texts that are shown, by their place.
func (k *grantDiff) dangers(e *env, files []*entry) map[rules.Pos][]lint.Finding {
	out := map[rules.Pos][]lint.Finding{}
	var names []string
	for _, f := range files {
		if f.Scope != rules.Agent {
			names = append(names, f.Path)
		}
	}
	for _, in := range lint.Only(e.world, gate.Flags{}, hookio.Lookup("generic"), names) {
		for _, f := range files {
			if f.Scope != rules.Agent && in.File(f.Path) != nil {
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

// danger is a finding on one line.
func danger(f *lint.Finding) string {
	text := f.Check.ID + ": " + f.Text
	if f.Exploit != "" {
		text += "; also allows: " + f.Exploit
	}
	return text
}

// print lists the files and whether they are trusted.
func (k *grantDiff) print(e *env, json bool) {
	hosts, from := e.required()
	if json {
		k.printJSON(e, hosts)
		return
	}
	fmt.Fprintln(e.out, e.requiredLine(hosts, from))
	for _, f := range k.entries {
		note := ""
		switch f.state() {
		case stateTrusted:
			note = "on " + f.since()
		case stateChanged:
			note = plural(len(f.news()), "new grant", "new grants") + " since " + f.since()
		case stateNotNeeded:
			if note = "grants nothing"; len(f.Grants) > 0 {
				note = "git does not track it"
			}
		case stateFaulty:
			note = e.fault(f.Fault)
		case stateUntrusted:
			if note = plural(len(f.Grants), "grant", "grants"); f.err != nil {
				note += "; " + f.err.Error()
			}
		}
		fmt.Fprintf(e.out, "%-10s  %s   (%s)\n", f.state(), e.path(f.Path), hookio.Escape(e.short(note)))
	}
	for _, r := range k.gone {
		fmt.Fprintf(e.out, "%-10s  %s   (trusted on %s)\n", stateGone, e.path(k.at.Path(r.Key)), trust.Date(r.When))
	}
	folders, err := gate.Folders(e.world)
	for _, dir := range folders {
		fmt.Fprintf(e.out, "%-10s  %s   (a folder of yours, by --folder)\n", stateTrusted, e.path(dir))
	}
	if err != nil {
		fmt.Fprintf(e.out, "%-10s  %s\n", stateFaulty, hookio.Escape(err.Error()))
	}
	if len(k.entries)+len(k.gone) == 0 {
		fmt.Fprintf(e.out, "no settings or agent definitions in %s\n", e.path(k.policy.Project.Given))
	}
}

// printJSON prints the list as one JSON object.
func (k *grantDiff) printJSON(e *env, hosts []string) {
	var o object
	o.add("project", k.policy.Project.Given, "required_by", hosts)
	o.list("files", len(k.entries)+len(k.gone), func(i int, o *object) {
		if i >= len(k.entries) {
			r := k.gone[i-len(k.entries)]
			o.add("file", k.at.Path(r.Key), "state", stateGone, "trusted", trust.Date(r.When))
			return
		}
		f := k.entries[i]
		o.add("file", f.Path, "scope", f.Scope, "state", f.state(), "trusted", opt(f.since()))
		if f.Fault != nil {
			o.str("fault", f.Fault.Pos.String()+": "+f.Fault.Msg)
		}
		if f.err != nil {
			o.str("record", f.err.Error())
		}
		o.list("grants", len(f.Grants), func(i int, o *object) {
			g := &f.Grants[i]
			o.add("kind", g.Kind, "text", g.Text, "line", g.Pos.Line, "col", g.Pos.Col, "host", opt(g.Host))
			if f.Needed {
				o.boolean("trusted", f.held == nil || !f.held[i])
			}
		})
	})
	e.machine().Write(append(o.end(), '\n'))
}

// diffOf prints what changed in one file, and which grants are new by it.
func (k *grantDiff) diffOf(e *env, f *entry) {
	last := f.last()
	if last == nil || len(last.Content) == 0 {
		e.printDiff(diff.Diff("/dev/null", nil, e.path(f.Path), f.Content))
	} else {
		e.printDiff(diff.Diff(e.path(f.Path)+" (trusted on "+f.since()+")", last.Content, e.path(f.Path), f.Content))
	}
	if last != nil {
		for _, g := range f.news() {
			fmt.Fprintf(e.out, "new: %s %s (%s)\n", g.Kind, hookio.Escape(g.Text), e.place(g.Pos))
		}
	}
}

// diff prints what is new since the files were trusted. A change by which
// nothing more is granted does not count.
func (k *grantDiff) diff(e *env) int {
	code := exitOK
	var err error
	for _, f := range k.entries {
		switch {
		case f.err != nil:
			err = errors.Join(err, f.err)
		case f.held == nil && f.Fault == nil, !f.Needed:
		default:
			k.diffOf(e, f)
			code = exitFindings
		}
	}
	for _, r := range k.gone {
		e.printDiff(diff.Diff(e.path(k.at.Path(r.Key))+" (trusted on "+trust.Date(r.When)+")", r.Content, "/dev/null", nil))
		code = exitFindings
	}
	if err != nil {
		return e.failFile(err)
	}
	return code
}
