package repo

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"maps"
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
	return b.commitsKept(goes, w) && b.filesKept(dir, goes, w)
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
	tree := g.treeIn(b.repo.Root, b.place(dir, &w.Paths[0]))
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
	at := b.place(dir, &w.Paths[0])
	tree := b.treeIn(b.repo.Root, at)
	return b.commit(w.Paths[0].Text) != nil || len(tree.files) == 0 && (tree.known || !b.World.Exists(at))
}

// filesKept reports whether each file that is taken back is the same in the work tree and where it is taken back to, or
// is not there. goes says that HEAD goes elsewhere.
func (b *backup) filesKept(dir string, goes bool, w *bashsafety.Way) bool {
	from, paths := w.From, w.Paths
	switch {
	case goes && !w.All: // git refuses to lose anything
		return true
	case w.First && !w.Lone && len(paths) > 0:
		// A commit by some name if it is no file.
		if name := paths[0].Text; b.commit(name) != nil || !b.World.Exists(b.place(dir, &paths[0])) {
			from, paths = name, paths[1:]
		}
	}
	put := putsIndex
	switch {
	case from == "":
	case w.Gone:
		put = putsNothing
	case !bytes.Equal(b.commit(from), b.head()):
		put = putsOther
	}
	if whole := w.All && (put != putsIndex || !b.idle()); from != "" && (whole || !b.committed()) {
		return false
	}
	if w.All && !b.same(b.repo.Root, put) {
		return false
	}
	return !slices.ContainsFunc(paths, func(p bashsafety.Word) bool { return !b.same(b.place(dir, &p), put) })
}

// place is where a word of a command that runs in dir leads; what is there is not followed.
func (g *Repos) place(dir string, word *bashsafety.Word) string {
	if at := path.Clean(word.Text); path.IsAbs(at) {
		return path.Join(g.World.Path(path.Dir(at)).Real, path.Base(at))
	}
	return path.Join(dir, word.Text)
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

// What git puts in the place of files that it tracks.
type puts uint8

const (
	putsIndex   puts = iota // what the index has, which HEAD may have as well
	putsNothing             // they are deleted
	putsOther               // what another commit has, and perhaps files that are not tracked now
)

// same reports whether each file that git tracks at and below a path is as the index has it, or is not there: git does
// not touch one that is. Where git puts something else there it has to hold the content of the file, and what may
// write over a file that is not tracked has to be about one file.
func (b *backup) same(at string, put puts) bool {
	if !rules.Within(at, b.repo.Root) || !b.reached(at) {
		return false
	}
	tree, files := b.treeIn(b.repo.Root, at), []string(nil)
	if b.entries -= len(tree.files); !tree.known || b.entries < 0 {
		return false
	}
	for name, e := range tree.files {
		file := path.Join(b.repo.Root, name)
		info, err := b.World.Lstat(file)
		switch {
		case !b.reached(file), err != nil && !world.Absent(err), err != nil && e.Flagged:
			return false
		case err != nil:
		case !b.asIndexed(tree, file, info):
			return false
		default:
			files = append(files, file)
		}
	}
	_, alone := tree.files[tree.key(at)]
	if put == putsOther && !alone && b.World.Exists(at) {
		return false
	}
	return put == putsIndex || b.restores(tree, at, files)
}

// reached reports whether every folder above a path is one, as far as they are there.
func (b *backup) reached(at string) bool {
	dir := b.repo.Root
	for _, part := range strings.Split(b.rel(at), "/") {
		info, err := b.World.Lstat(dir)
		if err != nil || !info.IsDir() {
			return err != nil && world.Absent(err)
		}
		dir = path.Join(dir, part)
	}
	return true
}

// commit is the object that a name stands for; nil where no branch, tag or whole object name is meant, or several are.
func (b *backup) commit(name string) (id []byte) {
	if name == "HEAD" || name == "@" {
		return b.head()
	}
	if id, err := hex.DecodeString(name); err == nil && objectName(name) {
		return id
	}
	if path.Clean(name) != name || path.IsAbs(name) || strings.HasPrefix(name, "..") {
		return nil
	}
	if b.World.Exists(path.Join(b.repo.Dir, name)) && !strings.HasPrefix(name, "refs/") {
		return nil
	}
	for _, form := range [...]string{"*", "refs/*", "refs/tags/*", "refs/heads/*", "refs/remotes/*", "refs/remotes/*/HEAD"} {
		found := b.ref(strings.Replace(form, "*", name, 1))
		if found != nil && id != nil && !bytes.Equal(found, id) {
			return nil
		}
		if found != nil {
			id = found
		}
	}
	return id
}

// ref is the object of a reference, by its whole name; nil without one.
func (b *backup) ref(name string) []byte {
	at := path.Join(b.repo.Common, name)
	line, ok := b.git.Line(at)
	if to, symbolic := strings.CutPrefix(line, "ref: "); ok && symbolic && strings.HasPrefix(to, "refs/remotes/") {
		line, ok = b.git.Line(path.Join(b.repo.Common, to))
		at, name = path.Join(b.repo.Common, to), to
	}
	if !ok && !b.World.Exists(at) {
		packed, _ := b.packedRefs()
		line, ok = packedRef(packed, name)
	}
	id, err := hex.DecodeString(line)
	if !ok || err != nil || len(id) != 20 {
		return nil
	}
	return id
}

// What one call looks at of references and commits.
const (
	maxNames   = 20_000
	maxCommits = 2000
)

// references are the objects of all branches, remote branches and tags, by their whole names.
func (b *backup) references() (ids map[string][]byte, ok bool) {
	ids = map[string][]byte{}
	packed, ok := b.packedRefs()
	if !ok {
		return nil, false
	}
	kinds := []string{"refs/heads", "refs/remotes", "refs/tags"}
	for line := range strings.Lines(packed) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, err := hex.DecodeString(name)
		if err == nil && slices.ContainsFunc(kinds, func(kind string) bool { return rules.Within(rest, kind) }) {
			ids[rest] = id
		}
	}
	for todo := kinds; len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		info, err := b.World.Lstat(path.Join(b.repo.Common, name))
		switch {
		case err != nil && !world.Absent(err):
			return nil, false
		case err == nil && info.IsDir():
			below, err := b.World.Names(path.Join(b.repo.Common, name))
			for _, n := range below {
				todo = append(todo, path.Join(name, n))
			}
			if err != nil || len(ids)+len(todo) > maxNames {
				return nil, false
			}
		case err == nil:
			ids[name] = b.ref(name)
		}
	}
	return ids, true
}

