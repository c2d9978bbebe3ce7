package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// Specs resolves the anchor of a pattern: //p the file system, ~/p home, /p the
// project root, ./p and p the working directory. Each directory counts as given
// and with symlinks resolved. Deny and ask reach further, see wideSpecs.
//
// On Windows a backslash is both an escape and what people write between
// folders: deny and ask take it for either, allow for the first. They also take
// /c/Users for a folder of the drive, see Meant.
//
// Blanks at the ends and next to a slash are hardly ever part of a name: deny and
// ask are read with them and without.
func (p *Policy) Specs(r *Rule) []grammar.Spec {
	key := anchorKey{r.Pattern, r.Strict(), r.Claude, r.Scope == User}
	if p.known != nil {
		if out, ok := p.known.anchors[key]; ok {
			return out
		}
	}
	var out []grammar.Spec
	texts := [...]string{strings.TrimSpace(r.Pattern), r.Pattern, grammar.Unspaced(r.Pattern)}
	for i, text := range texts {
		if i > 0 && (!r.Strict() || slices.Contains(texts[:i], text)) {
			continue
		}
		pattern := p.OS.anchor(text)
		for n, form := range [...]string{pattern, p.OS.Slashes(pattern), p.OS.Meant(text, p.Cwd.Given)} {
			if n == 0 || r.Strict() && form != "" && form != pattern {
				out = append(out, p.anchored(r, form)...)
			}
		}
	}
	for i := range out {
		out[i].Prepare(key.strict)
	}
	if p.known != nil {
		p.known.anchors[key] = out
	}
	return out
}

// An anchorKey is all of a rule that its specs depend on.
type anchorKey struct {
	pattern              string
	strict, claude, user bool
}

// anchored is specs for one reading of the pattern.
func (p *Policy) anchored(r *Rule, pattern string) []grammar.Spec {
	strict := r.Strict()
	if !strict && r.Claude && strings.HasPrefix(pattern, "!") {
		return nil // a negation to Claude Code
	}
	var dirs []string
	rest, relative := pattern, false
	switch {
	case strings.HasPrefix(pattern, "//"):
		dirs = []string{"/"}
	case pattern == "~" || strings.HasPrefix(pattern, "~/"):
		dirs, rest = p.Home.Forms(), pattern[1:]
	case strings.HasPrefix(pattern, "/"):
		dirs = p.Project.Forms()
		if strict && r.Claude && r.Scope == User && p.Home.Given != "" {
			// Claude Code anchors /p of the user's settings at their folder
			dirs = append(dirs, path.Join(p.Home.Given, ".claude"))
		}
	default:
		dirs, relative = p.Cwd.Forms(), true
		if strict {
			dirs = append(dirs, p.Project.Forms()...)
		}
	}
	segs, tree := splitPattern(rest)
	if strict {
		return wideSpecs(r, pattern, dirs, segs, relative, tree)
	}
	return placeSegs(dirs, segs, false)
}

// wideSpecs adds what deny and ask match besides the anchored pattern.
func wideSpecs(r *Rule, pattern string, dirs, segs []string, relative, tree bool) []grammar.Spec {
	anywhere := len(dirs) == 0 || relative && floats(pattern, segs) // also where the anchor is not known
	if tree {
		segs = append(segs[:len(segs):len(segs)], "**") // dir/ is the directory and all below it
	}
	if r.Claude && relative && len(segs) == 2 && segs[1] == "**" {
		anywhere = true // dir/** at any depth
	}
	var out []grammar.Spec
	for _, segs := range r.trees(segs) {
		out = append(out, placeSegs(dirs, segs, true)...)
		if anywhere {
			out = append(out, grammar.Spec{Dir: "/", Segs: append([]string{"**"}, segs...)})
		}
	}
	for i := range out {
		out[i].Segs = expandStars(out[i].Segs)
	}
	return out
}

// trees is a pattern, and for a rule of a .claude file what is below a directory
// that it matches.
func (r *Rule) trees(segs []string) [][]string {
	if !r.Claude || len(segs) == 0 || segs[len(segs)-1] == "**" {
		return [][]string{segs}
	}
	return [][]string{segs, append(segs[:len(segs):len(segs)], "**")}
}

