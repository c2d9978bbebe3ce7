package log

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Writer appends records to the log of one state folder. Any number of
// processes may write at once: a record is one write at the end of the file,
// which no other write can fall into, and rotation only renames.
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

// errorName is the file that remembers when and why a record could last not be
// written, for doctor.
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
	if size > 0 && size+int64(len(line)) > w.maxBytes() {
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

func (w *Writer) maxBytes() int64 {
	if w.MaxBytes <= 0 {
		return DefaultMaxBytes
	}
	return w.MaxBytes
}

func (w *Writer) keep() int {
	if w.Keep <= 0 {
		return DefaultKeep
	}
	return w.Keep
}

// rotate renames the files and opens a new one. Whoever comes while another
// process rotates does not wait: its line goes to the file that it has open,
// which is kept under its next name. ok is false then, and where something
// failed: the line is worth more than the size.
func (w *Writer) rotate(name string, f file) (next file, ok bool) {
	unlock, ok := lock(filepath.Join(w.Dir, lockName))
	if !ok {
		return file{}, false
	}
	defer unlock()
	if f.is(name) {
		for n := w.keep(); n > 0; n-- {
			err := os.Rename(filepath.Join(w.Dir, fileName(n-1)), filepath.Join(w.Dir, fileName(n)))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return file{}, false
			}
		}
	}
	next, err := openLog(name)
	return next, err == nil
}

// KeepError notes why a record could not be written, as well as that works. The
// file has to be such a one as the log.
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

// LastError returns when a record could last not be written to the log of a
// state folder, and why; a zero time means never. What is "" where the disk was
// too full to note that.
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

// Check reports whether a record could be written to the log of a state folder
// now, without writing one; folder and file are made where they are missing.
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
