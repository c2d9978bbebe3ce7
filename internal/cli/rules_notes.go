package cli

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// policyWith is what the settings say about calls made from here, with one file
// as a change makes it. h may be nil.
func (e *env) policyWith(h *hookio.Host, ch *change) *rules.Policy {
	w := e.worldWith(ch)
	return load.Load(gate.LoadOptions(callOf(h), &gate.Flags{}, w), w.Files)
}

// added is what there is to say about a rule that a change adds.
func (o *ruleEdit) added(e *env, ch *change) []string {
	after := e.policyWith(o.h, ch)
	var notes []string
	note := func(text string) { notes = append(notes, text) }
	if o.scope == rules.Local.String() && e.world.Files.Tracked(ch.name) {
		note("git tracks " + e.path(ch.name) + ", so it is shared; remove it from the index: git rm --cached")
	}
	r := standsIn(after, ch.name, o.list, o.rule)
	if r == nil {
		why := "it is in a place where no settings are read"
		for _, d := range after.Dropped {
			if d.Text == o.rule && d.Pos.File == ch.name {
				why = e.short(d.Why)
			}
		}
		return append(notes, "it does not count: "+why)
	}
	if !rules.KnownTool(r.Tool) {
		note("no tool called " + r.Tool + " is known; the rule matches only a tool with exactly that name")
	}
	was := decide.Shadows(o.p)
	for _, s := range decide.Shadows(after) {
		switch {
		case s.Rule == r && s.By == nil:
			note("it has no effect: " + s.How())
		case s.Rule == r:
			note("it has no effect: " + s.How() + " (" + e.places(&s) + ")")
		case (s.By == r || slices.Contains(s.With, r)) && !shadowed(was, s.Rule):
			note(s.Rule.Text + " (" + s.Rule.List.String() + ", " + e.place(s.Rule.Pos) + ") has no effect any more: " + s.How())
		}
	}
	for _, f := range after.Faults {
		if f.Closed && o.list == rules.Allow {
			note("every allow becomes ask until this is fixed: " + e.fault(&f))
			break
		}
	}
	if s := after.Posture.Enforce; s.Value == "false" {
		note("only managed denies are answered in observe mode (enforce: false, " + e.place(s.Pos) + ")")
	}
	return notes
}

// removed is what there is to say about the rule that a change takes out.
func (o *ruleEdit) removed(e *env, ch *change) []string {
	gone := standsIn(o.p, ch.name, o.list, o.rule)
	if gone == nil {
		return nil
	}
	after := e.policyWith(o.h, ch)
	for _, list := range [...][]rules.Rule{after.Deny, after.Ask, after.Allow} {
		for i := range list {
			if r := &list[i]; r.List == gone.List && decide.Replaces(after, r, gone) {
				return []string{"the same calls are still covered by " + r.List.String() + ": " + r.Text +
					" (" + e.place(r.Pos) + ")"}
			}
		}
	}
	return nil
}

// standsIn finds a rule of a file in the policy, nil if it is not there.
func standsIn(p *rules.Policy, file string, list rules.List, text string) *rules.Rule {
	for _, l := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for i := range l {
			if l[i].List == list && l[i].Text == text && l[i].Pos.File == file {
				return &l[i]
			}
		}
	}
	return nil
}

// shadowed reports whether a rule was without effect before: the same text in
// the same file, whose lines may have moved.
func shadowed(list []decide.Shadow, r *rules.Rule) bool {
	for i := range list {
		if s := list[i].Rule; s.List == r.List && s.Text == r.Text && s.Pos.File == r.Pos.File {
			return true
		}
	}
	return false
}

// wrongRule says what is wrong with a rule that somebody wants to write down,
// "" when it is well-formed, and the nearest form that is right, "" when that
// is not clear. A tool that differs from a known one in case alone is wrong as
// well: no call is ever named so.
func wrongRule(text string, list rules.List) (why, near string) {
	r, err := rules.ParseRule(text, list, rules.Local, rules.Pos{}, false)
	name, rest := text, ""
	if i := strings.IndexByte(text, '('); i >= 0 {
		name, rest = text[:i], text[i:]
	}
	switch meant := gate.MeantTool(name); {
	case err == nil && meant != "":
		return "tool names are exact, and no call is named " + name, meant + rest
	case hookio.Escape(text) != text:
		return "the rule contains an invisible character", ""
	case err == nil && r.Tool != "":
		if one, more, found := strings.Cut(text, "),"); found {
			next, err := rules.ParseRule(strings.TrimSpace(more), list, rules.Local, rules.Pos{}, false)
			if err == nil && rules.KnownTool(next.Tool) {
				return "this is several rules in one string, which matches nothing; add them one by one", one + ")"
			}
		}
		return "", ""
	}
	for _, try := range nearForms(text, name) {
		if _, err := rules.ParseRule(try, list, rules.Local, rules.Pos{}, false); err == nil && try != text {
			near = try
			break
		}
	}
	return err.Error(), near
}

// nearForms are what a malformed rule may have been meant as, the likeliest first.
func nearForms(text, name string) []string {
	var out []string
	open, last := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	known := func(tool string) string {
		if meant := gate.MeantTool(tool); meant != "" {
			return meant
		}
		if rules.KnownTool(tool) && !strings.ContainsAny(tool, "*?") {
			return tool
		}
		return ""
	}
	switch {
	case open > 0 && last < open:
		out = append(out, text+")")
	case open > 0 && last < len(text)-1:
		out = append(out, text[:last+1])
	case open > 0 && known(name) != "":
		out = append(out, known(name)) // nothing in the parentheses that would narrow it
	}
	if i := strings.IndexAny(text, " \t:"); i > 0 && open < 0 {
		if tool := known(text[:i]); tool != "" {
			out = append(out, tool+"("+strings.TrimSpace(text[i+1:])+")")
		} else if text[i] != ':' {
			out = append(out, "Bash("+text+")") // a command without its tool
		}
	}
	return out
}
