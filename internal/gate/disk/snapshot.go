package disk

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/load"
)

// Snapshot asks for every name once, so that all decisions of a batch are about one moment. It is for one goroutine.
type Snapshot struct {
	load.Files
	// Room is how many bytes the answers may take, roughly. Where they take more, all are forgotten.
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
	askReal
)

// A reply is the answer to a question of any kind.
type reply struct {
	value any
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

// asked answers a question by what was answered before, else by asking the disk.
func asked[T any](s *Snapshot, q question, ask func(name string) (T, error)) (T, error) {
	r, ok := s.others[q]
	if !ok {
		q.name = strings.Clone(q.name)
		value, err := ask(q.name)
		r = reply{value, err}
		if size := len(q.name) + r.size(); size <= s.Room/4 {
			s.take(size)
			if s.others == nil {
				s.others = map[question]reply{}
			}
			s.others[q] = r
		}
	}
	value, _ := r.value.(T) // nil where nothing was found
	return value, r.err
}

// size is about what the content of an answer takes.
func (r *reply) size() (n int) {
	switch v := r.value.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case []string:
		for _, name := range v {
			n += 16 + len(name)
		}
	}
	return n
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
	return asked(s, question{askStat, 0, name}, s.Files.Stat)
}

// ReadFile returns a regular file of at most max bytes. Who asks may change them.
func (s *Snapshot) ReadFile(name string, max int64) ([]byte, error) {
	data, err := asked(s, question{askFile, max, name}, func(name string) ([]byte, error) { return s.Files.ReadFile(name, max) })
	return slices.Clone(data), err
}

// ReadDir returns the names in a directory in name order.
func (s *Snapshot) ReadDir(name string) ([]string, error) {
	names, err := asked(s, question{askDir, 0, name}, s.Files.ReadDir)
	return slices.Clone(names), err
}

// Readlink returns the target of a symlink.
func (s *Snapshot) Readlink(name string) (string, error) {
	return asked(s, question{askLink, 0, name}, s.Files.Readlink)
}

// Resolve is that of load: by what was answered, so that it is forgotten with that.
func (s *Snapshot) Resolve(name string) string {
	real, _ := asked(s, question{askReal, 0, name}, func(name string) (string, error) {
		return load.Follow(s, path.Clean(name)), nil
	})
	return real
}

// Tracked is that of Files.
func (s *Snapshot) Tracked(name string) bool {
	yes, _ := asked(s, question{askTracked, 0, name}, func(name string) (bool, error) { return s.Files.Tracked(name), nil })
	return yes
}

// Unindexed is that of Files.
func (s *Snapshot) Unindexed(name string) bool {
	yes, _ := asked(s, question{askUnindexed, 0, name}, func(name string) (bool, error) { return s.Files.Unindexed(name), nil })
	return yes
}

// Once is the file system for the time of one decision: each name is asked for once, so that no decision is made of
// two answers, and folders are not looked at for every file in them. It is for one goroutine.
type Once struct {
	Disk
	seen []looked
	spent
	more map[string]*looked // all of them, once there is no room in seen
	dirs map[string][]string
	kept map[string]any // see Kept
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

// Kept is what made returned when it was first asked for a key.
func (o *Once) Kept(key string, made func() any) any {
	got, ok := o.kept[key]
	if !ok {
		if got = made(); o.kept == nil {
			o.kept = map[string]any{}
		}
		o.kept[key] = got
	}
	return got
}

// known is what was answered before.
func (o *Once) known(name string) (looked, bool) {
	if o.more != nil {
		if l := o.more[name]; l != nil {
			return *l, true
		}
		return looked{}, false
	}
	for i := range o.seen {
		if o.seen[i].name == name {
			return o.seen[i], true
		}
	}
	return looked{}, false
}

// ReadDir returns the names in a directory in name order. Who asks may change them.
func (o *Once) ReadDir(name string) ([]string, error) {
	names, ok := o.dirs[name]
	if !ok {
		var err error
		if names, err = o.Disk.ReadDir(name); err != nil {
			return names, err
		}
		if o.dirs == nil {
			o.dirs = map[string][]string{}
		}
		o.dirs[name] = names
	}
	return slices.Clone(names), nil
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
		o.more = make(map[string]*looked, 2*len(o.seen))
		for i := range o.seen {
			o.more[o.seen[i].name] = &o.seen[i]
		}
	}
	if o.more != nil {
		o.more[name] = &looked{name, info, err}
	} else {
		o.seen = append(o.seen, looked{name, info, err})
	}
	return info, err
}
