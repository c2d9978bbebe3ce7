package cli

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// Bounds of what a change is tried on: how old a call may be, bytes of the log from
// its end, and calls that differ.
const (
	firstDays  = 30
	firstBytes = 16 << 20
	firstMost  = 5000
	firstRoom  = 8 << 20 // bytes of settings and files that each side may keep
)

// A loggedGroup is calls of the log that are decided alike, for they are equal but for
// their session.
type loggedGroup struct {
	*sessions.Call
	calls, refused int // refused by the user
	was, now       *replay.Answer
}

// A firstTest is a change that is tried on the calls of the log before it is saved.
type firstTest struct {
	e       *env
	flags   *gate.Flags
	dirs    []rules.Path // of the projects that the change is about; none for all
	groups  []*loggedGroup
	calls   int  // of groups
	skipped int  // calls that cannot be decided again
	bounded bool // there are more, which are older
}

// firstOn returns what shows the logged calls that changes would decide otherwise.
func (e *env) firstOn(f *gate.Flags) func([]*change) {
	return func(changes []*change) {
		t := &firstTest{e: e, flags: f}
		if t.about(changes); t.read() == nil && t.calls > 0 {
			t.decide(e.worldWith(changes...))
			t.print()
		}
	}
}

// about notes which projects changes are about: those of their files, and every
// project where a file is not one of a project.
func (t *firstTest) about(changes []*change) {
	home := t.e.policyUnder(nil, t.flags).Home
	for _, ch := range changes {
		folder := filepath.Dir(ch.name)
		dir := rules.Path{Given: t.e.world.OS.Canon(filepath.Dir(folder))}
		dir.Real = dir.Given
		if real, err := filepath.EvalSymlinks(dir.Given); err == nil {
			dir.Real = t.e.world.OS.Canon(real)
		}
		users := dir.Given == home.Given || dir.Real == home.Real
		if users || !slices.Contains(load.Roots[:], filepath.Base(folder)) {
			t.dirs = nil
			return
		}
		t.dirs = append(t.dirs, dir)
	}
}

// decide decides every call with the settings of now, and as they are going to be.
func (t *firstTest) decide(then gate.World) {
	var both sync.WaitGroup
	both.Go(func() {
		t.side(t.e.world, func(g *loggedGroup, a *replay.Answer) { g.was = a })
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

// words are the answers of a call before and after, equal where nothing changes. In
// observe mode the program is told nothing, and the decisions count.
func (g *loggedGroup) words() (was, now string) {
	switch {
	case g.was == nil || g.now == nil:
		return "", ""
	case g.was.Told != g.now.Told:
		return g.was.Told, g.now.Told
	}
	return g.was.Decision.String(), g.now.Decision.String()
}
