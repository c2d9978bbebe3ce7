package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
)

// firstLines is how many calls are shown.
const firstLines = 10

// A firstLine is calls that look alike and are decided otherwise in the same way.
type firstLine struct {
	was, now, title string
	calls, refused  int
}

// lines are the calls that are decided otherwise, those of the newest call first.
func (t *firstTest) lines() (out []*firstLine, calls int) {
	met := map[[3]string]*firstLine{}
	for _, g := range t.groups {
		was, now := g.words()
		if was == now {
			continue
		}
		k := [3]string{was, now, gate.Title(g.Call.Call)}
		l := met[k]
		if l == nil {
			l = &firstLine{was: was, now: now, title: k[2]}
			met[k] = l
			out = append(out, l)
		}
		l.calls += g.calls
		l.refused += g.refused
		calls += g.calls
	}
	slices.SortStableFunc(out, byRank)
	return out, calls
}

// print says which logged calls would be decided otherwise.
func (t *firstTest) print() {
	e := t.e
	of := plural(t.calls, "logged call", "logged calls")
	if t.bounded {
		of = "the newest " + of
	}
	if len(t.dirs) > 0 {
		of += " of this project"
	}
	of += fmt.Sprintf(" in the last %d days", firstDays)
	if t.skipped > 0 {
		of += " (" + plural(t.skipped, "other is", "others are") + " not logged whole)"
	}
	lines, calls := t.lines()
	if calls == 0 {
		e.wrapped("", "none of "+of+" would be decided otherwise")
		return
	}
	e.wrapped("", fmt.Sprintf("%d of %s would be decided otherwise:", calls, of))
	v := newLogView(e, nil)
	for i, l := range lines {
		if i == firstLines {
			e.wrapped("  ", fmt.Sprintf("and %s", plural(calls, "more call", "more calls")))
			return
		}
		calls -= l.calls
		l.print(v)
	}
}

// print prints one line, in the columns that the log has.
func (l *firstLine) print(v *logView) {
	head := fmt.Sprintf("  %-18s  ", l.was+" -> "+l.now)
	tail := ""
	if l.calls > 1 {
		tail = "  (" + plural(l.calls, "call", "calls") + ")"
	}
	refused := ""
	if l.refused > 0 {
		refused = "  refused by you"
		if l.refused > 1 {
			refused += fmt.Sprintf(" %d times", l.refused)
		}
	}
	text, _ := redact.Text(hookio.Escape(l.title))
	text = cut(text, max(v.width-len(head)-len(tail)-len(refused), 40))
	fmt.Fprintf(v.e.out, "%s%s%s%s\n", v.paint(decision(l.now), head), text, tail, v.paint(hookio.Deny, refused))
}

// rank orders what is shown: first what is newly allowed though the user refused it,
// then what else is newly allowed.
func (l *firstLine) rank() int {
	switch {
	case l.now == hookio.Allow.String() && l.refused > 0:
		return 0
	case l.now == hookio.Allow.String():
		return 1
	}
	return 2
}

func byRank(a, b *firstLine) int { return cmp.Compare(a.rank(), b.rank()) }
