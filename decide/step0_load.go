package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// stepLoad is step 0: while a settings file cannot be used, steps 3 to 7 allow
// nothing that has a path, a URL or a command.
func stepLoad(c *Case, allowed verdict.Verdict) (q verdict.Question) {
	if !c.reachesOut() {
		return q
	}
	for i := range c.Policy.Faults {
		if f := &c.Policy.Faults[i]; f.Closed {
			return verdict.Must(verdict.Control, verdict.Reason{
				Judged: allowed.Why().Judged, Text: "settings cannot be used: " + f.Pos.String() + ": " + f.Msg,
				Hint: "Fix the file first; until then every allow becomes ask (otherwise: " + allowed.Reason() + ")"})
		}
	}
	return q
}

// reachesOut reports whether the call has a path, a URL or a command, be it
// only the working directory that a search without a path searches.
func (c *reading) reachesOut() bool {
	if c.Call.Command != "" || len(c.Call.Args) > 0 {
		return true
	}
	for u := range c.Units() {
		word := u.access && !begins(u.text) && !strings.ContainsAny(u.text, "/%") // it may be a name of anything
		if (u.subject.Path != nil || u.subject.URL != nil) && !word {
			return true
		}
	}
	switch c.Call.Primary { // of an unknown tool
	case "file_path", "path", "url", "command":
		return true
	}
	return false
}
