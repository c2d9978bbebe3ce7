package lint

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// An answer is what was found out about a call.
type answer struct {
	hits   []rules.Hit // of any part of it
	denied bool        // by a rule or by something else
}

// mostTries bounds how many rules are compared with calls in all. It is far above what
// thousands of rules need, unless they all begin alike.
const mostTries = 1 << 20

// tired reports whether no more calls are to be made.
func (in *Input) tired() bool { return in.Policy.Tries() > cmp.Or(in.most, mostTries) }

// skips reports whether a rule is not tried any more, which is said of the first.
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
	c, v, err := in.Decide(tool, arg)
	if err != nil {
		return a
	}
	a.denied = v.Decision == hookio.Deny
	for _, p := range decide.Parts(c) {
		a.hits = append(a.hits, p.Hits...)
	}
	return a
}

// held reports whether a call is denied, or, for an ask rule r, a deny or ask rule
// matches it.
func (in *Input) held(r *Rule, tool, arg string) bool {
	if in.skips(r.Pos) {
		return true
	}
	a := in.ask(tool, arg)
	return a.denied || slices.ContainsFunc(a.hits, func(h rules.Hit) bool { return h.Rule.List >= r.List })
}

// matches reports whether a rule matches a call.
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

// covered reports whether another rule of the same list, or a stricter one,
// does what a rule of this text would do.
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
			if o := &list[i]; o.Pos != r.Pos && o.List >= r.List && in.Policy.Covers(o, &twin) {
				return true
			}
		}
	}
	return false
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

// runs reports whether a rule matches the very text that it is, and a shell can
// read that text.
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

// own is the text that a rule without a wildcard is about: find . \( -name x \)
// is that, whatever its author knew of the escapes of the file.
func (in *Input) own(r *Rule) string {
	if r.Written != "" && !in.reads(r.Tool, r.Pattern) && in.reads(r.Tool, r.Written) {
		return r.Written
	}
	return r.Pattern
}

// foreign reports whether a text names a path of another machine: what is asked
// about there cannot be told from here.
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

// edit replaces the rule, or adds another one below it; nil where that could
// let more through.
func (r *Rule) edit(now string, add bool) *Edit {
	switch {
	case r.List == rules.Allow && now != "", r.Object:
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

// strict reports whether the rule restricts.
func (r *Rule) strict() bool { return r.List == rules.Deny || r.List == rules.Ask }

// shell reports whether the rule is a pattern of shell commands.
func (r *Rule) shell() bool { return r.Err == nil && r.Tool == "Bash" && !r.Bare }

// paths reports whether the rule is a pattern of paths.
func (r *Rule) paths() bool {
	if r.Err != nil || r.Bare {
		return false
	}
	switch r.Tool {
	case "Read", "Edit", "Write", "NotebookEdit", "Glob", "Grep", "LS", "LSP", "NotebookRead":
		return true
	}
	return false
}

// file is the absolute path that a path pattern without wildcards names, and
// the argument of a file tool for it.
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

// exists reports whether there is a file.
func (in *Input) exists(name string) bool {
	_, err := in.World.Files.Lstat(name)
	return err == nil
}

// dir reports whether there is a folder.
func (in *Input) dir(name string) bool {
	info, err := in.World.Files.Stat(name)
	return err == nil && info.IsDir()
}
