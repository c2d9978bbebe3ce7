package rules

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// The kinds of keys. A rule is found by how all that it matches, or covers, begins
// (a host: ends), as far as that is plain to see.
const (
	byName    = "mcp"     // of MCP tools
	byTool    = "tool"    // rules without a pattern, and on tools with a wildcard
	byWords   = "words"   // of a command
	byCmdlet  = "cmdlet"  // of a PowerShell command
	byFolder  = "folder"  // of a file
	bySegment = "segment" // of a file at any depth: one of the names on its way
	byPart    = "part"    // of a file whose names are known in part: some bytes of it
	byTop     = "top"     // of such files: the folder they are below
	byHost    = "host"    // of a URL, from its end
	byURL     = "url"
	byValue   = "value" // the one that is compared for all other tools
	byField   = "field" // of the input
	byText    = "text"  // whole
)

// partWidth is how much of a name is a key of its own.
const partWidth = 3

// add files a rule under all that it can be found by.
func (x *Index) add(i int32, r *Rule) {
	if r.Whole() {
		x.put(i, byText, r.Pattern)
	}
	if name, _, ok := grammar.FieldPattern(r.Pattern); ok && r.Strict() {
		x.put(i, byField, name)
	}
	readings := r.Readings()
	for n := range readings {
		x.addReading(i, &readings[n])
	}
}

func (x *Index) addReading(i int32, r *Rule) {
	pattern := strings.TrimSpace(r.Pattern)
	words, _ := grammar.PlainHead(pattern)
	if r.Strict() && strings.Contains(pattern, " -") { // see Command.Means
		words, _, _ = strings.Cut(words, " ")
	}
	switch kind := KindOf(r.Tool); {
	case r.OfMCP():
		for _, name := range r.MCPNames() {
			x.put(i, byName, literalHead(name))
		}
	case r.Bare, strings.ContainsAny(r.Tool, "*?"):
		x.put(i, byTool, literalHead(r.Tool))
	case kind == "PowerShell":
		x.put(i, byCmdlet, strings.ToLower(words))
	case CommandTool(kind):
		x.put(i, byWords, words)
	case kind == "Read", kind == "Edit":
		x.addFile(i, r)
	case r.URL != nil:
		x.put(i, byHost, "")
	case kind == "WebFetch":
		x.addWeb(i, r, pattern)
	default:
		x.addValue(i, r, pattern)
	}
}

// MCPNames are the patterns of names that a rule about MCP tools is read as.
func (r *Rule) MCPNames() []string {
	switch pattern := strings.TrimSpace(r.Pattern); {
	case r.Tool != "MCP":
		return []string{r.Tool}
	case r.Strict():
		return []string{pattern, "mcp__" + pattern}
	default:
		return []string{pattern}
	}
}

// literalHead is what comes before the first wildcard.
func literalHead(pattern string) string {
	if i := strings.IndexAny(pattern, "*?"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// addFile files a rule under the folder of what it names, or where it names that
// anywhere under one of the names on its way.
func (x *Index) addFile(i int32, r *Rule) {
	specs := x.p.Specs(r)
	for n := range specs {
		s := &specs[n]
		top := x.fileHead(&grammar.Spec{Dir: s.Dir}, false)
		name := x.longest(s.Segs, r.Claude)
		part := s.PlainPart()
		switch head := strings.TrimSuffix(x.fileHead(s, r.Claude), "/"); {
		case head != top || name == "" && len(part) < partWidth:
			x.put(i, byFolder, head)
		case name == "":
			x.put(i, byPart, part[:partWidth])
			x.put(i, byTop, top)
		default:
			x.put(i, bySegment, name)
			x.put(i, byTop, top)
		}
	}
	if r.SearchesByName() {
		x.put(i, byFolder, "") // what is searched for counts as well
	}
}

// fileHead is the path up to the first wildcard, as it is compared. [ may begin a
// class to Claude Code.
func (x *Index) fileHead(s *grammar.Spec, claude bool) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(x.folded(s.Dir), "/"))
	for _, seg := range s.Segs {
		if seg == "**" {
			break
		}
		b.WriteByte('/')
		text, whole := literalName(x.folded(seg), claude)
		b.WriteString(text)
		if !whole {
			break
		}
	}
	return b.String()
}

// longest is the longest of some segments that is known.
func (x *Index) longest(segs []string, claude bool) (longest string) {
	for _, seg := range segs {
		if text, whole := literalName(x.folded(seg), claude); whole && len(text) > len(longest) {
			longest = text
		}
	}
	return longest
}

// names are the segments of a pattern that are known.
func (x *Index) names(s *grammar.Spec) []string {
	var out []string
	for _, seg := range append(strings.Split(s.Dir, "/"), s.Segs...) {
		if text, whole := literalName(x.folded(seg), false); whole {
			out = append(out, text)
		}
	}
	return out
}

// literalName is a segment up to its first wildcard.
func literalName(seg string, claude bool) (text string, whole bool) {
	var b strings.Builder
	for _, t := range grammar.Tokens(seg, false) {
		if t.R < 0 || claude && t.R == '[' {
			return b.String(), false
		}
		grammar.PutRune(&b, t.R)
	}
	return b.String(), true
}

// folded is a path as rules of the list compare it.
func (x *Index) folded(name string) string {
	if x.strict {
		return grammar.FoldPath(name)
	}
	return name
}

// addWeb files a rule on hosts by how they end, and any other by how the URL begins.
func (x *Index) addWeb(i int32, r *Rule, pattern string) {
	host, domain := strings.CutPrefix(pattern, "domain:")
	if !domain {
		x.put(i, byURL, literalHead(pattern))
		return
	}
	end, ok := hostEnd(strings.TrimSpace(host), r.Strict())
	if !ok {
		end = "\xff" // matches nothing but an address that cannot be read
	}
	x.put(i, byHost, end)
}

// hostEnd is what follows the last wildcard of a host pattern, backwards; ok
// is false for one that is no host.
func hostEnd(host string, strict bool) (end string, ok bool) {
	if host == "*" || host == "**" {
		return "", true
	}
	if host, ok = HostPattern(host, strict); !ok {
		return "", false
	}
	return reversed(host[strings.LastIndexByte(host, '*')+1:]), true
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// addValue files a rule by the value it is about. A skill has more than one name.
func (x *Index) addValue(i int32, r *Rule, pattern string) {
	kind := byValue + r.Tool
	x.put(i, kind, x.value(strings.TrimSuffix(literalHead(pattern), ":")))
	if r.Tool == "Skill" && r.Claude && r.Strict() {
		x.put(i, kind, "")
	}
}

// value is one as rules of the list compare it.
func (x *Index) value(text string) string {
	if x.strict {
		return grammar.Fold(text)
	}
	return text
}
