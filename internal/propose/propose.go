// Package propose finds the rules that would allow, deny or ask about one call: the exact text of each part, and a
// stem to pick. What it proposes was decided with; what no rule can say it refuses, with the reason.
package propose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// Max is how many rules one call may need (decisions 7).
const Max = 5

// Into is the list and the file of the rules. Those of scope Session are grants, only of list Allow.
type Into struct {
	List   rules.List
	Scope  rules.Scope
	Claude bool // a .claude file: Claude Code reads the rules as well, by its own grammar
}

// A Proposal is a rule for one part of a call.
type Proposal struct {
	Part string // the part, as reasons name it
	Rule string // the exact rule
	Note string // what the exact rule covers besides; "" for nothing but that part
	Stem string // a wider rule, or "" if none can be picked
	// NoStem says why there is no stem; "" when there is one, or the tool has no such thing.
	NoStem string
}

// For proposes rules for a call. Each was tried: with the exact rules, any of them replaced by its stem, the call is
// allowed; each deny or ask rule alone denies or asks.
func For(v decide.Verdict, into Into) ([]Proposal, *Refusal) {
	c := v.Input()
	if c.Call.Malformed != "" {
		return nil, refuse("", "the call is ambiguous (%s), so no rule applies to it", c.Call.Malformed)
	}
	if into.List == rules.Allow {
		return allow(c, v, into)
	}
	return restrict(c, into)
}

// allow proposes what the call lacks.
func allow(c *decide.Input, v decide.Verdict, into Into) ([]Proposal, *Refusal) {
	lifts, finding := v.Lifts(into.Scope)
	secrets := v.SecretReads()
	liftable := finding && destructive(v) || into.Scope == rules.User && asksAboutSecret(v, secrets)
	if r := settled(c, v); r != nil && !liftable {
		if r.Instead == "" {
			r.Instead = elsewhere(c, v, secrets)
		}
		return nil, r
	}
	if facts.NeedsUser(c.Call.Tool) {
		return nil, refuse("", "%s is a question to you, and no rule can answer it for you", c.Call.Tool)
	}
	list := c.Policy.Allow
	if into.Scope == rules.Session {
		list = c.Grants.Rules
	}
	parts := append(append(v.Facts().Missing(list), lifts...), secrets...)
	for _, p := range v.Outside() {
		if p.Effect != nil && !p.Effect.Redirect && has(lifts, p.Sub) {
			continue
		}
		if p.Subject.Path == nil {
			return nil, refuse("name the file in the call", "%s: a path only known at run time is always asked about", p.Label)
		}
		parts = append(parts, p)
	}
	var out, outer []Proposal
	for i := range parts {
		p, r := exact(c, &parts[i], into)
		if r != nil {
			return nil, r
		}
		if slices.Contains(texts(out), p.Rule) {
			continue
		}
		if has(lifts, parts[i].Sub) && parts[i].Subject.Command != nil {
			p.Note = strings.TrimPrefix(p.Note+"; "+forgone(c, parts[i].Sub), "; ")
		}
		if isSecret(secrets, &parts[i]) {
			p.NoStem = "its folder may contain other secrets"
		}
		if out = append(out, p); parts[i].Sub == nil || parts[i].Sub.By == 0 {
			outer = append(outer, p)
		}
	}
	if len(outer) > 0 && len(outer) < len(out) {
		if trial(c, into, texts(outer)).Decision() == hookio.Allow {
			out = outer // a rule for the launcher spells what it runs
		}
	}
	if others := withoutSecrets(out); len(others) > 0 && len(others) < len(out) {
		if trial(c, into, texts(others)).Decision() == hookio.Allow {
			out = others // a rule for the command that reads the secret is enough
		}
	}
	switch {
	case len(out) == 0:
		return nil, refuse("", "no rule changes it: %s", v.Reason())
	case len(out) > Max:
		return nil, refuse("allow the commands you need one by one",
			"the call needs %d rules; permgate proposes at most %d", len(out), Max)
	}
	if t := trial(c, into, texts(out)); t.Decision() != hookio.Allow {
		hint := ""
		if c.Call.Subagent() || c.AsAgent {
			hint = "a subagent inherits no grant: name the rule in allow_tools of its definition"
		}
		return nil, refuse(hint, "even with %s it is not allowed: %s", strings.Join(texts(out), ", "), t.Reason())
	}
	for i := range out {
		if out[i].NoStem != "" {
			continue
		}
		stems(c, &out[i], parts, into, func(stem string) bool {
			with := texts(out)
			with[i] = stem
			return trial(c, into, with).Decision() == hookio.Allow
		})
	}
	return out, nil
}

