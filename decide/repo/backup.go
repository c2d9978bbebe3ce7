package repo

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A backup is what the project's own repository holds of its work tree, where that is the same in index and HEAD and
// the repository needs no other one. What is not understood is no backup.
type backup struct {
	*Repos
	repo    *Repo
	sound   bool    // nothing says that git has or does something else
	atHead  *bool   // what committed said; nil until asked
	refs    *string // what packedRefs said, and whether it could not be read; nil until asked
	noRefs  bool
	index   *Index
	perm    fs.FileMode   // of a plain file that git makes, as far as the index is one
	rules   []attr        // of files that are not below what is removed
	endings bool          // settings may convert the ends of lines
	entries int           // files and folders that may still be looked at
	bytes   int64         // of files that may still be brought back
	loosely io.ReadCloser // unpacks objects that are in no pack, see inflate
}

// What one call looks at of trees that git may bring back.
const (
	maxEntries = 2000
	maxContent = 4 << 20 // bytes of all files
)

// BringsBack reports whether git can bring back a file of the project, or a folder with everything in it: each file is
// tracked, committed and unchanged, and in the repository itself. keeps says of a path that it must not be lost.
func (g *Repos) BringsBack(at string, keeps func(name string) bool) bool {
	b := g.backupOf(g.At(g.World.Project.Real))
	if b == nil || !b.sound || !b.committed() {
		return false
	}
	tree := g.TreeOf(at)
	if !tree.known || tree.Root != b.repo.Root {
		return false
	}
	if _, file := tree.files[tree.key(at)]; file {
		return !keeps(at) && b.same(at, &puts{gone: true})
	}
	files, ok := b.unchanged(tree, at, keeps)
	return ok && b.restores(tree, at, files)
}

// backupOf is the backup of the project's work tree, or one that is linked to it; nil for others.
func (g *Repos) backupOf(r *Repo) *backup {
	if own := g.At(g.World.Project.Real); r.Root == "" || r.Root != own.Root && !g.OwnWorktree(r) {
		return nil
	}
	b := g.backups[r.Root]
	if b == nil {
		b = &backup{Repos: g, repo: r, entries: maxEntries, bytes: maxContent}
		b.sound = b.alone() && b.complete() && b.configured()
		g.backups[r.Root] = b
	}
	return b
}

// alone reports whether the repository is a plain one of the user's own, where the index is at rest.
func (b *backup) alone() bool {
	r, index := b.repo, path.Join(b.repo.Dir, "index")
	if !b.git.Mine(r) || !r.Linked && r.Dir != path.Join(r.Root, ".git") || b.EnvironRisk() != "" {
		return false
	}
	for _, name := range [...]string{r.Common + "/objects", index, r.Common + "/objects/pack"} {
		if b.git.Foreign(name, !strings.HasSuffix(name, "/pack")) != "" {
			return false
		}
	}
	info, err := b.World.Lstat(index)
	if err != nil || b.World.Exists(index+".lock") {
		return false
	}
	b.perm = info.Mode().Perm()
	return true
}

// complete reports whether nothing says that objects are elsewhere, or others than they seem.
func (b *backup) complete() bool {
	for _, name := range [...]string{"shallow", "info/grafts", "refs/replace", "objects/info/alternates", "objects/info/http-alternates"} {
		if _, err := b.World.Lstat(path.Join(b.repo.Common, name)); err == nil || !world.Absent(err) {
			return false
		}
	}
	names, err := b.World.Names(path.Join(b.repo.Common, "objects/pack"))
	promised := func(name string) bool { return strings.HasSuffix(name, ".promisor") }
	return (err == nil || world.Absent(err)) && !slices.ContainsFunc(names, promised)
}

// text reads a file of git's; one that is not there is empty.
func (b *backup) text(name string) (text string, ok bool) {
	data, err := b.World.Read(name, MaxFile)
	return string(data), err == nil || world.Absent(err)
}

