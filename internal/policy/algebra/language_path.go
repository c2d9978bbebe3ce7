package algebra

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
	"golang.org/x/text/unicode/norm"
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
func (l letters) pathMachine(s *grammar.Spec, fold, classes bool) (m *automaton.Machine, why string) {
	b := l.newPaths(fold)
	why = b.spec(s, classes)
	return b.Machine(), why
}

// spec adds a pattern below a directory. A segment of text is never empty; of a run of
// three stars or more at the end of a pattern doublestar reads one character at least.
func (b *pathBuilder) spec(s *grammar.Spec, classes bool) (why string) {
	dir, pattern := s.Dir, grammar.JoinSegs(s.Segs)
	if b.fold {
		dir, pattern = grammar.FoldPath(dir), grammar.FoldPath(pattern)
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
	segs := strings.Split(grammar.DoublestarPattern(pattern, classes), "/")
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
		r, n := grammar.NextRune(seg[i:])
		switch {
		case r == '\\':
			r, n = grammar.NextRune(seg[i+1:])
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
				b.done(b.Next(at, name))
				return at, ""
			}
		case r == '?':
			at = b.Next(at, name)
		case r == '[':
			var set []rune
			if set, n, why = classRunes(seg[i:]); why != "" || n == 0 {
				return -1, why
			}
			at = b.Next(at, automaton.Rune(set...))
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
func (b *pathBuilder) read(from int, r rune) int { return b.Next(from, automaton.Rune(r)) }

// done makes a state one that a path may end in.
func (b *pathBuilder) done(s int) {
	b.Accept(s)
	b.tree(s)
}

// tree lets a path end in a state where it is taken away with all below it.
func (b *pathBuilder) tree(s int) { b.Edge(s, automaton.Rune(automaton.Tree), b.end) }

// pathTexts are absolute clean paths: segments that are neither empty nor . nor .., and
// perhaps Tree at the end. Left out are names with bytes that are no UTF-8 and with
// characters that have several spellings, or none that counts, except the letters: marks
// that combine, what is composed of them (é, and syllables of Hangul), ligatures and what
// is invisible. Marks are in their normal order, so that a name is folded character by
// character. On Windows names with : or \ and those that end with a blank or dot are left
// out as well.
type pathTexts struct {
	windows bool
	letters letters
}

// The states of a path.
const (
	pathStart = iota
	pathRoot
	pathSlash
	pathDot
	pathDots
	pathName
	pathTail // of Windows: ends with a blank or dot
	pathGone
)

// Next implements automaton.Universe. Above the state is which mark the name ends with so
// far, as the order of marks has it.
func (u pathTexts) Next(state int, r automaton.Symbol) (next int, ok bool) {
	last := uint8(state >> 3)
	state &= 7
	if r >= utf8.RuneSelf && u.letters.has(r) {
		m := norm.NFD.PropertiesString(string(r))
		inName := state != pathStart && state != pathGone
		return pathName | int(m.TrailCCC())<<3, inName && (m.LeadCCC() == 0 || last <= m.LeadCCC())
	}
	switch {
	case r == automaton.Tree:
		return pathGone, state != pathGone && u.Accepts(state)
	case u.never(r):
		return 0, false
	case r == '/':
		next = [pathGone + 1]int{pathStart: pathRoot, pathName: pathSlash}[state]
		return next, next != 0
	case state == pathStart, state == pathGone:
		return 0, false
	}
	return u.named(state, r), true
}

// named is the state after a character of a name.
func (u pathTexts) named(state int, r rune) int {
	switch {
	case r == '.' && state < pathDots:
		return max(pathDot, state+1)
	case u.windows && strings.ContainsRune(". ", r):
		return pathTail
	}
	return pathName
}

// never reports whether no path has a character.
func (u pathTexts) never(r rune) bool { return odd(r) || u.windows && strings.ContainsRune(`:\`, r) }

// Accepts implements automaton.Universe.
func (pathTexts) Accepts(state int) bool {
	state &= 7
	return state == pathRoot || state == pathName || state == pathGone
}

// pathRunes are characters of names, the plainest first, more than patterns name.
const pathRunes = "xyzabcdefghijklmnopqrstuvw0123456789_-ABCDEFGHIJKLMNOPQRSTUVWXYZ+=@,%~" +
	"αβγδεζηθικλμνξοπρτυφχψωабвгджзиклмнопрстуфхцчшщъыьэюя一丁七万丈三上下不与丐丑专且世丘丙业丛东丝丞两严"

// Pools implements automaton.Universe.
func (pathTexts) Pools(state int) []string {
	switch state & 7 {
	case pathStart:
		return []string{"/"}
	case pathGone:
		return nil
	case pathName:
		return []string{pathRunes, "/"}
	case pathDots, pathTail:
		return []string{pathRunes}
	}
	return []string{pathRunes, "."}
}

// Marks implements automaton.Universe.
func (pathTexts) Marks(state int) []automaton.Symbol {
	if state &= 7; state == pathRoot || state == pathName {
		return []automaton.Symbol{automaton.Tree}
	}
	return nil
}

// fileLanguage is what a rule matches among the paths that calls of a tool name, see
// pathTexts. What a deny or ask of a search tool matches by what is searched for is the
// field pattern, the path is also its field as it was sent: absolute and clean.
func (p *Policy) fileLanguage(r *rules.Rule, tool string) (l Language, why string) {
	for _, r := range r.Readings() {
		switch {
		case r.URL != nil:
		case !r.SpeaksOf(tool):
		case r.Bare:
			l.All = true
		default:
			if why := p.addPaths(&l, &r, tool); why != "" {
				return Language{}, why
			}
		}
	}
	return l, ""
}

// addPaths adds what one reading of a rule matches.
func (p *Policy) addPaths(l *Language, r *rules.Rule, tool string) (why string) {
	specs := p.Specs(r)
	for i := range specs {
		text := specs[i].Dir + grammar.JoinSegs(specs[i].Segs)
		if r, odd := p.letters.oddRune(text); odd {
			return "it names a file by " + string(r) + ", which has several spellings"
		}
		if why := p.addSpec(l, r, &specs[i]); why != "" {
			return why
		}
	}
	if !r.Strict() {
		return ""
	}
	if len(specs) > 0 {
		l.Maybe = append(l.Maybe, p.spelled(p.letters.foldersAbove(specs))...)
	}
	if r.SearchesByName() {
		m := patternMachine(grammar.FoldPath(strings.TrimSpace(r.Pattern)))
		l.Fields = append(l.Fields, FieldLanguage{"pattern", p.letters.unfolded(m)})
	}
	name, value, ok := grammar.FieldPattern(r.Pattern)
	if !ok || value == "" {
		return ""
	}
	l.addField(name, value)
	if name == rules.MainField(tool) {
		l.Sure = append(l.Sure, p.letters.unfolded(patternMachine(grammar.FoldPath(value))))
	}
	return ""
}

// addSpec adds what a pattern below a directory matches. To Claude Code [ begins a
// class, to us it is itself: deny and ask are read as either, allow as both.
func (p *Policy) addSpec(l *Language, r *rules.Rule, s *grammar.Spec) (why string) {
	own, why := p.letters.pathMachine(s, r.Strict(), false)
	machines := []*automaton.Machine{own}
	if r.Claude && strings.Contains(strings.Join(s.Segs, "/"), "[") {
		class, odd := p.letters.pathMachine(s, r.Strict(), true)
		if why = odd; r.Strict() {
			machines = append(machines, class)
		} else if odd == "" {
			machines[0] = automaton.Intersect(own, class)
		}
	}
	for _, m := range machines {
		l.Sure = append(l.Sure, p.spelled(m)...)
	}
	return why
}

// foldersAbove matches the folders that hold what deny and ask name and are taken away,
// see rules.Subject.Tree.
func (l letters) foldersAbove(specs []grammar.Spec) *automaton.Machine {
	b := l.newPaths(true)
	for i := range specs {
		at := specs[i].Dir
		for _, seg := range specs[i].Segs {
			if strings.ContainsAny(seg, `*?\`) {
				break
			}
			at = path.Join(at, seg)
		}
		s := b.State()
		b.Start(s)
		for i, r := range grammar.FoldPath(at) {
			if r == '/' && i > 0 {
				b.tree(s)
			}
			if s = b.read(s, r); i == 0 {
				b.tree(s)
			}
		}
		b.tree(s)
	}
	return b.Machine()
}

// Inside matches the paths at and below the working directory, the project and more folders.
func (p *Policy) Inside(more []rules.Dir) *automaton.Machine {
	b := p.letters.newPaths(false)
	dirs := append(p.Cwd.Forms(), p.Project.Forms()...)
	for _, d := range more {
		dirs = append(dirs, d.Path.Forms()...)
	}
	for _, dir := range dirs {
		b.spec(&grammar.Spec{Dir: dir, Segs: []string{"**"}}, false)
	}
	return b.Machine()
}
