package log

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Tail reads the lines of a state folder's log, oldest first, and goes on
// where it stopped when it is asked again: across rotation, and without losing
// or repeating a line. The zero value with Dir set is ready.
type Tail struct {
	Dir string

	cur *tailed // the newest file seen; nil before there is one
	old *tailed // the one before: who had it open may still write to it
}

// A tailed is one file being read.
type tailed struct {
	file *os.File
	rest []byte // an unfinished line at its end
	long bool   // that line is over MaxLine
}

// Close closes the files that are being read.
func (t *Tail) Close() {
	t.old.close()
	t.cur.close()
}

func (p *tailed) close() {
	if p != nil {
		p.file.Close()
	}
}

// Next calls f with every line that was written since the last call, without
// its newline. A line that is still being written is kept for the next call, or
// for End. The error is one of the file system.
func (t *Tail) Next(f func(line []byte)) error {
	files, err := t.open()
	if err != nil {
		return err
	}
	if err = t.old.read(f); err == nil {
		err = t.cur.read(f)
	}
	for err == nil && len(files) > 0 {
		t.old.flush(f)
		if len(files) > 1 {
			t.cur.flush(f)
		}
		t.old.close()
		t.old, t.cur, files = t.cur, &tailed{file: files[0]}, files[1:]
		err = t.cur.read(f)
	}
	closeAll(files)
	return err
}

// End calls f with the lines that are not finished: those that were torn, for
// who does not want to wait for more.
func (t *Tail) End(f func(line []byte)) {
	t.old.flush(f)
	t.cur.flush(f)
}

// ReadDir calls f for every record of a state folder's log, oldest first.
// skipped is how many lines are no records: torn, too long, written by another
// program. The error is one of the file system, never of what was read.
func ReadDir(dir string, f func(*Record)) (skipped int, err error) {
	t := Tail{Dir: dir}
	defer t.Close()
	line := func(line []byte) {
		if r, ok := Parse(line); ok {
			f(&r)
		} else {
			skipped++
		}
	}
	err = t.Next(line)
	t.End(line)
	return skipped, err
}

// open opens the files that are newer than the one being read, oldest first. It
// starts with the newest: a file that is rotated meanwhile is met again under
// its next name and recognised, and none can be missed.
func (t *Tail) open() (files []*os.File, err error) {
	names, err := Files(t.Dir)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	oldest, _ := age(filepath.Base(names[0]))
	for n := 0; n <= oldest+1; n++ { // one may be added meanwhile
		file, err := openRegular(filepath.Join(t.Dir, fileName(n)))
		switch {
		case errors.Is(err, fs.ErrNotExist): // being renamed
		case err != nil:
			closeAll(files)
			return nil, err
		case t.cur != nil && same(t.cur.file, file):
			file.Close()
			return files, nil
		case len(files) > 0 && same(files[0], file):
			file.Close()
		default:
			files = append([]*os.File{file}, files...)
		}
	}
	return t.newer(files), nil
}

// openRegular opens a file that is one; anything else, which might block, counts
// as not there.
func openRegular(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

// newer leaves out what is older than the file being read, which was taken away.
func (t *Tail) newer(files []*os.File) []*os.File {
	if t.cur == nil {
		return files
	}
	ours, err := t.cur.file.Stat()
	for err == nil && len(files) > 0 {
		info, err := files[0].Stat()
		if err != nil || info.ModTime().After(ours.ModTime()) {
			break
		}
		files[0].Close()
		files = files[1:]
	}
	return files
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

func same(a, b *os.File) bool {
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}

// read hands the rest of the file to f, line by line.
func (p *tailed) read(f func([]byte)) error {
	if p == nil {
		return nil
	}
	p.rewind()
	buf := make([]byte, 64<<10)
	for {
		n, err := p.file.Read(buf)
		p.split(buf[:n], f)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// rewind starts anew in a file that was emptied in place.
func (p *tailed) rewind() {
	info, err := p.file.Stat()
	at, err2 := p.file.Seek(0, io.SeekCurrent)
	if err == nil && err2 == nil && info.Size() < at {
		p.file.Seek(0, io.SeekStart)
		p.rest, p.long = nil, false
	}
}

// split hands the lines that end in data to f and keeps what is left.
func (p *tailed) split(data []byte, f func([]byte)) {
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if p.long = p.long || len(p.rest)+len(line) > MaxLine; !p.long {
			p.rest = append(p.rest, line...)
		}
		if !whole {
			return
		}
		p.flush(f)
		data = rest
	}
}

// flush hands the line that was gathered to f. What is left of one that is too
// long is no record.
func (p *tailed) flush(f func([]byte)) {
	if p == nil {
		return
	}
	line := p.rest
	p.rest, p.long = nil, false
	if len(bytes.TrimSpace(line)) > 0 {
		f(line)
	}
}
