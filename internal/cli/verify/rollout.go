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
	r := &Rollout{Dir: e.Abs(dir)}
	if info, err := os.Stat(r.Dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: no such folder", e.Path(r.Dir))
	}
	names := r.names(e)
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no policy: managed-settings.json, managed-settings.d or permgate.json", e.Path(r.Dir))
	}
	r.World = managedWorld(e, r.Dir, r.Dir, names, r.reader(e))
	for _, name := range names {
		r.Files = append(r.Files, path.Join(r.Dir, name))
	}
	for _, name := range policytest.FileNames {
		if file := path.Join(r.Dir, name); subcmd.Exists(file) {
			r.Tests = append(r.Tests, file)
		}
	}
	return r, nil
}

func (r *Rollout) names(e *subcmd.Env) []string {
	var all []string
	for _, sub := range [...]string{"", dropIns} {
		names, err := e.World.Files.ReadDir(path.Join(r.Dir, sub))
		if err != nil {
			continue
		}
		for _, name := range names {
			all = append(all, path.Join(sub, name))
		}
	}
	return policyFiles(all)
}

func (r *Rollout) reader(e *subcmd.Env) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		return e.World.Files.ReadFile(path.Join(r.Dir, name), load.MaxSettings)
	}
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
	list, err := git(r.Dir, "ls-tree", "-r", "-z", "--name-only", "--end-of-options", operand, "./")
	if err != nil {
		return nil, fmt.Errorf("%s: no such folder or git revision: %w", subcmd.QuoteArg(operand), err)
	}
	names := policyFiles(strings.Split(string(list), "\x00"))
	read := func(name string) ([]byte, error) { return git(r.Dir, "cat-file", "blob", operand+":./"+name) }
	return managedWorld(e, r.Dir, operand+":", names, read), nil
}

// dropIns is the folder whose files are read in their order, the last one first.
const dropIns = "managed-settings.d"

// policyFiles are those of the names in a folder that are settings, as rules/load reads them.
func policyFiles(all []string) (out []string) {
	slices.Sort(all)
	for _, name := range slices.Backward(all) {
		dir, base := path.Split(name)
		if dir == dropIns+"/" && strings.HasSuffix(base, ".json") && base[0] != '.' {
			out = append(out, name)
		}
	}
	for _, name := range [...]string{"managed-settings.json", "permgate.json"} {
		if slices.Contains(all, name) {
			out = append(out, name)
		}
	}
	return out
}

// managedWorld is the world with the named files of a folder as its managed settings.
func managedWorld(e *subcmd.Env, dir, shown string, names []string, read func(string) ([]byte, error)) *gate.World {
	root := "." + strings.ToLower(path.Base(dir))
	if !slices.Contains(load.Roots[:], root) {
		root = ".claude"
	}
	var presets []load.Preset
	for _, name := range names {
		p := load.Preset{Place: path.Join(shown, name), Root: root, Text: true}
		if strings.HasSuffix(shown, ":") {
			p.Place = shown + name
		}
		if name == "permgate.json" {
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