// configured reports whether no setting changes what objects there are, or how files are compared with the index.
func (b *backup) configured() bool {
	common, home := b.repo.Common, b.World.Home.Given
	for _, name := range [...]string{common + "/config", common + "/config.worktree", b.repo.Dir + "/config.worktree"} {
		text, ok := b.text(name)
		all, plain := readConfig(text)
		if !ok || !plain || slices.ContainsFunc(all, movesBackup) {
			return false
		}
		b.endings = b.endings || converts(text)
	}
	files, ok := b.included()
	if dir := b.World.Variable("XDG_CONFIG_HOME"); !ok || dir != "" && dir != home+"/.config" {
		return false
	}
	for _, name := range files {
		text, ok := b.text(name)
		if !ok || namesAny(strings.ToLower(text), "attributesfile", "trustctime", "checkstat", "ignorestat", "promisor", "[attr") {
			return false
		}
		b.endings = b.endings || converts(text)
	}
	for _, name := range [...]string{common + "/info/attributes", home + "/.config/git/attributes",
		"/etc/gitattributes", "/usr/local/etc/gitattributes", "/opt/homebrew/etc/gitattributes"} {
		text, ok := b.text(name)
		if b.rules, ok = readAttributes(b.rules, "", text, ok); !ok {
			return false
		}
	}
	return true
}

// movesBackup reports a setting by which objects or files may be others than they seem.
func movesBackup(s setting) bool {
	switch s.section {
	case "include", "includeif", "attr":
		return true
	case "extensions":
		return s.name != "worktreeconfig"
	case "remote":
		return s.name == "promisor" || s.name == "partialclonefilter"
	case "core":
		return slices.Contains([]string{"worktree", "attributesfile", "trustctime", "checkstat", "ignorestat", "sparsecheckout"}, s.name)
	}
	return false
}

func namesAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// converts reports whether a text may be about the ends of lines.
func converts(text string) bool { return namesAny(strings.ToLower(text), "text", "eol", "crlf") }

// An attr is a line of attributes by which git may write another file than the one that was added.
type attr struct {
	depth   int // components of the folder it is in
	pattern ignorePattern
	endings bool // only in the ends of lines
}

// means reports whether a line may be about a file.
func (a *attr) means(rel string) bool {
	parts := strings.Split(rel, "/")
	if len(parts) <= a.depth {
		return false
	}
	_, maybe := a.pattern.matches(parts[a.depth:])
	return maybe
}

// readAttributes adds the lines of a file of attributes in a folder that git may convert files by. ok is false where
// it cannot be told which files they are about.
func readAttributes(to []attr, dir, text string, read bool) (all []attr, ok bool) {
	depth := 0
	if dir != "" && dir != "." {
		depth = strings.Count(dir, "/") + 1
	}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) })
		all := namesAny(line, "filter", "ident", "encoding")
		if len(words) == 0 || words[0][0] == '#' || !all && !converts(line) {
			continue
		}
		if words[0][0] == '"' || strings.HasPrefix(words[0], "[attr]") {
			return nil, false
		}
		to = append(to, attr{depth, ignorePattern(words[0]), !all})
	}
	return to, read
}

// attributesAbove reads the attributes in the folders above a path. The file there is what git reads now, and the one
// in the index what it reads when it brings files back: they are the same, or the index has none.
func (b *backup) attributesAbove(rel string) (all []attr, ok bool) {
	all = slices.Clone(b.rules)
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		name := path.Join(dir, ".gitattributes")
		text, read := b.text(path.Join(b.repo.Root, name))
		if id, now := b.index.blob(name), gitindex.Blob([]byte(text)); id != "" && id != string(now[:]) {
			return nil, false
		}
		if all, ok = readAttributes(all, dir, text, read); !ok || dir == "." {
			return all, ok
		}
	}
}

// unchanged lists the files of a tree, which are all as the index says; no folder of it is empty. All names are looked
// at first: most that git does not bring back fail by those, and the files need not be asked for.
func (b *backup) unchanged(tree *Tree, top string, keeps func(string) bool) (files []string, ok bool) {
	above, err := b.World.Lstat(top)
	if err != nil || b.World.Mounted(top, above) || above.Mode() != fs.ModeDir|b.runnable() {
		return nil, false
	}
	if tree.names == nil || tree.names.folders[0] != top {
		tree.names = b.namesOf(tree, top, above)
	}
	all := tree.names
	if b.entries -= all.count; !all.known || b.entries < 0 {
		return nil, false
	}
	changed := func(at string) bool {
		info, err := b.World.Lstat(at)
		plain := err == nil && info.Mode().IsRegular() && b.World.SameDevice(info, above)
		return !plain || !b.World.OneLink(at) || !b.asIndexed(tree, at, info)
	}
	lost := func(at string) bool { return grammar.FoldPath(path.Base(at)) == ".git" || keeps(at) }
	if slices.ContainsFunc(all.files, changed) || slices.ContainsFunc(all.folders[1:], lost) || slices.ContainsFunc(all.files, lost) {
		return nil, false
	}
	return all.files, true
}

