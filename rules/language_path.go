package rules

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// A pathBuilder makes machines of path patterns, which read the mark Tree after every
// path that they match.
type pathBuilder struct {
	automaton.Builder
	fold    bool // as deny and ask compare paths
	letters letters
	end     int // after the mark
}

func (l letters) newPaths(fold bool) *pathBuilder {
	b := &pathBuilder{fold: fold, letters: l}
	b.end = b.State()
	b.Accept(b.end)
	return b
}

// Machine is what was built so far.
func (b *pathBuilder) Machine() *automaton.Machine {
	m := b.Builder.Machine()
	if b.fold {
		m = b.letters.unfolded(m)
	}
	return m
}

// pathMachine matches what a pattern below a directory does; why says what of it is
// not written down.
func (l letters) pathMachine(s *spec, fold, classes bool) (m *automaton.Machine, why string) {
	b := l.newPaths(fold)
	why = b.spec(s, classes)
	return b.Machine(), why
}

// spec adds a pattern below a directory. A segment of text is never empty; of a run of
// three stars or more at the end of a pattern doublestar reads one character at least.
func (b *pathBuilder) spec(s *spec, classes bool) (why string) {
	dir, pattern := s.dir, joinSegs(s.segs)
	if b.fold {
		dir, pattern = FoldPath(dir), FoldPath(pattern)
	}
	at := b.State()
	b.Start(at)
	for _, r := range dir {
		at = b.read(at, r)
	}
	if pattern == "" || pattern == "**" {
		b.done(at)
	}
	if pattern == "" || !path.IsAbs(dir) {
		return ""
	}
	if dir != "/" {
		at = b.read(at, '/')
	}
	segs := strings.Split(doublestarPattern(pattern, classes), "/")
	for i, seg := range segs {
		last := i == len(segs)-1
		if seg == "**" {
			at = b.tail(at, last)
			continue
		}
		ends := last || i == len(segs)-2 && segs[i+1] == "**" // dir/** is dir too
		if at, why = b.segment(at, seg, ends); why != "" || at < 0 {
			return why
		}
		if !last {
			at = b.read(at, '/')
		}
	}
	return ""
}

// tail adds **, which is all that follows where it is last, else any number of segments.
func (b *pathBuilder) tail(at int, last bool) (next int) {
	in := b.State()
	if last {
		b.done(at)
		b.done(in)
		b.Edge(at, automaton.AllBut(), in)
		b.Edge(in, automaton.AllBut(), in)
		return in
	}
	next = b.State()
	b.Empty(at, next)
	b.Edge(at, automaton.AllBut('/'), in)
	b.Edge(in, automaton.AllBut('/'), in)
	b.Edge(in, automaton.Rune('/'), at)
	return next
}

// segment adds one segment, after which a path may end or not. next is below zero
// where nothing matches.
func (b *pathBuilder) segment(at int, seg string, ends bool) (next int, why string) {
	name := automaton.AllBut('/')
	onlyStars := strings.Trim(seg, "*") == ""
	for i := 0; i < len(seg); {
		r, n := nextRune(seg[i:])
		switch {
		case r == '\\':
			r, n = nextRune(seg[i+1:])
			n++
			at = b.read(at, r)
		case r == '*':
			n = len(seg[i:]) - len(strings.TrimLeft(seg[i:], "*"))
			star := b.State()
			if b.Edge(star, name, star); onlyStars {
				b.Edge(at, name, star)
			} else {
				b.Empty(at, star)
			}
			if at = star; ends && n > 2 && i+n == len(seg) && !onlyStars {
				some := b.State()
				b.Edge(at, name, some)
				b.done(some)
				return at, ""
			}
		case r == '?':
			one := b.State()
			b.Edge(at, name, one)
			at = one
		case r == '[':
			var set []rune
			if set, n, why = classRunes(seg[i:]); why != "" || n == 0 {
				return -1, why
			}
			at = b.readAny(at, set)
		default:
			at = b.read(at, r)
		}
		i += n
	}
	if ends {
		b.done(at)
	}
	return at, ""
}

// read adds a state that one character leads to.
func (b *pathBuilder) read(from int, r rune) int { return b.readAny(from, []rune{r}) }

func (b *pathBuilder) readAny(from int, set []rune) int {
	to := b.State()
	b.Edge(from, automaton.Rune(set...), to)
	return to
}

// done makes a state one that a path may end in.
func (b *pathBuilder) done(s int) {
	b.Accept(s)
	b.tree(s)
}

// tree lets a path end in a state where it is taken away with all below it.
func (b *pathBuilder) tree(s int) { b.Edge(s, automaton.Rune(automaton.Tree), b.end) }
