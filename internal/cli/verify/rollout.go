package verify

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A Rollout is a folder with managed settings that are to become those of many machines: managed-settings.json, the
// files of managed-settings.d, permgate.json, and the tests that travel with them.
type Rollout struct {
	Dir   string      // absolute
	Files []string    // of settings, absolute
	Tests []string    // likewise
	World *gate.World // has these managed settings, and none of a user or a project
}

// OpenRollout reads a folder.
func OpenRollout(e *subcmd.Env, dir string) (*Rollout, error) {
	r := &Rollout{Dir: e.World.OS.Canon(e.Abs(dir))}
	in := func(name string) string { return path.Join(r.Dir, name) }
	if info, err := e.World.Files.Stat(r.Dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: no such folder", e.Path(r.Dir))
	}
	dropIns, _ := e.World.Files.ReadDir(in(load.DropIns))
	names := slices.DeleteFunc(load.ManagedFiles(dropIns), func(name string) bool {
		_, err := e.World.Files.Lstat(in(name))
		return err != nil
	})
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no policy: managed-settings.json, managed-settings.d or permgate.json", e.Path(r.Dir))
	}
	r.World = managedWorld(e, r.Dir, names, in, func(name string) ([]byte, error) {
		return e.World.Files.ReadFile(in(name), load.MaxSettings)
	})
	for _, name := range names {
		r.Files = append(r.Files, in(name))
	}
	for _, name := range policytest.FileNames {
		if file := e.World.OS.Native(in(name)); subcmd.Exists(file) {
			r.Tests = append(r.Tests, file)
		}
	}
	return r, nil
}

// Before is what the folder is compared with: the managed settings of this machine, another folder, or the folder at a
// git revision.
func (r *Rollout) Before(e *subcmd.Env, operand string) (*gate.World, error) {
	if operand == settingsNow {
		w := e.World
		w.StandIns = noSettings()
		return &w, nil
	}
	if info, err := os.Stat(e.Abs(operand)); err == nil && info.IsDir() {
		other, err := OpenRollout(e, operand)
		if err != nil {
			return nil, err
		}
		return other.World, nil
	}
	if operand == "" || operand[0] == '-' {
		return nil, fmt.Errorf("%s: no such folder or git revision", subcmd.QuoteArg(operand))
	}
	dir := e.World.OS.Native(r.Dir)
	list, err := git(dir, "ls-tree", "-r", "-z", "--name-only", "--end-of-options", operand, "./")
	if err != nil {
		return nil, fmt.Errorf("%s: no such folder or git revision: %w", subcmd.QuoteArg(operand), err)
	}
	all := strings.Split(string(list), "\x00") // sorted, as git keeps them
	var dropIns []string
	for _, name := range all {
		if base, ok := strings.CutPrefix(name, load.DropIns+"/"); ok && base == path.Base(base) {
			dropIns = append(dropIns, base)
		}
	}
	names := slices.DeleteFunc(load.ManagedFiles(dropIns), func(name string) bool { return !slices.Contains(all, name) })
	return managedWorld(e, r.Dir, names, func(name string) string { return operand + ":" + name },
		func(name string) ([]byte, error) { return git(dir, "cat-file", "blob", operand+":./"+name) }), nil
}

// managedWorld is the world with the named files of a folder as its managed settings, which shown names to people.
func managedWorld(e *subcmd.Env, dir string, names []string, shown func(name string) string,
	read func(name string) ([]byte, error)) *gate.World {
	var presets []load.Preset
	for _, name := range names {
		p := load.Preset{Place: shown(name), Root: load.ManagedRoot(dir, len(load.Roots)), Text: true}
		if name == load.ManagedGate {
			p.Root = ""
		}
		p.Data, p.Err = read(name)
		presets = append(presets, p)
	}
	w := e.World
	w.ManagedDir, w.Presets = []string{}, func() []load.Preset { return presets }
	w.StandIns = noSettings()
	return &w
}

// noSettings hides those of user and project: what a policy does must not depend on the machine it is checked on.
func noSettings() *load.StandIns {
	out := &load.StandIns{Whole: true}
	for _, root := range load.Roots {
		for _, gate := range [...]bool{false, true} {
			out.Files = append(out.Files,
				load.StandIn{Scope: rules.User, Root: root, Gate: gate, Place: "none", Data: []byte("{}")})
		}
	}
	return out
}

// NoLooser proves that a rollout allows no more than what was there before, or prints what it does.
func NoLooser(e *subcmd.Env, r *Rollout, before *gate.World, against string, f gate.Flags) int {
	o := proveOptions{Flags: f, comparedOptions: comparedOptions{policy: r.Dir, against: against}}
	if o.against == settingsNow {
		o.against = "the managed settings of this machine"
	}
	o.given = func(option string) bool { return option == "against" }
	return o.compare(e, r.World, before)
}
