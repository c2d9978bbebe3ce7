// Package asks is what steps 2, 3b and 5 ask about a call, with the evidence of each question. What is no question at
// all is decided here; what takes a question back that was found is in package lifts.
package asks

import (
	"fmt"
	"path"
	"slices"
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
		return []verdict.Question{must(verdict.Sent, "malformed-input", verdict.Reason{
			Text: "what the call would do cannot be checked (malformed tool input: " + m + ")", Way: "Try again with well-formed input"})}
	}
	for _, asks := range EachImmune() {
		all = append(all, asks(c)...)
	}
	if c.Call().Guessed != "" { // no doubt about it counts
		all = slices.DeleteFunc(all, func(q verdict.Question) bool { return q.Grave(verdict.Doubtful) })
		all = append(all, immuneManaged(c)...)
	}
	return all
}

// EachImmune are what step 2 asks about a call that is well-formed.
func EachImmune() []func(facts.Facts) []verdict.Question {
	return []func(facts.Facts) []verdict.Question{Findings, immunePaths, immuneNamedControl, immuneSecrets, immuneAccesses,
		immuneShell, immuneDoubts, immuneManaged, immuneUnsure, immuneMentions, immuneOverrun}
}

// must is a question of step 2 that no lift takes back.
func must(g verdict.Gravity, id string, r verdict.Reason) verdict.Question {
	return verdict.Must(g, immune(id, r))
}

// immune is the reason of a question of step 2.
func immune(id string, r verdict.Reason) verdict.Reason {
	r.Code, r.Mark = say.OfAsk(id), id+verdict.EveryMode
	return r
}

// immuneManaged is the managed ask rules, and the addresses a managed list does not
// name: neither bypass nor a grant lifts them.
func immuneManaged(c facts.Facts) (all []verdict.Question) {
	for u := range c.Units() {
		for _, hit := range c.Matches(c.Policy().Ask, u) {
			if hit.Sure && hit.Rule.Scope == rules.Managed {
				r := words.ByRule(c, "ask rule", hit.Rule, u)
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
		if u, hit := c.Unsure(list.Rules); u != nil {
			all = append(all, verdict.Must(verdict.Doubtful, couldMatch(c, list.Word, hit.Rule, u)))
		}
	}
	return all
}

// couldMatch is the question about a rule that matches for some value of an unknown word.
func couldMatch(c facts.Facts, list string, r *rules.Rule, u *facts.Unit) verdict.Reason {
	v := couldBe(c, u.Sub(), r, u.Text())
	v.Target = words.Speaks(list, r)
	if u.Sub() == nil {
		v.What = u.Quoted()
	}
	filler := fills(c, u)
	switch {
	case u.Write() && u.Subject().Tree && u.Sub() != nil:
		v.Text = "may " + u.Verb() + " files in " + u.Quoted() + " that"
		v.Why, v.Way = "their names are not known before it runs", "Try naming the files"
		pattern, name := words.Pattern(u.Sub()), path.Base(r.Pattern)
		fits, _ := path.Match(pattern, name)
		v.Of, v.Vague = u.Sub(), pattern != "" && !fits && !strings.ContainsAny(name, "*?[{")
		return v
	case u.Effect() == nil:
		v.Text, v.Target = "may match", words.Named(list, r)
	default:
		v.Text = "may " + u.Verb() + " what"
	}
	if filler == nil {
		v.Why, v.Way = "part of it is not known before it runs", "Try writing the word out"
		return v
	}
	v.Why = say.Quoted(facts.Spell(filler.Argv)) + " may change what the pattern finds"
	if own := callAlone(c, u.Sub()); own != "" {
		v.Way = "Try " + own + " in a call of its own"
	}
	return v
}

// couldBe is the question about a rule that a part of the call could match, without what it does.
func couldBe(c facts.Facts, sub *bashsafety.Subcommand, r *rules.Rule, part string) verdict.Reason {
	v := verdict.Reason{Rule: r, Part: part, What: c.Doer(sub), Code: say.CodeCouldMatchRule, Mark: "could-match" + verdict.EveryMode}
	if pos := r.Pos.String(); pos != "" {
		v.Mark = "could-match, " + pos + verdict.EveryMode
	}
	return v
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

// doubted is the reason of a doubt. Its words end with what to write instead; the command that they speak of is quoted.
func doubted(script *bashsafety.Analysis, d *bashsafety.Doubt) (r verdict.Reason) {
	r.Text, r.Vague = d.Msg, d.ID == "dynamic-command"
	if at := strings.LastIndex(d.Msg, "; "); at >= 0 {
		r.Text, r.Way = d.Msg[:at], strings.ToUpper(d.Msg[at+2:at+3])+d.Msg[at+3:]
	}
	why, text, runs := strings.Cut(r.Text, "the command runs ")
	if at := facts.Source(script, d.Span); runs && at != "" {
		r.What, r.Text, r.Why = say.Quoted(at), "runs "+text, strings.TrimSuffix(why, ": ")
	}
	return r
}

// immuneDoubts asks about what the analysis cannot see through.
func immuneDoubts(c facts.Facts) (all []verdict.Question) {
	for i := 0; c.Script() != nil && i < len(c.Script().Doubts); i++ {
		d := &c.Script().Doubts[i]
		all = append(all, verdict.Ask(verdict.Doubtful, Doubt{d}, func() verdict.Reason {
			r := immune(d.ID, doubted(c.Script(), d))
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
	return []verdict.Question{must(verdict.Doubtful, "rule-budget", verdict.Reason{Way: "Try splitting the call",
		Text: fmt.Sprintf("the call has too many parts (%d) to compare each with every rule (stopped at %s)",
			c.Count(), c.Overrun().Pos.String())})}
}
