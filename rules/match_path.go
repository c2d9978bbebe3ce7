package rules

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// A spec is a path pattern below a directory.
type spec struct {
	dir  string   // absolute, clean, literal
	segs []string // the pattern below it, by segment; * ? ** are wildcards, \ escapes

	at, pattern string // both as texts that paths are compared with

	// Worked out when they are asked for, see match, namesIn and ruleSegments.
	need         string // part of all that the pattern matches
	own, classes string // what doublestar reads
	above        string
	whole        []segment
}

// matchFile matches a path pattern against a path. In allow both the path as
// given and the path with symlinks resolved must match, in deny and ask one is
// enough; there case, normal form and invisible characters do not count.
func (p *Policy) matchFile(r *Rule, s *Subject) (all, some bool) {
	switch {
	case r.Tool == "Read" && s.Reading == NoReads:
		return false, false
	case s.Glob != "":
		return p.matchGlob(r, s)
	case s.Path == nil:
		return false, false
	}
	return p.matchPath(r, s)
}

// matchPath is matchFile for a path.
func (p *Policy) matchPath(r *Rule, s *Subject) (all, some bool) {
	specs := p.specs(r)
	all = p.matchSpecs(r, specs, s.Path.Given)
	if s.Path.Real != s.Path.Given && all != r.strict() {
		all = p.matchSpecs(r, specs, s.Path.Real)
	}
	if r.strict() && !all && s.Tree && !r.certain(s) {
		return false, p.namesBelow(specs, s.Path.Given) || p.namesBelow(specs, s.Path.Real)
	}
	return all, all
}

// certain reports whether the tool of a Read rule reads nothing but what the
// subject names.
func (r *Rule) certain(s *Subject) bool { return r.Tool == "Read" && s.Reading == CertainReads }

// matchGlob is matchFile for a pattern that the shell expands. An allow rule
// does not cover one: its files are on the disk, and may be symlinks.
func (p *Policy) matchGlob(r *Rule, s *Subject) (all, some bool) {
	if !r.strict() {
		return false, false
	}
	if all, some = p.matchPatterns(p.specs(r), s); s.Listed || r.certain(s) {
		some = all
	}
	return all, some
}

// namesBelow reports whether a pattern names something below dir: what comes
// before its first wildcard is there.
func (p *Policy) namesBelow(specs []spec, dir string) bool {
	for _, name := range p.OS.spellings(dir) {
		if namesIn(specs, p.OS.fold(name)) {
			return true
		}
	}
	return false
}

