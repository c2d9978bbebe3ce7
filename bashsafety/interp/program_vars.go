package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// mayReach reports whether a variable that is set without being exported may
// still reach programs: shells usually start with it, programs read it, or the
// hook's own environment has it. An assignment changes what is exported already.
func (w *walker) mayReach(name string) bool {
	switch {
	case commands.Steers(name):
		return true
	case commands.Inert(name):
		return false
	case commands.ProgramVar(name):
		return true
	}
	exported := w.s.Env.Exported
	return exported != nil && exported(name)
}

// steered narrows what follows when a variable was set that may reach programs.
func (w *walker) steered(name string, st *state) {
	if w.mayReach(name) {
		st.addBlocker(analysis.SetEarlier(name))
	}
}
