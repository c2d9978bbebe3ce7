package asks

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// immunePaths asks about writes to files that run later or hold credentials,
// and about reads of a process environment.
func immunePaths(c facts.Facts) (all []verdict.Question) {
	ask := func(g verdict.Gravity, id string, r verdict.Reason) { all = append(all, must(g, id, r)) }
	for _, a := range c.Call().Args {
		if c.World().Detour(a.Path) {
			ask(verdict.Doubtful, "symlink-detour", verdict.Reason{Part: a.Path, What: say.Quoted(a.Path),
				Text: "goes through a symlink and back with ..", Why: "it may name another file", Way: "Try the path without .."})
		}
	}
	if c.Policy().OS != rules.Linux {
		all = append(all, immuneNames(c)...)
	}
	for u := range c.Units() {
		if u.Write() || u.Access() {
			all = append(all, sensitive(c, u)...)
		}
		if why := c.Guard().ImmuneFolders(u.Target()); u.Subject().Tool == "Edit" && why != "" {
			ask(verdict.Control, "sensitive-path", verdict.Reason{Part: u.Text(), What: c.Doer(u.Sub()), Text: "removes or changes",
				Target: u.Quoted(), Why: why})
		}
		all = append(all, immuneContents(c, u)...)
		named := u.Sub() == nil && u.Effect() == nil && u.Subject().Path != nil && !u.Access()
		if named && bashsafety.Deceptive(u.Text()) {
			ask(verdict.Doubtful, "invisible-character", verdict.Reason{Part: u.Text(), What: "the path " + u.Quoted(),
				Text: "contains control or invisible characters", Why: "it may not be the file it seems to be",
				Way: "Try the path without them"})
		}
		if environ(u) {
			ask(verdict.Secret, "process-environment", verdict.Reason{Part: u.Text(), What: c.Doer(u.Sub()), Text: "reads",
				Target: u.Quoted(), Why: "which may contain secrets of other programs"})
		}
	}
	return all
}

// sensitive asks about a write to a sensitive file. A yes about prose is remembered.
func sensitive(c facts.Facts, u *facts.Unit) []verdict.Question {
	why := c.Guard().Sensitive(u.Target())
	if why == "" {
		return nil
	}
	grave, targets := verdict.Control, asRemembered(ContentTarget(c, u))
	if len(targets) > 0 {
		grave = verdict.Remembered
		if dir := targets[0].Folder; dir != "" {
			why += "; a yes counts for the other texts in " + facts.Quoted(c.Policy(), dir) + " as well"
		}
	}
	r := immune("sensitive-path", verdict.Reason{Part: u.Text(), What: c.Doer(u.Sub()), Text: u.Does(), Target: u.Quoted(),
		Why: "which " + why, Targets: targets, Of: u.Sub()})
	if f := findingOf(c, u.Sub()); f != nil && f.Check.Whole && u.Unnamed() {
		said := words.Found(c, f)
		r.Text, r.Target, r.Why, r.Way = said.Text, said.Target, said.Why, said.Way
	}
	return []verdict.Question{verdict.Ask(grave, SensitiveWrite{u}, func() verdict.Reason { return r })}
}

// findingOf is the first finding about a command, nil for none.
func findingOf(c facts.Facts, sub *bashsafety.Subcommand) *bashsafety.Finding {
	for i := 0; sub != nil && i < len(c.Script().Findings); i++ {
		if f := &c.Script().Findings[i]; f.Sub >= 0 && &c.Script().Subcommands[f.Sub] == sub {
			return f
		}
	}
	return nil
}

