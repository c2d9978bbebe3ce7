package disk

import "io/fs"

// Once is the file system for the time of one decision: what a name stands for
// is asked once, so that a decision cannot be made of two answers, and the
// folders above a path need not be looked at for every file in them. It is not
// for more than one goroutine.
type Once struct {
	Disk
	seen []looked
}

// looked is one answer of Lstat.
type looked struct {
	name string
	info fs.FileInfo
	err  error
}

// Lstat describes a file without following a symlink.
func (o *Once) Lstat(name string) (fs.FileInfo, error) {
	for i := range o.seen {
		if o.seen[i].name == name {
			return o.seen[i].info, o.seen[i].err
		}
	}
	info, err := o.Disk.Lstat(name)
	if o.seen == nil {
		o.seen = make([]looked, 0, 48)
	}
	o.seen = append(o.seen, looked{name, info, err})
	return info, err
}
