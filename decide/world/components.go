package world

import (
	"iter"
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// StartOf returns the byte that a table path begins with if a folded component is its
// first one; 0 where the component may be more than what it spells.
func StartOf(part string) byte {
	for i := range len(part) {
		switch part[i] {
		case '~', '*', '?', '[', '\\', 0:
			return 0
		}
	}
	if part == "" {
		return 0
	}
	return part[0]
}

// mostPaths is how many paths a table of components may have.
const mostPaths = 512

// Rows finds the paths of a table that may mean a component by what their first components begin and end with. The zero
// value is ready: it reads the table when it is first asked.
type Rows struct {
	once   sync.Once
	starts pathSets // [0] are all of them
	ends   pathSets
	of     [mostPaths]struct{ row, nth uint16 } // the row of each path, and which one of the row's it is
}

// pathSets are bits of paths, by the low bits of a byte.
type pathSets [32][mostPaths / 64]uint64

// add notes a path for a byte, for all of them where that is a wildcard.
func (s *pathSets) add(path int, b byte, wild bool) {
	classes := s[b%32 : b%32+1]
	if wild {
		classes = s[:]
	}
	for class := range classes {
		classes[class][path/64] |= 1 << (path % 64)
	}
}

// First returns the first row with a path for which is holds, of those that may mean a folded component, -1 for none.
// The table is the paths of each row in turn; is gets the number of the row, and of the path in it.
func (r *Rows) First(part string, table iter.Seq2[int, string], is func(row, nth int) bool) int {
	r.once.Do(func() { r.read(table) })
	start := StartOf(part)
	for i, set := range r.starts[start%32] {
		if start != 0 {
			set &= r.ends[part[len(part)-1]%32][i]
		}
		for ; set != 0; set &= set - 1 {
			if at := r.of[i*64+bits.TrailingZeros64(set)]; is(int(at.row), int(at.nth)) {
				return int(at.row)
			}
		}
	}
	return -1
}

func (r *Rows) read(table iter.Seq2[int, string]) {
	path, last, nth := 0, -1, 0
	for row, p := range table {
		if nth++; row != last {
			last, nth = row, 0
		}
		first, _, _ := strings.Cut(p, "/")
		end := first[len(first)-1]
		r.starts[0][path/64] |= 1 << (path % 64)
		r.starts.add(path, p[0], p[0] == '*' || p[0] == '?')
		r.ends.add(path, end, wildEnd(end))
		r.of[path].row, r.of[path].nth = uint16(row), uint16(nth)
		path++
	}
}

// wildEnd reports whether a component of a table that ends with a byte says nothing of the last byte of what it means.
func wildEnd(b byte) bool { return b == '*' || b == '?' || b == ']' || b == '}' }

// MatchParts compares the leading components of parts with a table path and
// returns how many it used.
func MatchParts(pattern string, parts []string) (int, bool) {
	n := 0
	for rest := pattern; ; n++ {
		end := strings.IndexByte(rest, '/')
		want := rest
		if end >= 0 {
			want = rest[:end]
		}
		if n >= len(parts) || !ComponentIs(parts[n], want) {
			return 0, false
		}
		if end < 0 {
			return n + 1, true
		}
		rest = rest[end+1:]
	}
}

// ComponentIs reports whether a folded path component is, or could be, the
// table's component: both may hold wildcards.
func ComponentIs(got, want string) bool {
	if got == want || want == "*" || ntfsShort(got, want) {
		return true
	}
	if strings.IndexByte(want, '*') >= 0 || strings.IndexByte(want, '?') >= 0 {
		if endsOtherwise(got, want) {
			return false
		}
		ok, _ := doublestar.Match(want, strings.ReplaceAll(got, "\\", ""))
		return ok
	}
	return globCould(got, want)
}

// endsOtherwise reports whether a component's last byte is not the one that a table's
// component ends in: nearly all are ruled out so.
func endsOtherwise(got, want string) bool {
	if got == "" {
		return false
	}
	have, end := got[len(got)-1], want[len(want)-1]
	return have != end && have != '\\' && !wildEnd(end)
}

// globCould reports whether a component with shell wildcards or holes could be
// name. One that starts with a wildcard says nothing about the name (and in the
// shell no wildcard matches a leading dot); one that starts with a hole is
// asked about by step 3b.
func globCould(got, name string) bool {
	return got != "" && strings.IndexByte("*?[\x00", got[0]) < 0 && CouldBe(got, name)
}

// ntfsShort reports whether got is the 8.3 name NTFS gives want.
func ntfsShort(got, want string) bool {
	i := strings.IndexByte(got, '~')
	if i < 0 || i+2 != len(got) || got[i+1] < '1' || got[i+1] > '9' {
		return false
	}
	head := got[:i]
	base, dotted := strings.CutPrefix(want, ".")
	return dotted && head == base[:min(len(base), 6)]
}

// FoldPath reads a path as the most forgiving file system would: case, normal
// form and ignorable characters do not count (APFS, HFS+), nor what NTFS takes off.
func FoldPath(name string) string {
	if foldsToItself(name) {
		return name
	}
	parts := strings.Split(grammar.FoldPath(name), "/")
	for i, p := range parts {
		parts[i] = cutComponent(p)
	}
	return strings.Join(parts, "/")
}

// foldsToItself reports whether no byte of a name is one that FoldPath may change.
func foldsToItself(name string) bool {
	for i := 0; i < len(name); i++ {
		switch b := name[i]; {
		case b >= utf8.RuneSelf, b >= 'A' && b <= 'Z':
			return false
		case b == ':':
			return false
		case (b == '.' || b == ' ') && (i+1 == len(name) || name[i+1] == '/'):
			return false
		}
	}
	return true
}

// cutComponent takes off one component what NTFS takes off: streams, trailing
// dots and blanks.
func cutComponent(p string) string {
	if p == "." || p == ".." {
		return p
	}
	if i := strings.IndexByte(p, ':'); i > 0 {
		p = p[:i]
	}
	return strings.TrimRight(p, " .")
}

// CouldBe reports whether a path component with holes or wildcards could be name.
func CouldBe(got, name string) bool {
	if got == name {
		return true
	}
	for i := range len(got) {
		switch got[i] {
		case '*', '?', '[', 0:
			ok, err := doublestar.Match(strings.ReplaceAll(got, "\x00", "*"), name)
			return ok || err != nil
		}
	}
	return false
}
