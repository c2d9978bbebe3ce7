package hookio

import (
	"slices"
	"strings"
	"testing"
)

// deciding returns the spellings of the events of a host that get an answer.
func deciding(h *Host) (names []string) {
	for _, e := range h.Events {
		if e.Event.Decides() {
			names = append(names, e.Name)
		}
	}
	for _, e := range h.Examples() {
		if c, err := Read(strings.NewReader(e.In), Options{Host: h.Name, Event: string(e.Event)}); err == nil && c.Event.Decides() && !slices.Contains(names, c.RawEvent) {
			names = append(names, c.RawEvent)
		}
	}
	return names
}

// TestReaderModel shows by the model of each reader that our deny blocks, that
// our ask never runs a call, and that what else the literal says of the host
// agrees with the model.
func TestReaderModel(t *testing.T) {
	for _, h := range Hosts() {
		if h == &generic {
			continue
		}
		for _, event := range deciding(h) {
			for _, installed := range []bool{false, true} {
				fate := func(e Ending) Fate { f, _ := h.After(event, e, installed); return f }
				bad := func(e Ending, want string) {
					t.Errorf("%s %s, installed %v: after %q the call is %q, %s", h.Name, event, installed, e, fate(e), want)
				}
				if fate(EndsDeny) != FateBlocks {
					bad(EndsDeny, "not blocked")
				}
				if f := fate(EndsAllow); f != FateRuns && f != FateHost {
					bad(EndsAllow, "neither run nor left to the host")
				}
				c := &Call{Host: h, Event: h.event(event), RawEvent: event, Tool: "Bash"}
				switch f := fate(EndsAsk); h.askIs(c) {
				case AskDenies:
					if f != FateBlocks {
						bad(EndsAsk, "though the line denies")
					}
				case AskPrompts:
					if f != FatePrompts && !(installed && f == FateBlocks) {
						bad(EndsAsk, "though the line asks")
					}
				case AskSilent:
					if silent := fate(EndsSilence); f == FateRuns || f == FateUnknown || f != silent {
						bad(EndsAsk, "though it is silence")
					}
				}
				silent := fate(EndsSilence)
				if silent == FateUnknown || (silent == FateRuns) != h.SilenceRuns && !(installed && silent == FateBlocks) {
					bad(EndsSilence, "which is not what SilenceRuns says")
				}
				for _, e := range Endings {
					if fate(e) == FateRuns && e != EndsAllow && !h.SilenceRuns {
						bad(e, "and nobody is asked")
					}
				}
				if exit := fate(EndsBlocked); installed && exit != FateBlocks && c.Event == PreToolUse {
					bad(EndsBlocked, "though exit code 2 is how permgate refuses what it cannot read")
				}
			}
		}
	}
}

// TestReaderRows looks at the rows themselves: one a case, events the host has,
// and no laxer as installed than by hand.
func TestReaderRows(t *testing.T) {
	for _, h := range Hosts() {
		seen := map[string]bool{}
		for _, r := range h.Reader {
			key := r.Event
			for _, e := range r.Endings {
				key = r.Event + " " + string(e)
				if seen[key] {
					t.Errorf("%s: two rows for %q", h.Name, key)
				}
				seen[key] = true
				if !slices.Contains(Endings[:], e) {
					t.Errorf("%s: no ending %q", h.Name, e)
				}
			}
			if r.Event != "" && !slices.ContainsFunc(deciding(h), func(e string) bool { return sameWord(e, r.Event) }) && !h.event(r.Event).Decides() {
				t.Errorf("%s: no event %q", h.Name, r.Event)
			}
			if r.Closed != FateUnknown && r.Closed < r.Open {
				t.Errorf("%s: %s is laxer as installed", h.Name, key)
			}
		}
	}
}
