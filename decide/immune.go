package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// immunePaths asks about writes to files that run later or hold credentials,
// and about reads of a process environment.
func immunePaths(c *Case) (all []verdict.Question) {
	ask := func(g verdict.Gravity, id, part, text, hint string) { all = append(all, must(g, id, part, text, hint)) }
	for _, a := range c.Call.Args {
		if c.World.Detour(a.Path) {
			ask(verdict.Doubtful, "symlink-detour", a.Path,
				say.Quoted(a.Path)+" goes through a symlink and back with .., so it may name another file",
				"Try the path without ..")
		}
	}
	if c.Policy.OS != rules.Linux {
		all = append(all, immuneNames(c)...)
	}
	for u := range c.Units() {
		if u.write || u.access {
			all = append(all, c.sensitive(u)...)
		}
		if why := c.guard.ImmuneFolders(u.target()); u.subject.Tool == "Edit" && why != "" {
			ask(verdict.Control, "sensitive path", u.text,
				c.doer(u)+"removes or changes "+say.Quoted(u.text)+": "+why,
				"Ask the user to make this change")
		}
		all = append(all, c.immuneContents(u)...)
		named := u.sub == nil && u.effect == nil && u.subject.Path != nil && !u.access
		if named && bashsafety.Deceptive(u.text) {
			ask(verdict.Doubtful, "invisible character", u.text,
				"the path "+say.Quoted(u.text)+
					" contains control or invisible characters, so it may not be the file it seems to be",
				"Try the path without them")
		}
		if environ(u) {
			ask(verdict.Secret, "process environment", u.text,
				c.doer(u)+"reads "+say.Quoted(u.text)+", which may contain secrets of other programs", "")
		}
	}
	return all
}

// sensitive asks about a write to a sensitive file. A yes about prose is remembered.
func (c *Case) sensitive(u *unit) []verdict.Question {
	why := c.guard.Sensitive(u.target())
	if why == "" {
		return nil
	}
	grave, targets := verdict.Control, asRemembered(c.contentTarget(u))
	if len(targets) > 0 {
		grave = verdict.Remembered
	}
	does := "writes "
	if u.access {
		does = "may write "
	}
	r := immune("sensitive path", u.text, c.doer(u)+does+say.Quoted(u.text)+": "+why, "Ask the user to make this change")
	r.Targets, r.Of = targets, u.sub
	return []verdict.Question{verdict.Ask(grave, sensitiveWrite{u}, func() verdict.Reason { return r })}
}

// immuneNames asks about paths that may be another file than they say, which
// only some systems have: such a path is matched by deny rules as far as it can
// be understood, and by no allow rule.
func immuneNames(c *Case) (all []verdict.Question) {
	ask := func(u, name, why string) {
		all = append(all, must(verdict.Doubtful, "uncertain path", name,
			u+say.Quoted(name)+" may not be the file it seems to be: "+why,
			"Try the full path, with its drive and long names"))
	}
	names := make([]string, 0, len(c.Call.Args)+len(c.Call.Under))
	for i, a := range c.Call.Args {
		if name := a.Path; a.Pattern || i+1 < len(c.Call.Args) && c.Call.Args[i+1].Pattern {
			names = append(names, world.StaticDir(c.Policy.OS.Slashes(name)))
		} else {
			names = append(names, name)
		}
	}
	for _, pattern := range c.Call.Under {
		names = append(names, world.StaticDir(c.Policy.OS.Slashes(pattern)))
	}
	for _, name := range names {
		if why := inPart(c.World.Uncertain(name)); name != "" && why != "" {
			ask("", name, why)
		}
	}
	for u := range c.Units() {
		if u.effect == nil || u.subject.URL != nil {
			continue
		}
		why := inPart(c.World.UncertainEffect(u.effect))
		inURL := func(w bashsafety.Word) bool { return strings.Contains(w.Text, ":"+u.text) }
		if why != "" && !(u.word && slices.ContainsFunc(u.sub.Argv, inURL)) {
			ask(u.of(), u.text, why)
		}
	}
	return all
}

