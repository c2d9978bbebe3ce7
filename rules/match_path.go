package rules

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A spec is a path pattern below a directory.
type spec struct {
	dir  string   // absolute, clean, literal
	segs []string // the pattern below it, by segment; * ? ** are wildcards, \ escapes
}

// matchFile matches a path pattern against a path. In allow both the path as
// given and the path with symlinks resolved must match, in deny and ask one is
// enough; there case, normal form and invisible characters do not count.
func (p *Policy) matchFile(r *Rule, s *Subject) (all, some bool) {
	specs := p.specs(r)
	switch {
	case s.Glob != "":
		// what the pattern stands for is on the disk, behind symlinks perhaps
		if !r.strict() {
			return false, false
		}
		return matchPatterns(specs, s)
	case s.Path == nil:
		return false, false
	case !r.strict():
		given := matchSpecs(r, specs, s.Path.Given)
		all = given && (s.Path.Real == s.Path.Given || matchSpecs(r, specs, s.Path.Real))
	default:
		all = matchSpecs(r, specs, s.Path.Given) || s.Path.Real != s.Path.Given && matchSpecs(r, specs, s.Path.Real)
	}
	return all, all
}

// specs resolves the anchor of a pattern: //p the file system, ~/p home, /p the
// project root, ./p and p the working directory. Each directory counts as given
// and with symlinks resolved. Deny and ask reach further, see wideSpecs.
func (p *Policy) specs(r *Rule) []spec {
	pattern := strings.TrimSpace(r.Pattern)
	strict := r.strict()
	if !strict && r.Claude && strings.HasPrefix(pattern, "!") {
		return nil // a negation to Claude Code
	}
	var dirs []string
	rest, relative := pattern, false
	switch {
	case strings.HasPrefix(pattern, "//"):
		dirs = []string{"/"}
	case pattern == "~" || strings.HasPrefix(pattern, "~/"):
		dirs, rest = p.Home.forms(), pattern[1:]
	case strings.HasPrefix(pattern, "/"):
		dirs = p.Project.forms()
		if strict && r.Claude && r.Scope == User && p.Home.Given != "" {
			// Claude Code anchors /p of the user's settings at their folder
			dirs = append(dirs, path.Join(p.Home.Given, ".claude"))
		}
	default:
		dirs, relative = p.Cwd.forms(), true
		if strict {
			dirs = append(dirs, p.Project.forms()...)
		}
	}
	segs, tree := splitPattern(rest, strict)
	if strict {
		return wideSpecs(r, pattern, dirs, segs, relative, tree)
	}
	return placeSegs(dirs, segs, false)
}

// wideSpecs adds what deny and ask match beside the anchored pattern.
func wideSpecs(r *Rule, pattern string, dirs, segs []string, relative, tree bool) []spec {
	if tree && len(segs) > 0 {
		segs = append(segs[:len(segs):len(segs)], "**") // dir/ is the directory and all below it
	}
	// a bare file name, and what starts with **/, is meant wherever it lies; so
	// is a pattern whose anchor is not known
	anywhere := len(dirs) == 0 || relative && (!strings.Contains(strings.TrimSuffix(pattern, "/"), "/") || segs[0] == "**")
	if r.Claude && relative && len(segs) == 2 && segs[1] == "**" {
		anywhere = true // dir/** at any depth
	}
	list := [][]string{segs}
	if r.Claude && len(segs) > 0 && segs[len(segs)-1] != "**" {
		// a pattern that matches a directory matches all below it
		list = append(list, append(segs[:len(segs):len(segs)], "**"))
	}
	var out []spec
	for _, segs := range list {
		out = append(out, placeSegs(dirs, segs, true)...)
		if anywhere {
			out = append(out, spec{dir: "/", segs: append([]string{"**"}, segs...)})
		}
	}
	return out
}

// forms returns the spellings of an anchor, none when it is not known.
func (p Path) forms() []string {
	switch {
	case p.Given == "" && p.Real == "":
		return nil
	case p.Real == "" || p.Real == p.Given:
		return []string{p.Given}
	case p.Given == "":
		return []string{p.Real}
	}
	return []string{p.Given, p.Real}
}

