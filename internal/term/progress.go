package term

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// A Progress shows how far a long run is: one line on a terminal, which is gone when
// the run is over.
type Progress struct {
	w     io.Writer
	began time.Time
	next  time.Time // when the line is to be written again
	shown bool
}

// A line is shown after a second, and no more often than anyone can read.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// NewProgress returns one that writes to w from now on, nil where that is not a terminal.
func NewProgress(w io.Writer, getenv func(string) string, now time.Time) *Progress {
	if !Is(w) || getenv("TERM") == "dumb" {
		return nil
	}
	return &Progress{w: w, began: now, next: now.Add(progressAfter)}
}

// Show says how many lines are done. It does nothing on nil, or too soon.
func (p *Progress) Show(done int, now time.Time) {
	if p == nil || now.Before(p.next) {
		return
	}
	p.next, p.shown = now.Add(progressEvery), true
	rate := int(float64(done) / now.Sub(p.began).Seconds())
	fmt.Fprintf(p.w, "\r%s lines, %s a second\x1b[K", grouped(done), grouped(rate))
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if p != nil && p.shown {
		io.WriteString(p.w, "\r\x1b[K")
	}
}

// grouped spells a number that is not negative with a comma before every three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
