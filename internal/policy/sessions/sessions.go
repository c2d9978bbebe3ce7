// Package sessions reads calls that were recorded: by agent programs in their
// session files, by permgate in its log, and as payloads, one per line. Each format
// is one literal with one reader, which streams.
//
// What a file does not hold is left unknown: nothing is guessed.
package sessions

import (
	"io"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/tidwall/gjson"
)

// Known is what a file says about a question of yes or no.
type Known uint8

const (
	Unknown Known = iota // the file does not say
	No
	Yes
)

// A Call is one recorded call of a tool.
type Call struct {
	*hookio.Call             // nil where it cannot be decided again: Skip says why
	Flags        *gate.Flags // what its hook ran with, by the log; nil: not recorded
	Hook         string      // that command line; equal ones have equal flags
	Skip         string      // why it cannot be decided again: a few fixed sentences, so that they can be counted; "" when it can

	Format  *Format
	Host    string    // name of the program, as --host; "" when the payload does not say
	ID      string    // the program's id of the call; "" for none
	Session string    // the program's id of the session
	Time    time.Time // zero when it is not recorded

	Prompted  Known  // whether someone was asked
	Outcome   string // log.Ran, log.Failed, log.Refused; "" when it is not known
	RefusedBy string // ByUser, ByRule, ByClassifier or ByUnknown
	// Denial is the program's own word for it, as "automode-blocked".
	Denial string
	Then   string // what permgate told the program then: allow, ask, deny, silence; "" when that is not recorded
}

// Counts says what reading came to. Calls = what was handed on, without duplicates.
type Counts struct {
	Lines      int // that are not blank
	Calls      int // each handed on once
	Duplicates int // calls with an id that was met before
	Unknown    int // lines of a kind the reader does not know
	Torn       int // lines that are no JSON
	Newer      int // lines of a later version of the format
}

// A Format is one way of keeping calls.
type Format struct {
	Name  string // as --host; "permgate" for the log, "payload" for payloads
	Title string
	// Files are patterns of the files, below the home for ~: "~/.claude/projects/*/*.jsonl".
	// $NAME at the start, with the default after it: "${CODEX_HOME:-~/.codex}/sessions/*/*/*/*.jsonl".
	Files []string
	// Is reports whether a line is of this format. A file's first JSON objects are tried.
	Is func(line gjson.Result) bool
	// Lacks says what the files do not hold, one clause for the user, "" for nothing.
	Lacks string
	// Source says where the format is from, with version and date.
	Source string
	// Read hands every call of a file on, in order, and stops where take says so.
	Read func(f *File, take func(*Call) error) error
}

// A File is one file that is read.
type File struct {
	Format *Format
	Name   string
	In     io.Reader
	Counts *Counts
	Seen   *Seen // ids of the calls met in all files
}

// Formats returns every format; the first whose Is says yes is taken.
func Formats() []*Format {
	return []*Format{&permgate, &claude, &codex, &copilot, &gemini, &qwen, &droid, &gen, &san, &payload}
}

// Lookup returns the format of a name, or nil if none.
func Lookup(name string) *Format {
	for _, f := range Formats() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// refused notes that a call was refused, by whom, and the program's word for it.
// Who refused a call was asked.
func (c *Call) refused(by, word string) {
	c.Outcome, c.RefusedBy, c.Denial = log.Refused, by, strings.Clone(word)
	switch by {
	case ByUser:
		c.Prompted = Yes
	case ByRule, ByClassifier:
		c.Prompted = No
	}
}

// ended notes how a call that ran came out.
func (c *Call) ended(failed bool) {
	c.Outcome = log.Ran
	if failed {
		c.Outcome = log.Failed
	}
}

// Who refused a call (Call.RefusedBy).
const (
	ByUser       = "user"
	ByRule       = "rule"
	ByClassifier = "classifier"
	ByUnknown    = "unknown"
)

// A sentence is how a program tells that a call did not run; "" in by: it may have run.
type sentence struct{ begins, holds, by string }

// refusedBy reports whether a text says that the call did not run, and notes who refused it.
func (c *Call) refusedBy(sentences []sentence, texts ...string) bool {
	for _, text := range texts {
		for _, s := range sentences {
			if strings.HasPrefix(text, s.begins) && strings.Contains(text, s.holds) {
				if s.by != "" {
					c.refused(s.by, "")
				}
				return true
			}
		}
	}
	return false
}

// Seen remembers the calls met in all files, by a hash of their ids: 11 to 21 bytes a call.
type Seen struct {
	ids  []uint64 // a table of hashes, each near the place it names; 0 is a free one
	used int

	log   *window             // calls of the log whose outcome may be in its next file
	modes map[string][]moment // of Claude Code's sessions, by their files
}

// Again notes an id of a host, and reports whether it was met before. "" is never met.
func (s *Seen) Again(host, id string) bool {
	if id == "" {
		return false
	}
	h := log.Sum(host, id)
	h ^= h >> 32 // the low bits, which name the place, are of all letters then
	if h == 0 {
		h = 1
	}
	if 4*s.used >= 3*len(s.ids) {
		s.grow()
	}
	at := s.place(h)
	if s.ids[at] == h {
		return true
	}
	s.ids[at] = h
	s.used++
	return false
}

// place is where a hash is, or is to be.
func (s *Seen) place(h uint64) uint64 {
	mask := uint64(len(s.ids) - 1)
	at := h & mask
	for s.ids[at] != 0 && s.ids[at] != h {
		at = (at + 1) & mask
	}
	return at
}

func (s *Seen) grow() {
	old := s.ids
	s.ids = make([]uint64, max(1024, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			s.ids[s.place(h)] = h
		}
	}
}
