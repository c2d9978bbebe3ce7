package rules

// holds reports whether g matches every text that o matches, its stars by stars
// of its own: then holes that o may cover g covers too.
func (g *glob) holds(o *glob) bool {
	s := g.start()
	for _, e := range o.el {
		if e == elemStar {
			s = g.cover(s)
		} else {
			s = g.advance(s, e)
		}
	}
	if o.tail == 0 {
		return g.accepts(s)
	}
	return g.accepts(s) && g.accepts(g.cover(g.advance(s, o.tail)))
}

// advance reads one element that is no star; elemOne is a character that is not
// known.
func (g *glob) advance(s states, r rune) states {
	next := make(states, len(s))
	next[g.over()] = s[g.over()] || s[len(g.el)] && g.tail != 0 && r == g.tail
	for p, e := range g.el {
		switch {
		case !s[p]:
		case e == elemStar:
			next[p] = true
		case e == elemOne || e == r:
			next[p+1] = true
		}
	}
	g.close(next)
	return next
}

// anyHolds reports whether each of want is held by one of have.
func anyHolds(have, want []glob) bool {
	for i := range want {
		found := false
		for j := range have {
			found = found || have[j].holds(&want[i])
		}
		if !found {
			return false
		}
	}
	return len(want) > 0
}
