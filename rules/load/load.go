// Package load reads settings files into a rules.Policy: their JSON, their scopes,
// the keys of permgate.json, agent definitions, and which grants are trusted.
package load

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A loader gathers one Policy.
type loader struct {
	w Where
	f Files
	p *rules.Policy

	homes     []home
	envs      []envDir
	userRoots []userRoot
	looks     []look
	chain     []string     // project, then cwd and what lies above it
	around    []rules.Path // see places
	sources   []*source
	nodes     []node // see parse
	spent     spent
	steps     int  // of the files that were parsed, see doc
	everyHost bool // sections of permgate.json for any host are kept, see Claims
}

// Load reads every settings file that bears on a call. It never fails: what
// cannot be used is in Policy.Faults, and what does not count in Policy.Dropped.
//
// Restrictions are taken from every file. Grants are set aside while reading,
// because whether they count (locks, trust, who owns a home) may be said by a
// file that is read later.
func Load(w Where, f Files) *rules.Policy {
	w.canon()
	l := loader{w: w, f: f, p: &rules.Policy{OS: w.OS}}
	l.gather()
	l.judge()
	l.grant()
	l.flagRules()
	l.agent()
	l.skill()
	l.mode()
	l.weigh()
	return l.p
}

// gather reads every file and takes what restricts.
func (l *loader) gather() {
	l.anchors()

	l.readManaged()
	l.readFlags()
	l.readUser()
	l.readProject()
	slices.SortStableFunc(l.sources, func(a, b *source) int { return cmp.Compare(b.scope, a.scope) })

	l.settleHomes()
	l.p.Places = l.places()
	l.restrict()
}

// restrict takes what restricts from every file.
func (l *loader) restrict() {
	p := l.p
	deny, ask := 0, 0
	for _, s := range l.sources {
		deny, ask = deny+len(s.deny), ask+len(s.ask)
	}
	p.Deny, p.Ask = slices.Grow(p.Deny, deny), slices.Grow(p.Ask, ask)
	for _, s := range l.sources {
		p.Deny = append(p.Deny, s.deny...)
		p.Ask = append(p.Ask, s.ask...)
		for i := range s.on {
			if to := l.flag(i); s.on[i].On() && !to.On() {
				*to = s.on[i]
			}
		}
	}
	if to := l.flag(lockAuto); l.w.AutoOff && !to.On() {
		*to = rules.Setting{Value: "true", Scope: rules.Flag, Pos: rules.Pos{File: KillSwitch}}
	}
	for i := range p.Faults { // a managed file that cannot be used may have held a lock
		if f := &p.Faults[i]; f.Scope == rules.Managed && f.Closed {
			for _, lock := range [...]int{lockBypass, lockAuto} {
				if to := l.flag(lock); !to.On() {
					*to = rules.Setting{Value: "true", Scope: rules.Managed, Pos: f.Pos}
				}
			}
		}
	}
}

// flag returns the place of a switch in the policy.
func (l *loader) flag(i int) *rules.Setting {
	switch i {
	case lockBypass:
		return &l.p.LockBypass
	case lockAuto:
		return &l.p.LockAuto
	case fenceRead:
		return &l.p.FenceRead
	case fenceWrite:
		return &l.p.FenceWrite
	case noPrompts:
		return &l.p.NoPrompts
	}
	return &l.p.ManagedOnly
}

// grant takes what grants from the files whose grants count.
func (l *loader) grant() {
	p := l.p
	allow, drop := 0, 0
	for _, s := range l.sources {
		if s.why == "" {
			allow += len(s.allow)
		} else {
			drop += len(s.allow) + len(s.dirs)
		}
	}
	p.Sources = make([]rules.Source, 0, len(l.sources))
	p.Allow, p.Dropped = slices.Grow(p.Allow, allow), slices.Grow(p.Dropped, drop)
	for _, s := range l.sources {
		p.Sources = append(p.Sources, rules.Source{Path: s.path, Scope: s.scope, Why: s.why, Sum: rules.SumOf(s.data)})
		for i := range s.allow {
			why := s.untrusted.of(i)
			l.allow(s.allow[i], cmp.Or(s.why, why))
			if s.unmanaged && why == "" {
				p.Unmanaged = append(p.Unmanaged, s.allow[i])
			}
			if why != "" && !s.untrusted.quiet {
				p.Untrusted = append(p.Untrusted, s.allow[i])
			}
		}
		if s.untrusted.held != nil && s.scope == rules.Local && !s.untrusted.quiet {
			p.InIndex = append(p.InIndex, s.path)
		}
		for i, d := range s.dirs {
			why := s.untrusted.of(len(s.allow) + i)
			l.dir(d, p.Project.Given, cmp.Or(s.why, why))
			if why != "" && !s.untrusted.quiet {
				p.Dropped[len(p.Dropped)-1].Untrusted = true
			}
		}
		l.grantAuto(s)
	}
}

