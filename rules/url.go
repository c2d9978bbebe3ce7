package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"
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
		if !alnum(r) && (i == 0 || !strings.ContainsRune("+-.", r)) {
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
