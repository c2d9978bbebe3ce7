package rules

import (
	slash "path"
	"strings"
)

// judge settles whose grants count. The order matters: whether a project must
// be trusted is itself a key that user files may only loosen while no managed
// setting says otherwise.
func (l *loader) judge() {
	only := ""
	if l.p.ManagedOnly.On() {
		only = "allowManagedPermissionRulesOnly is set at " + l.p.ManagedOnly.Pos.String()
	}
	for _, s := range l.sources {
		if s.user != nil {
			s.why = l.userWhy(s.user)
		}
		if s.why == "" && s.scope != Managed {
			s.why = only
		}
	}
	l.mergeGate()
	for _, s := range l.sources {
		if s.why == "" && (s.scope == Shared || s.scope == Local) {
			s.untrusted = l.untrusted(s.place, s.data, l.grantsOf(s))
			if s.untrusted.all() {
				s.why = s.untrusted.why
			}
		}
	}
}

// grantsOf is all that a file says that counts only if it is trusted: its allow
// rules, its directories, and a mode beyond default, in this order.
func (l *loader) grantsOf(s *source) []Grant {
	if len(s.allow)+len(s.dirs) == 0 && s.mode.Value == "" {
		return nil
	}
	out := make([]Grant, 0, len(s.allow)+len(s.dirs)+1)
	for i := range s.allow {
		out = append(out, Grant{Kind: "allow", Text: s.allow[i].Text, Host: s.hostOf(i), Pos: s.allow[i].Pos})
	}
	for _, d := range s.dirs {
		out = append(out, Grant{Kind: "directory", Text: d.Value, Place: l.placeOf(d.Value), Pos: d.Pos})
	}
	if l.widens(s.mode.Value, s.scope, s.path) {
		out = append(out, Grant{Kind: "mode", Text: s.mode.Value, Pos: s.mode.Pos})
	}
	return out
}

// hostOf is the host to whose section of permgate.json an allow rule belongs, ""
// for a rule for all of them.
func (s *source) hostOf(i int) string {
	for _, sec := range s.sections {
		if i >= sec.from && i < sec.to {
			return sec.host
		}
	}
	return ""
}

// placeOf is where a directory lies whose text leads out of the project: the
// same text means another folder in another work tree.
func (l *loader) placeOf(text string) string {
	if strings.HasPrefix(text, "~") || slash.IsAbs(l.w.OS.Canon(text)) {
		return ""
	}
	dir := l.absolute(text, l.p.Project.Given)
	if Within(dir, l.p.Project.Given) {
		return ""
	}
	return l.path(dir).Real
}

// widens reports whether a mode, as a file has it, is beyond default. One that
// never counts from such a file is not.
func (l *loader) widens(mode string, scope Scope, path string) bool {
	return strictness(mode) >= 0 && stricter(modeDefault, mode) && (mode != modeBypass || !l.noBypass(scope, path))
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

// withheld is what was not trusted of a list of grants.
type withheld struct {
	held []bool // by grant; nil when everything counts
	why  string
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
	require := &l.p.Gate.ProjectTrust
	if len(grants) == 0 || require.Value != "require" || at.scope == Local && !l.tracked(at.path) {
		return withheld{}
	}
	var t Trust
	if l.w.Trusted != nil {
		t = l.w.Trusted(l.p, at.path, data)
	}
	w := withheld{held: l.withhold(at, grants, t)}
	if w.held == nil {
		return w
	}
	w.why = `projectTrust is "require" (` + require.Pos.String() + `) and `
	switch {
	case t.Fault != "":
		w.why += "what was trusted cannot be known: " + t.Fault
	case t.Since != "":
		w.why += "this is not among what was trusted up to " + t.Since + ": " + l.trustCommand(" --diff") + " shows what is new, " +
			l.trustCommand("") + " trusts it"
	default:
		w.why += "this content was not trusted: read it and run " + l.trustCommand("") +
			", or put what you want of it into settings.local.json, untracked by git, or into your own settings"
	}
	return w
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
	project := Path{c.Project, c.Project}
	sub := loader{w: l.w, f: l.f, p: &Policy{OS: l.p.OS, Cwd: project, Project: project, Home: l.p.Home}, everyHost: true}
	if at.scope == Agent {
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
	for i := range Modes {
		if key.Text = Modes[i].Name; r[key] && stricter(g.Text, key.Text) {
			return true
		}
	}
	return false
}

// Key is a grant wherever it is written, to be compared.
func (g Grant) Key() Grant {
	g.Pos = Pos{}
	return g
}

// trustCommand is what to type about the project's files. A project that the
// host named is named again where a search would not find it.
func (l *loader) trustCommand(option string) string {
	cmd := "permgate trust" + option
	if dir := l.p.Project.Given; l.w.Project != "" && dir != l.findProject(l.p.Cwd.Given, l.homes) {
		cmd += " " + Quote(dir)
	}
	return `"` + cmd + `"`
}

// tracked reports whether git tracks a file, by the name it is read under or
// by the one that symlinks lead to.
func (l *loader) tracked(path string) bool {
	if l.f.Tracked(path) {
		return true
	}
	real := Resolve(l.f, path)
	return real != path && l.f.Tracked(real)
}
