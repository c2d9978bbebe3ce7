package cli

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/internal/term"
)

// show prints what is about to be written: the diff, or, where a command has
// said of each change what it is, that, and the diff only on request.
func (e *env) show(o *writeOptions, todo []*change) {
	if o.summary {
		for _, ch := range todo {
			e.summary(ch)
		}
	}
	if !o.summary || o.diff {
		e.diffs(todo)
	}
}

func (e *env) diffs(todo []*change) {
	for _, ch := range todo {
		e.printDiff(ch.diff(e))
	}
}

// summary prints one change in a few lines.
func (e *env) summary(ch *change) {
	state := ""
	switch {
	case len(ch.text) == 0:
		state = "  (removed)"
	case len(ch.old) == 0:
		state = "  (new file)"
	}
	fmt.Fprintf(e.out, "%s%s\n", e.path(ch.name), state)
	for _, line := range ch.what {
		e.wrapped("    ", line)
	}
	if len(ch.what) == 0 && state == "" {
		added, gone := 0, 0
		for line := range strings.Lines(string(ch.diff(e))) {
			switch {
			case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			case strings.HasPrefix(line, "+"):
				added++
			case strings.HasPrefix(line, "-"):
				gone++
			}
		}
		fmt.Fprintf(e.out, "    %s more, %d fewer\n", plural(added, "line", "lines"), gone)
	}
}

// asks is the confirmation of a change; where only a summary was shown, d shows
// the diff.
func (e *env) asks(o *writeOptions, todo []*change) int {
	if !o.summary || o.diff {
		return e.confirm("write this?")
	}
	return e.confirm("write this?", term.Key{Letter: "d", Does: "shows the diff", Do: func() { e.diffs(todo) }})
}
