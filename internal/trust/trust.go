// Package trust keeps what the user trusted: for every file of a
// project that grants something one record with a copy of what stood in it. A
// file that grants is compared with the copy byte by byte, which no other
// content can pass.
//
// The records lie in one folder of the state folder (0700, each 0600). They are
// keyed by the real path of the file and of the project it grants for: a project
// that was moved, and a symlink that leads elsewhere, are not trusted.
package trust

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"permgate/rules"
)

// A Record is one content of one file that the user trusted.
type Record struct {
	Project string // the project's real path
	File    string // the file's
	When    time.Time
	Content []byte
}

// A Store is the folder of the records.
type Store struct {
	Dir   string
	Files rules.Files
	UID   int    // whom it must belong to
	Fault string // why nothing in it counts, when that is known before

	looked bool
}

// maxRecord bounds a record, in bytes.
const maxRecord = rules.MaxSettings + 1<<16

// errForeign is for what somebody else may have written.
var errForeign = errors.New("must be yours alone: no symlink, and of mode 0700, or 0600 for a file")

// Key returns the real paths of a project and of a file in it.
func Key(files rules.Files, system rules.OS, project, file string) (realProject, realFile string) {
	return system.Canon(rules.Resolve(files, project)), system.Canon(rules.Resolve(files, file))
}

// Look says what is recorded of a file; project and file are real paths.
func (s *Store) Look(project, file string, content []byte) rules.Trust {
	r, err := s.Get(project, file)
	switch {
	case err != nil:
		return rules.Trust{Fault: err.Error()}
	case r == nil:
		return rules.Trust{}
	case bytes.Equal(r.Content, content):
		return rules.Trust{OK: true}
	}
	return rules.Trust{Since: Date(r.When)}
}

// Date is a time as people read it.
func Date(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Get returns the record of a file, nil if there is none. An error names the
// store or the record and says why it does not count.
func (s *Store) Get(project, file string) (*Record, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	r, err := s.read(s.File(project, file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case r.Project != project || r.File != file:
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

// Prepare makes the store if there is none, for somebody who writes records.
func (s *Store) Prepare() error {
	if err := s.usable(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	s.looked = false // somebody else may have made it meanwhile
	return s.usable()
}

// usable says why nothing in the store counts. That there is none is no error.
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
	return !known || uid == s.UID && info.Mode().Perm()&0o077 == 0
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
	r, ok := parse(data)
	if !ok {
		return nil, errors.New(name + " is damaged: run permgate trust again")
	}
	return r, nil
}

const suffix = ".trust"

// File is where the record of a file lies. Two files may share a name; Get
// looks at what the record says it is about.
func (s *Store) File(project, file string) string {
	h := fnv.New64a()
	h.Write([]byte(project + "\x00" + file))
	return filepath.Join(s.Dir, strconv.FormatUint(h.Sum64(), 16)+suffix)
}

// Text is a record as it is stored: one line of JSON, then the content as it was.
func (r *Record) Text() []byte {
	b := append([]byte(nil), `{"version":1,"project":`...)
	b = gjson.AppendJSONString(b, r.Project)
	b = gjson.AppendJSONString(append(b, `,"file":`...), r.File)
	b = gjson.AppendJSONString(append(b, `,"when":`...), r.When.UTC().Format(time.RFC3339))
	b = strconv.AppendInt(append(b, `,"bytes":`...), int64(len(r.Content)), 10)
	return append(append(b, '}', '\n'), r.Content...)
}

func parse(data []byte) (*Record, bool) {
	head, content, ok := bytes.Cut(data, []byte{'\n'})
	if !ok || !gjson.ValidBytes(head) {
		return nil, false
	}
	g := gjson.ParseBytes(head)
	when, err := time.Parse(time.RFC3339, g.Get("when").String())
	r := &Record{Project: g.Get("project").String(), File: g.Get("file").String(), When: when, Content: content}
	return r, err == nil && g.Get("version").Num == 1 && g.Get("bytes").Num == float64(len(content)) && r.File != "" && r.Project != ""
}
