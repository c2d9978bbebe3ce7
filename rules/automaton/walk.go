package automaton

import (
	"slices"
	"strings"
)

// A walk is one run of a search: its nodes are what texts lead to.
type walk struct {
	*Prepared
	only  []int // patterns of which one has to match; nil where none has to
	nodes []node
	next  [][]int32 // nodes to be looked at, by the length their texts will have at least
	seen  map[place]int32
	moves map[move]settled
	far   map[int][]int32 // by pattern of only and state, see missing

	effects *effects
	front   front
}

// A node is where a text leads to, and the text by its last symbol and the node before.
type node struct {
	place
	from   int32
	by     Symbol
	length int32
}

// A place is what decides about a text and all that goes on from it.
type place struct {
	move
	universe int
}

// A move is to a set of states, knowing which lists match whatever goes on.
type move struct {
	set    int32
	always Lists
	mine   bool // one of the patterns that have to match does, whatever goes on
}

// A settled move is without the patterns that no longer matter.
type settled struct {
	move
	far int32 // how many symbols are missing at least; never where nothing is wanted
}

func newWalk(p *Prepared, only []int, e *effects) *walk {
	w := &walk{Prepared: p, only: only, effects: e, front: front{},
		seen: map[place]int32{}, moves: map[move]settled{}, far: map[int][]int32{}}
	mine := only == nil || slices.ContainsFunc(only, func(i int) bool { return slices.Contains(p.sets.all, i) })
	w.visit(w.settle(move{0, p.always, mine}), 0, -1, 0)
	return w
}

// pop is the next node: texts that it can lead to are the shortest of those not seen.
func (w *walk) pop() (at int32, ok bool) {
	for i := range w.next {
		for len(w.next[i]) > 0 {
			at, w.next[i] = w.next[i][0], w.next[i][1:]
			if n := &w.nodes[at]; w.seen[n.place] == n.length {
				return at, true
			}
		}
	}
	return 0, false
}

// visit adds a place, if it is hopeful and no text as short leads there.
func (w *walk) visit(m settled, universe int, from int32, by Symbol) {
	n := node{place{m.move, universe}, from, by, 0}
	if from >= 0 {
		n.length = w.nodes[from].length + 1
	}
	if length, known := w.seen[n.place]; m.far == never || known && length <= n.length {
		return
	}
	w.seen[n.place] = n.length
	w.nodes = append(w.nodes, n)
	for int(n.length+m.far) >= len(w.next) {
		w.next = append(w.next, nil)
	}
	w.next[n.length+m.far] = append(w.next[n.length+m.far], int32(len(w.nodes)-1))
}

// follow visits all places one symbol after a node: one of each pool that no pattern
// names, then those that patterns name, capitals last, then marks.
func (w *walk) follow(at int32) {
	n := w.nodes[at]
	a := w.sets.steps(n.set)
	if rest := w.settle(move{a.over(noRune), n.always, n.mine}); rest.far < never {
		for _, pool := range w.universe.Pools(n.universe) {
			named := func(r rune) bool { _, is := slices.BinarySearch(a.named, r); return is }
			if i := strings.IndexFunc(pool, func(r rune) bool { return !named(r) }); i >= 0 {
				w.try(at, rest, []rune(pool[i:])[0])
			}
		}
	}
	for _, capitals := range [...]bool{false, true} {
		for i, r := range a.named {
			if r >= 0 && r != noRune && (r >= 'A' && r <= 'Z') == capitals {
				w.try(at, w.settle(move{a.to[i], n.always, n.mine}), r)
			}
		}
	}
	for _, r := range w.universe.Marks(n.universe) {
		w.try(at, w.settle(move{a.over(r), n.always, n.mine}), r)
	}
}

func (w *walk) try(at int32, m settled, r Symbol) {
	if m.far == never {
		return
	}
	if u, ok := w.universe.Next(w.nodes[at].universe, r); ok {
		w.visit(m, u, at, r)
	}
}

// found is the text that leads to a node, with all that matches it.
func (w *walk) found(at int32) Found {
	f := Found{Patterns: slices.Clone(w.sets.all)}
	for i := at; w.nodes[i].from >= 0; i = w.nodes[i].from {
		f.Text = append(f.Text, w.nodes[i].by)
	}
	slices.Reverse(f.Text)
	set := int32(0)
	for _, r := range f.Text {
		f.Patterns = w.sets.matched(f.Patterns, set, false)
		set = w.sets.steps(set).over(r)
	}
	f.Patterns = w.sets.matched(f.Patterns, set, true)
	slices.Sort(f.Patterns)
	f.Patterns = slices.Compact(f.Patterns)
	for _, i := range f.Patterns {
		f.Lists |= w.sets.lists[i]
	}
	return f
}
