package repo

import (
	"bytes"
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A puts is what git puts in the place of files that it tracks: what the index has, which HEAD may have as well,
// nothing where they are gone, and of others what another commit has, nil where that has none.
type puts struct {
	gone, unknown bool
	others        map[string][]byte
}

// linkMode is what an index says of a symlink.
const linkMode = 0o120000

// same reports whether each file that git tracks at and below a path is as the index has it, or is not there: git does
// not touch one that is. Where git puts something else there it has to hold the content of the file, and no file may be
// there that it does not track.
func (b *backup) same(at string, put *puts) bool {
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
		case e.Mode == linkMode && info.Mode()&fs.ModeSymlink != 0:
			target, err := b.World.Readlink(file)
			if id := gitindex.Blob([]byte(target)); err != nil || string(id[:]) != string(e.ID) || !b.holds(e.ID) {
				return false
			}
		case !b.asIndexed(tree, file, info):
			return false
		case put.changes(name), path.Base(name) == ".gitattributes":
			files = append(files, file)
		}
	}
	if _, alone := tree.files[tree.key(at)]; put.unknown && !alone || b.covers(at, put.others) {
		return false
	}
	return !put.changes("") && len(put.others) == 0 || b.restores(tree, at, files)
}

// changes reports whether git writes or deletes a file that is as the index has it.
func (p *puts) changes(name string) bool {
	_, other := p.others[name]
	return p.gone || p.unknown || other
}

// covers reports whether one of these files comes to where there is another one, or something else, at or below a path.
func (b *backup) covers(at string, files map[string][]byte) bool {
	if len(files) == 0 {
		return false
	}
	tree := b.treeIn(b.repo.Root, b.repo.Root)
	for name, id := range files {
		file := path.Join(b.repo.Root, name)
		_, tracked := tree.files[tree.key(file)]
		if id == nil || tracked || !rules.Within(file, at) {
			continue
		}
		info, err := b.World.Lstat(file)
		if err != nil && world.Absent(err) && b.reached(file) {
			continue
		}
		if err != nil || !info.Mode().IsRegular() {
			return true
		}
		data, err := b.World.Read(file, maxContent)
		if there := gitindex.Blob(data); err != nil || !bytes.Equal(there[:], id) {
			return true
		}
	}
	return false
}

// Covers reports whether a revision has files that HEAD has not, where there are others now: git keeps those only as
// long as it does not ignore them.
func (g *Repos) Covers(dir, revision string) bool {
	b := &backup{Repos: g, repo: g.At(dir), entries: maxEntries}
	if revision == "" || b.repo.Root == "" || b.repo.Bare {
		return false
	}
	var put puts
	return b.differ(b.comes(revision), &put) && b.covers(b.repo.Root, put.others)
}

// comes is the commit that HEAD goes to, or merges, by a name: a branch before a tag, and one that only a remote has.
func (b *backup) comes(name string) []byte {
	line, _ := b.git.Line(path.Join(b.repo.Dir, "HEAD"))
	if branch, on := strings.CutPrefix(line, "ref: refs/heads/"); on && name == "@{u}" {
		name = "origin/" + branch
	}
	if name == "-" || name == "@{-1}" { // where it was before
		log, _ := b.World.Read(path.Join(b.repo.Dir, "logs", "HEAD"), maxRefs)
		_, last, _ := strings.Cut(string(log[max(0, bytes.LastIndex(log, []byte("moving from "))):]), "moving from ")
		name, _, _ = strings.Cut(last, " ")
	}
	for _, where := range [...]string{"refs/heads/", "", "refs/remotes/origin/"} {
		if id := b.commit(where + name); id != nil {
			return id
		}
	}
	return nil
}

// differ adds the files that a commit has otherwise than HEAD; false where that is not known.
func (b *backup) differ(commit []byte, put *puts) bool {
	head := b.head()
	if put.others = map[string][]byte{}; len(head) == 0 || len(commit) == 0 || bytes.Equal(head, commit) {
		return len(head) > 0 && len(commit) > 0
	}
	was, is := b.treeOf(head), b.treeOf(commit)
	return len(was) > 0 && len(is) > 0 && b.differing(was, is, "", put)
}

// treeOf is the tree of a commit.
func (b *backup) treeOf(commit []byte) []byte {
	if trees := objectsAfter("tree", b.object(b.peeled(commit), "commit")); len(trees) == 1 {
		return trees[0]
	}
	return nil
}

// differing adds the files in a folder in which two trees differ, by their names in the work tree.
func (b *backup) differing(was, is []byte, dir string, put *puts) bool {
	if bytes.Equal(was, is) {
		return true
	}
	old, ok := b.entriesOf(was)
	now, ok2 := b.entriesOf(is)
	if !ok || !ok2 {
		return false
	}
	for name := range old {
		if _, both := now[name]; !both {
			now[name] = ""
		}
	}
	for name, e := range now {
		o, at := old[name], path.Join(dir, name)
		if b.World.OS != rules.Linux { // as Tree.key has it
			at = grammar.FoldPath(at)
		}
		switch {
		case o == e:
			continue
		case e.is("160000"), o.is("160000"): // another repository
			put.unknown = true
			continue
		case !e.is("40000") && e != "":
			put.others[at] = e.id()
		case !o.is("40000") && o != "":
			put.others[at] = nil
		}
		var was, is []byte
		if o.is("40000") {
			was = o.id()
		}
		if e.is("40000") {
			is = e.id()
		}
		if !b.differing(was, is, at, put) {
			return false
		}
	}
	return true
}

// A treeEntry is what a tree says of a name: its mode, and after a blank the object.
type treeEntry string

func (e treeEntry) is(mode string) bool { return strings.HasPrefix(string(e), mode+" ") }
func (e treeEntry) id() []byte          { return []byte(e[strings.IndexByte(string(e), ' ')+1:]) }

// entriesOf are the names in a tree, none without one; false where it is not read, or there are too many.
func (b *backup) entriesOf(id []byte) (all map[string]treeEntry, ok bool) {
	all = map[string]treeEntry{}
	if id == nil {
		return all, true
	}
	data := string(b.object(id, "tree"))
	for data != "" {
		mode, rest, _ := strings.Cut(data, " ")
		name, id, ok := strings.Cut(rest, "\x00")
		if b.entries--; !ok || len(id) < 20 || b.entries < 0 {
			return nil, false
		}
		all[name], data = treeEntry(mode+" "+id[:20]), id[20:]
	}
	return all, len(all) > 0
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
