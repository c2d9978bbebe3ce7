package report

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A scan goes over a text once, from name to name: what is between them stays.
type scan struct {
	*Neutral
	s     string
	quote byte // the quotation mark of a text that is one path, 0 for none
	url   bool // the position is in a URL, after its host
}

// tokens replaces the names of files, hosts, people and machines in a text.
func (n *Neutral) tokens(s string) string {
	n.scp = false
	for _, program := range [...]string{"ssh ", "scp ", "sftp ", "rsync ", "mosh "} {
		n.scp = n.scp || strings.Contains(s, program)
	}
	t := scan{Neutral: n, s: s}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if end, text := t.address(i); end > i {
			b.WriteString(text)
			i = end
			continue
		}
		if !inName(r) {
			t.between(i, s[i])
			b.WriteString(s[i : i+size])
			i += size
			continue
		}
		end := t.nameEnd(i)
		text, next := t.token(i, end)
		b.WriteString(text)
		i = next
	}
	return b.String()
}

// between notes what a character that is in no name says about those after it.
func (t *scan) between(i int, c byte) {
	if strings.IndexByte(" \t\n\"'`<>|;)", c) >= 0 {
		t.url = false
	}
	switch rest := t.s[i+1:]; {
	case c == t.quote:
		t.quote = 0
	case c != '"' && c != '\'', t.quote != 0:
	case strings.HasPrefix(rest, "/"), strings.HasPrefix(rest, "~/"), strings.HasPrefix(rest, "./"), strings.HasPrefix(rest, "../"):
		t.quote = c
	}
}

// inName accepts what names of files and hosts are made of.
func inName(r rune) bool {
	if r < utf8.RuneSelf {
		return alphanumeric(byte(r)) || strings.IndexByte("_-.+%", byte(r)) >= 0
	}
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// nameEnd is where the name at a position ends. A blank that is quoted is in it.
func (t *scan) nameEnd(i int) int {
	for i < len(t.s) {
		r, size := utf8.DecodeRuneInString(t.s[i:])
		switch {
		case inName(r):
		case strings.HasPrefix(t.s[i:], `\ `):
			size = 2
		case r == ' ' && t.quote != 0 && strings.IndexByte(t.s[i:], t.quote) >= 0:
		default:
			return i
		}
		i += size
	}
	return i
}

// token returns what is written for the name in [i,end), and where to go on.
func (t *scan) token(i, end int) (text string, next int) {
	name, before := t.s[i:end], t.s[:i]
	switch {
	case strings.HasPrefix(t.s[end:], "://"):
		return t.location(i, end)
	case strings.HasSuffix(before, "$"), strings.HasSuffix(before, "${"), directlyIn(before):
		return name, end // a variable, or a file of the system
	case strings.HasSuffix(before, "domain:"): // of a rule
		return t.host(name), end
	case t.url && strings.HasSuffix(before, "="):
		return t.parameter(name), end
	}
	if t.byte(end) == '@' {
		if text, next = t.atHost(name, end+1); next > 0 {
			return text, next
		}
	}
	if host, ok := t.dotted(name, t.byte(i-1)); ok {
		return host, end
	}
	return t.name(name, t.inPath(i, end)), end
}

func (t *scan) parameter(value string) string {
	if len(value) <= 2 || known(value) || t.keeps(value) {
		return value
	}
	return "value"
}

// dotted returns what is written for a name that is one of a host, by what is before it.
func (t *scan) dotted(name string, before byte) (host string, ok bool) {
	switch {
	case before == '/':
		return "", false
	case before == '*' && strings.HasPrefix(name, "."): // any host below one
		host, ok = t.hostName(name[1:])
		return "." + host, ok
	}
	return t.hostName(name)
}

// directlyIn reports whether a text ends in a folder whose files have public names.
func directlyIn(s string) bool {
	for _, dir := range [...]string{"/dev/", "/proc/", "/sys/", "/bin/", "/sbin/"} {
		if !strings.HasSuffix(s, dir) {
			continue
		}
		switch before := strings.TrimSuffix(s, dir); {
		case before == "", strings.IndexByte(" \t\n\"'=:(<>", before[len(before)-1]) >= 0, strings.HasSuffix(before, "/usr"):
			return true
		}
	}
	return false
}

func (t *scan) byte(i int) byte {
	if i >= 0 && i < len(t.s) {
		return t.s[i]
	}
	return 0
}

// inPath reports whether the name in [i,end) is part of a path.
func (t *scan) inPath(i, end int) bool {
	before, after := t.byte(i-1), t.byte(end)
	if before == '\\' && after == '\\' {
		return true
	}
	return before == '/' || after == '/' || before == '~' || t.quote != 0
}

// location replaces the host of a URL, and the user before it. Its scheme is in [i,end).
func (t *scan) location(i, end int) (text string, next int) {
	scheme, from := t.s[i:end], end+len("://")
	next = from
	for next < len(t.s) && strings.IndexByte("/?# \t\n\"'`<>|;()\\", t.s[next]) < 0 {
		next++
	}
	authority := t.s[from:next]
	t.url = true
	user := ""
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, authority = authority[:at], authority[at+1:]
		name, password, has := strings.Cut(user, ":")
		if user = publicUser(name); has {
			user += ":" + map[bool]string{true: password, false: Redacted}[strings.HasPrefix(password, "$")]
		}
		user += "@"
	}
	host, port, _ := strings.Cut(authority, ":")
	switch {
	case strings.HasPrefix(authority, "["):
		host, port = authority, ""
	case port != "":
		port = ":" + port
	}
	return scheme + "://" + user + t.host(host) + port, next
}

