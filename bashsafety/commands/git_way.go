package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Way is a way back of git's: what a command takes back to what git has, deletes or moves. What git does not have of
// it is lost.
type Way struct {
	Paths []shell.Word // what git tracks at and below these, as the folder spells them
	All   bool         // all that git tracks
	// From is the revision that is put there, "" for the index. First is set where the first of Paths is it instead, if
	// that names one, and Lone where it is alone: git goes to a revision then, and refuses to lose what it tracks.
	From        string
	First, Lone bool
	Gone        bool     // the files are deleted in place of that
	Tree        bool     // Paths are a linked work tree, which is deleted with all that is in it
	Leaves      bool     // HEAD goes to another branch or commit, where the command names one
	Brings      string   // a revision whose files come into the work tree, where git refuses to lose what it tracks
	Refs        []string // branches and tags by their whole names, and HEAD, that are deleted, or moved to To
	To          string   // the revision where they are then, "" for none or one that is not known
	Made        bool     // another command of the text may have made commits before
	// Cleans is set where what git does not track is deleted, below Paths or in the folder: Folders with all that is in
	// them, and Ignored what git ignores.
	Cleans, Folders, Ignored bool
}

// gitWays are the git commands that are understood as ways back, with the options that change nothing about what is
// lost: any other makes of it what is not understood.
var gitWays = [...]struct {
	sub, plain string
	read       func(c *Invocation, w *Way) bool
}{
	{"restore", "S staged W worktree q quiet progress no-progress s source", wayOfRestore},
	{"checkout", "q quiet progress no-progress f force b B d detach", wayOfCheckout},
	{"switch", "q quiet progress no-progress f force discard-changes c create C force-create d detach", wayOfSwitch},
	{"reset", "q quiet hard", wayOfReset},
	{"rm", "q quiet r f force", wayOfRm},
	{"branch", "q quiet D d delete f force m move M c copy C", wayOfBranch},
	{"clean", "q quiet d f force x X", wayOfClean},
	{"update-ref", "d create-reflog m", wayOfUpdateRef},
	{"symbolic-ref", "q quiet m", wayOfSymbolicRef},
	{"tag", "d delete f force", wayOfTag},
	{"fetch", "", wayOfFetch},
	{"pull", "", wayOfPull},
	{"merge", "", wayOfMerge},
	{"rebase", "", wayOfMerge},
	{"cherry-pick", "", wayOfMerge},
	{"worktree", "f force", wayOfWorktree},
}

// Way is the way back that a git command is, as far as it is read at all; ok is false where it may do more than that.
func (c *Invocation) Way() (w Way, ok, reads bool) {
	if !c.IsGit() {
		return w, false, false
	}
	for i := range gitWays {
		if g := &gitWays[i]; g.sub == c.Subs[0] {
			odd := func(u Used) bool {
				plain := g.plain
				if !c.means(&u) { // git's own
					plain = "C no-pager"
				}
				return !shell.Among(plain, u.Name) || u.Given && !u.Value.Known
			}
			reads = g.read(c, &w)
			if c.Has("no-overwrite-ignore") {
				w.Brings = ""
			}
			return w, reads && c.Understood() && !slices.ContainsFunc(c.Opts, odd), reads
		}
	}
	return w, false, false
}

// MovesRefs reports whether a git command is one that may move or delete other branches, remote branches and tags than
// its Way says.
func (c *Invocation) MovesRefs() bool {
	switch {
	case !c.IsGit():
		return false
	case shell.Among("fetch pull push", c.Subs[0]):
		return c.Has("p", "P", "prune", "prune-tags", "d", "delete", "f", "force", "mirror")
	}
	_, _, reads := c.Way()
	return c.Subs[0] == "remote" || !reads && shell.Among("tag update-ref symbolic-ref", c.Subs[0])
}

// Commits reports whether a git command may make commits, where HEAD is.
func (c *Invocation) Commits() bool {
	return c.IsGit() && shell.Among("commit merge pull rebase cherry-pick revert am", c.Subs[0])
}

