// Package proofs says why a call is not proven to be harmless: that it only reads, that its effects stay in the
// workspace, that the code it runs is the project's own. Each returns a reason, "" where it is proven; an unknown word,
// option or place is a reason.
package proofs

import (
	"net/netip"
	"slices"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/benign"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// Unproven says why a shell text is not proven to only read, "" when it is. The
// tables prove it of each command (bashsafety.Subcommand.Unproven); here is
// what depends on the place and the rules.
func Unproven(c facts.Facts) string {
	if c.Script() != nil && c.Call().Escape != "" {
		return "it leaves the sandbox"
	}
	return UnprovenText(c)
}

// UnprovenText is Unproven wherever the text runs.
func UnprovenText(c facts.Facts) string {
	s := c.Script()
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
			why = facts.Contained(sub)
		}
		if why == "" && sub.Code && (readRules(c) || c.NamesSecret() != "") {
			why = "it reads files that are named in code permgate does not check"
		}
		for j := 0; why == "" && j < len(sub.Effects); j++ {
			why = more(c, sub, &sub.Effects[j])
		}
		if why != "" {
			return say.Quoted(facts.Spell(sub.Argv)) + ": " + why
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
func more(c facts.Facts, sub *bashsafety.Subcommand, e *bashsafety.Effect) string {
	switch e.Kind {
	case bashsafety.Looks:
	case bashsafety.Read:
		switch {
		case c.Guard().ReadsSecret(e):
			return "it reads a file that may contain keys or tokens"
		case e.Known || e.Glob:
		case !e.Silent && c.NamesSecret() != "":
			return "it reads an unknown file, and the command names " + say.Quoted(c.NamesSecret()) +
				", which may contain keys or tokens"
		case e.Redirect && benign.CouldConnect(e.Path):
			return "a redirect reads an unknown name, which may be a network connection"
		case readRules(c):
			return "it reads an unknown file, and there are rules about reading"
		}
	case bashsafety.GitRead:
		return c.GitReadRisk(sub, e).Why
	case bashsafety.Network:
		if fetches(sub, e) {
			return ""
		}
		return "it sends data from the command to " + facts.Shown(c.Policy(), e)
	default:
		return "it does more than read " + facts.Shown(c.Policy(), e)
	}
	return ""
}

// fetches reports whether a request only asks this machine: curl's, of one literal URL of a loopback
// address, which is not led elsewhere. Any other sends something, be it only its address.
func fetches(sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	if sub.Program != "curl" || !e.Known || !sub.Plain() || benign.FollowsRedirects(sub) {
		return false
	}
	u, ok := facts.Reached(e)
	address, err := netip.ParseAddr(u.Host)
	return ok && !u.Open && (u.Host == "localhost" || err == nil && address.IsLoopback())
}

// readRules reports whether a rule holds back the reading of some file.
func readRules(c facts.Facts) bool {
	lists := [...][]rules.Rule{c.Policy().Deny, c.Policy().Ask, c.Policy().Posture.ContentExclusion, nil, nil}
	for i, a := range [...]*rules.AgentDef{c.Policy().Agent, c.Policy().Skill} {
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

// ReadOnly allows a shell text that is proven to only read, where the posture
// counts such texts as safe. Where it is not proven the verdict has no opinion,
// and its reason says why.
func ReadOnly(c facts.Facts) (a verdict.Allowed[verdict.Mode]) {
	set := &c.Policy().Posture.ReadOnlyCommands
	if !readsCount(c) {
		return a
	}
	if why := Unproven(c); why != "" {
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
func onlyReads(c facts.Facts, u *facts.Unit) bool {
	if u.Sub() == nil || u.Sub().Unproven() != "" {
		return false
	}
	switch by := u.Sub().By; {
	case len(u.Sub().Via) == 0:
	case by == 0, len(u.Sub().Via) > 1: // what a substitution prints becomes words of another command
		return false
	case !benign.OutputStays(c.Script(), &c.Script().Subcommands[by-1]):
		return false
	}
	for i := range u.Sub().Effects {
		e := &u.Sub().Effects[i]
		reads := e.Kind == bashsafety.Read || e.Kind == bashsafety.GitRead
		if more(c, u.Sub(), e) != "" || reads && !readsWithin(c, e) {
			return false
		}
	}
	return benign.OutputStays(c.Script(), u.Sub())
}

// readsWithin reports whether an effect surely reads in the workspace.
func readsWithin(c facts.Facts, e *bashsafety.Effect) bool {
	if !e.Known && !e.Glob {
		return c.BelowInside(e)
	}
	if e.Glob { // what it finds may lead through a symlink
		if e.Expands == nil || e.Expands.Into != "" {
			return false
		}
		found, ok := c.World().Expand(e.Expands.Pattern)
		outside := func(name string) bool { return !c.World().Inside(c.World().Path(name)) }
		if !ok || slices.ContainsFunc(found, outside) {
			return false
		}
	}
	return c.World().Inside(c.World().EffectPath(e))
}

// Mixed reports whether a list of rules covers a shell text together with the
// proof that the rest only reads, where readOnlyCommands is "allow": steps 6 and 7
// mix. hit is the rule of the first part that one covers. What reads outside the
// workspace, or feeds a part that sends or executes, needs a rule of its own.
func Mixed(c facts.Facts, list []rules.Rule) (hit rules.Hit, ok bool) {
	if len(list) == 0 || !readsMayPass(c) {
		return hit, false
	}
	for u := range c.Units() {
		if !u.NeedsAllow() {
			continue
		}
		switch h, covered := c.Allows(list, u); {
		case covered && !ok:
			hit, ok = h, true
		case !covered && !onlyReads(c, u):
			return rules.Hit{}, false
		}
	}
	return hit, ok
}

// readsMayPass reports whether the posture allows commands that only read, and the
// text has neither doubts nor findings.
func readsMayPass(c facts.Facts) bool {
	return readsCount(c) && len(c.Script().Doubts)+len(c.Script().Findings) == 0
}

// readsCount reports whether the posture allows bash that only reads, and the call is about bash.
func readsCount(c facts.Facts) bool {
	s := c.Script()
	return c.Policy().Posture.ReadOnlyCommands.Value == "allow" && s != nil && !s.IsPowerShell && !c.Call().Alias
}

// Mode auto's own proof that a shell text is benign. The tables prove how far each
// command goes (bashsafety.Subcommand.Bound); here is what depends on the place:
// effects stay in the workspace, reach nothing secret and nothing that is run later
// without a question, and nothing that was written just now is run.

// NotBenign says in one clause why a shell text is not proven benign, "" when it is.
func NotBenign(c facts.Facts, found *bashsafety.Finding) string {
	s := c.Script()
	switch {
	case s == nil || s.HasPowerShell || c.Call().Grantee() != "Bash":
		return "it is not a POSIX shell command"
	case c.Call().Escape != "":
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
		if why := beyond(c, i, sub); why != "" {
			return say.Quoted(facts.Spell(sub.Argv)) + ": " + why
		}
		ran = ran || !sub.Structural
	}
	for u := range c.Units() {
		if u.Write() && u.Effect() != nil && u.Sub() != nil && u.Sub().Script == nil {
			if why := writesMore(c, u); why != "" {
				return c.Doer(u.Sub()) + " " + why
			}
		}
	}
	switch {
	case s.Lingers != "":
		return s.Lingers
	case benign.FillsDisk(c.Script()), benign.PrintsOn(c.Script()):
		return "it writes from a source that does not end"
	case !ran:
		return "it runs no command"
	}
	return ""
}

// beyond says how a subcommand goes beyond what is benign; what it writes
// is looked at in writesMore. A script of the project is judged by what runs it.
func beyond(c facts.Facts, i int, sub *bashsafety.Subcommand) string {
	if sub.Script != nil || sub.Covered && innerOfProject(c, i) {
		return ""
	}
	bound, why := sub.Bound()
	if bound == bashsafety.NotBound && ownProgram(c, sub) {
		bound, why = bashsafety.RunsProject, "it runs code of the project"
	}
	switch {
	case bound == bashsafety.RunsProject && projectCode(c.Policy()):
		if why = notProject(c, i, sub); why != "" {
			return why
		}
	case bound == bashsafety.RunsProject:
		return why + `, and "autoProjectCode" is not set`
	case bound == bashsafety.NotBound:
		return why
	}
	return effectsBeyond(c, i, sub, bound)
}

// effectsBeyond looks at what a subcommand touches but does not write.
func effectsBeyond(c facts.Facts, i int, sub *bashsafety.Subcommand, bound bashsafety.Bound) string {
	if sub.Code && (readRules(c) || c.NamesSecret() != "") {
		return "it reads files that are named in code permgate does not check"
	}
	for j := range sub.Effects {
		if why := effectBeyond(c, i, sub, &sub.Effects[j], bound); why != "" {
			return why
		}
	}
	return ""
}

// effectBeyond looks at an effect that is no write.
func effectBeyond(c facts.Facts, i int, sub *bashsafety.Subcommand, e *bashsafety.Effect, bound bashsafety.Bound) string {
	switch e.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return ""
	case bashsafety.Read:
		if why := readBeyond(c, sub, e, bound); why != "" {
			return why
		}
	case bashsafety.GitChange:
		if bound == bashsafety.OnlyLocal {
			return gitBeyond(c, i, sub, e)
		}
	case bashsafety.Execute:
		if bound != bashsafety.RunsProject || !namedInside(c, e) {
			return "it runs " + facts.Shown(c.Policy(), e) + ", which is not a file of the workspace"
		}
		return ""
	}
	return more(c, sub, e)
}

// readBeyond looks at what a command does with what it reads other than showing it.
func readBeyond(c facts.Facts, sub *bashsafety.Subcommand, e *bashsafety.Effect, bound bashsafety.Bound) string {
	switch {
	case e.Loads && !namedInside(c, e):
		return "it loads configuration, which can contain code, from outside the workspace"
	case sub.MakesSymlinks() && !namedInside(c, e):
		return "it links to " + facts.Shown(c.Policy(), e) + ", outside the workspace"
	case (e.Recursive || e.Silent && bound == bashsafety.OnlyLocal) && guard.SecretPath(c.World().EffectPath(e).Given) != nil:
		return "it takes in a file that may contain keys or tokens"
	case e.Recursive && bound == bashsafety.OnlyLocal && !namedInside(c, e):
		return "it reads a whole folder outside the workspace, which may contain keys or tokens"
	}
	return ""
}

func namedInside(c facts.Facts, e *bashsafety.Effect) bool {
	return e.Known && c.World().Inside(c.World().EffectPath(e))
}

// writesMore says why a file that a shell text writes is not a benign one.
func writesMore(c facts.Facts, u *facts.Unit) string {
	e := u.Effect()
	here := u.Hit().Given != "" && c.World().Inside(u.Hit()) || u.Hit().Given == "" && c.Below(u)
	if !here && c.WritesTemp(u) {
		return ""
	}
	why := ""
	switch a := c.AutorunOf(u); {
	case !here:
		why = ", outside the workspace"
	case c.Guard().Sensitive(u.Target()) != "":
		why = ", which " + c.Guard().Sensitive(u.Target())
	case e.Patch != nil:
		why = ", as a patch names it"
	case c.Guard().Planted(u.Target()):
		why = ", and the same command may put a symlink there"
	case a != nil:
		why = ", " + a.Why()
	default:
		return treeMore(c, u)
	}
	return "writes " + facts.Shown(c.Policy(), e) + why
}

// treeMore looks at a whole tree that is written: what ends up there is
// listed; a program that changes files of its own kind leaves the others alone.
func treeMore(c facts.Facts, u *facts.Unit) string {
	e := u.Effect()
	switch {
	case e.Kind == bashsafety.Delete && e.Recursive && c.Guard().HoldsAutorun(u.Hit()):
		return "deletes " + facts.Shown(c.Policy(), e) + ", which contains files that are run without asking"
	case e.Kind == bashsafety.Delete, e.Contents == nil && benign.StaysAsNamed(u.Sub(), u.Effect()):
		return ""
	}
	at, all := facts.SubIndex(c.Script(), u.Sub()), []*bashsafety.Contents{e.Contents}
	if e.Contents == nil {
		all = benign.Carried(u.Sub())
	}
	if at < 0 || e.Glob || u.Hit().Given == "" {
		all = nil
	}
	if len(all) == 0 {
		return "writes below " + facts.Shown(c.Policy(), e) + " what the command does not name"
	}
	for _, in := range all {
		if why := arrivesMore(c, at, u, in); why != "" {
			return why
		}
	}
	return ""
}

// arrivesMore looks at the names of what ends up in a folder, or becomes it.
func arrivesMore(c facts.Facts, at int, u *facts.Unit, in *bashsafety.Contents) string {
	l := c.Guard().Contents(at, in)
	switch {
	case l.Why != "":
		return "puts files below " + facts.Shown(c.Policy(), u.Effect()) + " whose names are unknown: " + l.Why
	case len(l.Links) > 0:
		return "puts symlinks below " + facts.Shown(c.Policy(), u.Effect())
	}
	for _, name := range l.Names {
		to := world.Landing(u.Hit().Given, name, in)
		if a := guard.AutorunPath(to); a != nil {
			return "writes " + to + ", " + a.Why()
		}
	}
	return ""
}
