package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// denyTools is the flag --tools: what its list does not name is denied in every mode, safe
// tools too, and of what it names with patterns all that none of them covers.
func denyTools(c *Case) (d verdict.Denial) {
	if !c.Policy.HasTools {
		return d
	}
	v := verdict.Reason{Code: say.CodeNotInAllowlist, Text: "tool " + c.Call.Grantee() + " is not in --tools"}
	var list []rules.Rule
	for i := range c.Policy.Tools {
		r := &c.Policy.Tools[i]
		switch {
		case !c.inTools(r):
		case r.Bare && len(c.Call.AlsoTool) == 0:
			return d
		default:
			list = append(list, *r)
		}
	}
	if len(list) == 0 {
		return verdict.Deny(v)
	}
	_, missing := c.covered(list)
	if missing == nil {
		return d
	}
	v.Part, v.Text = missing.text, "tool "+c.Call.Grantee()+" call is outside --tools: "+c.uncovered(list, missing)
	return verdict.Deny(v)
}

// inTools reports whether a rule names the tool, by one of the names it may have.
func (in *Input) inTools(r *rules.Rule) bool {
	one := []rules.Rule{*r}
	return namesTool(one, in.Call.Grantee()) ||
		slices.ContainsFunc(in.Call.AlsoTool, func(name string) bool { return namesTool(one, name) })
}

// denyAgent is what an agent definition or a skill takes away.
func denyAgent(c *Case) (d verdict.Denial) {
	tool := c.Call.Grantee()
	outside := func(part, why string) verdict.Denial {
		return verdict.Deny(verdict.Reason{Code: say.CodeOutsideAllowTools, Part: part, Text: "tool " + tool + why})
	}
	if a := c.Policy.Agent; a != nil {
		if u, hit := c.match(a.Deny, true); u != nil {
			return deniedByRule("tool "+tool+" is blocked by deny_tools: "+hit.Rule.Text, hit.Rule, u)
		}
		if a.HasTools && !named(a.Tools, tool) {
			return outside("", " is not among the tools of agent "+a.Name+" ("+a.Pos.String()+")")
		}
		if a.HasTools {
			if _, missing := c.covered(a.Tools); missing != nil {
				return outside(missing.text,
					" call is outside the tools of agent "+a.Name+": no pattern covers "+say.Quoted(missing.text))
			}
		}
		if d = c.constraint(a, "allow_tools"); d.Holds() {
			return d
		}
	}
	if s := c.Policy.Skill; s != nil {
		if u, hit := c.match(s.Deny, true); u != nil {
			return deniedByRule("tool "+tool+" is blocked by the skill's disallowed-tools: "+hit.Rule.Text, hit.Rule, u)
		}
		return c.constraint(s, "allowed-tools")
	}
	return d
}

// constraint applies a list of allowed tools: a tool it does not name is
// denied unless it is safe, a call of a named tool must be covered, and the
// empty list allows nothing.
func (c *matcher) constraint(a *rules.AgentDef, key string) (d verdict.Denial) {
	tool := c.Call.Grantee()
	outside := func(part, why string) verdict.Denial {
		return verdict.Deny(verdict.Reason{Code: say.CodeOutsideAllowTools, Part: part,
			Text: "tool " + tool + " call is outside the " + key + " constraint: " + why})
	}
	switch {
	case !a.HasAllow:
		return d
	case len(a.Allow) == 0:
		return outside("", "the list is empty ("+a.Pos.String()+")")
	case !named(a.Allow, tool):
		if rules.SafeTool(tool) {
			return d
		}
		return outside("", "it does not name "+tool+" ("+a.Pos.String()+")")
	}
	if _, missing := c.covered(a.Allow); missing != nil {
		return outside(missing.text, c.uncovered(a.Allow, missing))
	}
	return d
}

func named(list []rules.Rule, tool string) bool {
	for i := range list {
		if list[i].Governs(tool) {
			return true
		}
	}
	return false
}

