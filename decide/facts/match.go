package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/rules"
)

// A matched is what one list says about the units. Several steps ask the same
// question; the answer is worked out once.
type matched struct {
	list *rules.Rule // first rule of the list: its identity
	n    int
	hits [][]rules.Hit // by unit, nil where it was not asked
}

// spares are the rules that do not speak of a part although they match it.
var spares = [...]struct {
	why   string
	holds func(*Unit, *rules.Rule) bool
}{
	{"what may be a path is no reason to bind it by a rule about every call of a tool",
		func(u *Unit, r *rules.Rule) bool { return (u.access || u.word) && r.Bare }},
	{"a word that may be a file is not bound by a rule about all files below a folder",
		func(u *Unit, r *rules.Rule) bool { return u.word && namesTree(r, u) }},
	{"a key that a program uses itself (ssh -i) is bound by a rule that names the very file, not by a pattern",
		func(u *Unit, r *rules.Rule) bool {
			return u.effect != nil && u.effect.Key && strings.ContainsAny(path.Base(r.Pattern), "*?")
		}},
}

// spared reports whether a rule that matches a part does not speak of it.
func (u *Unit) spared(r *rules.Rule) bool {
	for i := range spares {
		if spares[i].holds(u, r) {
			return true
		}
	}
	return false
}

// Matches returns the rules of a list that match a unit.
func (c *matcher) Matches(list []rules.Rule, u *Unit) []rules.Hit {
	if len(list) == 0 || u.number < 0 { // a part of nothing
		return nil
	}
	i := slices.IndexFunc(c.memo, func(m matched) bool { return m.list == &list[0] && m.n == len(list) })
	if i < 0 {
		i = len(c.memo)
		c.memo = append(c.memo, matched{&list[0], len(list), make([][]rules.Hit, len(c.units))})
	}
	if hits := c.memo[i].hits[u.number]; hits != nil {
		return hits
	}
	hits := slices.DeleteFunc(c.matchRules(list, &u.subject), func(h rules.Hit) bool {
		return u.spared(h.Rule) || c.Call().Guessed != "" && h.Rule.Bare && h.Rule.Strict()
	})
	if hits == nil {
		hits = []rules.Hit{}
	}
	c.memo[i].hits[u.number] = hits
	return hits
}

// Match returns the first part of the call that a rule of the list matches,
// for certain (sure) or only for some value of an unknown word. One part is
// enough: this is the deny and ask side.
func (c *matcher) Match(list []rules.Rule, sure bool) (*Unit, rules.Hit) {
	for u := range c.Units() {
		for _, hit := range c.Matches(list, u) {
			if hit.Sure == sure {
				return u, hit
			}
		}
	}
	return nil, rules.Hit{}
}

// Covered reports whether every part of the call that needs an allow has a
// rule in the list: then missing is nil and hit is the rule of the first part.
// Otherwise missing is the first part without one.
func (c *matcher) Covered(list []rules.Rule) (hit rules.Hit, missing *Unit) {
	if len(list) == 0 {
		return hit, c.needy()
	}
	n := 0
	for u := range c.Units() {
		if !u.needsAllow {
			continue
		}
		h, ok := c.Allows(list, u)
		if !ok {
			return rules.Hit{}, u
		}
		if n == 0 {
			hit = h
		}
		n++
	}
	if n == 0 {
		return rules.Hit{}, &Unit{number: -1}
	}
	return hit, nil
}

// needy returns the first part that needs an allow.
func (c *reading) needy() *Unit {
	for u := range c.Units() {
		if u.needsAllow {
			return u
		}
	}
	return &Unit{text: c.Call().Tool, number: -1}
}

// Allows returns the first rule that covers one part.
func (c *matcher) Allows(list []rules.Rule, u *Unit) (rules.Hit, bool) {
	for _, h := range c.Matches(list, u) {
		if h.Sure && c.covers(h, u) {
			return h, true
		}
	}
	if u.effect != nil {
		return c.coversWrite(list, u)
	}
	return c.coversLauncher(list, u)
}

// coversLauncher returns a rule about a launcher that covers the command it runs as well: one that spells out both, in
// words without a wildcard, as Bash(uv run pytest:*) does, and any where the command runs in the project's environment.
func (c *matcher) coversLauncher(list []rules.Rule, u *Unit) (rules.Hit, bool) {
	if u.sub == nil || u.sub.By == 0 || u.subject.Command == nil {
		return rules.Hit{}, false
	}
	by := &c.Script().Subcommands[u.sub.By-1]
	var launcher *Unit
	for o := range c.Units() {
		if o.sub == by && o.subject.Command != nil {
			launcher = o
			break
		}
	}
	if launcher == nil || u.sub.At >= len(by.Argv) || !allKnownWords(by.Argv[:u.sub.At+1]) {
		return rules.Hit{}, false
	}
	cmd, words, alike := u.subject.Command, Spell(by.Argv[:u.sub.At+1]), u.sub.Alike && !u.sub.RunsWords()
	for _, h := range c.Matches(list, launcher) {
		holds := cmd.Narrow == "" || cmd.Spelled && !strings.ContainsAny(h.Rule.Pattern, "*?")
		both := holds && c.covers(h, u) && c.covers(h, launcher)
		if both && h.Sure && (alike || beginsWith(h.Rule, words)) {
			return h, true
		}
	}
	return rules.Hit{}, false
}

