package log

import (
	"encoding/binary"
	"path/filepath"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
)

// A person who is asked the same thing again and again is told what would end it.
// How often that was is in a file of fixed size next to the log, so that a hook
// reads 64 bytes and no log of a week. What is in it decides nothing: a torn,
// foreign or forged file can only add or omit that sentence.

// asksName is the file with the counts.
const asksName = "log.asks"

// The file is a table of slots by the hash of an ask: that hash, and when and in
// which session it was last asked, the newest first. Another ask with the same slot
// takes it over.
const (
	askSlots = 1024
	askTimes = 7
	askEntry = 8 // seconds since 1970, and the hash of the session: four bytes each
	askSlot  = 8 + askTimes*askEntry
)

// What counts as often, within what time, and how many times before are known.
const (
	AskedWithin    = 7 * 24 * time.Hour
	OftenInSession = 3
	OftenInWeek    = 5
	MostAsks       = askTimes
)

// Ends says which subcommand may end an ask for good: "allow" for one that an allow rule can
// settle, "report" for one that none can, and "" for an ask that is wanted (a rule of the user's,
// a catastrophe), or that has another end.
func Ends(step, code string) string {
	switch decide.Code(code) {
	case decide.CodeModeDefault, decide.CodeOutsideWorkspace, decide.CodeAddressNotListed:
		return "allow"
	case decide.CodeAutoAsked:
		if step == "7" {
			return "allow"
		}
	case decide.CodeDestructive, decide.CodeSuspicious, decide.CodeMalformed, decide.CodeSensitivePath, decide.CodeSecret, decide.CodeNotUnderstood:
		return "report"
	}
	return ""
}

// Asks are the times one thing was asked before. Nil is good for Add.
type Asks struct {
	w       *Writer
	f       file
	found   bool // f is open
	at      int64
	key     uint64
	session uint32
	now     uint32
	slot    [askSlot]byte
}

// Asks looks up what is asked now.
func (w *Writer) Asks(c *decide.Case, v decide.Verdict, now time.Time) *Asks {
	part, _ := clean(v.Part, maxText)
	check := ""
	if v.Check != nil {
		check = v.Check.ID
	}
	a := &Asks{w: w, key: AskKey(c.Policy.Project.Given, c.Call.Tool, string(v.Code()), check, part), now: uint32(now.Unix())}
	if c.Call.SessionID != "" {
		h := Sum(c.Call.SessionID)
		a.session = uint32(h) ^ uint32(h>>32) | 1
	}
	a.at = int64(a.key%askSlots) * askSlot
	var err error
	if a.f, err = openCounts(filepath.Join(w.Dir, asksName), false); err != nil {
		return a
	}
	a.found = true
	if !a.f.readAt(a.slot[:], a.at) || binary.LittleEndian.Uint64(a.slot[:]) != a.key {
		a.slot = [askSlot]byte{}
	}
	return a
}

// AskKey is the same for what counts as the same ask. The part is redacted: a hash of a short
// password could be guessed.
func AskKey(project, tool, code, check, part string) uint64 {
	return Sum(project, tool, code, check, part, "")
}

// Count is how often it was asked in this session and within a week, this time included. More
// than MostAsks is that or more.
func (a *Asks) Count() (session, week int) {
	session, week = 1, 1
	for i := range askTimes {
		e := a.slot[8+i*askEntry:]
		when, in := binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:])
		if when == 0 || when > a.now || a.now-when > uint32(AskedWithin/time.Second) {
			continue
		}
		week++
		if in != 0 && in == a.session {
			session++
		}
	}
	return session, week
}

// Add counts this time, when the answer has left, and closes the file. Of two processes that do
// so at once one may be lost.
func (a *Asks) Add() {
	if a == nil {
		return
	}
	if !a.found {
		var err error
		if a.f, err = openCounts(filepath.Join(a.w.Dir, asksName), true); err != nil {
			return
		}
	}
	defer a.f.close()
	if _, err := a.f.check(); err != nil {
		return
	}
	copy(a.slot[8+askEntry:], a.slot[8:askSlot-askEntry])
	binary.LittleEndian.PutUint64(a.slot[:], a.key)
	binary.LittleEndian.PutUint32(a.slot[8:], a.now)
	binary.LittleEndian.PutUint32(a.slot[12:], a.session)
	a.f.writeAt(a.slot[:], a.at)
}

// AskedPerson reports whether the call was one that Asks counts.
func (r *Record) AskedPerson() bool {
	asked := r.Event == EventDecision && r.Decision == hookio.Ask.String() && r.Answered == r.Decision
	return asked && r.Rule == "" && r.Part != "" && Ends(r.Step, r.Code) != ""
}
