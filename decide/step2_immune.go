package decide

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepImmune asks about what no rule, mode or grant may wave through.
func stepImmune(c *Case, _ Verdict) Verdict {
	if m := c.Call.Malformed; m != "" {
		return immune("malformed-input", "", "malformed tool input: "+m+". Try again with well-formed input")
	}
	if f := c.worst(); f != nil {
		return c.found(f)
	}
	for _, f := range [...]func(*Case) Verdict{immunePaths, immuneSecrets, immuneAccesses, immuneShell, immuneDoubts, immuneManaged,
		immuneUnsure, immuneMentions, immuneOverrun} {
		if v := f(c); v.Decision == hookio.Ask {
			return v
		}
	}
	return Verdict{Reason: c.takenBack()}
}

// immuneManaged is the managed ask rules, and the addresses a managed list does not
// name: neither bypass nor a grant lifts them.
func immuneManaged(c *Case) Verdict {
	for i := range c.units {
		for _, hit := range c.matches(c.Policy.Ask, i) {
			if hit.Sure && hit.Rule.Scope == rules.Managed {
				return c.byRule(hookio.Ask, "managed ask rule: "+hit.Rule.Text, hit.Rule, &c.units[i]).as(CodeAskedByRule)
			}
		}
	}
	if c.Policy.Posture.URLsSet.Scope == rules.Managed {
		return unlistedURL(c)
	}
	return Verdict{}
}

// immuneUnsure asks when a deny or ask rule would match for some value of a
// word that cannot be known.
func immuneUnsure(c *Case) Verdict {
	for _, list := range c.strictLists() {
		if u, hit := c.match(list.rules, false); u != nil {
			return c.couldMatch(list.word, hit.Rule, u)
		}
	}
	return Verdict{}
}

// strictLists are all lists that deny or ask.
func (c *Case) strictLists() []denyList {
	lists := append(c.denyLists(), denyList{"ask rule", c.Policy.Ask, ""})
	if c.Policy.AutoRestricts() {
		lists = append(lists, denyList{"autoMode.soft_deny", c.Policy.Auto.SoftDeny, ""})
	}
	for _, a := range [...]*rules.AgentDef{c.Policy.Agent, c.Policy.Skill} {
		if a != nil {
			lists = append(lists, denyList{"deny_tools", a.Deny, ""})
		}
	}
	return lists
}

// couldMatch is the ask about a rule that matches for some value of an unknown word.
func (c *Case) couldMatch(list string, r *rules.Rule, u *unit) Verdict {
	does := "denies"
	if r.List == rules.Ask {
		does = "asks about"
	}
	v := Verdict{Decision: hookio.Ask, Rule: r, Part: u.text, Reason: u.named() + origin(u.sub) + " may be what your " + list + " " + r.Text +
		" " + does + ", depending on a word only known at run time. Try writing the word out"}
	at := ""
	if pos := r.Pos.String(); pos != "" {
		at = ", " + pos
	}
	return v.marked("could match" + at + everyMode).as(CodeCouldMatchRule)
}

// immuneDoubts asks about what the analysis cannot see through.
func immuneDoubts(c *Case) Verdict {
	var v Verdict
	more := 0
	for i := 0; c.Script != nil && i < len(c.Script.Doubts); i++ {
		switch d := &c.Script.Doubts[i]; {
		case c.takesBack(askDoubt, question{doubt: d}):
		case v.Decision == hookio.Pass:
			v = immune(d.ID, "", d.Msg).as(CodeNotUnderstood)
		default:
			more++
		}
	}
	if more > 0 {
		v = v.saying(fmt.Sprintf("; and %d more", more))
	}
	return v
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

// immuneFence asks where there is a fence and the path cannot be known.
func immuneFence(c *Case) Verdict {
	for i := range c.units {
		u := &c.units[i]
		if u.effect == nil || u.effect.Known {
			continue
		}
		switch u.effect.Kind {
		case bashsafety.Write, bashsafety.Delete:
			if c.Policy.FenceWrite.On() {
				return immune(fenceWrite, u.text,
					c.doer(u)+"writes to a path only known at run time. Try naming the file")
			}
		case bashsafety.Read, bashsafety.Source:
			if c.Policy.FenceRead.On() {
				return immune(fenceRead, u.text,
					c.doer(u)+"reads a path only known at run time. Try naming the file")
			}
		}
	}
	return Verdict{}
}

// immuneAccesses asks about a tool that nothing is known of and that is told a folder of
// secrets, or more files than were looked at. What it is told besides is asked about like
// what is read and what is written.
func immuneAccesses(c *Case) Verdict {
	if c.crowded {
		return immune("too-much", "", "the call names too many files to compare with the rules. Try fewer at once")
	}
	for i := 0; i < len(c.units) && c.Policy.Posture.Secrets.Value == "ask"; i++ {
		u := &c.units[i]
		if !u.access || c.takesBack(askSecret, question{unit: u}) {
			continue
		}
		if name, why := c.secretOrStore(u.hit.Given); why != "" {
			return immune("secret-file", u.text, "the call may read "+quoted(name)+", which contains "+why)
		}
	}
	return Verdict{}
}
