package world

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// Path returns the two forms of an absolute, clean path. Resolution is
// memoised for one call only: a cache that outlives it would be a hole.
func (w *World) Path(given string) rules.Path {
	if w.FS == nil || given == "" || strings.ContainsRune(given, 0) {
		return rules.Path{Given: given, Real: given}
	}
	real, ok := w.real[given]
	if !ok {
		real = w.OS.Canon(load.Resolve(w.FS, given))
		if w.real == nil {
			w.real = make(map[string]string, 8)
		}
		w.real[given] = real
	}
	return rules.Path{Given: given, Real: real}
}

// ToolPath returns both forms of a path as a tool sent it.
func (w *World) ToolPath(sent string) rules.Path { return w.PathIn(sent, w.Dir) }

// PathIn is ToolPath with another base for relative paths.
func (w *World) PathIn(sent, base string) rules.Path {
	clean, _ := w.OS.Clean(sent, base, w.Home.Given)
	return w.Path(clean)
}

// EffectPath returns both forms of the path of an effect. Real is where the
// kernel goes, which follows .. after a symlink from where that leads.
func (w *World) EffectPath(e *bashsafety.Effect) rules.Path {
	given := e.Path
	if e.Known { // root and cwd of a process are other names, .. after them too
		whole := given
		if e.Raw != "" {
			whole = e.Raw
		}
		if strings.Contains(whole, "/proc/") {
			given = rules.CleanPath(whole, w.Cwd.Given, w.Home.Given)
		}
	}
	if w.OS != rules.Linux {
		given, _ = w.OS.Effect(given, e.Raw, w.Cwd.Given, e.Glob)
	}
	p := w.Path(given)
	if e.Raw != "" && w.FS != nil && (w.OS != rules.Windows || !strings.ContainsAny(e.Raw, `:\`)) {
		p.Real = w.OS.Canon(load.Follow(w.FS, e.Raw))
	}
	return p
}

// Landed is where a name ends up on the disk: symlinks that are there are followed.
func (w *World) Landed(given string) rules.Path {
	dir := path.Dir(given)
	if w.FS == nil || w.folders > maxPlaces {
		return rules.Path{Given: given, Real: given}
	}
	if _, had := w.real[dir]; !had {
		w.folders++
	}
	if p := w.Path(dir); p.Real == p.Given && !w.Exists(given) {
		return rules.Path{Given: given, Real: given}
	}
	return w.Path(given)
}

// Inside reports whether both forms of p lie in the workspace. A symlink in the
// workspace that leads out of it is outside, and so is a way in from outside.
func (w *World) Inside(p rules.Path) bool {
	return w.Under(p.Given) && w.Under(p.Real)
}

// Under reports whether one form of a path lies in the workspace.
func (w *World) Under(name string) bool {
	return slices.ContainsFunc(w.Roots, func(r rules.Path) bool {
		return rules.Within(name, r.Given) || rules.Within(name, r.Real)
	})
}

// InProject returns the path of p below the project root. No symlink leads
// there: both forms have the same.
func (w *World) InProject(p rules.Path) (rel string, ok bool) {
	root := w.Project
	rel, ok = strings.CutPrefix(p.Real, strings.TrimSuffix(root.Real, "/")+"/")
	if !ok || rel == "" {
		return "", rules.Within(p.Real, root.Real) || rules.Within(p.Given, root.Given)
	}
	for _, form := range [...]string{root.Given, root.Real} {
		if p.Given == path.Join(form, rel) {
			return rel, true
		}
	}
	return "", true
}

// HoldsRoots reports whether the project, or another folder that the session
// works in, lies at or below a path.
func (w *World) HoldsRoots(p rules.Path) bool {
	return slices.ContainsFunc(w.Roots, func(r rules.Path) bool {
		return rules.Within(r.Given, p.Given) || rules.Within(r.Real, p.Real)
	})
}

// AboveOurs reports whether a folder is, or lies above, one that settings are read
// from: the working directory, the project, the home, files of this gate.
func (w *World) AboveOurs(dir rules.Path) bool {
	if dir.Given == "" {
		return false
	}
	ours := []rules.Path{w.Cwd, w.Project, w.Home, w.Path(w.User.Home)}
	for _, g := range w.GateFiles() {
		ours = append(ours, w.Path(g))
	}
	for _, o := range ours {
		for _, form := range [...]string{o.Given, o.Real} {
			if form != "" && (rules.Within(FoldPath(form), FoldPath(dir.Given)) ||
				rules.Within(FoldPath(form), FoldPath(dir.Real))) {
				return true
			}
		}
	}
	return false
}

// GateFiles returns permgate's own files.
func (w *World) GateFiles() []string {
	if w.own == nil && w.Guarded != nil {
		w.own = w.Guarded()
	}
	return w.own
}

// GateFilesFolded returns both forms of permgate's own files, as FoldPath spells them.
func (w *World) GateFilesFolded() []rules.Path {
	if w.ownFolded == nil {
		for _, g := range w.GateFiles() {
			own := w.Path(g)
			w.ownFolded = append(w.ownFolded, rules.Path{Given: FoldPath(own.Given), Real: FoldPath(own.Real)})
		}
	}
	return w.ownFolded
}

// Uncertain says why a path as a tool sent it may be another file than it
// seems, or no file, on the system of this call; "" when it may not. Part is the
// component that this is about, "" for all of them.
func (w *World) Uncertain(sent string) (part, why string) {
	clean, doubt := w.OS.Clean(sent, w.Dir, w.Home.Given)
	if doubt != "" {
		return "", doubt
	}
	return w.odd(clean)
}

// UncertainEffect is uncertain for a path of a shell command.
func (w *World) UncertainEffect(e *bashsafety.Effect) (part, why string) {
	if w.OS == rules.Linux || e.Path == "" || !e.Known && !e.Glob {
		return "", ""
	}
	if e.Kind == bashsafety.Looks && e.Known && w.OS == rules.Windows {
		return uncertainWord(w, e.Path)
	}
	clean, doubt := w.OS.Effect(e.Path, e.Raw, w.Cwd.Given, e.Glob)
	option := w.OS == rules.Windows && e.Kind == bashsafety.Read && strings.LastIndexByte(e.Path, '/') == 0 // /OPTION
	if doubt != "" && !option {
		return "", doubt
	}
	if e.Glob {
		return "", "" // wildcards are no names, and the pattern is compared as one
	}
	return w.odd(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>"|?*`, r) { // a quoted pattern, for the program: no file has such a name
			return 'x'
		}
		return r
	}, clean))
}

