package hookio

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// An Ending is a way a hook process can end, as its host sees it.
type Ending string

const (
	EndsAllow   Ending = "allow"       // our line for allow
	EndsAsk     Ending = "ask"         // our line for ask
	EndsDeny    Ending = "deny"        // our line for deny
	EndsSilence Ending = "silence"     // our line for no opinion, or nothing
	EndsText    Ending = "text"        // exit 0 and text that is no answer
	EndsBroken  Ending = "broken JSON" // exit 0 and JSON that is cut short
	EndsFailed  Ending = "exit 1"      // exit 1 without output
	EndsBlocked Ending = "exit 2"      // exit 2 with a reason on standard error
	EndsMute    Ending = "exit 2, no reason"
	EndsKilled  Ending = "killed"   // by a signal, without output
	EndsLate    Ending = "time-out" // the host's own time-out passed
	EndsMissing Ending = "missing"  // the program cannot be started
)

// Endings lists every ending, in the order of the documentation.
var Endings = [...]Ending{EndsAllow, EndsAsk, EndsDeny, EndsSilence, EndsText, EndsBroken, EndsFailed, EndsBlocked,
	EndsMute, EndsKilled, EndsLate, EndsMissing}

// A Fate is what happens to the call after its hook ended.
type Fate uint8

const (
	FateUnknown Fate = iota // neither written down nor seen
	FateRuns                // the tool runs, and no one is asked
	FateHost                // the host goes on as if there were no hook: its own rules, its own prompt
	FatePrompts             // the host asks the user; where it cannot, the tool does not run
	FateBlocks              // the tool does not run
)

// String returns the word the documentation uses.
func (f Fate) String() string {
	return [...]string{"unknown", "runs", "host decides", "prompt", "blocked"}[f]
}

// A Reading is what a host does after some endings: how our deny blocks, and what a crash does.
type Reading struct {
	Event   string // as the host spells it; "" is every event that decides
	Endings []Ending
	Open    Fate   // registered without a fail-closed switch
	Closed  Fate   // registered as install or docs/seeds.md does it, where that differs; FateUnknown: as Open
	Seen    string // version this was observed on; "" where it is only documented (Host.Source)
}

// Driven says which release of a host was last found to behave as its Reader says, and on what day, by
// a run of internal/test/hosttest (docs/hosts-status.md). The zero value: none was, so the host is experimental.
type Driven struct{ Version, Day string }

// After returns what the host does with a call when the hook of an event ended
// that way; installed says that the registration is the one install writes.
func (h *Host) After(event string, e Ending, installed bool) (f Fate, seen string) {
	for _, own := range [...]bool{true, false} {
		for _, r := range h.Reader {
			if !slices.Contains(r.Endings, e) {
				continue
			}
			if own && !sameWord(r.Event, event) || !own && r.Event != "" {
				continue
			}
			if installed && r.Closed != FateUnknown {
				return r.Closed, r.Seen
			}
			return r.Open, r.Seen
		}
	}
	return FateUnknown, ""
}

// An AnswerKey is a place in the JSON of an answer where a host reads a decision.
type AnswerKey struct {
	Event string // as the host spells it; "" is every event that decides
	Path  string // "hookSpecificOutput.permissionDecision"
	Words string // those it knows there, separated by blanks; "false" ends everything, "-ask" is no opinion
	Named string // path of the event's name, which has to be that of the call; "" for none
}

// answersNested is read by hosts that took over Claude Code's form.
var answersNested = []AnswerKey{
	{Path: "continue", Words: "false"},
	{"PreToolUse", "hookSpecificOutput.permissionDecision", "allow ask deny defer", ""},
	{"PermissionRequest", "hookSpecificOutput.decision.behavior", "allow deny", ""},
}

// Ended returns how a hook of an event ended to its host: its exit code, below 0 for a signal, and what it
// printed. The event is spelled as the host does. With After it says what happens to the call.
func (h *Host) Ended(event string, code int, stdout, stderr string) Ending {
	said := h.said(event, stdout)
	if code == 0 {
		return said
	}
	decided := said == EndsAllow || said == EndsAsk || said == EndsDeny
	switch quiet := strings.TrimSpace(stderr) == ""; {
	case code < 0:
		return EndsKilled
	case code == 2 && quiet:
		return EndsMute
	case code == 2:
		return EndsBlocked
	case h.AnyExit && decided:
		return said
	case code == 126, code == 127:
		return EndsMissing
	}
	return EndsFailed
}

// said reads what a hook printed.
func (h *Host) said(event, stdout string) Ending {
	text := strings.TrimSpace(strings.TrimPrefix(stdout, "\xef\xbb\xbf"))
	switch {
	case text == "" && h.Silence != "":
		return EndsFailed
	case text == "":
		return EndsSilence
	case text[0] != '{':
		return EndsText
	case !gjson.Valid(text):
		return EndsBroken
	}
	ends := EndsSilence
	if h.Strict {
		ends = EndsText
	}
	for _, k := range h.Answers {
		v := gjson.Get(text, k.Path)
		switch word := v.String(); {
		case k.Event != "" && k.Event != event, !v.Exists(), v.Type == gjson.Null, v.Type == gjson.True:
		case inWords(k.Words, "-"+word):
			return EndsSilence
		case k.Named != "" && gjson.Get(text, k.Named).String() != event, !inWords(k.Words, word):
			ends = EndsText
		case h.Reasons && word == "deny" && unreasoned(text, k.Path):
			ends = EndsText
		default:
			return endingOf(word)
		}
	}
	return ends
}

// unreasoned reports whether a permissionDecision has no reason next to it.
func unreasoned(text, path string) bool {
	return strings.HasSuffix(path, "permissionDecision") && strings.TrimSpace(gjson.Get(text, path+"Reason").String()) == ""
}

// endingOf is the ending that a word of an answer means.
func endingOf(word string) Ending {
	switch word {
	case "allow", "approve":
		return EndsAllow
	case "ask", "force_ask":
		return EndsAsk
	case "deny", "block", "false":
		return EndsDeny
	}
	return EndsSilence
}

// inWords reports whether a word is one of a list that blanks separate.
func inWords(list, word string) bool { return slices.Contains(strings.Fields(list), word) }
