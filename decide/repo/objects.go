package repo

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// How much is read of a repository's objects.
const (
	maxPackIndex = 32 << 20  // of the lists of all packs
	maxPack      = 32 << 20  // of a pack that holds an object to be read
	wholePack    = 512 << 10 // of one that is read at once: opening it for each object takes longer
	maxRefs      = 1 << 20   // of packed-refs
)

// committed reports whether the index is what HEAD names, by what it says itself of the tree that it makes.
func (b *backup) committed() bool {
	if b.atHead == nil {
		b.atHead = new(b.isCommitted())
	}
	return *b.atHead
}

func (b *backup) isCommitted() bool {
	if b.index = b.Index(b.repo.Root); b.index == nil || b.index.hash != 20 {
		return false
	}
	root, id := b.index.whole(), b.head()
	if len(root) != 20 || len(id) != 20 {
		return false
	}
	return bytes.HasPrefix(b.object(id, "commit"), []byte("tree "+hex.EncodeToString(root)+"\n"))
}

// head is the commit that HEAD names, by a branch or by itself.
func (b *backup) head() []byte {
	if packed, ok := b.packedRefs(); !ok || strings.Contains(packed, " refs/replace/") {
		return nil
	}
	line, ok := b.git.Line(path.Join(b.repo.Dir, "HEAD"))
	if branch, named := strings.CutPrefix(line, "ref: "); ok && named {
		if !strings.HasPrefix(branch, "refs/heads/") || path.Clean(branch) != branch {
			return nil
		}
		return b.ref(branch)
	}
	id, err := hex.DecodeString(line)
	if !ok || err != nil {
		return nil
	}
	return id
}

// packedRefs is the file of all references that have none of their own, "" without it; it is read once.
func (b *backup) packedRefs() (text string, ok bool) {
	if b.refs == nil {
		data, err := b.World.Read(path.Join(b.repo.Common, "packed-refs"), maxRefs)
		b.refs, b.noRefs = new(string(data)), err != nil && !world.Absent(err)
	}
	return *b.refs, !b.noRefs
}

// packedRef looks a branch up in packed-refs.
func packedRef(text, branch string) (id string, ok bool) {
	for line := range strings.Lines(text) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if name == branch {
			return id, true
		}
	}
	return "", false
}

// loose is the file of an object that is in no pack.
func (b *backup) loose(id []byte) string {
	name := hex.EncodeToString(id)
	return path.Join(b.repo.Common, "objects", name[:2], name[2:])
}

// holds reports whether the repository holds a blob itself: in a pack, whose list is believed, or whole in its own file.
func (b *backup) holds(id []byte) bool {
	if _, _, ok := b.packed(id); ok {
		return true
	}
	return b.object(id, "blob") != nil
}

// object is the content of an object whose name it has; nil where it is not read.
func (b *backup) object(id []byte, kind string) []byte {
	if len(id) != 20 {
		return nil
	}
	if b.World.Exists(b.loose(id)) {
		data, err := b.World.Read(b.loose(id), maxContent)
		if err != nil {
			return nil
		}
		_, content, _ := bytes.Cut(inflate(bytes.NewReader(data), &b.loosely), []byte{0}) // after kind and size
		return named(id, kind, content)
	}
	p, at, ok := b.packed(id)
	if !ok {
		return nil
	}
	var content []byte
	read := func(file io.ReaderAt, _ int64) { content = p.content(file, at, maxDeltas) }
	if p.data == nil && p.size > wholePack && b.World.Parts(p.name, maxPack, read) {
		return named(id, kind, content)
	}
	if p.data == nil {
		p.data, _ = b.World.Read(p.name, maxPack)
	}
	return named(id, kind, p.content(bytes.NewReader(p.data), at, maxDeltas))
}

// maxDeltas is how many objects of a pack may be told one by the other, maxKept how many bytes of them are kept.
const maxDeltas, maxKept = 50, 8 << 20

