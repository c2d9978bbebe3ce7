package repo

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// Keeps reports whether a way back of git's loses nothing: what it writes over, deletes or moves is what git has, in
// the work tree of the project or one that is linked to it.
func (g *Repos) Keeps(dir string, w *bashsafety.Way) bool {
	b := g.backupOf(g.At(dir))
	if b == nil || !b.sound || w.Cleans {
		return false
	}
	goes := b.goes(dir, w)
	return b.commitsKept(goes, w) && b.filesKept(dir, goes, w) && !g.Covers(dir, w.Brings)
}

// Overwrites reports whether git checkout of one word takes back files that git tracks, and does not go to a branch.
func (g *Repos) Overwrites(dir string, w *bashsafety.Way) bool {
	b := backup{Repos: g, repo: g.At(dir)}
	if b.repo.Root == "" || b.repo.Bare || b.goes(dir, w) {
		return false
	}
	if g.World.OS != rules.Windows { // where files have no numbers
		return true
	}
	tree := g.treeIn(b.repo.Root, b.Place(dir, &w.Paths[0]))
	for name := range tree.files {
		at := path.Join(b.repo.Root, name)
		if info, err := g.World.Lstat(at); err == nil && tree.Has(at, info) != Unchanged {
			return true
		}
	}
	return !tree.known
}

// Leaves reports whether a command moves a branch or HEAD away from commits that no branch, remote branch or tag is
// known to hold afterwards.
func (g *Repos) Leaves(dir string, w *bashsafety.Way) bool {
	b := backup{Repos: g, repo: g.At(dir)}
	return b.repo.Dir != "" && !b.commitsKept(b.goes(dir, w), w)
}

// goes reports whether HEAD leaves the branch or commit that it is at, as it may by any name but that of a file.
func (b *backup) goes(dir string, w *bashsafety.Way) bool {
	if !w.Lone || !w.Leaves {
		return w.Leaves
	}
	if len(w.Paths) != 1 {
		return false
	}
	at := b.Place(dir, &w.Paths[0])
	tree := b.treeIn(b.repo.Root, at)
	return b.commit(w.Paths[0].Text) != nil || len(tree.files) == 0 && (tree.known || !b.World.Exists(at))
}

// filesKept reports whether each file that is taken back is the same in the work tree and where it is taken back to, or
// is not there. goes says that HEAD goes elsewhere.
func (b *backup) filesKept(dir string, goes bool, w *bashsafety.Way) bool {
	from, paths := w.From, w.Paths
	switch {
	case goes && !w.All: // git refuses to lose what it tracks
		return true
	case w.First && !w.Lone && len(paths) > 0:
		// A commit by some name if it is no file.
		if name := paths[0].Text; b.commit(name) != nil || !b.World.Exists(b.Place(dir, &paths[0])) {
			from, paths = name, paths[1:]
		}
	}
	put := puts{gone: w.Gone}
	if from != "" && (w.All && !b.idle() || !b.committed()) {
		return false
	}
	if from != "" && !w.Gone && !b.differ(b.commit(from), &put) {
		put.unknown = true
	}
	if w.All && !b.same(b.repo.Root, &put) {
		return false
	}
	return !slices.ContainsFunc(paths, func(p bashsafety.Word) bool { return !b.same(b.Place(dir, &p), &put) })
}

// Place is where a word of a command that runs in dir leads; what is there is not followed.
func (g *Repos) Place(dir string, word *bashsafety.Word) string {
	if at := path.Clean(word.Text); path.IsAbs(at) {
		return path.Join(g.World.Path(path.Dir(at)).Real, path.Base(at))
	}
	return path.Join(dir, word.Text)
}

// LinkedAt is the linked work tree that a word names: by the end of its path, if one alone has that, as git looks for it
// first, or by a path, which may be a symlink.
func (g *Repos) LinkedAt(dir string, word *bashsafety.Word) string {
	at, common, found := g.World.Path(g.Place(dir, word)).Real, g.At(dir).Common, []string(nil)
	names, _ := g.World.Names(path.Join(common, "worktrees"))
	for _, name := range names {
		line, _ := g.git.Line(path.Join(common, "worktrees", name, "gitdir"))
		if !path.IsAbs(line) {
			line = path.Join(common, "worktrees", name, line)
		}
		if root := path.Dir(line); strings.HasSuffix(root, "/"+strings.TrimRight(word.Text, "/")) {
			found = append(found, g.World.Path(root).Real)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return at
}

// idle reports whether no merge, rebase or the like is in progress.
func (b *backup) idle() bool {
	for _, name := range [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG"} {
		if b.World.Exists(path.Join(b.repo.Dir, name)) {
			return false
		}
	}
	return true
}

// Untracked lists what git clean may delete: files that git does not track, and folders that hold none that it tracks.
func (g *Repos) Untracked(dir string, w *bashsafety.Way) (names []string, index *Index, ok bool) {
	b := g.backupOf(g.At(dir))
	if b == nil || !b.sound {
		return nil, nil, false
	}
	starts := []string{dir}
	switch {
	case w.All:
		starts = []string{b.repo.Root}
	case len(w.Paths) > 0:
		starts = nil
	}
	for i := range w.Paths {
		starts = append(starts, b.Place(dir, &w.Paths[i]))
	}
	tree := b.treeIn(b.repo.Root, b.repo.Root)
	c := cleaning{b, tree, tree.folders(), w.Folders || len(w.Paths) > 0, nil}
	for _, at := range starts {
		if !rules.Within(at, b.repo.Root) || !b.reached(at) || !tree.known || !c.look(at, nil) {
			return nil, nil, false
		}
	}
	return c.found, b.Index(b.repo.Root), true
}

// A cleaning is what git clean finds.
type cleaning struct {
	*backup
	tree    *Tree
	folders map[string]bool // that hold what git tracks
	whole   bool            // folders that hold none of it count
	found   []string
}

// look adds what is at and below a path, false where that is not known.
func (c *cleaning) look(at string, above fs.FileInfo) bool {
	info, err := c.World.Lstat(at)
	if c.entries--; err != nil || c.entries < 0 || above != nil && !c.World.SameDevice(info, above) {
		return err != nil && world.Absent(err)
	}
	_, tracked := c.tree.files[c.tree.key(at)]
	switch holds := c.folders[c.tree.key(at)] || at == c.repo.Root; {
	case tracked, at == path.Join(c.repo.Root, ".git"):
	case info.IsDir() && holds:
		names, err := c.World.Names(at)
		unknown := func(name string) bool { return !c.look(path.Join(at, name), info) }
		return err == nil && !slices.ContainsFunc(names, unknown)
	case !info.IsDir(), c.whole && !c.World.EmptyTree(at): // with an empty folder nothing is lost
		c.found = append(c.found, at)
	}
	return true
}

// folders are those that hold what git tracks.
func (t *Tree) folders() map[string]bool {
	all := map[string]bool{}
	for name := range t.files {
		for dir := path.Dir(name); dir != "." && !all[dir]; dir = path.Dir(dir) {
			all[dir] = true
		}
	}
	return all
}

// Tracked lists what git tracks below a folder, relative to that.
func (g *Repos) Tracked(dir string) (names []string, ok bool) {
	b := g.backupOf(g.At(dir))
	if b == nil || !b.sound {
		return nil, false
	}
	for name := range b.treeIn(b.repo.Root, dir).files {
		names = append(names, strings.TrimPrefix(strings.TrimPrefix(path.Join(b.repo.Root, name), dir), "/"))
	}
	slices.Sort(names)
	return names, g.World.OS == rules.Linux // elsewhere they are compared in another case
}
