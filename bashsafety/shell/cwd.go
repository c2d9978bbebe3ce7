package shell

import "slices"

// maxDirs bounds the directories a command may run in; with more, it is unknown.
const maxDirs = 4

// Or is the state after two ways of getting here.
func (c CwdState) Or(o CwdState) CwdState {
	out := CwdState{Moved: c.Moved || o.Moved}
	dirs := slices.Concat(c.Dirs, c.also)
	for _, d := range slices.Concat(o.Dirs, o.also) {
		if !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	known := func(s *CwdState) bool { return s.temp || len(s.Dirs) > 0 }
	all := known(&c) && known(&o) && len(dirs) <= maxDirs
	if all && !c.temp && !o.temp {
		out.Dirs = dirs
		return out
	}
	out.temp, out.also = all, dirs[:min(len(dirs), maxDirs)]
	return out
}

// Lost is the state where a text may have gone anywhere since, or nowhere.
func (c CwdState) Lost() CwdState {
	return CwdState{Moved: true, also: slices.Concat(c.Dirs, c.also)}
}

// A CwdState is what is known of the working directory at a point of a text.
type CwdState struct {
	// Dirs are the directories it may be, absolute and clean; none: not known.
	Dirs []string
	// Moved is set once any cd was seen.
	Moved bool
	// temp is set where the directory is mktemp's, or below it, or one of also; Dirs is empty then.
	temp bool
	// also are directories it may be where Dirs is empty; others are possible, too.
	also []string
}

// Likely are the directories it may be; where it is not known, some of them.
func (c CwdState) Likely() []string { return slices.Concat(c.Dirs, c.also) }

// Moved is the directory state after a change into the directory w.
func Moved(cwd *CwdState, w *Word) *CwdState {
	if w.Temp {
		return &CwdState{Moved: true, temp: true}
	}
	next, lost := &CwdState{Moved: true}, false
	for _, e := range EffectsOf(Read, w, cwd) {
		switch {
		case e.Temp && !e.Glob:
			return &CwdState{Moved: true, temp: true}
		case !e.Known || e.Glob || len(e.Path) > MaxPath:
			lost = true
		default:
			next.Dirs = append(next.Dirs, e.Path)
		}
	}
	if lost {
		next.Dirs, next.also = nil, next.Dirs
	}
	return next
}
