package world

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world/archive"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
	"github.com/permgate--owner/permgate/rules/load"
)

// A listing is what an archive, a patch or a folder holds.
type Listing struct {
	Names []string
	Links []string // those that are symlinks
	Why   string   // why the names are not known, "" where they are
}

// ListArchive lists a file; unzip takes x for x.zip where there is no x.
func (w *World) ListArchive(l *Listing, from string) {
	at := w.Path(from).Real
	if !w.Exists(at) && w.Exists(at+".zip") {
		at += ".zip"
	}
	data, err := w.FS.ReadFile(at, archive.MaxBytes)
	if err != nil {
		l.Why = unread(err)
		return
	}
	entries, err := archive.List(data)
	if err != nil {
		l.Why = err.Error()
		return
	}
	for _, e := range entries {
		if l.Names = append(l.Names, e.Name); e.Link {
			l.Links = append(l.Links, e.Name)
		}
		if e.Hard != "" {
			l.Names = append(l.Names, e.Hard)
		}
	}
	l.followed()
}

// unread says why a file was not read.
func unread(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "it does not exist yet"
	}
	return "it cannot be read or is too large to check"
}

// followed takes the names for unknown where some lead through a symlink of the
// same archive.
func (l *Listing) followed() {
	if len(l.Links) == 0 {
		return
	}
	links := make(map[string]bool, len(l.Links))
	for _, name := range l.Links {
		links[FoldPath(path.Clean("/"+name))] = true
	}
	seen := make(map[string]bool, len(l.Names))
	for _, name := range l.Names {
		name = FoldPath(path.Clean("/" + name))
		if links[name] && seen[name] {
			l.Why = "it contains a symlink and a file of the same name"
			return
		}
		seen[name] = true
		for dir := path.Dir(name); dir != "/"; dir = path.Dir(dir) {
			if links[dir] {
				l.Why = "it contains a symlink that leads elsewhere and a file below it"
				return
			}
		}
	}
}

// ListPatch lists the names in a patch, of which the program takes one.
func (w *World) ListPatch(l *Listing, in *bashsafety.Contents, from string) {
	text := in.Text
	if from != "" {
		data, err := w.FS.ReadFile(w.Path(from).Real, archive.MaxBytes)
		if err != nil {
			l.Why = unread(err)
			return
		}
		text = string(data)
	}
	p, ok := bashsafety.ReadPatch(text)
	if !ok {
		l.Why = "it is not a patch permgate can read"
		return
	}
	for _, n := range p.Names {
		if l.Names = append(l.Names, n.Text); n.Link != "" {
			l.Links = append(l.Links, n.Text)
		}
	}
	l.followed()
}

// ListFolder lists what lies below a folder; nothing lies below a file.
func (w *World) ListFolder(l *Listing, from string) {
	root := w.Path(from).Real
	if info, err := w.FS.Lstat(root); err != nil {
		l.Why = "it does not exist yet"
		return
	} else if !info.IsDir() {
		return
	}
	w.listBelow(l, root, "", maxCopiedWith)
}

func (w *World) listBelow(l *Listing, root, dir string, depth int) {
	names, err := w.FS.ReadDir(path.Join(root, dir))
	if err != nil || depth == 0 || len(l.Names)+len(names) > maxTreeNames {
		l.Why = "it cannot be read completely"
		return
	}
	for _, name := range names {
		name = path.Join(dir, name)
		l.Names = append(l.Names, name)
		info, err := w.FS.Lstat(path.Join(root, name))
		if err == nil && info.IsDir() {
			if w.listBelow(l, root, name, depth-1); l.Why != "" {
				return
			}
		} else if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			l.Links = append(l.Links, name)
		}
	}
}

// Landing is where a name ends up below a folder, "" where it is not taken.
func Landing(dir, name string, in *bashsafety.Contents) string {
	if skipped(name, in.Skip) || !taken(name, in.Only) {
		return ""
	}
	abs := strings.HasPrefix(name, "/")
	if in.Free && abs {
		return path.Clean(name)
	}
	if !in.Free {
		name = strings.TrimPrefix(path.Clean("/"+name), "/")
	}
	for n := in.Strip; n > 0; n-- {
		_, rest, ok := strings.Cut(strings.TrimPrefix(name, "./"), "/")
		if !ok {
			return ""
		}
		name = rest
	}
	if in.Flat {
		name = path.Base(name)
	}
	return path.Join(dir, name)
}

// skipped reports whether a pattern leaves a name out: one of its components, or
// all of it.
func skipped(name string, patterns []string) bool {
	for _, p := range patterns {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
		if strings.Contains(p, "/") {
			if rest, ok := strings.CutPrefix(path.Clean("/"+name), path.Clean("/"+p)); ok &&
				(rest == "" || rest[0] == '/') {
				return true
			}
			continue
		}
		for part := range strings.SplitSeq(name, "/") {
			if ok, _ := path.Match(p, part); ok && part != "" && part != "." {
				return true
			}
		}
	}
	return false
}

