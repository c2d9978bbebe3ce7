package interp

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// maxFollowed bounds the effects that links add to one text; what is beyond is
// said to be unknown.
const maxFollowed = 200

// maxLinked is how many links in a row Linux follows.
const maxLinked = 40

// followOwnSymlinks adds what is done through a symlink that the text itself makes: names that
// are resolved on the disk before it runs do not lead through it yet. The order
// does not count, for there are loops and functions.
func (w *walker) followOwnSymlinks() {
	added := 0
	for range maxLinked { // a link may lead to a link
		before := added
		for i := range w.s.Subcommands {
			c := w.s.Subcommands[i].Call
			if c == nil || w.s.Subcommands[i].Remote {
				continue
			}
			for k := range c.Links {
				for n := range c.Links[k].Names {
					added += w.throughLink(i, c.Links[k].Names[n].Path, c.Links[k].Target, maxFollowed-added)
				}
			}
		}
		if added == before || added > maxFollowed {
			return
		}
	}
}

// throughLink adds the effects at or below the link name of all commands but the one
// that makes it, at most room of them, and returns how many there were.
func (w *walker) throughLink(maker int, name string, target *shell.Word, room int) (added int) {
	for i := range w.s.Subcommands {
		s := &w.s.Subcommands[i]
		if i == maker {
			continue
		}
		for _, e := range slices.Clone(s.Effects) {
			for _, at := range [...]string{e.Path, e.Raw} {
				rest, ok := usesLink(s, &e, at, name)
				if !ok {
					continue
				}
				e := e
				e.Known = e.Known && target.Known
				if e.Path, e.Raw = shell.CleanPath(linkTarget(name, target)+rest), ""; added >= room {
					e.Path, e.Known = shell.HoleMark, false
				}
				if slices.Contains(s.Effects, e) {
					continue
				}
				s.Effects = append(s.Effects, e)
				s.ReadOnly = s.ReadOnly && e.Kind == shell.Read
				if added++; added > room {
					return added
				}
			}
		}
	}
	return added
}

// usesLink reports whether the path of an effect goes through the link name, and
// returns what of it is below that.
func usesLink(s *analysis.Subcommand, e *shell.Effect, at, name string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(at, name)
	if !ok || name == "" || e.Kind == shell.Network {
		return "", false
	}
	if rest != "" {
		return rest, rest[0] == '/'
	}
	makesLinks := s.Call != nil && len(s.Call.Links) > 0
	return "", e.Kind != shell.Delete && !makesLinks // else the link itself goes, or becomes another one
}

// linkTarget is the path a symlink leads to, which is relative to the folder the link is in.
func linkTarget(name string, target *shell.Word) string {
	if to := target.Text; strings.HasPrefix(to, "/") || strings.HasPrefix(to, shell.HoleMark) {
		return to
	}
	return path.Dir(name) + "/" + target.Text
}
