package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// judgements is the list of what step 2 asks about among the recorded calls:
// the key of the call, what asked, whether it was right to, and why. "true"
// says that the call does what the rule is there to stop; "false" that its text
// is plainly harmless and the gate cannot see it.
var judgements = filepath.Join("..", "..", "..", "testdata", "corpus", "recorded.tsv")

const judgementsHead = "call\tasked by\tjudgement\twhy"

type judgement struct{ key, kind, verdict, why string }

// callKey names a call by its content: tool and input, keys sorted.
func callKey(tool string, input json.RawMessage) string {
	var v any
	if json.Unmarshal(input, &v) == nil {
		input, _ = json.Marshal(v)
	}
	sum := sha256.Sum256(append([]byte(tool+"\x00"), input...))
	return hex.EncodeToString(sum[:6])
}

func readJudgements(t *testing.T) []judgement {
	t.Helper()
	data, err := os.ReadFile(judgements)
	if os.IsNotExist(err) && golden.Update() {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	var out []judgement
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		switch {
		case i == 0 && line == judgementsHead:
		case len(f) != 4:
			t.Fatalf("%s:%d: %d fields, want 4", judgements, i+1, len(f))
		default:
			out = append(out, judgement{f[0], f[1], f[2], f[3]})
		}
	}
	return out
}

// TestRecordedStep2 holds every step-2 hit of the bare binary among the recorded
// calls against the committed judgements: go test ./internal/test/conformance -run
// RecordedStep2 -update adds new hits with the judgement "?", which fails until
// somebody has looked at the call (PERMGATE_ROWS=1 prints them).
func TestRecordedStep2(t *testing.T) {
	have := map[string]*judgement{}
	list := readJudgements(t)
	for i := range list {
		have[list[i].key] = &list[i]
	}
	hits := map[string]string{} // key -> kind
	calls, shell := 0, 0
	counts := map[string]int{} // "true", "false" among the shell calls; "all true", "all false"
	answers := bareAnswers(t)
	for i := range answers {
		a := &answers[i]
		r, kind := a.call, a.kind
		calls++
		if r.Tool == "Bash" {
			shell++
		}
		if a.origin != "2" {
			continue
		}
		key := callKey(r.Tool, r.Input)
		hits[key] = kind
		j := have[key]
		if j == nil {
			j = &judgement{key: key, kind: kind, verdict: "?", why: "new"}
			have[key] = j
		}
		counts["all "+j.verdict]++
		if r.Tool == "Bash" {
			counts[j.verdict]++
		}
		a.row(i)
	}
	if golden.Update() {
		writeJudgements(t, hits, have)
		return
	}
	for key, kind := range hits {
		switch j := have[key]; {
		case j.verdict != "true" && j.verdict != "false":
			t.Errorf("%s (%s) has no judgement: -update adds it to %s, PERMGATE_ROWS=1 prints the call", key, kind, judgements)
		case j.kind != kind:
			t.Errorf("%s is asked about by %s, the list says %s: look at it again, -update writes the new one", key, kind, j.kind)
		case j.why == "":
			t.Errorf("%s: the judgement has no reason", key)
		}
	}
	for _, j := range list {
		if hits[j.key] == "" {
			t.Errorf("%s (%s, %s: %s) is asked about no longer: if that is right, -update takes it out", j.key, j.kind, j.verdict, j.why)
		}
	}
	t.Logf("step 2 asks about %s of the shell calls, %s of all calls", share(counts["true"]+counts["false"], shell), share(counts["all true"]+counts["all false"], calls))
	t.Logf("shell calls it should let pass: %s; of all: %s", share(counts["false"], shell), share(counts["all false"], calls))
	if counts["false"]*500 > shell {
		t.Errorf("more than 0.2 %% of the shell calls are asked about for nothing: %s", share(counts["false"], shell))
	}
	by := tally{}
	for key, kind := range hits {
		by[kind+", "+have[key].verdict]++
	}
	t.Logf("distinct calls by what asked:%s", by.top(60))
}

func writeJudgements(t *testing.T, hits map[string]string, have map[string]*judgement) {
	t.Helper()
	keys := make([]string, 0, len(hits))
	for key := range hits {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		return hits[keys[i]]+keys[i] < hits[keys[j]]+keys[j]
	})
	var b strings.Builder
	b.WriteString(judgementsHead + "\n")
	for _, key := range keys {
		j := have[key]
		if j.kind != hits[key] {
			j.kind, j.verdict = hits[key], "?"
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", key, j.kind, j.verdict, j.why)
	}
	if err := os.WriteFile(judgements, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
