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