// waySpecs adds operands as paths. Patterns, magic and what is not known, where it is no option for sure, are taken for
// all that git tracks.
func (c *Invocation) waySpecs(w *Way, operands []int) bool {
	for _, i := range operands {
		switch word := c.Argv[i]; {
		case !word.Known && (c.DashDash == 0 || i < c.DashDash), word.Known && word.Text == "":
			return false
		case !word.Known, strings.ContainsAny(word.Text, `*?[\`), word.Text[0] == ':':
			w.All = true
		default:
			w.Paths = append(w.Paths, word)
		}
	}
	return true
}

// wayRefs adds operands as names of branches or tags, and reports whether all are known.
func (c *Invocation) wayRefs(w *Way, kind string, operands []int) bool {
	for _, i := range operands {
		w.Refs = append(w.Refs, kind+c.Argv[i].Text)
	}
	return len(operands) > 0 && !slices.ContainsFunc(operands, func(i int) bool { return !c.Argv[i].Known })
}

// wayFrom is the text of an operand or value, "HEAD" without one.
func wayFrom(word *shell.Word) (text string, ok bool) {
	if word == nil {
		return "HEAD", true
	}
	return word.Text, word.Known && word.Text != ""
}

func wayOfRestore(c *Invocation, w *Way) bool {
	ok := true
	if c.Has("S", "staged") {
		w.From = "HEAD"
	}
	if from := c.Option("s", "source"); from != nil {
		w.From, ok = wayFrom(&from.Value)
	}
	return ok && len(c.Operands) > 0 && c.waySpecs(w, c.Operands)
}

func wayOfCheckout(c *Invocation, w *Way) (ok bool) {
	force := c.Has("f", "force")
	if c.Has("orphan") {
		w.Leaves = true
		return true
	}
	if c.Has("b", "B") {
		return !force && c.wayTo(w, c.Option("B"))
	}
	n := slices.IndexFunc(c.Operands, func(i int) bool { return i > c.DashDash })
	switch {
	case force: // to a branch
		w.All, w.Leaves = true, len(c.Operands) == 1
		w.From, ok = wayFrom(c.Operand(0))
		return c.DashDash == 0 && ok && len(c.Operands) < 2
	case len(c.Operands) == 0:
		return false
	case c.DashDash == 0, n < 0 && len(c.Operands) == 1: // a revision, where -- ends it
		w.First, w.Lone = true, len(c.Operands) == 1
		if w.Leaves = w.Lone; w.Lone {
			w.Brings = c.Operand(0).Text
		}
		if message := strings.TrimPrefix(w.Brings, ":/"); message != w.Brings && message != "" { // a commit, or paths
			return false
		}
		return c.waySpecs(w, c.Operands) && (!w.Lone || len(w.Paths) == 1 || w.All)
	case n != 0 && n != 1:
		return false
	case n == 1:
		if w.From, ok = wayFrom(c.Operand(0)); !ok {
			return false
		}
	}
	return c.waySpecs(w, c.Operands[n:])
}

// wayTo reads where a branch begins, which is moved there where the option says so.
func (c *Invocation) wayTo(w *Way, moved *Used) (ok bool) {
	if moved != nil {
		w.Refs = []string{"refs/heads/" + moved.Value.Text}
	}
	w.Leaves = len(c.Operands) == 1
	w.To, ok = wayFrom(c.Operand(0))
	w.Brings = w.To
	return ok && len(c.Operands) < 2
}

func wayOfSwitch(c *Invocation, w *Way) (ok bool) {
	force := c.Has("f", "force", "discard-changes")
	if c.Has("orphan") {
		w.Leaves = true
		return true
	}
	if c.Has("c", "create", "C", "force-create") {
		return !force && c.wayTo(w, c.Option("C", "force-create"))
	}
	w.All, w.Leaves = force, true
	if w.From, ok = wayFrom(c.Operand(0)); !force {
		w.Brings = w.From
	}
	return ok && len(c.Operands) == 1
}

func wayOfReset(c *Invocation, w *Way) (ok bool) {
	w.All = true
	if w.From, ok = wayFrom(c.Operand(0)); len(c.Operands) > 0 {
		w.Refs, w.To = []string{"HEAD"}, w.From
	}
	return ok && c.Has("hard") && len(c.Operands) < 2 && c.DashDash == 0
}

func wayOfRm(c *Invocation, w *Way) bool {
	w.From, w.Gone = "HEAD", true
	return len(c.Operands) > 0 && c.waySpecs(w, c.Operands)
}

func wayOfBranch(c *Invocation, w *Way) bool {
	names := c.Operands
	if !c.Has("D", "d", "delete") {
		if !c.Has("f", "force", "M", "C") || len(names) == 0 || len(names) > 2 {
			return false
		}
		at := 0
		if renames := c.Has("m", "move", "M", "c", "copy", "C"); renames { // [OLD] NEW
			at = len(names) - 1
		}
		w.To = "HEAD"
		if len(names) == 2 {
			w.To = c.Argv[names[1-at]].Text
		}
		names = names[at:][:1]
	}
	if c.Has("r", "remotes") {
		return c.wayRefs(w, "refs/remotes/", names)
	}
	return c.wayRefs(w, "refs/heads/", names)
}

func wayOfUpdateRef(c *Invocation, w *Way) (ok bool) {
	if len(c.Operands) == 0 || len(c.Operands) > 3 {
		return false
	}
	if ok = true; !c.Has("d") {
		w.To, ok = wayFrom(c.Operand(1))
	}
	return c.wayRefs(w, "", c.Operands[:1]) && ok
}

func wayOfSymbolicRef(c *Invocation, w *Way) bool {
	name := c.Operand(0)
	if w.Leaves = len(c.Operands) == 2 && name.Text == "HEAD"; len(c.Operands) == 2 && !strings.HasSuffix(name.Text, "HEAD") {
		var ok bool
		w.To, ok = wayFrom(c.Operand(1))
		return c.wayRefs(w, "", c.Operands[:1]) && ok
	}
	return len(c.Operands) > 0
}

func wayOfTag(c *Invocation, w *Way) (ok bool) {
	switch names := c.Operands; {
	case c.Has("d", "delete"):
		return c.wayRefs(w, "refs/tags/", names)
	case !c.Has("f", "force"), len(names) == 0: // of a new one
		return true
	default:
		w.To, ok = wayFrom(c.Operand(1))
		return c.wayRefs(w, "refs/tags/", names[:1]) && ok
	}
}

// wayOfFetch reads the branches and tags here that are moved by force or deleted: those of another remote are kept
// there, as are the tags that --tags fetches.
func wayOfFetch(c *Invocation, w *Way) bool {
	forced := c.Has("f", "force")
	if c.Has("P", "prune-tags") {
		w.Refs = append(w.Refs, "refs/tags/*")
	}
	for n, i := range c.Operands {
		spec, plus := strings.CutPrefix(c.Argv[i].Text, "+")
		_, to, _ := strings.Cut(spec, ":")
		if n > 1 && c.Operand(n-1).Text == "tag" {
			to = "refs/tags/" + spec
		}
		switch kind, _, below := strings.Cut(to, "/"); {
		case n == 0, to == "", !plus && !forced && !c.Has("p", "prune"):
			continue
		case below && shell.Among("heads tags remotes", kind):
			to = "refs/" + to
		case kind != "refs":
			to = "refs/heads/" + to
		}
		if !strings.HasPrefix(to, "refs/remotes/") || c.Operand(0).Text == "." {
			w.Refs = append(w.Refs, to)
		}
	}
	return true
}

func wayOfPull(c *Invocation, w *Way) bool {
	switch branch := c.Operand(1); {
	case len(c.Operands) == 0:
		w.Brings = "@{u}"
	case branch != nil && branch.Known && len(c.Operands) == 2:
		w.Brings = c.Operand(0).Text + "/" + branch.Text
	}
	return wayOfFetch(c, w)
}

func wayOfMerge(c *Invocation, w *Way) bool {
	if len(c.Operands) == 1 {
		w.Brings = c.Operand(0).Text
	}
	return true
}

func wayOfWorktree(c *Invocation, w *Way) (ok bool) {
	switch b := c.Option("B"); {
	case len(c.Subs) != 2:
		return false
	case c.Subs[1] == "remove":
		w.Tree = true
		return len(c.Operands) == 1 && c.waySpecs(w, c.Operands) && !w.All
	case c.Subs[1] == "add" && b != nil:
		w.Refs = []string{"refs/heads/" + b.Value.Text}
		w.To, ok = wayFrom(c.Operand(1))
	}
	return ok
}

func wayOfClean(c *Invocation, w *Way) bool {
	w.Cleans, w.Folders, w.Ignored = true, c.Has("d"), c.Has("x", "X")
	return c.waySpecs(w, c.Operands)
}
