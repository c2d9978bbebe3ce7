package sessions

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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

// detect tells a format by a file's first lines, or by its beginning where a line is too long.
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

// A Found is a file that a format keeps calls in.
type Found struct {
	Name    string
	Changed time.Time
}

// Find returns the files of a format below a home, the newest last.
func (f *Format) Find(home string, getenv func(string) string) []Found {
	var out []Found
	for _, pattern := range f.Files {
		dir := expand(pattern, home, getenv)
		if !filepath.IsAbs(dir) {
			continue
		}
		names, _ := filepath.Glob(filepath.FromSlash(dir))
		for _, name := range names {
			info, err := os.Stat(name)
			if err == nil && info.Mode().IsRegular() {
				out = append(out, Found{name, info.ModTime()})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Found) int { return a.Changed.Compare(b.Changed) })
	return out
}

// expand puts the home and the environment into a pattern: "${NAME:-DEFAULT}/..." and
// "~/...". A folder that a variable names is no part of the pattern: what is special
// to Glob is escaped. A variable that is no absolute path counts for nothing.
func expand(pattern, home string, getenv func(string) string) string {
	if rest, ok := strings.CutPrefix(pattern, "${"); ok {
		name, rest, _ := strings.Cut(rest, ":-")
		standard, rest, _ := strings.Cut(rest, "}")
		if dir := getenv(name); filepath.IsAbs(dir) {
			return escapeGlob(dir) + rest
		}
		pattern = standard + rest
	}
	if rest, ok := strings.CutPrefix(pattern, "~"); ok {
		pattern = escapeGlob(home) + rest
	}
	return pattern
}

func escapeGlob(dir string) string {
	if filepath.Separator == '\\' {
		return dir // Glob has no escapes there
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// maxLine bounds a line of a session file, in bytes: results of tools are in them.
const maxLine = 16 << 20

// keptLine is how much of the room for a line is kept for the next one.
const keptLine = 1 << 20

// lines hands every line that is not blank on; what is longer than maxLine is torn.
func (f *File) lines(take func(line []byte) error) error {
	in := bufio.NewReaderSize(f.In, 64<<10)
	var line []byte
	for long := false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if text := bytes.TrimSpace(line); long || len(text) > 0 {
			f.Counts.Lines++
			if long {
				f.Counts.Torn++
			} else if err := take(text); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if line, long = line[:0], false; cap(line) > keptLine {
			line = nil
		}
	}
}

// objects hands every line that is a JSON object on.
func (f *File) objects(take func(line gjson.Result) error) error {
	return f.lines(func(line []byte) error {
		v, ok := object(line)
		if !ok {
			f.Counts.Torn++
			return nil
		}
		return take(v)
	})
}

func object(line []byte) (gjson.Result, bool) {
	if tooDeep(line) || !gjson.ValidBytes(line) {
		return gjson.Result{}, false
	}
	v := gjson.ParseBytes(line)
	return v, v.IsObject()
}

// maxDepth is the deepest nesting that is read: gjson recurses, and a full stack ends the process.
const maxDepth = 1000

// tooDeep reports whether a line may nest deeper than that.
func tooDeep(line []byte) bool {
	if bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) <= maxDepth {
		return false
	}
	depth, text, escaped := 0, false, false
	for _, c := range line {
		switch {
		case escaped:
			escaped = false
		case text:
			escaped, text = c == '\\', c != '"'
		case c == '"':
			text = true
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

// A reader is a file and its calls without an outcome yet, for all formats.
type reader struct {
	f *File
	w *window
}

func newReader(f *File, take func(*Call) error) reader { return reader{f, newWindow(f, take)} }

// add takes the call of a line.
func (r *reader) add(c *recorded) error {
	_, err := r.w.add(c.call(), c.about, c.id)
	return err
}

// read gives each JSON object of the file to a function, and hands over what is left.
func (r *reader) read(line func(line gjson.Result) error) error {
	if err := r.f.objects(line); err != nil {
		return err
	}
	return r.w.end()
}

// A window holds calls back, in order, until their outcome is known or too many others wait.
type window struct {
	f     *File
	take  func(*Call) error
	queue []*held
	open  map[string]*held
	size  int
}

// A held call waits for its outcome.
type held struct {
	call  *Call
	about string   // what else the reader knows of it
	keys  []string // it is met by
	size  int
	known bool // its outcome is known
}

// Bounds of a window: calls, and bytes of what they hold.
const (
	maxHeld     = 256
	maxHeldSize = 8 << 20
)

func newWindow(f *File, take func(*Call) error) *window {
	return &window{f: f, take: take, open: map[string]*held{}}
}

// add takes a call with its keys, unless it was met before, in this file or another one.
func (w *window) add(c *Call, about string, keys ...string) (*held, error) {
	if w.f.Seen.Again(c.Host, c.seenAs()) {
		w.f.Counts.Duplicates++
		return nil, nil
	}
	h := &held{call: c, about: about, size: 512}
	if c.Call != nil {
		h.size += len(c.Input.Raw)
	}
	for _, k := range keys {
		if k != "" {
			h.keys = append(h.keys, k)
			w.open[k] = h
		}
	}
	h.known = len(h.keys) == 0
	w.f.Counts.Calls++
	c.Format = w.f.Format
	w.queue = append(w.queue, h)
	w.size += h.size
	return h, w.pass()
}

// sureID is how long an id is at least that no other session has.
const sureID = 16

// seenAs is what a call is known by among those of all files.
func (c *Call) seenAs() string {
	if c.ID == "" || len(c.ID) >= sureID {
		return c.ID
	}
	return c.Session + "\x00" + c.ID
}

// get returns the call that a key names and that still waits, nil for none.
func (w *window) get(key string) *held {
	if key == "" {
		return nil
	}
	return w.open[key]
}

// settle hands on what is ready, once the outcome of a call is known.
func (w *window) settle(h *held) error {
	h.known = true
	w.forget(h)
	return w.pass()
}

func (w *window) forget(h *held) {
	for _, k := range h.keys {
		if w.open[k] == h {
			delete(w.open, k)
		}
	}
}

// pass hands on the first calls, as long as they are ready or too many wait.
func (w *window) pass() error {
	for len(w.queue) > 0 && (w.queue[0].known || len(w.queue) > maxHeld || w.size > maxHeldSize) {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// end hands on what is left.
func (w *window) end() error {
	for len(w.queue) > 0 {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

func (w *window) next() error {
	h := w.queue[0]
	w.queue[0] = nil
	w.queue = w.queue[1:]
	w.size -= h.size
	w.forget(h)
	return w.take(h.call)
}
