package grammar

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// A Spec is a path pattern below a directory.
type Spec struct {
	Dir  string   // absolute, clean, literal
	Segs []string // the pattern below it, by segment; * ? ** are wildcards, \ escapes

	at, pattern string // both as texts that paths are compared with

	// Worked out when they are asked for, see match, NamesIn and RuleSegments.
	need         string // part of all that the pattern matches
	own, classes string // what doublestar reads
	above        string
	whole        []Segment
}

// NamesIn reports whether a pattern names something below a folded directory: what comes before its
// first wildcard is there.
func NamesIn(specs []Spec, dir string) bool {
	for i := range specs {
		s := &specs[i]
		if s.above == "" {
			at := s.Dir
			for _, seg := range s.Segs {
				if strings.ContainsAny(seg, `*?\`) {
					break
				}
				at = path.Join(at, seg)
			}
			s.above = FoldPath(at)
		}
		if _, ok := Below(s.above, dir); ok {
			return true
		}
	}
	return false
}

// Prepare makes the texts that paths are compared with, folded for deny and ask.
func (s *Spec) Prepare(strict bool) {
	if s.at, s.pattern = s.Dir, JoinSegs(s.Segs); strict {
		s.at, s.pattern = FoldPath(s.at), FoldPath(s.pattern)
	}
}

// Matches reports whether a pattern that was prepared matches a path. What Claude Code
// reads as a class is itself to us: deny and ask match either, allow both.
func (s *Spec) Matches(name string, claude, strict bool) bool {
	rel, ok := Below(name, s.at)
	if !ok {
		return false
	}
	m := s.match(rel, false)
	if !claude || !strings.Contains(s.pattern, "[") {
		return m
	}
	class := s.match(rel, true)
	if strict {
		return m || class
	}
	return m && class
}

// JoinSegs makes a pattern of segments, ** after ** once.
func JoinSegs(segs []string) string {
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

// Below returns the path of name relative to dir, "" for dir itself.
func Below(name, dir string) (rel string, ok bool) {
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

// match matches a path below the directory with doublestar, whose classes and
// alternatives are no part of the grammar and are escaped.
func (s *Spec) match(name string, classes bool) bool {
	if s.pattern == "" || name == "" {
		return name == "" && (s.pattern == "" || s.pattern == "**")
	}
	if s.need == "" && s.own == "" {
		s.need = s.PlainPart()
	}
	if !strings.Contains(name, s.need) {
		return false // which is nearly always so, and soon known
	}
	glob := &s.own
	if classes {
		glob = &s.classes
	}
	if *glob == "" {
		*glob = DoublestarPattern(s.pattern, classes)
	}
	pattern := *glob
	ok, err := doublestar.Match(pattern, name)
	if dir, tree := strings.CutSuffix(pattern, "/**"); !ok && err == nil && tree {
		// dir/** is dir too, but doublestar forgets it when dir ends with a star
		ok, err = doublestar.Match(dir, name)
	}
	return err == nil && ok
}

// Unspaced is a path pattern without the blanks at its ends and next to its slashes; an escaped one stays.
func Unspaced(pattern string) string {
	if strings.IndexFunc(pattern, unicode.IsSpace) < 0 {
		return pattern
	}
	segs := strings.Split(pattern, "/")
	for i, seg := range segs {
		if segs[i] = strings.TrimSpace(seg); strings.HasSuffix(segs[i], `\`) {
			segs[i] = strings.TrimLeftFunc(seg, unicode.IsSpace)
		}
	}
	return strings.Join(segs, "/")
}

// PlainPart is plainPart of a pattern that was prepared.
func (s *Spec) PlainPart() string { return plainPart(s.pattern) }

// Need is a text that is in every path that a pattern matches, wherever it is anchored, "" where none
// is plain to see.
func Need(pattern string, strict bool) (longest string) {
	if strings.Contains(pattern, "..") || strings.IndexByte(pattern, '[') >= 0 {
		return "" // .. takes the name before it away
	}
	for seg := range strings.SplitSeq(pattern, "/") {
		if strict {
			seg = FoldPath(seg)
		}
		if part := plainPart(seg); len(part) > len(longest) && seg != "." && seg != "~" {
			longest = part
		}
	}
	return longest
}

// plainPart is the longest text in a pattern that is in all it matches, as far as that is plain to see.
func plainPart(pattern string) (longest string) {
	if strings.IndexByte(pattern, '[') >= 0 {
		return "" // it may begin a class
	}
	start := 0
	for i := 0; i <= len(pattern); i++ {
		if i == len(pattern) || pattern[i] >= utf8.RuneSelf || strings.IndexByte(`*?/\`, pattern[i]) >= 0 {
			if i-start > len(longest) {
				longest = pattern[start:i]
			}
			start = i + 1
		}
	}
	return longest
}

// DoublestarPattern escapes what is no part of the grammar here.
func DoublestarPattern(pattern string, classes bool) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern) && escapable(pattern[i+1]):
			b.WriteByte(c)
			i++
			b.WriteByte(pattern[i])
		case strings.IndexByte(`\{}`, c) >= 0, !classes && (c == '[' || c == ']'):
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escapable reports whether \ before b means b itself in a path pattern.
func escapable(b byte) bool { return strings.IndexByte(`*?[]{}()!#\ `, b) >= 0 }
