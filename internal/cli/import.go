package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	settings, gate string // the files that are written
	files          []importer.File
	items          []importer.Item
	kept           []importer.Kept
}

func importCommand() *subcmd.Command {
	var o importOptions
	var systems string
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
restriction that permgate cannot express is asked about instead. What your files say
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
			fs.StringVar(&o.scope, "scope", "", "which settings: local, shared, user, managed; default: user, or local if the system keeps "+
				"its policy in the project")
			fs.StringVar(&o.host, "host", "", "agent program whose settings folder is used; default: the first that exists of "+
				strings.Join(load.Roots[:], ", "))
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
		return e.Fail("name the file: "+e.Cmd+" --from "+o.from+" FILE", "no policy of %s was found in the places of scope %s",
			o.system.Title, o.scope)
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
	if !done || o.json {
		return code
	}
	if !changed {
		fmt.Fprintln(e.Out, "nothing to change")
		return subcmd.ExitOK
	}
	fmt.Fprintf(e.Out, "imported into %s and %s\n", e.Path(o.settings), e.Path(o.gate))
	return o.counted(e)
}

// counted says which of the rules that were written do not count: a restriction that does not is a failure.
func (o *importOptions) counted(e *subcmd.Env) int {
	p, code := e.Policy(o.h), subcmd.ExitOK
	for i := range o.items {
		for _, entry := range o.items[i].Entries {
			for _, list := range [...]rules.List{rules.Deny, rules.Ask, rules.Allow} {
				text := ""
				if json.Unmarshal([]byte(entry.Value), &text); entry.Path != "permissions."+list.String() || standsIn(p, o.settings, list, text) != nil {
					continue
				}
				e.Wrapped("note: ", hookio.Escape(list.String()+" "+text+" does not count yet: permgate rules says why"))
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
	if o.scope == "" && slices.ContainsFunc(o.system.Places, func(p importer.Place) bool { return p.Scope == rules.User }) {
		o.scope = rules.User.String()
	}
	o.scope = cmp.Or(o.scope, rules.Local.String())
	var err error
	if o.h, err = gate.NamedHost(o.host); err != nil {
		return e.UnknownHost(err)
	}
	o.p = e.Policy(o.h)
	if o.scope != rules.Managed.String() {
		o.settings, err = e.SettingsFile(o.p, o.h, o.scope)
	} else if folders, bad := e.PostureFolders(hookio.ForManaged); bad != nil {
		err = bad
	} else {
		folder := folders[len(folders)-1]
		if o.h != nil && len(o.h.Roots) > 0 {
			folder = folders[max(slices.Index(load.Roots[:], o.h.Roots[0]), 0)]
		}
		o.settings = filepath.Join(folder, "managed-settings.json")
	}
	if err != nil {
		return e.Fail("--scope local, shared, user or managed", "%v", err)
	}
	o.gate = filepath.Join(filepath.Dir(o.settings), "permgate.json")
	return subcmd.ExitOK
}

func (o *importOptions) scopeOf() rules.Scope {
	scopes := [...]rules.Scope{rules.User, rules.Shared, rules.Local, rules.Managed}
	return scopes[slices.IndexFunc(scopes[:], func(s rules.Scope) bool { return s.String() == o.scope })]
}

// readFiles reads the named files, else those in the system's places that exist.
func (o *importOptions) readFiles(e *subcmd.Env, args []string) error {
	skip := false
	for _, place := range o.system.Places {
		if len(o.files) > 0 && skip || len(args) > 0 || place.Scope != o.scopeOf() {
			continue
		}
		dir, rest := o.p.Project.Given, place.Path
		if home, ok := strings.CutPrefix(rest, "~/"); ok || place.Scope == rules.User {
			dirs, err := e.Dirs()
			if err != nil {
				return err
			}
			dir, rest = dirs.Home, home
		}
		if !filepath.IsAbs(rest) {
			rest = filepath.Join(dir, rest)
		}
		found, err := filepath.Glob(rest)
		if err != nil {
			return err
		}
		if err := o.readAll(e, found); err != nil {
			return err
		}
		skip = skip || place.First && len(found) > 0
	}
	return o.readAll(e, args)
}

func (o *importOptions) readAll(e *subcmd.Env, names []string) error {
	for _, name := range names {
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.World.Cwd, name)
		}
		if _, err := e.World.Files.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: no such file", e.Path(name))
		}
		_, text, _, err := edit.Read(name)
		if err != nil {
			return err
		}
		o.files = append(o.files, importer.File{Name: e.Path(name), Text: text})
	}
	return nil
}

// plan works out what both files become.
func (o *importOptions) plan(e *subcmd.Env) ([]*subcmd.Change, error) {
	root := filepath.Base(filepath.Dir(o.settings))
	items, err := o.system.Import(o.files, importer.Options{
		Scope: o.scopeOf(), Claude: root == ".claude" || root == "claude-code" || root == "ClaudeCode", Project: o.p.Project.Given,
	})
	if err != nil {
		return nil, err
	}
	var changes []*subcmd.Change
	var docs []*edit.Doc
	for _, name := range [...]string{o.gate, o.settings} { // what restricts comes first
		open := func() (*subcmd.Change, *edit.Doc, error) { return e.OpenSettings(o.p, o.scope, name) }
		if o.scope == rules.Managed.String() {
			open = func() (*subcmd.Change, *edit.Doc, error) { return subcmd.ReadForChange(e, name) }
		}
		ch, doc, err := open()
		if err != nil {
			return nil, err
		}
		changes, docs = append(changes, ch), append(docs, doc)
	}
	o.items = items
	if o.kept, err = importer.Apply(items, docs[1], docs[0], o.elsewhere(e)); err != nil {
		return nil, err
	}
	for i, ch := range changes {
		before, err := edit.Parse(ch.Name, ch.Old)
		if after := docs[i].Bytes(); err != nil || string(before.Bytes()) != string(after) {
			ch.Text = after
			ch.Readable(o.scope)
		}
	}
	return changes, nil
}

// elsewhere says what another file of the same scope sets a key to: that is the user's, and would be overruled.
func (o *importOptions) elsewhere(e *subcmd.Env) func(importer.Entry) string {
	folders, _ := e.PostureFolders(o.scope)
	return func(entry importer.Entry) string {
		set := &o.p.Mode
		if entry.Gate {
			set = o.p.Posture.Setting(entry.Path)
		} else if entry.Path != "permissions.defaultMode" {
			return ""
		}
		if dir := filepath.Dir(set.Pos.File); set.Pos.File == "" || !slices.Contains(folders, dir) || o.scopeOf().OfProject() {
			return ""
		}
		return edit.Quote(set.Value)
	}
}

// report prints what became of each part, and what stayed as it was.
func (o *importOptions) report(e *subcmd.Env, changed bool) {
	if o.json {
		names := []string{}
		for _, f := range o.files {
			names = append(names, f.Name)
		}
		text, _ := json.MarshalIndent(map[string]any{
			"from": o.from, "scope": o.scope, "files": names, "settings": e.Path(o.settings), "permgate_json": e.Path(o.gate),
			"items": o.items, "kept": append([]importer.Kept{}, o.kept...), "changed": changed,
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
		e.Wrapped("kept      ", hookio.Escape(fmt.Sprintf("%s is %s in your settings and stays so; there it is %s", k.Key, k.Value, k.Wanted)))
	}
	fmt.Fprintf(e.Out, "%d exact, %d narrowed, %d refused, %d unknown\n", count[importer.Exact], count[importer.Narrowed],
		count[importer.Refused], count[importer.Unknown])
}
