package cli

import (
	"errors"
	"io"
	"os"
	"syscall"

	"permgate/internal/term"
)

// An output is standard output. It remembers the first write that failed: what
// was not printed was not answered, whatever the subcommand thinks it did.
type output struct {
	w    io.Writer
	err  error
	left bool // a reader that goes away has seen what it wanted, as that of a list
}

func (o *output) Write(p []byte) (int, error) {
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
	if o.err == nil || code == exitError {
		return code
	}
	return e.fail("", "the output could not be written: %v", o.err)
}
