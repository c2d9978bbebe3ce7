package rules

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

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
	case domain && r.Strict():
		all = matchHost(strings.TrimSpace(host), s.URL.Host, true)
	case domain:
		all = s.URL.Sure && matchHost(strings.TrimSpace(host), s.URL.Host, false)
	case r.Strict():
		all = matchURLText(pattern, s.URL.Text, true)
	case r.Claude:
		return false, false // Claude Code knows domain: alone
	default:
		all = s.URL.Sure && matchURLText(pattern, s.URL.Text, false)
	}
	return all, all || r.Strict() && !s.URL.Sure
}

// matchEntry matches an entry of "urls". In deny it binds whatever tool reaches
// an address; in allow it is a rule on WebFetch.
func (r *Rule) matchEntry(s *Subject) (all, some bool) {
	if s.URL != nil && (r.Strict() || r.SpeaksOf(s.Tool) && s.URL.Sure) {
		return r.URL.match(s.URL, r.Strict())
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
	pattern, ok := HostPattern(pattern, strict)
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
		if g := grammar.CompileStars(want[i]); !g.Match(have[i]) {
			return false
		}
	}
	return true
}

// HostPattern brings a pattern to the form of URL.Host. A port or a scheme in
// it is dropped by deny and ask; in allow it would promise what a host alone
// cannot keep, so such a rule matches nothing.
func HostPattern(pattern string, strict bool) (string, bool) {
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
		if !strings.Contains(l, "*") && !grammar.ASCII(l) {
			var ok bool
			if labels[i], ok = toASCII(l); !ok {
				return "", false
			}
		}
	}
	return strings.Join(labels, "."), true
}

// matchURLText compares a glob with a URL. In allow the host is compared as a
// host besides, so that no star reaches from it into the path or back; in deny
// and ask the URL counts as sent and with scheme and host in canonical form.
func matchURLText(pattern, text string, strict bool) bool {
	g := grammar.CompileStars(pattern)
	scheme, host, rest := splitURL(text)
	canonical := scheme + "://" + host + rest
	if strict {
		return g.Match(text) || g.Match(canonical) || host != "" && g.Match(canonical+"/")
	}
	wantScheme, wantHost := OriginPattern(pattern)
	if wantHost == "" || !g.Match(text) {
		return false
	}
	s := grammar.CompileStars(wantScheme)
	return s.Match(scheme) && matchHost(wantHost, host, false)
}

// OriginPattern is what a pattern of URLs in allow says of protocol and host; host is ""
// for a pattern that matches none.
func OriginPattern(pattern string) (scheme, host string) {
	scheme, authority, _ := strings.Cut(pattern, "://")
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	host, _, _ = splitPort(authority)
	return scheme, host
}

// A URLEntry is one entry of "urls" in a permgate.json, taken apart. An empty
// field is any: a deny of a bare host binds every protocol and port of it.
type URLEntry struct {
	Scheme string
	Host   string // as HostPattern has it; *.x is x and what is below
	Port   string
	Path   string // in its one spelling; "" is the whole origin
	Prefix bool   // what begins with Path
}

// URLForms are the forms of an entry, for documentation, tests and fuzzing.
var URLForms = [...]struct{ Entry, Matches, Not, Doc string }{
	{"example.com", "https://EXAMPLE.com:443/x?y", "https://www.example.com/",
		"a host; in deny with any protocol and port, in allow https only"},
	{"*.example.com", "https://a.b.example.com/", "https://notexample.com/", "a host and every host below it"},
	{"http://localhost:3000", "http://localhost:3000/x", "http://localhost:3001/x",
		"a protocol, a host and a port; without one the port the protocol implies"},
	{"https://example.com/", "https://example.com/any?x", "https://example.com:8443/", "the whole origin, as without a path"},
	{"https://example.com/docs/*", "https://example.com/docs/a/b?x", "https://example.com/docs/../secret",
		"everything below a path; in deny the path itself as well"},
	{"https://example.com/a.json", "https://example.com/./b/%2e%2e/a%2Ejson", "https://example.com/a.json/b",
		"one path; in deny with any query, in allow without one"},
}

