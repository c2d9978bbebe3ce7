package rules

// meet reports whether some path matches both patterns.
func meet(rule, glob []segment) bool {
	// row[j]: rule[i:] and glob[j:] have a path in common
	row := make([]bool, len(glob)+1)
	for i := len(rule); i >= 0; i-- {
		next := row
		row = make([]bool, len(glob)+1)
		for j := len(glob); j >= 0; j-- {
			switch {
			case i == len(rule) && j == len(glob):
				row[j] = true
			case i < len(rule) && rule[i].any:
				row[j] = next[j] || j < len(glob) && row[j+1]
			case j < len(glob) && glob[j].any:
				row[j] = row[j+1] || i < len(rule) && next[j]
			case i < len(rule) && j < len(glob):
				row[j] = next[j+1] && meetSegment(rule[i].tokens, glob[j].tokens)
			}
		}
	}
	return row[0]
}

// meetSegment reports whether some name matches both. As in a shell, no
// wildcard of glob matches a dot at the start of a name.
func meetSegment(rule, glob []token) bool {
	hidden := len(rule) > 0 && rule[0].r == '.'
	if hidden && (len(glob) == 0 || glob[0].r < 0) {
		return false
	}
	row := make([]bool, len(glob)+1)
	for i := len(rule); i >= 0; i-- {
		next := row
		row = make([]bool, len(glob)+1)
		for j := len(glob); j >= 0; j-- {
			switch {
			case i == len(rule) && j == len(glob):
				row[j] = true
			case i < len(rule) && rule[i].r == elemStar:
				row[j] = next[j] || j < len(glob) && row[j+1]
			case j < len(glob) && glob[j].r == elemStar:
				row[j] = row[j+1] || i < len(rule) && next[j]
			case i < len(rule) && j < len(glob):
				row[j] = next[j+1] && meetToken(rule[i], glob[j])
			}
		}
	}
	return row[0]
}

func meetToken(a, b token) bool {
	switch {
	case a.r == elemOne || b.r == elemOne:
		return true
	case b.r == elemClass:
		return inClass(b.class, a.r)
	}
	return a.r == b.r
}

// contains reports whether rule matches every path that glob can stand for. It
// may say no where the answer is yes.
func contains(rule, glob []segment) bool {
	row := make([]bool, len(glob)+1)
	for i := len(rule); i >= 0; i-- {
		next := row
		row = make([]bool, len(glob)+1)
		for j := len(glob); j >= 0; j-- {
			switch {
			case i == len(rule):
				row[j] = j == len(glob)
			case rule[i].any:
				row[j] = next[j] || j < len(glob) && row[j+1]
			case j < len(glob) && !glob[j].any:
				row[j] = next[j+1] && containsSegment(rule[i].tokens, glob[j].tokens)
			}
		}
	}
	return row[0]
}

// containsSegment: a rule of stars holds every name, any other those it spells
// the same way or that are literal.
func containsSegment(rule, glob []token) bool {
	stars, literal := len(rule) > 0, true
	for _, t := range rule {
		stars = stars && t.r == elemStar
	}
	for _, t := range glob {
		literal = literal && t.r >= 0
	}
	if stars || literal && meetSegment(rule, glob) {
		return true
	}
	if len(rule) != len(glob) {
		return false
	}
	for i := range rule {
		if rule[i] != glob[i] || rule[i].r == elemClass {
			return false
		}
	}
	return true
}
