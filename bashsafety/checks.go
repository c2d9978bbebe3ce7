package bashsafety

// checkFamilies are the checks in the order findings are reported.
var checkFamilies = [...][]Check{}

// Checks returns every check of shell text, the worst first.
func Checks() []*Check {
	var all []*Check
	for _, family := range checkFamilies {
		for i := range family {
			all = append(all, &family[i])
		}
	}
	return all
}

// runChecks fills s.Findings.
func runChecks(s *Script) {
	for _, family := range checkFamilies {
		for i := range family {
			for _, f := range family[i].Find(s) {
				f.Check = &family[i]
				s.Findings = append(s.Findings, f)
			}
		}
	}
}
