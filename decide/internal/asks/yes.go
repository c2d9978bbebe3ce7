package asks

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
	"github.com/tidwall/gjson"
)

// saidYes is why it is sound not to ask such a question.
const SaidYes = "the person said yes to this very question in this session, and its target is still what it was"

// asRemembered is what a question says of its target, none where a yes to it is not remembered.
func asRemembered(t say.Target) []say.Target {
	if t == (say.Target{}) {
		return nil
	}
	return []say.Target{t}
}

// PlaceTarget is step 3b's question about a part, none where its target is not one file or folder that stays what it
// is: a pattern, what is only known at run time, another name of a file, or a path where the same text may put a
// link.
func PlaceTarget(c facts.Facts, u *facts.Unit) say.Target {
	e, place := u.Effect(), u.Hit()
	if !u.Write() && u.Subject().Path != nil {
		place = *u.Subject().Path
	}
	literal := e == nil || e.Known && !e.Glob && e.Patch == nil
	if !c.Remembers() || place.Given == "" || !literal || u.Access() {
		return say.Target{}
	}
	if elsewhere(c, u.Sub()) || e != nil && otherAct(u.Sub(), e) {
		return say.Target{}
	}
	if c.World().Blind() || c.Guard().Planted(u.Target()) {
		return say.Target{}
	}
	below, folder := e != nil && (e.Recursive || e.Contents != nil), c.World().Directory(place.Real)
	q := say.Target{Kind: facts.YesWrite, Given: place.Given, Real: place.Real, Folder: folderOf(c, u, place, below || folder)}
	switch removes := e != nil && e.Kind == bashsafety.Delete; {
	case removes && (below || folder):
		return say.Target{} // a tree is gone after it
	case removes:
		q.Kind = facts.YesDelete
	case below && u.Write():
		q.Kind = facts.YesFolder
	case !u.Write() && (below || folder) && !namesOnly(c, u):
		q.Kind = facts.YesSearch
	case !u.Write():
		q.Kind = facts.YesRead
	}
	if folder && place.Given == place.Real || !folder && c.World().OneLink(place.Real) {
		return q
	}
	return say.Target{}
}

// folderOf is the folder of which two yeses are to all files like this one, "" where it is like no other.
func folderOf(c facts.Facts, u *facts.Unit, place rules.Path, folder bool) string {
	t := &guard.Target{Hit: place, Sub: u.Sub(), Effect: u.Effect()}
	switch makes := u.Sub() != nil && u.Sub().Program == "mkdir"; {
	case c.Guard().Sensitive(t) != "":
		return ContentTarget(c, u).Folder
	case makes, folder, place.Given != place.Real, guard.AutorunBy(t) != nil, guard.SecretPath(place.Real) != nil:
		return ""
	}
	return c.World().OurFolder(path.Dir(place.Real))
}

// namesOnly reports whether nothing but names is shown of a folder that a part reads.
func namesOnly(c facts.Facts, u *facts.Unit) bool {
	if u.Sub() != nil {
		return facts.ListsNames(u.Sub().Program)
	}
	return c.Call().Tool == "Glob" || c.Call().Tool == "LS"
}

// elsewhere reports whether a command runs on another machine, under another one, which may give it another root or
// user, or is read in a script of the project.
func elsewhere(c facts.Facts, sub *bashsafety.Subcommand) bool {
	if sub == nil {
		return false
	}
	return !sub.Here() || sub.Script != nil || facts.Launched(sub) || c.Script().Sourced(sub)
}

// otherAct reports whether an effect is neither that a file gets contents nor that they are shown: its mode or owner
// changes, something is mounted there, a link comes in its place, or it is run.
func otherAct(sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	runs := func(o bashsafety.Effect) bool { return o.Kind == bashsafety.Execute && o.Path == e.Path }
	if e.Itself || sub.ChangesMode() {
		return true
	}
	return e.Loads || sub.MakesSymlinks() || slices.ContainsFunc(sub.Effects, runs)
}

// ContentTarget is step 2's question about prose that an agent program loads, none for any other sensitive place:
// one edit of one file with one name, whose text is and stays prose.
func ContentTarget(c facts.Facts, u *facts.Unit) say.Target {
	if !c.Remembers() || !u.Write() || u.Sub() != nil || c.World().Blind() {
		return say.Target{}
	}
	if !c.World().OneLink(u.Hit().Real) || !c.Guard().ContentOnly(u.Target()) {
		return say.Target{}
	}
	old, err := c.World().Read(u.Hit().Real, maxProse)
	if err != nil && c.World().Exists(u.Hit().Real) || !guard.Prose(string(old)) || !writesProse(c, string(old)) {
		return say.Target{}
	}
	return say.Target{Kind: facts.YesContent, Given: u.Hit().Given, Real: u.Hit().Real, Folder: proseFolder(u.Hit())}
}

