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

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/state"
)

type stateOptions struct {
	subcmd.WriteOptions
	clean, backups bool
}

func stateCommand() *subcmd.Command {
	var o stateOptions
	return &subcmd.Command{
		Name:  "state",
		Short: "show or remove what permgate stores outside of settings",
		Long: `Shows the state folder: the log, session grants, trust records, and backups of
project files that permgate changed.

--clean removes the log, session grants and trust records; --backups removes the
backups too. Running sessions will be asked again about what was granted, and project
settings have to be trusted again. Only your own regular files with permgate's names
are removed; symlinks are neither followed nor removed, and other files stay.

It changes what is asked about, so it needs a terminal to confirm on, or --yes.`,
		Examples: []subcmd.Example{
			{"permgate state", ""},
			{"permgate state --clean --dry-run", "the files that would be removed"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.clean, "clean", false, "remove log, session grants and trust records")
			fs.BoolVar(&o.backups, "backups", false, "with --clean: the backups of project files as well")
			o.Register(fs)
			fs.Lookup("dry-run").Usage = "list the files and remove nothing"
		},
		Run: func(e *subcmd.Env, args []string) int {
			switch {
			case len(args) > 0:
				return e.Fail("permgate help state", "unexpected operand %q", args[0])
			case !o.clean && (o.backups || o.Yes || o.DryRun):
				return e.Fail("permgate state --clean", "--backups, --yes and --dry-run go with --clean")
			}
			return showState(e, &o)
		},
	}
}

func showState(e *subcmd.Env, o *stateOptions) int {
	n, bytes := 0, int64(0)
	for _, dir := range stateDirs(e) {
		f, err := readState(e, dir)
		if err != nil {
			return e.Fail("check that folder and files are yours (ls -la); nothing was removed", "%v", err)
		}
		fmt.Fprintf(e.Out, "%s\n", e.Path(dir))
		f.print(e)
		if !o.clean {
			continue
		}
		f.keep(o)
		if o.DryRun {
			for _, it := range f.items {
				fmt.Fprintf(e.Out, "would remove %s\n", e.Path(it.path(dir)))
			}
			continue
		}
		if len(f.items) == 0 {
			continue
		}
		if code := o.Confirmed(e, "remove "+subcmd.Plural(len(f.items), "file", "files")+"?"); code != subcmd.ExitOK {
			return code
		}
		gone, size, err := f.remove()
		n, bytes = n+gone, bytes+size
		if err != nil {
			return e.Fail("check that folder and files are yours (ls -la)",
				"%s removed, then: %v", subcmd.Plural(n, "file", "files"), err)
		}
	}
	if o.clean && !o.DryRun {
		fmt.Fprintf(e.Out, "removed %s, %d KiB\n", subcmd.Plural(n, "file", "files"), (bytes+1023)/1024)
	}
	return subcmd.ExitOK
}

// stateDirs are the folders of state and log: they differ where XDG_STATE_HOME leads into the project.
func stateDirs(e *subcmd.Env) []string {
	dirs := []string{gate.StateDir(&gate.Flags{}, e.World)}
	if dir := subcmd.LogDir(e, &gate.Flags{}); dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	return dirs
}

// A stateFile is one file of ours, named from the state folder on.
type stateFile struct {
	name string
	size int64
	kind int // index of stateKinds
}

func (it *stateFile) path(dir string) string { return filepath.Join(dir, filepath.FromSlash(it.name)) }

type stateFolder struct {
	root   *os.Root // nil if none
	items  []stateFile
	others []string // what is not ours to remove, and why
}

// readState lists a state folder, without following any symlink in it.
func readState(e *subcmd.Env, dir string) (*stateFolder, error) {
	f := &stateFolder{}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder", dir)
	case !mine(e, info):
		return nil, fmt.Errorf("%s belongs to another user", dir)
	}
	if f.root, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	err = f.walk(e, "", 0)
	slices.SortStableFunc(f.items, func(a, b stateFile) int { return a.kind - b.kind })
	return f, err
}

