package rules
func (p *Policy) matchFile(r *Rule, s *Subject) (all, some bool) { return }
func matchWeb(r *Rule, s *Subject) (all, some bool) { return }
