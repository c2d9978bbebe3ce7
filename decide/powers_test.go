package decide

import (
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// TestPowers: whatever a step says, only what it may do counts.
func TestPowers(t *testing.T) {
	grants := []*grant{nil, &grantBypass, &grantSession, &grantRule, &grantSafeTool, &grantApproval}
	for _, s := range append(Steps[:len(Steps):len(Steps)], Step{Num: "x"}) {
		for before := hookio.Allow; before <= hookio.Deny; before++ {
			for after := hookio.Pass; after <= hookio.Deny; after++ {
				for _, g := range grants {
					said := Verdict{Decision: after, grant: g, Reason: "r"}
					s.run = func(*Case, Verdict) Verdict { return said }
					got := s.decide(testCase("Bash"), Verdict{Decision: before, Step: "6", Origin: "6"}).Decision
					if want := mayBecome(&s, before, said); got != want {
						t.Errorf("step %s says %v (%v) of %v: %v, want %v", s.Num, after, g, before, got, want)
					}
				}
			}
		}
	}
}

// TestHostPowers: what is told is never laxer than the verdict, except an ask again for a deny of a mode,
// and a deny of step 1 or 2 is told where the event takes a decision.
func TestHostPowers(t *testing.T) {
	for _, s := range HostSteps {
		for _, origin := range []string{"1", "2", "3b", "6", "7"} {
			for before := hookio.Allow; before <= hookio.Deny; before++ {
				for after := hookio.Pass; after <= hookio.Deny; after++ {
					s.tell = func(*Case, Verdict, hookio.Answer) (hookio.Answer, string) {
						return hookio.Answer{Decision: after}, "because"
					}
					v := Verdict{Decision: before, Step: origin, Origin: origin}
					told, silence := s.host(testCase("Bash"), v, hookio.Answer{Decision: before})
					again := s.May == TakesBack && origin == "7" && told.Decision == hookio.Ask
					if told.Decision < before && !again || s.May != Tightens && told.Decision > before && !again {
						t.Errorf("step %s %s tells %v of %v (%s)", s.Num, s.Name, told.Decision, before, origin)
					}
					final := before == hookio.Deny && (origin == "1" || origin == "2" || origin == "6")
					if (silence != "") != (s.May == Silences && !final) {
						t.Errorf("step %s %s of %v (%s) is silent: %q", s.Num, s.Name, before, origin, silence)
					}
				}
			}
		}
	}
}

// mayBecome is what counts of what a step says: Pass where it has no opinion.
func mayBecome(s *Step, before hookio.Decision, said Verdict) hookio.Decision {
	granted := said.grant != nil && said.grant.step == s.Num
	may := map[hookio.Decision]bool{
		hookio.Pass: true, hookio.Ask: s.May&Asks != 0, hookio.Deny: s.May&Denies != 0, hookio.Allow: s.May&Allows != 0 && granted,
	}
	switch {
	case s.May == Tightens && said.Decision > before:
		return said.Decision
	case s.May == TakesBack && before == hookio.Ask && (said.Decision == hookio.Deny || said.Decision == hookio.Allow && granted):
		return said.Decision
	case s.May == Tightens || s.May == TakesBack || s.May == 0:
		return hookio.Pass
	case !may[said.Decision]:
		return hookio.Ask
	}
	return said.Decision
}
