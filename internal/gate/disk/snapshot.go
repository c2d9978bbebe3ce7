package disk

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/load"
)

// Snapshot is a file system for a batch: every name is asked for once, so that all
// decisions are about one moment. It is for one goroutine.
type Snapshot struct {
	load.Files
	// Room is how many bytes the answers may take, roughly. Where they take more, all
	// are forgotten.
	Room int

	taken  int
	lstats map[string]looked
	others map[question]reply
}

// entrySize is about what one answer takes besides its name and its content.
const entrySize = 256

// A question is what was asked of a name.
type question struct {
	kind kind
	max  int64 // of askFile
	name string
}

type kind uint8

const (
	askStat kind = iota
	askFile
	askDir
	askLink
	askTracked
	askUnindexed
)

// A reply is the answer to a question of any kind.
type reply struct {
	info  fs.FileInfo
	data  []byte
	names []string
	text  string
	yes   bool
	err   error
}

// Lstat describes a file without following a symlink. It is asked far more often than the others.
func (s *Snapshot) Lstat(name string) (fs.FileInfo, error) {
	if l, ok := s.lstats[name]; ok {
		return l.info, l.err
	}
	name = strings.Clone(name) // of a payload, most of the time, which it would keep
	info, err := s.Files.Lstat(name)
	s.take(len(name))
	if s.lstats == nil {
		s.lstats = map[string]looked{}
	}
	s.lstats[name] = looked{name, info, err}
	return info, err
}

// ask answers a question by what was answered before, else by asking the disk.
func (s *Snapshot) ask(q question, ask func(name string) reply) reply {
	if r, ok := s.others[q]; ok {
		return r
	}
	q.name = strings.Clone(q.name)
	r := ask(q.name)
	size := len(q.name) + len(r.data)
	for _, n := range r.names {
		size += 16 + len(n)
	}
	if size > s.Room/4 {
		return r
	}
	s.take(size)
	if s.others == nil {
		s.others = map[question]reply{}
	}
	s.others[q] = r
	return r
}

// take makes room for an answer.
func (s *Snapshot) take(size int) {
	if s.taken += entrySize + size; s.taken > s.Room {
		s.taken = entrySize + size
		clear(s.lstats)
		clear(s.others)
	}
}

// Stat describes a file.
func (s *Snapshot) Stat(name string) (fs.FileInfo, error) {
	r := s.ask(question{kind: askStat, name: name}, func(name string) (r reply) {
		r.info, r.err = s.Files.Stat(name)
		return r
	})
	return r.info, r.err
}

// ReadFile returns a regular file of at most max bytes. Who asks may change them.
func (s *Snapshot) ReadFile(name string, max int64) ([]byte, error) {
	r := s.ask(question{kind: askFile, max: max, name: name}, func(name string) (r reply) {
		r.data, r.err = s.Files.ReadFile(name, max)
		return r
	})
	return slices.Clone(r.data), r.err
}

// ReadDir returns the names in a directory in name order.
func (s *Snapshot) ReadDir(name string) ([]string, error) {
	r := s.ask(question{kind: askDir, name: name}, func(name string) (r reply) {
		r.names, r.err = s.Files.ReadDir(name)
		return r
	})
	return slices.Clone(r.names), r.err
}

// Readlink returns the target of a symlink.
func (s *Snapshot) Readlink(name string) (string, error) {
	r := s.ask(question{kind: askLink, name: name}, func(name string) (r reply) {
		r.text, r.err = s.Files.Readlink(name)
		return r
	})
	return r.text, r.err
}

// Tracked is that of Files.
func (s *Snapshot) Tracked(name string) bool {
	return s.ask(question{kind: askTracked, name: name}, func(name string) reply {
		return reply{yes: s.Files.Tracked(name)}
	}).yes
}

// Unindexed is that of Files.
func (s *Snapshot) Unindexed(name string) bool {
	return s.ask(question{kind: askUnindexed, name: name}, func(name string) reply {
		return reply{yes: s.Files.Unindexed(name)}
	}).yes
}

// Once is the file system for the time of one decision: what a name means
// is asked once, so that a decision cannot be made of two answers, and the
// folders above a path need not be looked at for every file in them. It is not
// for more than one goroutine.
type Once struct {
	Disk
	seen []looked
	more map[string]looked // what does not fit in the room of seen
}

// looked is one answer of Lstat.
type looked struct {
	name string
	info fs.FileInfo
	err  error
}

// Stat describes a file. One that was looked at and is no link is known.
func (o *Once) Stat(name string) (fs.FileInfo, error) {
	const link = fs.ModeSymlink | fs.ModeIrregular
	if l, ok := o.known(name); ok && l.err == nil && l.info.Mode()&link == 0 {
		return l.info, nil
	}
	return o.Disk.Stat(name)
}

// known is what was answered before.
func (o *Once) known(name string) (looked, bool) {
	for i := range o.seen {
		if o.seen[i].name == name {
			return o.seen[i], true
		}
	}
	l, ok := o.more[name]
	return l, ok
}

// Lstat describes a file without following a symlink.
func (o *Once) Lstat(name string) (fs.FileInfo, error) {
	if l, ok := o.known(name); ok {
		return l.info, l.err
	}
	info, err := o.Disk.Lstat(name)
	switch {
	case o.seen == nil:
		o.seen = make([]looked, 0, 48)
	case len(o.seen) == cap(o.seen) && o.more == nil:
		o.more = map[string]looked{}
	}
	if l := (looked{name, info, err}); o.more != nil {
		o.more[name] = l
	} else {
		o.seen = append(o.seen, l)
	}
	return info, err
}
