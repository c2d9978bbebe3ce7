package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/internal/gate"
)

// stateOptions are the options of permgate state.
type stateOptions struct {
	writeOptions
	clean, backups bool
}

func stateCommand() *Command {
	var o stateOptions
	return &Command{
		Name:  "state",
		Short: "show or remove what permgate stores outside of settings",
		Long: `Shows the state folder: the log, session grants, trust records, and backups of
project files that permgate changed.

--clean removes the log, session grants and trust records; --backups removes the
backups too. Running sessions will be asked again about what was granted, and project
settings have to be trusted again. Only your own regular files with permgate's names
are removed; symlinks are neither followed nor removed, and other files stay.

It changes what is asked about, so it needs a terminal to confirm on, or --yes.`,
		Examples: []Example{
			{"permgate state", ""},
			{"permgate state --clean --dry-run", "the files that would be removed"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.clean, "clean", false, "remove log, session grants and trust records")
			fs.BoolVar(&o.backups, "backups", false, "with --clean: the backups of project files as well")
			o.register(fs)
			fs.Lookup("dry-run").Usage = "list the files and remove nothing"
		},
		Run: func(e *env, args []string) int {
			switch {
			case len(args) > 0:
				return e.fail("permgate help state", "unexpected operand %q", args[0])
			case !o.clean && (o.backups || o.yes || o.dryRun):
				return e.fail("permgate state --clean", "--backups, --yes and --dry-run go with --clean")
			}
			return showState(e, &o)
		},
	}
}

// showState prints what is in the state folders, and removes it if asked to.
func showState(e *env, o *stateOptions) int {
	n, bytes := 0, int64(0)
	for _, dir := range stateDirs(e) {
		f, err := readState(e, dir)
		if err != nil {
			return e.fail("check that folder and files are yours (ls -la); nothing was removed", "%v", err)
		}
		fmt.Fprintf(e.out, "%s\n", e.path(dir))
		f.print(e)
		if !o.clean {
			continue
		}
		f.keep(o)
		if o.dryRun {
			for _, it := range f.items {
				fmt.Fprintf(e.out, "would remove %s\n", e.path(it.path(dir)))
			}
			continue
		}
		if len(f.items) == 0 {
			continue
		}
		if !o.yes {
			if code := e.confirm("remove " + plural(len(f.items), "file", "files") + "?"); code != exitOK {
				return code
			}
		}
		gone, size, err := f.remove()
		n, bytes = n+gone, bytes+size
		if err != nil {
			return e.fail("check that folder and files are yours (ls -la)",
				"%s removed, then: %v", plural(n, "file", "files"), err)
		}
	}
	if o.clean && !o.dryRun {
		fmt.Fprintf(e.out, "removed %s, %d KiB\n", plural(n, "file", "files"), (bytes+1023)/1024)
	}
	return exitOK
}

// stateDirs are the folders state of calls made here is kept in: the log's is
// another one where XDG_STATE_HOME leads into the project.
func stateDirs(e *env) []string {
	dirs := []string{gate.StateDir(&gate.Flags{}, e.world)}
	if dir := logDir(e, &gate.Flags{}); dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	return dirs
}