// floats reports whether a relative pattern is meant at any depth: a bare file name,
// and what starts with **/.
func floats(pattern string, segs []string) bool {
	if strings.HasPrefix(pattern, "**/") {
		return true
	}
	return len(segs) > 0 && segs[0] != ".." && !strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
}

// Forms returns the spellings of an anchor, none when it is not known.
func (p Path) Forms() []string {
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
func splitPattern(pattern string) (segs []string, tree bool) {
	for _, seg := range strings.Split(pattern, "/") {
		if seg != "" && seg != "." {
			segs = append(segs, seg)
		}
	}
	return segs, strings.HasSuffix(pattern, "/")
}

// expandStars widens a segment that holds ** next to other text. It is only a
// star there, but src/**.ts in a deny is meant to say more.
func expandStars(segs []string) []string {
	var out []string
	for _, seg := range segs {
		if seg != "**" && strings.HasPrefix(seg, "**") {
			out = append(out, "**")
		}
		out = append(out, seg)
		if seg != "**" && strings.HasSuffix(seg, "**") {
			out = append(out, "**")
		}
	}
	return out
}

// placeSegs puts a pattern below each directory and takes .. out of it. A .. after
// ** can be any directory: deny and ask drop it, allow has no such pattern.
func placeSegs(dirs, segs []string, strict bool) []grammar.Spec {
	var out []grammar.Spec
	for _, dir := range dirs {
		s := grammar.Spec{Dir: path.Clean(dir)}
		ok := true
		for _, seg := range segs {
			n := len(s.Segs)
			switch {
			case seg != "..":
				s.Segs = append(s.Segs, seg)
			case n == 0:
				s.Dir = path.Dir(s.Dir)
			case s.Segs[n-1] == "**":
				ok = ok && strict
			default:
				s.Segs = s.Segs[:n-1]
			}
		}
		if ok {
			out = append(out, s)
		}
	}
	return out
}

// CleanPath makes the path of a tool call absolute and clean without looking at
// the disk: a leading ~/ is home, a relative path is joined to cwd, empty and .
// segments go, .. takes the segment before it along, and the names that /proc
// has for the working directory and the root (/proc/self/cwd, /proc/self/root,
// /proc/PID/root) are replaced. With cwd "" a relative path stays relative.
func CleanPath(name, cwd, home string) string {
	switch {
	case name == "~" && home != "":
		name = home
	case strings.HasPrefix(name, "~/") && home != "":
		name = home + name[1:]
	case !strings.HasPrefix(name, "/"):
		if cwd == "" {
			return path.Clean(name)
		}
		name = cwd + "/" + name
	}
	return walkPath(name, cwd)
}

func walkPath(name, cwd string) string {
	if !strings.Contains(name, "/proc/") {
		if !strings.HasPrefix(name, "/") {
			name = "/" + name
		}
		return path.Clean(name)
	}
	var segs []string
	for _, seg := range strings.Split(name, "/") {
		switch seg {
		case "", ".":
			continue
		case "..":
			segs = segs[:max(len(segs)-1, 0)]
			continue
		}
		segs = append(segs, seg)
		switch procLink(segs) {
		case "root":
			segs = segs[:0]
		case "cwd":
			if cwd != "" && cwd != name {
				segs = strings.Split(strings.Trim(walkPath(cwd, ""), "/"), "/")
			}
		}
	}
	return path.Clean("/" + strings.Join(segs, "/"))
}

// procLink says which link of /proc segs name: "root" of any process, "cwd" of
// the one that asks; "" for anything else.
func procLink(segs []string) string {
	if len(segs) < 3 || segs[0] != "proc" {
		return ""
	}
	process, rest := segs[1], segs[2:]
	if len(rest) == 3 && rest[0] == "task" && digits(rest[1]) {
		rest = rest[2:]
	}
	if len(rest) > 1 {
		return ""
	}
	self := process == "self" || process == "thread-self"
	switch rest[0] {
	case "root":
		if self || digits(process) {
			return "root"
		}
	case "cwd":
		if self {
			return "cwd"
		}
	}
	return ""
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Within reports whether the clean path name is dir or below it.
func Within(name, dir string) bool {
	if dir == "" || !strings.HasPrefix(name, dir) {
		return false
	}
	return len(name) == len(dir) || strings.HasSuffix(dir, "/") || name[len(dir)] == '/'
}
