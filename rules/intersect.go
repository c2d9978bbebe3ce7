package rules

import "slices"

// meet reports whether some path matches both patterns.
func meet(rule, glob []segment) bool {
	return common(len(rule), len(glob),
		func(i int) bool { return rule[i].any },
		func(j int) bool { return glob[j].any },
		func(i, j int) bool { return meetSegment(rule[i].tokens, glob[j].tokens, glob[j].dots) })
}

// meetSegment reports whether some name matches both. As in a shell, no
// wildcard of glob matches a dot at the start of a name, unless dots is set.
func meetSegment(rule, glob []token, dots bool) bool {
	hidden := !dots && len(rule) > 0 && rule[0].r == '.'
	if hidden && (len(glob) == 0 || glob[0].r < 0) {
		return false
	}
	if len(rule) > 0 && len(glob) > 0 { // nearly all are told apart by that
		if differ(rule[0], glob[0]) || differ(rule[len(rule)-1], glob[len(glob)-1]) {
			return false
		}
	}
	return common(len(rule), len(glob),
		func(i int) bool { return rule[i].r == elemStar },
		func(j int) bool { return glob[j].r == elemStar },
		func(i, j int) bool { return meetToken(rule[i], glob[j]) })
}

// common reports whether two patterns of n and m elements have a match in
// common, where starA and starB tell which elements match any run and meets
// whether two others can match the same.
func common(n, m int, starA, starB func(int) bool, meets func(i, j int) bool) bool {
	// row[j]: what is left of both from i and j on has a match in common; nothing
	// has one after the end of either, of which row[m+1] and the first next speak
	var room [2 * 64]bool // enough for nearly all
	both := room[:]
	if 2*(m+2) > len(both) {
		both = make([]bool, 2*(m+2))
	}
	row, next := both[:m+2], both[m+2:2*(m+2)]
	for i := n; i >= 0; i-- {
		row, next = next, row
		clear(row)
		row[m] = i == n
		for j := m; j >= 0; j-- {
			switch {
			case i < n && starA(i), j < m && starB(j):
				row[j] = next[j] || row[j+1]
			case i < n && j < m:
				row[j] = next[j+1] && meets(i, j)
			}
		}
	}
	return row[0]
}

// differ reports whether two tokens are characters, and not the same.
func differ(a, b token) bool { return a.r >= 0 && b.r >= 0 && a.r != b.r }

func meetToken(a, b token) bool {
	switch {
	case a.r == elemOne || b.r == elemOne:
		return true
	case b.r == elemClass:
		return inClass(b.class, a.r)
	}
	return a.r == b.r
}

// contains reports whether rule matches every path that glob can match. It
// may say no where the answer is yes.
func contains(rule, glob []segment) bool {
	row, next := make([]bool, len(glob)+1), make([]bool, len(glob)+1)
	for i := len(rule); i >= 0; i-- {
		row, next = next, row
		clear(row)
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
	wild := func(t token) bool { return t.r < 0 }
	noStar := func(t token) bool { return t.r != elemStar }
	if len(rule) > 0 && !slices.ContainsFunc(rule, noStar) {
		return true
	}
	if !slices.ContainsFunc(glob, wild) && meetSegment(rule, glob, false) {
		return true
	}
	isClass := func(t token) bool { return t.r == elemClass }
	return slices.Equal(rule, glob) && !slices.ContainsFunc(rule, isClass)
}

// spells reports whether the last component of glob spells at least half of the
// characters that the one of rule does, where both match the same name. What a
// wildcard of glob could be as well is not what it looks for: *.e* looks for
// x.env, and main.* does not look for *.pem.
func spells(rule, glob []segment) bool {
	named := rule
	for len(named) > 0 && named[len(named)-1].any {
		named = named[:len(named)-1]
	}
	if below := len(rule) - len(named); below > 0 && below < len(glob) && spellsName(named, glob[:len(glob)-below]) {
		return true // secrets/** names what is in a folder
	}
	return spellsName(named, glob) // and the folder
}

// spellsName is spells for a rule that ends in a name.
func spellsName(rule, glob []segment) bool {
	if len(rule) == 0 || len(glob) == 0 {
		return false
	}
	want, have := rule[len(rule)-1].tokens, glob[len(glob)-1].tokens
	literal := 0
	for _, t := range want {
		if t.r >= 0 {
			literal++
		}
	}
	return literal > 0 && 2*spelled(want, have) >= literal
}

// spelled counts the characters of rule that characters of glob spell, in the
// name that has most of them; it is negative when no name matches both.
func spelled(rule, glob []token) int {
	const none = -1 << 20
	row := make([]int, len(glob)+1)
	for i := len(rule); i >= 0; i-- {
		next := row
		row = make([]int, len(glob)+1)
		for j := len(glob); j >= 0; j-- {
			best := none
			if i == len(rule) && j == len(glob) {
				best = 0
			}
			starA, starB := i < len(rule) && rule[i].r == elemStar, j < len(glob) && glob[j].r == elemStar
			if starA {
				best = max(best, next[j])
				if j < len(glob) {
					best = max(best, row[j+1])
				}
			}
			if starB {
				best = max(best, row[j+1])
				if i < len(rule) {
					best = max(best, next[j])
				}
			}
			both := i < len(rule) && j < len(glob)
			if both && !starA && !starB && meetToken(rule[i], glob[j]) {
				n := next[j+1]
				if rule[i].r >= 0 && glob[j].r != elemOne {
					n++
				}
				best = max(best, n)
			}
			row[j] = best
		}
	}
	return row[0]
}
