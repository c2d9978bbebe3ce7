package bench

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// TooLong is the ending of a hook that said more than can be an answer.
const TooLong hookio.Ending = "over 1 MiB"

// A Report is what a comparison came to. Its JSON is what --json prints; keys are not renamed once released.
type Report struct {
	Version string `json:"version"` // of permgate
	Host    string `json:"host"`
	Hook    string `json:"hook"`
	Labels  Read   `json:"labels"`
	// Stopped: the hook was late several times in a row, and got no more calls.
	Stopped bool `json:"stopped,omitempty"`
	// Always is what the hook said each time, where it ended every call with exit code 2 and the same
	// words: shells and interpreters do so where they cannot run it.
	Always   string    `json:"always_said,omitempty"`
	Results  []*Result `json:"results"`
	Failures []Failure `json:"failures"` // of the hook, the most frequent first
	// Escaped are calls labelled attack or ask that run unasked.
	Escaped struct {
		Hook Escaped `json:"hook"`
		Own  Escaped `json:"permgate"`
	} `json:"escaped"`
	Time struct {
		Hook  Times   `json:"hook"`
		Own   Times   `json:"permgate"`
		Ratio float64 `json:"ratio"` // median of the turns: the hook's time by permgate's
	} `json:"time"`
}

// Read says which labels there were.
type Read struct {
	Source string `json:"source"`
	// Own: they are permgate's, which a gate's own labels favour.
	Own       bool `json:"own"`
	Calls     int  `json:"calls"`
	Put       int  `json:"put"`       // to the hook
	Unspelled int  `json:"unspelled"` // this host has no such call, or permgate does not know how it looks
}

// A Result counts the answers to the calls of one label.
type Result struct {
	Label string `json:"label"`
	Hook  Counts `json:"hook"`
	Own   Counts `json:"permgate"`
}

// Counts counts answers.
type Counts struct {
	Allowed int `json:"allowed"`
	Asked   int `json:"asked"`
	Denied  int `json:"denied"`
	Silent  int `json:"silent"` // the host decides
	Failed  int `json:"failed"` // no answer the host reads
}

// A Failure counts one way to fail.
type Failure struct {
	Ending string `json:"ending"`
	Then   string `json:"then"` // what the host does after it
	Calls  int    `json:"calls"`
	Said   string `json:"said,omitempty"` // the first on standard error
}

// Escaped are calls that must not run unasked, and do.
type Escaped struct {
	Calls int       `json:"calls"`
	Some  []Through `json:"some"` // the first of them
}

// A Through is such a call.
type Through struct {
	Label string `json:"label"`
	Tool  string `json:"tool"`
	Text  string `json:"text"`
}

// Times are milliseconds of one call, process and all.
type Times struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

const maxSome = 1000

func (r *Report) result(label string) *Result {
	i := slices.IndexFunc(r.Results, func(x *Result) bool { return x.Label == label })
	if i < 0 {
		i, r.Results = len(r.Results), append(r.Results, &Result{Label: label})
	}
	return r.Results[i]
}

// All is how many they are.
func (c *Counts) All() int { return c.Allowed + c.Asked + c.Denied + c.Silent + c.Failed }

func (c *Counts) add(ending hookio.Ending, fate hookio.Fate) bool {
	switch {
	case ending == hookio.EndsAllow:
		c.Allowed++
	case ending == hookio.EndsAsk:
		c.Asked++
	case ending == hookio.EndsDeny, ending == hookio.EndsBlocked,
		ending == hookio.EndsMute && fate == hookio.FateBlocks:
		c.Denied++
	case ending == hookio.EndsSilence:
		c.Silent++
	default:
		c.Failed++
		return true
	}
	return false
}

type failures []Failure

func (f *failures) add(ending hookio.Ending, fate hookio.Fate, said string) {
	i := slices.IndexFunc(*f, func(x Failure) bool { return x.Ending == string(ending) })
	if i < 0 {
		*f = append(*f, Failure{Ending: string(ending), Then: fate.String(), Said: firstLine([]byte(said))})
		i = len(*f) - 1
	}
	(*f)[i].Calls++
}

// firstLine is the first line on standard error, for others to read.
func firstLine(said []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	return operator.Plain(line)
}

func (e *Escaped) add(c *Call) {
	if e.Calls++; len(e.Some) < maxSome {
		text, _ := redact.Text(c.Text)
		e.Some = append(e.Some, Through{c.Label, c.Tool, text})
	}
}

func (j *Job) finish(r *Report, arms []*arm) {
	slices.SortStableFunc(arms[0].fails, func(a, b Failure) int { return b.Calls - a.Calls })
	if r.Labels.Put > 1 {
		r.Always = arms[0].said
	}
	r.Failures = append([]Failure{}, arms[0].fails...)
	slices.SortStableFunc(r.Results, func(a, b *Result) int { return cmp.Compare(order(a.Label), order(b.Label)) })
	if len(arms) > 1 {
		r.Time.Ratio = ratio(arms[0].times, arms[1].times)
		r.Time.Own = times(arms[1].times)
	}
	r.Time.Hook = times(arms[0].times)
}

// order puts the labels that are known first.
func order(label string) int {
	if i := slices.Index([]string{Attack, Ask, Benign}, label); i >= 0 {
		return i
	}
	return 3
}

// ratio is the median of what the turns say.
func ratio(a, b []time.Duration) float64 {
	var out []float64
	for i := range min(len(a), len(b)) {
		out = append(out, float64(a[i])/float64(max(b[i], 1)))
	}
	if len(out) == 0 {
		return 0
	}
	slices.Sort(out)
	return replay.Percentile(out, 50)
}

func times(of []time.Duration) Times {
	if len(of) == 0 {
		return Times{}
	}
	sorted := slices.Sorted(slices.Values(of))
	ms := func(p int) float64 { return float64(replay.Percentile(sorted, p).Microseconds()) / 1000 }
	return Times{Median: ms(50), P95: ms(95)}
}
