package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/replay"
	"github.com/permgate--owner/permgate/internal/sessions"
)

// run replays what the operands name, and prints the report.
func (o *replayOptions) run(e *env, args []string) int {
	if o.jobs < 0 || o.jobs > maxJobs {
		return e.fail("", "--jobs is %d, and takes a number from 1 to %d", o.jobs, maxJobs)
	}
	h, err := gate.NamedHost(o.Host)
	if err != nil {
		return e.unknownHost(err)
	}
	from, err := o.source(e, h, args)
	if err != nil {
		return e.fail("permgate help replay shows what it reads", "%v", err)
	}
	e.needed()
	r, err := o.replay(e, h, from)
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
func (o *replayOptions) replay(e *env, h *hookio.Host, from *recordedCalls) (*replay.Report, error) {
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
		Bind: o.poster(e, h).bind, Told: func(calls int) { progress.Show(calls, time.Now()) },
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

// poster says whose posture a call has that names no program.
func (o *replayOptions) poster(e *env, h *hookio.Host) *implied {
	if h != nil {
		return &implied{host: h}
	}
	c := callOptions{Flags: gate.Flags{Home: o.Home}}
	c.imply(e)
	return c.implied
}

// recordedCalls are the calls of some files.
type recordedCalls struct {
	read   replay.Source
	counts sessions.Counts
}

// source finds the files that hold the calls.
func (o *replayOptions) source(e *env, h *hookio.Host, args []string) (*recordedCalls, error) {
	since, err := parseSince(o.since, e.world.Now)
	if err != nil {
		return nil, err
	}
	var only *sessions.Format
	if o.lines {
		if len(args) > 0 {
			return nil, fmt.Errorf("--lines reads standard input, and takes no files")
		}
		args, only = []string{"-"}, sessions.Lookup("payload")
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("name a file, or use --lines")
	}
	names := make([]string, len(args))
	for i, name := range args {
		if names[i] = name; name != "-" {
			names[i] = e.abs(name)
		}
	}
	out := &recordedCalls{}
	out.read = func(take func(*sessions.Call) error) error {
		return readCalls(names, e.in, only, &out.counts, &sessions.Seen{}, since, func(c *sessions.Call) error {
			if c.Time.Before(since) && !c.Time.IsZero() {
				return nil
			}
			return take(c)
		})
	}
	return out, nil
}
