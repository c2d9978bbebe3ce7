package conformance

import (
	"encoding/json"
	"os"
	"slices"
	"sort"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestDoubtShare counts the recorded shell texts with a doubt, by its id. What bash and zsh read differently
// must cost next to nothing: everyday text has no doubt because of it.
func TestDoubtShare(t *testing.T) {
	by, texts, doubted := map[string]int{}, 0, 0
	for _, r := range recordedCalls(t) {
		var input struct{ Command string }
		if r.Tool != "Bash" || json.Unmarshal(r.Input, &input) != nil {
			continue
		}
		texts++
		s := bashsafety.Analyze(input.Command, bashsafety.Env{Cwd: r.Cwd, Home: "/home/dev"})
		var ids []string
		for _, d := range s.Doubts {
			if !slices.Contains(ids, d.ID) {
				ids = append(ids, d.ID)
				by[d.ID]++
				if d.ID == os.Getenv("PERMGATE_DOUBT") {
					t.Logf("%s\n    %.200q\n    %.600q", d.Msg, input.Command[max(d.Span.Start, 0):d.Span.End], input.Command)
				}
			}
		}
		if len(ids) > 0 {
			doubted++
		}
	}
	ids := make([]string, 0, len(by))
	for id := range by {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return by[ids[i]] > by[ids[j]] })
	for _, id := range ids {
		t.Logf("%5d  %5.2f %%  %s", by[id], 100*float64(by[id])/float64(texts), id)
	}
	t.Logf("%5d  %5.2f %%  of %d texts with any doubt", doubted, 100*float64(doubted)/float64(texts), texts)
	if n := by["zsh-only"]; 1000*n > texts {
		t.Errorf("%d of %d recorded texts have the doubt zsh-only: more than one in a thousand", n, texts)
	}
}