// immuneNames asks about paths that may be another file than they say, which
// only some systems have: such a path is matched by deny rules as far as it can
// be understood, and by no allow rule.
func immuneNames(c facts.Facts) (all []verdict.Question) {
	ask := func(of, name, why string) {
		all = append(all, must(verdict.Doubtful, "uncertain-path", verdict.Reason{Part: name, What: of + say.Quoted(name),
			Text: "may not be the file it seems to be", Why: why, Way: "Try the full path, with its drive and long names"}))
	}
	names := make([]string, 0, len(c.Call().Args)+len(c.Call().Under))
	for i, a := range c.Call().Args {
		if name := a.Path; a.Pattern || i+1 < len(c.Call().Args) && c.Call().Args[i+1].Pattern {
			names = append(names, world.StaticDir(c.Policy().OS.Slashes(name)))
		} else {
			names = append(names, name)
		}
	}
	for _, pattern := range c.Call().Under {
		names = append(names, world.StaticDir(c.Policy().OS.Slashes(pattern)))
	}
	for _, name := range names {
		if why := inPart(c.World().Uncertain(name)); name != "" && why != "" {
			ask("", name, why)
		}
	}
	for u := range c.Units() {
		if u.Effect() == nil || u.Subject().URL != nil {
			continue
		}
		why := inPart(c.World().UncertainEffect(u.Effect()))
		inURL := func(w bashsafety.Word) bool { return strings.Contains(w.Text, ":"+u.Text()) }
		if why != "" && !(u.Word() && slices.ContainsFunc(u.Sub().Argv, inURL)) {
			ask("in "+c.Doer(u.Sub())+", ", u.Text(), why)
		}
	}
	return all
}

// environ reports whether a unit reads /proc/*/environ in any spelling.
func environ(u *facts.Unit) bool {
	if u.Write() {
		return false
	}
	for _, p := range [...]string{u.Hit().Given, u.Hit().Real} {
		if strings.HasPrefix(p, "/proc/") && strings.HasSuffix(p, "/environ") {
			return true
		}
	}
	e := u.Effect()
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
	rest, rooted := strings.CutPrefix(name, "/")
	first, rest, _ := strings.Cut(rest, "/")
	last := strings.LastIndexByte(rest, '/')
	return rooted && last >= 0 && world.CouldBe(first, "proc") && world.CouldBe(rest[last+1:], "environ")
}

// immuneShell asks about shell effects that depend on where the workspace is:
// sourcing anything but a literal file in it, changing a repository that is not
// the session's, and reading one that can run programs.
func immuneShell(c facts.Facts) (all []verdict.Question) {
	if c.Script() == nil {
		return nil
	}
	for i := range c.Script().Subcommands {
		s := &c.Script().Subcommands[i]
		g := c.Guard()
		for _, why := range [...]string{unlists(c.Policy(), s), g.OtherName(i, s), g.HandsOnGate(s), g.HandedGate(s)} {
			if why != "" {
				all = append(all, verdict.Must(verdict.Control, strayReason(c, s, why)))
			}
		}
		for j := range s.Effects {
			all = append(all, stray(c, s, &s.Effects[j])...)
		}
	}
	if c.Policy().FenceRead.On() || c.Policy().FenceWrite.On() {
		all = append(all, immuneFence(c)...)
	}
	return all
}

// strayReason is what step 2 says about a command: what it does, and a way out after a full stop.
func strayReason(c facts.Facts, s *bashsafety.Subcommand, does string) verdict.Reason {
	r := verdict.Reason{Part: facts.Spell(s.Argv), What: c.Doer(s), Text: does}
	if at := strings.LastIndex(does, ". Try "); at >= 0 {
		r.Text, r.Way = does[:at], does[at+2:]
	}
	return immune("suspicious-command", r)
}

// unlists says why a command may make untrusted grants count: git's
// index tells the user's own local settings from those that came with a project.
func unlists(p *rules.Policy, s *bashsafety.Subcommand) string {
	if len(p.InIndex) == 0 || !s.Unlists() {
		return ""
	}
	return "may remove files from the git index, and " + p.InIndex[0] +
		" grants nothing only because git tracks it"
}

