package decide

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
)

// An AskedPath is a pattern, as rules have it, of paths that edits are asked about
// whatever the rules say.
type AskedPath struct {
	Pattern string
	Answer  byte // Asked, AskedUnless, Unasked
}

// What an edit of a path is answered in step 2.
const (
	Asked       = iota
	AskedUnless // where no other pattern makes it
	Unasked     // perhaps; as deny rules are read
)

// AskedPaths are most paths that an edit of is asked about in step 2, as they are usually
// spelled, and all that are exempt or kept by the program that calls.
func (c *Case) AskedPaths() (out []AskedPath) {
	kept := c.keptPaths()
	for i := range guard.Sensitives {
		s := &guard.Sensitives[i]
		for _, name := range s.Paths {
			pattern, within := "//**/"+strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/")
			switch {
			case name[0] == '~', name[0] == '$', s.Class == guard.Content:
				continue
			case s.Class != guard.Control: // the last component in every spelling of it
				out = append(out, AskedPath{strings.TrimRight(pattern, "/*") + "*/**", Unasked})
				continue
			case within:
				pattern += "/**"
			}
			p := AskedPath{Pattern: pattern}
			below := func(o AskedPath) bool { return o.Answer == Unasked && strings.HasPrefix(o.Pattern+"/", "//**/"+name) }
			if len(s.Not) > 0 || len(kept) > 0 || within && slices.ContainsFunc(out, below) { // those rows come first
				p.Answer = AskedUnless
			}
			out = append(out, p)
		}
		for n := 0; s.Class == guard.Control && n < len(s.Not); n++ {
			out = append(out, AskedPath{"//**/" + s.Not[n] + "*", Unasked})
		}
	}
	for _, pattern := range kept {
		out = append(out, AskedPath{pattern, Unasked})
	}
	return out
}

// keptPaths match what the program that calls keeps, see OwnFiles, and more.
func (c *Case) keptPaths() (out []string) {
	if c.Call.Host == nil {
		return nil
	}
	for _, o := range c.Call.Host.Alone.Own {
		switch o.Base {
		case hookio.BaseHome:
			out = append(out, "~/"+strings.ReplaceAll(o.Dir, "{session}", "*")+"/**")
		case hookio.BaseSession:
			out = append(out, "//**/"+o.Dir+"/*"+o.Ext)
		default:
			out = append(out, "//tmp/**", "//var/tmp/**", "//var/folders/**", "//private/**")
		}
	}
	return out
}
