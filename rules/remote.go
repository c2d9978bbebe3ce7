package rules

import "strings"

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
	if path, _, _ := strings.Cut(rest, "/"); strings.ContainsRune(path, '@') || cleanURL(text) != text || !ascii(text) {
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
