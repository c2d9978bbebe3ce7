package world

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

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
