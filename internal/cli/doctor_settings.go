package cli

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/rules"
)

// from is where a setting comes from, in brackets.
func (e *env) from(s rules.Setting) string {
	if s.Pos.File == "" {
		return ""
	}
	return " (" + e.place(s.Pos) + ")"
}

// settings lists the files that are read, their faults, locks, and what of them
// does not count. It is the same for every host but for sections of permgate.json.
func (c *checkup) settings(hosts []*hookio.Host) {
	p := c.policy(hosts[0])
	n := 0
	for _, s := range p.Sources {
		n++
		if s.Why != "" {
			// what it grants in vain is named below
			c.add(fine, "settings", "", "%s: %s, restrictions only: %s", s.Scope, c.path(s.Path), s.Why)
			continue
		}
		c.add(fine, "settings", "", "%s: %s", s.Scope, c.path(s.Path))
	}
	if n == 0 {
		c.add(fine, "settings", "", "no settings file: the mode alone decides every call")
	}
	for _, f := range p.Faults {
		if f.Closed {
			c.add(fail, "settings", "fix it", "%s: %s; until then every allow of steps 3 to 7 becomes ask",
				c.path(f.Pos.String()), f.Msg)
			continue
		}
		c.add(warn, "settings", "fix it", "%s: skipped: %s", c.path(f.Pos.String()), f.Msg)
	}
	for _, f := range lint.StopNothing(lint.New(c.world, gate.Flags{}, hosts[0])) {
		c.add(warn, "rules", "permgate lint", "%s: %s", c.place(f.Pos), f.Text)
	}
	for _, d := range p.Dropped {
		c.add(warn, "settings", "", "%s: %s does not count: %s", c.place(d.Pos), d.Text, d.Why)
	}
	for _, note := range p.ModeNotes {
		c.add(warn, "settings", "", "%s", note)
	}
	for _, s := range [...]namedSetting{{"disableBypassPermissionsMode", p.LockBypass}, {"disableAutoMode", p.LockAuto}} {
		if s.On() {
			c.add(fine, "lock", "", "%s%s", s.name, c.from(s.Setting))
		}
	}
	for _, k := range operator.Keys(p, c.world.Environ) {
		if file, err := k.Find(); err != nil {
			c.add(fail, k.Name, "name a program of yours that is kept outside of every project, and chmod 700 it", "%v%s", err, c.from(k.Setting))
		} else {
			c.add(fine, k.Name, "", "%s%s", c.path(file), c.from(k.Setting))
		}
	}
	trust := p.Posture.ProjectTrust.Value
	if trust == "" {
		trust = "off"
	}
	c.add(fine, "trust", "", "projectTrust is %s%s", trust, c.from(p.Posture.ProjectTrust))
	if trust == "require" {
		c.trust()
	}
}

// trust says of every file of the project that grants something whether it is trusted.
func (c *checkup) trust() {
	k := c.grantDiff("")
	if k.err != nil {
		if slices.ContainsFunc(k.entries, func(f *entry) bool { return f.Needed }) {
			c.add(fail, "trust", "move it away or restore its mode, then run permgate trust", "nothing is trusted: %v", k.err)
		}
		return
	}
	for _, f := range k.entries {
		switch name := c.path(f.Path); f.state() {
		case stateTrusted:
			c.add(fine, "trust", "", "%s is trusted since %s", name, f.since())
		case stateChanged:
			c.add(warn, "trust", "permgate trust --diff, then permgate trust",
				"%s has %s since it was trusted on %s, which %s not count", name,
				plural(len(f.news()), "new grant", "new grants"), f.since(), map[bool]string{true: "does",
					false: "do"}[len(f.news()) == 1])
		case stateUntrusted:
			if f.err != nil {
				c.add(fail, "trust", "permgate trust", "%s: the trust record does not count: %v", name, f.err)
				continue
			}
			c.add(warn, "trust", "permgate trust", "%s was never trusted, so it can only restrict", name)
		}
	}
}

// state looks at the folder of session grants and of the log: it must be the
// user's alone, because what lies in it grants. ok is false when nothing can be
// written there.
func (c *checkup) state() (ok bool) {
	dir := gate.StateDir(&gate.Flags{}, c.world)
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		c.add(fine, "state", "", "%s does not exist yet", c.path(dir))
		return true
	case err != nil:
		c.add(fail, "state", "", "%v", err)
		return false
	case !info.IsDir():
		c.add(fail, "state", "move it away", "%s is not a folder", c.path(dir))
		return false
	}
	if uid, known := c.world.Files.Owner(info); known && uid != c.world.UID {
		c.add(fail, "state", "sudo chown -R $(id -u) "+quoteArg(dir), "%s belongs to another user", c.path(dir))
		return false
	}
	if c.world.Files.OthersWrite(info) {
		c.add(fail, "state", "chmod 700 "+quoteArg(dir), "others can write to %s, so nothing in it counts", c.path(dir))
		return true
	}
	c.add(fine, "state", "", "%s", c.path(dir))
	for _, err := range gate.Sessions(&gate.Flags{}, c.world).Newer() {
		c.add(warn, "state", "upgrade permgate", "no session grants: %v", err)
	}
	return true
}

// log looks whether a record could be written now, and whether all could be so far.
func (c *checkup) log(h *hookio.Host) {
	p := c.policy(h)
	g := &p.Posture
	level, dir := g.AuditLevel().Level, gate.LogDir(&gate.Flags{}, c.world, p)
	if level == "off" {
		c.add(warn, "log", "remove audit from permgate.json",
			"switched off%s: permgate log and explain --last have no data", c.from(g.Audit))
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
	c.add(fine, "log", "", "%s: level %s, %d KiB in %s", c.path(filepath.Join(dir, log.Name)), level,
		(size+1023)/1024, plural(len(files), "file", "files"))
	if when, what := log.LastError(dir); !when.IsZero() {
		c.add(warn, "log", "rm "+quoteArg(filepath.Join(dir, "log.error"))+" once it is fixed",
			"a record could not be written on %s: %s", when.Format(time.DateTime), what)
	}
	c.repeated()
}
