package hookio

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// readPaths turns every path parameter into an Arg, the primary one first.
func (c *Call) readPaths(s *Shape, vals values) {
	for i, key := range s.Keys {
		v := vals[i]
		switch {
		case !v.Exists():
		case s.nested(key):
			c.readNested(s, key, v)
		case slices.Contains(s.Under, key):
			c.each(s, key, v, c.addUnder)
		case slices.Contains(s.Filter, key):
			c.each(s, key, v, func(p string) {
				if c.Filter = append(c.Filter, p); strings.Contains(p, "/") {
					c.addUnder(p)
				}
			})
		case key == s.Patch:
			c.patch(c.text(key, v, true), s.Access)
		case s.Globs:
			c.each(s, key, v, func(p string) { c.addPattern(p, s.Access) })
		case s.list(key) && v.IsArray():
			c.each(s, key, v, func(p string) { c.addPath(p, s.Access) })
		default:
			c.addPath(c.text(key, v, s.Need && key == c.Primary), s.Access)
		}
	}
}

// each calls do with the text of a field, or with every one of a list of texts.
func (c *Call) each(s *Shape, key string, v gjson.Result, do func(string)) {
	if !v.IsArray() || !s.list(key) {
		if text := c.text(key, v, s.Need && key == c.Primary); text != "" {
			do(text)
		}
		return
	}
	v.ForEach(func(_, p gjson.Result) bool {
		if text := c.text(key, p, true); text != "" {
			do(text)
		}
		return true
	})
}

// readNested reads the list of a many-edits call, whose entries may name files of their own.
func (c *Call) readNested(s *Shape, name string, v gjson.Result) {
	if !v.IsArray() {
		c.fault(name + " is not a list")
	}
	v.ForEach(func(_, edit gjson.Result) bool {
		if !edit.IsObject() {
			c.fault(name + " has an entry that is not an object")
			return true
		}
		for key, p := range Members(edit.Raw) {
			if slices.Contains(keysPath, key) {
				c.addPath(c.text(name+"."+key, gjson.Parse(p), true), s.Access)
			} else {
				c.checkCase(key, keysPath)
			}
		}
		return true
	})
}

func (c *Call) addPath(p string, a Access) {
	if p != "" && !c.addURI(p, a) {
		c.Args = append(c.Args, Arg{Path: p, Access: a})
	}
	if trimmed := strings.TrimSpace(p); trimmed != p { // some programs trim it
		c.addPath(trimmed, a)
	}
}

// addUnder adds a pattern of files below the primary path.
func (c *Call) addUnder(p string) {
	c.checkPattern(p)
	c.Under = append(c.Under, p)
}

// addPattern adds a path that may be a pattern. Braces and parentheses stand for any path below.
func (c *Call) addPattern(p string, a Access) {
	c.addPath(p, a)
	p = strings.ReplaceAll(p, `\`, "/")
	c.checkPattern(p)
	if i := strings.IndexAny(p, "{("); i >= 0 {
		p = p[:strings.LastIndexByte(p[:i], '/')+1] + "**"
	}
	if strings.ContainsAny(p, "*?[!") {
		c.Args = append(c.Args, Arg{Path: p, Access: a, Pattern: true})
	}
}

// checkPattern notes a pattern that after its first wildcard goes up (..) or to
// one of several places: only the part before is known to be searched.
func (c *Call) checkPattern(p string) {
	i := strings.IndexAny(p, "*?[{(")
	if i < 0 {
		return
	}
	for _, out := range [...]string{"/..", "../", "{..", ",..", "(..", "|..", "{/", ",/", "(/", "|/", "{~", ",~"} {
		if strings.Contains(p[i:], out) {
			c.fault("the pattern " + quote(p) + " may lead out of its folder")
		}
	}
}

// addURI adds the file that a URI names, and reports whether the
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

// readURLs sets the URLs of a call: c.URL the first, c.AlsoURL the others.
func (c *Call) readURLs(s *Shape, vals values) {
	for i, key := range s.Keys {
		v := vals[i]
		switch {
		case !v.Exists():
		case key == s.Prose:
			c.prose(c.text(key, v, key == c.Primary))
		case v.IsArray() && slices.Contains(s.Lists, key):
			v.ForEach(func(_, u gjson.Result) bool {
				c.addURL(c.text(key, u, true))
				return true
			})
		default:
			c.addURL(c.text(key, v, key == c.Primary))
		}
	}
	if s.Need && c.URL == "" {
		c.fault("tool_input of " + quote(c.RawTool) + " names no URL")
	}
}

// closers are the marks that end a sentence or a bracket after a URL.
const closers = ".,;:!?)]}"

// prose finds the URLs in a text: all with ://, even within a word, and words that start with www.
func (c *Call) prose(text string) {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`<>\ufeff", r)
	})
	for _, w := range words {
		if strings.Contains(w, "://") {
			c.proseURLs(w)
		} else if w = strings.TrimLeft(w, "(["); len(w) > 4 && strings.EqualFold(w[:4], "www.") {
			c.addURL("http://" + strings.TrimRight(w, closers))
		}
	}
}

// proseURLs adds what starts at every scheme in a word, up to its end.
func (c *Call) proseURLs(w string) {
	w = strings.TrimRight(w, closers)
	for from := 0; ; {
		n := strings.Index(w[from:], "://")
		if n < 0 {
			return
		}
		i := from + n
		from = i + len("://")
		for i > 0 && schemeByte(w[i-1]) {
			i--
		}
		c.addURL(w[i:])
	}
}

func (c *Call) addURL(u string) {
	switch {
	case u == "":
	case c.URL == "":
		c.URL = u
	default:
		c.AlsoURL = append(c.AlsoURL, u)
	}
}
