package lint

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
	"github.com/permgate--owner/permgate/rules/load"
	"github.com/tailscale/hujson"
)

// An Input is what the checks look at.
type Input struct {
	World  gate.World // sees the files that are checked and no other settings
	Flags  gate.Flags
	Policy *rules.Policy // of these files
	Files  []*File
	Rules  []*Rule // of all files, whether they count or not, in the order of Files
	host   *hookio.Host
	opened []opening // see openings; nil until it is asked for

	asked  map[[2]string]*answer // see ask
	shadow []algebra.Shadow      // see shadows

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

// A Rule is a rule as it is written in a file.
type Rule struct {
	rules.Rule        // as it is read; without Tool when it cannot be
	Name       string // of the tool, as written
	Err        error  // what is wrong with the text
	End        int    // column after the closing quote
	Nth        int    // how many of the same text come before it in the list
	Excluded   bool   // a pattern of contentExclusion; Text is that of the Read rule it means
	Object     bool   // a rule object of a permgate.json
	File       *File
}

// New gathers what to check: the settings files of w's working directory, for the program host.
func New(w gate.World, f gate.Flags, host *hookio.Host) *Input {
	if f.Host == "" { // what is written for any of them is looked at
		any := *host
		any.Roots, host = load.Roots[:], &any
	}
	w.AnyDisk = true
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
	for _, at := range append(edit.Members(f.At("hosts")), hujson.ObjectMember{Value: f.Doc.Root}) {
		for _, v := range edit.Elements(edit.Member(&at.Value, "tools")) {
			in.rule(f, &v, rules.Whitelist)
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

// rootOf is the settings folder a file is in, as load.Roots names it.
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

// At returns the value at a path of keys, or nil if none.
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

// Place returns where a value starts and, on that line, the column after it, in characters.
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

func (f *File) table() *load.Lines {
	if f.lines == nil {
		f.lines = load.LinesOf(strings.TrimPrefix(f.Text, "\ufeff"))
	}
	return f.lines
}

// Decide says what is decided of a call; arg is its primary field's value (see gate.Primary).
func (in *Input) Decide(tool, arg string) (v decide.Verdict, err error) {
	call, err := gate.Call(tool, arg)
	if err != nil {
		return v, err
	}
	call.Host, call.Named = in.host, in.Flags.Host != ""
	return decide.Decide(gate.CaseUnder(in.Policy, call, &in.Flags, in.World)), nil
}

// An answer is what was found out about a call.
type answer struct {
	hits   []rules.Hit // of any part of it
	denied bool        // by a rule or by something else
}

// mostTries bounds comparisons of rules with calls. Thousands of rules that differ need far fewer.
const mostTries = 1 << 20

// tired reports whether no more calls are to be made.
func (in *Input) tired() bool { return in.Policy.Tries() > cmp.Or(in.most, mostTries) }

// skips reports whether a rule is not tried any more, which is reported for the first.
func (in *Input) skips(at rules.Pos) bool {
	if in.tired() && in.untried == (rules.Pos{}) {
		in.untried = at
	}
	return in.tired()
}

// ask looks at a call, once.
func (in *Input) ask(tool, arg string) *answer {
	key := [2]string{tool, arg}
	if a := in.asked[key]; a != nil {
		return a
	}
	if in.asked == nil {
		in.asked = map[[2]string]*answer{}
	}
	a := &answer{}
	in.asked[key] = a
	v, err := in.Decide(tool, arg)
	if err != nil {
		return a
	}
	a.denied = v.Decision() == hookio.Deny
	for _, p := range v.Facts().Parts() {
		a.hits = append(a.hits, p.Hits...)
	}
	return a
}

// held reports whether a call is denied, or, for an ask rule, met by another deny or ask rule.
func (in *Input) held(r *Rule, tool, arg string) bool {
	if in.skips(r.Pos) {
		return true
	}
	a := in.ask(tool, arg)
	return a.denied || slices.ContainsFunc(a.hits, func(h rules.Hit) bool { return h.Rule.List >= r.List })
}

func (in *Input) matches(r *Rule, tool, arg string) bool {
	return slices.ContainsFunc(in.ask(tool, arg).hits,
		func(h rules.Hit) bool { return h.Rule.Pos == r.Pos && h.Rule.List == r.List })
}

// counted returns the rule as the policy has it, nil for a grant that does not count.
func (in *Input) counted(r *Rule) *rules.Rule {
	if in.inPolicy == nil {
		in.inPolicy = map[spot]*rules.Rule{}
		for _, list := range [...][]rules.Rule{in.Policy.Allow, in.Policy.Ask, in.Policy.Deny} {
			for i := range list {
				in.inPolicy[spotOf(&list[i])] = &list[i]
			}
		}
	}
	return in.inPolicy[spotOf(&r.Rule)]
}

// written returns the rule in the files that one of the policy is.
func (in *Input) written(r *rules.Rule) *Rule {
	if w := in.inFile[r.Pos]; w != nil && w.List == r.List {
		return w
	}
	return nil
}

// covered reports whether another rule, of this list or a stricter one, does what the text would.
func (in *Input) covered(r *Rule, text string) bool {
	twin, err := rules.ParseRule(text, r.List, r.Scope, r.Pos, r.Claude)
	if err != nil {
		return false
	}
	lists := [...][]rules.Rule{in.Policy.Deny, in.Policy.Posture.ContentExclusion, in.Policy.Ask}
	if in.stricter == nil {
		for _, list := range lists {
			in.stricter = append(in.stricter, in.Policy.Index(list))
		}
	}
	for n, list := range lists {
		for _, i := range in.stricter[n].Covering(&twin) {
			o := &list[i]
			alike := strayBlanks(&twin) || !strayBlanks(o) // to other programs, too
			if o.Pos != r.Pos && o.List >= r.List && alike && algebra.Of(in.Policy).Covers(o, &twin) {
				return true
			}
		}
	}
	return false
}

// strayBlanks reports whether a path rule has blanks that other programs take for a part of the name.
func strayBlanks(r *rules.Rule) bool {
	return onFiles(r) && grammar.Unspaced(r.Pattern) != r.Pattern
}

// onFiles reports whether a rule is about a tool whose patterns are paths.
func onFiles(r *rules.Rule) bool {
	kind := rules.KindOf(r.Tool)
	return kind == "Read" || kind == "Edit"
}

// covers reports whether a rule of that text, in the place of r, would match all that r does.
func (in *Input) covers(r *Rule, text string) bool {
	twin, err := rules.ParseRule(text, r.List, r.Scope, r.Pos, r.Claude)
	return err == nil && algebra.Of(in.Policy).Covers(&twin, &r.Rule)
}

// with is the text of the rule with another pattern.
func (r *Rule) with(pattern string) string { return r.spelled(r.Name + "(" + pattern + ")") }

// spelled is a rule as it is written in the file of this one.
func (r *Rule) spelled(text string) string {
	if r.File != nil && r.File.Root == ".claude" && !r.Excluded {
		return rules.Escape(text)
	}
	return text
}

// runs reports whether a rule matches its own text, which a shell has to be able to read.
func (in *Input) runs(r *Rule) bool {
	if r.Err != nil || !r.Whole() {
		return false
	}
	return in.reads(r.Tool, r.Pattern)
}

// reads reports whether a shell can read a text.
func (in *Input) reads(tool, text string) bool {
	c := in.caseOf(in.Policy, tool, text)
	return c != nil && c.Script != nil && !slices.ContainsFunc(c.Script.Doubts,
		func(d bashsafety.Doubt) bool { return d.ID == "parse-error" })
}

// own is what a rule without a wildcard is about: find . \( -name x \), without the file's escapes.
func (in *Input) own(r *Rule) string {
	if r.Written != "" && !in.reads(r.Tool, r.Pattern) && in.reads(r.Tool, r.Written) {
		return r.Written
	}
	return r.Pattern
}

// foreign reports whether a text names a path of another machine, of which nothing is known here.
func (in *Input) foreign(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'=:,;<>|&()", r) })
	for _, word := range words {
		part := strings.SplitN(word, "/", 4)
		if len(part) < 3 || part[0] != "" || !slices.Contains([]string{"Users", "home", "private", "Volumes"}, part[1]) {
			continue
		}
		if dir := "/" + part[1] + "/" + part[2]; !in.exists(dir) && !rules.Within(in.Policy.Home.Given, dir) {
			return true
		}
	}
	return in.World.OS != rules.Windows && drivePath(text)
}

// drivePath reports whether a text holds a path with a drive letter.
func drivePath(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		oneLetter := letter(text[i-1]) && (i == 1 || !letter(text[i-2]))
		if oneLetter && text[i] == ':' && (text[i+1] == '\\' || text[i+1] == '/') {
			return true
		}
	}
	return false
}

// edit replaces the rule or adds another below; nil where that could let more through.
func (r *Rule) edit(now string, add bool) *Edit {
	switch {
	case !r.strict() && now != "", r.Object:
		return nil
	case r.Excluded:
		pattern, ok := strings.CutPrefix(strings.TrimSuffix(now, ")"), "Read(")
		if !ok {
			return nil
		}
		return &Edit{Keys: []string{"contentExclusion"}, Old: r.Pattern, New: pattern, Add: add}
	}
	return &Edit{Keys: []string{"permissions", r.List.String()}, Old: r.Text, New: now, Add: add, Nth: r.Nth}
}

// finding is one about the whole rule.
func (r *Rule) finding(text, instead string, e *Edit) Finding {
	return Finding{Pos: r.Pos, End: r.End, Text: text, Instead: instead, Edit: e}
}

func (r *Rule) strict() bool { return r.List == rules.Deny || r.List == rules.Ask }

// shell reports whether the rule is a pattern of shell commands.
func (r *Rule) shell() bool { return r.Err == nil && r.Tool == "Bash" && !r.Bare }

// paths reports whether the rule is a pattern of paths.
func (r *Rule) paths() bool {
	return r.Err == nil && !r.Bare && onFiles(&r.Rule)
}

// file is the absolute path of a path pattern without wildcards, and a file tool's argument for it.
func (in *Input) file(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "//"):
		return path.Clean(pattern[1:])
	case strings.HasPrefix(pattern, "~/"):
		return path.Join(in.Policy.Home.Given, pattern[2:])
	case strings.HasPrefix(pattern, "/"):
		return path.Join(in.Policy.Project.Given, pattern)
	}
	return path.Join(in.Policy.Cwd.Given, pattern)
}

// sample fills the wildcards of a path pattern.
func sample(pattern string) string {
	return strings.NewReplacer("**/", "a/b/", "**", "a/b", "*", "c", "?", "d").Replace(pattern)
}

func (in *Input) exists(name string) bool {
	_, err := in.World.Files.Lstat(name)
	return err == nil
}

func (in *Input) dir(name string) bool {
	info, err := in.World.Files.Stat(name)
	return err == nil && info.IsDir()
}
