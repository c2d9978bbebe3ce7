package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A prompt says one plain sentence, what would be accepted instead, and last, in
// brackets, what has it asked: the id of a check, the rule, the mode.

// everyMode is what a mark of step 2 says after its id.
const everyMode = ": asks in every mode"

// marked ends a verdict's reason with a mark in brackets. What is added later
// goes before it.
func (v Verdict) marked(mark string) Verdict {
	v.mark = " (" + mark + ")"
	v.Reason += v.mark
	return v
}

// saying adds words to the sentence, before the mark.
func (v Verdict) saying(words string) Verdict {
	v.Reason = v.sentence() + words + v.mark
	return v
}

// sentence is the reason without its mark.
func (v Verdict) sentence() string { return strings.TrimSuffix(v.Reason, v.mark) }

// id is what the mark of a reason begins with.
func (v Verdict) id() string {
	id, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(v.mark, " ("), ")"), ":")
	return id
}

// immune is an ask of step 2 about a part of the call.
func immune(id, part, sentence string) Verdict {
	return Verdict{Decision: hookio.Ask, Part: part, Reason: sentence, Cause: immuneCode(id)}.marked(id + everyMode)
}

// found turns a finding into step 2's ask.
func (c *Case) found(f *bashsafety.Finding) Verdict {
	v := Verdict{Decision: hookio.Ask, Check: f.Check, Reason: "the command "}
	title, target := f.Check.Title, ""
	if f.Sub >= 0 && f.Sub < len(c.Script.Subcommands) {
		sub := &c.Script.Subcommands[f.Sub]
		v.Part = Spell(sub.Argv)
		v.Reason = quoted(v.Part) + origin(sub) + " "
		if target = c.target(sub); target != "" && f.Check.Names[0] != "" {
			title = strings.Replace(title, f.Check.Names[0], target, 1)
		}
	}
	v.Reason += title + "; " + cmp.Or(c.whyNotWaived(f), f.Check.Why)
	if c.hidesOption(f) {
		v.Reason += "; a backslash hides an option of it"
	}
	if hint := c.hint(f.Check, target); hint != "" {
		v.Reason += ". Try " + hint
	}
	mark := f.Check.ID + everyMode
	if f.Check.Severity == bashsafety.Catastrophic {
		mark += "; " + seedWords(f.Check)
	}
	return v.marked(mark)
}

// hidesOption reports whether what another check found has an option behind a backslash.
func (c *Case) hidesOption(f *bashsafety.Finding) bool {
	return f.Check.ID != bashsafety.EscapedOption && slices.ContainsFunc(c.Script.Findings, func(o bashsafety.Finding) bool {
		return o.Sub == f.Sub && o.Check.ID == bashsafety.EscapedOption
	})
}

// seedWords are seed 0's for what a check finds.
func seedWords(c *bashsafety.Check) string {
	if c.Severity >= bashsafety.Destructive {
		return "bypass-immune: destructive command"
	}
	return "bypass-immune: suspicious command"
}

// cause is the part that keeps a list from allowing the call: one that a rule
// covers apart from what narrows it, else one that a rule would cover if it counted,
// else the first without a rule. Nil where the list covers all.
func (c *Case) cause(list []rules.Rule) *unit {
	_, first := c.covered(list)
	if first == nil {
		return nil
	}
	for i := range c.units {
		if u := &c.units[i]; u.needsAllow && !c.allowed(list, i) {
			if r, _ := c.narrowed(list, u); r != nil {
				return u
			}
		}
	}
	for i := range c.units {
		if c.units[i].needsAllow && !c.allowed(list, i) && c.allowed(c.Policy.Untrusted, i) {
			return &c.units[i]
		}
	}
	return first
}

func (c *Case) allowed(list []rules.Rule, unit int) bool {
	_, ok := c.allows(list, unit)
	return ok
}

// uncovered says why an allow list does not cover a part.
func (c *Case) uncovered(list []rules.Rule, u *unit) string {
	if u.text == "" {
		return "no command to match"
	}
	if r, why := c.narrowed(list, u); r != nil {
		return "your rule " + r.Text + " (" + r.Pos.String() + ") does not cover " + u.named() + ": " + why
	}
	return "no rule allows " + u.named()
}

// narrowed returns the rule that would cover a part if nothing narrowed it, and
// what does.
func (c *Case) narrowed(list []rules.Rule, u *unit) (*rules.Rule, string) {
	if u.subject.Command == nil || u.sub == nil {
		return nil, ""
	}
	if r, why := c.narrowedByWords(list, u); r != nil {
		return r, why
	}
	if r := c.sure(list, u, *u.subject.Command); r != nil {
		if why := c.leavesPlace(r, u); why != "" {
			return r, why
		}
	}
	return c.narrowedByGit(list, u)
}

// narrowedByWords is narrowed for the words of a command: its options, its URLs.
func (c *Case) narrowedByWords(list []rules.Rule, u *unit) (*rules.Rule, string) {
	why := u.subject.Command.Narrow
	if why == "" && len(u.sub.Alt) == 0 && !networked(u.sub) {
		return nil, ""
	}
	wide := *u.subject.Command
	wide.Narrow = ""
	r := c.sure(list, u, wide)
	if r == nil || why == "" && !oneURL(r, u) {
		return nil, ""
	}
	return r, cmp.Or(why, "a rule with a URL covers exactly one")
}

// narrowedByGit is narrowed for the global options of git.
func (c *Case) narrowedByGit(list []rules.Rule, u *unit) (*rules.Rule, string) {
	why := u.subject.Command.Narrow
	if len(u.sub.Alt) == 0 || why == "" && !c.foreignRepo(u.sub) {
		return nil, ""
	}
	return c.sure(list, u, withoutGitOptions(u.sub)), cmp.Or(why, "the repository is outside the project")
}

// sure returns the first rule that is certain to cover a part if its command
// were another one.
func (c *Case) sure(list []rules.Rule, u *unit, command rules.Command) *rules.Rule {
	s := u.subject
	s.Command = &command
	for _, h := range c.matchRules(list, &s) {
		if h.Sure {
			return h.Rule
		}
	}
	return nil
}

// named quotes a unit in a reason: file operands with what is done to them.
func (u *unit) named() string {
	if u.quote == "" { // several steps may ask
		u.quote = quoted(u.text)
	}
	if u.effect == nil {
		return u.quote
	}
	switch u.effect.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return "writing " + u.quote
	case bashsafety.Network:
		return "fetching " + u.quote
	}
	return "reading " + u.quote
}

// doer begins a sentence about what a unit does: with its command, if it has one.
func (c *Case) doer(u *unit) string {
	if of := u.of(); of != "" {
		return of
	}
	return "the call "
}