// stray asks about a file that this shell runs, and about git in a repository that is not the session's.
func stray(c facts.Facts, s *bashsafety.Subcommand, e *bashsafety.Effect) []verdict.Question {
	always := func(g verdict.Gravity, why string) []verdict.Question {
		return []verdict.Question{verdict.Must(g, strayReason(c, s, why))}
	}
	switch e.Kind {
	case bashsafety.Source:
		switch {
		case !e.Known:
			return always(verdict.Control,
				"runs a file in this shell that it does not name. Try naming the file")
		case !c.World().Inside(c.World().EffectPath(e)):
			return []verdict.Question{verdict.Ask(verdict.Control, Sourced{deed{s, e}}, func() verdict.Reason {
				return strayReason(c, s, "runs "+facts.Quoted(c.Policy(), e.Path)+" in this shell, a file outside the project")
			})}
		}
	case bashsafety.GitRead:
		if r := c.GitReadRisk(s, e); r.Seen {
			return always(verdict.Control, "may do more than read: "+r.Why)
		}
	case bashsafety.GitChange:
		why := ""
		switch {
		case !e.Known:
			return always(verdict.Doubtful,
				"changes a git repository in a folder that it does not name. Try a literal path after `git -C`")
		case !c.World().Inside(c.World().EffectPath(e)):
			why = "changes a git repository outside the project, " + facts.Quoted(c.Policy(), e.Path)
		case c.OtherRepository(c.World().EffectPath(e)):
			why = "changes another git repository, " + facts.Quoted(c.Policy(), e.Path)
		default:
			return nil
		}
		return []verdict.Question{verdict.Ask(verdict.Remembered, Repository{deed{s, e}}, func() verdict.Reason {
			r := strayReason(c, s, why)
			r.Targets = asRemembered(RepositoryTarget(c, s, e))
			return r
		})}
	}
	return nil
}

// immuneContents asks about what an archive, a patch, a copied folder or another
// machine puts below a folder: by name where the names are known, else where the
// folder holds, or could come to hold, what is asked about.
func immuneContents(c facts.Facts, u *facts.Unit) []verdict.Question {
	e := u.Effect()
	if e == nil || e.Contents == nil || e.Kind != bashsafety.Write || u.Subject().Tool != "Edit" {
		return nil
	}
	at := -1
	if c.Script() != nil {
		at = facts.SubIndex(c.Script(), u.Sub())
	}
	switch {
	case at < 0, e.Temp:
		return nil
	case c.World().Blind():
		return unseen(c, u, verdict.Reason{Text: "puts files into a folder that cannot be looked at"})
	case e.Glob:
		return immuneGlobbed(c, u)
	case !e.Known: // names that are asked about wherever they lie
		return landsAnywhere(c, at, u)
	}
	if e.Contents.Kind == bashsafety.FromFolder {
		if !c.World().Directory(u.Hit().Given) && c.Guard().Holds(u.Hit()) == "" {
			return nil // nothing is there yet
		}
	} else if name := u.Sub().MoreOptions(); name != "" {
		return unseen(c, u, verdict.Reason{Text: "reads more options from", Target: facts.Quoted(c.Policy(), name),
			Why: "where it puts its files is unknown", Way: "Try writing the options out"})
	}
	l := c.Guard().Contents(at, e.Contents)
	if l.Why != "" {
		return immuneUnseen(c, u, l.Why)
	}
	return append(landsBadly(c, u, l), writesThrough(c, at, u, l)...)
}

// unseen asks about files whose names are not known.
func unseen(c facts.Facts, u *facts.Unit, r verdict.Reason) []verdict.Question {
	r.Part, r.What, r.Of = u.Text(), c.Doer(u.Sub()), u.Sub()
	return []verdict.Question{must(verdict.Control, "unseen-contents", r)}
}

// immuneGlobbed asks where an option of the shell may make a pattern find names
// with a dot, which are then copied into a folder.
func immuneGlobbed(c facts.Facts, u *facts.Unit) []verdict.Question {
	x := u.Effect().Expands
	if x == nil || x.Into == "" {
		return nil
	}
	into := c.World().Path(x.Into)
	place := c.Guard().Holds(into)
	if place == "" || !c.Script().TouchesGlobs() {
		return nil
	}
	return unseen(c, u, verdict.Reason{Text: "changes what globs match, and puts what one matches into",
		Target: facts.Quoted(c.Policy(), into.Given), Why: place, Way: "Try naming the files"})
}

// immuneUnseen asks where names that are not known could replace what matters.
func immuneUnseen(c facts.Facts, u *facts.Unit, unknown string) []verdict.Question {
	dir, in := u.Hit(), u.Effect().Contents
	place := c.Guard().MayHold(dir, in)
	if place == "" {
		return nil
	}
	into, from := facts.Quoted(c.Policy(), dir.Given), ""
	if in.From != "" {
		from = facts.Quoted(c.Policy(), in.From)
	}
	r := verdict.Reason{Text: "puts files into", Target: into, Way: "Try a new folder, " +
		facts.Quoted(c.Policy(), path.Join(dir.Given, "new")) + ", then move what you need from there"}
	switch patch := in.Kind == bashsafety.FromPatch; {
	case patch && from != "":
		r.Text, r.Target, r.Way = "changes the files that", from+" names", "Try it in a later call, when "+from+" is there"
	case patch:
		r.Text, r.Way = "changes files in", ""
	case from != "":
		r.Text = "puts files from " + from + " into"
	}
	r.Why = "they cannot be checked, because " + unknown + ", and " + strings.TrimPrefix(place, "they ")
	return unseen(c, u, r)
}

