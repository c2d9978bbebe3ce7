package bashsafety

import (
	"path"
	"slices"
	"strings"
)

// A symlink is a symlink that a command makes: the names it may get, and what it
// leads to, as written.
type symlink struct {
	names  []Effect
	target *Word
}

// symlinks reports whether a command that copies or links makes symlinks, and
// hardLinks whether it makes second names of the same files.
func (c *call) symlinks() bool {
	return c.sub.Operands == Links && c.has("s", "symbolic") || c.sub.Operands == Copies && c.has("s", "symbolic-link")
}

func (c *call) hardLinks() bool {
	return c.sub.Operands == Links && !c.symlinks() || c.sub.Operands == Copies && c.has("l", "link")
}

// linked notes that one of names becomes a symlink to target.
func (c *call) linked(name, target *Word) {
	if c.symlinks() {
		c.links = append(c.links, symlink{effectsOf(Write, name, c.cwd), target})
	}
}

// maxFollowed bounds the effects that links add to one text; what is beyond is
// said to be unknown.
const maxFollowed = 200

// maxLinked is how many links one behind the other Linux follows.
const maxLinked = 40

// behindLinks adds what is done behind a symlink that the text itself makes: whoever
// resolves names on the disk before it runs finds none there yet. The order
// does not count, for there are loops and functions.
func (w *walker) behindLinks() {
	added := 0
	for range maxLinked { // a link may lead to a link
		before := added
		for i := range w.s.Subcommands {
			c := w.s.Subcommands[i].call
			if c == nil || w.s.Subcommands[i].Remote {
				continue
			}
			for k := range c.links {
				for n := range c.links[k].names {
					added += w.behind(i, c.links[k].names[n].Path, c.links[k].target, maxFollowed-added)
				}
			}
		}
		if added == before || added > maxFollowed {
			return
		}
	}
}

// behind adds the effects at or below the link name of all commands but the one
// that makes it, at most room of them, and returns how many there were.
func (w *walker) behind(maker int, name string, target *Word, room int) (added int) {
	for i := range w.s.Subcommands {
		s := &w.s.Subcommands[i]
		if i == maker {
			continue
		}
		for _, e := range slices.Clone(s.Effects) {
			for _, at := range [...]string{e.Path, e.Raw} {
				rest, ok := strings.CutPrefix(at, name)
				switch {
				case !ok || name == "" || rest != "" && rest[0] != '/', e.Kind == Network:
					continue
				case rest == "" && (e.Kind == Delete || s.call != nil && len(s.call.links) > 0):
					continue // the link itself goes, or becomes another one
				}
				e := e
				e.Known = e.Known && target.Known
				if e.Path, e.Raw = cleanPath(leadsTo(name, target)+rest), ""; added >= room {
					e.Path, e.Known = HoleMark, false
				}
				if slices.Contains(s.Effects, e) {
					continue
				}
				s.Effects = append(s.Effects, e)
				s.ReadOnly = s.ReadOnly && e.Kind == Read
				if added++; added > room {
					return added
				}
			}
		}
	}
	return added
}

// leadsTo is the path behind a symlink, which is relative to the folder the link is in.
func leadsTo(name string, target *Word) string {
	if to := target.Text; strings.HasPrefix(to, "/") || strings.HasPrefix(to, HoleMark) {
		return to
	}
	return path.Dir(name) + "/" + target.Text
}
