package bashsafety

import "slices"

// touched notes that the text sets a variable, in whatever way.
func (w *walker) touched(name string, span Span, st *state) {
	w.shellVar(name, false, span)
	switch name {
	case "POSIXLY_CORRECT":
		w.doubt(dShellVar, span, name)
	case "IFS":
		st.ifs = true
	case "CDPATH":
		st.cdpath = true
	}
	st.steered(name)
	if readOnlyVar(name) || slices.Contains(w.fixed, name) {
		w.mayFail(st)
	}
	if slices.Contains(w.refs, name) || len(w.refs) >= maxAttrs {
		st.forget()
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
	return !w.opaque && !volatile(name) && !slices.Contains(w.attrs, name) && !slices.Contains(w.refs, name) && !slices.Contains(w.fixed, name)
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
		st.blur(st.vars, w.failedAt)
		st.cwd = st.cwd.or(w.failedCwd)
		st.errexit = false
	}
	w.failed = false
}
