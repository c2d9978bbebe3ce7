package load

import (
	slash "path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
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
		if s.why == "" && s.scope != rules.Managed {
			s.why, s.unmanaged = only, only != ""
		}
	}
	l.mergePosture()
	for _, s := range l.sources {
		if (s.why == "" || s.unmanaged) && (s.scope == rules.Shared || s.scope == rules.Local) {
			s.untrusted = l.untrusted(s.place, s.data, l.grantsOf(s))
			if s.why == "" && s.untrusted.all() {
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
	var t Trust
	if l.w.Trusted != nil {
		t = l.w.Trusted(l.p, at.path, data)
	}
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
		cmd += " " + rules.Quote(dir)
	}
	return `"` + cmd + `"`
}

// tracked reports whether git tracks a file, by the name it is read under or
// by the one that symlinks lead to.
func (l *loader) tracked(path string) bool {
	switch {
	case l.standsIn(path):
		return false
	case l.f.Tracked(path):
		return true
	}
	real := Resolve(l.f, path)
	return real != path && l.f.Tracked(real)
}

// unindexed reports whether no git index tells of a file whether it came with the
// project, by its name or by the one that symlinks lead to.
func (l *loader) unindexed(path string) bool {
	switch {
	case l.standsIn(path):
		return false
	case l.f.Unindexed(path):
		return true
	}
	real := Resolve(l.f, path)
	return real != path && l.f.Unindexed(real)
}

// unrecordedBypass reports whether bypassPermissions of a local file does not count
// because nothing says that the file did not come with the project, neither git's
// index nor the user. It holds whatever projectTrust says.
func (l *loader) unrecordedBypass(at place, data []byte, grants []Grant) bool {
	if at.scope != rules.Local && at.scope != rules.Agent || !l.unindexed(at.path) {
		return false
	}
	var t Trust
	if l.w.Trusted != nil {
		t = l.w.Trusted(l.p, at.path, data)
	}
	for i, held := range l.withhold(at, grants, t) {
		if held && (grants[i].Kind == "mode" || grants[i].Kind == "agent mode") {
			return true
		}
	}
	return false
}
