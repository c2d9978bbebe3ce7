package decide

import (
	"iter"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// stepImmune asks about what no rule, mode or grant may wave through.
func stepImmune(c *Case) (all []verdict.Question) {
	if m := c.Call.Malformed; m != "" {
		return []verdict.Question{must(verdict.Sent, "malformed-input", "",
			"malformed tool input: "+m, "Try again with well-formed input")}
	}
	for _, asks := range immuneAsks() {
		all = append(all, asks(c)...)
	}
	return all
}

// immuneAsks are what step 2 asks about a call that is well-formed.
func immuneAsks() []func(*Case) []verdict.Question {
	return []func(*Case) []verdict.Question{findings, immunePaths, immuneNamedControl, immuneSecrets, immuneAccesses,
		immuneShell, immuneDoubts, immuneManaged, immuneUnsure, immuneMentions, immuneOverrun}
}

// asksIn reports whether a step asks anything of a call that is well-formed. It stops at the first question.
func (c *Case) asksIn(step string) bool {
	switch step {
	case "2":
		for _, asks := range immuneAsks() {
			if c.standing(asks).Holds() {
				return true
			}
		}
		return false
	case "3b":
		return c.standing(stepWorkspace).Holds()
	}
	return c.standing(stepAsk).Holds()
}

// must is a question of step 2 that no lift takes back.
func must(g verdict.Gravity, id, part, text, hint string) verdict.Question {
	return verdict.Must(g, immune(id, part, text, hint))
}

// immune is the reason of a question of step 2.
func immune(id, part, text, hint string) verdict.Reason {
	return verdict.Reason{Code: say.OfAsk(id), Part: part, Mark: id + verdict.EveryMode, Text: text, Hint: hint}
}

// immuneManaged is the managed ask rules, and the addresses a managed list does not
// name: neither bypass nor a grant lifts them.
func immuneManaged(c *Case) (all []verdict.Question) {
	for u := range c.Units() {
		for _, hit := range c.matches(c.Policy.Ask, u) {
			if hit.Sure && hit.Rule.Scope == rules.Managed {
				r := byRule("managed ask rule: "+hit.Rule.Text, hit.Rule, u)
				r.Code = say.CodeAskedByRule
				all = append(all, verdict.Must(verdict.Doubtful, r))
			}
		}
	}
	if c.Policy.Posture.URLsSet.Scope == rules.Managed {
		all = append(all, unlistedURL(c)...)
	}
	return all
}

// immuneUnsure asks when a deny or ask rule would match for some value of a
// word that cannot be known.
func immuneUnsure(c *Case) (all []verdict.Question) {
	for list := range c.strictLists() {
		if u, hit := c.match(list.rules, false); u != nil {
			all = append(all, verdict.Must(verdict.Doubtful, c.couldMatch(list.word, hit.Rule, u)))
		}
	}
	return all
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

// couldMatch is the question about a rule that matches for some value of an unknown word.
func (c *Case) couldMatch(list string, r *rules.Rule, u *unit) verdict.Reason {
	v := couldBe(r, u.text)
	if tree := u.write && u.subject.Tree; tree && u.sub != nil {
		v.Text = say.Quoted(written(c.Script, u.sub)) + origin(u.sub) + " may write files in " + u.quoted() +
			" that your " +
			list + " " + r.Text + " " + does(r) + "; their names are only known at run time"
		v.Hint = "Try naming the files"
		return v
	}
	why, hint := c.whyOpen(u)
	v.Text, v.Hint = u.named()+origin(u.sub)+" may be what your "+list+" "+r.Text+" "+does(r)+why, hint
	return v
}

// couldBe is the question about a rule that a part of the call could match, without its words.
func couldBe(r *rules.Rule, part string) verdict.Reason {
	v := verdict.Reason{Rule: r, Part: part, Code: say.CodeCouldMatchRule, Mark: "could match" + verdict.EveryMode}
	if pos := r.Pos.String(); pos != "" {
		v.Mark = "could match, " + pos + verdict.EveryMode
	}
	return v
}

// does is what a rule that denies or asks does to a call.
func does(r *rules.Rule) string {
	if r.List == rules.Ask {
		return "asks about"
	}
	return "denies"
}

// whyOpen says why it is not known what a part names, and what to try instead.
func (c *Case) whyOpen(u *unit) (why, hint string) {
	filler := c.fills(u)
	if filler == nil {
		return ", depending on a word only known at run time", "Try writing the word out"
	}
	if own := c.callAlone(u.sub); own != "" {
		hint = "Try " + own + " in a call of its own"
	}
	return ": " + say.Quoted(Spell(filler.Argv)) + " may change what the pattern finds", hint
}

// fills returns what may change the files that a pattern finds, nil where no part of the text does.
func (c *Case) fills(u *unit) *bashsafety.Subcommand {
	if c.Script == nil || u.effect == nil || !u.effect.Glob {
		return nil
	}
	if at := subIndex(c.Script, u.sub); at >= 0 {
		if first := c.Script.MayFill(at); first != u.sub {
			return first
		}
	}
	return nil
}

// callAlone is a part as a call by itself, in backquotes: "" where that is another call, or is stopped as well.
func (c *Case) callAlone(sub *bashsafety.Subcommand) string {
	moved := len(sub.Dirs) != 1 || sub.Dirs[0] != c.Script.Env.Cwd
	if c.Tried() || moved || sub.Script != nil || sub.Span.End > len(c.Script.Text) {
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
func immuneDoubts(c *Case) (all []verdict.Question) {
	for i := 0; c.Script != nil && i < len(c.Script.Doubts); i++ {
		d := &c.Script.Doubts[i]
		all = append(all, verdict.Ask(verdict.Doubtful, doubt{d}, func() verdict.Reason {
			r := immune(d.ID, "", doubted(c.Script, d), "")
			r.Code = say.CodeNotUnderstood
			return r
		}))
	}
	return all
}
