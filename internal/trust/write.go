package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Lock keeps other processes from writing records until unlock is called. It
// makes the store if there is none.
func (s *Store) Lock() (unlock func(), err error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return nil, err
	}
	if s.looked = false; s.usable() != nil { // somebody else made it meanwhile
		return nil, errors.New(s.Fault)
	}
	return lockFile(filepath.Join(s.Dir, "lock"))
}

// Put records a content. The caller holds the lock. A reader sees the record
// that was there or the new one.
func (s *Store) Put(r *Record) (err error) {
	name := s.name(r.Project, r.File)
	tmp, err := os.CreateTemp(s.Dir, ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if _, err := tmp.Write(r.text()); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file: move it away", name)
	}
	return os.Rename(tmp.Name(), name)
}

// Drop forgets a file. The caller holds the lock.
func (s *Store) Drop(project, file string) error {
	err := os.Remove(s.name(project, file))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
