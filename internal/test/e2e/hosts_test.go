package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestEveryHost runs the scripts of testdata/hosts once for every host that
// has a registration.
func TestEveryHost(t *testing.T) {
	t.Parallel()
	skipShort(t)
	scripts, err := filepath.Glob(filepath.Join("testdata", "hosts", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	every := testenv.Every(t, len(scripts), 1, 1) // of every host one
	for i, h := range agents.Hosts() {
		var mine []string
		for k, script := range scripts {
			if (i+k)%every == 0 {
				mine = append(mine, script)
			}
		}
		t.Run(h.Name, func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Files:               mine,
				RequireExplicitExec: true,
				Setup:               func(env *testscript.Env) error { return setupHost(env, h) },
				Cmds:                hostCommands,
				Condition: func(cond string) (bool, error) {
					off := switchOf(h)
					switch cond {
					case "managed":
						_, ok := (&agents.Dirs{Getenv: os.Getenv, Exists: func(string) bool { return false }}).Place(h, hookio.ForManaged)
						return ok, nil
					case "experimental":
						return h.Driven.Version == "", nil
					case "off":
						return off != nil, nil
					case "same":
						return off.Path == "", nil
					}
					return false, fmt.Errorf("unknown condition %s", cond)
				},
			})
		})
	}
}