// denyFences is blockReadsOutsideWorkingDirectories and
// blockWritesOutsideWorkingDirectories, for everything whose place is known.
func denyFences(c *Case) (d verdict.Denial) {
	p := c.Policy
	fenced := func(u *unit, fence *rules.Setting, key, does string) verdict.Denial {
		return verdict.Deny(verdict.Reason{Code: say.CodeOutsideWorkspace, Part: u.text, Managed: fence.Scope == rules.Managed,
			Text: c.doer(u) + does, Mark: "outside working directory, " + key + ", " + fence.Pos.String()})
	}
	for u := range c.Units() {
		place := u.hit
		if place.Given == "" && u.subject.Path != nil {
			place = *u.subject.Path
		}
		if place.Given == "" || u.word || c.World.Inside(place) {
			continue
		}
		if u.write && p.FenceWrite.On() {
			return fenced(u, &p.FenceWrite, fenceWrite, "writes "+c.place(u))
		}
		if !u.write && p.FenceRead.On() && u.subject.URL == nil {
			return fenced(u, &p.FenceRead, fenceRead, "reads "+c.World.OS.Native(place.Given))
		}
	}
	return d
}

// The keys of the two fences.
const (
	fenceRead  = "blockReadsOutsideWorkingDirectories"
	fenceWrite = "blockWritesOutsideWorkingDirectories"
)

// immuneFence asks where there is a fence and the path cannot be known.
func immuneFence(c *Case) (all []verdict.Question) {
	for u := range c.Units() {
		if u.effect == nil || u.effect.Known {
			continue
		}
		fence, does := "", ""
		switch u.effect.Kind {
		case bashsafety.Write, bashsafety.Delete:
			if c.Policy.FenceWrite.On() {
				fence, does = fenceWrite, "writes to"
			}
		case bashsafety.Read, bashsafety.Source:
			if c.Policy.FenceRead.On() {
				fence, does = fenceRead, "reads"
			}
		}
		if fence != "" {
			all = append(all, must(verdict.Doubtful, fence, u.text,
				c.doer(u)+does+" a path only known at run time", "Try naming the file"))
		}
	}
	return all
}

// denyEarly looks first at what the user and the administrator deny, where a
// project wrote very many rules: should the time be over before the rest was
// looked at, that is the answer.
func (c *Case) denyEarly() {
	if c.Denied == nil || !c.Policy.Many {
		return
	}
	p := *c.Policy // to change
	ownDenies(&p)
	first := New(Input{Call: c.Call, Policy: &p, Script: c.Script}, c.World.Again(&p))
	first.units = c.units
	first.settle()
	if d := deniedFirst(first); d.Holds() {
		c.tellHook(d)
	}
}

// deniedFirst is what deny rules and fences say.
func deniedFirst(c *Case) verdict.Denial {
	if d := denyRules(c); d.Holds() {
		return d
	}
	return denyFences(c)
}

// tellHook tells the hook of a denial as soon as it is found.
func (c *Case) tellHook(d verdict.Denial) {
	if c.Denied != nil {
		c.Denied(Verdict{verdict.Denied("1", d), c})
	}
}

// ownDenies leaves a policy the denials that came with no project.
func ownDenies(p *rules.Policy) {
	p.Deny, p.Auto.HardDeny = notOfProject(p.Deny), notOfProject(p.Auto.HardDeny)
	p.Posture.ContentExclusion, p.Posture.URLs = notOfProject(p.Posture.ContentExclusion), notOfProject(p.Posture.URLs)
}

// notOfProject returns the rules that came with no project.
func notOfProject(list []rules.Rule) []rules.Rule {
	out := make([]rules.Rule, 0, 16)
	for i := range list {
		if !list[i].Counted() {
			out = append(out, list[i])
		}
	}
	return out
}

// strict reports whether the caller is a subagent that inherits every
// restriction and no grant (seed 0).
func (in *Input) strict() bool {
	return in.unread() || (in.Call.Subagent() || in.asAgent()) && in.Policy.Posture.Subagents.Value != "host"
}

// Inherits reports whether what the settings grant counts for the caller.
func (in *Input) Inherits() bool { return !in.strict() }

// unread reports whether the caller has a definition that cannot be used, or a
// skill without one: what its lists would have taken away is not known, so
// nothing is granted.
func (in *Input) unread() bool {
	a := in.Policy.Agent
	return a != nil && a.Found && !a.Known || in.unknownSkill()
}

func (in *Input) unknownSkill() bool { return in.Policy.Skill != nil && !in.Policy.Skill.Known }

// asAgent reports whether --agent asked to decide as a subagent.
func (in *Input) asAgent() bool { return in.AsAgent }

// subagentDenies reports whether an ask of this caller cannot reach anybody.
func (in *Input) subagentDenies() bool {
	if !in.Call.Subagent() && !in.asAgent() {
		return false
	}
	return in.strict() || in.Call.Host == nil || !in.Call.Host.SubagentsPrompt
}