// names are those at and below a folder.
type names struct {
	files, folders []string
	count          int  // of names that were read
	known          bool // they are all, and all files are tracked
}

// namesOf lists what is in a folder that holds what git tracks alone, in folders as git makes them.
func (b *backup) namesOf(tree *Tree, top string, above fs.FileInfo) *names {
	all, buf, lists := &names{folders: []string{top}}, []byte(nil), [][]string(nil)
	for i := 0; i < len(all.folders); i++ {
		list, err := b.World.Names(all.folders[i])
		if all.count += len(list); err != nil || len(list) == 0 || all.count > maxEntries {
			return all
		}
		files := list[:0]
		for _, name := range list {
			buf = append(append(append(buf[:0], all.folders[i]...), '/'), name...)
			if tree.tracks(buf) {
				files = append(files, name)
				continue
			}
			info, err := b.World.Lstat(string(buf))
			if err != nil || info.Mode() != fs.ModeDir|b.runnable() || !b.World.SameDevice(info, above) {
				return all
			}
			all.folders = append(all.folders, string(buf))
		}
		lists = append(lists, files)
	}
	for i, files := range lists {
		for _, name := range files {
			all.files = append(all.files, all.folders[i]+"/"+name)
		}
	}
	all.known = true
	return all
}

// tracks reports whether git tracks a file of the work tree.
func (t *Tree) tracks(at []byte) bool {
	if t.fold || t.Root == "/" {
		_, ok := t.files[t.key(string(at))]
		return ok
	}
	_, ok := t.files[string(at[len(t.Root)+1:])]
	return ok
}

// runnable is the mode of a folder or program that git makes.
func (b *backup) runnable() fs.FileMode { return b.perm | b.perm&0o444>>2 }

// asIndexed reports whether a file is the one that the index was written for, and nothing touched it since.
func (b *backup) asIndexed(tree *Tree, at string, info fs.FileInfo) bool {
	e, tracked := tree.files[tree.key(at)]
	inode, changed, ok := b.World.Inode(info)
	if !tracked || !ok || !e.Regular() || e.Flagged {
		return false
	}
	perm, wrote := b.perm, info.ModTime()
	if e.Mode&0o111 != 0 {
		perm = b.runnable()
	}
	if info.Mode() != perm || int64(e.Size) != info.Size() || e.Inode != uint32(inode) {
		return false
	}
	times := [...]int64{int64(e.Sec), int64(e.Nsec), int64(e.ChangeSec), int64(e.ChangeNsec)}
	return times == [...]int64{wrote.Unix(), int64(wrote.Nanosecond()), changed.Unix(), int64(changed.Nanosecond())} &&
		wrote.Before(tree.at) && changed.Before(tree.at)
}

// restores reports whether git would write the very content of files again, which are as indexed: their objects are
// there, and nothing converts them. What stat cannot tell is read and hashed.
func (b *backup) restores(tree *Tree, top string, files []string) bool {
	lines, ok := b.attributesAbove(b.rel(top))
	for _, at := range files {
		if grammar.FoldPath(path.Base(at)) == ".gitattributes" && ok {
			text, read := b.text(at)
			lines, ok = readAttributes(lines, path.Dir(b.rel(at)), text, read && b.isBlob(tree, at, text))
		}
	}
	if !ok {
		return false
	}
	for _, at := range files {
		e, rel, endings := tree.files[tree.key(at)], b.rel(at), b.endings
		for i := range lines {
			if !lines[i].means(rel) {
				continue
			} else if !lines[i].endings {
				return false
			}
			endings = true
		}
		if b.bytes -= int64(e.Size); b.bytes < 0 || !b.holds(e.ID) {
			return false
		}
		if !endings {
			continue
		}
		data, err := b.World.Read(at, maxContent)
		if err != nil || !b.isBlob(tree, at, string(data)) {
			return false
		}
	}
	return true
}

// isBlob reports whether the content of a file is what the index names.
func (b *backup) isBlob(tree *Tree, at, content string) bool {
	id := gitindex.Blob([]byte(content))
	return string(tree.files[tree.key(at)].ID) == string(id[:])
}

// rel is a path below the root of the work tree.
func (b *backup) rel(at string) string {
	return strings.TrimPrefix(strings.TrimPrefix(at, b.repo.Root), "/")
}
