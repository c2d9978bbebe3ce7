package log

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Name is the file that is written to. Older ones are log.1.jsonl, the most
// recent of them, log.2.jsonl and so on.
const Name = "log.jsonl"

// Files returns a state folder's log files, oldest first. Having none is not an error.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ages []int
	for _, e := range entries {
		if n, ok := age(e.Name()); ok && e.Type().IsRegular() {
			ages = append(ages, n)
		}
	}
	slices.Sort(ages)
	var out []string
	for _, n := range slices.Backward(ages) {
		out = append(out, filepath.Join(dir, fileName(n)))
	}
	return out, nil
}

// fileName is the name of the nth file; 0 is the one that is written to.
func fileName(n int) string {
	if n == 0 {
		return Name
	}
	return "log." + strconv.Itoa(n) + ".jsonl"
}

func age(name string) (int, bool) {
	if name == Name {
		return 0, true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "log."), ".jsonl"))
	return n, err == nil && n > 0 && fileName(n) == name
}

// A Writer appends records to a state folder's log, for any number of
// processes: each is one write at the end, and rotation only renames.
type Writer struct {
	Dir      string
	MaxBytes int64 // a file that would grow beyond is rotated; 0 means DefaultMaxBytes
	Keep     int   // how many old files are kept; 0 means DefaultKeep
}

// The sizes of the log where the settings name none.
const (
	DefaultMaxBytes = 10 << 20
	DefaultKeep     = 5
)

// errorName is the file that tells doctor when and why a record could last not be written.
const errorName = "log.error"

// lockName is locked while files are renamed. Nothing is ever written to it.
const lockName = "log.lock"

// Write appends one record. On an error nothing may be concluded about what
// was written; a torn line is skipped by readers and mended by the next writer.
func (w *Writer) Write(r *Record) error {
	err := w.append(r.AppendJSON(make([]byte, 0, 2048)))
	if err != nil {
		w.KeepError(err)
	}
	return err
}

// append writes a line that ends with a newline.
func (w *Writer) append(line []byte) error {
	name := filepath.Join(w.Dir, Name)
	f, err := openLog(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(w.Dir, 0o700); err == nil {
			f, err = openLog(name)
		}
	}
	if err != nil {
		return err
	}
	defer func() { f.close() }()
	size, err := f.check()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if size > 0 && size+int64(len(line)) > cmp.Or(w.MaxBytes, DefaultMaxBytes) {
		if next, ok := w.rotate(name, f); ok {
			f.close()
			f = next
			if size, err = f.check(); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if size > 0 && !f.endsLine(size) {
		// a writer before us was cut off, or is just writing: an empty line does no harm
		line = append([]byte{'\n'}, line...)
	}
	if n, err := f.write(line); err != nil || n < len(line) {
		return fmt.Errorf("%s: %d of %d bytes written: %w", name, n, len(line), orShort(err))
	}
	return nil
}

func orShort(err error) error {
	if err == nil {
		return errors.New("short write: is the disk full?")
	}
	return err
}

// rotate renames the files and opens a new one. A process that comes while
// another rotates does not wait: its line goes to the file that it has open,
// which is kept under its next name. ok is false then, and where something
// failed: the line is worth more than the size.
func (w *Writer) rotate(name string, f file) (next file, ok bool) {
	unlock, ok := lock(filepath.Join(w.Dir, lockName))
	if !ok {
		return file{}, false
	}
	defer unlock()
	if f.is(name) {
		for n := cmp.Or(w.Keep, DefaultKeep); n > 0; n-- {
			err := os.Rename(filepath.Join(w.Dir, fileName(n-1)), filepath.Join(w.Dir, fileName(n)))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return file{}, false
			}
		}
	}
	next, err := openLog(name)
	return next, err == nil
}

// KeepError notes why a record could not be written, if it can, in a file as safe as the log.
func (w *Writer) KeepError(err error) {
	text := time.Now().UTC().Format(time.RFC3339) + " " + strings.ReplaceAll(err.Error(), "\n", " ") + "\n"
	f, err := openLog(filepath.Join(w.Dir, errorName))
	if err != nil {
		return
	}
	defer f.close()
	if _, err = f.check(); err == nil && f.empty() == nil {
		f.write([]byte(text))
	}
}

// LastError returns when a record could last not be written to a state folder's
// log (zero: never), and why, if the disk had room for that.
func LastError(dir string) (when time.Time, what string) {
	name := filepath.Join(dir, errorName)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return time.Time{}, ""
	}
	data, _ := os.ReadFile(name)
	stamp, what, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
	if when, err = time.Parse(time.RFC3339, stamp); err != nil {
		return info.ModTime(), ""
	}
	return when, what
}

// Check reports whether a record could be written to a state folder, and makes folder and file.
func Check(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	name := filepath.Join(dir, Name)
	f, err := openLog(name)
	if err != nil {
		return err
	}
	defer f.close()
	if _, err := f.check(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return room(dir)
}

// room tries to write as much as a long record takes.
func room(dir string) error {
	f, err := os.CreateTemp(dir, "log-check-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write(make([]byte, 64<<10)); err != nil {
		return err
	}
	return f.Sync()
}

// A Tail reads a state folder's log, oldest first, and goes on where it stopped,
// across rotation, without losing or repeating a line. It needs only Dir.
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

// End calls f with the unfinished lines, for who does not want to wait for more.
func (t *Tail) End(f func(line []byte)) {
	t.old.flush(f)
	t.cur.flush(f)
}

// ReadDir calls f for the records of a state folder's log, oldest first. skipped
// counts other lines: torn, long, foreign. The error is the file system's.
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

// open opens files newer than the current one, starting with the newest: one
// rotated meanwhile is met again and recognised, and none is missed.
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

// openRegular opens a regular file; anything else, which might block, counts as not there.
func openRegular(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return openRead(name)
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

// rewind starts again in a file that was emptied in place.
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

// flush hands the gathered line to f. What is left of one that is too long is no record.
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
