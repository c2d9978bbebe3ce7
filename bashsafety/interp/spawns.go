package interp

import "github.com/permgate--owner/permgate/bashsafety/shell"

// maxJobs is how many rounds a loop may have that starts jobs in the background
// and is still one that only reads.
const maxJobs = 64

// many reports whether a loop over words may have any number of rounds, or more
// than maxJobs. A pattern finds the files of a folder, which are as many as they are.
func many(items []shell.Word) bool {
	for i := range items {
		if w := &items[i]; !w.Known && !w.Single && !w.Glob {
			return true
		}
	}
	return len(items) > maxJobs
}

// repeats reports whether what runs a command may run it any number of times.
func repeats(via []string) bool {
	for _, v := range via {
		switch v {
		case "xargs", "find", "parallel", "watch", "watch -x", "entr", "entr -s", "fd":
			return true
		}
	}
	return false
}

// spawns takes the proof of reading back from the commands from an index on,
// which a loop starts in the background.
func (w *walker) spawns(from int) {
	for i := from; i < len(w.s.Subcommands); i++ {
		sub := &w.s.Subcommands[i]
		sub.ReadOnly, sub.Spawned = false, !sub.Structural
	}
}
