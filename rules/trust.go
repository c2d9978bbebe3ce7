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
		if s.why == "" && !s.gate && (s.scope == Shared || s.scope == Local) {
			s.why = l.untrusted(s.path, s.scope, s.data)
		}
	}
}

// untrusted says why a file of the project does not count for grants, "" if it does.
func (l *loader) untrusted(path string, scope Scope, data []byte) string {
	require := &l.p.Gate.ProjectTrust
	if require.Value != "require" || scope == Local && !l.tracked(path) || l.w.Trusted != nil && l.w.Trusted(path, data) {
		return ""
	}
	return `projectTrust is "require" (` + require.Pos.String() + `) and this content was not trusted: read it, and put what you want of it into settings.local.json, untracked by git, or into your own settings`
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
