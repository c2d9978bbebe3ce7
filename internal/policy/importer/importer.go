// Package importer says the policy of another permission system in permgate's words. A system is one literal, a
// table of keys and what they become, in a file of its name, with its examples in testdata. What cannot be said
// exactly is narrowed or refused, never loosened: a restriction that cannot be said becomes a wider one.
package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A System is a permission system whose policy can be imported.
type System struct {
	Name, Title string
	Source      string // where its grammar is described, and when that was read
	Doc         string // what is read and what it becomes
	Places      []Place
	Elsewhere   string // what else it reads, and an import does not
	modes       []mode
	tools       string                           // words of its rules, and permgate's tools: bash=Bash
	sends       bool                             // its rules also have the names of tools that its program sends
	ordered     bool                             // the first rule that matches wins
	apart       bool                             // who may edit a file may not write it
	fold        bool                             // keys are read in any case
	asks        bool                             // it asks in its mode that skips questions, too, where a rule says so
	rows        func() []row                     // its keys, in the order of the report; made when needed
	parse       func(text string) (*node, error) // of a file that is neither JSON nor TOML; nil for none
	file        func(r *reader) bool             // looks at a file before its rows, false to leave it out
	finish      func(r *reader)                  // says what holds by default; nil for nothing
}

// A Place is where a system keeps a policy: relative to the home directory for User, to the project for Local and
// Shared, or absolute. The last part may be a pattern.
type Place struct {
	Scope rules.Scope
	Path  string
}

// A mode is one of theirs, permgate's, and what is different.
type mode struct{ theirs, ours, why string }

// Systems returns every system, in the order of the documentation.
func Systems() []*System {
	return []*System{&gen, &caliban, &coreAgent, &exAthena, &copilot, &codex, &opencode}
}

// A Status says how a part of a policy was imported.
type Status string

// The ways a part of a policy is imported.
const (
	Exact    Status = "exact"
	Narrowed Status = "narrowed" // less is allowed, or more asked about or denied, than there
	Refused  Status = "refused"
	Unknown  Status = "unknown" // a key that no rule is made of
)

// An Entry is one thing to write: into settings.json, or permgate.json for Gate.
type Entry struct {
	Gate  bool   `json:"posture,omitempty"`
	Path  string `json:"key"`            // keys, joined by dots
	List  bool   `json:"list,omitempty"` // Value is an element of a list
	Value string `json:"value"`          // compact JSON
}

// An Item is one part of a policy and what it became.
type Item struct {
	At      string  `json:"at,omitempty"` // file:line:col; "" for what holds there by default
	Said    string  `json:"said"`
	Status  Status  `json:"status"`
	Why     string  `json:"why,omitempty"`
	Entries []Entry `json:"entries,omitempty"`
}

// String is the item on one line, without its place.
func (i *Item) String() string {
	line := fmt.Sprintf("%-8s  %s", i.Status, i.Said)
	for n, e := range i.Entries {
		value := e.Value
		if e.List {
			value = unquote(value)
		}
		line += [...]string{" -> ", ", "}[min(n, 1)] + strings.TrimPrefix(e.Path, "permissions.") + " " + value
	}
	if i.Why != "" {
		line += ": " + i.Why
	}
	return line
}

// Rules are the texts that an item adds to a list.
func (i *Item) Rules(list rules.List) (out []string) {
	for _, e := range i.Entries {
		if e.List && e.Path == "permissions."+list.String() {
			out = append(out, unquote(e.Value))
		}
	}
	return out
}

// A File is a file of the system that is imported.
type File struct {
	Name string
	Text []byte
}

// Options say for whom a policy is imported.
type Options struct {
	Scope   rules.Scope
	Claude  bool   // into .claude, whose rules are read a little differently
	Project string // the folder that is imported for
}

