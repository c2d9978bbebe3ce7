package log

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTail follows a log through everything that can happen to it.
func TestTail(t *testing.T) {
	dir := t.TempDir()
	cur, one, two := filepath.Join(dir, "log.jsonl"), filepath.Join(dir, "log.1.jsonl"), filepath.Join(dir, "log.2.jsonl")
	write := func(name, text string) {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	rename := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	tail := &Tail{Dir: filepath.Join(dir, "none")}
	next := func(step, want, rest string) {
		t.Helper()
		var got []string
		err := tail.Next(func(line []byte) { got = append(got, string(line)) })
		unfinished := ""
		if tail.cur != nil {
			unfinished = string(tail.cur.rest)
		}
		if s := strings.Join(got, " "); err != nil || s != want || unfinished != rest {
			t.Errorf("%s: %q and %q, %v; want %q and %q", step, s, unfinished, err, want, rest)
		}
	}
	next("no folder", "", "")
	tail.Dir = dir
	next("no file", "", "")
	write(two, "a\nb")
	write(one, "c\n\n")
	write(cur, "d\ne")
	next("all files, oldest first", "a b c d", "e")
	next("nothing new", "", "e")
	write(cur, "e\nf\n")
	next("the line that was being written", "ee f", "")
	write(cur, "g\n")
	os.Remove(two)
	rename(one, two)
	rename(cur, one)
	next("rotated, nothing new yet", "g", "")
	write(one, "h\n")
	write(cur, "i\n")
	next("written before and after the rotation", "h i", "")
	write(one, "late\n")
	write(cur, "i2\n")
	next("somebody had the old file open", "late i2", "")
	rename(one, two)
	rename(cur, one)
	write(cur, "j\n")
	rename(two, filepath.Join(dir, "log.3.jsonl"))
	rename(one, two)
	rename(cur, one)
	write(cur, "k\n")
	next("rotated twice", "j k", "")
	os.Remove(one)
	os.Remove(two)
	os.Remove(cur)
	write(cur, "l\n")
	later := time.Now().Add(time.Second) // the clock of a file system may be coarse
	if err := os.Chtimes(cur, later, later); err != nil {
		t.Fatal(err)
	}
	next("taken away and begun anew", "l", "")
	if err := os.Truncate(cur, 0); err != nil {
		t.Fatal(err)
	}
	next("emptied", "", "")
	write(cur, "m\n"+strings.Repeat("x", MaxLine+70<<10)+"\nn\n")
	var lines int
	var last string
	tail.Next(func(line []byte) { lines++; last = string(line) })
	if lines != 3 || last != "n" {
		t.Errorf("a line that is too long: %d lines, the last %q", lines, last)
	}
	write(cur, "torn")
	tail.Next(func(line []byte) { last = string(line) })
	if last != "n" {
		t.Errorf("read up to %q", last)
	}
	tail.End(func(line []byte) { last = string(line) })
	if last != "torn" {
		t.Errorf("the end is %q", last)
	}
	tail.Close()
}