// environ reports whether a unit reads /proc/*/environ in any spelling.
func environ(u *unit) bool {
	if u.write {
		return false
	}
	for _, p := range [...]string{u.hit.Given, u.hit.Real} {
		if strings.HasPrefix(p, "/proc/") && strings.HasSuffix(p, "/environ") {
			return true
		}
	}
	e := u.effect
	if e == nil || e.Kind != bashsafety.Read && e.Kind != bashsafety.Source {
		return false
	}
	return (!e.Known || e.Glob) && couldBeEnviron(e.Path)
}

// inPart says why a component of a path, or all of it, is not certain.
func inPart(part, why string) string {
	if part == "" {
		return why
	}
	return say.Quoted(part) + " " + why
}

// couldBeEnviron reports whether a path with holes or wildcards could be
// /proc/*/environ.
func couldBeEnviron(name string) bool {
	parts := strings.Split(name, "/")
	if len(parts) < 4 || parts[0] != "" {
		return false
	}
	return world.CouldBe(parts[1], "proc") && world.CouldBe(parts[len(parts)-1], "environ")
}

// immuneShell asks about shell effects that depend on where the workspace is:
// sourcing anything but a literal file in it, changing a repository that is not
// the session's, and reading one that can run programs.
func immuneShell(c *Case) (all []verdict.Question) {
	if c.Script == nil {
		return nil
	}
	for i := range c.Script.Subcommands {
		s := &c.Script.Subcommands[i]
		for _, why := range [...]string{unlists(c.Policy, s), c.guard.OtherName(i, s), c.guard.HandsOnGate(s), c.guard.HandedGate(s)} {
			if why != "" {
				all = append(all, verdict.Must(verdict.Control, strayReason(s, why)))
			}
		}
		for j := range s.Effects {
			all = append(all, c.stray(s, &s.Effects[j])...)
		}
	}
	if c.Policy.FenceRead.On() || c.Policy.FenceWrite.On() {
		all = append(all, immuneFence(c)...)
	}
	return all
}

// strayReason is what step 2 says about a command. why is a sentence, and a hint after a full stop.
func strayReason(s *bashsafety.Subcommand, why string) verdict.Reason {
	part := Spell(s.Argv)
	hint := ""
	if at := max(strings.LastIndex(why, ". Ask "), strings.LastIndex(why, ". Try ")); at >= 0 {
		why, hint = why[:at], why[at+2:]
	}
	return immune("suspicious command", part, say.Quoted(part)+origin(s)+" "+why, hint)
}

// unlists says why a command may make untrusted grants count: git's
// index tells the user's own local settings from those that came with a project.
func unlists(p *rules.Policy, s *bashsafety.Subcommand) string {
	if len(p.InIndex) == 0 || !s.Unlists() {
		return ""
	}
	return "may remove files from the git index, and " + p.InIndex[0] +
		" grants nothing only because git tracks it. Ask the user to review it with permgate trust"
}

