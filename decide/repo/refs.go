package repo

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

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
	if i := strings.LastIndexAny(name, "~^"); i > 0 {
		n, err := strconv.ParseUint(cmp.Or(name[i+1:], "1"), 10, 31) // no sign, with which it is a file's
		if other := n > 1 && name[i] == '^'; err != nil || other || n > maxCommits {
			return nil
		}
		id = b.commit(name[:i])
		for ; n > 0; n-- {
			parents := objectsAfter("parent", b.object(b.peeled(id), "commit"))
			if len(parents) == 0 {
				return nil
			}
			id = parents[0]
		}
		return id
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
			ids[name] = nil // a symbolic one holds nothing itself
			if line, _ := b.git.Line(path.Join(b.repo.Common, name)); !strings.HasPrefix(line, "ref: ") {
				ids[name] = b.ref(name)
			}
		}
	}
	return ids, true
}

// commitsKept reports whether another branch, remote branch or tag holds each commit of branches that are deleted or
// moved, and of a HEAD that is on none, where it goes elsewhere.
func (b *backup) commitsKept(goes bool, w *bashsafety.Way) bool {
	line, ok := b.git.Line(path.Join(b.repo.Dir, "HEAD"))
	branch, on := strings.CutPrefix(line, "ref: ")
	var refs []string
	for _, ref := range w.Refs {
		switch {
		case ref != "HEAD":
			refs = append(refs, ref)
		case on:
			refs = append(refs, branch)
		default:
			goes = true
		}
	}
	detached := goes && (!ok || !on)
	if w.Lone && detached {
		detached = w.Made || !bytes.Equal(b.commit(w.Paths[0].Text), b.head())
	}
	if len(refs) == 0 && !detached {
		return true
	}
	if here := on && w.To != "HEAD" && slices.Contains(refs, branch); w.Made && (detached || here) {
		return false
	}
	ids, ok := b.references()
	if !ok {
		return false
	}
	moved := make([]bool, len(refs))
	var held, tips [][]byte
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		id := ids[name]
		is := func(ref string) bool {
			start, end, many := strings.Cut(ref, "*")
			return strings.EqualFold(name, ref) || many && strings.HasPrefix(name, start) && strings.HasSuffix(name, end)
		}
		switch i := slices.IndexFunc(refs, is); {
		case i < 0:
			held = append(held, id)
		case id == nil:
			return false
		default:
			moved[i] = true
			tips = append(tips, id)
		}
	}
	for i, ref := range refs {
		name, id := path.Base(ref), b.ref(ref)
		there := b.World.Exists(path.Join(b.repo.Common, ref))
		switch by := strings.Contains(name, "@{") || name == "@" || name == "-"; {
		case !moved[i] && id != nil: // of another kind
			tips = append(tips, id)
		case by, there && !moved[i]: // one that is there and was not seen has another name
			return false
		}
	}
	if w.To != "" {
		held = append(held, b.commit(w.To))
	}
	if detached {
		tips = append(tips, b.head())
	}
	for i := range tips {
		tips[i] = b.peeled(tips[i])
	}
	return b.reach(held, tips)
}

// peeled is what a tag holds, or an object itself.
func (b *backup) peeled(id []byte) []byte {
	if held := objectsAfter("object", b.object(id, "tag")); len(held) == 1 {
		return held[0]
	}
	return id
}

// objectsAfter are the objects that the head of a commit or a tag names after a word: parent, tree, object.
func objectsAfter(word string, content []byte) (ids [][]byte) {
	head, _, _ := strings.Cut(string(content), "\n\n")
	for line := range strings.Lines(head) {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), word+" "); ok && objectName(name) {
			id, _ := hex.DecodeString(name)
			ids = append(ids, id)
		}
	}
	return ids
}

// reach reports whether all of some commits are among others or those before them, as far as they are read.
func (b *backup) reach(from, want [][]byte) bool {
	missing := map[string]bool{}
	for _, id := range want {
		missing[string(id)] = true
	}
	seen, read := map[string]bool{}, 0
	for ; len(from) > 0 && len(missing) > 0 && len(seen) < maxCommits && read < maxKept; from = from[1:] {
		id := from[0]
		if len(id) != 20 || seen[string(id)] {
			continue
		}
		seen[string(id)] = true
		if delete(missing, string(id)); len(missing) == 0 {
			break
		}
		id = b.peeled(id)
		content := b.object(id, "commit")
		from, read = append(append(from, objectsAfter("parent", content)...), id), read+len(content)
	}
	return len(missing) == 0
}