// Import reads the files of one policy. Its error, about a file that cannot be read, starts with file:line:col.
func (s *System) Import(files []File, o Options) ([]Item, error) {
	r := &reader{System: s, opt: o, mode: -1, noted: map[string]int{}}
	for _, f := range files {
		r.source = &source{name: f.Name, text: strings.TrimPrefix(string(f.Text), "\ufeff")}
		if strings.TrimSpace(r.source.text) == "" {
			continue
		}
		if r.root = r.source.tree(s); r.source.err == nil {
			if s.fold {
				r.source.sameKeys(r.root)
			}
			if r.source.err == nil && (s.file == nil || s.file(r)) {
				r.table(r.root)
			}
		}
		if r.source.err != nil {
			return nil, r.source.err
		}
	}
	r.source, r.root = nil, nil
	if s.finish != nil && len(files) > 0 {
		s.finish(r)
	}
	r.overridden()
	r.settle()
	return r.items, nil
}

// A reader collects the items of a policy.
type reader struct {
	*System
	opt    Options
	source *source // the file that is read,
	root   *node   // and what it says
	whole  node    // what all files say together, where a system merges them
	items  []Item
	mode   int            // the item that says the mode, -1 for none
	noted  map[string]int // what was there, for finish
}

// add notes what a part became; why is "" where it is said exactly.
func (r *reader) add(n *node, said, why string, entries ...Entry) {
	i := Item{Said: said, Status: Exact, Why: why, Entries: slices.Clone(entries)}
	if why != "" {
		i.Status = Narrowed
	}
	if n != nil && r.source != nil {
		i.At = r.source.at(n.Off)
	} else if n != nil {
		i.At = n.At
	}
	r.items = append(r.items, i)
}

func (r *reader) last() *Item { return &r.items[len(r.items)-1] }

// refuse notes a part that is not taken.
func (r *reader) refuse(n *node, said, why string) {
	r.add(n, said, why)
	r.last().Status = Refused
}

// grants reports whether an entry lets anything run.
func (e Entry) grants() bool {
	const keys = "permissions.allow permissions.additionalDirectories permissions.defaultMode autoMode.allow " +
		"readOnlyCommands urls.allow"
	return slices.Contains(strings.Fields(keys), e.Path)
}

// drop refuses what an item grants, after all: what it restricts stays.
func (i *Item) drop(why string) {
	i.Entries = slices.DeleteFunc(i.Entries, Entry.grants)
	if i.Status, i.Why = Refused, why; len(i.Entries) > 0 {
		i.Status = Narrowed
	}
}

// cannot says a rule that no rule here can say: an allow is refused, and of a deny or ask all calls of these tools are
// denied or asked about.
func (r *reader) cannot(n *node, list rules.List, said, why string, tools ...string) {
	if list == rules.Allow {
		r.refuse(n, said, why)
		return
	}
	r.add(n, said, why+"; it binds every call it may be about", ruleEntries(list, tools...)...)
}

// dropRule takes one rule back that an item allows, and refuses an item that allows nothing else.
func (i *Item) dropRule(text, why string) {
	own := ruleEntries(rules.Allow, text)[0]
	i.Entries = slices.DeleteFunc(i.Entries, func(e Entry) bool { return e == own })
	if i.Status, i.Why = Narrowed, cmp.Or(i.Why, why); !slices.ContainsFunc(i.Entries, Entry.grants) {
		i.drop(why)
	}
}

// rule notes a rule that becomes these of a list. An allow rule that is read in another way here is refused.
func (r *reader) rule(n *node, list rules.List, said, why string, texts ...string) {
	for _, t := range texts {
		rule, err := rules.ParseRule(t, list, r.opt.Scope, rules.Pos{}, r.opt.Claude)
		if err == nil && r.opt.Claude && strings.ContainsAny(rule.Pattern, "\\&|;<>\n") {
			err = fmt.Errorf("a .claude file reads this text in another way; import it with --host gen")
		}
		name, _, _ := strings.Cut(strings.TrimSpace(t), "(")
		if err != nil && (list == rules.Allow || rule.Tool == "" || !only(name, "_-.:*")) {
			bind := "*"
			if strings.HasPrefix(name, "mcp__") {
				bind = "mcp__*"
			}
			r.cannot(n, list, said, err.Error(), bind) // with such a name it binds nothing
			return
		}
	}
	r.add(n, said, why, ruleEntries(list, texts...)...)
}