// splitPattern returns the segments of a pattern without empty and . segments.
// tree is set when it ends with a slash.
func splitPattern(pattern string, strict bool) (segs []string, tree bool) {
	tree = strings.HasSuffix(pattern, "/")
	for _, seg := range strings.Split(pattern, "/") {
		switch {
		case seg == "" || seg == ".":
		case strict && seg != "**" && strings.Contains(seg, "**"):
			// inside a segment ** is but a star; whoever writes src/**.ts in a
			// deny means more
			if strings.HasPrefix(seg, "**") {
				segs = append(segs, "**")
			}
			segs = append(segs, seg)
			if strings.HasSuffix(seg, "**") {
				segs = append(segs, "**")
			}
		default:
			segs = append(segs, seg)
		}
	}
	return segs, tree
}

// placeSegs puts a pattern below each directory and takes .. out of it. A .. behind
// ** can be any directory: deny and ask drop it, allow has no such pattern.
func placeSegs(dirs, segs []string, strict bool) []spec {
	var out []spec
	for _, dir := range dirs {
		s := spec{dir: path.Clean(dir)}
		ok := true
		for _, seg := range segs {
			n := len(s.segs)
			switch {
			case seg != "..":
				s.segs = append(s.segs, seg)
			case n == 0:
				s.dir = path.Dir(s.dir)
			case s.segs[n-1] == "**":
				ok = ok && strict
			default:
				s.segs = s.segs[:n-1]
			}
		}
		if ok {
			out = append(out, s)
		}
	}
	return out
}

// matchSpecs matches one path.
func matchSpecs(r *Rule, specs []spec, name string) bool {
	if !path.IsAbs(name) {
		return false
	}
	if r.strict() {
		name = foldPath(name)
	}
	for i := range specs {
		s := &specs[i]
		dir, pattern := s.dir, joinSegs(s.segs)
		if r.strict() {
			dir, pattern = foldPath(dir), foldPath(pattern)
		}
		rel, ok := below(name, dir)
		if !ok {
			continue
		}
		m := globPath(pattern, rel, false)
		if r.Claude && strings.Contains(pattern, "[") {
			// a class to Claude Code, itself to us
			if class := globPath(pattern, rel, true); r.strict() {
				m = m || class
			} else {
				m = m && class
			}
		}
		if m {
			return true
		}
	}
	return false
}

// joinSegs makes a pattern of segments, ** after ** once.
func joinSegs(segs []string) string {
	var b strings.Builder
	for i, seg := range segs {
		if seg == "**" && i > 0 && segs[i-1] == "**" {
			continue
		}
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(seg)
	}
	return b.String()
}

// below returns the path of name relative to dir, "" for dir itself.
func below(name, dir string) (rel string, ok bool) {
	switch {
	case name == dir:
		return "", true
	case dir == "/":
		return name[1:], true
	}
	rel, ok = strings.CutPrefix(name, dir)
	if !ok || rel[0] != '/' {
		return "", false
	}
	return rel[1:], true
}

// globPath matches a relative path with doublestar, whose classes and
// alternatives are no part of the grammar and are escaped.
func globPath(pattern, name string, classes bool) bool {
	if pattern == "" || name == "" {
		return name == "" && (pattern == "" || pattern == "**")
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern) && escapable(pattern[i+1]):
			b.WriteByte(c)
			i++
			b.WriteByte(pattern[i])
		case c == '\\' || c == '{' || c == '}' || !classes && (c == '[' || c == ']'):
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	ok, err := doublestar.Match(b.String(), name)
	if dir, tree := strings.CutSuffix(b.String(), "/**"); !ok && err == nil && tree {
		// dir/** is dir too, but doublestar forgets it when dir ends with a star
		ok, err = doublestar.Match(dir, name)
	}
	return err == nil && ok
}

// escapable reports whether \ before b means b itself in a path pattern.
func escapable(b byte) bool { return strings.IndexByte(`*?[]{}()!#\ `, b) >= 0 }
