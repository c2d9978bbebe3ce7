package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// home is the home directory at this point of the text, "" when not known.
func (w *walker) home(st *state) string {
	home, ok := st.lookup("HOME")
	if !ok {
		return w.env.Home
	}
	if strings.Contains(home, shell.HoleMark) || len(home) > shell.MaxPath {
		return ""
	}
	return home
}

// pwd is the value of $PWD and ~+ when it is known, else "".
func (s *state) pwd() string {
	if _, set := s.lookup("PWD"); len(s.cwd.Dirs) == 1 && !set {
		return s.cwd.Dirs[0]
	}
	return ""
}
