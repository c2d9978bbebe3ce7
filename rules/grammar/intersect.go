package grammar

import "slices"

// Meet reports whether some path matches both patterns.
func Meet(rule, glob []Segment) bool {
	return common(len(rule), len(glob),
		func(i int) bool { return rule[i].Any },
		func(j int) bool { return glob[j].Any },
		func(i, j int) bool { return meetSegment(rule[i].Tokens, glob[j].Tokens, glob[j].Dots) })
}

// meetSegment reports whether some name matches both. As in a shell, no
// wildcard of glob matches a dot at the start of a name, unless dots is set.
func meetSegment(rule, glob []Token, dots bool) bool {
	hidden := !dots && len(rule) > 0 && rule[0].R == '.'
	if hidden && (len(glob) == 0 || glob[0].R < 0) {
		return false
	}
	if len(rule) > 0 && len(glob) > 0 { // nearly all are told apart by that
		if differ(rule[0], glob[0]) || differ(rule[len(rule)-1], glob[len(glob)-1]) {
			return false
		}
	}
	return common(len(rule), len(glob),
		func(i int) bool { return rule[i].R == Star },
		func(j int) bool { return glob[j].R == Star },
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
func differ(a, b Token) bool { return a.R >= 0 && b.R >= 0 && a.R != b.R }

func meetToken(a, b Token) bool {
	switch {
	case a.R == One || b.R == One:
		return true
	case b.R == Class:
		return inClass(b.Class, a.R)
	}
	return a.R == b.R
}

// Contains reports whether rule matches every path that glob can match. It
// may say no where the answer is yes.
func Contains(rule, glob []Segment) bool {
	row, next := make([]bool, len(glob)+1), make([]bool, len(glob)+1)
	for i := len(rule); i >= 0; i-- {
		row, next = next, row
		clear(row)
		for j := len(glob); j >= 0; j-- {
			switch {
			case i == len(rule):
				row[j] = j == len(glob)
			case rule[i].Any:
				row[j] = next[j] || j < len(glob) && row[j+1]
			case j < len(glob) && !glob[j].Any:
				row[j] = next[j+1] && containsSegment(rule[i].Tokens, glob[j].Tokens)
			}
		}
	}
	return row[0]
}

// containsSegment: a rule of stars holds every name, any other those it spells
// the same way or that are literal.
func containsSegment(rule, glob []Token) bool {
	wild := func(t Token) bool { return t.R < 0 }
	noStar := func(t Token) bool { return t.R != Star }
	if len(rule) > 0 && !slices.ContainsFunc(rule, noStar) {
		return true
	}
	if !slices.ContainsFunc(glob, wild) && meetSegment(rule, glob, false) {
		return true
	}
	isClass := func(t Token) bool { return t.R == Class }
	return slices.Equal(rule, glob) && !slices.ContainsFunc(rule, isClass)
}

// Spells reports whether the last component of glob spells at least half of the
// characters that the one of rule does, where both match the same name. What a
// wildcard of glob could be as well is not what it looks for: *.e* looks for
// x.env, and main.* does not look for *.pem.
func Spells(rule, glob []Segment) bool {
	named := rule
	for len(named) > 0 && named[len(named)-1].Any {
		named = named[:len(named)-1]
	}
	if below := len(rule) - len(named); below > 0 && below < len(glob) && spellsName(named, glob[:len(glob)-below]) {
		return true // secrets/** names what is in a folder
	}
	return spellsName(named, glob) // and the folder
}

// spellsName is spells for a rule that ends in a name.
func spellsName(rule, glob []Segment) bool {
	if len(rule) == 0 || len(glob) == 0 {
		return false
	}
	want, have := rule[len(rule)-1].Tokens, glob[len(glob)-1].Tokens
	literal := 0
	for _, t := range want {
		if t.R >= 0 {
			literal++
		}
	}
	return literal > 0 && 2*spelled(want, have) >= literal
}

// spelled counts the characters of rule that characters of glob spell, in the
// name that has most of them; it is negative when no name matches both.
func spelled(rule, glob []Token) int {
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
			starA, starB := i < len(rule) && rule[i].R == Star, j < len(glob) && glob[j].R == Star
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
				if rule[i].R >= 0 && glob[j].R != One {
					n++
				}
				best = max(best, n)
			}
			row[j] = best
		}
	}
	return row[0]
}
