package hookio

import (
	"net/url"
	"strings"
)

// addURI adds what a path stands for that is a URI, and reports whether the
// text of it is no path as well. Any program may be built on a library that
// takes file: URIs for paths; of one that does (Host.URIs), other schemes name a
// place that is not known.
func (c *Call) addURI(p string, a Access) (only bool) {
	scheme, rest, ok := strings.Cut(p, ":")
	if !ok || len(scheme) < 2 || !isScheme(scheme) { // one letter is a drive
		return false
	}
	if !strings.EqualFold(scheme, "file") {
		if c.Host.URIs && rest != "" {
			c.fault("the path " + quote(p) + " is a URI with an unknown location")
		}
		return false
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		at := strings.IndexByte(authority+"/", '/')
		rest = authority[at:]
		if at > 0 {
			c.fault("the path " + quote(p) + " names a file on another machine")
		}
	}
	path, err := url.PathUnescape(rest)
	if err != nil || strings.IndexByte(path, 0) >= 0 {
		c.fault("the path " + quote(p) + " is not a valid URI")
		return false
	}
	path = "/" + strings.TrimLeft(path, "/")
	if len(path) > 2 && path[2] == ':' {
		path = path[1:] // /c:/x
	}
	c.Args = append(c.Args, Arg{Path: path, Access: a})
	return c.Host.URIs
}

// schemeByte reports what the scheme of a URL is made of.
func schemeByte(c byte) bool { return letterOrDigit(c) || c == '+' || c == '-' || c == '.' }

func isScheme(s string) bool {
	for i := range len(s) {
		if !schemeByte(s[i]) || i == 0 && (lower(s[i]) < 'a' || lower(s[i]) > 'z') {
			return false
		}
	}
	return true
}
