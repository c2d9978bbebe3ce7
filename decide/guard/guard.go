// Package guard knows what step 2 looks for: places that are asked about where they are
// written, files with keys or tokens, files that are run without asking, files of permgate
// itself, and what comes to lie in a folder. It finds; the steps decide what is asked.
package guard

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// A Guard looks at one call.
type Guard struct {
	World  *world.World
	Repos  *repo.Repos
	Script *bashsafety.Analysis // the analysis of the call's shell text; nil where there is none

	liveDirs []liveFolder                            // see liveFolders
	places   map[rules.Path]string                   // what Holds said of a folder
	listings map[*bashsafety.Contents]*world.Listing // what Contents said
	patches  int                                     // that were read so far
}

// New is a guard that has not looked at anything yet.
func New(w *world.World, r *repo.Repos) *Guard { return &Guard{World: w, Repos: r} }
