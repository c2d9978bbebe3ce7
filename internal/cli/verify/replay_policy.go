package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// settingsOf is the world with an operand's settings in place of every project's: of a folder, a file or a revision.
func settingsOf(e *subcmd.Env, operand string, revisions bool) (*gate.World, error) {
	scope, name := "", operand
	for _, s := range [...]rules.Scope{rules.User, rules.Shared, rules.Local, rules.Managed} {
		if rest, ok := strings.CutPrefix(operand, s.String()+"="); ok {
			scope, name = s.String(), rest
		}
	}
	if name == "" {
		return nil, fmt.Errorf("%s names no settings", subcmd.QuoteArg(operand))
	}
	w := e.World
	file := e.World.OS.Canon(e.Abs(name))
	info, err := e.World.Files.Stat(file)
	switch {
	case err == nil && info.IsDir() && scope == "":
		w.StandIns, err = folderSettings(e, file)
	case err == nil:
		err = fileSettings(e, &w, file, scope)
	case operand == settingsNow && revisions:
		err = nil
	case errors.Is(err, fs.ErrNotExist) && scope == "" && revisions:
		w.StandIns, err = revision(e, operand)
	case !errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%s: %w", subcmd.QuoteArg(operand), err)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file or folder", subcmd.QuoteArg(operand))
	case err != nil:
		return nil, err
	}
	return &w, usable(e, &w, file)
}

// usable returns why a named file cannot be used: a decision without it would not be what it says.
func usable(e *subcmd.Env, w *gate.World, file string) error {
	for _, f := range gate.Policy(subcmd.CallOf(nil), &gate.Flags{}, *w).Faults {
		named := func(s load.StandIn) bool { return s.Place == f.Pos.File }
		if f.Closed && (f.Pos.File == file || w.StandIns != nil && slices.ContainsFunc(w.StandIns.Files, named)) {
			return errors.New(shownFault(e, f))
		}
	}
	return nil
}

// PrintFaults says which settings could not be read, on standard error.
func PrintFaults(e *subcmd.Env, p *rules.Policy) {
	for _, f := range p.Faults {
		fmt.Fprintf(e.Err, "%s: %s\n", e.Cmd, shownFault(e, f))
	}
}

// shownFault is a fault without the secrets of its file.
func shownFault(e *subcmd.Env, f rules.Fault) string {
	f.Msg, _ = redact.Text(f.Msg)
	return e.Fault(&f)
}

// A settingsFile is a file that every settings folder may hold.
type settingsFile struct {
	name  string
	scope rules.Scope
	gate  bool
}

func replacedFiles() []settingsFile {
	return []settingsFile{{"settings.json", rules.Shared, false}, {"permgate.json", rules.Shared, true},
		{"settings.local.json", rules.Local, false}}
}

func folderSettings(e *subcmd.Env, dir string) (*load.StandIns, error) {
	out := settingsIn(e, dir)
	if len(out.Files) == 0 {
		return nil, fmt.Errorf("%s holds no settings: name a project, or its settings folder", e.Path(dir))
	}
	return out, nil
}

// settingsIn is folderSettings where they may be missing.
func settingsIn(e *subcmd.Env, dir string) *load.StandIns {
	out := &load.StandIns{Whole: true}
	for _, root := range load.Roots {
		folder := path.Join(dir, root)
		if path.Base(dir) == root {
			folder = dir
		}
		for _, f := range replacedFiles() {
			s := load.StandIn{Scope: f.scope, Root: root, Gate: f.gate, Place: path.Join(folder, f.name)}
			s.Data, s.Err = e.World.Files.ReadFile(s.Place, load.MaxSettings)
			if (folder == dir || !slices.Contains(load.Roots[:], path.Base(dir))) && !errors.Is(s.Err, fs.ErrNotExist) {
				out.Files = append(out.Files, s)
			}
		}
	}
	return out
}

