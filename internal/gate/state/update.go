package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/atomicfile"
)

// lockName is locked while session files are written. Nothing is written to it.
const lockName = "session.lock"

// tmpPrefix starts the names of files that are being written. Only the holder
// of the lock has any, so the next holder may remove those of one that died.
const tmpPrefix = ".session-"

// patience is how long the lock is waited for. Its holders need a few
// milliseconds each, unless one was stopped.
var patience = 30 * time.Second

// Update changes what is granted for a session of a project and returns what is
// granted then. change gets what was granted before: nothing when there is no
// file, or one of another project, or one that is too old. When it changes
// nothing, or returns an error, nothing is written.
//
// Any number of processes may do so at once: they take turns by a lock, and a
// reader sees the file before or after a change, never a part. Folder and file
// are made with modes 0700 and 0600, and refused where another user could have
// put them there. Files of sessions that are over for long are removed on the way.
func (st *Store) Update(session, project string, change func(*Session) error) (Session, error) {
	name := File(st.Dir, session)
	if name == "" {
		return Session{}, fmt.Errorf("%q is not a valid session id", session)
	}
	unlock, err := st.lock(patience)
	if err != nil {
		return Session{}, err
	}
	defer unlock()
	st.sweep()
	s, _, err := st.Read(session)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrExpired), errors.Is(err, ErrFuture),
		err == nil && s.Project != project:
		s = Session{Project: project, Since: st.Now}
	case err != nil:
		return Session{}, err
	}
	had := string(s.json())
	if err := change(&s); err != nil {
		return Session{}, err
	}
	if text := s.json(); string(text) != had {
		return s, st.write(name, text)
	}
	return s, nil
}

// Forget removes what is granted for a session, whatever the file holds. Having
// nothing to remove is not an error.
func (st *Store) Forget(session string) error {
	name := File(st.Dir, session)
	if name == "" {
		return fmt.Errorf("%q is not a valid session id", session)
	}
	unlock, err := st.lock(patience)
	if err != nil {
		return err
	}
	defer unlock()
	st.sweep()
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// lock makes the folder, if need be, and waits for its turn, for so long at most.
func (st *Store) lock(patience time.Duration) (unlock func(), err error) {
	if err := st.folder(); err != nil {
		return nil, err
	}
	name := filepath.Join(st.Dir, lockName)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // so that no link is followed
	if err == nil {
		f.Close()
	}
	if info, err := st.Files.Lstat(name); err != nil {
		return nil, err
	} else if err := st.check(info); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	type result struct {
		unlock func()
		err    error
	}
	got := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(name).Lock()
		got <- result{unlock, err}
	}()
	select {
	case r := <-got:
		return r.unlock, r.err
	case <-time.After(patience):
		go func() {
			if r := <-got; r.err == nil {
				r.unlock()
			}
		}()
		return nil, fmt.Errorf("%s: another permgate has been changing session grants for %v", name, patience)
	}
}

// folder makes the state folder, and refuses one that others could have made.
func (st *Store) folder() error {
	info, err := st.Files.Lstat(st.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(st.Dir, 0o700); err != nil {
			return err
		}
		info, err = st.Files.Lstat(st.Dir)
	}
	if err != nil {
		return err
	}
	uid, known := st.Files.Owner(info)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s: is a symlink; grants are only kept in a real folder of your own", st.Dir)
	case !info.IsDir():
		return fmt.Errorf("%s: is not a folder", st.Dir)
	case known && uid != st.UID:
		return fmt.Errorf("%s: belongs to another user", st.Dir)
	case st.Files.OthersWrite(info):
		return fmt.Errorf("%s: others can write to it, so nothing in it counts; only you may", st.Dir)
	case known && info.Mode().Perm()&0o077 != 0:
		return os.Chmod(st.Dir, 0o700)
	}
	return nil
}

// sweep removes the files of sessions that are over, and those of a writer that was
// killed. What cannot be removed stays.
func (st *Store) sweep() {
	entries, _ := os.ReadDir(st.Dir)
	for _, e := range entries {
		name := filepath.Join(st.Dir, e.Name())
		if strings.HasPrefix(e.Name(), tmpPrefix) && e.Type().IsRegular() {
			os.Remove(name)
			continue
		}
		if (strings.HasPrefix(e.Name(), verdictPrefix) || strings.HasPrefix(e.Name(), yesPrefix)) && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil && st.Now.Sub(info.ModTime()) > MaxAge {
				os.Remove(name)
			}
			continue
		}
		if id := sessionOf(e); id != "" {
			if _, _, err := st.Read(id); errors.Is(err, ErrExpired) {
				os.Remove(name)
			}
		}
	}
}

// sessionOf is the session whose grants a file of the folder keeps, "" for no such file.
func sessionOf(e fs.DirEntry) string {
	id, ok := strings.CutPrefix(e.Name(), "session-")
	id, ok2 := strings.CutSuffix(id, ".json")
	if !ok || !ok2 || !e.Type().IsRegular() {
		return ""
	}
	return id
}

// Newer returns an error for each file of grants that a newer version wrote.
func (st *Store) Newer() (newer []error) {
	entries, _ := os.ReadDir(st.Dir)
	for _, e := range entries {
		if id := sessionOf(e); id != "" {
			if _, _, err := st.Read(id); errors.Is(err, ErrNewer) {
				newer = append(newer, err)
			}
		}
	}
	return newer
}

// write replaces a file in one step.
func (st *Store) write(name string, text []byte) error {
	return atomicfile.Replace(name, tmpPrefix+"*", text)
}

// json is the file's text.
func (s *Session) json() []byte {
	b := hookio.AppendJSON([]byte("{\n  \"project\": "), s.Project)
	b = hookio.AppendJSON(append(b, ",\n  \"since\": "...), s.Since.UTC().Format(time.RFC3339))
	for _, f := range [...]struct {
		key string
		on  bool
	}{{"allowAll", s.All}, {"allowAllEdits", s.AllEdits}, {"allowAllBash", s.AllBash}} {
		if f.on {
			b = append(b, ",\n  \""+f.key+"\": true"...)
		}
	}
	for _, l := range [...]struct {
		key  string
		list []string
	}{{"allow", s.Allow}, {"dirs", s.Dirs}} {
		for i, text := range l.list {
			if i == 0 {
				b = append(b, ",\n  \""+l.key+"\": ["...)
			} else {
				b = append(b, ',')
			}
			b = hookio.AppendJSON(append(b, "\n    "...), text)
		}
		if len(l.list) > 0 {
			b = append(b, "\n  ]"...)
		}
	}
	return append(s.appendTimed(b), "\n}\n"...)
}
