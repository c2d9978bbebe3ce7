// Package asks is what steps 2, 3b and 5 ask about a call, with the evidence of each question. What is no question at
// all is decided here; what takes a question back that was found is in package lifts.
package asks

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// Immune asks about what no rule, mode or grant may wave through.
func Immune(c facts.Facts) (all []verdict.Question) {
	if m := c.Call().Malformed; m != "" {
		return []verdict.Question{must(verdict.Sent, "malformed-input", "",
			"malformed tool input: "+m, "Try again with well-formed input")}
	}
	for _, asks := range EachImmune() {
		all = append(all, asks(c)...)
	}
	return all
}

// EachImmune are what step 2 asks about a call that is well-formed.
func EachImmune() []func(facts.Facts) []verdict.Question {
	return []func(facts.Facts) []verdict.Question{Findings, immunePaths, immuneNamedControl, immuneSecrets, immuneAccesses,
		immuneShell, immuneDoubts, immuneManaged, immuneUnsure, immuneMentions, immuneOverrun}
}

// must is a question of step 2 that no lift takes back.
func must(g verdict.Gravity, id, part, text, hint string) verdict.Question {
	return verdict.Must(g, immune(id, part, text, hint))
}

// askUser begins a hint that only an agent is told.
const askUser = "Ask the user"

// immune is the reason of a question of step 2.
func immune(id, part, text, hint string) verdict.Reason {
	return verdict.Reason{Code: say.OfAsk(id), Part: part, Mark: id + verdict.EveryMode, Text: text, Hint: hint,
		ToAgent: strings.HasPrefix(hint, askUser)}
}

// immuneManaged is the managed ask rules, and the addresses a managed list does not
// name: neither bypass nor a grant lifts them.
func immuneManaged(c facts.Facts) (all []verdict.Question) {
	for u := range c.Units() {
		for _, hit := range c.Matches(c.Policy().Ask, u) {
			if hit.Sure && hit.Rule.Scope == rules.Managed {
				r := words.ByRule("managed ask rule: "+hit.Rule.Text, hit.Rule, u)
				r.Code = say.CodeAskedByRule
				all = append(all, verdict.Must(verdict.Doubtful, r))
			}
		}
	}
	if c.Policy().Posture.URLsSet.Scope == rules.Managed {
		all = append(all, unlistedURL(c)...)
	}
	return all
}

// immuneUnsure asks when a deny or ask rule would match for some value of a
// word that cannot be known.
func immuneUnsure(c facts.Facts) (all []verdict.Question) {
	for list := range c.StrictLists() {
		if u, hit := c.Match(list.Rules, false); u != nil {
			all = append(all, verdict.Must(verdict.Doubtful, couldMatch(c, list.Word, hit.Rule, u)))
		}
	}
	return all
}

// couldMatch is the question about a rule that matches for some value of an unknown word.
func couldMatch(c facts.Facts, list string, r *rules.Rule, u *facts.Unit) verdict.Reason {
	v := couldBe(r, u.Text())
	if tree := u.Write() && u.Subject().Tree; tree && u.Sub() != nil {
		v.Text = say.Quoted(facts.Written(c.Script(), u.Sub())) + facts.Origin(u.Sub()) + " may write files in " + u.Quoted() +
			" that your " +
			list + " " + r.Text + " " + does(r) + "; their names are only known at run time"
		v.Hint = "Try naming the files"
		return v
	}
	why, hint := whyOpen(c, u)
	v.Text, v.Hint = u.Named()+facts.Origin(u.Sub())+" may be what your "+list+" "+r.Text+" "+does(r)+why, hint
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
func whyOpen(c facts.Facts, u *facts.Unit) (why, hint string) {
	filler := fills(c, u)
	if filler == nil {
		return ", depending on a word only known at run time", "Try writing the word out"
	}
	if own := callAlone(c, u.Sub()); own != "" {
		hint = "Try " + own + " in a call of its own"
	}
	return ": " + say.Quoted(facts.Spell(filler.Argv)) + " may change what the pattern finds", hint
}

// fills returns what may change the files that a pattern finds, nil where no part of the text does.
func fills(c facts.Facts, u *facts.Unit) *bashsafety.Subcommand {
	if c.Script() == nil || u.Effect() == nil || !u.Effect().Glob {
		return nil
	}
	if at := facts.SubIndex(c.Script(), u.Sub()); at >= 0 {
		if first := c.Script().MayFill(at); first != u.Sub() {
			return first
		}
	}
	return nil
}

// callAlone is a part as a call by itself, in backquotes: "" where that is another call, or is stopped as well.
func callAlone(c facts.Facts, sub *bashsafety.Subcommand) string {
	moved := len(sub.Dirs) != 1 || sub.Dirs[0] != c.Script().Env.Cwd
	if c.Tried() || moved || sub.Script != nil || sub.Span.End > len(c.Script().Text) {
		return ""
	}
	text := c.Script().Text[sub.Span.Start:sub.Span.End]
	shown, _ := redact.Text(text)
	if shown != text || hookio.Escape(text) != text || strings.ContainsAny(text, "`$\n") {
		return ""
	}
	if text = "`" + text + "`"; !c.Acceptable(text) {
		return ""
	}
	return text
}

// doubted is the sentence of a doubt, with the place that it is about where its words do not name that.
func doubted(script *bashsafety.Analysis, d *bashsafety.Doubt) string {
	at := facts.Source(script, d.Span)
	switch d.ID {
	case "dynamic-command", "unknown-program-text", "piped-program":
		if at != "" {
			return "in " + say.Quoted(at) + ", " + d.Msg
		}
	}
	return d.Msg
}

// immuneDoubts asks about what the analysis cannot see through.
func immuneDoubts(c facts.Facts) (all []verdict.Question) {
	for i := 0; c.Script() != nil && i < len(c.Script().Doubts); i++ {
		d := &c.Script().Doubts[i]
		all = append(all, verdict.Ask(verdict.Doubtful, Doubt{d}, func() verdict.Reason {
			r := immune(d.ID, "", doubted(c.Script(), d), "")
			r.Code = say.CodeNotUnderstood
			return r
		}))
	}
	return all
}

// immuneOverrun asks about a call that could not be compared with every rule.
func immuneOverrun(c facts.Facts) []verdict.Question {
	if c.Overrun() == nil {
		return nil
	}
	return []verdict.Question{must(verdict.Doubtful, "rule-budget", "",
		fmt.Sprintf("the call has too many parts (%d) to compare each with every rule (stopped at %s)",
			c.Count(), c.Overrun().Pos.String()), "Try splitting the call")}
}
