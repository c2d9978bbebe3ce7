package decide

import (
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// With "rememberYes" a person is not asked the same twice in a session: what they said yes to in the
// host's own dialog is kept in the session state (internal/gate/state), and takes back the same question
// about the same target. It grants nothing: the other steps answer as if there had been no such question.

// The kinds of targets.
const (
	YesWrite   = "write"
	YesFolder  = "write below" // a folder was shown
	YesDelete  = "delete"
	YesRead    = "read"       // a file, or the names in a folder
	YesSearch  = "read below" // what is in the files of a folder
	YesContent = "edit"
	YesGit     = "git"
)

// A Yes is a question that the person said yes to.
type Yes struct {
	say.Target
	At time.Time
}

// String names the question as messages do.
func (y *Yes) String() string {
	if strings.HasPrefix(y.Kind, YesGit+" ") {
		return y.Kind + " in " + say.Quoted(rules.NativeOS().Native(y.Given))
	}
	return y.Kind + " " + say.Quoted(rules.NativeOS().Native(y.Given))
}

// saidYes is why it is sound not to ask such a question.
const saidYes = "the person said yes to this very question in this session, and its target is still what it was"

// answered reports whether the person said yes to a question about a target. A yes to the content of a file was
// one to writing it, too, wherever it lies.
func (c *Case) answered(q say.Target) bool {
	if q == (say.Target{}) || !c.remembers() || c.Answered == nil {
		return false
	}
	if !c.askedYes {
		c.yes, c.askedYes = c.Answered(), true
	}
	for _, y := range c.yes {
		if y.Kind == YesContent && q.Kind == YesWrite {
			y.Kind = YesWrite
		}
		if y.Target == q {
			if !slices.Contains(c.usedYes, y) {
				c.usedYes = append(c.usedYes, y)
			}
			return true
		}
	}
	return false
}

// remembers reports whether a yes to a question of this call counts later. A subagent under "strict" inherits none.
func (in *Input) remembers() bool {
	known := !in.Call.Alias || in.Call.OfServer() // the program shows a question about such a tool
	return in.Policy.Posture.RememberYes.On() && !in.strict() && known && in.Call.Malformed == ""
}

// asRemembered is what a question says of its target, none where a yes to it is not remembered.
func asRemembered(t say.Target) []say.Target {
	if t == (say.Target{}) {
		return nil
	}
	return []say.Target{t}
}

// yesNotes says what the person said yes to, where that took a question back.
func (c *Case) yesNotes() (notes string) {
	for i := range c.usedYes {
		notes += "; you said yes to " + c.usedYes[i].String() + " at " + c.usedYes[i].At.Local().Format("15:04")
	}
	return notes
}

// placeTarget is step 3b's question about a part, none where its target is not one file or folder that stays what it
// is: a pattern, what is only known at run time, another name of a file, or a path where the same text may put a
// link.
func (c *Case) placeTarget(u *unit) say.Target {
	e, place := u.effect, u.hit
	if !u.write && u.subject.Path != nil {
		place = *u.subject.Path
	}
	literal := e == nil || e.Known && !e.Glob && e.Patch == nil
	if !c.remembers() || place.Given == "" || !literal || u.access {
		return say.Target{}
	}
	if c.elsewhere(u.sub) || e != nil && otherAct(u.sub, e) {
		return say.Target{}
	}
	if c.World.Blind() || c.guard.Planted(u.target()) {
		return say.Target{}
	}
	q := say.Target{Kind: YesWrite, Given: place.Given, Real: place.Real}
	below, folder := e != nil && (e.Recursive || e.Contents != nil), c.World.Directory(place.Real)
	switch removes := e != nil && e.Kind == bashsafety.Delete; {
	case removes && (below || folder):
		return say.Target{} // a tree is gone after it
	case removes:
		q.Kind = YesDelete
	case below && u.write:
		q.Kind = YesFolder
	case !u.write && (below || folder) && !c.namesOnly(u):
		q.Kind = YesSearch
	case !u.write:
		q.Kind = YesRead
	}
	if folder && place.Given == place.Real || !folder && c.World.OneLink(place.Real) {
		return q
	}
	return say.Target{}
}

// namesOnly reports whether nothing but names is shown of a folder that a part reads.
func (c *Case) namesOnly(u *unit) bool {
	if u.sub != nil {
		return listsNames(u.sub.Program)
	}
	return c.Call.Tool == "Glob" || c.Call.Tool == "LS"
}

// elsewhere reports whether a command runs on another machine, under another one, which may give it another root or
// user, or is read in a script of the project.
func (c *Case) elsewhere(sub *bashsafety.Subcommand) bool {
	if sub == nil {
		return false
	}
	return !sub.Here() || sub.Script != nil || launched(sub) || c.Script.Sourced(sub)
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

// contentTarget is step 2's question about prose that an agent program loads, none for any other sensitive place:
// one edit of one file with one name, whose text is and stays prose.
func (c *Case) contentTarget(u *unit) say.Target {
	if !c.remembers() || !u.write || u.sub != nil || c.World.Blind() {
		return say.Target{}
	}
	if !c.World.OneLink(u.hit.Real) || !c.guard.ContentOnly(u.target()) {
		return say.Target{}
	}
	old, err := c.World.Read(u.hit.Real, maxProse)
	if err != nil && c.World.Exists(u.hit.Real) || !guard.Prose(string(old)) || !c.writesProse(string(old)) {
		return say.Target{}
	}
	return say.Target{Kind: YesContent, Given: u.hit.Given, Real: u.hit.Real}
}

// maxProse bounds a file of prose, in bytes.
const maxProse = 256 << 10

// writesProse reports whether an edit of a text leaves prose, by the fields that Edit and Write are known to have.
func (c *Case) writesProse(old string) bool {
	in := c.Call.Input
	switch c.Call.Tool {
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

// repositoryTarget is step 2's question about a git command in another repository, none where more than the
// repository says what it runs: options, variables, another part of the text.
func (c *Case) repositoryTarget(s *bashsafety.Subcommand, e *bashsafety.Effect) say.Target {
	if !c.remembers() || e.Kind != bashsafety.GitChange || !e.Known || c.World.Blind() {
		return say.Target{}
	}
	if c.elsewhere(s) || s.Program != "git" || !s.ByName() || len(s.PatternBlockers) > 0 {
		return say.Target{}
	}
	verb, dir := s.GitVerb(), c.World.EffectPath(e)
	r := c.repos.At(dir.Real)
	if verb == "" || r.Root == "" || c.replanted(r, dir) != "" || c.repos.EnvironRisk() != "" {
		return say.Target{}
	}
	if indexes, why := c.repos.Variables(s, r); why != "" || len(indexes) > 0 {
		return say.Target{}
	}
	stamp := c.repos.Stamp(r)
	if stamp == "" {
		return say.Target{}
	}
	return say.Target{Kind: YesGit + " " + verb, Given: r.Root, Real: r.Root, Stamp: stamp}
}

// Dialog reports whether the person is asked this question in the host's own dialog, and by nothing else: then that the
// call went on is their yes. getenv is the hook's environment.
func (v Verdict) Dialog(told hookio.Answer, getenv func(string) string) bool {
	c := v.of
	if len(v.Why().Targets) == 0 || c.Call.Event != hookio.PreToolUse || hookio.Told(c.Call, told) != hookio.Ask {
		return false
	}
	if c.Policy.Posture.Approver.Value != "" || c.cannotAsk() || !c.hostCanAsk() {
		return false
	}
	return c.Call.Host.Attended(c.hostMode(), getenv) && rules.Component(c.Call.SessionID) && c.Call.CallID != ""
}
