// Package native writes rules in the words of an agent program, for its own engine to obey: those that it can hold
// without allowing more. A program's grammar is one literal, host_NAME.go, with examples in testdata/readings.tsv;
// prove.go says which allow rules it may have.
package native

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A Host is how one agent program reads rules of its own.
type Host struct {
	Name   string
	Source string // where this is from, and of which day
	// InSettings: its rules are lists in settings that also are a person's; else they have a file of their own.
	InSettings bool

	// What an allow rule on a command covers as well, {} being the command: each must be allowed by permgate, too.
	Same []string
	// Commands that the program lets run by itself, as patterns, and forms with them: were these allowed, permgate
	// must allow the forms, too.
	Own   []string
	Mixed []string
	// AllSame and AllMixed are texts with all of these forms in them: where one is allowed, so is each form.
	AllSame, AllMixed string
	// Writes are further such forms, in which the program writes files of the project by itself in acceptEdits.
	Writes []string
	// Suffix: a rule on a command covers it with every further word; there are no exact ones.
	Suffix bool
	// Escape is a member of a call's input that asks to leave the program's sandbox; Guard is the ask rule on it, or
	// "" if none.
	Escape, Guard string

	// Ignored says why the program ignores an allow rule, "" where it does not.
	Ignored func(r *rules.Rule) string
	// Say writes a rule into a project's file, "" being the user's, or says why the program cannot hold it.
	Say func(r *rules.Rule, project string) (text, why string)
}

// Hosts are the programs that rules can be exported to.
func Hosts() []*Host { return []*Host{&claude, &codex} }

// Lookup finds one by a name of it, or nil if none.
func Lookup(name string) *Host {
	known := hookio.Lookup(name)
	for _, h := range Hosts() {
		if known != nil && h.Name == known.Name {
			return h
		}
	}
	return nil
}

// A Rule is one that is exported, and what it was made of: nil for a guard.
type Rule struct {
	List rules.List
	Text string
	From *rules.Rule
}

// A Loss is a rule that stays with the hook, and why.
type Loss struct {
	Rule *rules.Rule
	Why  string
}

// A Plan is what an export comes to.
type Plan struct {
	User, Local []Rule
	Losses      []Loss
	Kept        []*rules.Rule // that are in a file of the program already
	Stopped     []string      // what this project keeps out of the user's file, see Withhold
}

// Plan sorts the rules in force. Owned says which files the program reads by itself.
func (p *Prover) Plan(owned func(file string) bool) *Plan {
	out := &Plan{}
	for _, list := range [...][]rules.Rule{p.policy.Deny, p.policy.Ask, p.policy.Allow} {
		for i := range list {
			p.place(out, &list[i], owned)
		}
	}
	p.apart(&out.User, out)
	p.apart(&out.Local, out)
	p.guard(&out.User)
	p.guard(&out.Local)
	return out
}

func (p *Prover) place(out *Plan, r *rules.Rule, owned func(file string) bool) {
	user := r.Scope == rules.User || r.Scope == rules.Managed
	switch {
	case !user && r.Scope != rules.Shared && r.Scope != rules.Local:
		return // of a flag or an agent
	case !user && !ofProject(r.Pos.File, p.policy.Project):
		out.Losses = append(out.Losses, Loss{r, "it is about one folder of the project, or about more than the project"})
		return
	case owned(r.Pos.File):
		out.Kept = append(out.Kept, r)
		return
	case !user && p.NoLocal != "":
		out.Losses = append(out.Losses, Loss{r, p.NoLocal})
		return
	}
	to, list := "", &out.User
	if !user {
		to, list = p.policy.Project.Given, &out.Local
	}
	text, why, here := p.say(r, to)
	if here {
		out.Stopped = append(out.Stopped, text)
	}
	if why != "" {
		if text = p.narrowed(r, to); text != "" {
			why += "; " + text + " is written instead"
		}
		out.Losses = append(out.Losses, Loss{r, why})
	}
	if text != "" {
		add(list, Rule{r.List, text, r})
	}
	if _, path, ok := strings.Cut(text, "(./"); ok && to != "" { // at the top of the project, too
		top := *r
		top.Pattern = "/" + strings.TrimSuffix(path, ")")
		if text, why := p.Host.Say(&top, to); why == "" && r.List != rules.Allow {
			add(list, Rule{r.List, text, r})
		}
	}
}

