package redact

import "strings"

// findURL finds a password before the host of a URL. The position is that of
// its scheme.
func findURL(t *scanner, _ *Shape) (from, to int) {
	if !t.url || !letter(t.s[t.at]) {
		return 0, 0
	}
	from = t.afterScheme()
	if from == 0 {
		return 0, 0
	}
	end := from
	for end < min(len(t.s), from+2*maxToken) && inURL(t.s[end]) {
		end++
	}
	user := userInfo(t.s[from:end])
	if colon := strings.IndexByte(user, ':'); colon >= 0 {
		return t.keepReference(from+colon+1, from+len(user))
	}
	if len(user) >= 16 && random(user) {
		return t.keepReference(from, from+len(user))
	}
	return 0, 0
}

// maxScheme bounds the scheme of a URL, in bytes.
const maxScheme = 32

// afterScheme returns where the host of the URL starts whose scheme is at the
// position, 0 if there is none.
func (t *scanner) afterScheme() int {
	i := t.at
	for i < min(len(t.s), t.at+maxScheme) && inScheme(t.s[i]) {
		i++
	}
	if i == t.at || !strings.HasPrefix(t.s[i:], "://") {
		return 0
	}
	return i + len("://")
}

func inScheme(c byte) bool { return word(c) || c == '+' || c == '-' || c == '.' }

func inURL(c byte) bool { return !blank(c) && strings.IndexByte("\"'`<>|;\\", c) < 0 }

// userInfo returns what is before the @ of a URL without its scheme, "" without one.
func userInfo(url string) string {
	at := strings.LastIndexByte(url, '@')
	slash := strings.IndexAny(url, "/?#")
	if slash >= 0 && at > slash {
		// a password with a slash in it, or an @ in the path after a host and port
		if first := strings.LastIndexByte(url[:slash], '@'); first >= 0 {
			at = first
		} else if hostPort(url[:slash]) {
			return ""
		}
	}
	return url[:max(at, 0)]
}

// hostPort reports whether a text is a host, with a port or without, rather than
// a user and the start of a password.
func hostPort(s string) bool {
	name, port, colon := strings.Cut(s, ":")
	return !colon || digits(port) || strings.Contains(name, "[")
}

func digits(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
	}
	return true
}