// content is the object that begins at a place of the pack, which may be told as a difference to another: see git's
// gitformat-pack.adoc.
func (p *pack) content(file io.ReaderAt, at int64, left int) (all []byte) {
	if at < 0 || left == 0 {
		return nil
	}
	if got, ok := p.read[at]; ok {
		return got
	}
	const most = 64 // before what is packed
	open := func(at int64) { p.from.Reset(io.NewSectionReader(file, at, maxPack)) }
	open(at)
	data, _ := p.from.Peek(most)
	known := len(data)
	if known == 0 {
		return nil
	}
	kind := data[0] >> 4 & 7
	for ; len(data) > 0 && data[0]&0x80 != 0; data = data[1:] { // and size
	}
	if data = data[min(1, len(data)):]; len(data) < 20 {
		return nil
	}
	defer func() {
		if p.kept += len(all); p.kept < maxKept {
			p.read[at] = all
		}
	}()
	var base int64
	switch kind {
	case 6: // so many bytes before
		back := int64(data[0] & 0x7f)
		for ; len(data) > 1 && data[0]&0x80 != 0 && back < maxPack; data = data[1:] {
			back = (back+1)<<7 | int64(data[1]&0x7f)
		}
		base, data = at-back, data[1:]
	case 7: // by its name
		var ok bool
		if base, ok = p.find(data[:20]); !ok {
			return nil
		}
		data = data[20:]
	}
	n := known - len(data)
	if kind != 6 && kind != 7 {
		p.from.Discard(n)
		return inflate(&p.from, &p.zip)
	}
	before := p.content(file, base, left-1) // first, so that only one difference is in memory
	open(at + int64(n))
	return patched(before, inflate(&p.from, &p.zip))
}

// patched is what a difference makes of an object; nil where it does not fit.
func patched(base, delta []byte) (all []byte) {
	for range 2 { // sizes
		for ; len(delta) > 0 && delta[0]&0x80 != 0; delta = delta[1:] {
		}
		delta = delta[min(1, len(delta)):]
	}
	for len(delta) > 0 && len(all) < 2*maxContent {
		op := delta[0]
		if delta = delta[1:]; op&0x80 == 0 { // bytes that follow
			if op == 0 || int(op) > len(delta) {
				return nil
			}
			all, delta = append(all, delta[:op]...), delta[op:]
			continue
		}
		var arg [7]int // four bytes of where in the base, three of how many
		for i := range arg {
			if op>>i&1 != 0 && len(delta) > 0 {
				arg[i], delta = int(delta[0]), delta[1:]
			}
		}
		from, n := arg[0]|arg[1]<<8|arg[2]<<16|arg[3]<<24, cmp.Or(arg[4]|arg[5]<<8|arg[6]<<16, 1<<16)
		if from+n > len(base) {
			return nil
		}
		all = append(all, base[from:from+n]...)
	}
	return all
}

// named is the content of an object of that name, nil where it has another.
func named(id []byte, kind string, content []byte) []byte {
	if sum := gitindex.Object(kind, content); !bytes.Equal(sum[:], id) {
		return nil
	}
	return content
}

// inflate is what is packed at the start of data, nil where that is damaged or large. What reads it is kept for the
// next object: it is much larger than most of them.
func inflate(data io.Reader, r *io.ReadCloser) []byte {
	var err error
	if *r == nil {
		*r, err = zlib.NewReader(data)
	} else {
		err = (*r).(zlib.Resetter).Reset(data, nil)
	}
	if err != nil {
		return nil
	}
	content, err := io.ReadAll(io.LimitReader(*r, 2*maxContent))
	if err != nil {
		return nil
	}
	return content
}

// A pack is a file of many objects, with the list of those.
type pack struct {
	name string
	size int64
	list []byte           // git's gitformat-pack.adoc, version 2
	data []byte           // nil until it is read
	read map[int64][]byte // objects that were read, by where they begin
	kept int              // bytes of these
	from bufio.Reader
	zip  io.ReadCloser
}

// packed finds an object in a pack.
func (b *backup) packed(id []byte) (p *pack, at int64, ok bool) {
	packs, read := b.packs[b.repo.Common]
	if !read {
		packs = b.readPacks()
		b.packs[b.repo.Common] = packs
	}
	for i := range packs {
		if at, ok := packs[i].find(id); ok && at+20 < packs[i].size {
			return &packs[i], at, true
		}
	}
	return nil, 0, false
}

// readPacks reads the lists of all packs, none where they are too large.
func (b *backup) readPacks() (all []pack) {
	dir, left := path.Join(b.repo.Common, "objects", "pack"), int64(maxPackIndex)
	names, err := b.World.Names(dir)
	if err != nil {
		return nil
	}
	for _, name := range names {
		base, ok := strings.CutSuffix(path.Join(dir, name), ".idx")
		if !ok {
			continue
		}
		list, err := b.World.Read(base+".idx", left)
		if left -= int64(len(list)); err != nil {
			return nil
		}
		size := b.World.RegularSize(base + ".pack")
		all = append(all, pack{name: base + ".pack", size: size, list: list, read: map[int64][]byte{}})
	}
	return all
}

