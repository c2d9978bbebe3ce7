package hookio

import (
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// readURLs sets the URLs of a call: c.URL the first, c.AlsoURL the others.
func (c *Call) readURLs(s *Shape, vals values) {
	for i, key := range s.Keys {
		v := vals[i]
		switch {
		case !v.Exists():
		case key == s.Prose:
			c.prose(c.text(key, v, key == c.Primary))
		case v.IsArray() && contains(s.Lists, key):
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

// closers are the marks that end a sentence or a bracket behind a URL.
const closers = ".,;:!?)]}"

// prose finds the URLs in a text: those with ://, several in one word too, and
// words that start with www.
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
