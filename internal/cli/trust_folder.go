package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

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
	if !o.yes {
		if code := e.confirm("is this right?"); code != exitOK {
			return code
		}
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