// atHost replaces user@host; next is 0 where it is something else, as a version.
func (t *scan) atHost(user string, from int) (text string, next int) {
	end := from
	for end < len(t.s) && t.s[end] < utf8.RuneSelf && inName(rune(t.s[end])) {
		end++
	}
	host := t.s[from:end]
	_, named := t.hostName(host)
	_, err := netip.ParseAddr(host)
	if host == "" || !(named || err == nil || t.scp) {
		return "", 0
	}
	return publicUser(user) + "@" + t.host(host), end
}

// publicUser is the name of a user that says nothing.
func publicUser(name string) string {
	if shell.Among("git root admin ubuntu ec2-user debian core pi postgres node www-data nobody", name) || strings.HasPrefix(name, "$") {
		return name
	}
	return "user"
}

// address returns what is written for a machine's number and where it ends, not after i if there is no address.
func (t *scan) address(i int) (end int, text string) {
	if i > 0 && (letterAt(t.s, i-1) || strings.IndexByte(".:", t.s[i-1]) >= 0) {
		return 0, ""
	}
	end = i
	for end < len(t.s) && strings.IndexByte("0123456789abcdefABCDEF.:", t.s[end]) >= 0 {
		end++
	}
	digits := strings.TrimRight(t.s[i:end], ":.")
	a, err := netip.ParseAddr(digits)
	if err != nil { // with a port
		digits, _, _ = strings.Cut(digits, ":")
		a, err = netip.ParseAddr(digits)
	}
	if err != nil || letterAt(t.s, i+len(digits)) {
		return 0, ""
	}
	return i + len(digits), t.machine(a)
}

// machine replaces the address of a machine by one of the same kind.
func (n *Neutral) machine(a netip.Addr) string {
	old, stem := a.String(), kindOf(a)
	if stem == "" {
		return old
	}
	if rest, ok := strings.CutPrefix(old, stem); ok {
		if k, err := strconv.Atoi(rest); err == nil && k <= n.counts[stem] {
			return old // one of those written here
		}
	}
	return n.as(old, stem)
}

// kindOf begins the addresses written for one, "" where it is the same on every machine.
func kindOf(a netip.Addr) string {
	switch {
	case a.IsLoopback(), a.IsUnspecified(), a.Is4() && a.IsLinkLocalUnicast():
		return ""
	case a.Is6():
		return kindOf6(a)
	case !a.IsPrivate():
		return "203.0.113."
	}
	switch a.As4()[0] {
	case 10:
		return "10.0.0."
	case 172:
		return "172.16.0."
	}
	return "192.168.0."
}

func kindOf6(a netip.Addr) string {
	switch {
	case a.IsLinkLocalUnicast():
		return "fe80::"
	case a.IsPrivate():
		return "fd00::"
	}
	return "2001:db8::"
}

// as is the name that is written for another one, always the same.
func (n *Neutral) as(old, stem string) string {
	name, ok := n.names[old]
	if !ok {
		name = n.next(stem)
		n.names[old] = name
	}
	return name
}
