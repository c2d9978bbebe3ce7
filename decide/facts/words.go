package facts

import (
	"cmp"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// Place names a path, with its target when a symlink leads elsewhere.
func (c *matcher) Place(u *Unit) string {
	given := Quoted(c.Policy(), u.hit.Given)
	if u.hit.Real != u.hit.Given {
		given += " (really " + Quoted(c.Policy(), u.hit.Real) + ")"
	}
	return given
}

// Cause is the part that keeps a list from allowing the call: one that a rule
// covers apart from what narrows it, else one that a rule would cover if it counted,
// else the first without a rule. Nil where the list covers all.
func (c *matcher) Cause(list []rules.Rule) *Unit {
	_, first := c.Covered(list)
	if first == nil {
		return nil
	}
	for u := range c.Units() {
		if u.needsAllow && !c.Allowed(list, u) {
			if r, _ := c.narrowed(list, u); r != nil {
				return u
			}
		}
	}
	for u := range c.Units() {
		if u.needsAllow && !c.Allowed(list, u) && c.Allowed(c.Policy().Untrusted, u) {
			return u
		}
	}
	return first
}

// Allowed reports whether a rule of a list covers a part.
func (c *matcher) Allowed(list []rules.Rule, u *Unit) bool {
	_, ok := c.Allows(list, u)
	return ok
}

// Uncovered says why an allow list does not cover a part.
func (c *matcher) Uncovered(list []rules.Rule, u *Unit) string {
	if u.text == "" {
		return "no command to match"
	}
	if r, why := c.narrowed(list, u); r != nil {
		return "your rule " + r.Text + " (" + r.Pos.String() + ") does not cover " + u.Named() + ": " + why
	}
	switch {
	case u.sub == nil:
		return "no rule allows " + u.Named()
	case u.effect != nil:
		return "no rule allows " + u.Named() + ", which a rule on the command does not cover"
	}
	return "no rule allows " + say.Quoted(c.written(u.sub))
}

// narrowed returns the rule that would cover a part if nothing narrowed it, and
// what does.
func (c *matcher) narrowed(list []rules.Rule, u *Unit) (*rules.Rule, string) {
	if u.subject.Command == nil || u.sub == nil {
		return nil, ""
	}
	if r, why := c.narrowedByWords(list, u); r != nil {
		return r, why
	}
	if r := firstSure(c.Matches(list, u)); r != nil {
		if why := c.leavesPlace(r, u); why != "" {
			return r, why
		}
	}
	return c.narrowedByGit(list, u)
}

// narrowedByWords is narrowed for the words of a command: its options, its URLs.
func (c *matcher) narrowedByWords(list []rules.Rule, u *Unit) (*rules.Rule, string) {
	why := u.subject.Command.Narrow
	if why == "" && len(u.sub.Alt) == 0 && !u.sub.Does(bashsafety.Network) {
		return nil, ""
	}
	wide := *u.subject.Command
	wide.Narrow = ""
	r := c.Sure(list, u, wide)
	if r == nil || why == "" && !oneURL(r, u) {
		return nil, ""
	}
	return r, cmp.Or(why, "a rule with a URL covers exactly one")
}

// narrowedByGit is narrowed for the global options of git.
func (c *matcher) narrowedByGit(list []rules.Rule, u *Unit) (*rules.Rule, string) {
	why := u.subject.Command.Narrow
	if len(u.sub.Alt) == 0 || why == "" && !c.ForeignRepo(u.sub) {
		return nil, ""
	}
	return c.Sure(list, u, WithoutGitOptions(u.sub)), cmp.Or(why, "the repository is outside the project")
}

// Sure returns the first rule that is certain to cover a part if its command
// were another one.
func (c *matcher) Sure(list []rules.Rule, u *Unit, command rules.Command) *rules.Rule {
	s := u.subject
	s.Command, s.Whole = &command, ""
	return firstSure(c.matchRules(list, &s))
}

// firstSure is the first rule that is certain to match.
func firstSure(hits []rules.Hit) *rules.Rule {
	for _, h := range hits {
		if h.Sure {
			return h.Rule
		}
	}
	return nil
}

// Part names the part of the call that keeps the allow rules from covering it.
func (c *matcher) Part() string {
	for _, list := range c.GrantLists() {
		if u := c.Cause(list); u != nil && u.text != "" {
			return u.text
		}
	}
	return c.Call().Tool
}

// Because says which part no rule allows, and what would be accepted.
func (c *matcher) Because() string {
	list := c.GrantLists()[0]
	if u := c.Cause(list); u != nil {
		return c.Uncovered(list, u) + c.Dropped(u) + c.modeNotes()
	}
	return "no rule of its own allows " + c.Call().Grantee() + c.modeNotes()
}

// Dropped names the first grant that would cover a part if it counted.
func (c *matcher) Dropped(u *Unit) string {
	for i := range c.Policy().Dropped {
		d := &c.Policy().Dropped[i]
		if a := c.Policy().Agent; c.Strict() && (a == nil || d.Pos.File != a.Pos.File) {
			continue // it would not count for this caller either way
		}
		if c.wouldCover(d, u) {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

// wouldCover reports whether a grant that was dropped, a mode or a rule, would
// cover a part.
func (c *matcher) wouldCover(d *rules.Dropped, u *Unit) bool {
	if d.Mode != "" {
		return rules.EditTool(c.Call().Tool) && c.Call().Mode == "" && !c.Call().Subagent()
	}
	r, err := rules.ParseRule(d.Text, rules.Allow, rules.ScopeNone, d.Pos, false)
	return err == nil && len(c.matchRules([]rules.Rule{r}, &u.subject)) > 0
}

func (c *scene) modeNotes() string {
	out := ""
	if c.Call().Alias && !c.Call().OfServer() {
		out = "; on this host permgate knows no tool " + c.Call().RawTool + ", so nothing granted to " + c.Call().Tool +
			" counts: register the hook with --host, or allow " + c.Call().RawTool + " by that name"
	}
	if c.unknownSkill() {
		out += "; the definition of skill " + c.Policy().Skill.Name + " is missing or cannot be used, so nothing is granted"
	} else if c.unread() {
		out += "; the definition of agent " + c.Policy().Agent.Name + " cannot be used (" +
			c.Policy().Agent.Pos.String() + "), so nothing is granted to it"
	}
	for _, n := range c.Policy().ModeNotes {
		out += "; " + n
	}
	return out
}

// ModeOrigin says in brackets where the mode comes from, "" where that is not known.
func (c *scene) ModeOrigin() string {
	if pos := c.Policy().Mode.Pos.String(); pos != "" {
		return " (" + pos + ")"
	}
	return ""
}

// Doer is who does what a sentence is about: a command, quoted as it is written, and the script that it is in; the
// call, or the tool of a server, where there is no command.
func (c *reading) Doer(sub *bashsafety.Subcommand) string {
	switch {
	case c.Call().Guessed != "" && (sub == nil || sub.Structural): // nothing like python3 was sent
		return say.Quoted(c.Call().Grantee())
	case sub != nil && len(sub.Argv) > 0:
	case c.Script() != nil:
		return "the command"
	case c.Call().OfServer():
		return say.Quoted(c.Call().OwnTool())
	default:
		return "the call"
	}
	if c.lastDoer.sub != sub { // a command may have thousands of parts
		c.lastDoer.sub, c.lastDoer.text = sub, say.Quoted(c.written(sub)+c.redirects(sub))+Origin(sub)
	}
	return c.lastDoer.text
}
