package load

import (
	slash "path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// judge settles whose grants count. The order matters: whether a project must
// be trusted is itself a key that user files may only loosen while no managed
// setting says otherwise.
func (l *loader) judge() {
	only := l.whyManagedOnly()
	for _, s := range l.sources {
		if s.user != nil {
			s.why = l.userWhy(s.user)
		}
		if s.why == "" && s.scope != rules.Managed {
			s.why, s.unmanaged = only, only != ""
		}
	}
	l.mergePosture()
	for _, s := range l.sources {
		if (s.why == "" || s.unmanaged) && (s.scope == rules.Shared || s.scope == rules.Local) {
			if len(s.folders) > 0 && l.untrusted(s.place, s.data, []Grant{{Kind: "folder"}}).held != nil {
				s.folders = nil // they count if the file was recorded as it is
			}
			s.untrusted = l.untrusted(s.place, s.data, l.grantsOf(s))
			if s.why == "" && s.untrusted.all() {
				s.why = s.untrusted.why
			}
		}
	}
}

// whyManagedOnly says why nothing but the administrator's files grants anything, "" where they all do.
func (l *loader) whyManagedOnly() string {
	if !l.p.ManagedOnly.On() {
		return ""
	}
	return "allowManagedPermissionRulesOnly is set at " + l.p.ManagedOnly.Pos.String()
}

// grantsOf is all that a file says that counts only if it is trusted: its allow
// rules, its directories, and a mode beyond default, in this order.
func (l *loader) grantsOf(s *source) []Grant {
	if len(s.allow)+len(s.dirs) == 0 && s.mode.Value == "" {
		return nil
	}
	out := slices.Grow(granted("allow", s.allow), len(s.dirs)+1)
	for _, sec := range slices.Backward(s.sections) { // a rule in none of them is for all hosts
		for i := sec.from; i < sec.to; i++ {
			out[i].Host = sec.host
		}
	}
	for _, d := range s.dirs {
		out = append(out, Grant{Kind: "directory", Text: d.Value, Place: l.placeOf(d.Value), Pos: d.Pos})
	}
	if l.widens(s.mode.Value, s.scope, s.path) {
		out = append(out, Grant{Kind: "mode", Text: s.mode.Value, Pos: s.mode.Pos})
	}
	return out
}

func granted(kind string, list []rules.Rule) []Grant {
	out := make([]Grant, 0, len(list)+1)
	for i := range list {
		out = append(out, Grant{Kind: kind, Text: list[i].Text, Pos: list[i].Pos})
	}
	return out
}

// placeOf is the place of a directory whose text leads out of the project: the
// same text means another folder in another work tree.
func (l *loader) placeOf(text string) string {
	if strings.HasPrefix(text, "~") || slash.IsAbs(l.w.OS.Canon(text)) {
		return ""
	}
	dir := l.absolute(text, l.p.Project.Given)
	if rules.Within(dir, l.p.Project.Given) {
		return ""
	}
	return l.path(dir).Real
}

// widens reports whether a mode, as a file has it, is beyond default. One that
// never counts from such a file is not.
func (l *loader) widens(mode string, scope rules.Scope, path string) bool {
	return rules.Strictness(mode) >= 0 && stricter(rules.ModeDefault, mode) && (mode != rules.ModeBypass || !l.noBypass(scope, path))
}

// withheld is what was not trusted of a list of grants.
type withheld struct {
	held []bool // by grant; nil when everything counts
	why  string
	// quiet: it turns no silence into an ask, for the host's own dialog may have
	// written the file.
	quiet bool
}

// of says why a grant does not count, "" if it does.
func (w *withheld) of(i int) string {
	if i < len(w.held) && w.held[i] {
		return w.why
	}
	return ""
}

func (w *withheld) all() bool {
	for _, h := range w.held {
		if !h {
			return false
		}
	}
	return len(w.held) > 0
}

// untrusted says which grants of a file of the project do not count, and why.
func (l *loader) untrusted(at place, data []byte, grants []Grant) withheld {
	require := &l.p.Posture.ProjectTrust
	if len(grants) == 0 || require.Value != "require" || l.standsIn(at.path) {
		return withheld{}
	}
	quiet := at.scope == rules.Local && !l.tracked(at.path)
	if quiet && !l.unindexed(at.path) {
		return withheld{}
	}
	t := l.trust(at, data)
	w := withheld{held: l.withhold(at, grants, t), quiet: quiet}
	if w.held == nil {
		return w
	}
	w.why = `projectTrust is "require" (` + require.Pos.String() + `) and `
	switch {
	case t.Fault != "":
		w.why += "it is unknown what was trusted: " + t.Fault
	case t.Since != "":
		w.why += "this was not part of what was trusted on " + t.Since + ": " + l.trustCommand(" --diff") +
			" shows what is new, " +
			l.trustCommand("") + " trusts it"
	case quiet:
		w.why += "no git index shows that this file did not come with the project: read it and run " +
			l.trustCommand("")
	default:
		w.why += "this content is not trusted: read it and run " + l.trustCommand("") +
			", or copy what you want into settings.local.json, untracked by git, or your own settings"
	}
	return w
}

// trustCommand is what to type about the project's files. A project that the
// host named is named again where a search would not find it.
func (l *loader) trustCommand(option string) string {
	cmd := "permgate trust" + option
	if dir := l.p.Project.Given; l.w.Project != "" && dir != l.findProject(l.p.Cwd.Given, l.homes) {
		cmd += " " + grammar.Quote(dir)
	}
	return `"` + cmd + `"`
}

// tracked reports whether git tracks a file, by the name it is read under or
// by the one that symlinks lead to.
func (l *loader) tracked(path string) bool { return l.indexSays(l.f.Tracked, path) }

// unindexed reports whether no git index tells of a file whether it came with the
// project, by its name or by the one that symlinks lead to.
func (l *loader) unindexed(path string) bool { return l.indexSays(l.f.Unindexed, path) }

func (l *loader) indexSays(is func(path string) bool, path string) bool {
	switch {
	case l.standsIn(path):
		return false
	case is(path):
		return true
	}
	real := Resolve(l.f, path)
	return real != path && is(real)
}

// unrecordedBypass reports whether bypassPermissions of a local file does not count
// because nothing says that the file did not come with the project, neither git's
// index nor the user. It holds whatever projectTrust says.
func (l *loader) unrecordedBypass(at place, data []byte, grants []Grant) bool {
	if at.scope != rules.Local && at.scope != rules.Agent || !l.unindexed(at.path) {
		return false
	}
	for i, held := range l.withhold(at, grants, l.trust(at, data)) {
		if held && (grants[i].Kind == "mode" || grants[i].Kind == "agent mode") {
			return true
		}
	}
	return false
}

// trust is what the user recorded of a file with this text.
func (l *loader) trust(at place, data []byte) Trust {
	if l.w.Trusted == nil {
		return Trust{}
	}
	return l.w.Trusted(l.p, at.path, data)
}

// Trust is what the user recorded of one file.
type Trust struct {
	OK     bool    // all that it holds now
	Grants []Grant // these; Pos says nothing
	Copies []Copy  // what these texts of the file granted
	// Before is what the file holds before permgate writes into it: what it does
	// not grant yet is the user's own word.
	Before *Copy
	Since  string // when something was recorded last, for people; "" if nothing ever was
	Fault  string // why the records cannot be used
}

// A Copy is a text of a file, and the project it was recorded for.
type Copy struct {
	Project string // its real path
	Content []byte
}

// withhold marks the grants that were not recorded; nil when all were.
func (l *loader) withhold(at place, grants []Grant, t Trust) []bool {
	if t.OK || len(grants) == 0 {
		return nil
	}
	var known recorded
	if t.Fault == "" {
		known = recordedBy(l.knownOf(at, t))
	}
	var before recorded
	if t.Before != nil {
		before = recordedBy(l.copyOf(at, *t.Before))
	}
	var held []bool
	for i := range grants {
		if known.has(&grants[i]) || t.Before != nil && !before.has(&grants[i]) {
			continue
		}
		if held == nil {
			held = make([]bool, len(grants))
		}
		held[i] = true
	}
	return held
}

// knownOf is all that was recorded of a file.
func (l *loader) knownOf(at place, t Trust) []Grant {
	out := t.Grants
	for _, c := range t.Copies {
		out = append(out[:len(out):len(out)], l.copyOf(at, c)...)
	}
	return out
}

// copyOf is what a text of a file granted.
func (l *loader) copyOf(at place, c Copy) []Grant {
	project := rules.Path{Given: c.Project, Real: c.Project}
	sub := loader{w: l.w, f: l.f, p: &rules.Policy{OS: l.p.OS, Cwd: project, Project: project, Home: l.p.Home},
		everyHost: true}
	if at.scope == rules.Agent {
		return sub.agentGrants(at, c.Content)
	}
	s := &source{place: at, data: c.Content}
	sub.parse(s)
	return sub.grantsOf(s)
}

// recorded are grants, to look them up.
type recorded map[Grant]bool

func recordedBy(grants []Grant) recorded {
	r := make(recorded, len(grants))
	for _, g := range grants {
		r[g.Key()] = true
	}
	return r
}

// has reports whether a grant was recorded, or a wider one of its kind: for
// every host, or of a laxer mode.
func (r recorded) has(g *Grant) bool {
	key := g.Key()
	if r[key] {
		return true
	}
	if key.Host != "" {
		key.Host = ""
		return r[key]
	}
	if g.Kind != "mode" && g.Kind != "agent mode" {
		return false
	}
	for i := range rules.Modes {
		if key.Text = rules.Modes[i].Name; r[key] && stricter(g.Text, key.Text) {
			return true
		}
	}
	return false
}

// Key is a grant wherever it is written, to be compared.
func (g Grant) Key() Grant {
	g.Pos = rules.Pos{}
	return g
}

// A Claim is one file of the project that may grant something, and what.
type Claim struct {
	Path    string      // absolute, as it is read
	Scope   rules.Scope // Shared, Local, Agent, Skill
	Content []byte      // what Grants was read from
	Grants  []Grant
	Needed  bool         // under projectTrust "require" each grant counts only if the user recorded it
	Fault   *rules.Fault // why the file cannot be used, nil if it can

	place place
	l     *loader
}

// A Grant is one thing a file grants.
type Grant struct {
	Kind  string // "allow", "directory", "mode", "agent allow", "agent mode", "skill allow"
	Text  string
	Host  string // the host in whose section of permgate.json it is, "" for all hosts
	Place string // of a directory outside of the project: where it is
	Pos   rules.Pos
}

// Withheld marks the grants that do not count by what was recorded; nil when all do.
func (c *Claim) Withheld(t Trust) []bool { return c.l.withhold(c.place, c.Grants, t) }

// Recorded is all that was recorded of the file.
func (c *Claim) Recorded(t Trust) []Grant { return c.l.knownOf(c.place, t) }

// Claims reads the project's settings files, agent definitions and skills for what they
// would grant, whether or not anyone trusts them. The policy has anchors,
// restrictions and faults, but neither grants nor mode.
func Claims(w Where, f Files) (*rules.Policy, []Claim) {
	w.canon()
	w.Agent, w.Skill = "", ""
	l := loader{w: w, f: f, p: &rules.Policy{OS: w.OS}, everyHost: true}
	l.gather()
	var out []Claim
	for _, s := range l.sources {
		if s.why == "" && (s.scope == rules.Shared || s.scope == rules.Local) {
			out = append(out, l.claim(s))
		}
	}
	for _, p := range l.defPlaces() {
		if p.scope == rules.Shared {
			out = l.agentClaims(out, p)
		}
	}
	dir := under(l.p.Project.Given, ".claude/")
	for _, file := range append(SkillFiles(f, dir+"skills", 4), SkillFiles(f, dir+"commands", 4)...) {
		if c, _, there := l.skillClaim(file); there {
			out = append(out, c)
		}
	}
	return l.p, out
}

// SkillFiles are the texts of skills and slash commands in a folder, at most so many folders down.
func SkillFiles(f Files, dir string, depth int) (out []string) {
	names, _ := f.ReadDir(dir)
	skill := slices.Contains(names, "SKILL.md") // all else there is its own
	for _, name := range names {
		if strings.HasSuffix(name, ".md") && (!skill || name == "SKILL.md") {
			out = append(out, under(dir, name))
		} else if !skill && depth > 0 {
			out = append(out, SkillFiles(f, under(dir, name), depth-1)...)
		}
	}
	return out
}

func (l *loader) claim(s *source) Claim {
	c := Claim{Path: s.path, Scope: s.scope, Content: s.data, Grants: l.grantsOf(s), place: s.place, l: l}
	c.Needed = len(c.Grants) > 0 && (s.scope == rules.Shared || l.tracked(s.path) || l.unindexed(s.path))
	if s.closed {
		c.Fault = l.faultOf(s.path)
	}
	return c
}

// agentClaims adds the agent definitions in one settings folder.
func (l *loader) agentClaims(out []Claim, p defPlace) []Claim {
	dir := under(p.dir, "agents")
	names, err := l.f.ReadDir(dir)
	if err != nil {
		return out // it is missing, or nothing can be read of it
	}
	for _, name := range names {
		file := under(dir, name)
		stem, ok := strings.CutSuffix(name, ".md")
		if !ok {
			file = slash.Join(file, "AGENT.md")
		}
		a := &rules.AgentDef{Name: stem}
		faults := len(l.p.Faults)
		if !rules.Component(stem) || !l.agentFile(a, p, file) {
			continue
		}
		c := Claim{Path: file, Scope: rules.Agent, Content: a.Content, Grants: l.grantsOfAgent(a, a.Mode, file), l: l}
		c.place = place{path: file, scope: rules.Agent, root: p.root}
		c.Needed = len(c.Grants) > 0
		if !a.Known && len(l.p.Faults) > faults {
			c.Fault = l.faultOf(file)
		}
		out = append(out, c)
	}
	return out
}

// faultOf is the last fault of a file that keeps it from being used.
func (l *loader) faultOf(path string) *rules.Fault {
	for i := len(l.p.Faults) - 1; i >= 0; i-- {
		if f := &l.p.Faults[i]; f.Pos.File == path && (f.Closed || f.Scope == rules.Agent) {
			return f
		}
	}
	return &rules.Fault{Pos: rules.Pos{File: path}, Msg: "cannot be used"}
}
