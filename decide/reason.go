package decide

import (
	"cmp"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/loss"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// byRule is what a rule says: its words, its place, the part it met.
func byRule(what string, rule *rules.Rule, u *unit) verdict.Reason {
	r := verdict.Reason{Rule: rule, Text: what}
	if pos := rule.Pos.String(); pos != "" {
		r.Text += " (" + pos + ")"
	}
	if u != nil {
		r.Part = u.text
		r.Text += " matches " + u.named() + origin(u.sub)
	}
	if rule.Note != "" {
		r.Text += "; the rule is malformed and " + rule.Note
	}
	return r
}

// deniedByRule is the denial of a rule.
func deniedByRule(what string, rule *rules.Rule, u *unit) verdict.Denial {
	r := byRule(what, rule, u)
	r.Managed = rule.Scope == rules.Managed
	return verdict.Deny(r)
}

// label names a unit in a reason: file operands with what is done to them.
func (u *unit) label() string {
	if u.effect == nil {
		return u.text
	}
	switch u.effect.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return "write " + u.text
	case bashsafety.Network:
		return "fetch " + u.text
	}
	return "read " + u.text
}

// of names the subcommand a path belongs to, followed by a blank; "" for tools.
func (u *unit) of() string {
	if u.sub == nil || len(u.sub.Argv) == 0 {
		return ""
	}
	return say.Quoted(Spell(u.sub.Argv)) + origin(u.sub) + " "
}

// origin says which script of the project holds a subcommand, "" when it is
// in the text of the call.
func origin(sub *bashsafety.Subcommand) string {
	if sub == nil || sub.Script == nil {
		return ""
	}
	return " in " + hookio.Escape(sub.Script.String())
}

// place names a path, with its target when a symlink leads elsewhere.
func (c *Case) place(u *unit) string {
	given, real := c.Policy.OS.Native(u.hit.Given), c.Policy.OS.Native(u.hit.Real)
	if real != given {
		return given + " (really " + real + ")"
	}
	return given
}

// cause is the part that keeps a list from allowing the call: one that a rule
// covers apart from what narrows it, else one that a rule would cover if it counted,
// else the first without a rule. Nil where the list covers all.
func (c *matcher) cause(list []rules.Rule) *unit {
	_, first := c.covered(list)
	if first == nil {
		return nil
	}
	for u := range c.Units() {
		if u.needsAllow && !c.allowed(list, u) {
			if r, _ := c.narrowed(list, u); r != nil {
				return u
			}
		}
	}
	for u := range c.Units() {
		if u.needsAllow && !c.allowed(list, u) && c.allowed(c.Policy.Untrusted, u) {
			return u
		}
	}
	return first
}

func (c *matcher) allowed(list []rules.Rule, u *unit) bool {
	_, ok := c.allows(list, u)
	return ok
}

