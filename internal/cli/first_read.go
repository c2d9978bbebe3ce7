package cli

import (
	"io"
	"os"
	"slices"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
)

// read takes the calls from the end of the log, the newest first.
func (t *firstTest) read() error {
	in, closeAll, err := t.open()
	defer closeAll()
	if err != nil {
		return err
	}
	since, met := t.e.world.Now.AddDate(0, 0, -firstDays), map[string]*loggedGroup{}
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

// add counts a call with those that are decided as it is.
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

// concerns reports whether a call is of a project that the change is about.
func (t *firstTest) concerns(c *hookio.Call) bool {
	return len(t.dirs) == 0 || slices.ContainsFunc(t.dirs, func(dir rules.Path) bool {
		return within(c.Cwd, dir) || c.Project != "" && within(c.Project, dir)
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
	names, err := log.Files(logDir(t.e, t.flags))
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
