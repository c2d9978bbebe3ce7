package rules

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// ParseURL reads the host of a URL as browsers do (the WHATWG URL standard):
// blanks and control characters at the ends and tabs and newlines anywhere are
// dropped, a backslash is a slash, userinfo and port are no part of the host,
// which is percent-decoded, brought to ASCII by IDNA, without trailing dot, and
// an address in any notation becomes dotted IPv4 or plain IPv6 text. Sure is
// set only for http and https, and only where nothing was odd on the way. Host
// is the best guess otherwise, or "" if none.
func ParseURL(text string) URL {
	u := URL{Text: text}
	clean := cleanURL(text)
	scheme, authority, _, ok := splitAuthority(clean)
	if authority == "" {
		return u
	}
	sure := ok && isWeb(scheme) && clean == text && plainURL(text)
	userinfo, hostport := "", authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		userinfo, hostport = authority[:i], authority[i+1:]
	}
	host, portOK, _ := splitPort(hostport)
	odd := strings.Contains(host, "%") || strings.ContainsAny(userinfo, "@[]<>")
	host, ok = canonicalHost(host)
	u.Host, u.Sure = host, sure && portOK && !odd && ok
	return u
}

func isWeb(scheme string) bool { return scheme == "http" || scheme == "https" }

// plainURL reports whether every reader of URLs takes the slashes of a text alike.
func plainURL(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, '\\')
}

// cleanURL drops what a URL parser drops before it starts.
func cleanURL(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	if !strings.ContainsAny(text, "\t\n\r") { // a replacer is dear, and every mention is read as a URL
		return text
	}
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
}

// splitAuthority takes a URL apart. ok is false when there is no scheme or the
// slashes are not the two that belong there.
func splitAuthority(s string) (scheme, authority, rest string, ok bool) {
	rest = s
	if i := schemeEnd(s); i > 0 {
		scheme, rest, ok = strings.ToLower(s[:i]), s[i+1:], true
	}
	slashes := len(rest) - len(strings.TrimLeft(rest, "/\\"))
	if ok && slashes == 0 && !special(scheme) {
		return scheme, "", rest, false // opaque: data:, mailto:, javascript:
	}
	ok = ok && slashes == 2 && rest[:2] == "//"
	rest = rest[slashes:]
	end := len(rest)
	if i := strings.IndexAny(rest, "/\\?#"); i >= 0 {
		end = i
	}
	return scheme, rest[:end], rest[end:], ok
}

// schemeEnd returns where the colon after the scheme of a URL is, 0 without a
// scheme: host:port looks the same, but a port is all digits.
func schemeEnd(s string) int {
	i := strings.IndexAny(s, ":/\\?#")
	if i <= 0 || s[i] != ':' || !schemeName(s[:i]) {
		return 0
	}
	if tail, _, _ := strings.Cut(s[i+1:], "/"); digits(tail) {
		return 0
	}
	return i
}

// special reports whether URLs of a scheme have a host, however few slashes they have.
func special(scheme string) bool {
	switch scheme {
	case "http", "https", "ftp", "ws", "wss":
		return true
	}
	return false
}

func schemeName(s string) bool {
	if s == "" || digits(s[:1]) {
		return false
	}
	for i, r := range s {
		if !grammar.Alnum(r) && (i == 0 || !strings.ContainsRune("+-.", r)) {
			return false
		}
	}
	return true
}

// splitURL returns scheme, canonical host and what follows the authority.
func splitURL(text string) (scheme, host, rest string) {
	scheme, _, rest, _ = splitAuthority(cleanURL(text))
	return scheme, ParseURL(text).Host, strings.ReplaceAll(rest, "\\", "/")
}

// splitPort takes the port off; ok is false when it is no number up to 65535.
func splitPort(hostport string) (host string, ok bool, port string) {
	i, bracket := strings.LastIndexByte(hostport, ':'), strings.LastIndexByte(hostport, ']')
	unclosed := bracket < 0 && strings.HasPrefix(hostport, "[")
	if i < 0 || i < bracket || unclosed {
		return hostport, true, ""
	}
	host, port = hostport[:i], hostport[i+1:]
	if port == "" {
		return host, true, ""
	}
	n, err := strconv.Atoi(port)
	return host, err == nil && digits(port) && n <= 65535, port
}

// bracketed puts brackets around a plain IPv6 address.
func bracketed(host string) string {
	if strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
		return "[" + host + "]"
	}
	return host
}

