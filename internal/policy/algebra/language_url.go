package algebra

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A urlBuilder makes machines of hosts and of entries of "urls".
type urlBuilder struct {
	automaton.Builder
	strict bool
}

// begin adds the state that follows a protocol.
func (b *urlBuilder) begin(scheme string) int {
	at := b.State()
	b.Start(at)
	return b.text(at, scheme+"://")
}

func (b *urlBuilder) text(at int, text string) int {
	for _, r := range text {
		at = b.Next(at, automaton.Rune(r))
	}
	return at
}

// loop adds a state that stays as it is over the runes of a set.
func (b *urlBuilder) loop(at int, set automaton.Set) int {
	to := b.State()
	b.Empty(at, to)
	b.Edge(to, set, to)
	return to
}

// host adds the hosts that a pattern matches, see rules.HostPattern; of none that no URL has.
func (b *urlBuilder) host(at int, pattern string) (next int, why string) {
	if pattern == "*" || pattern == "**" {
		return b.loop(at, automaton.AllBut(':', '/', '?')), ""
	}
	pattern, ok := rules.HostPattern(pattern, b.strict)
	if !ok || !b.strict && strings.ContainsFunc(pattern, noHost) {
		return b.State(), ""
	}
	if !hostKnown(pattern) {
		return at, "a host that is not plain"
	}
	labels := strings.Split(pattern, ".")
	if labels[0] == "*" && len(labels) > 1 {
		labels = labels[1:]
		at = b.text(b.loop(at, automaton.AllBut(':', '/', '?')), ".")
	}
	for i, label := range labels {
		if i > 0 {
			at = b.text(at, ".")
		}
		for j, part := range strings.Split(label, "*") {
			if j > 0 {
				at = b.loop(at, automaton.AllBut('.', ':', '/', '?'))
			}
			at = b.text(at, part)
		}
	}
	return at, ""
}

// noHost reports whether no host beyond doubt has a rune: allow matches none but those.
func noHost(r rune) bool { return r <= ' ' || strings.ContainsRune("/?#\\@%", r) }

// hostKnown reports whether a pattern of hosts matches one of urlTexts.
func hostKnown(pattern string) bool {
	return slices.ContainsFunc([]string{"a", "1", ""}, func(star string) bool {
		return !strings.ContainsAny(pattern, ":/?") && plainAddress("http://"+strings.ReplaceAll(pattern, "*", star))
	})
}

// plainAddress reports whether a text is one of urlTexts.
func plainAddress(text string) bool {
	state := 0
	for _, r := range text {
		next, ok := urlTexts{}.Next(state, r)
		if !ok {
			return false
		}
		state = next
	}
	return urlTexts{}.Accepts(state)
}

// port adds a port, any where it is "", which may be absent or not.
func (b *urlBuilder) port(at int, port string, absent bool) (next int) {
	next = b.State()
	if absent {
		b.Empty(at, next)
	}
	if at = b.text(at, ":"); port == "" {
		b.Empty(b.loop(at, automaton.AllBut('/', '?')), next)
	} else {
		b.Empty(b.text(at, port), next)
	}
	return next
}

// rest adds everything that may follow the port.
func (b *urlBuilder) rest(at int) {
	b.Accept(at)
	b.all(b.Next(at, automaton.Rune('/', '?')))
}

func (b *urlBuilder) all(at int) {
	b.Accept(at)
	b.Edge(at, automaton.AllBut(), at)
}

// entry adds what an entry of "urls" matches, see rules.URLEntry.
func (b *urlBuilder) entry(e *rules.URLEntry) (why string) {
	if why := oddEntry(e); why != "" {
		return why
	}
	for _, scheme := range [...]string{"http", "https"} {
		at, odd := b.entryHost(b.begin(scheme), e.Host)
		why = odd
		switch upgraded := b.strict && e.Scheme == "https" && scheme == "http"; {
		case upgraded && e.Port == "443": // as for every deny of https
			b.path(e, b.port(at, "80", true))
		case e.Scheme == "" || e.Scheme == scheme:
			b.path(e, b.port(at, e.Port, e.Port == "" || e.Port == rules.DefaultPort(scheme)))
		}
	}
	return why
}

// oddEntry says why an entry matches none of urlTexts.
func oddEntry(e *rules.URLEntry) string {
	if e.Scheme != "" && e.Scheme != "http" && e.Scheme != "https" {
		return "an address of another protocol than http and https"
	}
	if !plainAddress("http://a" + e.Path) {
		return "a path that is not plain"
	}
	return ""
}

// entryHost adds the hosts of an entry, where *.x is x as well.
func (b *urlBuilder) entryHost(at int, host string) (next int, why string) {
	next, why = b.host(at, host)
	if apex, deep := strings.CutPrefix(host, "*."); deep && why == "" {
		var own int
		own, why = b.host(at, apex)
		b.Empty(own, next)
	}
	return next, why
}

// path adds the path of an entry and what may follow it.
func (b *urlBuilder) path(e *rules.URLEntry, at int) {
	if e.Path == "" {
		b.rest(at)
		return
	}
	folder := at
	for _, r := range e.Path {
		set := automaton.Rune(r)
		if b.strict {
			set = automaton.Rune(unfold(grammar.FoldRune(r))...)
		}
		folder, at = at, b.Next(at, set)
	}
	switch b.Accept(at); {
	case e.Prefix:
		b.all(at)
		if b.strict { // what is below a folder is the folder as well
			b.Accept(folder)
			b.all(b.Next(folder, automaton.Rune('?')))
		}
	case b.strict:
		b.all(b.Next(at, automaton.Rune('?')))
	default:
		b.Accept(b.Next(at, automaton.Rune('?')))
	}
}

// webLanguage is what a rule matches among the URLs that WebFetch is called with, see
// urlTexts: none of them is in doubt. No input of it has a field domain, http or https.
func webLanguage(r *rules.Rule) (l Language, why string) {
	const tool = "WebFetch"
	for _, r := range r.Readings() {
		b := &urlBuilder{strict: r.Strict()}
		switch {
		case r.URL != nil:
			why = b.entry(r.URL)
			l.Sure = append(l.Sure, b.Machine())
		case !r.SpeaksOf(tool):
		case r.Bare:
			l.All = true
		default:
			why = b.pattern(&l, &r)
		}
		if why != "" {
			return Language{}, why
		}
	}
	return l, ""
}

// pattern adds what one reading of a rule on WebFetch matches.
func (b *urlBuilder) pattern(l *Language, r *rules.Rule) (why string) {
	pattern := strings.TrimSpace(r.Pattern)
	name, value, field := grammar.FieldPattern(pattern)
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
	case field && name == rules.MainField("WebFetch") && value != "":
		pattern, l.Sure = value, append(l.Sure, patternMachine(value))
	case field && identifier(name) && name != "http" && name != "https":
		l.addField(name, value)
		return ""
	}
	g := grammar.CompileStars(pattern)
	m := globMachine(&g, nil)
	l.Sure = append(l.Sure, m, portless(m))
	return urlsKnown(m)
}

// allowed matches what a pattern in allow does: the text as well as the host.
func (b *urlBuilder) allowed(pattern string) (m *automaton.Machine, why string) {
	scheme, want := rules.OriginPattern(pattern)
	if want == "" {
		return b.Machine(), ""
	}
	g, s := grammar.CompileStars(pattern), grammar.CompileStars(scheme)
	for _, scheme := range [...]string{"http", "https"} {
		if !s.Match(scheme) {
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
	if _, ok, _ := automaton.Shortest(urlTexts{}, m, mostCompared); !ok {
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
