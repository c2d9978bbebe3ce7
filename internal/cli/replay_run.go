package cli

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/replay"
)

// run replays what the operands name, and prints the report.
func (o *replayOptions) run(e *env, args []string) int {
	if o.jobs < 0 || o.jobs > maxJobs {
		return e.fail("", "--jobs is %d, and takes a number from 1 to %d", o.jobs, maxJobs)
	}
	from, err := o.source(e, args)
	if err != nil {
		return e.fail("permgate help replay shows what it reads", "%v", err)
	}
	e.needed()
	r, err := o.replay(e, from)
	if err != nil {
		return e.fail("", "%v", err)
	}
	if o.json {
		text, err := json.Marshal(r)
		if err != nil {
			return e.fail("", "%v", err)
		}
		e.machine().Write(append(text, '\n'))
		return exitOK
	}
	printReplay(e, r)
	return exitOK
}

// replay decides all calls of a source, with the memory that check --lines has.
func (o *replayOptions) replay(e *env, from *recordedCalls) (*replay.Report, error) {
	jobs := o.jobs
	if jobs == 0 {
		jobs = min(runtime.GOMAXPROCS(0), maxJobs)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(batchGC))
	limit := min(batchLimit+int64(jobs-1)*batchLimit/3, batchMost)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	progress := e.progress()
	defer progress.Clear()
	job := replay.Job{
		Flags: &gate.Flags{State: o.State, Home: o.Home}, World: e.world, Jobs: jobs, Room: batchRoom,
		Bind: from.poster.bind, Told: func(calls int) { progress.Show(calls, time.Now()) },
	}
	r, err := job.Run(from.read)
	if r != nil {
		r.Version = version()
		r.Policy = "the settings of now"
		n := &from.counts
		r.Lines = replay.Lines{Read: n.Lines, Unknown: n.Unknown, Torn: n.Torn, Newer: n.Newer, Duplicates: n.Duplicates}
	}
	return r, err
}
