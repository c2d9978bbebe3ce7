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

	file *os.File // the newest file seen; nil before there is one
	rest []byte   // an unfinished line at its end
	long bool     // that line is over MaxLine
}

// Close closes the file that is being read.
func (t *Tail) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// Next calls f with every line that was written since the last call, without
// its newline, until f returns false. A line that is still being written is
// kept for the next call, see Rest. The error is one of the file system.
func (t *Tail) Next(f func(line []byte) bool) error {
	files, err := t.open()
	if err != nil {
		return err
	}
	more, err := t.read(f)
	for err == nil && more && len(files) > 0 {
		more = t.flush(f) // the last line of a file that is no longer written to
		t.Close()
		t.file, files = files[0], files[1:]
		if more {
			more, err = t.read(f)
		}
	}
	closeAll(files)
	return err
}

// Rest returns the unfinished line at the end of the log, nil for none.
func (t *Tail) Rest() []byte { return bytes.TrimSpace(t.rest) }

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
		file, err := os.Open(filepath.Join(t.Dir, fileName(n)))
		switch {
		case errors.Is(err, fs.ErrNotExist): // being renamed
		case err != nil:
			closeAll(files)
			return nil, err
		case t.file != nil && same(t.file, file):
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

// newer leaves out what is older than the file being read, which was taken away.
func (t *Tail) newer(files []*os.File) []*os.File {
	if t.file == nil {
		return files
	}
	ours, err := t.file.Stat()
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
func (t *Tail) read(f func([]byte) bool) (more bool, err error) {
	if t.file == nil {
		return true, nil
	}
	t.rewind()
	buf := make([]byte, 64<<10)
	for {
		n, err := t.file.Read(buf)
		if !t.split(buf[:n], f) {
			return false, nil
		}
		if err == io.EOF {
			return true, nil
		} else if err != nil {
			return false, err
		}
	}
}

// rewind starts anew in a file that was emptied in place.
func (t *Tail) rewind() {
	info, err := t.file.Stat()
	at, err2 := t.file.Seek(0, io.SeekCurrent)
	if err == nil && err2 == nil && info.Size() < at {
		t.file.Seek(0, io.SeekStart)
		t.rest, t.long = nil, false
	}
}

// split hands the lines that end in data to f and keeps what is left.
func (t *Tail) split(data []byte, f func([]byte) bool) bool {
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if t.long = t.long || len(t.rest)+len(line) > MaxLine; !t.long {
			t.rest = append(t.rest, line...)
		}
		if !whole {
			return true
		}
		if !t.flush(f) {
			return false
		}
		data = rest
	}
}

// flush hands the line that was gathered to f. What is left of one that is too
// long is no record.
func (t *Tail) flush(f func([]byte) bool) bool {
	line := t.rest
	t.rest, t.long = nil, false
	return len(bytes.TrimSpace(line)) == 0 || f(line)
}