// canonicalHost returns the one spelling of a host; ok is false when it is not
// beyond doubt what a client would make of it.
func canonicalHost(host string) (string, bool) {
	if strings.HasPrefix(host, "[") {
		return canonicalIPv6(host)
	}
	host, ok := percentDecode(host)
	ok = ok && utf8.ValidString(host)
	if !grammar.ASCII(host) || strings.Contains(strings.ToLower(host), "xn--") {
		var fine bool
		host, fine = toASCII(host)
		ok = ok && fine
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" {
		return "", false
	}
	ok = ok && plainHost(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	if _, number := parsePart(last); number || digits(last) {
		addr, fine := parseIPv4(host)
		if !fine {
			return host, false
		}
		return addr, ok
	}
	return host, ok
}

// canonicalIPv6 is canonicalHost for an address in brackets.
func canonicalIPv6(host string) (string, bool) {
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil || !strings.HasSuffix(host, "]") || addr.Zone() != "" {
		return strings.ToLower(strings.Trim(host, "[]")), false
	}
	return addr.Unmap().String(), true
}

// plainHost reports whether a host is made of labels of letters, digits, - and _.
func plainHost(host string) bool {
	for i := 0; i < len(host); i++ {
		if b := rune(host[i]); !grammar.Alnum(b) && b != '-' && b != '_' && b != '.' {
			return false
		}
	}
	return host[0] != '.' && !strings.HasSuffix(host, ".") && !strings.Contains(host, "..")
}

// toASCII is the mapping of a host that is not plain ASCII (UTS 46).
func toASCII(host string) (string, bool) {
	out, err := idna.Lookup.ToASCII(host)
	if out == "" {
		out = host
	}
	return out, err == nil
}

func percentDecode(s string) (string, bool) {
	if !strings.Contains(s, "%") {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return s, false
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return s, false
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), true
}

// parsePart reads one number of an IPv4 address: decimal, octal with a leading
// 0, hexadecimal with a leading 0x.
func parsePart(s string) (n uint64, ok bool) {
	number, base := numberBase(s)
	switch {
	case s == "":
		return 0, false
	case number == "":
		return 0, true
	case number[0] == '+' || strings.Contains(number, "_"):
		return 0, false
	}
	n, err := strconv.ParseUint(number, base, 64)
	return n, err == nil
}

// numberBase takes the prefix off a number that says its base.
func numberBase(s string) (number string, base int) {
	switch {
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0X"):
		return s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		return s[1:], 8
	}
	return s, 10
}

// parseIPv4 reads an address of one to four numbers, the last of which fills
// all bytes that are left.
func parseIPv4(host string) (string, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var addr uint64
	for i, part := range parts {
		n, ok := parsePart(part)
		left := 5 - len(parts) // bytes of the last part
		switch {
		case !ok:
			return "", false
		case i < len(parts)-1:
			if n > 255 {
				return "", false
			}
			addr |= n << (8 * (3 - i))
		default:
			if n >= 1<<(8*left) {
				return "", false
			}
			addr |= n
		}
	}
	a := netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)})
	return a.String(), true
}

// ParseRemote reads what programs that talk to other machines are given: a URL of
// any scheme, a host with or without port and path, or HOST:PATH as git, scp and
// rsync spell it. ok is false for what names no host: a path, data, a file. A
// host that is plain to read is certain here, whatever the scheme.
func ParseRemote(text string) (u URL, ok bool) {
	scheme, rest, slashes := strings.Cut(text, "://")
	switch {
	case slashes && schemeName(scheme):
		switch strings.ToLower(scheme) {
		case "http", "https":
			return ParseURL(text), true
		case "file":
			return URL{}, false
		}
		u = ParseURL("http://" + rest)
		u.Text = text
		return u, true
	case slashes:
		return ParseURL(text), true
	case text == "", text == ".", text == "..", strings.HasPrefix(text, "./"), strings.HasPrefix(text, "../"),
		strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//"):
		return URL{}, false
	}
	u = ParseURL("http://" + text) // what curl and wget make of it
	u.Picked = true
	if host := remoteHost(text); !u.Sure && host != "" {
		if as := ParseURL("http://" + host); as.Sure {
			u.Host, u.Sure = as.Host, true
		}
	}
	return u, true
}

// remoteHost is the host of [user@]HOST:PATH, "" for anything else, and for what
// a URL parser could read in another way.
func remoteHost(text string) string {
	host, rest, ok := strings.Cut(text, ":")
	switch strings.ToLower(host) {
	case "http", "https", "ftp", "ws", "wss", "file":
		return ""
	}
	if path, _, _ := strings.Cut(rest, "/"); strings.ContainsRune(path, '@') || cleanURL(text) != text || !grammar.ASCII(text) {
		return ""
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if !ok || strings.ContainsAny(host, `/\?#[]%`) {
		return ""
	}
	return host
}