// setMode notes the mode a session starts in. One that the system does not know is the last of its modes.
func (r *reader) setMode(n *node, said, theirs string) {
	m := r.modes[len(r.modes)-1]
	for _, known := range r.modes {
		if slices.Contains(strings.Fields(known.theirs), theirs) {
			m = known
			break
		}
	}
	r.add(n, said, m.why, Entry{Path: "permissions.defaultMode", Value: edit.Quote(m.ours)})
	now := len(r.items) - 1
	if r.mode >= 0 { // of two the stricter counts
		out := now
		if rules.StricterMode(m.ours, unquote(r.items[r.mode].Entries[0].Value)) {
			out, r.mode = r.mode, now
		}
		r.items[out].drop("another mode is named, which is stricter, or the same")
		return
	}
	r.mode = now
}

// rest asks about the tools that run here where no rule speaks, and not there: those that no allow rule names alone.
func (r *reader) rest(said string, tools []string) {
	for _, w := range r.written().Allow {
		if w.Bare {
			tools = without(tools, w.Tool)
		}
	}
	r.add(nil, said, "", ruleEntries(rules.Ask, tools...)...)
}

// written are the rules that are to be written; the line of one is its item.
func (r *reader) written() (p rules.Policy) {
	for i := range r.items {
		for list, to := range map[rules.List]*[]rules.Rule{rules.Allow: &p.Allow, rules.Ask: &p.Ask, rules.Deny: &p.Deny} {
			for _, text := range r.items[i].Rules(list) {
				rule, _ := rules.ParseRule(text, list, r.opt.Scope, rules.Pos{Line: i}, r.opt.Claude)
				*to = append(*to, rule)
			}
		}
	}
	return p
}

// overridden refuses allow rules that a stricter one overrides here, and notes those of which a later one takes a
// part.
func (r *reader) overridden() {
	p := r.written()
	// a rule about any part of a text covers what it spells at most, and takes long
	anywhere := func(w rules.Rule) bool { return strings.HasPrefix(w.Pattern, "command:*") }
	p.Deny, p.Ask = slices.DeleteFunc(p.Deny, anywhere), slices.DeleteFunc(p.Ask, anywhere)
	for _, s := range algebra.Shadows(&p) {
		strict := s.Kind == algebra.ShadowDenied || s.Kind == algebra.ShadowAsked
		if i := &r.items[s.Rule.Pos.Line]; s.Rule.List == rules.Allow && strict {
			i.dropRule(s.Rule.Text, s.By.List.String()+" "+s.By.Text+" would win here")
		}
	}
	for n := range p.Allow {
		own := &p.Allow[n]
		for _, w := range append(slices.Clip(p.Deny), p.Ask...) {
			both := w.SpeaksOf(own.Tool) && meets(w.Pattern, own.Pattern)
			if i := &r.items[own.Pos.Line]; r.ordered && w.Pos.Line > own.Pos.Line && both && i.Status != Refused {
				i.Status = Narrowed
				i.Why = w.List.String() + " " + w.Text + " comes later there, and wins here where both match"
			}
		}
	}
}

