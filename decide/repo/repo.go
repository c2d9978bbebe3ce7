// Package repo answers what a decision asks about git repositories: which one a folder
// belongs to, what it tracks and ignores, and whether something in it makes git run a
// program. It reads what git wrote to the disk, and runs nothing.
package repo

import "github.com/permgate--owner/permgate/decide/world"

// Repos are the repositories that one call looked at.
type Repos struct {
	World   *world.World
	repos   []found
	indexes []knownIndex
}

// New knows no repository yet.
func New(w *world.World) *Repos { return &Repos{World: w} }
