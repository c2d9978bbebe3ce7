package asks

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
)

// Findings asks about what the checks found in a shell text, and what the disk tells besides.
func Findings(c facts.Facts) (all []verdict.Question) {
	if c.Script() == nil {
		return nil
	}
	var found []*bashsafety.Finding
	for _, list := range [...][]bashsafety.Finding{c.Script().Findings, c.Overwrites()} {
		for i := range list {
			found = append(found, &list[i])
		}
	}
	for _, f := range found {
		why := func() verdict.Reason { return words.Found(c, f) }
		if grave := gravity(f.Check); grave == verdict.Catastrophic {
			all = append(all, verdict.MustLater(grave, why))
		} else {
			all = append(all, verdict.Ask(grave, Finding{f}, why))
		}
	}
	return all
}

// gravity is how grave the question about a finding is.
func gravity(check *bashsafety.Check) verdict.Gravity {
	switch {
	case check.Severity == bashsafety.Catastrophic:
		return verdict.Catastrophic
	case check.Severity == bashsafety.Destructive:
		return verdict.Lost
	case check.ID == "secret-to-network":
		return verdict.Sent
	case check.ID == "agent-unchecked":
		return verdict.Unchecked
	case check.ID == bashsafety.EscapedOption:
		return verdict.Doubtful
	}
	return verdict.Control
}
