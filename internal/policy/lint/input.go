package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// An Input is what the checks look at.
type Input struct {
	World  gate.World // sees the files that are checked and no other settings
	Flags  gate.Flags
	Policy *rules.Policy // of these files
	Files  []*File
	Rules  []*Rule // of all files, whether they count or not, in the order of Files
	host   *hookio.Host
	opened *openings // see openings

	asked  map[[2]string]*answer // see ask
	shadow []decide.Shadow       // see shadows

	untried rules.Pos // see skips
	most    int       // tries; 0 for mostTries
	spots
}

// A File is one settings file or permgate.json.
type File struct {
	Path  string // as the policy names it
	Name  string // the file that is read; another than Path where Only put it there
	Scope rules.Scope
	Root  string    // ".claude"
	Gate  bool      // a permgate.json
	Text  string    // "" when it cannot be read
	Doc   *edit.Doc // nil when Text cannot be parsed: the policy has a fault then
	lines *load.Lines
	shown row // see row
}

// A Rule is a rule as it stands in a file.
type Rule struct {
	rules.Rule        // as it is read; without Tool when it cannot be
	Name       string // of the tool, as written
	Err        error  // what is wrong with the text
	End        int    // column behind the closing quote
	Nth        int    // how many of the very same text stand before it in the list
	Excluded   bool   // a pattern of contentExclusion; Text is that of the Read rule it stands for
	Object     bool   // a rule object of a permgate.json
	File       *File
}

// New gathers what is to be checked: the settings files of w's working
// directory. host is the agent program to speak for.
func New(w gate.World, f gate.Flags, host *hookio.Host) *Input {
	if f.Host == "" { // what is written for any of them is looked at
		any := *host
		any.Roots, host = load.Roots[:], &any
	}
	in := &Input{World: w, Flags: f, host: host}
	in.Policy = gate.Policy(in.unasked(), &in.Flags, w).AsIndexed(rules.Long)
	for i := range in.Policy.Sources {
		s := &in.Policy.Sources[i]
		in.add(s.Path, s.Scope)
	}
	for i := range in.Policy.Faults { // files that cannot be read are no sources
		if p := in.Policy.Faults[i].Pos; p.Line == 0 {
			in.add(p.File, in.Policy.Faults[i].Scope)
		}
	}
	return in
}

// unasked is a call about nothing, to load the settings for.
func (in *Input) unasked() *hookio.Call {
	return &hookio.Call{Host: in.host, Named: in.Flags.Host != "", Event: hookio.PreToolUse}
}

func (in *Input) add(path string, scope rules.Scope) {
	if in.File(path) != nil {
		return
	}
	f := &File{Path: path, Name: in.named(path), Scope: scope, Root: rootOf(path),
		Gate: strings.HasSuffix(path, "/permgate.json")}
	in.Files = append(in.Files, f)
	text, err := in.World.Files.ReadFile(path, load.MaxSettings)
	if err != nil {
		return
	}
	f.Text = string(text)
	if f.Doc, err = edit.Parse(path, text); err != nil {
		f.Doc = nil
		return
	}
	in.rulesOf(f)
}

// rulesOf adds the rules of a file.
func (in *Input) rulesOf(f *File) {
	lists := [...]rules.List{rules.Allow, rules.Ask, rules.Deny}
	if !f.Gate {
		for _, list := range lists {
			for _, v := range edit.Elements(f.At("permissions", list.String())) {
				in.rule(f, &v, list)
			}
		}
		return
	}
	for _, v := range edit.Elements(f.At("contentExclusion")) {
		if r := in.rule(f, &v, rules.Deny); r != nil {
			pattern := r.Text
			r.Rule, r.Err = rules.ParseRule("Read("+pattern+")", rules.Deny, f.Scope, r.Pos, false)
			r.Name, r.Excluded = "Read", true
		}
	}
	in.urls(f, f.At("urls"), rules.Deny)
	in.urls(f, f.At("urls", "deny"), rules.Deny)
	in.urls(f, f.At("urls", "allow"), rules.Allow)
	for _, o := range edit.Elements(f.At("rules")) {
		for _, list := range lists {
			if v := edit.Member(&o, list.String()); v != nil {
				if r := in.rule(f, v, list); r != nil {
					r.Object = true
				}
			}
		}
	}
}

