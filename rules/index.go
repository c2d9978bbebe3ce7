package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// An Index finds the rules of one list that may match a subject, or cover another
// rule, without a look at all the others. What it leaves out does neither; what it
// names still has to be compared. It is for those who ask about very many subjects
// under one policy: making one costs more than a single look at the list.
type Index struct {
	p      *Policy
	list   []Rule
	strict bool
	once   bool // of rules that say the same only the first

	at     map[string][]int32 // by key, see place
	widths []int              // of the keys that there are, ascending
	keys   []string           // sorted
	key    []byte             // the last that was asked for
	mark   []bool             // rules that were found in this search
	found  []int32
	tries  int  // rules that were found for a subject
	parts  bool // some are filed by part
}

// Long is how many rules a list has at most that is compared rule by rule.
const Long = 64

// keyWidth is the most of a rule's beginning that is a key.
const keyWidth = 256

// Index makes the index of a list for Covering.
func (p *Policy) Index(list []Rule) *Index { return p.newIndex(list, true) }

// AsIndexed is a policy that decides as p does, quicker where it is asked often: its
// lists of more than few rules, two at least, have an index, and what a path pattern
// means is worked out once. It is not for two goroutines at once.
func (p *Policy) AsIndexed(few int) *Policy {
	if p.known != nil && p.known.few <= few {
		return p
	}
	out := *p
	out.known = &known{few: max(few, 1), anchors: map[anchorKey][]grammar.Spec{}}
	return &out
}

// A known is what a policy that is asked often has worked out.
type known struct {
	few     int      // the most rules of a list without an index
	lists   []*Index // as they are asked for
	anchors map[anchorKey][]grammar.Spec
}

// Tries is how many rules were compared with subjects by means of an index.
func (p *Policy) Tries() (n int) {
	if p.known != nil {
		for _, x := range p.known.lists {
			n += x.tries
		}
	}
	return n
}

// indexOf is the index of a list, nil if it has none.
func (p *Policy) indexOf(list []Rule) *Index {
	if p.known == nil || len(list) <= p.known.few {
		return nil
	}
	for _, x := range p.known.lists {
		if len(x.list) == len(list) && &x.list[0] == &list[0] {
			return x
		}
	}
	x := p.newIndex(list, false)
	p.known.lists = append(p.known.lists, x)
	return x
}

// newIndex makes the index of a list, all of whose rules restrict or none.
func (p *Policy) newIndex(list []Rule, once bool) *Index {
	x := &Index{p: p, list: list, once: once, at: make(map[string][]int32, len(list)),
		mark: make([]bool, len(list))}
	var known map[Rule]bool
	if once {
		known = make(map[Rule]bool, len(list))
	}
	for i := range list {
		r := &list[i]
		x.strict = r.Strict()
		if once {
			same := said(r)
			if known[same] {
				continue
			}
			known[same] = true
		}
		x.add(int32(i), r)
	}
	for key := range x.at {
		x.keys = append(x.keys, key)
	}
	slices.Sort(x.keys)
	for _, key := range x.keys {
		x.widths = append(x.widths, len(key))
		x.parts = x.parts || strings.HasPrefix(key, byPart)
	}
	slices.Sort(x.widths)
	x.widths = slices.Compact(x.widths)
	return x
}

// said is what a rule says, wherever it is written.
func said(r *Rule) Rule {
	return Rule{Tool: r.Tool, Pattern: r.Pattern, Written: r.Written, Bare: r.Bare, List: r.List, Scope: r.Scope,
		Claude: r.Claude, URL: r.URL}
}

// put files a rule under the kind of a beginning, and the beginning of all that it
// is about.
func (x *Index) put(i int32, kind, head string) {
	key := x.keyOf(kind, head)
	if have := x.at[string(key)]; len(have) == 0 || have[len(have)-1] != i {
		x.at[string(key)] = append(have, i)
	}
}

// keyOf is the key of a beginning, until the next one is asked for.
func (x *Index) keyOf(kind, head string) []byte {
	x.key = append(append(x.key[:0], kind...), 0)
	x.key = append(x.key, head[:min(len(head), keyWidth)]...)
	return x.key
}