// stray asks about a file that this shell runs, and about git in a repository that is not the session's.
func (c *Case) stray(s *bashsafety.Subcommand, e *bashsafety.Effect) []verdict.Question {
	always := func(g verdict.Gravity, why string) []verdict.Question {
		return []verdict.Question{verdict.Must(g, strayReason(s, why))}
	}
	switch e.Kind {
	case bashsafety.Source:
		switch {
		case !e.Known:
			return always(verdict.Control,
				"runs a file in this shell that is only known at run time. Try naming the file")
		case !c.World.Inside(c.World.EffectPath(e)):
			return []verdict.Question{verdict.Ask(verdict.Control, sourced{deed{s, e}}, func() verdict.Reason {
				return strayReason(s, "runs "+e.Path+" in this shell, and that file is outside the working directory")
			})}
		}
	case bashsafety.GitRead:
		if r := c.gitRead(s, e); r.seen {
			return always(verdict.Control, "may do more than read: "+r.why+". Ask the user to review and run the command")
		}
	case bashsafety.GitChange:
		why := ""
		switch {
		case !e.Known:
			return always(verdict.Doubtful,
				"changes a git repository in a directory only known at run time. Try `git -C` with a literal path")
		case !c.World.Inside(c.World.EffectPath(e)):
			why = "changes a git repository outside the working directory: " + e.Path
		case c.otherRepository(c.World.EffectPath(e)):
			why = "changes another git repository: " + e.Path
		default:
			return nil
		}
		return []verdict.Question{verdict.Ask(verdict.Remembered, repository{deed{s, e}}, func() verdict.Reason {
			r := strayReason(s, why)
			r.Targets = asRemembered(c.repositoryTarget(s, e))
			return r
		})}
	}
	return nil
}

// immuneContents asks about what an archive, a patch, a copied folder or another
// machine puts below a folder: by name where the names are known, else where the
// folder holds, or could come to hold, what is asked about.
func (c *Case) immuneContents(u *unit) []verdict.Question {
	e := u.effect
	if e == nil || e.Contents == nil || e.Kind != bashsafety.Write || u.subject.Tool != "Edit" {
		return nil
	}
	at := -1
	if c.Script != nil {
		at = subIndex(c.Script, u.sub)
	}
	switch {
	case at < 0, e.Temp:
		return nil
	case c.World.Blind():
		return c.unseen(u, "puts files into a folder that cannot be looked at", "")
	case e.Glob:
		return c.immuneGlobbed(u)
	case !e.Known: // names that are asked about wherever they lie
		return c.landsAnywhere(at, u)
	}
	if e.Contents.Kind == bashsafety.FromFolder {
		if !c.World.Directory(u.hit.Given) && c.guard.Holds(u.hit) == "" {
			return nil // nothing is there yet
		}
	} else if name := u.sub.MoreOptions(); name != "" {
		return c.unseen(u,
			"reads more options from "+name+", so the target of its files is unknown",
			"Try writing the options out")
	}
	l := c.guard.Contents(at, e.Contents)
	if l.Why != "" {
		return c.immuneUnseen(u, l.Why)
	}
	return append(c.landsBadly(u, l), c.writesThrough(at, u, l)...)
}

// unseen asks about files whose names are not known. text is a sentence without its subject.
func (c *reading) unseen(u *unit, text, hint string) []verdict.Question {
	return []verdict.Question{must(verdict.Control, "unseen contents", u.text, c.doer(u)+text, hint)}
}

// immuneGlobbed asks where an option of the shell may make a pattern find names
// with a dot, which are then copied into a folder.
func (c *Case) immuneGlobbed(u *unit) []verdict.Question {
	x := u.effect.Expands
	if x == nil || x.Into == "" {
		return nil
	}
	into := c.World.Path(x.Into)
	place := c.guard.Holds(into)
	if place == "" || !c.Script.TouchesGlobs() {
		return nil
	}
	return c.unseen(u,
		"puts files that match a glob into "+quoted(c.Policy, into.Given)+
			", and the command changes what globs match. "+place,
		"Try naming the files")
}

// immuneUnseen asks where names that are not known could replace what matters.
func (c *Case) immuneUnseen(u *unit, unknown string) []verdict.Question {
	dir, in := u.hit, u.effect.Contents
	place := c.guard.MayHold(dir, in)
	if place == "" {
		return nil
	}
	what := "files"
	if in.From != "" {
		what = "the contents of " + quoted(c.Policy, in.From)
	}
	into := quoted(c.Policy, dir.Given) + ", and the file names are unknown because " + unknown + ". " + place
	aside := "Try a new folder, " + quoted(c.Policy, path.Join(dir.Given, "new")) + ", then move what you need from there"
	return c.unseen(u, "puts "+what+" into "+into, aside)
}

