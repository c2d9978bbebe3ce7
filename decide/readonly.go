package decide

import (
	"net/netip"
	"slices"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/benign"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// Unproven says why a shell text is not proven to only read, "" when it is. The
// tables prove it of each command (bashsafety.Subcommand.Unproven); here is
// what depends on the place and the rules.
func (c *reading) Unproven() string {
	if c.Script != nil && c.Call.Escape != "" {
		return "it leaves the sandbox"
	}
	return c.unprovenText()
}

// unprovenText is Unproven wherever the text runs.
func (c *reading) unprovenText() string {
	c.settle()
	s := c.Script
	switch {
	case s == nil:
		return "it is not a shell command"
	case len(s.Doubts) > 0:
		return s.Doubts[0].Msg
	case len(s.Findings) > 0:
		return s.Findings[0].Check.Title
	}
	ran := s.Computes
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		why := sub.Unproven()
		if why == "" && (sub.Contained() || i+1 < len(s.Subcommands) && s.Subcommands[i+1].Contained()) {
			why = contained(sub)
		}
		if why == "" && sub.Code && (c.readRules() || c.namesSecret() != "") {
			why = "it reads files that are named in code permgate does not check"
		}
		for j := 0; why == "" && j < len(sub.Effects); j++ {
			why = c.more(sub, &sub.Effects[j])
		}
		if why != "" {
			return say.Quoted(Spell(sub.Argv)) + ": " + why
		}
		ran = ran || !sub.Structural
	}
	switch {
	case s.Lingers != "":
		return s.Lingers
	case !ran:
		return "it runs no command"
	}
	return ""
}

// more says how an effect of a command that only reads is more than what
// the Read tool does: a request that carries what the text says to a place the
// text names, a repository that is not proven to be inert, a file that a rule
// might hold back.
func (c *reading) more(sub *bashsafety.Subcommand, e *bashsafety.Effect) string {
	switch e.Kind {
	case bashsafety.Looks:
	case bashsafety.Read:
		switch {
		case c.guard.ReadsSecret(e):
			return "it reads a file that may contain keys or tokens"
		case e.Known || e.Glob:
		case !e.Silent && c.namesSecret() != "":
			return "it reads an unknown file, and the command names " + say.Quoted(c.namesSecret()) +
				", which may contain keys or tokens"
		case e.Redirect && benign.CouldConnect(e.Path):
			return "a redirect reads an unknown name, which may be a network connection"
		case c.readRules():
			return "it reads an unknown file, and there are rules about reading"
		}
	case bashsafety.GitRead:
		return c.gitRead(sub, e).why
	case bashsafety.Network:
		if c.fetches(sub, e) {
			return ""
		}
		return "it sends data from the command to " + shown(c.Policy, e)
	default:
		return "it does more than read " + shown(c.Policy, e)
	}
	return ""
}

// fetches reports whether a request only asks this machine: curl's, of one literal URL of a loopback
// address, which is not led elsewhere. Any other sends something, be it only its address.
func (c *scene) fetches(sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	if sub.Program != "curl" || !e.Known || !sub.Here() || benign.FollowsRedirects(sub) {
		return false
	}
	u, ok := reached(e)
	address, err := netip.ParseAddr(u.Host)
	return ok && !u.Open && (u.Host == "localhost" || err == nil && address.IsLoopback())
}

// readRules reports whether a rule holds back the reading of some file.
func (in *Input) readRules() bool {
	lists := [...][]rules.Rule{in.Policy.Deny, in.Policy.Ask, in.Policy.Posture.ContentExclusion, nil, nil}
	for i, a := range [...]*rules.AgentDef{in.Policy.Agent, in.Policy.Skill} {
		if a != nil {
			lists[3+i] = a.Deny
		}
	}
	for _, list := range lists {
		for i := range list {
			if list[i].Tool == "Read" {
				return true
			}
		}
	}
	return false
}

// readOnly allows a shell text that is proven to only read, where the posture
// counts such texts as safe. Where it is not proven the verdict has no opinion,
// and its reason says why.
func readOnly(c *Case) (a verdict.Allowed[verdict.Mode]) {
	set := &c.Policy.Posture.ReadOnlyCommands
	if !c.readsCount() {
		return a
	}
	if why := c.Unproven(); why != "" {
		return verdict.No[verdict.Mode]("; not proven read-only: " + why)
	}
	r := verdict.Reason{Text: "read-only: every command only reads"}
	if pos := set.Pos.String(); pos != "" {
		r.Text += ` ("readOnlyCommands" is "allow": ` + pos + ")"
	}
	return verdict.ByReadOnly(r)
}