// proseFolder is the folder of a skill, or of the commands of an agent program, that a file is one of, "" for none.
func proseFolder(p rules.Path) string {
	for dir := path.Dir(p.Real); p.Given == p.Real && len(dir) > 1; dir = path.Dir(dir) {
		above := path.Dir(dir)
		skill := path.Base(above) == "skills" && path.Base(path.Dir(above))[0] == '.'
		if skill || path.Base(dir) == "commands" && path.Base(above)[0] == '.' {
			return dir
		}
	}
	return ""
}

// maxProse bounds a file of prose, in bytes.
const maxProse = 256 << 10

// writesProse reports whether an edit of a text leaves prose, by the fields that Edit and Write are known to have.
func writesProse(c facts.Facts, old string) bool {
	in := c.Call().Input
	switch c.Call().Tool {
	case "Write":
		text := in.Get("content")
		return text.Type == gjson.String && guard.Prose(text.Str)
	case "Edit":
		all := in.Get("edits").Array()
		if len(all) == 0 || in.Get("old_string").Exists() {
			all = append(all, in)
		}
		text := strings.ReplaceAll(old, "\r\n", "\n")
		for i := range all {
			var ok bool
			if text, ok = editedProse(text, all[i], i+1 < len(all)); !ok {
				return false
			}
		}
		return true
	}
	return false
}

// editedProse makes one edit in a text, more of them to come. ok is false where that may leave something else than
// prose.
func editedProse(old string, e gjson.Result, more bool) (text string, ok bool) {
	from, to, n := e.Get("old_string"), e.Get("new_string"), 1
	switch all := e.Get("replace_all"); {
	case from.Type != gjson.String || to.Type != gjson.String, all.Exists() && !all.IsBool():
		return "", false
	case from.Str != "" && !strings.Contains(old, from.Str):
		return "", false
	case all.Bool():
		n = -1
	}
	if line := from.Str + "\n"; to.Str == "" && strings.Contains(old, line) { // a program may take the end of the line along
		if more || !guard.Prose(strings.Replace(old, line, "", n)) {
			return "", false
		}
	}
	text = strings.Replace(old, from.Str, to.Str, n)
	return text, guard.Prose(to.Str) && guard.Prose(text)
}

// RepositoryTarget is step 2's question about a git command in another repository, none where more than the
// repository says what it runs: options, variables, another part of the text.
func RepositoryTarget(c facts.Facts, s *bashsafety.Subcommand, e *bashsafety.Effect) say.Target {
	if !c.Remembers() || e.Kind != bashsafety.GitChange || !e.Known || c.World().Blind() {
		return say.Target{}
	}
	if elsewhere(c, s) || s.Program != "git" || !s.ByName() || len(s.PatternBlockers) > 0 {
		return say.Target{}
	}
	form, dir := s.Call.Alike(), c.World().EffectPath(e)
	r := c.Repos().At(dir.Real)
	if form == "" || r.Root == "" || c.Replanted(r, dir, nil) != "" {
		return say.Target{}
	}
	if _, why := c.Repos().Variables(s, r); why != "" || len(s.Assigns) > 0 || s.Fed {
		return say.Target{}
	}
	var also []string
	if verb := s.GitVerb(); verb == "push" || verb == "pull" || verb == "fetch" {
		moves := func(o bashsafety.Subcommand) bool { // settings, or which branch is checked out
			const not = "add,commit,tag,stash,stash push,stash pop,fetch,push,pull,rm,mv,restore,merge,cherry-pick"
			return o.Does(bashsafety.GitChange) && !slices.Contains(strings.Split(not, ","), o.GitVerb())
		}
		switch name := s.Call.Operand(0); {
		case s.Call.Has("repo", "multiple", "m"), name != nil && !c.Repos().Remote(r, name.Text):
			return say.Target{}
		case slices.ContainsFunc(c.Script().Subcommands, moves):
			form += "\n" + c.Call().Command
		}
		also = append(also, path.Join(r.Dir, "HEAD")) // may say what branch it is about
	}
	stamp := c.Repos().Stamp(r, form, also...)
	if stamp == "" {
		return say.Target{}
	}
	return say.Target{Kind: facts.YesGit + " " + s.GitVerb(), Given: r.Root, Real: dir.Real, Stamp: stamp}
}