func setupHost(env *testscript.Env, h *hookio.Host) error {
	if err := setup(env); err != nil {
		return err
	}
	dirs := agents.Dirs{
		Home: env.Getenv("HOME"), Project: env.Cd, Getenv: func(string) string { return "" },
		System: filepath.Join(env.WorkDir, "managed"), Exists: func(string) bool { return false },
	}
	user, _ := dirs.Place(h, hookio.ForUser)
	project, _ := dirs.Place(h, hookio.ForProject)
	foreign := filepath.Join(env.WorkDir, "foreign.json")
	env.Setenv("NAME", h.Name)
	env.Setenv("FILE", user.Name)
	env.Setenv("PROJECT_FILE", project.Name)
	if managed, ok := dirs.Place(h, hookio.ForManaged); ok {
		env.Setenv("MANAGED_FILE", managed.Name)
	}
	env.Setenv("FOREIGN", foreign)
	env.Setenv("EVENTS", strconv.Itoa(len(h.Register.Events)))
	if off := switchOf(h); off != nil {
		file, text := user.Name, fmt.Sprintf("{%q: %s}\n", off.Key, off.Value)
		if off.Path != "" {
			file = dirs.Path(h.Register, off.Path)
		}
		if parent, key, nested := strings.Cut(off.Key, "."); nested {
			text = fmt.Sprintf("{%q: {%q: %s}}\n", parent, key, off.Value)
		}
		if strings.HasSuffix(file, ".toml") {
			text = off.Key + " = " + off.Value + "\n"
		}
		env.Setenv("OFF_FILE", file)
		env.Setenv("OFF_TEXT", filepath.Join(env.WorkDir, "off"))
		if err := os.WriteFile(env.Getenv("OFF_TEXT"), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(foreign, []byte(others(h, user)), 0o600)
}

// switchOf is the first setting of the user's that switches the hooks of a host off.
func switchOf(h *hookio.Host) *hookio.OffSwitch {
	for i := range h.Register.Off {
		if h.Register.Off[i].Scope == hookio.ForUser {
			return &h.Register.Off[i]
		}
	}
	return nil
}

// others is a settings file in the form of a host that somebody wrote by hand.
func others(h *hookio.Host, p agents.Place) string {
	event := h.Register.Events[0].Name
	entry := `{"matcher": "x", "hooks": [{"type": "command", "command": "others.sh"}]}`
	if h.Register.Flat {
		entry = `{"command": "others.sh"}`
	}
	list := `"` + event + "\": [\n        " + entry + " // and this\n    ],\n"
	if h.Register.Plain {
		return "{\n    \"theme\": \"// mine\",\n    \"" + p.Root + "\": {\"" + event + "\": [\n        " + entry + "\n    ]}\n}\n"
	}
	if p.Root == "" {
		return "{\n    // mine\n    " + list + "}\n"
	}
	return "{\n    // mine\n    \"theme\": \"dark\",\n    \"" + p.Root + "\": {" + list + "},\n}\n"
}

// hostCommands are the commands testscript lacks.
var hostCommands = map[string]func(*testscript.TestScript, bool, []string){
	// copy copies a file to a place whose folder need not be there yet.
	"copy": func(ts *testscript.TestScript, neg bool, args []string) {
		ts.Check(os.MkdirAll(filepath.Dir(args[1]), 0o755))
		ts.Check(os.WriteFile(args[1], []byte(ts.ReadFile(args[0])), 0o600))
	},
	// matches is grep on a file that need not be there.
	"matches": func(ts *testscript.TestScript, neg bool, args []string) {
		text, err := os.ReadFile(args[1])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			ts.Fatalf("%v", err)
		}
		if regexp.MustCompile(args[0]).Match(text) == neg {
			ts.Fatalf("%s: %q found: %v\n%s", args[1], args[0], !neg, text)
		}
	},
	// glob reports whether a pattern names any file.
	"glob": func(ts *testscript.TestScript, neg bool, args []string) {
		names, err := filepath.Glob(args[0])
		ts.Check(err)
		if (len(names) > 0) == neg {
			ts.Fatalf("%s: %s", args[0], strings.Join(names, " "))
		}
	},
}

// TestHostsPage writes the part of docs/hosts.md that shows, for every host, the
// very files install writes.
func TestHostsPage(t *testing.T) {
	var b strings.Builder
	for _, h := range agents.Hosts() {
		describe(&b, h)
		doc, err := edit.Parse(h.Name, []byte(byHand(h)))
		if err != nil {
			t.Fatal(err)
		}
		p := agents.Place{HookFile: &hookio.HookFile{Root: eventsKey(h)}}
		for _, f := range agents.Find(h, p, doc, "/home/you/.local/bin/permgate") {
			if !f.All || !f.Plain || len(f.Stale) > 0 {
				t.Errorf("%s: the page shows %+v", h.Name, f)
			}
		}
	}
	if runtime.GOOS == "windows" { // the page shows the commands of other systems
		return
	}
	golden.Part(t, "docs/hosts.md", "<!-- files: written by go generate -->", "<!-- end -->", b.String())
}

// describe writes the part of the page about one host.
func describe(b *strings.Builder, h *hookio.Host) {
	r, name := h.Register, h.Name
	if h.Driven.Version == "" {
		name += " --experimental"
	}
	fmt.Fprintf(b, "\n### %s: `permgate install --host %s`\n\n| scope | file |\n|---|---|\n", h.Title, name)
	for i := range r.Files {
		f := &r.Files[i]
		note := ""
		if f.OS != "" {
			note = " (" + f.OS + ")"
		}
		if f.IfThere {
			note += ", where it exists"
		}
		fmt.Fprintf(b, "| %s | `%s`%s |\n", f.Scope, f.Path, note)
	}
	if r.Moved.To != "" {
		fmt.Fprintf(b, "\n`%s` moves `%s`.\n", r.Moved.To, r.Moved.From)
	}
	fmt.Fprintf(b, "\n```json\n%s\n```\n", byHand(h))
	for _, f := range r.Beside {
		if f.Mark != "" {
			fmt.Fprintf(b, "\nNext to it `%s`, which is the text in [host_%s.go](../hookio/host_%[2]s.go) of this version.\n", f.Path, h.Name)
			continue
		}
		fmt.Fprintf(b, "\nNext to it `%s`:\n\n```json\n%s```\n", f.Path, f.Text())
	}
	if r.After != "" {
		fmt.Fprintf(b, "\nThen %s.\n", r.After)
	}
	if len(r.Notes)+len(r.Off) > 0 {
		b.WriteByte('\n')
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "- %s\n", strings.ToUpper(n[:1])+n[1:]+".")
	}
	for i := range r.Off {
		o := &r.Off[i]
		where := "`" + o.Path + "`"
		if o.Path == "" {
			where = "the hook file"
		}
		spares := ""
		if o.Spares != "" {
			spares = ", but not hooks of scope " + o.Spares
		}
		fmt.Fprintf(b, "- `%s` %s in %s (%s) switches hooks off%s.\n", o.Key, o.Value, where, o.Scope, spares)
	}
	fmt.Fprintf(b, "- Source: %s.\n", r.Source)
}

// byHand is a file with every entry of a host, one line for each event.
func byHand(h *hookio.Host) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, m := range h.Register.Head {
		fmt.Fprintf(&b, "%q: %s, ", m.Name, m.JSON)
	}
	key := eventsKey(h)
	if key != "" {
		fmt.Fprintf(&b, "%q: {", key)
	}
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n  %q: [%s]", ev.Name, agents.Entry(h, "/home/you/.local/bin/permgate", ev))
	}
	if key != "" {
		b.WriteByte('}')
	}
	return b.String() + "}"
}

// eventsKey is the key of the events in the file that is written where it does not exist.
func eventsKey(h *hookio.Host) string { return h.Register.Files[len(h.Register.Files)-1].Root }
