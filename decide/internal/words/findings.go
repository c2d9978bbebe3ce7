package words

import (
	"cmp"
	"slices"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/loss"
)

// Found is what step 2 says about a finding.
func Found(c facts.Facts, f *bashsafety.Finding) verdict.Reason {
	r := verdict.Reason{Check: f.Check, What: c.Doer(nil), Text: f.Check.Title, Why: cmp.Or(c.WhyNotWaived(f), f.Check.Why),
		Mark: f.Check.ID + verdict.EveryMode}
	if f.Check.Severity == bashsafety.Destructive && c.Practical() {
		r.Mark = f.Check.ID // an exact rule of the user's own lifts it
	}
	var l *loss.Loss
	if f.Sub >= 0 && f.Sub < len(c.Script().Subcommands) {
		sub := &c.Script().Subcommands[f.Sub]
		r.Part, r.Of = facts.Spell(sub.Argv), sub
		r.What = c.Doer(sub)
		ofProgram(c, f, sub, &r)
		l = loss.Of(c.Script(), f.Sub, c.World(), c.Repos())
		if f.Check.Trees {
			r.Loss = l
			removal(c, f, l, &r)
		}
	}
	way(c, f, l, &r)
	if f.Check.Severity == bashsafety.Catastrophic {
		r.Mark += "; bypass-immune: " + SeverityLabel(f.Check)
	}
	return r
}

// ofProgram says what a check says of a program, or of what it found.
func ofProgram(c facts.Facts, f *bashsafety.Finding, sub *bashsafety.Subcommand, r *verdict.Reason) {
	for i := range f.Check.Says {
		said := &f.Check.Says[i]
		if n, ok := after(sub, said.For); ok {
			if text, ok := about(c, f, sub, n, said.Title); ok {
				r.Text, r.Why = text, cmp.Or(said.Why, r.Why)
				return
			}
		}
	}
	if text, ok := about(c, f, sub, 1, f.Check.Of); ok && text != "" {
		r.Text = text
	}
}

// removal says what a recursive removal takes, and why that matters.
func removal(c facts.Facts, f *bashsafety.Finding, l *loss.Loss, r *verdict.Reason) {
	name, deletes := "", "deletes"
	if r.Of.As == "rsync" { // only what the source does not have
		deletes = "may delete"
	}
	if names := targets(c, &c.Script().Subcommands[f.Sub]); len(names) == 1 {
		name = facts.Quoted(c.Policy(), names[0])
	}
	switch {
	case l != nil && l.Gone():
		r.Text, r.Target, r.Why = deletes, l.What(name), l.WhyGone()
	case l != nil && (l.Files > 0 || !l.AtLeast): // something of it was seen
		r.Text, r.Target, r.Why = deletes, l.What(name), c.WhyNotWaived(f)
	case name != "":
		r.Text, r.Target = deletes, name+" and everything in it"
	case slices.ContainsFunc(r.Of.Effects, func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Delete && !e.Known && !e.Glob
	}):
		r.Why = "the folder is not known in advance"
		r.Way = "Write the path out"
	}
}