// take adds the rules of one key to what was found.
func (x *Index) take(rules []int32) {
	for _, i := range rules {
		if !x.mark[i] {
			x.mark[i] = true
			x.found = append(x.found, i)
		}
	}
}

// exactly finds what begins with just this.
func (x *Index) exactly(kind, head string) { x.take(x.at[string(x.keyOf(kind, head))]) }

// upTo finds everything whose beginning is one of text.
func (x *Index) upTo(kind, text string) {
	key := x.keyOf(kind, text)
	from, _ := slices.BinarySearch(x.widths, len(kind)+1)
	for _, n := range x.widths[from:] {
		if n > len(key) {
			break
		}
		x.take(x.at[string(key[:n])])
	}
}

// beyond finds everything whose beginning begins with text.
func (x *Index) beyond(kind, text string) {
	key := string(x.keyOf(kind, text))
	from, _ := slices.BinarySearch(x.keys, key)
	for _, k := range x.keys[from:] {
		if !strings.HasPrefix(k, key) {
			break
		}
		x.take(x.at[k])
	}
}

// done returns what was found, in the order of the list, and forgets it.
func (x *Index) done() []int32 {
	found := x.found
	x.found = x.found[:0]
	for _, i := range found {
		x.mark[i] = false
	}
	slices.SortFunc(found, func(a, b int32) int { return cmp.Compare(a, b) })
	return found
}

// Covering returns the places of the rules that may cover r, in their order; what
// another rule before them says as well is left out. It is good until the next call.
func (x *Index) Covering(r *Rule) []int32 {
	r = &r.Readings()[0] // each of them has to be covered
	pattern := strings.TrimSpace(r.Pattern)
	if r.OfMCP() {
		name := literalHead(r.MCPNames()[0])
		x.upTo(byName, name)
		x.exactly(byTool, "") // those on every tool
		return x.done()
	}
	x.speaking(r.Tool)
	if r.Bare || strings.ContainsAny(r.Tool, "*?") {
		return x.done()
	}
	switch kind := KindOf(r.Tool); {
	case CommandTool(kind):
		x.coveringCommand(pattern, kind == "PowerShell")
	case kind == "Read" || kind == "Edit":
		if specs := x.p.Specs(r); len(specs) > 0 {
			x.file(x.fileHead(&specs[0], false), x.names(&specs[0]))
			x.beyond(byPart, "")
		}
	case kind == "WebFetch":
		end := ""
		if host, domain := strings.CutPrefix(pattern, "domain:"); domain && r.URL == nil {
			end, _ = hostEnd(strings.TrimSpace(host), r.Strict())
		}
		if x.upTo(byHost, end); end == "" {
			x.beyond(byHost, "")
		}
		x.beyond(byURL, "")
	default:
		x.upTo(byValue+r.Tool, x.value(literalHead(pattern)))
	}
	return x.done()
}

// speaking finds the rules on a tool that have no pattern.
func (x *Index) speaking(tool string) {
	x.upTo(byTool, literalHead(tool))
	for _, wide := range [...]string{"Bash", "Read", "Edit"} { // see SpeaksOf
		x.exactly(byTool, wide)
	}
}

func (x *Index) coveringCommand(pattern string, powershell bool) {
	x.exactly(byField, "command")
	head, open := grammar.PlainHead(pattern)
	kind := byWords
	if powershell {
		kind, head = byCmdlet, strings.ToLower(head)
	}
	if x.upTo(kind, head); open {
		x.beyond(kind, head)
	}
}

// file finds the rules on a path, or on what begins like it.
func (x *Index) file(head string, names []string) {
	x.upTo(byFolder, head)
	for _, name := range names {
		x.exactly(bySegment, name)
	}
}

// matching returns the rules that may match a subject.
func (x *Index) matching(s *Subject) []int32 {
	x.subject(s, s.Tool)
	for _, name := range s.Also {
		x.subject(s, name)
	}
	if s.Alias != "" {
		x.subject(s, s.Alias)
		x.beyond(byValue+s.Alias, "")
	}
	x.tries += len(x.found)
	return x.done()
}

