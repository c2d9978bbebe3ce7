package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// immuneContents asks about what an archive, a patch, a copied folder or another
// machine puts below a folder: by name where the names are known, else where the
// folder holds, or could come to hold, what is asked about.
func (c *Case) immuneContents(u *unit) (v Verdict, asks bool) {
	e := u.effect
	if e == nil || e.Contents == nil || e.Kind != bashsafety.Write || u.subject.Tool != "Edit" {
		return v, false
	}
	at := -1
	if c.Script != nil {
		at = subIndex(c.Script, u.sub)
	}
	switch {
	case at < 0, e.Temp:
		return v, false
	case e.Glob:
		return c.immuneGlobbed(u)
	case !e.Known: // names that are asked about wherever they lie
		return c.landsAnywhere(at, u)
	}
	if e.Contents.Kind == bashsafety.FromFolder {
		if !c.World.Directory(u.hit.Given) && c.guard.Holds(u.hit) == "" {
			return v, false // nothing is there yet
		}
	} else if name := u.sub.MoreOptions(); name != "" {
		return immune("unseen contents", u.text, u.doer()+"reads more options from "+name+
			", so the target of its files is unknown. Try writing the options out"), true
	}
	l := c.guard.Contents(at, e.Contents)
	if l.Why != "" {
		return c.immuneUnseen(u, l.Why)
	}
	if v, asks := c.landsBadly(u, l); asks {
		return v, asks
	}
	return writesThrough(c.Script, at, u, l)
}

// immuneGlobbed asks where an option of the shell may make a pattern find names
// with a dot, which are then copied into a folder.
func (c *Case) immuneGlobbed(u *unit) (v Verdict, asks bool) {
	x := u.effect.Expands
	if x == nil || x.Into == "" {
		return v, false
	}
	into := c.World.Path(x.Into)
	place := c.guard.Holds(into)
	if place == "" || !c.Script.TouchesGlobs() {
		return v, false
	}
	return immune("unseen contents", u.text, u.doer()+"puts files that match a glob into "+quoted(into.Given)+
		", and the command changes what globs match. "+place+". Try naming the files"), true
}

// immuneUnseen asks where names that are not known could replace what matters.
func (c *Case) immuneUnseen(u *unit, unknown string) (v Verdict, asks bool) {
	dir, in := u.hit, u.effect.Contents
	place := c.guard.MayHold(dir, in)
	if place == "" {
		return v, false
	}
	what := "files"
	if in.From != "" {
		what = "the contents of " + quoted(in.From)
	}
	return immune("unseen contents", u.text, u.doer()+"puts "+what+" into "+quoted(dir.Given)+
		", and the file names are unknown because "+unknown+". "+place+". Try a new folder, "+
		quoted(path.Join(dir.Given, "new"))+", then move what you need from there"), true
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
func (c *Case) landsBadly(u *unit, l *world.Listing) (v Verdict, asks bool) {
	in := u.effect.Contents
	if c.World.Temporary(u.hit) && c.guard.Holds(u.hit) == "" {
		return v, false
	}
	copied := in.Kind == bashsafety.FromFolder
	for _, name := range l.Names {
		given := world.Landing(u.hit.Given, name, in)
		if given == "" || strings.ContainsRune(name, 0) {
			continue
		}
		to := c.World.Landed(given)
		if why := c.guard.SensitiveAt(to, copied); why != "" {
			return immune("sensitive path", to.Given,
				u.doer()+"writes "+quoted(to.Given)+", which is in "+c.named(u)+": "+why+
					". Ask the user to make this change, or leave it out"), true
		}
	}
	return v, false
}

// writesThrough asks where the same text writes behind a symlink that comes out of
// an archive: where that leads only the run will show.
func writesThrough(script *bashsafety.Analysis, at int, u *unit, l *world.Listing) (v Verdict, asks bool) {
	if u.effect.Contents.Kind == bashsafety.FromFolder {
		return v, false
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
					return immune("unseen contents", u.text, u.doer()+"creates the symlink "+quoted(link)+
						", and the same command writes through it. Try writing there in a separate command"), true
				}
			}
		}
	}
	return v, false
}

// landsAnywhere asks about known names that are sensitive in any folder.
func (c *Case) landsAnywhere(at int, u *unit) (v Verdict, asks bool) {
	in := u.effect.Contents
	if in.Kind == bashsafety.FromFolder || in.From == "" && !in.Stdin {
		return v, false
	}
	l := c.guard.Contents(at, in)
	for i := 0; i < len(l.Names) && l.Why == ""; i++ {
		if to := world.Landing("/", l.Names[i], in); to != "" && guard.SensitivePath(to) != "" {
			return immune("sensitive path", to,
				u.doer()+"writes "+quoted(to[1:])+", which is in "+c.named(u)+
					", into a folder only known at run time: "+
					guard.SensitivePath(to)+". Ask the user to make this change, or leave it out"), true
		}
	}
	return v, false
}

// named is what reasons call an archive or folder.
func (c *reading) named(u *unit) string {
	switch in := u.effect.Contents; {
	case in.From != "":
		return quoted(in.From)
	case in.Kind == bashsafety.FromPatch:
		return "the patch"
	}
	return "what it is given"
}
