package rules

import "strings"

// matchWeb matches a WebFetch rule. domain:host looks at the whole host; any
// other pattern is compared with the text of the URL. A URL that could not be
// read beyond doubt matches no allow, and perhaps every deny and ask.
func matchWeb(r *Rule, s *Subject) (all, some bool) {
	if s.URL == nil {
		return false, false
	}
	pattern := strings.TrimSpace(r.Pattern)
	host, domain := strings.CutPrefix(pattern, "domain:")
	switch {
	case domain && r.strict():
		all = matchHost(strings.TrimSpace(host), s.URL.Host, true)
	case domain:
		all = s.URL.Sure && matchHost(strings.TrimSpace(host), s.URL.Host, false)
	case r.strict():
		all = matchURLText(pattern, s.URL.Text, true)
	case r.Claude:
		return false, false // Claude Code knows domain: alone
	default:
		all = s.URL.Sure && matchURLText(pattern, s.URL.Text, false)
	}
	return all, all || r.strict() && !s.URL.Sure
}

// matchEntry matches an entry of "urls". In deny it binds whatever tool reaches
// an address; in allow it is a rule on WebFetch.
func (r *Rule) matchEntry(s *Subject) (all, some bool) {
	if s.URL != nil && (r.strict() || r.governs(s.Tool) && s.URL.Sure) {
		return r.URL.match(s.URL, r.strict())
	}
	return false, false
}

// matchHost matches a host pattern: * is every host, *.x any depth below x but
// not x, and any other * stays between two dots.
func matchHost(pattern, host string, strict bool) bool {
	if pattern == "*" || pattern == "**" {
		return true
	}
	if host == "" {
		return false
	}
	pattern, ok := hostPattern(pattern, strict)
	if !ok {
		return false
	}
	if !strings.Contains(pattern, "*") {
		return pattern == host
	}
	want, have := strings.Split(pattern, "."), strings.Split(host, ".")
	if want[0] == "*" && len(want) > 1 {
		want = want[1:]
		if len(have) <= len(want) {
			return false
		}
		have = have[len(have)-len(want):]
	}
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if g := compileStars(want[i]); !g.match(have[i]) {
			return false
		}
	}
	return true
}

// hostPattern brings a pattern to the form of URL.Host. A port or a scheme in
// it is dropped by deny and ask; in allow it would promise what a host alone
// cannot keep, so such a rule matches nothing.
func hostPattern(pattern string, strict bool) (string, bool) {
	if i := strings.Index(pattern, "://"); i >= 0 {
		if !strict {
			return "", false
		}
		pattern, _, _ = strings.Cut(pattern[i+3:], "/")
	}
	if !strings.Contains(pattern, "*") {
		u := ParseURL("http://" + bracketed(pattern))
		_, _, port := splitPort(bracketed(pattern))
		hostOnly := port == "" && !strings.ContainsAny(pattern, "/@?#\\")
		return u.Host, u.Host != "" && u.Sure && (strict || hostOnly)
	}
	host, _, port := splitPort(pattern)
	if port != "" && !strict {
		return "", false
	}
	labels := strings.Split(strings.TrimSuffix(strings.ToLower(host), "."), ".")
	for i, l := range labels {
		if !strings.Contains(l, "*") && !ascii(l) {
			var ok bool
			if labels[i], ok = toASCII(l); !ok {
				return "", false
			}
		}
	}
	return strings.Join(labels, "."), true
}

// compileStars reads * as a wildcard and ? as itself.
func compileStars(pattern string) glob { return literalOnes(compileGlob(pattern)) }

// matchURLText compares a glob with a URL. In allow the host is compared as a
// host besides, so that no star reaches from it into the path or back; in deny
// and ask the URL counts as sent and with scheme and host in canonical form.
func matchURLText(pattern, text string, strict bool) bool {
	g := compileStars(pattern)
	scheme, host, rest := splitURL(text)
	canonical := scheme + "://" + host + rest
	if strict {
		return g.match(text) || g.match(canonical) || host != "" && g.match(canonical+"/")
	}
	wantScheme, after, ok := strings.Cut(pattern, "://")
	if !ok || !g.match(text) {
		return false
	}
	authority := after
	if i := strings.IndexAny(after, "/?#"); i >= 0 {
		authority = after[:i]
	}
	wantHost, _, _ := splitPort(authority)
	s := compileStars(wantScheme)
	return s.match(scheme) && wantHost != "" && matchHost(wantHost, host, false)
}