// subject finds what may match under one name of the tool.
func (x *Index) subject(s *Subject, tool string) {
	x.upTo(byName, tool)
	x.speaking(tool)
	if s.Bare {
		return
	}
	for i := range s.Fields {
		x.exactly(byField, s.Fields[i].Name)
	}
	if name := MainField(tool); name != "" {
		x.exactly(byField, name)
	}
	if s.Whole != "" {
		x.exactly(byText, s.Whole)
	}
	switch kind := KindOf(tool); {
	case kind == "PowerShell":
		x.command(s.Command, byCmdlet)
	case CommandTool(kind):
		x.command(s.Command, byWords)
	case kind == "Read" || kind == "Edit":
		x.path(s)
	case kind == "WebFetch":
		x.url(s.URL)
	case s.HasName:
		x.upTo(byValue+tool, x.value(s.Name))
	default:
		x.upTo(byValue+tool, "general-purpose")
	}
}

func (x *Index) command(c *Command, kind string) {
	if c == nil {
		return
	}
	for _, list := range [...][]grammar.Text{c.Allow, c.Exact, c.Deny} {
		for _, t := range list {
			head, open := headOf(t)
			if kind == byCmdlet {
				head = strings.ToLower(head)
			}
			if x.upTo(kind, head); open {
				x.beyond(kind, head)
			}
		}
	}
}

// headOf is how a text begins, as far as it is plain. open is false where nothing else
// can follow it.
func headOf(t grammar.Text) (head string, open bool) {
	if len(t) == 0 {
		return "", false
	}
	if t[0].Hole != grammar.NoHole {
		return "", true
	}
	head, open = t[0].Lit, len(t) > 1
	if open {
		head = strings.TrimSuffix(head, " ") // which goes where the hole holds nothing
	}
	if i := strings.IndexFunc(head, func(r rune) bool { return r >= 0x80 || r == '\'' || r == '"' || r == '\\' }); i >= 0 {
		return head[:i], true
	}
	return head, open
}

// path finds the rules on a file, on a pattern of files, or on what a folder holds
// that is taken away.
func (x *Index) path(s *Subject) {
	switch {
	case s.Glob != "":
		for _, form := range x.p.globForms(s) {
			x.glob(grammar.ShellSegments(x.folded(form)))
		}
		x.beyond(byPart, "")
	case s.Path != nil:
		x.named(s.Path.Given, s.Tree)
		x.named(s.Path.Real, s.Tree)
	}
}

// glob finds the rules on what a pattern of the shell may match.
func (x *Index) glob(segs []grammar.Segment) {
	head, plain := "", true // of all that it matches
	for _, seg := range segs {
		if seg.Any {
			x.beyond(bySegment, "")
			plain = false
			continue
		}
		var b strings.Builder
		n := 0
		for ; n < len(seg.Tokens) && seg.Tokens[n].R >= 0; n++ {
			grammar.PutRune(&b, seg.Tokens[n].R)
		}
		whole := n == len(seg.Tokens)
		if whole {
			x.exactly(bySegment, b.String())
		} else {
			x.beyond(bySegment, b.String())
		}
		if plain {
			head += "/" + b.String()
		}
		plain = plain && whole
	}
	x.upTo(byFolder, head)
	x.beyond(byFolder, head)
}

func (x *Index) named(name string, tree bool) {
	for _, name := range x.p.OS.spellings(name) {
		if x.strict {
			name = x.p.OS.fold(name)
		}
		x.file(name, strings.Split(name, "/"))
		for i := partWidth; i <= len(name) && x.parts; i++ {
			x.exactly(byPart, name[i-partWidth:i])
		}
		if tree {
			name = strings.TrimSuffix(name, "/")
			x.beyond(byFolder, name)
			x.beyond(byTop, name)
		}
	}
}

func (x *Index) url(u *URL) {
	switch {
	case u == nil:
	case x.strict && !u.Sure:
		x.beyond(byHost, "")
		x.beyond(byURL, "")
	default:
		x.upTo(byHost, reversed(u.Host))
		scheme, host, rest := splitURL(u.Text)
		x.upTo(byURL, u.Text)
		x.upTo(byURL, scheme+"://"+host+rest+"/")
	}
}
