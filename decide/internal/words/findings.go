package words

import (
	"cmp"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/loss"
	"github.com/permgate--owner/permgate/decide/say"
)

// Found is what step 2 says about a finding.
func Found(c facts.Facts, f *bashsafety.Finding) verdict.Reason {
	r := verdict.Reason{Check: f.Check, Text: "the command ", Mark: f.Check.ID + verdict.EveryMode}
	if f.Check.Severity == bashsafety.Destructive && c.Practical() {
		r.Mark = f.Check.ID // an exact rule of the user's own lifts it
	}
	title, why := f.Check.Title, cmp.Or(c.WhyNotWaived(f), f.Check.Why)
	var l *loss.Loss
	if f.Sub >= 0 && f.Sub < len(c.Script().Subcommands) {
		sub := &c.Script().Subcommands[f.Sub]
		r.Part, r.Of = facts.Spell(sub.Argv), sub
		r.Text = say.Quoted(facts.Written(c.Script(), sub)) + facts.Origin(sub) + " "
		title, why = ofProgram(c, f, sub, title, why)
		l = loss.Of(c.Script(), f.Sub, c.World(), c.Repos())
		if f.Check.Trees {
			r.Loss = l
			title, why = removal(c, f, l)
		}
	}
	if r.Text += title; why != "" {
		r.Text += "; " + why
	}
	if hint, toAgent := hint(c, f, l); hint != "" {
		r.Hint, r.ToAgent = "Try "+hint, toAgent
	}
	if f.Check.Severity == bashsafety.Catastrophic {
		r.Mark += "; bypass-immune: " + SeverityLabel(f.Check)
	}
	return r
}

// ofProgram is what a check says of a program, or of the file that it found.
func ofProgram(c facts.Facts, f *bashsafety.Finding, sub *bashsafety.Subcommand, title, why string) (string, string) {
	for i := range f.Check.Says {
		if said := &f.Check.Says[i]; begins(sub, said.For) {
			return said.Title, said.Why
		}
	}
	for i := range sub.Effects {
		e := &sub.Effects[i]
		found := e.Kind == bashsafety.Delete || e.Kind == bashsafety.Write && e.Span == f.Span
		if named := e.Known && !e.Glob; f.Check.Of != "" && found && named {
			return strings.Replace(f.Check.Of, "FILE", facts.Quoted(c.Policy(), e.Path), 1), why
		}
	}
	return title, why
}

// removal says what a recursive removal takes, and why that matters.
func removal(c facts.Facts, f *bashsafety.Finding, l *loss.Loss) (title, why string) {
	target := c.World().OS.Native(target(c, &c.Script().Subcommands[f.Sub]))
	switch {
	case l != nil && l.Gone():
		return "deletes " + l.What(target), l.WhyGone()
	case l != nil && (l.Files > 0 || !l.AtLeast): // something of it was seen
		return "deletes " + l.What(target), c.WhyNotWaived(f)
	case target != "":
		title = "deletes " + target + " and everything in it"
	default:
		title = f.Check.Title
	}
	return title, cmp.Or(c.WhyNotWaived(f), f.Check.Why)
}
