package cli

import (
	"time"

	"github.com/permgate--owner/permgate/internal/term"
)

// maxJobs bounds --jobs: each of them has memory of its own.
const maxJobs = 64

// How a batch uses memory. A heap that may grow further before it is collected costs
// less time; the limit, which is the runtime's, holds it where much is in use.
const (
	batchGC    = 400
	batchLimit = 44 << 20 // of one worker; each other one adds a part of it
	batchMost  = 96 << 20
	batchRoom  = 12 << 20 // what all workers together may keep of settings and files
)

// progress shows how far a run is whose output goes to a file, nil else: where the
// answers themselves are on the terminal they are all there is to see.
func (e *env) progress() *term.Progress {
	if term.Is(e.out) {
		return nil
	}
	return term.NewProgress(e.err, e.world.Getenv, time.Now())
}
