package interp

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// touched notes that the text sets a variable, in whatever way.
func (w *walker) touched(name string, span shell.Span, st *state) {
	w.shellVar(name, false, span)
	switch name {
	case "POSIXLY_CORRECT", "BASH_COMPAT":
		w.doubt(analysis.DoubtShellVar, span, name)
	case "IFS":
		st.ifs = true
	case "CDPATH", "cdpath":
		st.cdpath = true
	}
	w.steered(name, st)
	if readOnlyVar(name) || slices.Contains(w.fixed, name) {
		w.mayFail(st)
	}
	if slices.Contains(w.refs, name) || len(w.refs) >= maxAttrs {
		st.anyName()
	}
}

// maxAttrs bounds the variables whose attributes are remembered; beyond it no
// variable holds what it is given.
const maxAttrs = 128

func (w *walker) addAttr(list *[]string, name string) {
	if len(*list) >= maxAttrs {
		w.opaque = true
	} else if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// keeps reports whether a variable holds what it is given. Some that the shell
// sets itself are integers.
func (w *walker) keeps(name string) bool {
	if w.opaque || volatile(name) {
		return false
	}
	return !slices.Contains(w.attrs, name) && !slices.Contains(w.refs, name) && !slices.Contains(w.fixed, name)
}

// mayFail notes that the rest of the line may not run.
func (w *walker) mayFail(st *state) {
	if !w.failed {
		w.failed, w.failedAt, w.failedCwd = true, st.vars, st.cwd
	}
}

// nextLine makes unknown what a failed line may not have done.
func (w *walker) nextLine(st *state) {
	if w.failed {
		line := state{vars: st.vars}
		st.forgetSince(st.vars, w.failedAt)
		st.keepSure(&line) // it fails for another reason than what a variable held before
		st.cwd = st.cwd.Or(w.failedCwd)
		st.errexit = false
	}
	w.failed = false
}
