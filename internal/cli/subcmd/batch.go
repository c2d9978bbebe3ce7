package subcmd

import (
	"time"

	"github.com/permgate--owner/permgate/internal/term"
)

// MaxJobs bounds --jobs: each of them has memory of its own.
const MaxJobs = 64

// How a batch uses memory. A heap that may grow further before it is collected costs
// less time; the limit, which is the runtime's, holds it where much is in use.
const (
	BatchGC    = 400
	BatchLimit = 44 << 20 // of one worker; each other one adds a part of it
	BatchMost  = 96 << 20
	BatchRoom  = 12 << 20 // what all workers together may keep of settings and files
)

// Progress shows how far a run is, nil where its answers go to the terminal and say so themselves.
func (e *Env) Progress() *term.Progress {
	if term.Is(e.Out) {
		return nil
	}
	return term.NewProgress(e.Err, e.World.Getenv, time.Now())
}
