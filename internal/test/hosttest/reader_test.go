package hosttest

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// standsFor is the behaviour that stands for an ending of the reader model.
func standsFor(e hookio.Ending) string {
	switch e {
	case hookio.EndsAllow:
		return ourName(hookio.Allow)
	case hookio.EndsAsk:
		return ourName(hookio.Ask)
	case hookio.EndsDeny:
		return ourName(hookio.Deny)
	case hookio.EndsSilence:
		return ourName(hookio.Pass)
	case hookio.EndsText:
		return "text"
	case hookio.EndsBroken:
		return "brokenjson"
	case hookio.EndsFailed:
		return "exit1"
	case hookio.EndsBlocked:
		return "exit2"
	case hookio.EndsMute:
		return "exit2silent"
	case hookio.EndsKilled:
		return "killed"
	case hookio.EndsLate:
		return "timeout"
	case hookio.EndsMissing:
		return "missing"
	}
	return ""
}

// TestReader compares what was observed of every host with the model of its reader in hookio. It reads
// the tables, which TestHosts proves, so it needs no host.
func TestReader(t *testing.T) {
	for _, h := range Hosts {
		model := hookio.Lookup(h.Name)
		if model == nil {
			t.Logf("%s: permgate has no adapter", h.Name)
			continue
		}
		for _, g := range h.Gates {
			table := map[string]Seen{}
			for _, s := range g.Seen {
				table[s.Behaviour] = s
			}
			for _, e := range hookio.Endings {
				row, ok := table[standsFor(e)]
				if !ok {
					t.Errorf("%s, %s: no row for %s", h.Title, g.Event, standsFor(e))
					continue
				}
				for _, installed := range []bool{false, true} {
					letters, silence := row.Open, table["silence"].Open
					if installed && g.Switch != "" {
						letters, silence = row.Closed, table["silence"].Closed
					}
					fate, seen := model.After(g.Event, e, installed)
					if !g.agrees(fate, letters, silence) {
						t.Errorf("%s, %s, %s, installed %v: the model says %s, observed on %s: %s (silence is %s)",
							h.Title, g.Event, e, installed, fate, model.Driven.Version, letters, silence)
					}
					if seen == "" || seen != model.Driven.Version {
						t.Errorf("%s, %s, %s: the model says seen on %q, driven was %q", h.Title, g.Event, e, seen, model.Driven.Version)
					}
				}
			}
		}
	}
}

// agrees reports whether the letters of a row, one per posture, are what the model's fate leads to.
// silence is the row of a hook without opinion.
func (g *Gate) agrees(fate hookio.Fate, letters, silence string) bool {
	switch fate {
	case hookio.FateRuns:
		return letters == strings.Repeat("y", len(g.Postures))
	case hookio.FateBlocks:
		for i, p := range g.Postures { // where the errand itself was refused, its calls do not come
			if i >= len(letters) || letters[i] != 'n' && (letters[i] != 'e' || p.Errand == nil) {
				return false
			}
		}
		return len(letters) == len(g.Postures)
	case hookio.FateHost:
		return letters == silence
	case hookio.FatePrompts:
		for i, p := range g.Postures {
			if i >= len(letters) || (letters[i] == 'y') != p.Approves {
				return false
			}
		}
		return true
	}
	return false
}
