package hosts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A system is one that --print writes files for.
type system struct {
	name, goos, exe string // exe is where docs/fleet.md puts the binary
	rules           rules.OS
}

var systems = [...]system{
	{"linux", "linux", "/usr/local/bin/permgate", rules.Linux},
	{"macos", "darwin", "/usr/local/bin/permgate", rules.MacOS},
	{"windows", "windows", `C:\Program Files\permgate\permgate.exe`, rules.Windows},
}

// printFiles prints the files that a managed registration consists of, for machines that are set up by other means.
func printFiles(e *subcmd.Env, o *installOptions) int {
	const usage = "permgate install --host claude --scope managed --print --os windows"
	at := slices.IndexFunc(systems[:], func(s system) bool { return s.name == o.os })
	h := agents.Lookup(o.host)
	switch {
	case o.scope != hookio.ForManaged:
		return e.Fail(usage, "--print is for --scope managed: its files name no home directory")
	case at < 0:
		return e.Fail(usage, "unknown system %q; linux, macos and windows are known", hookio.Escape(o.os))
	case h == nil:
		return e.Fail(usage, "%s: no automatic registration for this program", hookio.Escape(o.host))
	}
	s := systems[at]
	if o.exe != "" {
		s.exe = o.exe
	}
	dirs := agents.Dirs{OS: s.goos, Getenv: e.World.Getenv, Exists: func(string) bool { return false }}
	p, ok := dirs.Place(h, hookio.ForManaged)
	if !ok {
		return e.Fail("", "%s has no hook file of scope managed on %s that permgate can write", h.Title, s.name)
	}
	hooks, err := edit.Parse(p.Name, nil)
	if err == nil {
		err = agents.Register(h, p, hooks, s.exe)
	}
	if err != nil {
		return e.Fail("", "%v", err)
	}
	posture, err := agents.NewPosture(h)
	if err == nil {
		_, err = agents.Enforce(h, posture)
	}
	if err != nil {
		return e.Fail("", "%v", err)
	}
	root := slices.Index(load.Roots[:], cmp.Or(subcmd.OwnRoot(h), ".claude"))
	show := func(name string, text []byte) {
		fmt.Fprintf(e.Machine(), "== %s\n%s\n", name, strings.TrimSuffix(string(text), "\n"))
	}
	show(p.Name, hooks.Bytes())
	dir := p.Name[:strings.LastIndexAny(p.Name, `/\`)+1]
	for _, f := range h.Register.Beside {
		show(dir+f.Path, []byte(f.Text()))
	}
	show(s.rules.Native(load.ManagedDirs(s.rules)[root]+"/"+load.ManagedGate), posture.Bytes())
	return subcmd.ExitOK
}
