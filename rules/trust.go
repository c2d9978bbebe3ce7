package rules

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
		if s.why == "" && (s.scope == Shared || s.scope == Local) && l.grants(s) {
			s.why = l.untrusted(s.path, s.scope, s.data)
			s.untrusted = s.why != ""
		}
	}
}

// grants reports whether a file says anything that counts only if it is trusted.
func (l *loader) grants(s *source) bool {
	return len(s.allow)+len(s.dirs) > 0 || l.widens(s.mode.Value, s.scope, s.path)
}

// widens reports whether a mode, as a file has it, is beyond default. One that
// never counts from such a file is not.
func (l *loader) widens(mode string, scope Scope, path string) bool {
	return strictness(mode) >= 0 && stricter(modeDefault, mode) && (mode != modeBypass || !l.noBypass(scope, path))
}

// Trust is what the user recorded of one content of one file.
type Trust struct {
	OK    bool   // this content was recorded
	Since string // when another content of the file was, for people; "" if none was
	Fault string // why the records cannot be used
}

// untrusted says why a file of the project does not count for grants, "" if it does.
func (l *loader) untrusted(path string, scope Scope, data []byte) string {
	require := &l.p.Gate.ProjectTrust
	if require.Value != "require" || scope == Local && !l.tracked(path) {
		return ""
	}
	var t Trust
	if l.w.Trusted != nil {
		t = l.w.Trusted(l.p, path, data)
	}
	why := `projectTrust is "require" (` + require.Pos.String() + `) and `
	switch {
	case t.OK:
		return ""
	case t.Fault != "":
		return why + "what was trusted cannot be known: " + t.Fault
	case t.Since != "":
		return why + "the file changed since it was trusted on " + t.Since + ": " + l.trustCommand(" --diff") + " shows what, " +
			l.trustCommand("") + " trusts it as it is now"
	}
	return why + "this content was not trusted: read it and run " + l.trustCommand("") +
		", or put what you want of it into settings.local.json, untracked by git, or into your own settings"
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
