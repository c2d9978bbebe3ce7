package policytest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

// A Spent is what became of a budget.
type Spent struct {
	Budget   *Budget
	Wrong    string // why it does not hold, "" when it does
	Calls    int    // that were decided
	Skipped  int    // that cannot be decided again
	Total    int    // prompts, or denies
	Sessions int
	Over     []Count // sessions over the budget, the worst first; in a total, the files
	Top      []Count // what was asked about or denied most, at most topOf
}

// A Count is how often something was met.
type Count struct {
	Name, File string // File is that of a session
	N          int
}

const (
	topOf      = 3
	budgetRoom = 8 << 20 // bytes of settings and files that are kept
)

// A spending is a budget that is being counted.
type spending struct {
	*Spent
	runner   *Runner
	batch    *gate.Batch
	project  string
	fixedCwd bool
	sessions map[string]*session
	top      map[string]int
}

// A session is one recorded session.
type session struct {
	Count
	root string // its first working directory, or the project it names
}

// Hold decides the calls of a budget's files under the settings of now. What a context
// line says holds for each of them; what none says is as recorded, but for the grants
// of a session. Calls of another checkout are made in this one. An error is one
// of the test file.
func (r *Runner) Hold(b *Budget) (*Spent, error) {
	f, err := r.flags(&b.Context)
	if err != nil {
		return nil, err
	}
	s := &spending{
		Spent: &Spent{Budget: b}, runner: r, fixedCwd: b.Context.Cwd != "",
		sessions: map[string]*session{}, top: map[string]int{},
	}
	s.project = gate.Policy(hookio.Unread(hookio.Options{Host: f.Host}), f, r.World).Project.Given
	if !s.fixedCwd {
		f.Cwd = ""
	}
	s.batch = gate.NewBatch(f, r.World, budgetRoom)
	names, err := b.files()
	if err == nil {
		err = s.read(names)
	}
	s.judge(err)
	return s.Spent, nil
}

// files are the files that are meant. A pattern without one is an error: what it is
// to hold against is not there.
func (b *Budget) files() (names []string, err error) {
	for _, pattern := range b.Files {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(filepath.Dir(b.Pos.File), pattern)
		}
		found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
		found = slices.DeleteFunc(found, noFile)
		switch {
		case err != nil:
			return nil, err
		case len(found) == 0:
			return nil, fmt.Errorf("no file %s", hookio.Escape(pattern))
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// noFile reports whether a name is a pipe or a device, which might never end.
func noFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// read decides every call of the files; one with no call that can be decided is an error.
func (s *spending) read(names []string) error {
	var seen sessions.Seen
	var counts sessions.Counts
	for _, name := range names {
		before := s.Calls + counts.Duplicates
		err := sessions.Read([]string{name}, nil, nil, &counts, &seen, time.Time{}, func(c *sessions.Call) error {
			s.add(name, c)
			return nil
		})
		switch {
		case err != nil:
			return err
		case s.Calls+counts.Duplicates == before:
			return fmt.Errorf("%s holds no call that can be decided", hookio.Escape(name))
		}
	}
	return nil
}

// add decides a call and counts it.
func (s *spending) add(file string, c *sessions.Call) {
	if c.Call == nil {
		s.Skipped++
		return
	}
	key := c.Session
	if key == "" || !s.Budget.PerSession {
		key = file
	}
	in := s.sessions[key]
	if in == nil {
		in = &session{Count: Count{Name: key, File: file}}
		s.sessions[key] = in
	}
	call := s.here(c.Call, in)
	of := s.batch.Case(call)
	if len(s.runner.Extra) > 0 {
		of = of.Under(With(of.Policy, s.runner.Extra))
	}
	v := decide.Decide(of)
	s.Calls++
	want := hookio.Ask.String()
	if s.Budget.Denies {
		want = hookio.Deny.String()
	}
	if log.Told(call, v.HostAnswer(of)) == want {
		s.Total++
		in.N++
		s.top[replay.Group(call.Tool, call.Input, call.Cwd, v.Reason)]++
	}
}