func (l *loader) allow(r rules.Rule, why string) {
	if why != "" {
		l.drop(r.Text, r.Pos, why)
		return
	}
	l.p.Allow = append(l.p.Allow, r)
}

// folder is an additional directory as a path: DIR/... is DIR with all below it, which DIR is as well.
func folder(value string) string {
	if dir, ok := strings.CutSuffix(value, "/..."); ok {
		return cmp.Or(dir, "/")
	}
	return value
}

// dir adds an additional directory. One that holds everything is kept, it was
// written down; but it leaves nothing outside the workspace, and says so.
func (l *loader) dir(d rules.Setting, base, why string) {
	if why != "" || d.Value == "" {
		l.drop(d.Value, d.Pos, cmp.Or(why, "an empty string is not a directory"))
		if d.Value != "" {
			l.p.Dropped[len(l.p.Dropped)-1].Dir = l.path(l.absolute(folder(d.Value), base))
		}
		return
	}
	path := l.path(l.absolute(folder(d.Value), base))
	for _, h := range l.homes {
		if rules.Within(h.path.Given, path.Given) || rules.Within(h.path.Real, path.Real) {
			l.faulty(rules.Fault{Pos: d.Pos, Scope: d.Scope,
				Msg: "the additional directory " + path.Given + " contains the whole home directory: name the folders you need"})
			break
		}
	}
	l.p.Dirs = append(l.p.Dirs, rules.Dir{Path: path, Scope: d.Scope, Pos: d.Pos})
}

// grantAuto takes the lists of autoMode, which only --settings, user and managed
// files configure.
func (l *loader) grantAuto(s *source) {
	a := &l.p.Auto
	to := [len(rules.AutoKeys)]*[]rules.Rule{&a.HardDeny, &a.SoftDeny, &a.Allow}
	for i := range s.auto {
		why := s.why
		if s.scope == rules.User || s.scope == rules.Managed || s.scope == rules.Flag {
			a.Own[i] = a.Own[i] || s.auto[i].own && why == ""
			if i != rules.AutoAllow { // restrictions bind
				why = ""
			}
		} else {
			why = "only user and managed files configure autoMode"
		}
		l.takeAuto(s, i, to[i], why)
	}
}

// takeAuto takes one list of autoMode, or says why it does not count. In a .claude
// file of a project "$defaults" may be meant for the host, so nothing is said of it.
func (l *loader) takeAuto(s *source, i int, to *[]rules.Rule, why string) {
	a, from := &l.p.Auto, &s.auto[i]
	for _, r := range from.rules {
		if why == "" {
			*to = append(*to, r)
			continue
		}
		l.drop(r.Text, r.Pos, why)
		l.p.Dropped[len(l.p.Dropped)-1].Auto = rules.AutoKeys[i].Name
	}
	switch {
	case !from.defaults.On():
	case why == "" && !a.Defaults[i].On():
		a.Defaults[i] = from.defaults
	case why != "" && s.root != ".claude":
		l.drop(defaults, from.defaults.Pos, why)
		l.p.Dropped[len(l.p.Dropped)-1].Auto = rules.AutoKeys[i].Name
	}
	if a.Defaults[i].On() {
		a.Own[i] = false
	}
}

func (l *loader) drop(text string, pos rules.Pos, why string) {
	l.p.Dropped = append(l.p.Dropped, rules.Dropped{Text: text, Pos: pos, Why: why})
}