// subIndex is the place of a subcommand in the script, -1 for none.
func subIndex(script *bashsafety.Analysis, sub *bashsafety.Subcommand) int {
	for i := range script.Subcommands {
		if &script.Subcommands[i] == sub {
			return i
		}
	}
	return -1
}

// landsBadly asks about the first known name that is sensitive where it ends up.
// What is only copied from one folder to another matters where something is
// read from: in the project, the home, or over what is there.
func (c *Case) landsBadly(u *unit, l *world.Listing) []verdict.Question {
	in := u.effect.Contents
	if c.World.Temporary(u.hit) && c.guard.Holds(u.hit) == "" {
		return nil
	}
	copied := in.Kind == bashsafety.FromFolder
	for _, name := range l.Names {
		given := world.Landing(u.hit.Given, name, in)
		if given == "" || strings.ContainsRune(name, 0) {
			continue
		}
		to := c.World.Landed(given)
		if why := c.guard.SensitiveAt(to, copied); why != "" {
			return []verdict.Question{must(verdict.Control, "sensitive path", to.Given,
				c.doer(u)+"writes "+quoted(c.Policy, to.Given)+", which is in "+c.named(u)+": "+why, leaveOut)}
		}
	}
	return nil
}

// leaveOut is the hint about a sensitive file among others.
const leaveOut = "Ask the user to make this change, or leave it out"

// writesThrough asks where the same text writes through a symlink that comes out of
// an archive: where that leads only the run will show.
func (c *Case) writesThrough(at int, u *unit, l *world.Listing) []verdict.Question {
	script := c.Script
	if u.effect.Contents.Kind == bashsafety.FromFolder {
		return nil
	}
	for _, name := range l.Links {
		link := world.Landing(u.hit.Given, name, u.effect.Contents)
		for i := range script.Subcommands {
			if link == "" || i == at {
				continue
			}
			for j := range script.Subcommands[i].Effects {
				e := &script.Subcommands[i].Effects[j]
				if e.Kind == bashsafety.Write && e.Path != "" &&
					rules.Within(world.FoldPath(path.Clean(e.Path)), world.FoldPath(link)) {
					return c.unseen(u,
						"creates the symlink "+say.Quoted(link)+", and the same command writes through it",
						"Try writing there in a separate command")
				}
			}
		}
	}
	return nil
}

// landsAnywhere asks about known names that are sensitive in any folder.
func (c *Case) landsAnywhere(at int, u *unit) []verdict.Question {
	in := u.effect.Contents
	if in.Kind == bashsafety.FromFolder || in.From == "" && !in.Stdin {
		return nil
	}
	l := c.guard.Contents(at, in)
	for i := 0; i < len(l.Names) && l.Why == ""; i++ {
		if to := world.Landing("/", l.Names[i], in); to != "" && guard.SensitivePath(to) != "" {
			return []verdict.Question{must(verdict.Control, "sensitive path", to,
				c.doer(u)+"writes "+say.Quoted(to[1:])+", which is in "+c.named(u)+
					", into a folder only known at run time: "+guard.SensitivePath(to), leaveOut)}
		}
	}
	return nil
}

// named is what reasons call an archive or folder.
func (c *reading) named(u *unit) string {
	switch in := u.effect.Contents; {
	case in.From != "":
		return quoted(c.Policy, in.From)
	case in.Kind == bashsafety.FromPatch:
		return "the patch"
	}
	return "what it is given"
}

// An opening is a place of a text that may touch a file that is not known.
type opening struct {
	u      *unit // the read or write of a path that is not known, nil for program text
	sub    *bashsafety.Subcommand
	writes bool
}

