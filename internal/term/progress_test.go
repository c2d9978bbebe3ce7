package term

import (
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	began := time.Unix(1000, 0)
	at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	if p := NewProgress(&out, func(string) string { return "" }, began); p != nil {
		t.Fatal("a buffer is no terminal")
	}
	p := &Progress{w: &out, began: began, next: at(1000)}
	p.Clear()
	for _, step := range []struct{ ms, done int }{{900, 64}, {2000, 2500}, {2100, 3000}, {4000, 1_234_567}} {
		p.Show(step.done, at(step.ms))
	}
	p.Clear()
	want := "\r2,500 lines, 1,250 a second\x1b[K\r1,234,567 lines, 308,641 a second\x1b[K\r\x1b[K"
	if out.String() != want {
		t.Errorf("%q\nwant %q", out.String(), want)
	}
	var none *Progress
	none.Show(1, began)
	none.Clear()
}