// onlyReads reports whether a part is proven to read inside the workspace only,
// and its output stays there.
func (c *reading) onlyReads(u *unit) bool {
	if u.sub == nil || u.sub.Unproven() != "" {
		return false
	}
	switch by := u.sub.By; {
	case len(u.sub.Via) == 0:
	case by == 0, len(u.sub.Via) > 1: // what a substitution prints becomes words of another command
		return false
	case !benign.OutputStays(c.Script, &c.Script.Subcommands[by-1]):
		return false
	}
	for i := range u.sub.Effects {
		e := &u.sub.Effects[i]
		reads := e.Kind == bashsafety.Read || e.Kind == bashsafety.GitRead
		if c.more(u.sub, e) != "" || reads && !c.readsWithin(e) {
			return false
		}
	}
	return benign.OutputStays(c.Script, u.sub)
}

// readsWithin reports whether an effect surely reads in the workspace.
func (c *scene) readsWithin(e *bashsafety.Effect) bool {
	if !e.Known && !e.Glob {
		return c.belowInside(e)
	}
	if e.Glob { // what it finds may lead through a symlink
		if e.Expands == nil || e.Expands.Into != "" {
			return false
		}
		found, ok := c.World.Expand(e.Expands.Pattern)
		if !ok || slices.ContainsFunc(found, func(name string) bool { return !c.World.Inside(c.World.Path(name)) }) {
			return false
		}
	}
	return c.World.Inside(c.World.EffectPath(e))
}

// mixed reports whether a list of rules covers a shell text together with the
// proof that the rest only reads, where readOnlyCommands is "allow": steps 6 and 7
// mix. hit is the rule of the first part that one covers. What reads outside the
// workspace, or feeds a part that sends or executes, needs a rule of its own.
func (c *matcher) mixed(list []rules.Rule) (hit rules.Hit, ok bool) {
	if len(list) == 0 || !c.readsMayPass() {
		return hit, false
	}
	for u := range c.Units() {
		if !u.needsAllow {
			continue
		}
		switch h, covered := c.allows(list, u); {
		case covered && !ok:
			hit, ok = h, true
		case !covered && !c.onlyReads(u):
			return rules.Hit{}, false
		}
	}
	return hit, ok
}

// readsMayPass reports whether the posture allows commands that only read, and the
// text has neither doubts nor findings.
func (in *Input) readsMayPass() bool {
	return in.readsCount() && len(in.Script.Doubts)+len(in.Script.Findings) == 0
}

// readsCount reports whether the posture allows bash that only reads, and the call is about bash.
func (in *Input) readsCount() bool {
	s := in.Script
	return in.Policy.Posture.ReadOnlyCommands.Value == "allow" && s != nil && !s.IsPowerShell && !in.Call.Alias
}

// Mode auto's own proof that a shell text is benign. The tables prove how far each
// command goes (bashsafety.Subcommand.Bound); here is what depends on the place:
// effects stay in the workspace, reach nothing secret and nothing that is run later
// without a question, and nothing that was written just now is run.

// notBenign says in one clause why a shell text is not proven benign, "" when it is.
func (c *Case) notBenign(found *bashsafety.Finding) string {
	s := c.Script
	switch {
	case s == nil || s.HasPowerShell || c.Call.Grantee() != "Bash":
		return "it is not a POSIX shell command"
	case c.Call.Escape != "":
		return "it leaves the sandbox"
	case len(s.Doubts) > 0:
		return s.Doubts[0].Msg
	}
	if found != nil {
		return found.Check.Title
	}
	ran := false
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if why := c.beyond(i, sub); why != "" {
			return say.Quoted(Spell(sub.Argv)) + ": " + why
		}
		ran = ran || !sub.Structural
	}
	for u := range c.Units() {
		if u.write && u.effect != nil && u.sub != nil && u.sub.Script == nil {
			if why := c.writesMore(u); why != "" {
				return u.of() + why
			}
		}
	}
	switch {
	case s.Lingers != "":
		return s.Lingers
	case benign.FillsDisk(c.Script), benign.PrintsOn(c.Script):
		return "it writes from a source that does not end"
	case !ran:
		return "it runs no command"
	}
	return ""
}

// beyond says how a subcommand goes beyond what is benign; what it writes
// is looked at in writesMore. A script of the project is judged by what runs it.
func (c *reading) beyond(i int, sub *bashsafety.Subcommand) string {
	if sub.Script != nil || sub.Covered && c.innerOfProject(i) {
		return ""
	}
	bound, why := sub.Bound()
	if bound == bashsafety.NotBound && c.ownProgram(sub) {
		bound, why = bashsafety.RunsProject, "it runs code of the project"
	}
	switch {
	case bound == bashsafety.RunsProject && projectCode(c.Policy):
		if why = c.notProject(i, sub); why != "" {
			return why
		}
	case bound == bashsafety.RunsProject:
		return why + `, and "autoProjectCode" is not set`
	case bound == bashsafety.NotBound:
		return why
	}
	return c.effectsBeyond(i, sub, bound)
}