// uncovered says why an allow list does not cover a part.
func (c *matcher) uncovered(list []rules.Rule, u *unit) string {
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
func (c *matcher) narrowed(list []rules.Rule, u *unit) (*rules.Rule, string) {
	if u.subject.Command == nil || u.sub == nil {
		return nil, ""
	}
	if r, why := c.narrowedByWords(list, u); r != nil {
		return r, why
	}
	if r := firstSure(c.matches(list, u)); r != nil {
		if why := c.leavesPlace(r, u); why != "" {
			return r, why
		}
	}
	return c.narrowedByGit(list, u)
}

// narrowedByWords is narrowed for the words of a command: its options, its URLs.
func (c *matcher) narrowedByWords(list []rules.Rule, u *unit) (*rules.Rule, string) {
	why := u.subject.Command.Narrow
	if why == "" && len(u.sub.Alt) == 0 && !u.sub.Does(bashsafety.Network) {
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
func (c *matcher) narrowedByGit(list []rules.Rule, u *unit) (*rules.Rule, string) {
	why := u.subject.Command.Narrow
	if len(u.sub.Alt) == 0 || why == "" && !c.foreignRepo(u.sub) {
		return nil, ""
	}
	return c.sure(list, u, withoutGitOptions(u.sub)), cmp.Or(why, "the repository is outside the project")
}

// sure returns the first rule that is certain to cover a part if its command
// were another one.
func (c *matcher) sure(list []rules.Rule, u *unit, command rules.Command) *rules.Rule {
	s := u.subject
	s.Command = &command
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

// part names the part of the call that keeps the allow rules from covering it.
func (c *matcher) part() string {
	for _, list := range c.GrantLists() {
		if u := c.cause(list); u != nil && u.text != "" {
			return u.text
		}
	}
	return c.Call.Tool
}

// because says which part no rule allows, and what would be accepted.
func (c *matcher) because() string {
	list := c.GrantLists()[0]
	if u := c.cause(list); u != nil {
		return c.uncovered(list, u) + c.dropped(u) + c.modeNotes()
	}
	return "no rule of its own allows " + c.Call.Grantee() + c.modeNotes()
}

// dropped names the first grant that would cover a part if it counted.
func (c *matcher) dropped(u *unit) string {
	for i := range c.Policy.Dropped {
		d := &c.Policy.Dropped[i]
		if a := c.Policy.Agent; c.strict() && (a == nil || d.Pos.File != a.Pos.File) {
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
func (c *matcher) wouldCover(d *rules.Dropped, u *unit) bool {
	if d.Mode != "" {
		return rules.EditTool(c.Call.Tool) && c.Call.Mode == "" && !c.Call.Subagent()
	}
	r, err := rules.ParseRule(d.Text, rules.Allow, rules.ScopeNone, d.Pos, false)
	return err == nil && len(c.matchRules([]rules.Rule{r}, &u.subject)) > 0
}

func (in *Input) modeNotes() string {
	out := ""
	if in.Call.Alias && !in.Call.OfServer() {
		out = "; on this host permgate knows no tool " + in.Call.RawTool + ", so nothing granted to " + in.Call.Tool +
			" counts: register the hook with --host, or allow " + in.Call.RawTool + " by that name"
	}
	if in.unknownSkill() {
		out += "; the definition of skill " + in.Policy.Skill.Name + " is missing or cannot be used, so nothing is granted"
	} else if in.unread() {
		out += "; the definition of agent " + in.Policy.Agent.Name + " cannot be used (" +
			in.Policy.Agent.Pos.String() + "), so nothing is granted to it"
	}
	for _, n := range in.Policy.ModeNotes {
		out += "; " + n
	}
	return out
}

func (in *Input) modeOrigin() string {
	if pos := in.Policy.Mode.Pos.String(); pos != "" {
		return " (" + pos + ")"
	}
	return ""
}

// A hint is what a check offers instead of what it found. It is about the call at hand, its names come
// from there, and the commands in it are put to steps 1 to 3b and 5 as if they were the call: one that would be
// stopped is not offered.

// hint returns the first hint of a check that is about a subcommand and accepted, "" for none.
func (c *Case) hint(f *bashsafety.Finding, l *loss.Loss) string {
	if c.Tried() {
		return "" // what is tried out is told to no one
	}
	var sub *bashsafety.Subcommand
	if f.Sub >= 0 {
		sub = &c.Script.Subcommands[f.Sub]
	}
	for i := range f.Check.Instead {
		h := &f.Check.Instead[i]
		if h.For != "" && (sub == nil || !isAbout(h, sub)) || !l.Is(h.When, c.World) {
			continue
		}
		if text, ok := c.filled(h, sub, l); ok && c.acceptable(text) {
			return text
		}
	}
	return ""
}

// isAbout reports whether a subcommand begins with the words that a hint is for.
func isAbout(h *bashsafety.Hint, sub *bashsafety.Subcommand) bool {
	words := strings.Fields(h.For)
	if len(sub.Argv) < len(words) || sub.Program != words[0] && sub.As != words[0] {
		return false
	}
	for i, word := range words[1:] {
		if w := &sub.Argv[i+1]; !w.Known || w.Text != word {
			return false
		}
	}
	return true
}

// filled puts the words of the call into a hint; ok is false where they are not plain.
func (c *Case) filled(h *bashsafety.Hint, sub *bashsafety.Subcommand, l *loss.Loss) (text string, ok bool) {
	text = h.Text
	if before, after, free := strings.Cut(text, "FREE"); free {
		text = before + l.Free(c.World) + after
	}
	if strings.Contains(text, "NAME") {
		names := c.targets(sub)
		if names == "" {
			return "", false
		}
		text = strings.ReplaceAll(text, "NAME", names)
	}
	if strings.Contains(text, "CALL") {
		call := swapped(h, sub)
		if call == "" {
			return "", false
		}
		text = strings.Replace(text, "CALL", call, 1)
	}
	return text, true
}

// swapped is the command with the words of a hint in place of others, "" where it has none of them or is
// not plain.
func swapped(h *bashsafety.Hint, sub *bashsafety.Subcommand) string {
	const longest = 120
	var words []string
	found := h.Swap == ""
	for i := range sub.Argv {
		w := sub.Argv[i].Text
		if !sub.Argv[i].Known {
			return ""
		}
		for pair := range strings.FieldsSeq(h.Swap) {
			if old, becomes := cutLast(pair); old == w {
				w, found = becomes, found || becomes != "" || strings.HasSuffix(pair, "=")
				break
			}
		}
		if w != "" {
			words = append(words, grammar.Quote(w))
		}
	}
	if h.Add != "" {
		words = append(words, h.Add)
	}
	call := strings.Join(words, " ")
	shown, _ := redact.Text(call)
	plain := shown == call && hookio.Escape(call) == call && !strings.Contains(call, "`")
	if !found || !plain || len(call) > longest {
		return ""
	}
	return call
}

// cutLast splits a pair of Swap: the old word may hold a = itself.
func cutLast(pair string) (old, becomes string) {
	i := strings.LastIndexByte(pair, '=')
	if i < 0 {
		return pair, ""
	}
	return pair[:i], pair[i+1:]
}

// acceptable reports whether no command that a hint names in backquotes would be denied or asked about
// by a rule, a check or its place.
func (c *Case) acceptable(hint string) bool {
	quotes := strings.Split(hint, "`")
	for i := 1; i < len(quotes); i += 2 {
		if !c.passes(quotes[i]) {
			return false
		}
	}
	return true
}

// passes reports whether steps 1, 2, 3b and 5 have nothing to say to a command in place of the call's.
func (c *Case) passes(command string) bool {
	call, in := *c.Call, c.Input
	call.Command, in.Call = command, &call
	if call.Tool == "PowerShell" {
		in.Script = bashsafety.AnalyzePowerShell(command, c.Script.Env)
	} else {
		in.Script = bashsafety.Analyze(command, c.Script.Env)
	}
	tried := New(in, world.New(c.World.Facts, c.Policy, c.World.Dir))
	tried.tried = true
	tried.prepare()
	return !stepDeny(tried).Holds() && !tried.asksIn("2") && !tried.asksIn("3b") && !tried.asksIn("5")
}

// maxTold bounds how many names a hint has.
const maxTold = 4

// targets names all that a command deletes, "" where that is too much or not plain.
func (in *Input) targets(sub *bashsafety.Subcommand) string {
	var names []string
	for i := range sub.Effects {
		e := &sub.Effects[i]
		if e.Kind != bashsafety.Delete {
			continue
		}
		name := strings.TrimPrefix(e.Path, in.Policy.Cwd.Given+"/")
		if !e.Known || e.Glob || !plainName(name) || len(names) == maxTold {
			return ""
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// target names what a command deletes, as the user would: the one path it is
// given, if that is plain enough to be part of a sentence and of a command.
func (in *Input) target(sub *bashsafety.Subcommand) string {
	name := in.targets(sub)
	if strings.Contains(name, " ") {
		return ""
	}
	return name
}

// plainName reports whether a path reads the same in a sentence, in a command and
// on a terminal, and holds no secret.
func plainName(name string) bool {
	const longest = 60
	if len(name) > longest || strings.HasPrefix(name, "-") || strings.ContainsAny(name, "`~*?[{") {
		return false
	}
	shown, _ := redact.Text(name)
	return shown == name && hookio.Escape(name) == name && grammar.Quote(name) == name && path.Clean(name) == name
}
