package hosts

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
)

// DoctorCommand checks the installation.
func DoctorCommand() *subcmd.Command {
	var host string
	var json bool
	return &subcmd.Command{
		Name:  "doctor",
		Args:  "[--host NAME]",
		Short: "check the binary, the registrations, the settings and the log",
		Long: `Prints one line per check: ok, warn or fail, what was found, where, and the command
that fixes it. Each registered hook is run once, as its host would run it, with a
harmless call, and its answer is compared with permgate's own. Only commands install
could have written are run, with or without --headless, and only if they start this
binary. A registered program is asked for its --version, unless it is found in the
project, and its release is compared with the last one permgate was tested with.

Exit code: 0 if everything is ok, 1 otherwise, 3 if doctor itself failed.`,
		Examples: []subcmd.Example{
			{"permgate doctor", ""},
			{"permgate doctor --host codex --json", "one JSON object for every line"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&host, "host", "", "only this agent program: "+agents.Names(", "))
			fs.BoolVar(&json, "json", false, "print one JSON object for every line")
		},
		Run: func(e *subcmd.Env, args []string) int { return doctor(e, host, json, args) },
	}
}

type level uint8

const (
	fine level = iota
	warn
	fail
)

// String returns the word the line starts with.
func (l level) String() string { return [...]string{"ok", "warn", "fail"}[l] }

type finding struct {
	level
	topic string // "binary", "claude", "settings", "log"
	text  string
	hash  string // of the managed settings
	fix   string // what to type or to do, "" when there is nothing to do
}

type checkup struct {
	machine
	findings []finding
	callers  []string // hosts the log holds calls of, once it was read
	unread   bool     // the log cannot tell
	asks     map[uint64]*repeatedAsk
}

func (c *checkup) add(l level, topic, fix, format string, args ...any) {
	c.findings = append(c.findings, finding{level: l, topic: topic, text: hookio.Escape(fmt.Sprintf(format, args...)),
		fix: hookio.Escape(fix)})
}

func doctor(e *subcmd.Env, name string, json bool, args []string) int {
	if len(args) > 0 {
		return e.Fail("permgate help doctor", "unexpected operand %q", args[0])
	}
	hosts := hostsNamed(name)
	if hosts == nil {
		return e.Fail("permgate doctor --host "+agents.Names("|"), "%s: permgate cannot register with this program", name)
	}
	dirs, err := e.Dirs()
	if err != nil {
		return e.Fail("", "%v", err)
	}
	c := &checkup{machine: machine{Env: e, dirs: dirs}, asks: map[uint64]*repeatedAsk{}}
	h := c.first(hosts)
	c.readCallers(h)
	c.binary()
	c.hosts(hosts, name != "")
	c.settings(h)
	c.export(hosts)
	if c.state() {
		c.log(h)
	}
	return c.print(json)
}

// first is the program whose posture is shown: the first of several that runs the hook.
func (c *checkup) first(hosts []*hookio.Host) *hookio.Host {
	for _, h := range hosts {
		if plugin, _ := c.dirs.Plugin(h, c.ReadText); plugin.Name != "" || len(c.registrations(h)) > 0 {
			return h
		}
	}
	return hosts[0]
}

func (c *checkup) print(json bool) int {
	code := subcmd.ExitOK
	for _, f := range c.findings {
		if f.level != fine {
			code = subcmd.ExitAsk
		}
		if json {
			c.PrintObject(subcmd.NewObject("level", f.level, "topic", f.topic, "text", f.text,
				"hash", subcmd.Opt(f.hash), "fix", subcmd.Opt(f.fix)))
			continue
		}
		fix := ""
		if f.fix != "" {
			fix = "; fix: " + f.fix
		}
		fmt.Fprintf(c.Out, "%s%s%s: %s%s\n", c.mark(f.level), strings.Repeat(" ", 6-len(f.level.String())),
			f.topic, f.text, fix)
	}
	return code
}

func (c *checkup) mark(l level) string {
	if !term.Colour(c.Out, c.World.Getenv) {
		return l.String()
	}
	return [...]string{"\x1b[32m", "\x1b[33m", "\x1b[31m"}[l] + l.String() + "\x1b[0m"
}

