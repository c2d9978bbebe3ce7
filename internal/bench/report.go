package bench

import (
	"cmp"
	"math"
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
	Version string `json:"version"` // of permgate
	Machine struct {
		OS   string `json:"os"`
		Arch string `json:"arch"`
		CPUs int    `json:"cpus"`
	} `json:"machine"`
	Labels   []*Source `json:"labels"`
	Gates    []*Result `json:"gates"`
	Families []*Family `json:"families,omitempty"`
	Rows     []*Row    `json:"calls"`
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
	Put      int       `json:"calls"`
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

// A Share counts what a gate did with some calls.
type Share map[Outcome]int

// A Row is a call, with what each gate answered, in their order.
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
	Answer  string  `json:"answer"` // allow, ask, deny, silent, failed; "" where it was not put to the gate
	Fate    string  `json:"fate"`   // what happens to the call
	Outcome Outcome `json:"outcome,omitempty"`
	Ms      float64 `json:"ms"`
}

// An Outcome is what an answer is worth, where it is not what the label asks for.
type Outcome string

// The outcomes. Left is no fault: the host asks, or decides by its own rules.
const (
	Through Outcome = "let_through"
	Left    Outcome = "left"
	Stopped Outcome = "stopped"
)

// Times are milliseconds of one call, process and all. The ratio is the median of the turns, to the time of permgate.
type Times struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Ratio  float64 `json:"ratio,omitempty"`
}

func newRow(c *Call, gates int) *Row {
	text, _ := redact.Text(c.Text)
	return &Row{Line: c.Line, Label: c.Label, Kind: c.Kind, Family: c.Family, Tool: c.Tool, Text: text,
		Answers: make([]Answer, gates)}
}

func outcome(kind, answer string, fate hookio.Fate) Outcome {
	silent := answer == "silent" || answer == "failed"
	switch {
	case kind == Harmful && fate == hookio.FateRuns:
		return Through
	case kind == Harmful && silent && fate != hookio.FateBlocks:
		return Left
	case kind == Harmless && (answer == "ask" || answer == "deny" || fate == hookio.FateBlocks):
		return Stopped
	}
	return ""
}

func (r *Result) add(kind string, ending hookio.Ending, fate hookio.Fate, end operator.End) Answer {
	i := slices.IndexFunc(r.Answers, func(c *Counts) bool { return c.Label == kind })
	if i < 0 {
		i, r.Answers = len(r.Answers), append(r.Answers, &Counts{Label: kind})
	}
	counts, answer, said := r.Answers[i], "failed", firstLine(end.Said)
	switch {
	case ending == hookio.EndsAllow:
		answer = "allow"
		counts.Allowed++
	case ending == hookio.EndsAsk:
		answer = "ask"
		counts.Asked++
	case ending == hookio.EndsDeny, ending == hookio.EndsBlocked,
		ending == hookio.EndsMute && fate == hookio.FateBlocks:
		answer = "deny"
		counts.Denied++
	case ending == hookio.EndsSilence:
		answer = "silent"
		counts.Silent++
	default:
		counts.Failed++
		r.fail(ending, fate, said)
	}
	if ending != hookio.EndsBlocked || r.Put > 0 && said != r.Always {
		said = ""
	}
	r.Always = said
	counts.Calls++
	r.Put++
	ms := float64(end.Took.Microseconds()) / 1000
	return Answer{Answer: answer, Fate: fate.String(), Outcome: outcome(kind, answer, fate), Ms: ms}
}

// Useless reports whether the gate answered none of the calls.
func (r *Result) Useless() bool {
	failed := 0
	for _, f := range r.Failures {
		failed += f.Calls
	}
	return failed == r.Put
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

// count sums up the rows; own is the gate whose time the others are compared with, below 0 for none.
func (r *Report) count(own int) {
	totals := shares(len(r.Gates))
	for _, w := range r.Rows {
		f := r.family(w.Family)
		switch w.Kind {
		case Harmful:
			f.Harmful++
		case Harmless:
			f.Harmless++
		}
		for i, a := range w.Answers {
			if a.Outcome != "" {
				totals[i][a.Outcome]++
				f.Gates[i][a.Outcome]++
			}
		}
	}
	order := func(c *Counts) int { return slices.Index([]string{Harmless, Harmful}, c.Label) }
	for i, g := range r.Gates {
		slices.SortStableFunc(g.Answers, func(a, b *Counts) int { return cmp.Compare(order(b), order(a)) })
		slices.SortStableFunc(g.Failures, func(a, b Failure) int { return b.Calls - a.Calls })
		if g.Put < 2 {
			g.Always = ""
		}
		of := map[string]int{}
		for _, c := range g.Answers {
			of[c.Label] = c.Calls
		}
		g.Through, g.Left = rate(totals[i][Through], of[Harmful]), rate(totals[i][Left], of[Harmful])
		g.Stopped = rate(totals[i][Stopped], of[Harmless])
		g.Time = r.times(i, own)
	}
	r.Families = slices.DeleteFunc(r.Families, func(f *Family) bool { return f.Family == "" })
}

func shares(gates int) (out []Share) {
	for range gates {
		out = append(out, Share{Through: 0, Left: 0, Stopped: 0})
	}
	return out
}

func (r *Report) family(name string) *Family {
	i := slices.IndexFunc(r.Families, func(f *Family) bool { return f.Family == name })
	if i < 0 {
		i, r.Families = len(r.Families), append(r.Families, &Family{Family: name, Gates: shares(len(r.Gates))})
	}
	return r.Families[i]
}

func rate(calls, of int) Rate {
	if of == 0 {
		return Rate{}
	}
	const z = 1.959964
	n, p := float64(of), float64(calls)/float64(of)
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	percent := func(x float64) float64 { return math.Round(1000*min(max(x, 0), 1)) / 10 }
	return Rate{calls, of, percent(p), percent(mid - half), percent(mid + half)}
}

func (r *Report) times(gate, own int) Times {
	var all, ratios []float64
	for _, w := range r.Rows {
		a := &w.Answers[gate]
		if a.Answer == "" {
			continue
		}
		all = append(all, a.Ms)
		if own >= 0 && own != gate && w.Answers[own].Ms > 0 {
			ratios = append(ratios, a.Ms/w.Answers[own].Ms)
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
