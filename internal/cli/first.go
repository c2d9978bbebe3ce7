package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// Bounds of what a change is tried on.
const (
	firstDays  = 30       // how old a call may be
	firstBytes = 16 << 20 // of the log, from its end
	firstMost  = 5000     // calls that differ
	firstRoom  = 8 << 20  // bytes of settings and files that each side may keep
)

// A loggedGroup is logged calls that are equal except for their session, and so decided alike.
type loggedGroup struct {
	*sessions.Call
	calls, refused int // refused by the user
	was, now       *replay.Answer
}

// A firstTest is a change that is tried on the calls of the log before it is saved.
type firstTest struct {
	e       *subcmd.Env
	flags   *gate.Flags
	dirs    []rules.Path // of the projects that the change is about; none for all
	groups  []*loggedGroup
	calls   int  // of groups
	skipped int  // calls that cannot be decided again
	bounded bool // there are more, which are older
}

// firstOn returns what shows the logged calls that changes would decide otherwise.
func firstOn(e *subcmd.Env, f *gate.Flags) func([]*subcmd.Change) {
	return func(changes []*subcmd.Change) {
		t := &firstTest{e: e, flags: f}
		if t.about(changes); t.read() == nil && t.calls > 0 {
			t.decide(e.WorldWith(changes...))
			t.print()
		}
	}
}

// about notes the projects of the changed files; a file of the user concerns every project.
func (t *firstTest) about(changes []*subcmd.Change) {
	home := t.e.PolicyUnder(nil, t.flags).Home
	for _, ch := range changes {
		folder := filepath.Dir(ch.Name)
		dir := rules.Path{Given: t.e.World.OS.Canon(filepath.Dir(folder))}
		dir.Real = t.e.World.OS.Canon(load.Resolve(t.e.World.Files, dir.Given))
		users := dir.Given == home.Given || dir.Real == home.Real
		if users || !slices.Contains(load.Roots[:], filepath.Base(folder)) {
			t.dirs = nil
			return
		}
		t.dirs = append(t.dirs, dir)
	}
}

func (t *firstTest) decide(then gate.World) {
	var both sync.WaitGroup
	both.Go(func() {
		t.side(t.e.World, func(g *loggedGroup, a *replay.Answer) { g.was = a })
	})
	t.side(then, func(g *loggedGroup, a *replay.Answer) { g.now = a })
	both.Wait()
}

// side decides every call in one world. One that cannot be decided has no answer.
func (t *firstTest) side(w gate.World, set func(*loggedGroup, *replay.Answer)) {
	s := replay.NewSide(t.flags, w, firstRoom)
	one := func(g *loggedGroup) {
		defer func() { _ = recover() }()
		a := s.Decide(g.Call)
		set(g, &a)
	}
	for _, g := range t.groups {
		one(g)
	}
}

// words are the answers before and after, or in observe mode, where the program is told nothing, the decisions.
func (g *loggedGroup) words() (was, now string) {
	switch {
	case g.was == nil || g.now == nil:
		return "", ""
	case g.was.Told != g.now.Told:
		return g.was.Told, g.now.Told
	}
	return g.was.Decision.String(), g.now.Decision.String()
}

// read takes the calls from the end of the log, the newest first.
func (t *firstTest) read() error {
	in, closeAll, err := t.open()
	defer closeAll()
	if err != nil {
		return err
	}
	since, met := t.e.World.Now.AddDate(0, 0, -firstDays), map[string]*loggedGroup{}
	err = sessions.Read([]string{"-"}, in, sessions.Lookup("permgate"), &sessions.Counts{}, &sessions.Seen{}, time.Time{},
		func(c *sessions.Call) error {
			switch {
			case c.Time.Before(since):
			case c.Call == nil:
				t.skipped++
			case t.concerns(c.Call):
				t.add(c, met)
			}
			return nil
		})
	slices.SortStableFunc(t.groups, func(a, b *loggedGroup) int { return b.Time.Compare(a.Time) })
	if len(t.groups) > firstMost {
		t.groups, t.bounded = t.groups[:firstMost], true
	}
	for _, g := range t.groups {
		t.calls += g.calls
	}
	return err
}