// settings lists files, faults and locks, and what does not count. Only sections of permgate.json depend on the host.
func (c *checkup) settings(h *hookio.Host) {
	p := c.Policy(h)
	for _, s := range p.Sources {
		only := ""
		if s.Why != "" { // what it grants in vain is named below
			only = ", restrictions only: " + s.Why
		}
		if faulty := func(f rules.Fault) bool { return f.Pos.File == s.Path }; !slices.ContainsFunc(p.Faults, faulty) {
			c.add(fine, "settings", "", "%s: %s%s", s.Scope, c.Path(s.Path), only)
		}
	}
	if len(p.Sources) == 0 {
		c.add(fine, "settings", "", "no settings file: the mode alone decides every call")
	}
	if hash := p.ManagedHash(); hash != "" {
		c.findings = append(c.findings, finding{topic: "managed", text: "managed settings with hash " + hash, hash: hash})
	}
	for _, f := range p.Faults {
		if f.Closed {
			c.add(fail, "settings", "correct the file", "%s: %s; until then every allow of steps 3 to 7 becomes ask",
				c.Path(f.Pos.String()), f.Msg)
			continue
		}
		c.add(warn, "settings", "correct the file", "%s: skipped: %s", c.Path(f.Pos.String()), f.Msg)
	}
	for _, line := range c.stopNothing(h) {
		c.add(warn, "rules", "permgate lint", "%s", line)
	}
	for i := range p.Tools {
		var names []string
		for _, r := range p.Tools[i].Rules {
			names = append(names, r.Text)
		}
		c.add(fine, "tools", "", "only %s may be used (%s)", cmp.Or(strings.Join(names, ", "), "no tool"), c.Place(p.Tools[i].Pos))
	}
	for _, d := range p.Dropped {
		c.add(warn, "settings", "", "%s: %s does not count: %s", c.Place(d.Pos), d.Text, d.Why)
	}
	for _, note := range p.ModeNotes {
		c.add(warn, "settings", "", "%s", note)
	}
	for _, s := range subcmd.Settings(p)[:2] {
		if s.On() {
			c.add(fine, "lock", "", "%s%s", s.Name, c.From(s.Setting))
		}
	}
	for _, k := range operator.Keys(p, c.World.Environ) {
		if file, err := k.Find(); err != nil {
			c.add(fail, k.Name, "name a program that is kept outside of every project, and that only you can write to", "%v%s", err, c.From(k.Setting))
		} else {
			c.add(fine, k.Name, "", "%s%s", c.Path(file), c.From(k.Setting))
		}
	}
	trust := cmp.Or(p.Posture.ProjectTrust.Value, "off")
	c.add(fine, "trust", "", "projectTrust is %s%s", trust, c.From(p.Posture.ProjectTrust))
	if trust == "require" {
		c.trust()
	}
}

// stopNothing says which restrictions in the settings files bind no call, a line each.
func (m *machine) stopNothing(h *hookio.Host) (lines []string) {
	for _, f := range lint.StopNothing(lint.New(m.World, gate.Flags{}, h)) {
		lines = append(lines, m.Place(f.Pos)+": "+f.Advice())
	}
	return lines
}

func (c *checkup) trust() {
	k := c.GrantDiff("")
	if k.Err != nil {
		if slices.ContainsFunc(k.Entries, func(f *subcmd.Entry) bool { return f.Needed }) {
			c.add(fail, "trust", "move it away or restore its mode, then run permgate trust", "nothing is trusted: %v", k.Err)
		}
		return
	}
	for _, f := range k.Entries {
		switch name := c.Path(f.Path); f.State() {
		case subcmd.StateTrusted:
			c.add(fine, "trust", "", "%s is trusted since %s", name, f.Since())
		case subcmd.StateChanged:
			c.add(warn, "trust", "permgate trust --diff, then permgate trust",
				"%s has %s since it was trusted on %s, which %s not count", name,
				subcmd.Plural(len(f.News()), "new grant", "new grants"), f.Since(), map[bool]string{true: "does",
					false: "do"}[len(f.News()) == 1])
		case subcmd.StateUntrusted:
			if f.Err != nil {
				c.add(fail, "trust", "permgate trust", "%s: the trust record does not count: %v", name, f.Err)
				continue
			}
			c.add(warn, "trust", "permgate trust", "%s was never trusted, so it can only restrict", name)
		}
	}
}

// state looks at the folder of grants and log, which must be the user's alone: what is in it grants. ok is false
// where nothing can be written.
func (c *checkup) state() (ok bool) {
	dir := gate.StateDir(&gate.Flags{}, c.World)
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		c.add(fine, "state", "", "%s does not exist yet", c.Path(dir))
		return true
	case err != nil:
		c.add(fail, "state", "", "%v", err)
		return false
	case !info.IsDir():
		c.add(fail, "state", "move it away", "%s is not a folder", c.Path(dir))
		return false
	}
	if described, err := c.World.Files.Stat(dir); err == nil {
		info = described
	}
	if uid, known := c.World.Files.Owner(info); known && uid != c.World.UID {
		c.add(fail, "state", subcmd.TakeOver(dir), "%s belongs to another user", c.Path(dir))
		return false
	}
	if c.World.Files.OthersWrite(info) {
		c.add(fail, "state", subcmd.NotOthers("700", dir), "others can write to %s, so nothing in it counts", c.Path(dir))
		return true
	}
	c.add(fine, "state", "", "%s", c.Path(dir))
	for _, err := range gate.Sessions(&gate.Flags{}, c.World).Newer() {
		c.add(warn, "state", "upgrade permgate", "no session grants: %v", err)
	}
	return true
}

