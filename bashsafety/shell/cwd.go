package shell

import "slices"

// maxDirs bounds the directories a command may run in; beyond it the directory
// is unknown.
const maxDirs = 4

// Or is the state after two ways of getting here.
func (c CwdState) Or(o CwdState) CwdState {
	out := CwdState{Moved: c.Moved || o.Moved}
	if len(c.Dirs) == 0 || len(o.Dirs) == 0 {
		known := func(s *CwdState) bool { return s.temp || len(s.Dirs) > 0 }
		if out.temp = known(&c) && known(&o); out.temp {
			out.also = slices.Concat(c.Dirs, c.also, o.Dirs, o.also)
			out.temp = len(out.also) <= maxDirs
		}
		return out
	}
	dirs := c.Dirs
	for _, d := range o.Dirs {
		if !slices.Contains(dirs, d) {
			dirs = append(slices.Clip(dirs), d)
		}
	}
	if len(dirs) <= maxDirs {
		out.Dirs = dirs
	}
	return out
}

// A CwdState is what is known of the working directory at a point of a text.
type CwdState struct {
	// Dirs are the directories the command may run in, absolute and clean; more
	// than one after a cd that may have failed. Empty means unknown.
	Dirs []string
	// Moved is set once any cd was seen.
	Moved bool
	// temp is set where the directory is one that mktemp made, or lies below it,
	// unless it is one of also; dirs is empty then.
	temp bool
	also []string
}

// Moved is the directory state after a change into the directory w.
func Moved(cwd *CwdState, w *Word) *CwdState {
	if w.Temp {
		return &CwdState{Moved: true, temp: true}
	}
	next := &CwdState{Moved: true}
	for _, e := range EffectsOf(Read, w, cwd) {
		if e.Temp && !e.Glob {
			return &CwdState{Moved: true, temp: true}
		}
		if !e.Known || e.Glob || len(e.Path) > MaxPath {
			return &CwdState{Moved: true}
		}
		next.Dirs = append(next.Dirs, e.Path)
	}
	return next
}
