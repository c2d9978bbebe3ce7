package decide

import (
	"strings"

	"permgate/bashsafety"
	"permgate/rules"
)

// A ShadowKind says why a rule has no effect.
type ShadowKind uint8

const (
	ShadowSame   ShadowKind = iota // another rule of the list says the same
	ShadowWider                    // another rule of the list covers all of it
	ShadowDenied                   // whatever it matches is denied in step 1
	ShadowAsked                    // an allow rule, and whatever it matches is asked about before step 6
	ShadowBypass                   // an ask rule, and the mode in effect allows before step 5
)

// String returns the word of `permgate rules --json`.
func (k ShadowKind) String() string {
	return [...]string{"same", "wider", "denied", "asked", "bypass"}[k]
}

// A Shadow is a rule of a policy that has no effect. It points into the policy.
type Shadow struct {
	Rule, By *rules.Rule // By is nil for ShadowBypass
	Kind     ShadowKind
}

// How says it in words; the place of By is left to the caller.
func (s *Shadow) How() string {
	switch s.Kind {
	case ShadowSame:
		return "the same as " + s.By.Text
	case ShadowWider:
		return "covered by " + s.By.Text
	case ShadowDenied:
		return "denied first by " + s.By.Text
	case ShadowAsked:
		return "asked about first by " + s.By.Text
	}
	return "silenced by mode bypassPermissions; only managed ask rules override it"
}

// Shadows lists the rules of the deny, ask and allow lists that provably have
// no effect, in the order of the lists. Of two that say the same the first stays.
// That a rule is missing here proves nothing. Restrictions of managed settings
// are shadowed by those of managed settings only: in observe mode they alone hold.
func Shadows(p *rules.Policy) []Shadow {
	denies := [][]rules.Rule{p.Deny, p.Posture.ContentExclusion, p.Posture.URLs}
	var out []Shadow
	for i := range p.Deny {
		out = within(out, p, p.Deny, i)
	}
	for i := range p.Ask {
		r := &p.Ask[i]
		if by := coveredBy(p, r, denies...); by != nil {
			out = append(out, Shadow{r, by, ShadowDenied})
		} else if p.Mode.Value == "bypassPermissions" && r.Scope != rules.Managed {
			out = append(out, Shadow{r, nil, ShadowBypass})
		} else {
			out = within(out, p, p.Ask, i)
		}
	}
	for i := range p.Allow {
		r := &p.Allow[i]
		if by := coveredBy(p, r, denies...); by != nil {
			out = append(out, Shadow{r, by, ShadowDenied})
		} else if by := coveredBy(p, r, p.Ask); by != nil {
			out = append(out, Shadow{r, by, ShadowAsked})
		} else {
			out = within(out, p, p.Allow, i)
		}
	}
	return out
}

// coveredBy returns the first rule of stricter lists that leaves r nothing.
func coveredBy(p *rules.Policy, r *rules.Rule, lists ...[]rules.Rule) *rules.Rule {
	for _, list := range lists {
		for i := range list {
			if by := &list[i]; outranks(by, r) && p.Covers(by, r) {
				return by
			}
		}
	}
	return nil
}

// outranks reports whether a rule of a stricter list always answers before r: a
// managed one does; another neither before a restriction of managed settings, which
// alone holds in observe mode, nor as an ask before an allow that counts in step 3b.
func outranks(by, r *rules.Rule) bool {
	if by.Scope == rules.Managed {
		return true
	}
	managed := r.List != rules.Allow && r.Scope == rules.Managed
	return !managed && (by.List != rules.Ask || !liftsWorkspace(r))
}

// within adds rule i of a list when another of the list does all it does.
func within(out []Shadow, p *rules.Policy, list []rules.Rule, i int) []Shadow {
	r := &list[i]
	var wider *rules.Rule
	for j := range list {
		by := &list[j]
		if j == i || !Replaces(p, by, r) {
			continue
		}
		switch back := Replaces(p, r, by); {
		case back && j > i: // the first of them stays
		case p.Covers(r, by):
			return append(out, Shadow{r, by, ShadowSame})
		case wider == nil:
			wider = by
		}
	}
	if wider != nil {
		return append(out, Shadow{r, wider, ShadowWider})
	}
	return out
}

// Replaces reports whether r could go because by, of the same list, is there.
func Replaces(p *rules.Policy, by, r *rules.Rule) bool {
	switch {
	case r.List != rules.Allow:
		return (r.Scope != rules.Managed || by.Scope == rules.Managed) && p.Covers(by, r)
	case liftsWorkspace(r) && !liftsWorkspace(by):
		return false
	case !by.Bare && strings.Contains(by.Pattern, "://") && !strings.Contains(r.Pattern, "://"):
		return false // see oneURL
	}
	return p.Covers(by, r) || coversText(p, by, r)
}

// liftsWorkspace reports whether an allow rule also counts in step 3b.
func liftsWorkspace(r *rules.Rule) bool {
	return !r.Bare && (strings.HasPrefix(r.Pattern, "//") || strings.HasPrefix(r.Pattern, "~/"))
}

// coversText is Covers for an allow rule by that spells out one command: such a
// rule also covers options and launchers that patterns do not, so what the
// command is has to be known.
func coversText(p *rules.Policy, by, r *rules.Rule) bool {
	if !commandUnderPattern(by, r) {
		return false
	}
	as := *r
	wider := rules.Rule{Tool: by.Tool, Pattern: by.Pattern, List: rules.Ask, Claude: by.Claude}
	if as.List = rules.Ask; !p.Covers(&wider, &as) {
		return false // read more widely, it would cover no less
	}
	u, ok := oneCommand(p, r.Pattern)
	if !ok {
		return false
	}
	for _, a := range [...]*rules.Rule{by, r} {
		if len(p.Match([]rules.Rule{*a}, &u.subject)) == 0 || oneURL(a, &u) {
			return false
		}
	}
	return true
}

// commandUnderPattern reports whether r spells out a command and by has a pattern.
func commandUnderPattern(by, r *rules.Rule) bool {
	if r.Tool != "Bash" || by.Tool != "Bash" || r.Bare || by.Bare {
		return false
	}
	return !strings.ContainsAny(r.Pattern, "*?") && strings.Contains(by.Pattern, "*")
}

// oneCommand is the part of a text that is one command, and a plain one: no rule
// has to spell out any of it.
func oneCommand(p *rules.Policy, text string) (u unit, ok bool) {
	var sub *bashsafety.Subcommand
	script := bashsafety.Analyze(text, bashsafety.Env{Cwd: p.Cwd.Given, Home: p.Home.Given})
	for i := range script.Subcommands {
		switch s := &script.Subcommands[i]; {
		case s.Structural:
		case sub != nil:
			return u, false
		default:
			sub = s
		}
	}
	if sub == nil || len(script.Doubts) > 0 {
		return u, false
	}
	cmd := command(sub)
	u = unit{subject: rules.Subject{Tool: "Bash", Command: cmd}, sub: sub}
	return u, cmd.Narrow == "" && len(cmd.Exact) == 0
}
