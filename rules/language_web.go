package rules

import (
	"strings"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// webLanguage is what a rule matches among the URLs that WebFetch is called with, see
// urlTexts: none of them is in doubt. No input of it has a field domain, http or https.
func (p *Policy) webLanguage(r *Rule) (l Language, why string) {
	const tool = "WebFetch"
	readings := r.readings()
	for i := range readings {
		r := &readings[i]
		b := &urlBuilder{strict: r.strict()}
		switch {
		case r.URL != nil:
			why = b.entry(r.URL)
			l.Sure = append(l.Sure, b.Machine())
		case mcpRule(r):
			l.All = l.All || matchMCP(r, tool)
		case !r.governs(tool):
		case r.Bare:
			l.All = true
		default:
			why = b.pattern(&l, r)
		}
		if why != "" {
			return Language{}, why
		}
	}
	return l, ""
}

// pattern adds what one reading of a rule on WebFetch matches.
func (b *urlBuilder) pattern(l *Language, r *Rule) (why string) {
	pattern := strings.TrimSpace(r.Pattern)
	name, value, field := fieldPattern(pattern)
	switch host, domain := strings.CutPrefix(pattern, "domain:"); {
	case domain:
		for _, s := range [...]string{"http", "https"} {
			at, why := b.host(b.begin(s), strings.TrimSpace(host))
			if why != "" {
				return why
			}
			b.rest(b.port(at, "", true))
		}
		l.Sure = append(l.Sure, b.Machine())
		return ""
	case !b.strict && r.Claude: // which knows domain: alone
		return ""
	case !b.strict:
		m, why := b.allowed(pattern)
		l.Sure = append(l.Sure, m)
		return why
	case field && name == mainField("WebFetch") && value != "":
		g := compileGlob(value)
		pattern, l.Sure = value, append(l.Sure, globMachine(&g, nil))
	case field && identifier(name) && !isWeb(name):
		g := compileGlob(value)
		l.Fields = append(l.Fields, FieldLanguage{name, globMachine(&g, nil)})
		return ""
	}
	g := compileStars(pattern)
	m := globMachine(&g, nil)
	l.Sure = append(l.Sure, m, portless(m))
	return urlsKnown(m)
}

// allowed matches what a pattern in allow does: the text as well as the host.
func (b *urlBuilder) allowed(pattern string) (m *automaton.Machine, why string) {
	scheme, after, ok := strings.Cut(pattern, "://")
	authority := after
	if i := strings.IndexAny(after, "/?#"); i >= 0 {
		authority = after[:i]
	}
	want, _, _ := splitPort(authority)
	if !ok || want == "" {
		return b.Machine(), ""
	}
	g, s := compileStars(pattern), compileStars(scheme)
	for _, scheme := range [...]string{"http", "https"} {
		if !s.match(scheme) {
			continue
		}
		at, why := b.host(b.begin(scheme), want)
		if why != "" {
			return nil, why
		}
		b.rest(b.port(at, "", true))
	}
	own := b.Machine()
	if len(own.Start) == 0 {
		return own, ""
	}
	text := globMachine(&g, nil)
	return automaton.Intersect(text, own), urlsKnown(text)
}

// urlsKnown says why a pattern that is no address of urlTexts is not written down.
func urlsKnown(m *automaton.Machine) (why string) {
	if _, ok, _ := automaton.Shortest(urlTexts{}, m, mostStates); !ok {
		return "it matches no plain address"
	}
	return ""
}

// portless matches what a machine does of a URL without its port, and that with a slash
// at its end.
func portless(m *automaton.Machine) *automaton.Machine {
	const scheme, colon, slash, host, port, rest = 0, 1, 2, 3, 4, 5
	var b automaton.Builder
	for range m.Edges {
		for range rest + 1 {
			b.State()
		}
	}
	at := func(q, phase int) int { return q*(rest+1) + phase }
	for _, q := range m.Start {
		b.Start(at(q, scheme))
	}
	for q, edges := range m.Edges {
		b.Edge(at(q, host), automaton.Rune(':'), at(q, port))
		b.Edge(at(q, port), automaton.AllBut('/', '?'), at(q, port))
		ends := m.Accept[q]
		for _, e := range edges {
			ends = ends || e.Set.Has('/') && m.Accept[e.To]
			move := func(from int, set automaton.Set, to int) {
				b.Edge(at(q, from), e.Set.And(&set), at(e.To, to))
			}
			move(scheme, automaton.AllBut(':'), scheme)
			move(scheme, automaton.Rune(':'), colon)
			move(colon, automaton.Rune('/'), slash)
			move(slash, automaton.Rune('/'), host)
			move(host, automaton.AllBut(':', '/', '?'), host)
			move(host, automaton.Rune('/', '?'), rest)
			move(port, automaton.Rune('/', '?'), rest)
			move(rest, automaton.AllBut(), rest)
		}
		for phase := host; ends && phase <= rest; phase++ {
			b.Accept(at(q, phase))
		}
	}
	return b.Machine()
}
