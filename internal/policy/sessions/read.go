package sessions

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// headSize is how much of a file is looked at to tell its format.
const headSize = 64 << 10

// Read hands every call of the files on. "-" is in. The format is only's, or is told
// by the first lines. A file that was last changed before since is left out.
func Read(names []string, in io.Reader, only *Format, counts *Counts, seen *Seen, since time.Time,
	take func(*Call) error) error {
	for _, name := range names {
		err := readFile(&File{Format: only, Name: name, In: in, Counts: counts, Seen: seen}, since, take)
		if err != nil {
			return err
		}
	}
	return seen.end()
}

// end hands on the calls of the log that still wait.
func (s *Seen) end() error {
	w := s.log
	if s.log = nil; w == nil {
		return nil
	}
	return w.end()
}

func readFile(f *File, since time.Time, take func(*Call) error) error {
	if f.Name == "-" {
		f.Name = "standard input"
	} else {
		file, err := os.Open(f.Name)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		switch {
		case err != nil:
			return err
		case info.IsDir():
			return fmt.Errorf("%s is a folder: name its files", f.Name)
		case info.ModTime().Before(since):
			return nil
		}
		f.In = file
	}
	in := bufio.NewReaderSize(f.In, headSize)
	f.In = in
	head, err := in.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return nil
	}
	if f.Format == nil {
		if f.Format = detect(head); f.Format == nil {
			return fmt.Errorf("%s has no known format: the first lines are none of %s", f.Name, strings.Join(titles(), ", "))
		}
	}
	return f.Format.Read(f, take)
}

func titles() (out []string) {
	for _, f := range Formats() {
		out = append(out, f.Title)
	}
	return out
}

// detect tells a format by the first lines of a file. A line that is longer, or a file
// that is one value on many lines, is told by its beginning.
func detect(head []byte) *Format {
	for line := range bytes.Lines(head) {
		if v, ok := object(line); ok {
			if f := formatOf(v); f != nil {
				return f
			}
		}
	}
	return formatOf(gjson.ParseBytes(head))
}

func formatOf(v gjson.Result) *Format {
	for _, f := range Formats() {
		if v.IsObject() && f.Is(v) {
			return f
		}
	}
	return nil
}
