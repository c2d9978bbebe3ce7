package hook

import "time"

// The limits of last resort: work is bounded by budgets, not by time. Both lie
// below every host's own time-out, because hosts run the tool after that.
const (
	cpuLimit  = 2 * time.Second // what a call may use of the processor
	wallLimit = 4 * time.Second // what it may take in all, where other programs keep it waiting
)

// Watch ends the process with exit when its time is over. Where so much else runs that
// the call has hardly been given the processor, it waits for longer; for a payload
// that does not come it does not.
func (a *Answerer) Watch(exit func(code int)) (stop func() bool) {
	timer := time.AfterFunc(cpuLimit, func() {
		for more := a.left(); more > 0; more = a.left() {
			time.Sleep(more)
		}
		exit(a.OnDeadline())
	})
	return timer.Stop
}

func (a *Answerer) left() time.Duration {
	if call := a.known(); call == nil || call.RawTool == "" {
		return 0
	}
	a.mu.Lock()
	until, waited := a.until, a.waited
	a.mu.Unlock()
	if !until.IsZero() {
		return min(time.Until(until), waitSlice)
	}
	return left(time.Since(a.Start)-waited, cpuTime())
}

// waitSlice is how long the deadline sleeps at most while an answer is waited for:
// it may come early, and what is left of the call's own time then counts again.
const waitSlice = 200 * time.Millisecond

// Waiting says that a program of the operator's is waited for, for so long at most:
// a model or a person may take longer than the call's own time, which stands still
// until done is called. A wait that takes longer than it may ends the process.
func (a *Answerer) Waiting(most time.Duration) (done func()) {
	from := time.Now()
	a.wait(from.Add(most), 0)
	return func() { a.wait(time.Time{}, time.Since(from)) }
}

func (a *Answerer) wait(until time.Time, waited time.Duration) {
	a.mu.Lock()
	a.until = until
	a.waited += waited
	a.mu.Unlock()
}

// left is how long a call may go on that has taken so much: the processor works for
// it on one thread for the most part.
func left(wall, cpu time.Duration) time.Duration { return min(cpuLimit-cpu, wallLimit-wall) }
