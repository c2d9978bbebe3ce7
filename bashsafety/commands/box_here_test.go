package commands

import (
	"strconv"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestHereBounded: many mounts and many effects are no more than one of them where they are equal, and bounded where
// they differ: the container is open then, and anything may be reached.
func TestHereBounded(t *testing.T) {
	for _, differ := range [...]bool{false, true} {
		b, effects := Box{Closed: true}, []shell.Effect{}
		for n := range 600 {
			name := ""
			if differ {
				name = strconv.Itoa(n)
			}
			b.add("/x"+name, "/a")
			effects = append(effects, shell.Effect{Kind: shell.Delete, Path: "/a/b" + name, Known: true, Span: shell.Span{Start: n}})
		}
		all := b.Here(effects, "/home/dev")
		want, last := 1, all[len(all)-1]
		if differ {
			want = 601
		}
		if len(all) != want || b.Closed == differ || last.Known == differ {
			t.Errorf("%d effects, want %d, the last %q, closed %t", len(all), want, last.Path, b.Closed)
		}
		if made := testing.AllocsPerRun(1, func() { b.Here(effects, "/home/dev") }); made > 20_000 { // 600 times 600 would be 360,000
			t.Errorf("%v allocations", made)
		}
	}
}