// meets reports whether two patterns may match the same text.
func meets(a, b string) bool {
	a, _ = grammar.PlainHead(a)
	b, _ = grammar.PlainHead(b)
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// settle takes back what may not be: grants that only the user's own file can give, and what is there twice. Where the
// system asks in every mode, the mode that skips questions is locked.
func (r *reader) settle() {
	asked := func(i Item) bool { return len(i.Rules(rules.Ask)) > 0 }
	if r.asks && slices.ContainsFunc(r.items, asked) {
		r.add(nil, "its questions are asked in every mode", "", locks(`"disable"`, "disableBypassPermissionsMode")...)
	}
	r.inBoth()
	seen := map[Entry]bool{}
	for n := range r.items {
		i := &r.items[n]
		i.Entries = slices.DeleteFunc(i.Entries, func(e Entry) bool {
			loosens := e.Gate && (e.Path == "readOnlyCommands" || e.Path == "urls.allow") && r.opt.Scope.OfProject()
			if loosens {
				i.Status, i.Why = Refused, "only your own settings can say this: --scope user"
			}
			again := seen[e]
			seen[e] = !loosens
			return loosens || again
		})
		if i.Status == Exact && i.Why == "" {
			i.Why = wrapped(i)
		}
	}
}

// closes reports whether an entry is one of all the tools that there are.
func (e Entry) closes() bool {
	return e.Gate && (e.Path == "tools" || strings.HasSuffix(e.Path, ".tools"))
}

// inBoth leaves of two lists of all tools what is in both.
func (r *reader) inBoth() {
	first := map[string]*Item{}
	for n := range r.items {
		i := &r.items[n]
		at := slices.IndexFunc(i.Entries, Entry.closes)
		if at < 0 {
			continue
		}
		before, list := first[i.Entries[at].Path], i.Entries[at].Path
		if before == nil {
			first[list] = i
			continue
		}
		before.Entries = slices.DeleteFunc(before.Entries, func(e Entry) bool {
			return e.closes() && !slices.Contains(i.Entries, e)
		})
		if !slices.ContainsFunc(before.Entries, Entry.closes) {
			before.Entries = append(before.Entries, Entry{true, list, true, `"none"`})
		}
		i.Entries = slices.DeleteFunc(i.Entries, Entry.closes)
	}
}

// wrapped names the programs that a rule for a command sees through here, and nowhere else.
func wrapped(i *Item) string {
	command := func(text string) bool { return strings.HasPrefix(text, "Bash(") }
	switch {
	case slices.ContainsFunc(i.Rules(rules.Allow), command):
		return "also behind timeout, nice and the like"
	case slices.ContainsFunc(append(i.Rules(rules.Deny), i.Rules(rules.Ask)...), command):
		return "also behind sudo, env and the like"
	}
	return ""
}

// A Kept is a key that is set already, and stays as it is.
type Kept struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Wanted string `json:"wanted"`
}

// Apply writes items into the two files. own says what another file sets a key to, "" for nothing.
func Apply(items []Item, settings, gate *edit.Doc, own func(e Entry) string) (kept []Kept, err error) {
	there := map[string]string{} // lists of all tools: one more name in them would let more run
	for i := range items {
		for _, e := range items[i].Entries {
			if v := edit.Member(&gate.Root, strings.Split(e.Path, ".")...); v != nil && e.closes() {
				there[e.Path] = strings.TrimSpace(v.String())
			}
		}
	}
	for i := range items {
		for _, e := range items[i].Entries {
			doc, path := settings, strings.Split(e.Path, ".")
			if e.Gate {
				doc = gate
			}
			switch have := there[e.Path]; {
			case have == "" && e.List:
				_, err = doc.AddText(unquote(e.Value), path...)
			case have == "":
				kept, err = setKey(kept, doc, path, e, own(e))
			case !strings.Contains(have, e.Value):
				kept = append(kept, Kept{e.Path, have, e.Value})
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return kept, nil
}

func setKey(kept []Kept, doc *edit.Doc, path []string, e Entry, have string) ([]Kept, error) {
	last := len(path) - 1
	section, err := doc.Object(path[:last]...)
	if err != nil {
		return nil, err
	}
	if v := edit.Member(section, path[last]); v != nil {
		have = strings.TrimSpace(v.String())
	}
	if have == "" {
		return kept, doc.AddMember(section, path[last], e.Value)
	}
	if have != e.Value {
		kept = append(kept, Kept{e.Path, have, e.Value})
	}
	return kept, nil
}
