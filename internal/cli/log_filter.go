package cli

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// A logFilter says which calls of the log are meant; empty fields mean all.
type logFilter struct {
	since                               time.Time
	session, decision, tool, rule, host string
}

// check completes a filter and refuses what nothing could match.
func (f *logFilter) check() error {
	switch f.decision {
	case "", "allow", "ask", "deny", log.Silence:
	default:
		return fmt.Errorf("--decision %s: expected allow, ask, deny or silence", quoteArg(f.decision))
	}
	if _, err := path.Match(f.tool, ""); err != nil {
		return fmt.Errorf("--tool %s: incomplete pattern", quoteArg(f.tool))
	}
	h, err := gate.NamedHost(f.host)
	if h != nil {
		f.host = h.Name
	}
	return err
}

// takes reports whether a decision is one of those meant.
func (f *logFilter) takes(r *log.Record) bool {
	return f.takesFrom(r) && f.takesDecision(r) && f.takesTool(r) && f.takesRule(r)
}

// takesFrom reports whether a record is of the time, session and program meant.
func (f *logFilter) takesFrom(r *log.Record) bool {
	return !r.Time.Before(f.since) && strings.HasPrefix(r.Session, f.session) && (f.host == "" || r.Host == f.host)
}

func (f *logFilter) takesDecision(r *log.Record) bool {
	return f.decision == "" || slices.Contains([]string{r.Decision, r.Answered, r.Would}, f.decision)
}

func (f *logFilter) takesTool(r *log.Record) bool {
	return f.tool == "" || nameMatches(f.tool, r.Tool) || nameMatches(f.tool, r.RawTool)
}

func (f *logFilter) takesRule(r *log.Record) bool {
	return r.Check == f.rule || strings.Contains(r.Rule, f.rule) || strings.Contains(r.RulePlace, f.rule)
}

// onlyTime reports whether the filter leaves the lines alone that are about no call.
func (f *logFilter) onlyTime() bool {
	return f.decision == "" && f.tool == "" && f.rule == ""
}

// takesLine is takes for the end of a session.
func (f *logFilter) takesLine(r *log.Record) bool {
	return f.onlyTime() && f.takesFrom(r)
}

func nameMatches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok && name != ""
}

// The forms of a point in time, in local time where they name no zone.
var sinceForms = [...]string{
	"2006-01-02", "2006-01-02T15:04", "2006-01-02 15:04",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", time.RFC3339Nano,
}

// parseSince reads a span before now, or a point in time.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if n := len(text) - 1; text[n] == 'd' || text[n] == 'w' {
		days, err := strconv.Atoi(text[:n])
		if text[n] == 'w' {
			days *= 7
		}
		if err == nil && days >= 0 && days < 100*366 {
			return now.AddDate(0, 0, -days), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, form := range sinceForms {
		if t, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--since %s: expected a span like 90s, 30m, 2h, 7d, 2w, "+
		"or a time like 2026-11-20 or 2026-11-20T15:04", quoteArg(text))
}
