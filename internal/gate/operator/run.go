package operator

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os/exec"
	"time"
)

// A Start is one run of a program. It gets a process group of its own, which ends with its time.
type Start struct {
	Context   context.Context // ends it early; nil for none
	File      string
	Args, Env []string
	Dir       string
	Stdin     []byte
	Timeout   time.Duration
	Out, Said int // bytes of stdout, above which it is ended, and those kept of stderr
}

// An End is how a program ended.
type End struct {
	Out, Said  []byte
	Over, Late bool // it said more than Start.Out bytes, or took longer than its time
	Took       time.Duration
	Err        error // of exec.Cmd
	Code       int   // exit code; -1 where a signal ended it, or it could not be started
}

// Run runs a program to its end.
func (s Start) Run() End {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(cmp.Or(s.Context, context.Background()), s.Timeout)
	defer cancel()
	out, said := limited{max: s.Out, full: cancel}, limited{max: s.Said}
	cmd := exec.CommandContext(ctx, s.File, s.Args...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(s.Stdin), &out, &said
	cmd.WaitDelay = Grace / 2
	group := newGroup(cmd)
	defer group.close()
	cmd.Cancel = group.kill
	err := cmd.Start()
	if err == nil {
		group.join()
		err = cmd.Wait()
	}
	end := End{Out: out.text, Said: said.text, Over: out.over, Took: time.Since(begin), Err: err, Code: -1}
	end.Late = err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
	if errors.Is(err, exec.ErrWaitDelay) {
		group.kill() // what it started holds its output open, and is in its group
	}
	if cmd.ProcessState != nil {
		end.Code = cmd.ProcessState.ExitCode()
	}
	return end
}

// limited keeps what is written up to max bytes.
type limited struct {
	text []byte
	max  int
	full func() // told when there is more; nil where that is no fault
	over bool
}

func (l *limited) Write(b []byte) (int, error) {
	room := l.max - len(l.text)
	if len(b) > room {
		if l.over = true; l.full != nil {
			l.full()
		}
	}
	l.text = append(l.text, b[:min(room, len(b))]...)
	return len(b), nil
}