// uncertainWord is UncertainEffect for a word that may be a path of Windows or anything else: of most names that mean
// another, that other is what rules were compared with.
func uncertainWord(w *World, clean string) (part, why string) {
	if why := w.OS.Unplaced(clean); why != "" {
		return "", why
	}
	for part := range strings.SplitSeq(clean, "/") {
		if rules.ShortName(part) && (w.AnyDisk || w.Blind() || w.Exists(clean)) {
			return part, w.OS.Odd(part)
		}
	}
	return "", ""
}

// odd looks at the components of a clean path. Those of the workspace itself
// are what the host calls it: they are certain.
func (w *World) odd(clean string) (part, why string) {
	if w.OS == rules.Linux {
		return "", ""
	}
	known := 0
	for _, r := range w.Roots {
		for _, form := range [...]string{r.Given, r.Real} {
			if rules.Within(clean, form) {
				known = max(known, len(form))
			}
		}
	}
	for _, part := range strings.Split(clean[known:], "/") {
		if w.OS == rules.Windows && (part == "http:" || part == "https:") { // a URL; there is no file of such a name, nor below it
			break
		}
		if why := w.OS.Odd(part); why != "" {
			return part, why
		}
	}
	return "", ""
}

// Detour reports whether a path as a tool sent it leads elsewhere when .. is
// followed on the disk, after symlinks, and not taken out of the text first.
// Which of the two a tool does is not known.
func (w *World) Detour(sent string) bool {
	// which takes .. out of the text
	if w.FS == nil || !strings.Contains(sent, "..") || strings.ContainsRune(sent, 0) || w.OS == rules.Windows {
		return false
	}
	raw := sent
	switch home := w.Home.Given; {
	case strings.HasPrefix(sent, "~/") && home != "":
		raw = home + sent[1:]
	case !strings.HasPrefix(sent, "/"):
		raw = w.Dir + "/" + sent
	}
	return w.OS.Canon(load.Follow(w.FS, raw)) != w.ToolPath(sent).Real
}