// parseURLEntry reads one entry. What is odd about it is an error; in deny the
// entry is then returned in its widest sense, unless there is no host.
func parseURLEntry(text string, list List) (*URLEntry, error) {
	strict := list == Deny || list == Ask
	clean := strings.TrimPrefix(cleanURL(text), "domain:")
	scheme, rest, found := strings.Cut(clean, "://")
	if !found {
		scheme, rest = "", clean
	}
	var odd error
	note := func(format string, args ...any) {
		if odd == nil {
			odd = fmt.Errorf(format, args...)
		}
	}
	e := &URLEntry{Scheme: strings.ToLower(scheme)}
	if found && !schemeName(scheme) {
		note("%q is no protocol", scheme)
		e.Scheme = ""
	}
	end := strings.IndexAny(rest, `/\?#`)
	if end < 0 {
		end = len(rest)
	}
	if err := e.authority(rest[:end], strict); err != nil && (e.Host == "" || !strict) {
		return nil, err
	} else if err != nil {
		note("%v", err)
	}
	path, query, _ := strings.Cut(strings.ReplaceAll(rest[end:], "#", "?"), "?")
	if query != "" {
		note("a query or fragment is not compared: leave it out")
	}
	if !e.setPath(path) {
		note("* in a path is understood only at its end, as in /docs/*")
	}
	if odd != nil && !strict {
		return nil, odd
	}
	if e.Scheme == "" && !strict {
		e.Scheme = "https"
	}
	if e.Port == "" {
		e.Port = DefaultPort(e.Scheme)
	}
	return e, odd
}

// URLRule is the rule of one entry of "urls", on WebFetch and on every other call
// that reaches an address. As with ParseRule, what is malformed is an error, and in
// deny a rule as well unless its Tool is empty.
func URLRule(text string, list List, scope Scope, pos Pos) (Rule, error) {
	e, err := parseURLEntry(text, list)
	if e == nil {
		return Rule{}, fmt.Errorf("urls: %s: %w", strconv.Quote(text), err)
	}
	r := Rule{Text: strings.TrimSpace(text), Tool: "WebFetch", Pattern: text, List: list, Scope: scope, Pos: pos, URL: e}
	if err != nil {
		err = fmt.Errorf("urls: %s: %w", strconv.Quote(text), err)
		r.Note = "read as widely as it can be"
	}
	return r, err
}

// Origin is the entry of "urls" for all that the origin of an address holds: its
// protocol, host and port. ok is false where the address is not beyond doubt.
func (u *URL) Origin() (entry string, ok bool) {
	a := takeApart(u)
	if !u.Sure || a.scheme == "" || a.port == "" {
		return "", false
	}
	entry = a.scheme + "://" + bracketed(u.Host)
	if a.port != DefaultPort(a.scheme) {
		entry += ":" + a.port
	}
	_, err := parseURLEntry(entry, Allow)
	return entry, err == nil
}

// authority reads the host and port of an entry.
func (e *URLEntry) authority(text string, strict bool) error {
	var odd error
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		text, odd = text[i+1:], errors.New("a user name is not compared: leave it out")
	}
	host, portOK, port := splitPort(bracketed(text))
	var ok bool
	if e.Host, ok = HostPattern(host, strict); !ok {
		e.Host = ""
		return fmt.Errorf("%q is no host", host)
	}
	if !portOK {
		e.Scheme = ""
		return fmt.Errorf("%q is no port", port)
	}
	e.Port = strings.TrimLeft(port, "0")
	return odd
}