// covers reports whether nothing but its narrowing speaks against a rule that matches.
func (c *matcher) covers(h rules.Hit, u *Unit) bool {
	if u.effect != nil { // Edit alone names no file that a command may write
		return h.Whole || !h.Rule.Bare
	}
	return h.Whole || !oneURL(h.Rule, u) && c.leavesPlace(h.Rule, u) == ""
}

// beginsWith reports whether a rule begins with words, before any wildcard.
func beginsWith(r *rules.Rule, words string) bool {
	text := strings.TrimSuffix(strings.TrimSpace(r.Pattern), ":*")
	if i := strings.IndexAny(text, "*?"); i >= 0 {
		text = text[:i]
	}
	return text == words || strings.HasPrefix(text, words+" ")
}

func allKnownWords(words []bashsafety.Word) bool {
	return !slices.ContainsFunc(words, func(w bashsafety.Word) bool { return !w.Known })
}

// oneURL reports whether a rule that names a URL meets a command with more, or
// fewer, than one: such a rule covers exactly one URL (decisions 4).
func oneURL(r *rules.Rule, u *Unit) bool {
	if u.sub == nil || r.Bare || !strings.Contains(r.Pattern, "://") {
		return false
	}
	n := 0
	for i := range u.sub.Effects {
		if u.sub.Effects[i].Kind == bashsafety.Network {
			n++
		}
	}
	switch u.sub.Program {
	case "curl", "wget":
		return n != 1
	}
	return n > 1
}

// A PlainCommand is one command, and a plain one: no rule has to spell out any of it.
type PlainCommand struct {
	policy *rules.Policy
	unit   Unit
}

// CoveredBy reports whether an allow rule covers the command by itself.
func (c *PlainCommand) CoveredBy(r *rules.Rule) bool {
	return len(c.policy.Match([]rules.Rule{*r}, &c.unit.subject)) > 0 && !oneURL(r, &c.unit)
}

// OnePlainCommand reads a text that is one plain command.
func OnePlainCommand(p *rules.Policy, text string) (c PlainCommand, ok bool) {
	var sub *bashsafety.Subcommand
	script := bashsafety.Analyze(text, bashsafety.Env{Cwd: p.Cwd.Given, Home: p.Home.Given})
	for i := range script.Subcommands {
		switch s := &script.Subcommands[i]; {
		case s.Structural:
		case sub != nil:
			return c, false
		default:
			sub = s
		}
	}
	if sub == nil || len(script.Doubts) > 0 {
		return c, false
	}
	cmd := command(sub)
	c = PlainCommand{p, Unit{subject: rules.Subject{Tool: "Bash", Command: cmd}, sub: sub}}
	return c, cmd.Narrow == "" && len(cmd.Exact) == 0
}

// Hits lists every rule that matches some part of the call, strictest list
// first; Sure where it matches one for certain.
func (c *matcher) Hits() []rules.Hit {
	p := c.Policy()
	var out []rules.Hit
	for list := range c.DenyLists() {
		out = c.addHits(out, list.Rules)
	}
	for _, a := range [...]*rules.AgentDef{p.Agent, p.Skill} {
		if a != nil {
			out = c.addHits(out, a.Deny)
		}
	}
	out = c.addHits(c.addHits(out, p.Ask), c.Grants().Rules)
	out = c.addHits(out, p.Allow)
	if p.Agent != nil {
		out = c.addHits(out, p.Agent.Allow)
	}
	return out
}

// Meets reports what one rule by itself makes of the call: an allow whether it
// covers every part of it, a deny or ask whether it matches one, for certain
// (sure) or only for some value of an unknown word. why says which part an allow
// does not cover.
func (c *matcher) Meets(r rules.Rule) (meets, sure bool, why string) {
	list := []rules.Rule{r}
	if r.List == rules.Allow {
		if _, missing := c.Covered(list); missing != nil {
			return false, false, c.Uncovered(list, missing)
		}
		return true, true, ""
	}
	if u, _ := c.Match(list, true); u != nil {
		return true, true, ""
	}
	u, _ := c.Match(list, false)
	return u != nil, false, ""
}

func (c *matcher) addHits(out []rules.Hit, list []rules.Rule) []rules.Hit {
	start := len(out)
	for u := range c.Units() {
		for _, h := range c.Matches(list, u) {
			out = addHit(out, start, h)
		}
	}
	return out
}

