package sessions

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// permgate is permgate's own log. What a program asked its hooks about one call, before
// and in its dialog, is one call: the dialog's answer is the one that counts, unless
// it was silence.
var permgate = Format{
	Name:  "permgate",
	Title: "permgate's log",
	Files: []string{"${XDG_STATE_HOME:-~/.local/state}/permgate/log*.jsonl"},
	Is: func(line gjson.Result) bool {
		return strings.HasPrefix(line.Get("EventName").Str, "permgate.")
	},
	Lacks:  "secrets, which were redacted, and what programs that report no outcomes did with a call",
	Source: "docs/log.md",
	Read:   readLog,
}

// readLog goes on where the log's file before this one ended: the outcome of a call may
// be in the next file.
func readLog(f *File, take func(*Call) error) error {
	if f.Seen.log == nil {
		f.Seen.log = newWindow(f, take)
	}
	return f.lines((&logReader{f: f, w: f.Seen.log, hooks: map[string]hookFlags{}, again: map[string]bool{}}).line)
}

type logReader struct {
	f     *File
	w     *window
	hooks map[string]hookFlags // by their command lines
	again map[string]bool      // keys of calls that were met before: their dialogs were, too
}

// hookFlags is what gate.LoggedFlags returns.
type hookFlags struct {
	flags *gate.Flags
	err   error
}

// flags are those of a hook's command line, which is one of few.
func (r *logReader) flags(command string) hookFlags {
	h, ok := r.hooks[command]
	if !ok {
		if len(r.hooks) >= maxRemembered {
			clear(r.hooks)
		}
		h.flags, h.err = gate.LoggedFlags(command)
		r.hooks[command] = h
	}
	return h
}

func (r *logReader) line(number int, line []byte) error {
	rec, ok := log.Parse(line)
	if !ok {
		r.unread(line)
		return nil
	}
	switch rec.Event {
	case log.EventDecision:
		return r.decision(&rec, r.f.at(number))
	case log.EventOutcome:
		return r.outcome(&rec)
	case log.EventSessionEnd:
	default:
		r.f.Counts.Unknown++
	}
	return nil
}

// unread counts a line that is no record.
func (r *logReader) unread(line []byte) {
	switch {
	case len(line) > log.MaxLine, !gjson.ValidBytes(line):
		r.f.Counts.Torn++
	case log.Newer(line):
		r.f.Counts.Newer++
	default:
		r.f.Counts.Unknown++
	}
}

// decision adds a decision, or joins it to the call it is a second one about.
func (r *logReader) decision(rec *log.Record, where string) error {
	keys := rec.Keys()
	asks := rec.OfDialog()
	for i, k := range keys {
		had := r.w.get(k)
		switch {
		case asks && r.again[k]:
			r.f.Counts.Duplicates++
			return nil
		case had == nil || i > 0 && !asks:
		case asks:
			r.dialog(had.call, rec)
			return nil
		default:
			r.f.Counts.Duplicates++
			return nil
		}
	}
	h, err := r.w.add(r.call(rec, where), nil, keys[:]...)
	for _, k := range keys {
		if len(r.again) >= maxRemembered {
			clear(r.again)
		}
		if k != "" && h == nil {
			r.again[k] = true
		}
	}
	return err
}