// foldersRead asks about the commands that read a folder outside the workspace which no word of
// theirs names: a git command in another repository, ls after cd.
func (c *Case) foldersRead() (all []verdict.Question) {
	for i := range c.Script.Subcommands {
		sub := &c.Script.Subcommands[i]
		for _, dir := range foldersOf(sub) {
			if u := c.folderUnit(sub, &dir); c.readsOutside(u) {
				all = append(all, c.readAsk(outsideRead{u, false}))
			}
		}
	}
	return all
}

// folderUnit is what a part would be that reads a folder.
func (c *scene) folderUnit(sub *bashsafety.Subcommand, dir *bashsafety.Effect) *unit {
	u := &unit{subject: rules.Subject{Tool: "Read"}, text: shown(c.Policy, dir), sub: sub, effect: dir}
	if dir.Known && dir.Path != "" {
		u.hit = c.World.EffectPath(dir)
		u.subject.Path = &u.hit
	}
	return u
}

// foldersOf are the folders that a subcommand reads without an operand, as reads.
func foldersOf(sub *bashsafety.Subcommand) (dirs []bashsafety.Effect) {
	for _, e := range sub.Effects {
		if e.Kind == bashsafety.GitRead {
			e.Kind = bashsafety.Read
			dirs = append(dirs, e)
		}
	}
	if lists := sub.Program == "ls" || sub.Program == "dir"; lists && len(sub.Effects) == 0 && sub.Here() {
		if len(sub.Dirs) == 0 {
			dirs = append(dirs, bashsafety.Effect{Kind: bashsafety.Read})
		}
		for _, dir := range sub.Dirs {
			dirs = append(dirs, bashsafety.Effect{Kind: bashsafety.Read, Path: dir, Known: true})
		}
	}
	return dirs
}

// readAsk is the ask about a part that reads outside the workspace.
func (c *Case) readAsk(read outsideRead) verdict.Question {
	return verdict.Ask(verdict.Remembered, read, func() verdict.Reason {
		r := verdict.Reason{Part: read.text, Text: c.doer(read.unit) + "reads " + read.text, Of: read.sub, Operand: read.isOperand(),
			Hint: "Try an allow rule with a // or ~/ path, or add the folder to additionalDirectories",
			Mark: `outside working directory; "outsideReads" is "ask", ` + c.Policy.Posture.OutsideReads.Pos.String()}
		if read.named {
			r.Targets = asRemembered(c.placeTarget(read.unit))
		}
		return r
	})
}

