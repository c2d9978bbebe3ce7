package state

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/rules"
)

// TestTimed: a rule with an end counts from when it was granted until then, and where the clock goes back before what
// it showed already, not at all.
func TestTimed(t *testing.T) {
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	st := store(filepath.Join(t.TempDir(), "state"))
	granted := func(after time.Duration, use Use) int {
		st.Now = at.Add(after)
		use.Session = "s1"
		return len(st.Load(use, &rules.Policy{Project: rules.Path{Given: "/work"}}).Timed)
	}
	grant := func(g Timed) {
		st.Now = at
		if _, err := st.Update("s1", "/work", func(s *Session) error { s.Timed, s.Seen = []Timed{g}, at; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	grant(Timed{Rule: "Bash(a)", Since: at, Until: at.Add(2 * time.Hour)})
	for after, want := range map[time.Duration]int{0: 1, 119 * time.Minute: 1, 2 * time.Hour: 0, -time.Second: 0, -time.Hour: 0} {
		if got := granted(after, Use{}); got != want {
			t.Errorf("%v later there are %d", after, got)
		}
	}
	st.Now = at.Add(90 * time.Minute)
	if err := st.Spend("/work", Use{Session: "s1"}, nil); err != nil {
		t.Fatal(err)
	}
	if granted(91*time.Minute, Use{}) != 1 || granted(89*time.Minute, Use{}) != 0 {
		t.Error("the clock went back, and the rule lives longer")
	}
	grant(Timed{Rule: "Bash(a)", Since: at, Until: at.Add(MaxAge + time.Hour)})
	if granted(time.Minute, Use{}) != 0 {
		t.Error("a rule counts for longer than a session's grants")
	}
	grant(Timed{Rule: "Bash(a)", Since: at, Until: at.Add(time.Hour), Once: true})
	st.Now = at.Add(time.Minute)
	if err := st.Spend("/work", Use{Session: "s1", Call: "1", Input: "x"}, []string{at.Format(time.RFC3339) + " Bash(a)"}); err != nil {
		t.Fatal(err)
	}
	if st.Spend("/work", Use{Session: "s1", Call: "2", Input: "x"}, []string{at.Format(time.RFC3339) + " Bash(a)"}) == nil {
		t.Error("used up twice")
	}
	for use, want := range map[Use]int{{Call: "1", Input: "x"}: 1, {Call: "1", Input: "y"}: 0, {Call: "2", Input: "x"}: 0, {Input: "x"}: 0,
		{Input: "x", Request: true}: 1} {
		if got := granted(2*time.Minute, use); got != want {
			t.Errorf("%+v: %d", use, got)
		}
	}
	st.Now = at.Add(3 * time.Minute)
	if err := st.Spend("/work", Use{Session: "s1", Call: "2", Input: "x"}, nil); err != nil {
		t.Fatal(err)
	}
	if granted(3*time.Minute, Use{Input: "x", Request: true}) != 0 || granted(3*time.Minute, Use{Call: "1", Input: "x"}) != 1 {
		t.Error("the dialog of a later call counts as that of the first")
	}
	if granted(time.Minute+UsedAge, Use{Call: "1", Input: "x"}) != 0 {
		t.Error("a call that used a rule up does so for ever")
	}
}
