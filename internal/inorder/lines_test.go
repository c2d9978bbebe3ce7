package inorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// numbered answers a line with its number and text; some take longer than others.
func numbered(number int, line, to []byte) []byte {
	for range rand.IntN(20) {
		runtime.Gosched()
	}
	return fmt.Appendf(to, "%d:%s;", number, bytes.TrimSpace(line))
}

func answer(t *testing.T, in io.Reader, workers int) (out string, lines int, err error) {
	t.Helper()
	var b strings.Builder
	started := 0
	start := func() Answerer {
		started++
		return numbered
	}
	err = Answer(in, &b, workers, start, func(n int) {
		if n < lines {
			t.Errorf("told of %d lines after %d", n, lines)
		}
		lines = n
	})
	if started != workers {
		t.Errorf("%d workers, want %d", started, workers)
	}
	return b.String(), lines, err
}

// TestAnswer: every line that is not blank is answered, in order, however many
// workers there are, and however the input comes.
func TestAnswer(t *testing.T) {
	var many, want strings.Builder
	for i := 1; i <= 5000; i++ {
		text := strings.Repeat("x", i%97)
		if i%1000 == 0 {
			text = strings.Repeat("long", chunkBytes)
		}
		many.WriteString(text + "\n")
		if text != "" {
			fmt.Fprintf(&want, "%d:%s;", i, text)
		}
	}
	for _, tt := range []struct {
		name, in, want string
		lines          int
	}{
		{"nothing", "", "", 0},
		{"one line", "a\n", "1:a;", 1},
		{"the last line does not end", "a\n\n \r\nb", "1:a;4:b;", 4},
		{"blank lines", "\n\n\n", "", 3},
		{"many", many.String(), want.String(), 5000},
	} {
		for _, workers := range []int{1, 2, 8} {
			for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.HalfReader(strings.NewReader(tt.in))} {
				out, lines, err := answer(t, in, workers)
				if out != tt.want || lines != tt.lines || err != nil {
					t.Errorf("%s, %d workers: %d lines, %v\n%.200s\nwant %.200s", tt.name, workers, lines, err, out, tt.want)
				}
			}
		}
	}
}

// TestReadError: what was read before the input failed is answered.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"a\nb", strings.Repeat("a\n", 1000) + "b"} {
		in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		out, lines, err := answer(t, in, 2)
		want := fmt.Sprintf("%d:b;", strings.Count(text, "\n")+1)
		if !errors.Is(err, broken) || !strings.HasSuffix(out, want) || lines != strings.Count(text, "\n")+1 {
			t.Errorf("%v, %d lines, %.100s, want the end %s", err, lines, out, want)
		}
	}
}

// TestFlat: no more than a few chunks are under way.
func TestFlat(t *testing.T) {
	const workers, size = 2, 8 << 20
	var read atomic.Int64
	written, most := int64(0), int64(0)
	in := io.TeeReader(strings.NewReader(strings.Repeat("0123456\n", size/8)), writer(func(p []byte) { read.Add(int64(len(p))) }))
	out := writer(func(p []byte) {
		most = max(most, read.Load()-written)
		written += int64(len(p))
	})
	start := func() Answerer {
		return func(_ int, line, to []byte) []byte { return append(to, line...) }
	}
	err := Answer(in, out, workers, start, func(int) {})
	if room := int64((workers+2)*chunkLines*8 + 2*chunkBytes); err != nil || written != size || most > room {
		t.Errorf("%v: %d bytes written, %d were under way, want at most %d", err, written, most, room)
	}
}

type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}
