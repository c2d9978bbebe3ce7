package bashsafety

import (
	"slices"
	"strings"
)

// maxDirs bounds the directories a command may run in; beyond it the directory
// is unknown.
const maxDirs = 4

// or is the state after two ways of getting here.
func (c cwdState) or(o cwdState) cwdState {
	out := cwdState{moved: c.moved || o.moved}
	if len(c.dirs) == 0 || len(o.dirs) == 0 {
		known := func(s *cwdState) bool { return s.temp || len(s.dirs) > 0 }
		if out.temp = known(&c) && known(&o); out.temp {
			out.also = slices.Concat(c.dirs, c.also, o.dirs, o.also)
			out.temp = len(out.also) <= maxDirs
		}
		return out
	}
	dirs := c.dirs
	for _, d := range o.dirs {
		if !slices.Contains(dirs, d) {
			dirs = append(slices.Clip(dirs), d)
		}
	}
	if len(dirs) <= maxDirs {
		out.dirs = dirs
	}
	return out
}

// home is the home directory at this point of the text, "" when not known.
func (w *walker) home(st *state) string {
	home, ok := st.lookup("HOME")
	if !ok {
		return w.env.Home
	}
	if strings.Contains(home, HoleMark) || len(home) > maxPath {
		return ""
	}
	return home
}

// pwd is what $PWD and ~+ stand for when it is known, else "".
func (s *state) pwd() string {
	if _, set := s.lookup("PWD"); len(s.cwd.dirs) == 1 && !set {
		return s.cwd.dirs[0]
	}
	return ""
}