// effectsBeyond looks at what a subcommand touches but does not write.
func (c *reading) effectsBeyond(i int, sub *bashsafety.Subcommand, bound bashsafety.Bound) string {
	if sub.Code && (c.readRules() || c.namesSecret() != "") {
		return "it reads files that are named in code permgate does not check"
	}
	for j := range sub.Effects {
		if why := c.effectBeyond(i, sub, &sub.Effects[j], bound); why != "" {
			return why
		}
	}
	return ""
}

// effectBeyond looks at an effect that is no write.
func (c *reading) effectBeyond(i int, sub *bashsafety.Subcommand, e *bashsafety.Effect, bound bashsafety.Bound) string {
	switch e.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return ""
	case bashsafety.Read:
		if why := c.readBeyond(sub, e, bound); why != "" {
			return why
		}
	case bashsafety.GitChange:
		if bound == bashsafety.OnlyLocal {
			return c.gitBeyond(i, sub, e)
		}
	case bashsafety.Execute:
		if bound != bashsafety.RunsProject || !c.namedInside(e) {
			return "it runs " + shown(c.Policy, e) + ", which is not a file of the workspace"
		}
		return ""
	}
	return c.more(sub, e)
}

// readBeyond looks at what a command does with what it reads other than showing it.
func (c *scene) readBeyond(sub *bashsafety.Subcommand, e *bashsafety.Effect, bound bashsafety.Bound) string {
	switch {
	case e.Loads && !c.namedInside(e):
		return "it loads configuration, which can contain code, from outside the workspace"
	case sub.MakesSymlinks() && !c.namedInside(e):
		return "it links to " + shown(c.Policy, e) + ", outside the workspace"
	case (e.Recursive || e.Silent && bound == bashsafety.OnlyLocal) && guard.SecretPath(c.World.EffectPath(e).Given) != nil:
		return "it takes in a file that may contain keys or tokens"
	case e.Recursive && bound == bashsafety.OnlyLocal && !c.namedInside(e):
		return "it reads a whole folder outside the workspace, which may contain keys or tokens"
	}
	return ""
}

func (c *scene) namedInside(e *bashsafety.Effect) bool {
	return e.Known && c.World.Inside(c.World.EffectPath(e))
}

// writesMore says why a file that a shell text writes is not a benign one.
func (c *scene) writesMore(u *unit) string {
	e := u.effect
	here := u.hit.Given != "" && c.World.Inside(u.hit) || u.hit.Given == "" && c.below(u)
	if !here && c.writesTemp(u) {
		return ""
	}
	why := ""
	switch a := c.autorunOf(u); {
	case !here:
		why = ", outside the workspace"
	case c.guard.Sensitive(u.target()) != "":
		why = ": " + c.guard.Sensitive(u.target())
	case e.Patch != nil:
		why = ", as a patch names it"
	case c.guard.Planted(u.target()):
		why = ", and the same command may put a symlink there"
	case a != nil:
		why = a.Why()
	default:
		return c.treeMore(u)
	}
	return "writes " + shown(c.Policy, e) + why
}

// treeMore looks at a whole tree that is written: what ends up there is
// listed; a program that changes files of its own kind leaves the others alone.
func (c *scene) treeMore(u *unit) string {
	e := u.effect
	switch {
	case e.Kind == bashsafety.Delete && e.Recursive && c.guard.HoldsAutorun(u.hit):
		return "deletes " + shown(c.Policy, e) + ", which contains files that are run without asking"
	case e.Kind == bashsafety.Delete, e.Contents == nil && benign.StaysAsNamed(u.sub, u.effect):
		return ""
	}
	at, all := subIndex(c.Script, u.sub), []*bashsafety.Contents{e.Contents}
	if e.Contents == nil {
		all = benign.Carried(u.sub)
	}
	if at < 0 || e.Glob || u.hit.Given == "" {
		all = nil
	}
	if len(all) == 0 {
		return "writes below " + shown(c.Policy, e) + " what the command does not name"
	}
	for _, in := range all {
		if why := c.arrivesMore(at, u, in); why != "" {
			return why
		}
	}
	return ""
}

// arrivesMore looks at the names of what ends up in a folder, or becomes it.
func (c *scene) arrivesMore(at int, u *unit, in *bashsafety.Contents) string {
	l := c.guard.Contents(at, in)
	switch {
	case l.Why != "":
		return "puts files below " + shown(c.Policy, u.effect) + " whose names are unknown: " + l.Why
	case len(l.Links) > 0:
		return "puts symlinks below " + shown(c.Policy, u.effect)
	}
	for _, name := range l.Names {
		to := world.Landing(u.hit.Given, name, in)
		if a := guard.AutorunPath(to); a != nil {
			return "writes " + to + a.Why()
		}
	}
	return ""
}
