package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/inorder"
	"github.com/permgate--owner/permgate/internal/term"
)

// maxJobs bounds --jobs: each of them has memory of its own.
const maxJobs = 64

// How a batch uses memory. A heap that may grow further before it is collected costs
// less time; the limit, which is the runtime's, holds it where much is in use.
const (
	batchGC    = 400
	batchLimit = 44 << 20 // of one worker; each other one adds a part of it
	batchMost  = 96 << 20
	batchRoom  = 12 << 20 // what all workers together may keep of settings and files
)

// checkLines answers one payload per line, in their order.
func checkLines(e *env, o *callOptions, args []string, jobs int) int {
	switch {
	case len(args) > 0:
		return e.fail("permgate check --lines < calls.jsonl", "--lines reads calls from standard input")
	case jobs < 0 || jobs > maxJobs:
		return e.fail("", "--jobs is %d, and takes a number from 1 to %d", jobs, maxJobs)
	case jobs == 0:
		jobs = min(runtime.GOMAXPROCS(0), maxJobs)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(batchGC))
	limit := min(batchLimit+int64(jobs-1)*batchLimit/3, batchMost)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	out := bufio.NewWriterSize(e.machine(), 64<<10)
	defer out.Flush()
	progress := e.progress()
	var bad atomic.Bool
	err := inorder.Answer(e.in, out, jobs, func() inorder.Answerer {
		a := &lineAnswerer{e: e, o: o, room: batchRoom / jobs, bad: &bad}
		a.restart()
		return a.answer
	}, func(lines int) { progress.Show(lines, time.Now()) })
	progress.Clear()
	switch {
	case err != nil:
		out.Flush()
		return e.fail("", "standard input: %v", err)
	case bad.Load():
		return exitError
	}
	return exitOK
}

// progress is shown to who waits for a file to be written, nil for nobody: where the
// answers themselves are on the terminal they are all there is to see.
func (e *env) progress() *term.Progress {
	if term.Is(e.out) {
		return nil
	}
	return term.NewProgress(e.err, e.world.Getenv, time.Now())
}

// A lineAnswerer answers lines, one after the other.
type lineAnswerer struct {
	e    *env
	o    *callOptions
	b    *gate.Batch
	room int
	bad  *atomic.Bool // set where a line could not be read or decided
}

// restart forgets what was read.
func (a *lineAnswerer) restart() { a.b = gate.NewBatch(&a.o.Flags, a.e.world, a.room) }

// answer appends the answer to a line. A panic makes it an error of this line.
func (a *lineAnswerer) answer(number int, line, to []byte) (out []byte) {
	defer func() {
		if p := recover(); p != nil {
			out = a.fail(number, to, fmt.Sprint("internal error: ", p))
			a.restart()
		}
	}()
	call, err := a.o.readLine(line)
	if err != nil {
		return a.fail(number, to, err.Error())
	}
	a.o.implied.bind(call)
	c := a.b.Case(call)
	res := numbered(number, to)
	fill(&res, c, decide.Decide(c))
	res.implies(a.o.implied.of(call))
	return append(res.end(), '\n')
}

// fail appends why there is no answer to a line.
func (a *lineAnswerer) fail(number int, to []byte, why string) []byte {
	a.bad.Store(true)
	res := numbered(number, to)
	res.str("error", why)
	return append(res.end(), '\n')
}

// numbered begins the object of a line behind to.
func numbered(number int, to []byte) object {
	return object{b: strconv.AppendInt(append(to, `{"line":`...), int64(number), 10)}
}

// bom is the mark that some programs begin a text in UTF-8 with.
var bom = []byte("\xef\xbb\xbf")

const jsonBlanks = " \t\r\n"

// readLine reads a payload that has a line to itself. A line that is one JSON object
// was found to be valid when it was read.
func (o *callOptions) readLine(line []byte) (*hookio.Call, error) {
	text := bytes.TrimPrefix(line, bom)
	r := bytes.NewReader(line)
	call, err := o.read(r)
	whole := len(bytes.Trim(line[len(line)-r.Len():], jsonBlanks)) == 0
	begins := bytes.HasPrefix(bytes.TrimLeft(text, jsonBlanks), []byte("{"))
	if err == nil && whole && begins {
		return call, nil
	}
	if !gjson.ValidBytes(text) {
		return nil, errors.New("not one JSON value")
	}
	return call, err
}