// BelowRoots reports whether an effect whose path is not known surely lies in the
// workspace as the disk is now: it stays below a folder of it, and no symlink that is
// there leads elsewhere.
func (w *World) BelowRoots(e *bashsafety.Effect) bool {
	return e.Below != "" && w.Inside(w.Path(e.Below)) && w.EachBelow(e, true, w.Inside)
}

// EachBelow reports whether ok holds for everything there is on the disk that a
// path with unknown parts may be or lead through; links says that only symlinks
// are of interest. Where that is more than one call looks at, it does not.
func (w *World) EachBelow(e *bashsafety.Effect, links bool, ok func(rules.Path) bool) bool {
	root := strings.TrimSuffix(e.Below, "/")
	rest, below := strings.CutPrefix(e.Path, root+"/")
	if w.FS == nil || !below {
		return false
	}
	at := []string{root}
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" || part == "." {
			continue
		}
		deep := strings.Contains(part, bashsafety.HoleMark+bashsafety.HoleMark) // it may be several components
		var next []string
		for i := 0; i < len(at); i++ {
			found, known := w.mayLead(at[i], part, deep, links, ok)
			if !known {
				return false
			}
			if next = append(next, found...); deep {
				at = append(at, found...)
			}
		}
		if at = next; deep {
			return true // all below was looked at
		}
	}
	return true
}

// mayLead returns the folders in dir that a component with unknown parts may be;
// known is false where ok does not hold for one of the names.
func (w *World) mayLead(dir, part string, deep, links bool, ok func(rules.Path) bool) (folders []string, known bool) {
	names, known := w.candidates(dir, part)
	if !known {
		return nil, false
	}
	for _, name := range names {
		if !deep && !mayBe(part, name) {
			continue
		}
		at := dir + "/" + name
		info, err := w.FS.Lstat(load.Follow(w.FS, dir+"/") + "/" + name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, false
		}
		link := info.Mode()&fs.ModeSymlink != 0
		if (link || !links) && !ok(w.Path(at)) {
			return nil, false
		}
		if link && deep && w.Directory(at) {
			return nil, false
		}
		if link || info.IsDir() {
			folders = append(folders, at)
		}
	}
	return folders, true
}

// candidates are the names in dir that a component may be: its own, or any where
// part of it is not known.
func (w *World) candidates(dir, part string) (names []string, known bool) {
	if strings.Contains(part, bashsafety.HoleMark) {
		return w.globNames(dir)
	}
	return []string{part}, true
}

// mayBe reports whether a name may be what a component with unknown parts is,
// whatever the file system makes of case.
func mayBe(part, name string) bool {
	i := strings.Index(part, bashsafety.HoleMark)
	if i < 0 {
		return part == name
	}
	part, name = strings.ToLower(part), strings.ToLower(name)
	i, last := strings.Index(part, bashsafety.HoleMark), strings.LastIndex(part, bashsafety.HoleMark)
	return strings.HasPrefix(name, part[:i]) && strings.HasSuffix(name, part[last+1:])
}