// setPath reads the path of an entry; false where a wildcard is not at its end.
func (e *URLEntry) setPath(path string) bool {
	head, tail, star := strings.Cut(strings.ReplaceAll(path, `\`, "/"), "*")
	e.Path, e.Prefix = normalPath(head), star
	if e.Path == "/" && (star || tail == "") {
		e.Path, e.Prefix = "", false
	}
	return !star || tail == "" && strings.HasSuffix(head, "/")
}

// DefaultPort is the port that a protocol implies, "" where none is known.
func DefaultPort(scheme string) string {
	switch scheme {
	case "http", "ws":
		return "80"
	case "https", "wss":
		return "443"
	case "ftp":
		return "21"
	case "ssh":
		return "22"
	case "git":
		return "9418"
	}
	return ""
}

// match reports whether the entry is about a URL, for certain (all) or perhaps
// (some), which in deny is where there is doubt; an allow is asked about none with.
func (e *URLEntry) match(u *URL, strict bool) (all, some bool) {
	a := takeApart(u)
	switch {
	case !e.onHost(u.Host, strict) || !e.onOrigin(&a, strict):
	case e.Path == "":
		all = true
	case u.Open:
		return false, strict
	case strict:
		all = e.bindsPath(a.path) || e.bindsPath(widestPath(a.path)) || e.bindsPath(widestPath(a.sent))
	default:
		all = e.allowsPath(&a)
	}
	return all, all || strict && !u.Sure
}

func (e *URLEntry) onHost(host string, strict bool) bool {
	if !strings.Contains(e.Host, "*") {
		return e.Host == host
	}
	apex, deep := strings.CutPrefix(e.Host, "*.")
	return matchHost(e.Host, host, strict) || deep && matchHost(apex, host, strict)
}

// onOrigin compares protocol and port. A deny of https binds http of the same host
// as well, which servers and the tools that fetch turn into https, and a program
// that picks the protocol itself.
func (e *URLEntry) onOrigin(a *address, strict bool) bool {
	scheme, port := a.scheme, a.port
	if strict && e.Scheme == "https" && scheme == "http" && port == "80" {
		scheme, port = "https", "443"
	}
	return same(e.Scheme, scheme, strict) && same(e.Port, port, strict)
}

// same compares a part of an entry, where nothing is any, with that of an address,
// which a deny binds also where it is not known.
func same(want, have string, strict bool) bool {
	return want == "" || want == have || strict && have == ""
}

// allowsPath compares a path as an allow does, which covers none that a server may
// read in another way.
func (e *URLEntry) allowsPath(a *address) bool {
	switch {
	case strings.Contains(a.path, "%"), a.doubtful:
		return false
	case e.Prefix:
		return strings.HasPrefix(a.path, e.Path)
	}
	return a.path == e.Path && !a.query
}

// bindsPath compares a path as a deny does: without regard to case, and what is
// below a folder is the folder as well.
func (e *URLEntry) bindsPath(path string) bool {
	path, want := grammar.Fold(path), grammar.Fold(e.Path)
	if !e.Prefix {
		return path == want
	}
	return strings.HasPrefix(path, want) || path+"/" == want
}

// An address is a URL taken apart.
type address struct {
	scheme, port string // "" where the program picks it
	path         string // normalPath of it
	sent         string // as it is written, which some programs send
	doubtful     bool   // some servers take more of path away than dots alone say
	query        bool
}

func takeApart(u *URL) (a address) {
	scheme, authority, rest, _ := splitAuthority(cleanURL(u.Text))
	path, query, _ := strings.Cut(rest, "?")
	path, _, _ = strings.Cut(path, "#")
	a.query = query != ""
	if a.scheme = scheme; u.Picked {
		a.scheme = ""
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	_, ok, port := splitPort(authority)
	if !ok { // HOST:PATH
		a.scheme, a.port, path = "ssh", "22", "/"+port+path
	} else if a.port = strings.TrimLeft(port, "0"); port == "" {
		a.port = DefaultPort(a.scheme)
	}
	a.path, a.sent = normalPath(path), path
	a.doubtful = strings.Contains(path, "//") && widestPath(path) != strings.ReplaceAll(a.path, "//", "/") ||
		strings.Contains(a.path, "/.;") || strings.Contains(a.path, "/..;")
	return a
}

// widestPath is the path as a server may read it: escapes of separators undone,
// several slashes one before .. takes any of it away.
func widestPath(path string) string {
	if !strings.Contains(path, "%") && !strings.Contains(path, "//") {
		return normalPath(path)
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c, n := escaped(path[i:])
		b.WriteByte(c)
		i += n - 1
	}
	path = strings.ReplaceAll(b.String(), `\`, "/")
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return dotless(path)
}

// normalPath is the one spelling of a path: backslashes are slashes, . and ..
// are gone, escaped or not, and nothing is escaped but what would then be read
// as something else. A path without anything is /.
func normalPath(path string) string {
	if !strings.ContainsAny(path, `\%`) && !strings.Contains(path, "/.") && strings.HasPrefix(path, "/") &&
		strings.IndexFunc(path, control) < 0 {
		return path
	}
	var b strings.Builder
	if path = strings.ReplaceAll(path, `\`, "/"); !strings.HasPrefix(path, "/") {
		b.WriteByte('/')
	}
	for i := 0; i < len(path); i++ {
		c, n := escaped(path[i:])
		if control(rune(c)) || (n > 1 || c == '%') && strings.IndexByte(`/\%?#`, c) >= 0 {
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
		i += n - 1
	}
	return dotless(b.String())
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

// escaped is the first byte of a text, or what %XX at its start encodes, and
// how many bytes that takes.
func escaped(text string) (c byte, n int) {
	if len(text) > 2 && text[0] == '%' {
		if one, ok := percentDecode(text[:3]); ok && len(one) == 1 {
			return one[0], 3
		}
	}
	return text[0], 1
}

// dotless takes . and .. out of a path.
func dotless(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	var out []string
	parts := strings.Split(path[1:], "/")
	for i, part := range parts {
		last := i == len(parts)-1
		switch {
		case part == ".." && len(out) > 0:
			out = out[:len(out)-1]
		case part != "." && part != "..":
			out = append(out, part)
			continue
		}
		if last {
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}
