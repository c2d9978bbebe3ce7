package decide

import (
	"fmt"
	"iter"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
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
	for _, f := range [...]func(*Case) Verdict{immunePaths, immuneNamedControl, immuneSecrets, immuneAccesses, immuneShell,
		immuneDoubts, immuneManaged, immuneUnsure, immuneMentions, immuneOverrun} {
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
				return byRule(hookio.Ask, "managed ask rule: "+hit.Rule.Text, hit.Rule, &c.units[i]).as(say.CodeAskedByRule)
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
	for list := range c.strictLists() {
		if u, hit := c.match(list.rules, false); u != nil {
			return c.couldMatch(list.word, hit.Rule, u)
		}
	}
	return Verdict{}
}

// strictLists are all lists that deny or ask.
func (in *Input) strictLists() iter.Seq[denyList] {
	p := in.Policy
	return func(yield func(denyList) bool) {
		for list := range in.denyLists() {
			if !yield(list) {
				return
			}
		}
		if !yield(denyList{"ask rule", p.Ask, ""}) ||
			p.AutoRestricts() && !yield(denyList{"autoMode.soft_deny", p.Auto.SoftDeny, ""}) {
			return
		}
		for _, a := range [...]*rules.AgentDef{p.Agent, p.Skill} {
			if a != nil && !yield(denyList{"deny_tools", a.Deny, ""}) {
				return
			}
		}
	}
}

// couldMatch is the ask about a rule that matches for some value of an unknown word.
func (c *Case) couldMatch(list string, r *rules.Rule, u *unit) Verdict {
	does := "denies"
	if r.List == rules.Ask {
		does = "asks about"
	}
	v := Verdict{Decision: hookio.Ask, Rule: r, Part: u.text}
	if tree := u.write && u.subject.Tree; tree && u.sub != nil {
		v.Reason = say.Quoted(written(c.Script, u.sub)) + origin(u.sub) + " may write files in " + u.quoted() + " that your " +
			list + " " + r.Text + " " + does + "; their names are only known at run time. Try naming the files"
	} else {
		v.Reason = u.named() + origin(u.sub) + " may be what your " + list + " " + r.Text + " " + does + c.whyOpen(u)
	}
	at := ""
	if pos := r.Pos.String(); pos != "" {
		at = ", " + pos
	}
	return v.marked("could match" + at + everyMode).as(say.CodeCouldMatchRule)
}

// whyOpen says why it is not known what a part names, and what to try instead.
func (c *Case) whyOpen(u *unit) string {
	filler := c.fills(u)
	if filler == nil {
		return ", depending on a word only known at run time. Try writing the word out"
	}
	why := ": " + say.Quoted(Spell(filler.Argv)) + " may change what the pattern finds"
	if own := c.ownCall(u.sub); own != "" {
		why += ". Try " + own + " in a call of its own"
	}
	return why
}

// fills returns what may change the files that a pattern finds, nil where no part of the text does.
func (c *Case) fills(u *unit) *bashsafety.Subcommand {
	if c.Script == nil || u.effect == nil || !u.effect.Glob {
		return nil
	}
	for i := range c.Script.Subcommands {
		if &c.Script.Subcommands[i] != u.sub {
			continue
		}
		if first := c.Script.MayFill(i); first != u.sub {
			return first
		}
	}
	return nil
}

// ownCall is a part as a call by itself, in backquotes: "" where that is another call, or is stopped as well.
func (c *Case) ownCall(sub *bashsafety.Subcommand) string {
	moved := len(sub.Dirs) != 1 || sub.Dirs[0] != c.Script.Env.Cwd
	if c.tried || moved || sub.Script != nil || sub.Span.End > len(c.Script.Text) {
		return ""
	}
	text := c.Script.Text[sub.Span.Start:sub.Span.End]
	shown, _ := redact.Text(text)
	if shown != text || hookio.Escape(text) != text || strings.ContainsAny(text, "`$\n") {
		return ""
	}
	if text = "`" + text + "`"; !c.acceptable(text) {
		return ""
	}
	return text
}

// doubted is the sentence of a doubt, with the place that it is about where its words do not name that.
func doubted(script *bashsafety.Analysis, d *bashsafety.Doubt) string {
	at := source(script, d.Span)
	switch d.ID {
	case "dynamic-command", "unknown-program-text", "piped-program":
		if at != "" {
			return "in " + say.Quoted(at) + ", " + d.Msg
		}
	}
	return d.Msg
}

// immuneDoubts asks about what the analysis cannot see through.
func immuneDoubts(c *Case) Verdict {
	var v Verdict
	more := 0
	for i := 0; c.Script != nil && i < len(c.Script.Doubts); i++ {
		switch d := &c.Script.Doubts[i]; {
		case c.takesBack(askDoubt, question{doubt: d}):
		case v.Decision == hookio.Pass:
			v = immune(d.ID, "", doubted(c.Script, d)).as(say.CodeNotUnderstood)
		default:
			more++
		}
	}
	if more > 0 {
		v = v.saying(fmt.Sprintf("; and %d more", more))
	}
	return v
}