// urls adds the entries of one list of "urls".
func (in *Input) urls(f *File, list *hujson.Value, as rules.List) {
	for _, v := range edit.Elements(list) {
		if r := in.rule(f, &v, as); r != nil {
			text, pos := r.Text, r.Pos
			r.Rule, r.Err = rules.URLRule(text, as, f.Scope, pos)
			r.Text, r.List, r.Scope, r.Pos, r.Name = text, as, f.Scope, pos, "WebFetch"
		}
	}
}

// rule adds a rule; what is no string is a fault of the policy.
func (in *Input) rule(f *File, v *hujson.Value, list rules.List) *Rule {
	if lit, ok := v.Value.(hujson.Literal); !ok || lit.Kind() != '"' {
		return nil
	}
	text := edit.Text(v)
	pos, end := f.Place(v)
	r := &Rule{File: f, End: end}
	r.Rule, r.Err = rules.ParseRule(text, list, f.Scope, pos, f.Root == ".claude")
	r.Text, r.List, r.Scope, r.Pos = text, list, f.Scope, pos
	r.Name, _, _ = strings.Cut(strings.TrimSpace(text), "(")
	in.note(r)
	in.Rules = append(in.Rules, r)
	return r
}

// rootOf is the settings folder a file lies in, as load.Roots names it.
func rootOf(path string) string {
	for _, part := range strings.Split(path, "/") {
		if slices.Contains(load.Roots[:], part) {
			return part
		}
		switch part {
		case "gen", "Gen":
			return ".gen"
		case "san", "San":
			return ".san"
		}
	}
	return ".claude"
}

// File returns the file of a path, nil when it is not checked.
func (in *Input) File(path string) *File {
	if i := in.index(path); i >= 0 {
		return in.Files[i]
	}
	return nil
}

func (in *Input) index(path string) int {
	return slices.IndexFunc(in.Files, func(f *File) bool { return f.Path == path })
}

// At returns the value at a path of keys, nil when there is none.
func (f *File) At(keys ...string) *hujson.Value {
	if f.Doc == nil {
		return nil
	}
	v := &f.Doc.Root
	for _, key := range keys {
		v = edit.Member(v, key)
	}
	return v
}

// Place returns where a value starts, and the column behind its end when it
// ends on the same line. Columns count characters, as everywhere.
func (f *File) Place(v *hujson.Value) (rules.Pos, int) {
	text := strings.TrimPrefix(f.Text, "\ufeff")
	start, end := min(v.StartOffset, len(text)), min(v.EndOffset, len(text))
	pos := rules.Pos{File: f.Path}
	pos.Line, pos.Col = f.table().Place(start)
	if strings.Contains(text[start:end], "\n") {
		return pos, 0
	}
	return pos, pos.Col + utf8.RuneCountInString(text[start:end])
}

// table is where the lines of a file are.
func (f *File) table() *load.Lines {
	if f.lines == nil {
		f.lines = load.LinesOf(strings.TrimPrefix(f.Text, "\ufeff"))
	}
	return f.lines
}

// Decide says what is decided of a call under the policy. arg is the value of
// the tool's primary field (see gate.Primary).
func (in *Input) Decide(tool, arg string) (*decide.Case, decide.Verdict, error) {
	call, err := gate.Call(tool, arg)
	if err != nil {
		return nil, decide.Verdict{}, err
	}
	call.Host, call.Named = in.host, in.Flags.Host != ""
	c := gate.CaseUnder(in.Policy, call, &in.Flags, in.World)
	return c, decide.Decide(c), nil
}
