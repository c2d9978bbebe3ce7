package oracle

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Sizes of the shared file, as in shim.c.
const (
	headSize = 4096
	logSize  = 1 << 20
	textSize = 1 << 20
)

// Request flags, as in shim.c.
const (
	raw       = 1 // the interposed functions pass through: only seccomp holds
	noSeccomp = 2 // only the interposed functions hold; only before the first seal
	seal      = 4 // the server takes on the filter, for all that come
)

// An Oracle is a running bash that executes nothing. It is safe for use by several goroutines, one text at
// a time; for more speed start several.
type Oracle struct {
	Dir      string        // the working directory
	Home     string        // $HOME, empty
	Deadline time.Duration // of one text

	mu   sync.Mutex
	mem  []byte
	reqW *os.File
	resR *os.File
}

// A Result is what bash would have done with a text.
type Result struct {
	Execs     [][]string // what would have been executed, in order of time; [0] without the stub directory
	Writes    []string   // what would have been changed: "open PATH", "unlink PATH", "kill", ...
	Changes   []Change   // the same as Writes, taken apart
	Status    int        // exit status of bash; 128+n after signal n
	TimedOut  bool       // cut off by the deadline
	BadSyntax bool       // bash did not parse the whole text
	Cut       bool       // the log or the number of forks was exhausted: Execs and Writes are not complete
}

// A Change is one change of a file, or another thing refused.
type Change struct {
	Op   string // "open", "unlink", "socket"
	Path string // as the shell gave it
	Dir  string // what a relative path is relative to
}

// Run returns what bash would do with the text after -c if every program ended with status 0.
func (o *Oracle) Run(text string) (Result, error) { return o.run(text, 0, 0) }

// RunBoth runs the text twice, with every program succeeding and with every program failing, and returns
// the executions and writes of both, so that both sides of && and || are seen.
func (o *Oracle) RunBoth(text string) (Result, error) { return o.runs(text, 0, ^uint32(0)) }

// runs runs the text once for each choice of exit statuses.
func (o *Oracle) runs(text string, exits ...uint32) (Result, error) {
	var all Result
	for i, e := range exits {
		r, err := o.run(text, 0, e)
		if err != nil {
			return r, err
		}
		if i == 0 {
			all = r
			continue
		}
		all.add(&r)
	}
	return all, nil
}

func (a *Result) add(b *Result) {
	a.Execs = append(a.Execs, b.Execs...)
	a.Writes = append(a.Writes, b.Writes...)
	a.Changes = append(a.Changes, b.Changes...)
	a.BadSyntax = a.BadSyntax || b.BadSyntax
	a.TimedOut = a.TimedOut || b.TimedOut
	a.Cut = a.Cut || b.Cut
}

// run is one request. Bit k%32 of exits is the exit status of the k-th execution.
func (o *Oracle) run(text string, flags, exits uint32) (Result, error) {
	if len(text) >= textSize {
		return Result{}, fmt.Errorf("oracle: text of %d bytes is too long", len(text))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	copy(o.mem[headSize+logSize:], text)
	req := [4]uint32{uint32(len(text)), flags, exits, uint32(o.Deadline.Milliseconds())}
	if _, err := o.reqW.Write((*[16]byte)(unsafe.Pointer(&req))[:]); err != nil {
		return Result{}, fmt.Errorf("oracle: bash is gone: %w", err)
	}
	var res [3]uint32
	if _, err := io.ReadFull(o.resR, (*[12]byte)(unsafe.Pointer(&res))[:]); err != nil {
		return Result{}, fmt.Errorf("oracle: bash is gone: %w", err)
	}
	ws := syscall.WaitStatus(res[0])
	r := Result{Status: ws.ExitStatus(), TimedOut: res[1]&1 != 0, Cut: res[1]&6 != 0, BadSyntax: res[1]&8 != 0}
	if ws.Signaled() {
		r.Status = 128 + int(ws.Signal())
	}
	if res[1]&16 == 0 {
		if r.TimedOut && ws.Signaled() {
			return r, nil // a slow machine: killed before it read the text
		}
		return r, fmt.Errorf("oracle: the child could not be confined")
	}
	r.read(o.mem[headSize : headSize+min(int(res[2]), logSize)])
	return r, nil
}

// read decodes the log: entries of length, kind, NUL-terminated strings.
func (r *Result) read(log []byte) {
	for len(log) >= 5 {
		n := int(binary.NativeEndian.Uint32(log))
		if n < 6 || n > len(log) {
			return
		}
		s := strings.Split(string(log[5:n-1]), "\x00")
		if log[4] == 'X' {
			path, argv := strings.TrimPrefix(s[0], "/stub/"), s[1:]
			if len(argv) > 0 && !foundAs(path, argv[0]) {
				argv[0] = path
			}
			for i := range argv { // zsh says /proc/self/fd, where there is such a folder
				argv[i] = strings.ReplaceAll(argv[i], "/proc/self/fd/", "/dev/fd/")
			}
			r.Execs = append(r.Execs, argv)
		} else {
			w := append(s, "", "")
			r.Writes = append(r.Writes, strings.TrimSuffix(w[0]+" "+w[1], " "))
			r.Changes = append(r.Changes, Change{Op: w[0], Path: w[1], Dir: w[2]})
		}
		log = log[n:]
	}
}

// foundAs reports whether the path is where the shell finds the name: below the stub directory, or in the
// standard path.
func foundAs(path, name string) bool {
	dir, ok := strings.CutSuffix(path, "/"+name)
	if !ok {
		return false
	}
	switch dir {
	case "/bin", "/usr/bin", "/sbin", "/usr/sbin":
		return true
	}
	return strings.Contains(name, "/")
}
