package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/replay"
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
	policy, against, err := o.sides(e, false)
	if err != nil {
		return e.fail("permgate help replay shows what --policy and --against take", "%v", err)
	}
	e.printFaults(gate.Policy(callOf(nil), &gate.Flags{Home: o.Home}, *policy))
	if o.html != "" {
		o.html = e.abs(o.html)
		if err := e.ownPage(o.html); err != nil {
			return e.fail("", "%v", err)
		}
	}
	if len(from.names) == 0 {
		fmt.Fprintf(e.err, "%s: no recorded call was found\n  hint: name files, or a program with --host\n", e.cmd)
	}
	e.needed()
	job := &replay.Job{World: *policy, Against: against, Rows: o.json || o.html != ""}
	r, err := o.replay(e, job, from)
	if err != nil {
		return e.fail("", "%v", err)
	}
	if o.html != "" {
		if err := writePage(o.html, r); err != nil {
			return e.fail("", "%v", err)
		}
	}
	return o.print(e, r)
}

// print prints the report, and returns the exit code.
func (o *replayOptions) print(e *env, r *replay.Report) int {
	if !o.json {
		printReplay(e, r)
	} else if code := e.printJSON(r); code != exitOK {
		return code
	}
	if len(r.Changes) > 0 {
		return exitFindings
	}
	return exitOK
}

// replay decides all calls of a source, with the memory that check --lines has for one job.
func (o *replayOptions) replay(e *env, job *replay.Job, from *recordedCalls) (*replay.Report, error) {
	jobs := o.jobs
	if jobs == 0 {
		jobs = min(runtime.GOMAXPROCS(0), maxJobs)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(batchGC))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(batchLimit + int64(jobs-1)<<20))
	progress := e.progress()
	defer progress.Clear()
	job.Flags, job.Jobs, job.Room = &gate.Flags{State: o.State, Home: o.Home}, jobs, batchRoom/2
	job.Bind, job.Told = from.poster.bind, func(calls int) { progress.Show(calls, time.Now()) }
	r, err := job.Run(from.read)
	if r != nil {
		r.Version = version()
		r.Policy = settingsName(o.policy)
		if o.against != "" {
			r.Other = settingsName(o.against)
		}
		n := &from.counts
		r.Lines = replay.Lines{Read: n.Lines, Unknown: n.Unknown, Torn: n.Torn, Newer: n.Newer, Duplicates: n.Duplicates}
	}
	return r, err
}
