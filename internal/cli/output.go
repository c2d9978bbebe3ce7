package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"syscall"

	"github.com/permgate--owner/permgate/internal/term"
)

// An output is standard output. Lines for people are broken where a terminal
// ends. It remembers the first write that failed: what was not printed was not
// answered, whatever the subcommand thinks it did.
type output struct {
	w       io.Writer
	columns int    // 0 where nothing is broken
	line    []byte // a line that has not ended yet
	err     error
	left    bool // a reader that goes away has seen what it wanted, as that of a list
}

// columnsOf is how wide lines for people may be: $COLUMNS, or the width of the
// terminal; 0, which breaks nothing, for scripts and pipes.
func columnsOf(w io.Writer, getenv func(string) string) int {
	const least = 20
	if getenv != nil {
		if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
			return max(n, least)
		}
	}
	if term.Is(w) {
		return max(term.Width(w), least)
	}
	return 0
}

// Write prints text for people.
func (o *output) Write(p []byte) (int, error) {
	if o.columns == 0 {
		return o.write(p)
	}
	o.line = append(o.line, p...)
	end := bytes.LastIndexByte(o.line, '\n') + 1
	text := o.line[:end]
	var folded []byte
	for line := range bytes.Lines(text) {
		s := string(line[:len(line)-1])
		folded = append(append(folded, term.Fold(s, term.Hang(s, o.columns), o.columns)...), '\n')
	}
	o.line = append([]byte(nil), o.line[end:]...)
	if _, err := o.write(folded); err != nil {
		return 0, err
	}
	return len(p), nil
}

// machine is where text goes that is not prose: JSON, scripts, diffs.
func (e *env) machine() io.Writer {
	if o, ok := e.out.(*output); ok {
		return asIs{o}
	}
	return e.out
}

type asIs struct{ o *output }

func (a asIs) Write(p []byte) (int, error) {
	a.o.flush()
	return a.o.write(p)
}

// flush prints a line that was not ended.
func (o *output) flush() {
	if len(o.line) > 0 {
		o.write(o.line)
		o.line = nil
	}
}

func (o *output) write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil && !(o.left && closedPipe(err)) {
		o.err = err
	}
	return n, err
}

// File is the file behind the output, nil for none: whether it is a terminal
// depends on it.
func (o *output) File() *os.File {
	f, _ := o.w.(*os.File)
	return f
}

// needed says that what is printed is all a subcommand is for, the exit code being
// no answer: then a standard output that was closed is a failure too.
func (e *env) needed() {
	if o, ok := e.out.(*output); ok && o.err == nil && term.Closed(o) {
		o.err = os.ErrClosed
	}
}

func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe)
}

// written returns the exit code of a subcommand that would end with code.
func (e *env) written(o *output, code int) int {
	o.flush()
	if o.err == nil || code == exitError {
		return code
	}
	return e.fail("", "the output could not be written: %v", o.err)
}