// add adds a rule that is not there.
func add(list *[]Rule, r Rule) {
	if !slices.ContainsFunc(*list, func(o Rule) bool { return o.List == r.List && o.Text == r.Text }) {
		*list = append(*list, r)
	}
}

// ofProject reports whether a settings file is in a settings folder of the project itself.
func ofProject(file string, project rules.Path) bool {
	dir := path.Dir(path.Dir(file))
	return dir == project.Given || dir == project.Real
}

// say writes a rule, or says why it stays with the hook; here as of refutes.
func (p *Prover) say(r *rules.Rule, to string) (text, why string, here bool) {
	if text, why = p.Host.Say(r, to); why != "" || r.List != rules.Allow {
		return text, why, false
	}
	why = p.Host.Ignored(r)
	if why == "" && r.Tool == "WebFetch" && p.Sandboxed {
		why, here = "the sandbox is on, which opens the network to every command for hosts that rules allow", to == ""
	}
	if why == "" {
		why, here = p.refutes(r, to)
	}
	if why == "" && p.Host.Guard == "" && p.escapes(r) {
		why = p.Host.Name + " runs what a rule allows outside of its sandbox, which no rule of yours allows"
	}
	return text, why, here
}

// narrowed is the command of a rule alone, without further words, where that may be written; "" where it may not.
func (p *Prover) narrowed(r *rules.Rule, to string) string {
	text, more, why := command(r)
	exact := r.List == rules.Allow && r.Tool == "Bash" && !p.Host.Suffix
	interpreter := p.Host.Ignored(r) != "" && !strings.Contains(text, " ")
	if !exact || !more || why != "" || interpreter {
		return ""
	}
	own := *r
	own.Pattern, own.Claude = text, false
	if text, why, _ = p.say(&own, to); why != "" {
		return ""
	}
	return text
}

// Withhold takes rules out of the user's file that other projects stop, and notes those that this one does.
func (p *Plan) Withhold(r *Record, project string) {
	for _, folder := range slices.Sorted(maps.Keys(r.Stopped)) {
		p.User = slices.DeleteFunc(p.User, func(u Rule) bool {
			stopped := folder != project && u.List == rules.Allow && slices.Contains(r.Stopped[folder], u.Text)
			if stopped {
				const again = " stop it there; permgate export looks again when it is run there"
				p.Losses = append(p.Losses, Loss{u.From, "the settings of " + folder + again})
			}
			return stopped
		})
	}
	if r.Stopped == nil {
		r.Stopped = map[string][]string{}
	}
	r.Stopped[project] = p.Stopped
}

// guard adds the ask rule on calls that leave the sandbox, where permgate asks about them.
func (p *Prover) guard(list *[]Rule) {
	for i := range *list {
		if r := &(*list)[i]; r.List == rules.Allow && p.escapes(r.From) {
			add(list, Rule{List: rules.Ask, Text: p.Host.Guard})
			return
		}
	}
}

// Plain reports whether a text has no letter that programs and shells read in ways of their own.
func Plain(text string) bool {
	for _, r := range text {
		if !grammar.Alnum(r) && !strings.ContainsRune(" -_./:=,@%+", r) {
			return false
		}
	}
	return text != "" && !strings.Contains(text, "  ") && strings.TrimSpace(text) == text
}

// command is the command of a rule on commands, and whether more words may follow it.
func command(r *rules.Rule) (text string, more bool, why string) {
	text, more = strings.CutSuffix(r.Pattern, ":*")
	if stem, ok := strings.CutSuffix(text, " *"); ok && !more { // of a restriction this is the command alone as well
		text, more = stem, true
	}
	switch first, _, _ := strings.Cut(text, " "); {
	case r.Bare:
		return "", false, "it is about every command"
	case strings.ContainsAny(text, "*?"):
		return "", false, "its wildcard is not at the end, and is read in other ways there"
	case !Plain(text), strings.Contains(first, "="), strings.HasPrefix(first, "-"):
		return "", false, "it has quotes or signs that are read in other ways there"
	}
	return text, more, ""
}

