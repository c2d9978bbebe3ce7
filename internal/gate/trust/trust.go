// Package trust keeps what the user trusted: for every file of a project that
// grants something one record of each grant, with a copy of the file to show
// what changed. A grant that was not recorded does not count.
//
// The records are in one folder of the state folder (0700, each 0600). In a git
// repository they are keyed by its common directory and the file's path in the
// work tree, so that all work trees of it share them; elsewhere by the real path
// of the file and of the project it grants for. A project that was moved, and a
// symlink that leads elsewhere, are not trusted.
package trust

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A Record is what the user trusted of one file.
type Record struct {
	Key
	When    time.Time
	Grants  []load.Grant
	Content []byte // the file as it was shown
	// Whole: the record is of a version with the copy alone, which trusted all that it grants.
	Whole bool
	Name  string // where it is, when it was read
}

// A Store is the folder of the records.
type Store struct {
	Dir   string
	Files load.Files
	UID   int    // whom it must belong to
	Fault string // why nothing in it counts, when that is known before

	looked bool
}

// maxRecord bounds a record, in bytes: a file's copy, and grants of up to six times its size.
const maxRecord = 8 * load.MaxSettings

// errForeign is for what someone else may have written.
var errForeign = errors.New("must be private: not a symlink, and mode 0700, or 0600 for a file")

// ErrNewer is for records of a version not known here: they trust nothing, and stay.
var ErrNewer = errors.New(load.Newer)

var errDamaged = errors.New("is damaged: run permgate trust again")

// RealPaths returns the real paths of a project and of a file in it.
func RealPaths(files load.Files, system rules.OS, project, file string) (realProject, realFile string) {
	return system.Canon(load.Resolve(files, project)), system.Canon(load.Resolve(files, file))
}

// Look says what is recorded of a file, by its real path.
func (s *Store) Look(p *Place, file string, content []byte) load.Trust {
	list, err := s.Of(p, file)
	if err != nil {
		return load.Trust{Fault: err.Error()}
	}
	return Sum(list, p.Project, content)
}

// Sum is what records of a file come to, for a project and a text of the file.
func Sum(list []*Record, project string, content []byte) load.Trust {
	var t load.Trust
	var last time.Time
	for _, r := range list {
		switch {
		case !r.Whole:
			t.Grants = append(t.Grants, r.Grants...)
		case r.Project == project && bytes.Equal(r.Content, content):
			t.OK = true
		default:
			t.Copies = append(t.Copies, load.Copy{Project: r.Project, Content: r.Content})
		}
		if !r.When.Before(last) {
			last, t.Since = r.When, Date(r.When)
		}
	}
	return t
}

// Of returns the records that count for a file.
func (s *Store) Of(p *Place, file string) ([]*Record, error) {
	var out []*Record
	for _, k := range p.Keys(file) {
		r, err := s.Get(k)
		if err != nil {
			return nil, err
		}
		if r != nil {
			out = append(out, r)
		}
	}
	return out, nil
}

// Date is a time as people read it.
func Date(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Get returns a file's record, nil for none. An error says why store or record do not count.
func (s *Store) Get(k Key) (*Record, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	r, err := s.read(s.File(k))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !r.Key.Same(k):
		return nil, nil // another file's, whose name came out the same
	}
	return r, nil
}

// All returns every record that counts, in no order of meaning.
func (s *Store) All() ([]*Record, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	names, err := s.Files.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []*Record
	for _, name := range names {
		if filepath.Ext(name) == suffix {
			if r, err := s.read(filepath.Join(s.Dir, name)); err == nil {
				out = append(out, r)
			}
		}
	}
	return out, err
}

// Prepare makes the store if it is missing, for someone who writes records.
func (s *Store) Prepare() error {
	if err := s.usable(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	s.looked = false // someone else may have made it meanwhile
	return s.usable()
}

// usable says why nothing in the store counts. A missing store is not an error.
func (s *Store) usable() error {
	if s.Fault == "" && !s.looked {
		s.looked = true
		info, err := s.Files.Lstat(s.Dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			s.Fault = s.Dir + ": " + err.Error()
		case !info.IsDir() || !s.alone(info):
			s.Fault = s.Dir + " " + errForeign.Error()
		}
	}
	if s.Fault != "" {
		return errors.New(s.Fault)
	}
	return nil
}

// alone reports whether only the user can have written a file or folder. Where
// files have no owner, mode bits say nothing either.
func (s *Store) alone(info fs.FileInfo) bool {
	if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		return false
	}
	uid, known := s.Files.Owner(info)
	return !known || uid == s.UID && info.Mode().Perm()&0o077 == 0 && !s.Files.OthersWrite(info)
}

func (s *Store) read(name string) (*Record, error) {
	info, err := s.Files.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !s.alone(info) {
		return nil, errors.New(name + " " + errForeign.Error())
	}
	data, err := s.Files.ReadFile(name, maxRecord)
	if err != nil {
		return nil, err
	}
	r, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	r.Name = name
	return r, nil
}

const suffix = ".trust"

// File is where a file's record is. Two may share a name; Get looks at what the record says.
func (s *Store) File(k Key) string {
	h := fnv.New64a()
	if k.Repo != "" {
		h.Write([]byte("git\x00" + k.Repo + "\x00" + k.Folder + "\x00" + k.File))
	} else {
		h.Write([]byte(k.Project + "\x00" + k.File))
	}
	return filepath.Join(s.Dir, strconv.FormatUint(h.Sum64(), 16)+suffix)
}
