package lint

import (
	"slices"
	"strconv"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
)

var duplicateRule = Check{
	ID: "duplicate-rule", Severity: Warning,
	Title: "a duplicate rule",
	Why: "The second rule does nothing, and removing only the first changes nothing. Spellings with the same meaning count as duplicates, and so does a " +
		"rule already present in a file that is read wherever this one is.",
	Fix: "remove one of them",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(git status)", "Bash(ls)", "Bash(git status)"]}}`, At: `"Bash(git status)"`,
			Fixed: `{"permissions": {"allow": ["Bash(git status)", "Bash(ls)"]}}`},
		{Text: `{"permissions": {"deny": ["WebSearch", "WebSearch(*)"]}}`, At: `"WebSearch(*)"`, Fixed: `{"permissions": {"deny": ["WebSearch"]}}`},
		{Text: `{"permissions": {"deny": ["Read(./secret/**)"]}}`, At: `"Read(./secret/**)"`, File: ".claude/settings.local.json",
			Beside: []Other{{".claude/settings.json", `{"permissions": {"deny": ["Read(./secret/**)"]}}`}},
			Fixed:  `{"permissions": {"deny": []}}`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"deny": ["Read(./secret/**)"]}}`, Beside: []Other{{"~/.claude/settings.json", `{"permissions": {"deny": ["Read(./secret/**)"]}}`}}},
		{Text: `{"permissions": {"ask": ["Bash(git push:*)"], "allow": ["Bash(git status)", "Bash(git status -s)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		in.shadows(func(r, by *Rule, s *decide.Shadow) {
			if s.Kind == decide.ShadowSame {
				report(r.finding(r.Text+" is "+s.How()+in.at(r, by, s), "", r.edit("", false)))
			}
		})
	},
}

var shadowedRule = Check{
	ID: "shadowed-rule", Severity: Warning,
	Title: "a rule that a stricter list overrides completely",
	Why: "deny overrides ask, and ask overrides allow, in any order and file: a rule of a stricter list covers everything this rule matches. " +
		"A narrower allow is not an exception to a deny.",
	Fix: "remove it, or narrow the other rule: deny and ask have no exceptions",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(git push origin main)"], "deny": ["Bash(git push:*)"]}}`, At: `"Bash(git push origin main)"`},
		{Text: `{"permissions": {"allow": ["WebFetch(domain:go.dev)"], "ask": ["WebFetch"]}}`, At: `"WebFetch(domain:go.dev)"`},
		{Text: `{"urls": {"allow": ["https://a.example/docs/*"], "deny": ["*.a.example"]}}`, At: `"https://a.example/docs/*"`, File: "~/.claude/permgate.json"},
		{Text: `{"permissions": {"ask": ["Read(./secret/a.txt)"], "deny": ["Read(./secret/**)"]}}`, At: `"Read(./secret/a.txt)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(make:*)"], "ask": ["Bash(make release:*)"], "deny": ["Bash(make release --force:*)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		in.shadows(func(r, by *Rule, s *decide.Shadow) {
			if s.Kind == decide.ShadowDenied || s.Kind == decide.ShadowAsked {
				report(r.finding(r.Text+" has no effect: it is "+s.How()+in.at(r, by, s), "", nil))
			}
		})
	},
}

var coveredRule = Check{
	ID: "covered-rule", Severity: Note,
	Title: "a rule made redundant by a wider one",
	Why:   "The wider rule matches everything this one does, so the narrower one is not the limit.",
	Fix:   "remove the one you did not intend",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(make test:*)", "Bash(make:*)"]}}`, At: `"Bash(make test:*)"`},
		{Text: `{"permissions": {"deny": ["Read(./secret/**)", "Read(./secret/keys/**)"]}}`, At: `"Read(./secret/keys/**)"`},
		{Text: `{"urls": ["*.a.example", "https://www.a.example"]}`, At: `"https://www.a.example"`, File: ".claude/permgate.json"},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(git log:*)", "Bash(git status:*)"], "deny": ["Read(./secret/**)", "Edit(./gen/**)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		in.shadows(func(r, by *Rule, s *decide.Shadow) {
			// a Read rule of Claude Code leaves some edits free
			readAndEdit := r.strict() && r.Claude && r.Tool == "Edit" && by.Tool == "Read"
			if s.Kind == decide.ShadowWider && !readAndEdit {
				report(r.finding(r.Text+" is "+s.How()+in.at(r, by, s), "", nil))
			}
		})
	},
}

// shadows calls f for every rule that has no effect wherever it is read.
func (in *Input) shadows(f func(r, by *Rule, s *decide.Shadow)) {
	if in.shadow == nil {
		in.shadow = append(make([]decide.Shadow, 0, 1), decide.Shadows(in.Policy)...)
	}
	for i := range in.shadow {
		s := &in.shadow[i]
		if s.By == nil {
			continue
		}
		r, by := in.written(s.Rule), in.written(s.By)
		if !r.wellFormed() || !by.wellFormed() {
			continue
		}
		if s.Kind == decide.ShadowSame && !follows(by, r) && follows(r, by) {
			r, by = by, r
		}
		if follows(by, r) && !slices.ContainsFunc(s.With, func(o *rules.Rule) bool { return !in.counts(o, r) }) {
			f(r, by, s)
		}
	}
}

// counts reports whether a rule of the policy is written well in a file that is read
// wherever that of r is.
func (in *Input) counts(o *rules.Rule, r *Rule) bool {
	by := in.written(o)
	return by.wellFormed() && follows(by, r)
}

// wellFormed reports whether a rule is in a file and can be read.
func (r *Rule) wellFormed() bool { return r != nil && r.Err == nil }

// follows reports whether the file of by is read wherever that of r is: a
// user's rule counts in many projects, a shared one for many users.
func follows(by, r *Rule) bool {
	switch {
	case by.File == r.File:
		return true
	case by.Claude != r.Claude && by.Scope != rules.Managed:
		return false // read by different programs as well
	case r.Scope == rules.Local:
		return by.Scope == rules.Shared || by.Scope == rules.User || by.Scope == rules.Managed
	case r.Scope == rules.User:
		return by.Scope == rules.Managed
	}
	return false
}

// at names the places of by and of those that cover r with it, seen from r.
func (in *Input) at(r, by *Rule, s *decide.Shadow) string {
	places := r.place(by)
	for _, other := range s.With {
		places += ", " + r.place(in.written(other))
	}
	return " (" + places + ")"
}

// place names the place of another rule, seen from r.
func (r *Rule) place(by *Rule) string {
	p := by.Pos
	if p.File = by.File.Name; by.File == r.File {
		return "line " + strconv.Itoa(p.Line)
	}
	return p.String()
}