func (t *firstTest) add(c *sessions.Call, met map[string]*loggedGroup) {
	c.SessionID = "" // what was granted for a session ended with it
	k := c.Alike()
	g := met[k]
	if g == nil {
		g = &loggedGroup{}
		met[k] = g
		t.groups = append(t.groups, g)
	}
	g.Call = c
	g.calls++
	if c.RefusedBy == sessions.ByUser {
		g.refused++
	}
}

func (t *firstTest) concerns(c *hookio.Call) bool {
	return len(t.dirs) == 0 || slices.ContainsFunc(t.dirs, func(dir rules.Path) bool {
		return subcmd.Within(c.Cwd, dir) || c.Project != "" && subcmd.Within(c.Project, dir)
	})
}

// open opens the end of the log: the newest files, the oldest of them from its middle.
func (t *firstTest) open() (in io.Reader, closeAll func(), err error) {
	var readers []io.Reader
	var files []*os.File
	closeAll = func() {
		for _, f := range files {
			f.Close()
		}
	}
	names, err := log.Files(subcmd.LogDir(t.e, t.flags))
	for room := int64(firstBytes); err == nil && len(names) > 0; names = names[:len(names)-1] {
		if room <= 0 {
			t.bounded = true
			break
		}
		file, err := os.Open(names[len(names)-1])
		if err != nil {
			return nil, closeAll, err
		}
		files = append(files, file)
		size, err := file.Seek(0, io.SeekEnd)
		if err != nil {
			return nil, closeAll, err
		}
		from := max(size-room, 0)
		t.bounded = t.bounded || from > 0
		readers = append([]io.Reader{io.NewSectionReader(file, from, size-from)}, readers...)
		room -= size
	}
	return io.MultiReader(readers...), closeAll, err
}

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

func (t *firstTest) print() {
	e := t.e
	of := subcmd.Plural(t.calls, "logged call", "logged calls")
	if t.bounded {
		of = "the newest " + of
	}
	if len(t.dirs) > 0 {
		of += " of this project"
	}
	of += fmt.Sprintf(" in the last %d days", firstDays)
	if t.skipped > 0 {
		of += " (" + subcmd.Plural(t.skipped, "other is", "others are") + " not logged whole)"
	}
	lines, calls := t.lines()
	if calls == 0 {
		e.Wrapped("", of+": the same answers as before")
		return
	}
	e.Wrapped("", fmt.Sprintf("%d of %s would get another answer:", calls, of))
	v := newLogView(e, nil)
	for i, l := range lines {
		if i == firstLines {
			e.Wrapped("  ", fmt.Sprintf("and %s", subcmd.Plural(calls, "more call", "more calls")))
			return
		}
		calls -= l.calls
		l.print(v)
	}
}

func (l *firstLine) print(v *logView) {
	head := fmt.Sprintf("  %-18s  ", l.was+" -> "+l.now)
	tail := ""
	if l.calls > 1 {
		tail = "  (" + subcmd.Plural(l.calls, "call", "calls") + ")"
	}
	refused := ""
	if l.refused > 0 {
		refused = "  refused by you"
		if l.refused > 1 {
			refused += fmt.Sprintf(" %d times", l.refused)
		}
	}
	text, _ := redact.Text(hookio.Escape(l.title))
	text = subcmd.Cut(text, max(v.width-len(head)-len(tail)-len(refused), 40))
	fmt.Fprintf(v.e.Out, "%s%s%s%s\n", v.paint(subcmd.Decision(l.now), head), text, tail, v.paint(hookio.Deny, refused))
}

// rank puts first what is newly allowed though the user refused it, then what else is newly allowed.
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