// located is the absolute pattern of a deny or ask rule on files, of names that can be written.
func located(r *rules.Rule, project string) (pattern, why string) {
	p := r.Pattern
	switch {
	case strings.HasPrefix(p, "//"), strings.HasPrefix(p, "~/"):
	case strings.HasPrefix(p, "/") && project != "":
		p = "/" + project + p
	case strings.HasPrefix(p, "**/"):
		p = "//" + p
	case !strings.Contains(p, "/"):
		p = "//**/" + p
	default: // the folder of the call, which is mostly the project's
		p = "./" + strings.TrimPrefix(strings.TrimPrefix(p, "./"), "/")
	}
	if strings.Contains(p, "../") {
		return "", "it is about a folder above"
	}
	return p, otherThan(p, " -_./=,@%+:*?'\"~^&()$;")
}

// A Record says which rules permgate wrote into which settings file of Claude Code, by its real path: JSON settings
// have no room for a mark, and a list of its own outlives what a person, or the program, does to them. It is kept in
// the user's .claude folder, where the loader looks for it (load.Exported).
type Record struct {
	Files map[string]Lists `json:"files"`
	// Stopped are rules that a project, a folder, does not let into the user's file.
	Stopped map[string][]string `json:"stopped,omitempty"`
}

// Lists are the rules in one file, by the name of their list.
type Lists map[string][]string

// ReadRecord reads what Bytes wrote; no text is an empty record. Its error starts with name:line:col.
func ReadRecord(name string, text []byte) (*Record, error) {
	r := &Record{Files: map[string]Lists{}}
	if len(text) == 0 {
		return r, nil
	}
	doc, err := edit.Parse(name, text)
	if err != nil {
		return nil, err
	}
	plain := doc.Root.Clone()
	plain.Standardize()
	if err := json.Unmarshal(plain.Pack(), r); err != nil || r.Files == nil {
		const foreign = "this is not what permgate export wrote: take its rules out of the settings by hand, then delete it"
		return nil, doc.Errorf(&doc.Root, foreign)
	}
	return r, nil
}

// Bytes is the text of the record, nil for one that says nothing.
func (r *Record) Bytes() []byte {
	none := func(_ string, texts []string) bool { return len(texts) == 0 }
	maps.DeleteFunc(r.Files, func(_ string, l Lists) bool { maps.DeleteFunc(l, none); return len(l) == 0 })
	maps.DeleteFunc(r.Stopped, none)
	if len(r.Files)+len(r.Stopped) == 0 {
		return nil
	}
	out, err := json.MarshalIndent(r, "", "  ")
	if err != nil { // strings in maps
		return nil
	}
	return append([]byte("// written by permgate export: these rules of these files are permgate's\n"), append(out, '\n')...)
}

// With is a record that lists the allow rules of either of two.
func (r *Record) With(o *Record) *Record {
	out := &Record{Files: maps.Clone(r.Files), Stopped: o.Stopped}
	for name, l := range o.Files {
		allow := append(slices.Clone(out.Files[name]["allow"]), l["allow"]...)
		slices.Sort(allow)
		out.Files[name] = Lists{"allow": slices.Compact(allow), "ask": l["ask"], "deny": l["deny"]}
	}
	return out
}

// RemoveRule takes one entry of a text out of a permission list, and the list where it was the last; a person may have
// written it once more.
func RemoveRule(doc *edit.Doc, list rules.List, text string) error {
	arr := edit.Member(&doc.Root, "permissions", list.String())
	at := slices.IndexFunc(edit.Elements(arr), func(v hujson.Value) bool { return edit.Text(&v) == text })
	if at < 0 {
		return nil
	}
	if err := doc.RemoveElement(arr, at); err != nil {
		return err
	}
	return doc.RemoveEmpty("permissions", list.String())
}

// Foreign says why a rules file is not what CodexText wrote, "" where it is, or is empty.
func Foreign(text string) string {
	rest, own := strings.CutPrefix(text, codexMark)
	switch was, body, _ := strings.Cut(rest, "\n"); {
	case text == "", own && was == sum(body):
		return ""
	case own:
		return "it was edited since permgate export wrote it: move your own rules to another file, then delete it"
	}
	return "it was not written by permgate export: move it to another name"
}

func sum(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}