func restrict(c *decide.Input, into Into) ([]Proposal, *Refusal) {
	var out []Proposal
	var first *Refusal
	parts := c.Facts().Parts()
	for i := range parts {
		part := &parts[i]
		if part.Effect != nil || part.Sub != nil && part.Sub.Script != nil {
			continue // its files and URLs, and what a script runs, are not what the call says
		}
		p, r := exact(c, part, into)
		if r == nil && hits(part, into.List) != "" {
			r = &Refusal{Why: "a rule already covers it: " + hits(part, into.List), Done: true}
		}
		if r == nil {
			r = effect(c, into, p.Rule)
		}
		if r != nil {
			if first == nil || first.Done {
				first = r
			}
			continue
		}
		if slices.Contains(texts(out), p.Rule) {
			continue
		}
		stems(c, &p, parts[i:i+1], into, func(stem string) bool { return effect(c, into, stem) == nil })
		out = append(out, p)
	}
	if len(out) == 0 {
		if first == nil {
			first = refuse("", "the call has nothing a rule could name")
		}
		return nil, first
	}
	return out, nil
}

func texts(list []Proposal) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Rule
	}
	return out
}

// A Refusal says why nothing is proposed; with Done there is nothing to do.
type Refusal struct {
	Why, Instead string
	Done         bool
}

func refuse(instead, format string, args ...any) *Refusal {
	return &Refusal{Why: fmt.Sprintf(format, args...), Instead: instead}
}

// settled says why a call needs no allow rule, or cannot be allowed by one.
func settled(c *decide.Input, v decide.Verdict) *Refusal {
	switch {
	case v.Decision() == hookio.Allow && v.Silence() == "": // silence leaves the host's own questions, which a rule answers
		return &Refusal{Why: "it is allowed already: " + v.Reason(), Done: true}
	case v.Origin() == "1" && v.Why().Rule != nil:
		return refuse(removal(v.Why().Rule), "%s; deny rules override allow rules", v.Reason())
	case v.Origin() == "1":
		return refuse("", "%s; no allow rule can skip that", v.Reason())
	case v.Origin() == "2":
		return refuse("", "it is always asked about: %s", v.Reason())
	case v.Origin() == "5" && v.Why().Rule != nil:
		return refuse(removal(v.Why().Rule), "%s; ask rules override allow rules", v.Reason())
	case c.Policy.ManagedOnly.On():
		return refuse("ask the administrator for the rule",
			"only rules of managed settings count (allowManagedPermissionRulesOnly, %s)", c.Policy.ManagedOnly.Pos)
	}
	return nil
}

// removal says how to remove a rule that takes precedence, where that is the user's to do.
func removal(r *rules.Rule) string {
	const first = "that rule would have to go first"
	editable := r.Scope == rules.Local || r.Scope == rules.Shared || r.Scope == rules.User
	if !editable || strings.HasSuffix(r.Pos.File, "/permgate.json") {
		return first
	}
	return fmt.Sprintf("%s: permgate rules remove %s %s --scope %s", first, r.List, grammar.Quote(r.Text), r.Scope)
}

// legible refuses a rule with a secret or invisible characters: a file should not hold it.
func legible(c *decide.Input, rule string, into Into) *Refusal {
	const instead = "keep it in a variable or file that the command reads"
	if _, secret := redact.Text(c.Call.Command); secret {
		return refuse(instead, "the call contains a secret, and the rule would put it into a settings file")
	}
	if _, secret := redact.Text(rule); secret {
		return refuse(instead, "the rule would contain a secret")
	}
	if hookio.Escape(rule) != rule {
		return refuse("", "%s contains a line break or an invisible character, and a rule should be readable", quote(rule))
	}
	if _, err := rules.ParseRule(rule, into.List, into.Scope, rules.Pos{}, into.Claude); err != nil {
		return refuse("", "no rule can express it: %v", err)
	}
	return nil
}

func quote(s string) string { return `"` + hookio.Escape(s) + `"` }

func trial(c *decide.Input, into Into, texts []string) decide.Verdict {
	var extra []rules.Rule
	for _, text := range texts {
		if r, err := rules.ParseRule(text, into.List, into.Scope, newRule, into.Claude); err == nil {
			extra = append(extra, r)
		}
	}
	with := c.Under(c.Policy)
	if into.Scope == rules.Session {
		with.Grants.Rules = slices.Concat(c.Grants.Rules, extra)
	} else {
		with = c.Under(c.Policy.With(extra...))
	}
	return decide.Decide(with)
}

var newRule = rules.Pos{File: "the new rule"}

// effect says why a deny or ask rule would not do what it is for.
func effect(c *decide.Input, into Into, rule string) *Refusal {
	want, step := hookio.Deny, "1"
	if into.List == rules.Ask {
		want, step = hookio.Ask, "5"
	}
	t := trial(c, into, []string{rule})
	for _, h := range t.Facts().Hits() {
		// step 2 may ask before the rule does, and step 8 make a deny of its ask
		if h.Sure && h.Rule.Pos == newRule && t.Decision() >= want && t.Origin() <= step {
			return nil
		}
	}
	return refuse("", "with %s in %s the decision is still different: %s", rule, into.List, t.Reason())
}

// hits names a rule of the list, or of a stricter one, that is certain to match; "" for none.
func hits(p *facts.Part, list rules.List) string {
	for _, h := range p.Hits {
		if h.Sure && h.Rule.List >= list {
			return fmt.Sprintf("%s %s (%s)", h.Rule.List, h.Rule.Text, h.Rule.Pos)
		}
	}
	return ""
}