// commitsKept reports whether another branch, remote branch or tag holds each commit of branches that are deleted or
// moved, and of a HEAD that is on none, where it goes elsewhere.
func (b *backup) commitsKept(goes bool, w *bashsafety.Way) bool {
	line, ok := b.git.Line(path.Join(b.repo.Dir, "HEAD"))
	detached := goes && (!ok || !strings.HasPrefix(line, "ref: "))
	if w.Lone && detached {
		detached = !bytes.Equal(b.commit(w.Paths[0].Text), b.head())
	}
	if len(w.Branches) == 0 && !detached {
		return true
	}
	ids, ok := b.references()
	if !ok {
		return false
	}
	moved := make([]bool, len(w.Branches))
	var held, tips [][]byte
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		id := ids[name]
		is := func(branch string) bool { return strings.EqualFold(name, "refs/heads/"+branch) }
		switch i := slices.IndexFunc(w.Branches, is); {
		case i < 0:
			held = append(held, id)
		case id == nil:
			return false
		default:
			moved[i] = true
			tips = append(tips, id)
		}
	}
	for i, branch := range w.Branches { // one that is there and was not seen has another name
		there := b.World.Exists(path.Join(b.repo.Common, "refs/heads", branch))
		if by := strings.Contains(branch, "@{") || branch == "@" || branch == "-"; by || there && !moved[i] {
			return false
		}
	}
	if w.To != "" {
		held = append(held, b.commit(w.To))
	}
	if detached {
		tips = append(tips, b.head())
	}
	return b.reach(held, tips)
}

// reach reports whether all of some commits are among others or those before them, as far as they are read.
func (b *backup) reach(from, want [][]byte) bool {
	missing := map[string]bool{}
	for _, id := range want {
		missing[string(id)] = true
	}
	seen := map[string]bool{}
	for ; len(from) > 0 && len(missing) > 0 && len(seen) < maxCommits; from = from[1:] {
		id := from[0]
		if len(id) != 20 || seen[string(id)] {
			continue
		}
		seen[string(id)] = true
		if delete(missing, string(id)); len(missing) == 0 {
			break
		}
		content := b.object(id, "commit")
		if content == nil {
			content = b.object(id, "tag")
		}
		head, _, _ := strings.Cut(string(content), "\n\n")
		for line := range strings.Lines(head) {
			if key, name, _ := strings.Cut(strings.TrimSpace(line), " "); key == "parent" || key == "object" {
				id, _ := hex.DecodeString(name)
				from = append(from, id)
			}
		}
	}
	return len(missing) == 0
}

// Untracked lists what git clean may delete: files that git does not track, and folders that hold none that it tracks.
func (g *Repos) Untracked(dir string, w *bashsafety.Way) (names []string, index *Index, ok bool) {
	b := g.backupOf(g.At(dir))
	if b == nil || !b.sound {
		return nil, nil, false
	}
	starts := []string{dir}
	if len(w.Paths) > 0 {
		starts = nil
	}
	for i := range w.Paths {
		starts = append(starts, b.place(dir, &w.Paths[i]))
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