// find is where an object begins in the pack.
func (p *pack) find(id []byte) (at int64, ok bool) {
	const names = 8 + 256*4 // where they begin, after how many of them begin with each byte or a smaller one
	if len(p.list) < names || !bytes.HasPrefix(p.list, []byte("\xfftOc\x00\x00\x00\x02")) {
		return 0, false
	}
	upTo := func(first int) int { return int(binary.BigEndian.Uint32(p.list[8+4*first:])) }
	n, low := upTo(255), 0
	if id[0] > 0 {
		low = upTo(int(id[0]) - 1)
	}
	high := upTo(int(id[0]))
	if low < 0 || low > high || high > n || n > (len(p.list)-names)/(20+4+4) {
		return 0, false
	}
	name := func(i int) []byte { return p.list[names+20*i:][:20] }
	i := low + sort.Search(high-low, func(i int) bool { return bytes.Compare(name(low+i), id) >= 0 })
	if i >= high || !bytes.Equal(name(i), id) {
		return 0, false
	}
	offset := binary.BigEndian.Uint32(p.list[names+n*(20+4)+4*i:])
	return int64(offset), offset < 1<<31 // beyond that it is in another list
}

// A Tree is what git tracks at and below one path.
type Tree struct {
	Root  string // of the work tree, "" outside of git
	known bool   // the index could be read
	fold  bool   // the file system may hold names in another case
	at    time.Time
	files map[string]*gitindex.Entry
	names *names // what is there; nil until asked
}

// Having says how much git has of a file. The zero value is no knowledge.
type Having uint8

const (
	NotKnown Having = iota
	Unchanged
	Differs // from what git has, or git has nothing
)

// TreeOf reads what git tracks at and below a path whose folder has no symlinks in it.
func (g *Repos) TreeOf(at string) *Tree {
	root := g.RootOf(path.Dir(at))
	if root == "" {
		return &Tree{known: true}
	}
	return g.treeIn(root, at)
}

// treeIn is TreeOf for a path of a work tree, which may be its root.
func (g *Repos) treeIn(root, at string) *Tree {
	t := &Tree{Root: root, known: true, fold: g.World.OS != rules.Linux}
	index := g.Index(root)
	if index == nil {
		t.known = false
		return t
	}
	rel := t.key(at)
	if had := index.trees[rel]; had != nil {
		return had
	}
	index.trees[rel] = t
	t.at, t.files = index.saved, make(map[string]*gitindex.Entry)
	gitindex.Near(index.data, index.hash, rel, func(e *gitindex.Entry) {
		if name := t.key(string(e.Name)); rel == "" || rules.Within(name, rel) {
			t.files[name] = new(*e)
		}
	})
	return t
}

// key is the name of a file in the index.
func (t *Tree) key(at string) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(at, t.Root), "/")
	if t.fold {
		return grammar.FoldPath(rel)
	}
	return rel
}

// Has says how much git has of a file, by what the index says of size and time.
func (t *Tree) Has(at string, info fs.FileInfo) Having {
	if !t.known {
		return NotKnown
	}
	e, tracked := t.files[t.key(at)]
	switch {
	case !tracked:
		return Differs
	case e.Stage != 0 || e.Flagged || info.Mode().IsRegular() != e.Regular():
		return NotKnown
	case e.Size != 0 && e.Size != uint32(info.Size()):
		return Differs
	}
	changed := info.ModTime()
	same := e.Size == uint32(info.Size()) && int64(e.Sec) == changed.Unix() && int64(e.Nsec) == int64(changed.Nanosecond())
	runs := info.Mode()&0o100 != 0 == (e.Mode&0o100 != 0) || t.fold || !e.Regular()
	if !same || !runs || !changed.Before(t.at) {
		return NotKnown
	}
	return Unchanged
}

// Ignores reports whether the repository is certain to ignore a path.
func (g *Repos) Ignores(t *Tree, at string) bool {
	if t.Root == "" || !t.known {
		return false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(at, t.Root), "/")
	return rel != "" && g.Ignored(g.Index(t.Root), rel)
}