// fileSettings puts one file in its place: that of its name, or of the scope given.
func fileSettings(e *subcmd.Env, w *gate.World, file, scope string) error {
	data, err := e.World.Files.ReadFile(file, load.MaxSettings)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Path(file), err)
	}
	s := load.StandIn{Scope: rules.Shared, Place: file, Data: data, Gate: path.Base(file) == "permgate.json"}
	if root := path.Base(path.Dir(file)); slices.Contains(load.Roots[:], root) {
		s.Root = root
	}
	switch {
	case scope == rules.Managed.String() || scope == "" && path.Base(file) == "managed-settings.json":
		p := load.Preset{Place: file, Root: s.Root, Text: true, Data: data}
		if p.Root == "" && !s.Gate {
			p.Root = ".claude"
		}
		if s.Gate {
			p.Root = ""
		}
		w.ManagedDir, w.Presets = []string{}, func() []load.Preset { return []load.Preset{p} }
		return nil
	case scope == rules.User.String():
		s.Scope = rules.User
	case scope == rules.Local.String() || scope == "" && path.Base(file) == "settings.local.json":
		s.Scope = rules.Local
	}
	w.StandIns = &load.StandIns{Files: []load.StandIn{s}}
	return nil
}

func settingsName(operand string) string {
	if operand == "" || operand == settingsNow {
		return "the settings of now"
	}
	return hookio.Escape(operand)
}

// gitTime bounds how long git may take.
const gitTime = 30 * time.Second

func revision(e *subcmd.Env, ref string) (*load.StandIns, error) {
	missing := subcmd.QuoteArg(ref) + ": no such file, folder or git revision"
	if strings.HasPrefix(ref, "-") || ref == "" {
		return nil, errors.New(missing)
	}
	dir := e.World.OS.Native(e.PolicyUnder(nil, &gate.Flags{}).Project.Given)
	args := []string{"ls-tree", "-r", "-z", "--full-tree", "--end-of-options", ref}
	names := load.Roots[:]
	for _, f := range replacedFiles() {
		names = append(names, f.name)
	}
	list, err := git(dir, append(args, names...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", missing, err)
	}
	out := &load.StandIns{Whole: true, Revision: true}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		head, name, _ := strings.Cut(entry, "\t")
		if slices.Contains(load.Roots[:], name) { // a link, or a submodule
			return nil, fmt.Errorf("%s is no folder in git", hookio.Escape(ref+":"+name))
		}
		root, base := path.Split(name)
		if root = strings.TrimSuffix(root, "/"); root == "" && strings.Contains(ref, ":") {
			return nil, fmt.Errorf("%s is a settings folder in git: name the revision alone", subcmd.QuoteArg(ref))
		}
		for _, f := range replacedFiles() {
			if f.name != base || !slices.Contains(load.Roots[:], root) {
				continue
			}
			s := load.StandIn{Scope: f.scope, Root: root, Gate: f.gate, Place: ref + ":" + name}
			if words := strings.Fields(head); words[0] == "100644" || words[0] == "100755" {
				s.Data, s.Err = git(dir, "cat-file", "blob", words[2])
			} else {
				s.Err = errors.New("is no file in git")
			}
			out.Files = append(out.Files, s)
		}
	}
	return out, nil
}

// git reads objects. Hooks, pagers, filters and the file system monitor of the repository are not started.
func git(dir string, args ...string) ([]byte, error) {
	ctx, stop := context.WithTimeout(context.Background(), gitTime)
	defer stop()
	args = append([]string{"--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), namesRepository),
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0")
	var text, why bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &why
	err := cmd.Run()
	if line, _, _ := strings.Cut(why.String(), "\n"); err != nil && line != "" {
		err = fmt.Errorf("git: %s", strings.TrimPrefix(line, "fatal: "))
	}
	return text.Bytes(), err
}

// namesRepository reports whether a variable names another repository. Git sets such for its hooks.
func namesRepository(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE",
	}, name)
}

// settingsNow is the operand of --against for the settings of now.
const settingsNow = "now"

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
