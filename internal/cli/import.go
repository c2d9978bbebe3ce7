package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type importOptions struct {
	subcmd.WriteOptions
	from, scope, host string
	check, json       bool

	// worked out from the operands
	system         *importer.System
	h              *hookio.Host
	p              *rules.Policy
	in             importer.Options
	settings, gate string // the files that are written
	files          []importer.File
	items          []importer.Item
	kept           []importer.Kept
	unread         []string // what the system reads and this does not
}

func importCommand() *subcmd.Command {
	var o importOptions
	systems := ""
	for _, s := range importer.Systems() {
		systems += subcmd.Wrap(fmt.Sprintf("  %-11s", s.Name), s.Title+": "+s.Doc, 66)
	}
	return &subcmd.Command{
		Name:  "import",
		Args:  "[FILE...]",
		Short: "take over a policy of another permission system",
		Long: `Reads the policy of another system and adds it to your settings.json and permgate.json:

` + systems + `
Without FILE the system's own files of the scope are read. Nothing is ever loosened:
each part is reported as exact, narrowed (with how), refused (with why), or unknown. A
restriction that permgate cannot express becomes a wider one. What your files say
already stays. A file that cannot be parsed is refused as a whole.

--check writes nothing, and exits 1 if an import would change something. It changes
what is asked about, so it needs a terminal to confirm on, or --yes.`,
		Examples: []subcmd.Example{
			{"permgate import --from codex --dry-run", "the report, and the change as a diff"},
			{"permgate import --from copilot nightly.sh", "a script that starts copilot with options"},
			{"permgate import --from core-agent --scope local --yes", "the policy of this project, for yourself"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.from, "from", "", "whose policy it is")
			fs.StringVar(&o.scope, "scope", "", "which settings: local, shared, user, managed; "+
				"default: user, or local if the system keeps its policy in the project")
			fs.StringVar(&o.host, "host", "", "agent program whose settings folder is used; "+
				"default: the first that exists of "+strings.Join(load.Roots[:], ", "))
			fs.BoolVar(&o.check, "check", false, "write nothing; exit 1 if an import would change something")
			fs.BoolVar(&o.json, "json", false, "print the report as JSON; without --yes nothing is written")
			o.WriteOptions.Register(fs)
		},
		Operands: "file",
		Run:      func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

func (o *importOptions) run(e *subcmd.Env, args []string) int {
	if code := o.operands(e); code != subcmd.ExitOK {
		return code
	}
	if err := o.readFiles(e, args); err != nil {
		return e.FailFile(err)
	}
	if len(o.files) == 0 {
		return e.Fail("name the file: "+e.Cmd+" --from "+o.from+" FILE",
			"no policy of %s was found in the places of scope %s", o.system.Title, o.scope)
	}
	changes, err := o.plan(e)
	if err != nil {
		return e.FailFile(err)
	}
	changed := len(subcmd.Changed(changes)) > 0
	o.report(e, changed)
	switch {
	case o.check && changed:
		return subcmd.ExitFindings
	case o.check, o.json && !o.Yes:
		return subcmd.ExitOK
	}
	o.First = firstOn(e, &gate.Flags{})
	done, code := e.Write(&o.WriteOptions, func() ([]*subcmd.Change, error) { return o.plan(e) })
	switch {
	case !done || o.json:
		return code
	case !changed:
		fmt.Fprintln(e.Out, "nothing to change")
		return subcmd.ExitOK
	}
	fmt.Fprintf(e.Out, "imported into %s and %s\n", e.Path(o.settings), e.Path(o.gate))
	return o.counted(e)
}

// counted says which of the rules that were written do not count. It is an error where one of them restricts.
func (o *importOptions) counted(e *subcmd.Env) int {
	p, code := e.Policy(o.h), subcmd.ExitOK
	for i := range o.items {
		for _, list := range [...]rules.List{rules.Deny, rules.Ask, rules.Allow} {
			for _, text := range o.items[i].Rules(list) {
				if standsIn(p, o.settings, list, text) != nil {
					continue
				}
				e.Wrapped("note: ", hookio.Escape(list.String()+" "+text+" does not count: permgate rules says why"))
				if list != rules.Allow {
					code = subcmd.ExitError
				}
			}
		}
	}
	return code
}

// operands checks the options, and finds the files to write.
func (o *importOptions) operands(e *subcmd.Env) int {
	var names []string
	for _, s := range importer.Systems() {
		if names = append(names, s.Name); s.Name == o.from {
			o.system = s
		}
	}
	if o.system == nil {
		return e.Fail("--from "+strings.Join(names, ", "), "unknown system %q", hookio.Escape(o.from))
	}
	ofUser := func(p importer.Place) bool { return p.Scope == rules.User }
	if o.scope == "" && slices.ContainsFunc(o.system.Places, ofUser) {
		o.scope = rules.User.String()
	}
	o.scope = cmp.Or(o.scope, rules.Local.String())
	if o.in.Scope = scopeNamed(o.scope); o.scope == rules.Managed.String() {
		o.in.Scope = rules.Managed
	}
	var err error
	if o.h, err = gate.NamedHost(o.host); err != nil {
		return e.UnknownHost(err)
	}
	o.p = e.Policy(o.h)
	if o.in.Scope == rules.Managed {
		folders, _ := e.PostureFolders(hookio.ForManaged)
		at := len(folders) - 1
		if o.h != nil && len(o.h.Roots) > 0 {
			at = max(slices.Index(load.Roots[:], o.h.Roots[0]), 0)
		}
		o.settings = filepath.Join(folders[at], "managed-settings.json")
	} else if o.settings, err = e.SettingsFile(o.p, o.h, o.scope); err != nil {
		return e.Fail("--scope local, shared, user or managed", "%v", err)
	}
	folder := filepath.Dir(o.settings)
	o.gate = filepath.Join(folder, "permgate.json")
	o.in.Project = o.p.OS.Native(o.p.Project.Given)
	o.in.Claude = load.ClaudeFolder(filepath.Base(folder))
	return subcmd.ExitOK
}

// readFiles reads the named files, else those in the system's places that exist, and notes what else the system reads.
func (o *importOptions) readFiles(e *subcmd.Env, names []string) error {
	dirs, err := e.Dirs()
	if err != nil {
		return err
	}
	var others []string
	for i, name := range names {
		if !filepath.IsAbs(name) {
			names[i] = filepath.Join(e.World.Cwd, name)
		}
	}
	named := len(names) > 0
	for _, place := range o.system.Places {
		name, ofHome := strings.CutPrefix(place.Path, "~/")
		switch {
		case filepath.IsAbs(name):
		case ofHome || place.Scope == rules.User:
			name = filepath.Join(dirs.Home, name)
		default:
			name = filepath.Join(o.in.Project, name)
		}
		found, _ := filepath.Glob(name) // a pattern that is bad finds nothing
		if named || place.Scope != o.in.Scope {
			others = append(others, found...)
		} else {
			names = append(names, found...)
		}
	}
	for _, other := range others {
		if name := e.Path(other); !slices.Contains(names, other) && !slices.Contains(o.unread, name) {
			o.unread = append(o.unread, name)
		}
	}
	if o.system.Elsewhere != "" {
		o.unread = append(o.unread, o.system.Elsewhere)
	}
	for _, name := range names {
		_, text, _, bad := edit.Read(name)
		if bad == nil && !subcmd.Exists(name) {
			bad = fmt.Errorf("%s: no such file", e.Path(name))
		}
		if bad != nil {
			return bad
		}
		o.files = append(o.files, importer.File{Name: e.Path(name), Text: text})
	}
	return nil
}

// plan works out what both files become.
func (o *importOptions) plan(e *subcmd.Env) (changes []*subcmd.Change, err error) {
	if o.items, err = o.system.Import(o.files, o.in); err != nil {
		return nil, err
	}
	var docs []*edit.Doc
	for _, name := range [...]string{o.gate, o.settings} { // what restricts comes first
		ch, doc, err := subcmd.ReadForChange(e, name)
		if o.in.Scope != rules.Managed && err == nil {
			ch, doc, err = e.OpenSettings(o.p, o.scope, name)
		}
		if err != nil {
			return nil, err
		}
		changes, docs = append(changes, ch), append(docs, doc)
	}
	before := [...]string{string(docs[0].Bytes()), string(docs[1].Bytes())}
	o.kept, err = importer.Apply(o.items, docs[1], docs[0], o.elsewhere(e))
	for i, ch := range changes {
		if after := docs[i].Bytes(); string(after) != before[i] {
			ch.Text = after
			ch.Readable(o.scope)
		}
	}
	return changes, err
}

// elsewhere says what another file of the user's sets a key to, which an import would overrule.
func (o *importOptions) elsewhere(e *subcmd.Env) func(importer.Entry) string {
	folders, _ := e.PostureFolders(o.scope)
	return func(entry importer.Entry) string {
		set := rules.Setting{}
		if entry.Gate {
			set = *o.p.Posture.Setting(entry.Path)
		} else if entry.Path == "permissions.defaultMode" {
			set = o.p.Mode
		}
		if o.in.Scope.OfProject() || !slices.Contains(folders, filepath.Dir(o.p.OS.Native(set.Pos.File))) {
			return ""
		}
		return edit.Quote(set.Value)
	}
}

// report prints what each part became, and what stayed as it was.
func (o *importOptions) report(e *subcmd.Env, changed bool) {
	if o.json {
		var names []string
		for _, f := range o.files {
			names = append(names, f.Name)
		}
		text, _ := json.MarshalIndent(map[string]any{
			"from": o.from, "scope": o.scope, "files": names, "settings": e.Path(o.settings), "posture": e.Path(o.gate),
			"items": o.items, "kept": append([]importer.Kept{}, o.kept...), "unread": append([]string{}, o.unread...),
			"changed": changed,
		}, "", "  ")
		fmt.Fprintf(e.Machine(), "%s\n", text)
		return
	}
	count := map[importer.Status]int{}
	for i := range o.items {
		item := &o.items[i]
		count[item.Status]++
		line := item.String()
		if item.At != "" {
			line += " (" + item.At + ")"
		}
		fmt.Fprintln(e.Out, hookio.Escape(line))
	}
	for _, k := range o.kept {
		line := fmt.Sprintf("kept      %s is %s in your settings and stays so; there it is %s", k.Key, k.Value, k.Wanted)
		fmt.Fprintln(e.Out, hookio.Escape(line))
	}
	fmt.Fprintf(e.Out, "%d exact, %d narrowed, %d refused, %d unknown\n",
		count[importer.Exact], count[importer.Narrowed], count[importer.Refused], count[importer.Unknown])
	if len(o.unread) > 0 {
		e.Wrapped("note: ", hookio.Escape(o.system.Title+" also reads "+strings.Join(o.unread, ", ")+"; that was not read here"))
	}
}
