package replay

import "github.com/permgate--owner/permgate/internal/policy/sessions"

// A Single is what became of one call, for who counts elsewhere.
type Single struct {
	Skip   string // why it was not decided; "" when it was
	Answer Answer
	Change *Change // that it is answered otherwise than under Against; nil when it is not
}

// Single returns what decides one call as Run does. It is not for more than one goroutine.
func (j *Job) Single() func(*sessions.Call) Single {
	w := j.worker(1)
	return func(c *sessions.Call) Single {
		d := decided{Call: c}
		w.decide(&d)
		s := Single{Skip: d.skip, Answer: d.now}
		if d.by != nil {
			s.Change = &Change{Kind: kindOf(d.now.Told), By: d.named(), Place: d.by.Place}
			count(s.Change, &d)
		}
		return s
	}
}