// landsBadly asks about the first known name that is sensitive where it ends up.
// What is only copied from one folder to another matters where something is
// read from: in the project, the home, or over what is there.
func landsBadly(c facts.Facts, u *facts.Unit, l *world.Listing) []verdict.Question {
	in := u.Effect().Contents
	if c.World().Temporary(u.Hit()) && c.Guard().Holds(u.Hit()) == "" {
		return nil
	}
	copied := in.Kind == bashsafety.FromFolder
	for _, name := range l.Names {
		given := world.Landing(u.Hit().Given, name, in)
		if given == "" || strings.ContainsRune(name, 0) {
			continue
		}
		to := c.World().Landed(given)
		if why := c.Guard().SensitiveAt(to, copied); why != "" {
			return lands(c, u, to.Given, facts.Quoted(c.Policy(), to.Given), why)
		}
	}
	return nil
}

// writesThrough asks where the same text writes through a symlink that comes out of
// an archive: where that leads only the run will show.
func writesThrough(c facts.Facts, at int, u *facts.Unit, l *world.Listing) []verdict.Question {
	script := c.Script()
	if u.Effect().Contents.Kind == bashsafety.FromFolder {
		return nil
	}
	for _, name := range l.Links {
		link := world.Landing(u.Hit().Given, name, u.Effect().Contents)
		for i := range script.Subcommands {
			if link == "" || i == at {
				continue
			}
			for j := range script.Subcommands[i].Effects {
				e := &script.Subcommands[i].Effects[j]
				if e.Kind == bashsafety.Write && e.Path != "" &&
					rules.Within(world.FoldPath(path.Clean(e.Path)), world.FoldPath(link)) {
					return unseen(c, u, verdict.Reason{Text: "creates the symlink", Target: say.Quoted(link),
						Why: "which the same command writes through", Way: "Try writing there in a separate command"})
				}
			}
		}
	}
	return nil
}

// landsAnywhere asks about known names that are sensitive in any folder.
func landsAnywhere(c facts.Facts, at int, u *facts.Unit) []verdict.Question {
	in := u.Effect().Contents
	if in.Kind == bashsafety.FromFolder || in.From == "" && !in.Stdin {
		return nil
	}
	l := c.Guard().Contents(at, in)
	for i := 0; i < len(l.Names) && l.Why == ""; i++ {
		if to := world.Landing("/", l.Names[i], in); to != "" && guard.SensitivePath(to) != "" {
			return lands(c, u, to, say.Quoted(to[1:])+" into a folder that it does not name", guard.SensitivePath(to))
		}
	}
	return nil
}

// lands asks about a sensitive file that comes from an archive, a patch or a folder.
func lands(c facts.Facts, u *facts.Unit, part, target, why string) []verdict.Question {
	from := "what it is given"
	switch in := u.Effect().Contents; {
	case in.From != "":
		from = facts.Quoted(c.Policy(), in.From)
	case in.Kind == bashsafety.FromPatch:
		from = "the patch"
	}
	return []verdict.Question{must(verdict.Control, "sensitive-path", verdict.Reason{Part: part, What: c.Doer(u.Sub()),
		Text: "takes from " + from + " and writes", Target: target, Why: "which " + why, Way: "Try it without that file"})}
}

// mayTouch is the question about a rule that speaks of a mention.
func mayTouch(c facts.Facts, o *facts.Opening, list string, r *rules.Rule, m *facts.Mention) verdict.Reason {
	v := couldBe(c, o.Sub, r, facts.Spell(o.Sub.Argv))
	v.Text, v.Target = "may touch", facts.Quoted(c.Policy(), m.Text)
	v.Why, v.Way = "which "+words.Speaks(list, r), "Try naming the files it touches"
	return v
}