// namesIn is namesBelow for one folded spelling.
func namesIn(specs []spec, dir string) bool {
	for i := range specs {
		s := &specs[i]
		if s.above == "" {
			at := s.dir
			for _, seg := range s.segs {
				if strings.ContainsAny(seg, `*?\`) {
					break
				}
				at = path.Join(at, seg)
			}
			s.above = FoldPath(at)
		}
		if _, ok := below(s.above, dir); ok {
			return true
		}
	}
	return false
}

// matchSpecs matches one path, under each name the system has for it.
func (p *Policy) matchSpecs(r *Rule, specs []spec, name string) bool {
	if p.OS == Linux {
		return p.matchSpelling(r, specs, name)
	}
	for _, name := range p.OS.spellings(name) {
		if p.matchSpelling(r, specs, name) {
			return true
		}
	}
	return false
}

func (p *Policy) matchSpelling(r *Rule, specs []spec, name string) bool {
	if !path.IsAbs(name) {
		return false
	}
	if r.strict() {
		name = p.OS.fold(name)
	}
	for i := range specs {
		if specs[i].matches(name, r.Claude, r.strict()) {
			return true
		}
	}
	return false
}

// prepare makes the texts that paths are compared with, folded for deny and ask.
func (s *spec) prepare(strict bool) {
	if s.at, s.pattern = s.dir, joinSegs(s.segs); strict {
		s.at, s.pattern = FoldPath(s.at), FoldPath(s.pattern)
	}
}

// matches reports whether a pattern that was prepared matches a path. What Claude Code
// reads as a class is itself to us: deny and ask match either, allow both.
func (s *spec) matches(name string, claude, strict bool) bool {
	rel, ok := below(name, s.at)
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

// match matches a path below the directory with doublestar, whose classes and
// alternatives are no part of the grammar and are escaped.
func (s *spec) match(name string, classes bool) bool {
	if s.pattern == "" || name == "" {
		return name == "" && (s.pattern == "" || s.pattern == "**")
	}
	if s.need == "" && s.own == "" {
		s.need = plainPart(s.pattern)
	}
	if !strings.Contains(name, s.need) {
		return false // which is nearly always so, and soon known
	}
	glob := &s.own
	if classes {
		glob = &s.classes
	}
	if *glob == "" {
		*glob = doublestarPattern(s.pattern, classes)
	}
	pattern := *glob
	ok, err := doublestar.Match(pattern, name)
	if dir, tree := strings.CutSuffix(pattern, "/**"); !ok && err == nil && tree {
		// dir/** is dir too, but doublestar forgets it when dir ends with a star
		ok, err = doublestar.Match(dir, name)
	}
	return err == nil && ok
}

// plainPart is the longest text in a path pattern that is in all it matches, as far as
// that is plain to see.
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

// doublestarPattern escapes what is no part of the grammar here.
func doublestarPattern(pattern string, classes bool) string {
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

// A token is one element of a segment of a pattern: a rune, elemStar, elemOne,
// or elemClass with the text between the brackets.
type token struct {
	r     rune
	class string
}

const elemClass rune = -3

// A segment is one path segment of a pattern; any matches any number of them.
type segment struct {
	any    bool
	dots   bool // a wildcard at the start of a name also matches a dot
	tokens []token
}

// matchPatterns compares path patterns with a pattern that the shell expands:
// all when every file it can name matches, some when one can.
func (p *Policy) matchPatterns(specs []spec, s *Subject) (all, some bool) {
	for _, form := range p.globForms(s) {
		glob := shellSegments(FoldPath(form))
		for i := range glob {
			glob[i].dots = glob[i].dots || s.Dots
		}
		for i := range specs {
			rule := ruleSegments(&specs[i])
			met := meet(rule, glob)
			some = some || met && (!s.Named || spells(rule, glob))
			if met && contains(rule, glob) {
				return true, true
			}
		}
	}
	return false, some
}

// globForms are the spellings of a pattern: as given, with its symlinks
// resolved, and in the other forms of the system.
func (p *Policy) globForms(s *Subject) []string {
	forms := []string{s.Glob}
	if s.Path != nil && s.Path.Given == s.Glob && s.Path.Real != s.Glob && s.Path.Real != "" {
		forms = append(forms, s.Path.Real)
	}
	if p.OS == Linux {
		return forms
	}
	for _, form := range forms[:len(forms):len(forms)] {
		forms = append(forms, p.OS.spellings(form)[1:]...)
	}
	return forms
}

// ruleSegments compiles a pattern of a deny or ask with its directory in front.
func ruleSegments(s *spec) []segment {
	if s.whole != nil {
		return s.whole
	}
	dirs := strings.Split(FoldPath(s.dir), "/")
	out := make([]segment, 0, len(dirs)+len(s.segs))
	for _, seg := range dirs {
		if seg != "" {
			out = append(out, literalSegment(seg))
		}
	}
	for _, seg := range s.segs {
		if seg == "**" {
			out = append(out, segment{any: true})
			continue
		}
		out = append(out, segment{tokens: tokens(FoldPath(seg), false)})
	}
	s.whole = out
	return out
}

// shellSegments compiles the pattern of the shell. A part that is not known can
// be any path.
func shellSegments(pattern string) []segment {
	parts := strings.Split(pattern, "/")
	out := make([]segment, 0, len(parts))
	for _, seg := range parts {
		switch {
		case seg == "" || seg == ".":
		case seg == "**" || strings.Contains(seg, "\x00"):
			out = append(out, segment{any: true})
		default:
			out = append(out, segment{tokens: tokens(seg, true)})
		}
	}
	return out
}

func literalSegment(seg string) segment {
	s := segment{tokens: make([]token, 0, len(seg))}
	for i := 0; i < len(seg); {
		r, n := nextRune(seg[i:])
		i += n
		s.tokens = append(s.tokens, token{r: r})
	}
	return s
}

// tokens compiles a segment; classes says whether [ ] has a meaning in it.
func tokens(seg string, classes bool) []token {
	out := make([]token, 0, len(seg))
	for i := 0; i < len(seg); {
		r, n := nextRune(seg[i:])
		switch {
		case r == '\\' && i+1 < len(seg) && (classes || escapable(seg[i+1])):
			r, n = nextRune(seg[i+1:])
			n++
			out = append(out, token{r: r})
		case r == '*':
			out = append(out, token{r: elemStar})
		case r == '?':
			out = append(out, token{r: elemOne})
		case r == '[' && classes && classEnd(seg[i:]) > 0:
			n = classEnd(seg[i:])
			out = append(out, token{r: elemClass, class: seg[i+1 : i+n-1]})
		default:
			out = append(out, token{r: r})
		}
		i += n
	}
	return out
}

// classEnd returns the length of the bracket expression s starts with, 0 when
// it is not closed. A ] right after [ or [! means itself.
func classEnd(s string) int {
	rest := s[1:]
	if strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "^") {
		rest = rest[1:]
	}
	rest = strings.TrimPrefix(rest, "]")
	for rest != "" {
		if rest[0] == ']' {
			return len(s) - len(rest) + 1
		}
		if named := strings.Index(rest, ":]"); strings.HasPrefix(rest, "[:") && named > 0 {
			rest = rest[named+1:]
		}
		rest = rest[1:]
	}
	return 0
}

// inClass reports whether r can be in a bracket expression. Named classes and
// escapes are taken to hold everything.
func inClass(class string, r rune) bool {
	if strings.ContainsAny(class, `[\`) {
		return true
	}
	negated := strings.HasPrefix(class, "!") || strings.HasPrefix(class, "^")
	if negated {
		class = class[1:]
	}
	found := false
	rs := []rune(class)
	for i := 0; i < len(rs); i++ {
		if i+2 < len(rs) && rs[i+1] == '-' {
			found = found || rs[i] <= r && r <= rs[i+2]
			i += 2
		} else {
			found = found || rs[i] == r
		}
	}
	return found != negated
}