// addHit adds a hit unless its rule is there already, from index start on.
func addHit(out []rules.Hit, start int, h rules.Hit) []rules.Hit {
	for i := start; i < len(out); i++ {
		if out[i].Rule == h.Rule {
			out[i].Sure = out[i].Sure || h.Sure
			return out
		}
	}
	return append(out, h)
}

// leavesPlace says how a command goes beyond a path that an allow rule begins and
// a wildcard ends; "" when it stays below it, or there is no such path.
func (c *scene) leavesPlace(r *rules.Rule, u *Unit) string {
	if u.sub == nil || r.Bare {
		return ""
	}
	for _, place := range c.Policy().Boundaries(r) {
		for i := range u.sub.Argv {
			if w := &u.sub.Argv[i]; strings.HasPrefix(c.Policy().OS.Slashes(w.Text), place) {
				if why := c.leaves(place, w, u.sub); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// leaves is leavesPlace for one word.
func (c *scene) leaves(place string, w *bashsafety.Word, sub *bashsafety.Subcommand) string {
	text, dir := c.Policy().OS.Slashes(w.Text), place[:strings.LastIndexByte(place, '/')+1]
	rest := strings.NewReplacer("%2e", ".", "%2E", ".").Replace(text[len(dir):]) // as curl reads a URL
	switch {
	case strings.Contains("/"+rest+"/", "/../"):
		return "a path goes up from " + dir
	case strings.Contains(rest, bashsafety.HoleMark) && !(w.Down && w.Single):
		return "what follows " + dir + " is only known at run time"
	case strings.Contains(place, "://"):
		return ""
	}
	if option := strings.IndexByte(dir, '='); option >= 0 && dir[0] == '-' {
		text, dir = text[option+1:], dir[option+1:]
	}
	if len(sub.Dirs) == 0 && !strings.HasPrefix(text, "/") {
		return "the folder of " + dir + " is only known at run time"
	}
	base := append(slices.Clip(sub.Dirs), "/")
	for _, at := range base[:max(1, len(base)-1)] {
		if !c.staysBelow(c.World().PathIn(dir, at), text, at, w, sub) {
			return "a link below " + dir + " leads elsewhere"
		}
	}
	return ""
}

// staysBelow reports whether what a word names is where it seems to be: in the project,
// or below a place outside of it. The programs of packages are links elsewhere.
func (c *scene) staysBelow(place rules.Path, text, at string, w *bashsafety.Word, sub *bashsafety.Subcommand) bool {
	found := []string{text}
	if !w.Known && !c.World().Blind() {
		ok := false
		pattern := strings.ReplaceAll(text, bashsafety.HoleMark, "*")
		if found, ok = c.World().Expand(c.World().PathIn(pattern, at).Given); !ok {
			return false
		}
	}
	for _, name := range found {
		p := c.World().PathIn(name, at)
		switch {
		case !rules.Within(p.Given, place.Given):
			return false
		case packageProgram(p.Given):
		case c.Guard().Planted(&guard.Target{Sub: sub, Hit: p}):
			return false
		case c.World().Under(p.Given):
			if !c.World().Under(p.Real) {
				return false
			}
		case !rules.Within(p.Real, place.Real):
			return false
		}
	}
	return true
}

// packageProgram reports whether a file is in a folder where package managers link programs.
func packageProgram(name string) bool {
	dir := name[:strings.LastIndexByte(name, '/')+1]
	bins := []string{"/node_modules/.bin/", "/vendor/bin/", "/venv/bin/", "/.venv/bin/"}
	return slices.ContainsFunc(bins, func(bin string) bool { return strings.HasSuffix(dir, bin) })
}

// matchBudget bounds the work of comparing rules with the parts of one call, in units
// of rules.Cost. What a deny rule of the user or the administrator says is always asked.
const matchBudget = 2_000_000

// fewParts is how many parts a call has at most whose rules are not worth an index.
const fewParts = 8

// matchRules is Policy.Match. Rules of a project that are very many, and those for a call
// of many parts, are compared as far as the budget goes; then the call is asked about.
func (c *matcher) matchRules(list []rules.Rule, s *rules.Subject) []rules.Hit {
	if len(c.units) <= fewParts && !c.Policy().Many {
		return c.Policy().Match(list, s)
	}
	return c.Policy().MatchWhere(list, s, func(r *rules.Rule) bool { return c.affords(r, s) })
}

// affords reports whether the budget still has room for a rule.
func (c *matcher) affords(r *rules.Rule, s *rules.Subject) bool {
	if r.List == rules.Deny && !r.Counted() {
		return true
	}
	if c.overrun == nil {
		if c.spent += r.Cost(s); c.spent > matchBudget {
			c.overrun = r
		}
	}
	return c.overrun == nil
}