// log looks whether a record could be written now, and whether all could be so far.
func (c *checkup) log(h *hookio.Host) {
	p := c.Policy(h)
	g := &p.Posture
	level, dir := g.AuditLevel().Level, gate.LogDir(&gate.Flags{}, c.World, p)
	if level == "off" {
		c.add(warn, "log", "remove audit from permgate.json",
			"switched off%s: permgate log and explain --last have no data", c.From(g.Audit))
		return
	}
	if err := log.Check(dir); err != nil {
		c.add(fail, "log", "free disk space, or take ownership of the folder", "nothing can be logged: %v", err)
		return
	}
	files, err := log.Files(dir)
	size := int64(0)
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	if err != nil {
		c.add(fail, "log", "", "%v", err)
		return
	}
	c.add(fine, "log", "", "%s: level %s, %d KiB in %s", c.Path(filepath.Join(dir, log.Name)), level,
		(size+1023)/1024, subcmd.Plural(len(files), "file", "files"))
	if when, what := log.LastError(dir); !when.IsZero() {
		c.add(warn, "log", "rm "+subcmd.QuoteArg(filepath.Join(dir, "log.error"))+" once it is fixed",
			"a record could not be written on %s: %s", when.Format(time.DateTime), what)
	}
	c.repeated()
}

// settled is how long a registered hook may go uncalled before that is strange.
const settled = 24 * time.Hour

// readCallers finds the hosts whose calls are logged. h is any host: the settings say whether there is a log.
func (c *checkup) readCallers(h *hookio.Host) {
	p := c.Policy(h)
	if p.Posture.AuditLevel().Level == "off" {
		c.unread = true
		return
	}
	_, err := log.ReadDir(gate.LogDir(&gate.Flags{}, c.World, p), func(r *log.Record) {
		if r.Fault != log.FaultUsage && !slices.Contains(c.callers, r.Host) {
			c.callers = append(c.callers, r.Host)
		}
		if r.AskedPerson() && c.World.Now.Sub(r.Time) < log.AskedWithin {
			c.countAsk(r)
		}
	})
	c.unread = err != nil
}

// called says that a registered host never called: its hooks may be switched off where permgate cannot see it.
func (c *checkup) called(h *hookio.Host, regs []registered) {
	if c.unread || slices.Contains(c.callers, h.Name) {
		return
	}
	level, fix := fine, ""
	for i := range regs {
		if info, err := os.Stat(regs[i].Name); err == nil && c.World.Now.Sub(info.ModTime()) > settled {
			level, fix = warn, "permgate log -f, and use "+h.Title+": no line means it does not run the hook"
		}
	}
	if h.Register.After != "" {
		level, fix = warn, h.Register.After
	}
	c.add(level, h.Name, fix, "no call from %s in the log: it has never run the hook", h.Title)
}

type repeatedAsk struct {
	last     *log.Record
	times    int
	sessions map[string]int
	often    bool // as the hook counts
}

const mostRepeated = 3

func (c *checkup) countAsk(r *log.Record) {
	key := log.AskKey(r.Project, r.Tool, r.Code, r.Check, r.Part)
	a := c.asks[key]
	if a == nil {
		a = &repeatedAsk{sessions: map[string]int{}}
		c.asks[key] = a
	}
	a.last = r
	a.times++
	a.sessions[r.Session]++
	a.often = a.often || a.times >= log.OftenInWeek || r.Session != "" && a.sessions[r.Session] >= log.OftenInSession
}

func (c *checkup) repeated() {
	list := slices.SortedFunc(maps.Values(c.asks), func(a, b *repeatedAsk) int {
		return cmp.Or(b.times-a.times, b.last.Time.Compare(a.last.Time))
	})
	var said []string
	for _, a := range list {
		if end := c.ending(a); end != "" && len(said) < mostRepeated {
			said = append(said, fmt.Sprintf("%s %d times (%s)", subcmd.Cut(hookio.Escape(a.last.Part), 60), a.times, end))
		}
	}
	if len(said) > 0 {
		c.add(fine, "log", "", "asked most often in the last 7 days: %s", strings.Join(said, ", "))
	}
}

// ending is what to type so that a call is not asked about again, "" where that is done.
func (c *checkup) ending(a *repeatedAsk) string {
	if !a.often {
		return ""
	}
	l := subcmd.LastCall{LoggedCall: &subcmd.LoggedCall{Record: *a.last}}
	l.Again(c.Env)
	text, tool := gjson.Get(a.last.Input, gate.Primary(a.last.Tool)).Str, a.last.Tool
	if tool == "Bash" {
		tool = ""
	}
	switch {
	case l.Case == nil || text == "" || hookio.Escape(text) != text:
		return "permgate log --since 7d"
	case l.Verdict.Decision() != hookio.Ask:
		return ""
	}
	verb := "report"
	if _, refusal := propose.For(l.Verdict, propose.Into{List: rules.Allow, Scope: rules.Local}); refusal == nil {
		verb = "allow"
	}
	args := subcmd.CallArgs([]string{text}, tool)
	if p := l.Case.Policy.Project.Given; !subcmd.Within(c.World.Cwd, l.Case.Policy.Project) {
		return "in " + c.Path(p) + ": permgate " + verb + " " + args
	}
	return "permgate " + verb + " " + args
}
