package rules

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// ParseURL reads the host of a URL as browsers do (the WHATWG URL standard):
// blanks and control characters at the ends and tabs and newlines anywhere are
// dropped, a backslash is a slash, userinfo and port are no part of the host,
// which is percent-decoded, brought to ASCII by IDNA, without trailing dot, and
// an address in any notation becomes dotted IPv4 or plain IPv6 text. Sure is
// set only for http and https, and only where nothing was odd on the way. Host
// is the best guess otherwise, "" when there is none.
func ParseURL(text string) URL {
	u := URL{Text: text}
	clean := cleanURL(text)
	scheme, authority, _, ok := splitAuthority(clean)
	if authority == "" {
		return u
	}
	sure := ok && clean == text && utf8.ValidString(text) && !strings.ContainsRune(text, '\\') &&
		(scheme == "http" || scheme == "https")
	userinfo, hostport := "", authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		userinfo, hostport = authority[:i], authority[i+1:]
	}
	host, portOK, _ := splitPort(hostport)
	sure = sure && portOK && !strings.Contains(host, "%") && !strings.ContainsAny(userinfo, "@[]<>")
	host, ok = canonicalHost(host)
	u.Host, u.Sure = host, sure && ok
	return u
}

// cleanURL drops what a URL parser drops before it starts.
func cleanURL(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
}

// splitAuthority takes a URL apart. ok is false when there is no scheme or the
// slashes are not the two that belong there.
func splitAuthority(s string) (scheme, authority, rest string, ok bool) {
	rest = s
	if i := strings.IndexAny(s, ":/\\?#"); i > 0 && s[i] == ':' && schemeName(s[:i]) {
		// host:port without a scheme looks the same; a port is all digits
		if tail, _, _ := strings.Cut(s[i+1:], "/"); !digits(tail) {
			scheme, rest = strings.ToLower(s[:i]), s[i+1:]
			ok = true
		}
	}
	slashes := 0
	for slashes < len(rest) && (rest[slashes] == '/' || rest[slashes] == '\\') {
		slashes++
	}
	if ok && slashes == 0 && scheme != "http" && scheme != "https" && scheme != "ftp" && scheme != "ws" && scheme != "wss" {
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

func schemeName(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := rune(s[i]); !alnum(b) && (i == 0 || b != '+' && b != '-' && b != '.') {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// splitURL returns scheme, canonical host and what follows the authority.
func splitURL(text string) (scheme, host, rest string) {
	scheme, _, rest, _ = splitAuthority(cleanURL(text))
	return scheme, ParseURL(text).Host, strings.ReplaceAll(rest, "\\", "/")
}

// splitPort takes the port off; ok is false when it is no number up to 65535.
func splitPort(hostport string) (host string, ok bool, port string) {
	i := strings.LastIndexByte(hostport, ':')
	if i < 0 || i < strings.LastIndexByte(hostport, ']') || hostport[0] == '[' && !strings.Contains(hostport, "]") {
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
		addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err != nil || !strings.HasSuffix(host, "]") || addr.Zone() != "" {
			return strings.ToLower(strings.Trim(host, "[]")), false
		}
		return addr.Unmap().String(), true
	}
	host, ok := percentDecode(host)
	ok = ok && utf8.ValidString(host)
	if !ascii(host) || strings.Contains(strings.ToLower(host), "xn--") {
		var fine bool
		host, fine = toASCII(host)
		ok = ok && fine
	}
	host = strings.ToLower(host)
	host = strings.TrimSuffix(host, ".")
	if host == "" {
		return "", false
	}
	for i := 0; i < len(host); i++ {
		if b := rune(host[i]); !alnum(b) && b != '-' && b != '_' && b != '.' {
			ok = false
		}
	}
	if strings.Contains(host, "..") || host[0] == '.' || strings.HasSuffix(host, ".") {
		ok = false
	}
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
	base := 10
	switch {
	case s == "":
		return 0, false
	case len(s) >= 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'):
		s, base = s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	if s[0] == '+' || s[0] == '_' || strings.Contains(s, "_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
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