// taken reports whether a name is among those asked for, or below one of them. A
// pattern may mean any.
func taken(name string, only []string) bool {
	if len(only) == 0 {
		return true
	}
	name = FoldPath(path.Clean("/" + name))
	return slices.ContainsFunc(only, func(o string) bool {
		return strings.ContainsAny(o, "*?[") || rules.Within(name, FoldPath(path.Clean("/"+o)))
	})
}

// What one call may look at to tell what ends up in a folder.
const (
	maxTreeNames  = 8192 // of folders that are copied
	maxPlaces     = 2048 // folders looked at below the target
	maxCopiedWith = 16   // folders within folders
)

// What one call looks at to tell what a command of its text finds, and the longest list of that.
const (
	maxLooked = 40_000
	maxFound  = 512
)

// Finds lists what a command of the text finds, or more: absolute names. tracked are those that git tracks below the
// folder it runs in, skips says of a folder that what is in it does not matter. ok is false where the names are not known:
// there is too much of it, a symlink is where it starts, or who reads the names takes them for something else.
func (w *World) Finds(l *bashsafety.Listing, tracked []string, skips func(dir string) bool) (names []string, ok bool) {
	if w.FS == nil || w.OS == rules.Windows {
		return nil, false
	}
	f := finding{World: w, Listing: l, skips: skips, depth: maxCopiedWith, left: maxLooked}
	f.name, _, f.named = globTokens(l.Name)
	if l.Flat {
		f.depth = 1
	}
	switch {
	case l.Tracked:
		for _, name := range tracked {
			if f.called(path.Base(name)) {
				f.add(name, path.Join(l.Dir, name), nil)
			}
		}
	case len(l.Starts) == 0:
		f.below("", l.Dir, f.depth)
	}
	for _, start := range l.Starts {
		at := start
		if !path.IsAbs(at) {
			at = path.Join(l.Dir, start)
		}
		info, err := w.FS.Lstat(at)
		switch {
		case err != nil && Absent(err):
			continue
		case err != nil || load.Follow(w.FS, at) != path.Clean(at):
			return nil, false
		}
		spelled := strings.TrimRight(start, "/")
		spelled = spelled[strings.LastIndexByte(spelled, '/')+1:]                     // find ../ is called ..
		if l.Files && !info.IsDir() || f.called(path.Base(at)) || f.called(spelled) { // some grep needs no --include then
			f.add(start, at, info)
		}
		if info.IsDir() {
			f.below(strings.TrimSuffix(start, "/")+"/", at, f.depth)
		}
	}
	return f.found, f.left >= 0 && !f.odd && len(f.found) <= maxFound
}

// A finding is one look at what a command finds.
type finding struct {
	*World
	*bashsafety.Listing
	skips       func(dir string) bool
	name        []globToken // the pattern, if it is understood
	named       bool
	depth, left int
	found       []string
	odd         bool // some name is taken for something else, or cannot be looked at
}

// below adds what is in a folder, and below it.
func (f *finding) below(spelled, dir string, depth int) {
	names, err := f.FS.ReadDir(dir)
	if f.left -= len(names) + 1; err != nil || f.left < 0 || depth == 0 {
		f.odd = true
		return
	}
	for _, name := range names {
		at := path.Join(dir, name)
		info, err := f.FS.Lstat(at)
		if err != nil {
			f.odd = true
			continue
		}
		if f.called(name) {
			f.add(spelled+name, at, info)
		}
		if info.IsDir() && !f.Flat && (f.Split || !f.skips(at)) {
			f.below(spelled+name+"/", at, depth-1)
		}
	}
}

// add adds one name, as it is spelled, if it is of a file that the command finds.
func (f *finding) add(spelled, at string, info fs.FileInfo) {
	if info != nil && !f.kind(info) {
		return
	}
	apart := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("'\"\\*?[]{}~$`", r)
	}
	odd := strings.HasPrefix(spelled, "-") || strings.ContainsFunc(spelled, apart) || !utf8.ValidString(spelled)
	f.odd = f.odd || f.Split && odd
	f.found = append(f.found, at)
}

// called reports whether a last component is what is looked for, as far as that is known.
func (f *finding) called(name string) bool {
	return f.Name == "" || !f.named || !grammar.ASCII(name) || globRunes(f.name, []rune(name))
}

// kind reports whether a file is of the kind that is found.
func (f *finding) kind(info fs.FileInfo) bool {
	return (!f.Files || info.Mode().IsRegular()) && (!f.Folders || info.IsDir())
}
