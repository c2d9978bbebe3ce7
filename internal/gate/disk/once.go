package disk

import "io/fs"

// Once is the file system for the time of one decision: what a name stands for
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