// walk lists one folder and those of ours in it; none lies deeper than two.
func (f *stateFolder) walk(e *subcmd.Env, at string, depth int) error {
	folder, err := f.root.Open(path.Join(".", at))
	if err != nil {
		return err
	}
	entries, err := folder.ReadDir(-1)
	folder.Close()
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, entry := range entries {
		name := path.Join(at, entry.Name())
		info, err := f.root.Lstat(name)
		kind := stateKindOf(name)
		switch {
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			f.others = append(f.others, name+" is a symlink")
		case !mine(e, info):
			f.others = append(f.others, name+" belongs to another user")
		case info.IsDir() && depth < 2 && ownFolder(at, name):
			if err := f.walk(e, name, depth+1); err != nil {
				return err
			}
		case kind < 0 || !info.Mode().IsRegular():
			f.others = append(f.others, name+" is not permgate's")
		default:
			f.items = append(f.items, stateFile{name, info.Size(), kind})
		}
	}
	return nil
}

func ownFolder(at, name string) bool { return at == "backup" || name == "backup" || name == "trust" }

// mine reports whether a file is the user's, as far as the system tells.
func mine(e *subcmd.Env, info fs.FileInfo) bool {
	uid, known := e.World.Files.Owner(info)
	return !known || uid == e.World.UID
}

func (f *stateFolder) print(e *subcmd.Env) {
	var rows [][]string
	for i, k := range stateKinds() {
		n, size := 0, int64(0)
		for _, it := range f.items {
			if it.kind == i {
				n, size = n+1, size+it.size
			}
		}
		rows = append(rows, []string{k.what, fmt.Sprintf("%s, %d KiB", subcmd.Plural(n, "file", "files"), (size+1023)/1024)})
	}
	e.Table("  ", rows)
	for _, o := range f.others {
		fmt.Fprintf(e.Out, "  stays: %s\n", hookio.Escape(o))
	}
}

func (f *stateFolder) keep(o *stateOptions) {
	kinds := stateKinds()
	f.items = slices.DeleteFunc(f.items, func(it stateFile) bool { return kinds[it.kind].onAsked && !o.backups })
}

// remove removes the files on the list, and the folders that are empty then.
func (f *stateFolder) remove() (n int, size int64, err error) {
	var folders []string
	for _, it := range f.items {
		if err := f.root.Remove(it.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return n, size, err
		}
		n, size = n+1, size+it.size
		for dir := path.Dir(it.name); dir != "."; dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) })
	for _, dir := range slices.Compact(folders) {
		if info, err := f.root.Lstat(dir); err == nil && info.IsDir() {
			f.root.Remove(dir) // stays while it is not empty
		}
	}
	name := f.root.Name()
	f.root.Close()
	if len(f.others) == 0 {
		os.Remove(name)
	}
	return n, size, nil
}

// A stateKind is one kind of file in the state folder, by patterns of path.Match. Kinds are shown and removed in
// their order, locks after what they are for.
type stateKind struct {
	what    string
	names   []string
	onAsked bool // only --backups removes it
}

func stateKinds() []stateKind {
	return []stateKind{
		{what: "session grants", names: []string{"session-*.json", ".session-*", "session.lock"}},
		{what: "verdicts of your classifier", names: []string{"verdicts-*.json"}},
		{what: "unwanted rules", names: []string{state.NeverName}},
		{what: "log", names: []string{"log.jsonl", "log.[0-9]*.jsonl", "log.error", "log.lock", "log.asks"}},
		{what: "trust records", names: []string{"trust/*"}},
		{what: "backups", names: []string{"backup/*/*.bak-*"}, onAsked: true},
	}
}

func stateKindOf(name string) int {
	return slices.IndexFunc(stateKinds(), func(k stateKind) bool {
		return slices.ContainsFunc(k.names, func(pattern string) bool { return nameMatches(pattern, name) })
	})
}
