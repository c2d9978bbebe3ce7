// Package load reads settings files into a rules.Policy, and says which grants of them are trusted.
package load

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
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
	chain     []string     // project, then cwd and what is above it
	around    []rules.Path // see places
	sources   []*source
	nodes     []node // see parse
	spent     spent
	steps     int  // of the files that were parsed, see doc
	everyHost bool // sections of permgate.json for any host are kept, see Claims

	exports     []export // see exported
	exportsRead bool
}

// Load reads every settings file that matters for a call. It never fails: what
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
	l.skillText()
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
		exported := l.exported(s)
		for i := range s.allow {
			if exported[s.allow[i].Text] {
				p.Untrusted = append(p.Untrusted, s.allow[i]) // the host obeys it
				continue
			}
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
		if s.why == "" && (s.root == "" || slices.Contains(l.w.Roots, s.root)) {
			p.Folders = append(p.Folders, s.folders...)
		}
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
		dropped := l.drop(d.Value, d.Pos, cmp.Or(why, "an empty string is not a directory"))
		if d.Value != "" {
			dropped.Dir = l.path(l.absolute(folder(d.Value), base))
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

// grantAuto takes the lists of autoMode, only from --settings, user and managed files.
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
// file of a project "$defaults" may be meant for the host, so it is not reported.
func (l *loader) takeAuto(s *source, i int, to *[]rules.Rule, why string) {
	a, from := &l.p.Auto, &s.auto[i]
	for _, r := range from.rules {
		if why == "" {
			*to = append(*to, r)
			continue
		}
		l.drop(r.Text, r.Pos, why).Auto = rules.AutoKeys[i].Name
	}
	switch {
	case !from.defaults.On():
	case why == "" && !a.Defaults[i].On():
		a.Defaults[i] = from.defaults
	case why != "" && s.root != ".claude":
		l.drop(defaults, from.defaults.Pos, why).Auto = rules.AutoKeys[i].Name
	}
	if a.Defaults[i].On() {
		a.Own[i] = false
	}
}

// drop notes what does not count. What it returns is good until the next one.
func (l *loader) drop(text string, pos rules.Pos, why string) *rules.Dropped {
	l.p.Dropped = append(l.p.Dropped, rules.Dropped{Text: text, Pos: pos, Why: why})
	return &l.p.Dropped[len(l.p.Dropped)-1]
}

// readFlags reads the files of --settings. The operator named them: a missing one is a fault.
func (l *loader) readFlags() {
	for _, name := range l.w.Settings {
		path := l.absolute(name, l.w.Cwd)
		at := place{path: path, scope: rules.Flag}
		if strings.Contains(path, "/.claude/") {
			at.root = ".claude"
		}
		if !l.exists(path) {
			l.unusable(at, "--settings names a file that does not exist")
			continue
		}
		l.read(at)
	}
}

// flagRules reads --allowedTools, --disallowedTools, --tools and --add-dir.
func (l *loader) flagRules() {
	only := l.whyManagedOnly()
	read := func(values []string, list rules.List, flag string) (rs []rules.Rule) {
		for _, v := range values {
			for _, text := range splitFlag(v) {
				rs = l.rule(rs, text, list, rules.Flag, rules.Pos{File: flag}, false)
			}
		}
		return rs
	}
	for _, r := range read(l.w.Allowed, rules.Allow, "--allowedTools") {
		l.allow(r, only)
	}
	l.p.Deny = append(l.p.Deny, read(l.w.Denied, rules.Deny, "--disallowedTools")...)
	if len(l.w.Tools) > 0 {
		l.p.Tools = append(l.p.Tools, rules.ToolList{Rules: read(l.w.Tools, rules.Whitelist, "--tools"), Scope: rules.Flag, Pos: rules.Pos{File: "--tools"}})
	}
	for _, d := range l.w.AddDirs {
		l.dir(rules.Setting{Value: d, Scope: rules.Flag, Pos: rules.Pos{File: "--add-dir"}}, l.p.Cwd.Given, only)
	}
}

// splitFlag splits the value of --allowedTools and the like into rule texts, at commas
// and blanks outside parentheses; an open one takes the rest along.
func splitFlag(text string) []string {
	var out []string
	depth, start := 0, -1
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte(", \t\n\r", c) >= 0:
			if start >= 0 {
				out = append(out, text[start:i])
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, text[start:])
	}
	return out
}

// How much a project's files may say, so that the gate is not slow. The rest is a
// fault; what user and administrator write always binds.
const (
	maxProjectRules  = 20000
	maxProjectDirs   = 200     // additional directories: each is looked up on the disk
	maxProjectFaults = 200     // that are kept; one that closes its file always is
	maxProjectBytes  = 4 << 20 // of all files together
)

// spent is what the files of a project have used up.
type spent struct{ rules, dirs, faults, bytes int }

// spendRule counts one rule, and reports whether it may still be read.
func (l *loader) spendRule(scope rules.Scope, pos rules.Pos) bool {
	return l.spend(scope, pos, &l.spent.rules, maxProjectRules, "rules")
}

// spendDir does the same for an additional directory.
func (l *loader) spendDir(scope rules.Scope, pos rules.Pos) bool {
	return l.spend(scope, pos, &l.spent.dirs, maxProjectDirs, "additional directories")
}

// spend counts one more of what there may be at most so much of in a project's files.
func (l *loader) spend(scope rules.Scope, pos rules.Pos, count *int, most int, what string) bool {
	if !scope.OfProject() {
		return true
	}
	*count++
	if *count == most+1 {
		l.tooMany(scope, pos, what, most)
	}
	return *count <= most
}

func (l *loader) tooMany(scope rules.Scope, pos rules.Pos, what string, most int) {
	l.faulty(rules.Fault{Pos: pos, Scope: scope, Closed: true,
		Msg: "over " + strconv.Itoa(most) + " " + what + " in the project's files: the rest is not read"})
}

// spendBytes says why a file of so many bytes cannot be read any more.
func (l *loader) spendBytes(scope rules.Scope, n int) error {
	if !scope.OfProject() {
		return nil
	}
	if l.spent.bytes += n; l.spent.bytes > maxProjectBytes {
		return errors.New("the project's settings files are larger than " + strconv.Itoa(maxProjectBytes) +
			" bytes together")
	}
	return nil
}

// keepsFault reports whether a fault is worth to be worded. Of very many in the
// files of a project the first of each file that closes it is.
func (l *loader) keepsFault(scope rules.Scope, closing bool) bool {
	return closing || !scope.OfProject() || l.spent.faults < maxProjectFaults
}

func (l *loader) faulty(f rules.Fault) {
	if f.Scope.OfProject() {
		l.spent.faults++
	}
	l.p.Faults = append(l.p.Faults, f)
}

// weigh settles Policy.Many.
func (l *loader) weigh() {
	n, bytes := 0, 0
	for _, s := range l.sources {
		if !s.scope.OfProject() {
			continue
		}
		for _, list := range [...][]rules.Rule{s.deny, s.ask, s.allow, s.exclusions, s.urls} {
			n += len(list)
			for i := range list {
				bytes += len(list[i].Text)
			}
		}
		for _, t := range s.tools {
			for i := range t.Rules {
				n, bytes = n+1, bytes+len(t.Rules[i].Text)
			}
		}
	}
	for _, a := range [...]*rules.AgentDef{l.p.Agent, l.p.Skill} {
		if a != nil {
			n, bytes = n+len(a.Allow)+len(a.Deny)+len(a.Tools), bytes+len(a.Content)
		}
	}
	l.p.Many = n > fewRules || bytes > fewBytes
}

// A list of rules is short enough to be compared with everything, no matter who wrote
// it: this many rules of a project, and this many bytes of text in them.
const (
	fewRules = 256
	fewBytes = 16 << 10
)
