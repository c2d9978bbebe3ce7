package bench

import (
	"cmp"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// TooLong is the ending of a hook that said more than can be an answer.
const TooLong hookio.Ending = "over 1 MiB"

// A Report is what a comparison came to. Its JSON is what --json prints; keys are not renamed once released.
type Report struct {
	Version  string    `json:"version"` // of permgate
	Machine  Machine   `json:"machine"`
	Labels   []*Source `json:"labels"`
	Gates    []*Result `json:"gates"`
	Families []*Family `json:"families,omitempty"`
	Rows     []*Row    `json:"calls"`
}

// A Machine is where it was measured.
type Machine struct {
	OS        string `json:"os"`
	Arch      string `json:"arch"`
	CPUs      int    `json:"cpus"`
	Processor string `json:"processor,omitempty"` // as Linux names it
}

// A Result is what one gate did.
type Result struct {
	Name      string    `json:"name"`
	Host      string    `json:"host"`
	Hook      string    `json:"hook"`
	Unspelled int       `json:"unspelled"` // calls that its host does not have, or permgate does not know how it spells
	Answers   []*Counts `json:"answers"`
	Through   Rate      `json:"let_through"` // harmful calls that run unasked
	Left      Rate      `json:"left"`        // harmful calls that it leaves to the host
	Stopped   Rate      `json:"stopped"`     // harmless calls that are asked about or denied
	// Ended: it was late several times in a row, and got no more calls.
	Ended bool `json:"ended,omitempty"`
	// Always is what it said each time, where it ended every call with exit code 2 and the same
	// words: shells and interpreters do so where they cannot run it.
	Always   string    `json:"always_said,omitempty"`
	Failures []Failure `json:"failures"` // the most frequent first
	Time     Times     `json:"time"`

	gate *Gate
}

// Counts counts the answers to the calls of one kind.
type Counts struct {
	Label   string `json:"label"` // harmful, harmless, or another word
	Calls   int    `json:"calls"`
	Allowed int    `json:"allowed"`
	Asked   int    `json:"asked"`
	Denied  int    `json:"denied"`
	Silent  int    `json:"silent"` // the host decides
	Failed  int    `json:"failed"` // no answer the host reads
}

// A Rate is a part of some calls, in percent with Wilson's interval of 95 percent.
type Rate struct {
	Calls   int     `json:"calls"`
	Of      int     `json:"of"`
	Percent float64 `json:"percent"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// A Failure counts one way to fail.
type Failure struct {
	Ending string `json:"ending"`
	Then   string `json:"then"` // what the host does after it
	Calls  int    `json:"calls"`
	Said   string `json:"said,omitempty"` // the first on standard error
}

// A Family counts the calls of one family, and what each gate did with them.
type Family struct {
	Family   string  `json:"family"`
	Harmful  int     `json:"harmful"`
	Harmless int     `json:"harmless"`
	Gates    []Share `json:"gates"`
}

// A Share is what a gate did with the calls of a family.
type Share struct {
	Gate    string `json:"gate"`
	Through int    `json:"let_through"`
	Left    int    `json:"left"`
	Stopped int    `json:"stopped"`
}

// A Row is a call, with what each gate answered.
type Row struct {
	Line    int      `json:"line,omitempty"`
	Label   string   `json:"label"`
	Kind    string   `json:"kind"`
	Family  string   `json:"family,omitempty"`
	Tool    string   `json:"tool"`
	Text    string   `json:"text"`
	Answers []Answer `json:"answers"`
}

// An Answer is what a gate answered to a call.
type Answer struct {
	Gate   string  `json:"gate"`
	Answer string  `json:"answer"` // allow, ask, deny, silent, failed
	Fate   string  `json:"fate"`   // what becomes of the call
	Ms     float64 `json:"ms"`
	fate   hookio.Fate
}

// Times are milliseconds of one call, process and all. The ratio is the median of the turns, to the time of permgate.
type Times struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Ratio  float64 `json:"ratio,omitempty"`
}

func machine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
	text, _ := os.ReadFile("/proc/cpuinfo")
	if _, after, ok := strings.Cut(string(text), "model name\t: "); ok {
		m.Processor, _, _ = strings.Cut(after, "\n")
	}
	return m
}

func newRow(c *Call) *Row {
	text, _ := redact.Text(c.Text)
	return &Row{Line: c.Line, Label: c.Label, Kind: c.Kind, Family: c.Family, Tool: c.Tool, Text: text, Answers: []Answer{}}
}

// of is the answer of a gate; ok is false where it got no such call.
func (w *Row) of(r *Result) (a Answer, ok bool) {
	i := slices.IndexFunc(w.Answers, func(a Answer) bool { return a.Gate == r.Name })
	if i < 0 {
		return a, false
	}
	return w.Answers[i], true
}

// Passes reports whether a gate let a harmful call run unasked.
func (w *Row) Passes(r *Result) bool {
	a, ok := w.of(r)
	return ok && w.Kind == Harmful && a.fate == hookio.FateRuns
}

// IsLeft reports whether a gate left a harmful call to its host.
func (w *Row) IsLeft(r *Result) bool {
	a, ok := w.of(r)
	return ok && w.Kind == Harmful && (a.Answer == "silent" || a.Answer == "failed") &&
		a.fate != hookio.FateRuns && a.fate != hookio.FateBlocks
}

// Stops reports whether a gate stopped a harmless call.
func (w *Row) Stops(r *Result) bool {
	a, ok := w.of(r)
	return ok && w.Kind == Harmless && (a.Answer == "ask" || a.Answer == "deny" || a.fate == hookio.FateBlocks)
}

// add counts an answer.
func (r *Result) add(w *Row, c *Call, ending hookio.Ending, fate hookio.Fate, end operator.End) {
	counts := r.counts(c.Kind)
	a := Answer{Gate: r.Name, Answer: "failed", fate: fate, Fate: fate.String(), Ms: float64(end.Took.Microseconds()) / 1000}
	said := firstLine(end.Said)
	switch {
	case ending == hookio.EndsAllow:
		a.Answer = "allow"
		counts.Allowed++
	case ending == hookio.EndsAsk:
		a.Answer = "ask"
		counts.Asked++
	case ending == hookio.EndsDeny, ending == hookio.EndsBlocked,
		ending == hookio.EndsMute && fate == hookio.FateBlocks:
		a.Answer = "deny"
		counts.Denied++
	case ending == hookio.EndsSilence:
		a.Answer = "silent"
		counts.Silent++
	default:
		counts.Failed++
		r.fail(ending, fate, said)
	}
	first := r.put() == 0
	counts.Calls++
	if ending != hookio.EndsBlocked || !first && said != r.Always {
		said = ""
	}
	r.Always = said
	w.Answers = append(w.Answers, a)
}

func (r *Result) counts(kind string) *Counts {
	i := slices.IndexFunc(r.Answers, func(c *Counts) bool { return c.Label == kind })
	if i < 0 {
		i, r.Answers = len(r.Answers), append(r.Answers, &Counts{Label: kind})
	}
	return r.Answers[i]
}

// put is how many calls were put to the gate.
func (r *Result) put() (n int) {
	for _, c := range r.Answers {
		n += c.Calls
	}
	return n
}

// Useless reports whether the gate answered none of the calls.
func (r *Result) Useless() bool {
	failed := 0
	for _, c := range r.Answers {
		failed += c.Failed
	}
	return failed == r.put()
}

func (r *Result) fail(ending hookio.Ending, fate hookio.Fate, said string) {
	i := slices.IndexFunc(r.Failures, func(x Failure) bool { return x.Ending == string(ending) })
	if i < 0 {
		i = len(r.Failures)
		r.Failures = append(r.Failures, Failure{Ending: string(ending), Then: fate.String(), Said: said})
	}
	r.Failures[i].Calls++
}

// firstLine is the first line on standard error, for others to read.
func firstLine(said []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	return operator.Plain(line)
}

// count sums up the rows.
func (r *Report) count() {
	var own *Result
	for _, g := range r.Gates {
		if g.gate.Own {
			own = g
		}
	}
	for _, g := range r.Gates {
		order := func(c *Counts) int { return slices.Index([]string{Harmless, Harmful}, c.Label) }
		slices.SortStableFunc(g.Answers, func(a, b *Counts) int { return cmp.Compare(order(b), order(a)) })
		slices.SortStableFunc(g.Failures, func(a, b Failure) int { return b.Calls - a.Calls })
		if g.Ended = g.gate.late == maxLate; g.put() < 2 {
			g.Always = ""
		}
		g.Through.Of, g.Stopped.Of = g.counts(Harmful).Calls, g.counts(Harmless).Calls
		g.Left.Of = g.Through.Of
		for _, w := range r.Rows {
			g.Through.Calls += count(w.Passes(g))
			g.Left.Calls += count(w.IsLeft(g))
			g.Stopped.Calls += count(w.Stops(g))
		}
		for _, rate := range [...]*Rate{&g.Through, &g.Left, &g.Stopped} {
			rate.interval()
		}
		g.Time = r.times(g, own)
	}
	for _, w := range r.Rows {
		r.family(w)
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (r *Report) family(w *Row) {
	if w.Family == "" {
		return
	}
	i := slices.IndexFunc(r.Families, func(f *Family) bool { return f.Family == w.Family })
	if i < 0 {
		i, r.Families = len(r.Families), append(r.Families, &Family{Family: w.Family, Gates: make([]Share, len(r.Gates))})
	}
	f := r.Families[i]
	f.Harmful += count(w.Kind == Harmful)
	f.Harmless += count(w.Kind == Harmless)
	for k, g := range r.Gates {
		s := &f.Gates[k]
		s.Gate = g.Name
		s.Through += count(w.Passes(g))
		s.Left += count(w.IsLeft(g))
		s.Stopped += count(w.Stops(g))
	}
}

// interval fills in what follows from the counts.
func (r *Rate) interval() {
	if r.Of == 0 {
		return
	}
	const z = 1.959964
	n, p := float64(r.Of), float64(r.Calls)/float64(r.Of)
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	percent := func(x float64) float64 { return math.Round(1000*min(max(x, 0), 1)) / 10 }
	r.Percent, r.Low, r.High = percent(p), percent(mid-half), percent(mid+half)
}

func (r *Report) times(g, own *Result) (t Times) {
	var all, ratios []float64
	for _, w := range r.Rows {
		a, ok := w.of(g)
		if !ok {
			continue
		}
		all = append(all, a.Ms)
		if own == nil || own == g {
			continue
		}
		if b, ok := w.of(own); ok {
			ratios = append(ratios, a.Ms/max(b.Ms, 0.001))
		}
	}
	percentile := func(of []float64, p int) float64 {
		if len(of) == 0 {
			return 0
		}
		slices.Sort(of)
		return math.Round(1000*replay.Percentile(of, p)) / 1000
	}
	return Times{Median: percentile(all, 50), P95: percentile(all, 95), Ratio: percentile(ratios, 50)}
}
