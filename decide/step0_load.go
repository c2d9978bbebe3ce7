package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// stepLoad is step 0: while a settings file cannot be used, steps 3 to 7 allow
// nothing that has a path, a URL or a command.
func stepLoad(c facts.Facts, allowed verdict.Verdict) (q verdict.Question) {
	if !reachesOut(c) {
		return q
	}
	for i := range c.Policy().Faults {
		if f := &c.Policy().Faults[i]; f.Closed {
			return verdict.Must(verdict.Control, verdict.Reason{
				Judged: allowed.Why().Judged, Text: "settings cannot be used: " + f.Pos.String() + ": " + f.Msg,
				Own: "Fix the file first; until then every allow becomes ask (otherwise: " + allowed.Reason() + ")"})
		}
	}
	return q
}

// reachesOut reports whether the call has a path, a URL or a command, be it
// only the working directory that a search without a path searches.
func reachesOut(c facts.Facts) bool {
	if c.Call().Command != "" || len(c.Call().Args) > 0 {
		return true
	}
	for u := range c.Units() {
		word := u.Access() && !facts.LooksLikePath(u.Text()) && !strings.ContainsAny(u.Text(), "/%") // it may be a name of anything
		if (u.Subject().Path != nil || u.Subject().URL != nil) && !word {
			return true
		}
	}
	switch c.Call().Primary { // of an unknown tool
	case "file_path", "path", "url", "command":
		return true
	}
	return false
}
