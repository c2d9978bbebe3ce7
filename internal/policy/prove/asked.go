package prove

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
)

// An askedPath is a pattern, as rules have it, of paths that edits are asked about
// whatever the rules say.
type askedPath struct {
	pattern string
	answer  byte // asked, askedUnless, unasked
}

// What an edit of a path is answered in step 2.
const (
	asked       = iota
	askedUnless // where no other pattern makes it
	unasked     // perhaps; as deny rules are read
)

// askedPaths are most paths that an edit of is asked about in step 2, as they are usually
// spelled, and all that are exempt or kept by the program that calls.
func askedPaths(h *hookio.Host) (out []askedPath) {
	kept := keptPaths(h)
	for i := range guard.Sensitives {
		s := &guard.Sensitives[i]
		for _, name := range s.Paths {
			pattern, within := "//**/"+strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/")
			switch {
			case name[0] == '~', name[0] == '$', s.Class == guard.Content:
				continue
			case s.Class != guard.Control: // the last component in every spelling of it
				out = append(out, askedPath{strings.TrimRight(pattern, "/*") + "*/**", unasked})
				continue
			case within:
				pattern += "/**"
			}
			p := askedPath{pattern: pattern}
			below := func(o askedPath) bool { return o.answer == unasked && strings.HasPrefix(o.pattern+"/", "//**/"+name) }
			if len(s.Not) > 0 || len(kept) > 0 || within && slices.ContainsFunc(out, below) { // those rows come first
				p.answer = askedUnless
			}
			out = append(out, p)
		}
		for n := 0; s.Class == guard.Control && n < len(s.Not); n++ {
			out = append(out, askedPath{"//**/" + s.Not[n] + "*", unasked})
		}
	}
	for _, pattern := range kept {
		out = append(out, askedPath{pattern, unasked})
	}
	return out
}

// keptPaths match what the program that calls keeps, see OwnFiles, and more.
func keptPaths(h *hookio.Host) (out []string) {
	if h == nil {
		return nil
	}
	for _, o := range h.Alone.Own {
		switch o.Base {
		case hookio.BaseHome:
			out = append(out, "~/"+strings.ReplaceAll(o.Dir, "{session}", "*")+"/**")
		case hookio.BaseSession:
			out = append(out, "//**/"+strings.TrimPrefix(o.Dir, "../")+"/*"+o.Ext)
		case hookio.BaseProject:
			out = append(out, "/"+o.Dir+"/*"+o.Ext)
		default:
			out = append(out, "//tmp/**", "//var/tmp/**", "//var/folders/**", "//private/**")
		}
	}
	return out
}
