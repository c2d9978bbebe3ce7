package rules

// Match returns the rules of rs that match s.
func (p *Policy) Match(rs []Rule, s *Subject) []Hit { return nil }