// mayTouch is the question about a rule that speaks of a mention.
func (o *opening) mayTouch(c *Case, list string, r *rules.Rule, m *mention) verdict.Reason {
	v := couldBe(r, Spell(o.sub.Argv))
	v.Text = say.Quoted(v.Part) + origin(o.sub) + " may touch " + quoted(c.Policy, m.text) + ", which your " +
		list + " " + r.Text + " " + does(r)
	v.Hint = "Try naming the files it touches"
	return v
}

// concerned reports whether a rule that speaks of reads or writes is about an
// opening: program text may do either.
func (o *opening) concerned(ofReads, ofWrites bool) bool {
	if o.writes {
		return ofWrites
	}
	return ofReads || ofWrites && o.u == nil
}

// mayBe reports whether an opening may be what a mention names, or lie in it. A
// path ends in its last literal part, and begins with its first where no .. can
// follow.
func (c *reading) mayBe(o *opening, m *mention) bool {
	if m.glob != "" || o.mayBeAny() {
		return true
	}
	e := o.u.effect
	head, tail := knownEnds(e)
	inside := false
	if !c.World.Blind() && c.World.Directory(m.path.Given) {
		if inside = goesInto(e, m.path.Given); !inside && !e.Recursive {
			return false // it shows nothing of a folder
		}
	}
	for _, name := range [...]string{m.path.Given, m.path.Real} {
		name = world.FoldPath(name)
		if e.Below != "" && !strings.HasPrefix(name, world.FoldPath(head)) {
			continue
		}
		if inside || strings.HasSuffix(name, world.FoldPath(tail)) {
			return true
		}
	}
	return false
}

// goesInto reports whether a path may name something in a folder.
func goesInto(e *bashsafety.Effect, folder string) bool {
	head, tail := knownEnds(e)
	return e.Glob || strings.Contains(tail, "/") || strings.HasPrefix(world.FoldPath(head), world.FoldPath(folder)+"/")
}

// mayBeAny reports whether nothing is known of the path of an opening.
func (o *opening) mayBeAny() bool {
	return o.u == nil || o.u.effect.Path == "" || o.u.effect.Path == bashsafety.HoleMark
}

// knownEnds are the literal parts that a path begins and ends with.
func knownEnds(e *bashsafety.Effect) (head, tail string) {
	head, tail = e.Path, e.Path
	if i := strings.Index(head, bashsafety.HoleMark); i >= 0 {
		head, tail = head[:i], tail[strings.LastIndex(tail, bashsafety.HoleMark)+1:]
	}
	if rest, ok := strings.CutPrefix(tail, "/cwd/"); ok && head == "/proc/" {
		head, tail = "/", "/"+rest // the folder a process is in
	}
	if e.Glob {
		tail = tail[strings.LastIndexAny(tail, "*?[]")+1:]
	}
	return head, tail
}

// openings lists the places of the text that may touch a file that is not known.
func (c *reading) openings() []opening {
	if c.Script == nil {
		return nil
	}
	var open []opening
	for u := range c.Units() {
		if u.sub != nil && u.sub.Script == nil && mayBeAnyFile(u.effect) {
			open = append(open, opening{u, u.sub, u.write})
		}
	}
	for i := range c.Script.Subcommands {
		if s := &c.Script.Subcommands[i]; s.Code && s.Script == nil {
			open = append(open, opening{sub: s})
		}
	}
	return open
}

// mayBeAnyFile reports whether an effect shows or changes what a file holds that is
// only known when it runs.
func mayBeAnyFile(e *bashsafety.Effect) bool {
	if e == nil || e.Known || e.Temp {
		return false
	}
	if e.Glob && !strings.Contains(e.Path, bashsafety.HoleMark) {
		return false // the pattern says which
	}
	switch e.Kind {
	case bashsafety.Read, bashsafety.Source:
		return !e.Silent && !e.Key && !strings.HasPrefix(e.Path, "/dev/fd/")
	case bashsafety.Write, bashsafety.Delete:
		return true
	}
	return false
}
