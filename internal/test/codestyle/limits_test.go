package codestyle

import (
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"
)

var list = flag.String("list", "", "print every place that counts: dense, bool, long, files, words or pages")

// A limit is what a count may be. The goal is what it is to become; while it is
// not reached, the limit follows the count down.
type limit struct {
	kind, what  string
	limit, goal int
}

var limits = [...]limit{
	{"bool", "conditions of 5 operands or more", 5, 5},
	{"long", "lines over 120 columns outside of tables, in 10,000", 25, 25},
	{"words", "hard words in messages", 9, 9},
	{"pages", "hard words in the documentation", 9, 9},
}

// folderLimit is the number of source files that a folder may have.
const folderLimit = 20

// folderFiles are the folders with more, and how many those may have: tables with
// one file a program, subcommand, host, check or key, and flat packages.
var folderFiles = map[string]int{
	"bashsafety/commands": 60, "hookio": 32,
	"internal/cli": 30,
}

// TestLimits holds every count below its limit, and every limit near its count.
func TestLimits(t *testing.T) {
	c := project(t)
	for _, l := range limits {
		n := len(c.findings[l.kind])
		if l.kind == "long" {
			n = n * 10_000 / c.lines
		}
		t.Logf("%s: %d, limit %d, goal %d", l.what, n, l.limit, l.goal)
		for _, f := range c.findings[l.kind] {
			if *list == l.kind {
				t.Log(f)
			}
		}
		switch {
		case n > l.limit:
			t.Errorf("%s: %d, and %d is the limit; -args -list %s shows them", l.what, n, l.limit, l.kind)
		case l.limit > l.goal && n < l.limit-l.slack():
			t.Errorf("%s: only %d left: lower the limit of %d to that", l.what, n, l.limit)
		}
	}
}

// slack is how far a count may be below its limit before the limit has to follow.
func (l limit) slack() int { return 3 + l.limit/20 }

// TestFolders holds the number of source files in one folder.
func TestFolders(t *testing.T) {
	c := project(t)
	for dir, n := range c.files {
		if *list == "files" {
			t.Logf("%4d %s", n, dir)
		}
		most, known := folderFiles[dir]
		switch {
		case !known && n > folderLimit:
			t.Errorf("%s has %d source files: no folder has more than %d", dir, n, folderLimit)
		case known && n > most:
			t.Errorf("%s has %d source files, and %d is its limit", dir, n, most)
		case known && (n <= folderLimit || n < most-5):
			t.Errorf("%s has only %d source files left: lower its limit of %d to that", dir, n, most)
		}
	}
	for dir := range folderFiles {
		if c.files[dir] == 0 {
			t.Errorf("there is no folder %s: its limit can go", dir)
		}
	}
}

var countOnce = sync.OnceValue(func() *counts {
	s, _ := sourceOnce()
	return s.count()
})

// project counts this module.
func project(t *testing.T) *counts {
	t.Helper()
	theSource(t)
	c := countOnce()
	if len(c.files) < 20 || c.lines < 10_000 {
		t.Fatalf("found %d folders, %d lines", len(c.files), c.lines)
	}
	kinds := []string{"", "files", "bool", "long", "words", "pages"}
	if !slices.Contains(kinds, *list) {
		t.Fatalf("-list takes one of%s", strings.Join(kinds, " "))
	}
	return c
}
