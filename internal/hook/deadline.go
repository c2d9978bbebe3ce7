package hook

import "time"

// The limits of last resort: work is bounded by budgets, not by time. Both lie
// below every host's own time-out, because hosts run the tool after that.
const (
	cpuLimit  = 2 * time.Second // what a call may use of the processor
	wallLimit = 4 * time.Second // what it may take in all: input or a disk does not come
)

// Watch ends the process with exit when its time is over. Where so much else runs that
// the call has hardly been given the processor, it waits for longer.
func (a *Answerer) Watch(exit func(code int)) (stop func() bool) {
	timer := time.AfterFunc(cpuLimit, func() {
		for more := left(time.Since(a.Start), cpuTime()); more > 0; more = left(time.Since(a.Start), cpuTime()) {
			time.Sleep(more)
		}
		exit(a.OnDeadline())
	})
	return timer.Stop
}

// left is how long a call may go on that has taken so much: the processor works for
// it on one thread for the most part.
func left(wall, cpu time.Duration) time.Duration { return min(cpuLimit-cpu, wallLimit-wall) }