// droppedDir names the first additional directory a write would lie in if it counted.
func droppedDir(p *rules.Policy, u *unit) string {
	for i := range p.Dropped {
		d := &p.Dropped[i]
		if d.Dir.Given != "" && (rules.Within(u.hit.Given, d.Dir.Given) || rules.Within(u.hit.Real, d.Dir.Real)) {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

// readsTemp reports whether a part reads a file below a temporary folder that only the user can have put there.
func (c *scene) readsTemp(u *unit) bool {
	glob := u.effect != nil && u.effect.Glob
	return u.hit.Given != "" && !glob && c.World.Temporary(u.hit) && !c.guard.Planted(u.target())
}

// reaches reports whether an allow rule with a // or ~/ path covers the write.
func (c *matcher) reaches(u *unit) bool {
	if c.Call.Alias {
		return false
	}
	for _, list := range c.GrantLists() {
		for i := range list {
			r := &list[i]
			if !r.Bare && c.Policy.OS.Rooted(r.Pattern) && len(c.matchRules(list[i:i+1], &u.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// writesTemp reports whether a unit writes a temporary file for which step 3b
// does not ask: one below a temporary folder, or below what mktemp made, that
// no other command of the text links, moves or unpacks.
func (c *scene) writesTemp(u *unit) bool {
	switch {
	case !u.write:
		return false
	case u.hit.Given == "":
		return u.effect != nil && c.unknownTemp(u)
	case u.effect != nil && u.effect.Glob && !lastOnly(u):
		return false
	}
	return c.World.Temporary(u.hit) && !c.guard.Planted(u.target())
}

// unknownTemp is writesTemp for a path that is not known.
func (c *scene) unknownTemp(u *unit) bool {
	if below := u.effect.Below; below != "" {
		return c.World.Temporary(c.World.Path(path.Join(below, "x"))) && !c.guard.Planted(u.target()) && c.World.EachBelow(u.effect, false, c.World.Temporary)
	}
	return u.effect.Temp && c.World.TempEnv() && !c.guard.Planted(u.target())
}

// writesTemporary reports whether the call writes such a file that no rule names.
func (c *matcher) writesTemporary() bool {
	for u := range c.Units() {
		if u.write && !c.World.Inside(u.hit) && c.writesTemp(u) && !c.reaches(u) {
			return true
		}
	}
	return false
}

// lastOnly reports whether a pattern has wildcards in its last component only,
// and what it finds is removed or made, not what it may lead to.
func lastOnly(u *unit) bool {
	dir, name := path.Split(u.hit.Given)
	made := u.effect.Kind == bashsafety.Delete || u.sub != nil && u.sub.Program == "mktemp"
	return made && !strings.ContainsAny(dir, `*?[\`) && name != "*"
}

// Visible reports whether a host should show a tool to a subagent at all (seed
// 0's schema filter). It is a courtesy to the model: the gate stays the authority.
// With an allow list exactly the named tools are shown, without one the safe
// tools, the edit tools too in acceptEdits and auto, everything in bypassPermissions.
// What deny_tools takes away as a whole, and what the tools whitelist leaves
// out, is never shown.
func Visible(p *rules.Policy, tool string) bool {
	if p.HasTools && !namesTool(p.Tools, tool) {
		return false
	}
	if a := p.Agent; a != nil {
		for i := range a.Deny {
			if a.Deny[i].Bare && a.Deny[i].Governs(tool) {
				return false
			}
		}
		if a.HasTools && !namesTool(a.Tools, tool) {
			return false
		}
		if a.HasAllow {
			return namesTool(a.Allow, tool)
		}
	}
	switch p.Mode.Value {
	case "bypassPermissions":
		return true
	case "acceptEdits", "auto":
		return rules.SafeTool(tool) || rules.EditTool(tool)
	}
	return rules.SafeTool(tool)
}

// namesTool reports whether a list names the very tool, or its MCP server.
func namesTool(list []rules.Rule, tool string) bool {
	for i := range list {
		r := &list[i]
		if r.Tool == tool || strings.HasPrefix(tool, "mcp__") && r.Governs(tool) {
			return true
		}
	}
	return false
}

// writesPlainly reports whether what dd was found to overwrite is certain to be new, or a plain
// file of the workspace: then it writes as cp does, and step 3b and the rules decide.
func (c *scene) writesPlainly(f *bashsafety.Finding) bool {
	if !f.Check.Writes || f.Sub < 0 || !c.practical() || c.World.AnyDisk {
		return false
	}
	sub := &c.Script.Subcommands[f.Sub]
	if c.World.Blind() || !sub.Here() || launched(sub) || c.Script.Sourced(sub) {
		return false
	}
	puts, writes := c.Script.Puts(f.Sub), false
	for i := range sub.Effects {
		e := &sub.Effects[i]
		switch {
		case e.Kind == bashsafety.Read:
		case e.Kind != bashsafety.Write || !plainTarget(c.World, e) || c.guard.PutAt(c.World.EffectPath(e), puts):
			return false
		default:
			writes = true
		}
	}
	return writes
}

// plainTarget reports whether a write makes a new file, or changes a plain one of the workspace.
func plainTarget(w *world.World, e *bashsafety.Effect) bool {
	if !e.Known || e.Glob || e.Temp {
		return false
	}
	p := w.EffectPath(e)
	info, err := w.Lstat(p.Real)
	if err != nil {
		return world.Absent(err)
	}
	return info.Mode().IsRegular() && w.Inside(p)
}

// usersSource reports whether a sourced file outside the workspace is the user's own: it is there,
// no one else can have written it or what leads to it, and nothing in the text may. Sourcing it
// runs what `bash FILE` would run.
func (c *scene) usersSource(sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	at := subIndex(c.Script, sub)
	if e.Glob || e.Temp || !namesFolder(sub) {
		return false
	}
	if at < 0 || !c.practical() {
		return false
	}
	p := c.World.EffectPath(e)
	return p.Given == p.Real && c.World.OwnFile(p.Real) && !c.guard.PutAt(p, c.Script.Puts(at))
}

// namesFolder reports whether the sourced word has a slash: one without is looked for in PATH.
func namesFolder(sub *bashsafety.Subcommand) bool {
	for i := 1; i < len(sub.Argv); i++ {
		if w := &sub.Argv[i]; w.Text != "--" {
			return w.Known && strings.Contains(w.Text, "/")
		}
	}
	return false
}
