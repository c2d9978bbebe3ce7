package host

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// AllowForSession reports whether the host is to be told, with the answer, to allow
// the very same text by itself until its session ends. Only "alwaysAllow":
// "session" asks for that, for what a rule or a grant of the user allows, and only
// for a plain command that every program reads alike and that names no file: a host
// looks at the text, and knows neither the folder it would run in then nor what a
// pattern holds back. What a subagent may is not what the session may.
func AllowForSession(c facts.Facts, v verdict.Verdict) bool {
	byUser := v.Decision() == hookio.Allow && (v.Step() == "4" || v.Step() == "6")
	if !byUser || c.Policy().Posture.AlwaysAllow.Value != "session" || c.Call().Event != hookio.PermissionRequest {
		return false
	}
	sub := onlyCommand(c)
	if sub == nil || !inMainLoop(c) || !unadorned(sub) || c.Grants().Ends(v.Why().Rule) {
		return false
	}
	return facts.Spell(sub.Argv) == c.Call().Command && readAlike(c.Call().Command)
}

// Dialog is Verdict.Dialog of package decide.
func Dialog(c facts.Facts, v verdict.Verdict, told hookio.Answer, getenv func(string) string) bool {
	if len(v.Why().Targets) == 0 || c.Call().Event != hookio.PreToolUse || hookio.Told(c.Call(), told) != hookio.Ask {
		return false
	}
	if c.Policy().Posture.Approver.Value != "" || cannotAsk(c) || !canAsk(c) {
		return false
	}
	return c.Call().Host.Attended(sentMode(c), getenv) && rules.Component(c.Call().SessionID) && c.Call().CallID != ""
}

// inMainLoop reports whether the call is the session's own, in its own folder.
func inMainLoop(c facts.Facts) bool {
	return c.Call().Grantee() == "Bash" && c.Call().Dir == "" && !c.Call().Subagent() && !c.AsAgent()
}

// onlyCommand is the command of a text that is one, and nothing to be asked about.
func onlyCommand(c facts.Facts) *bashsafety.Subcommand {
	s := c.Script()
	if s == nil || len(s.Subcommands) != 1 || len(s.Findings)+len(s.Doubts) > 0 || c.Only() == nil {
		return nil
	}
	return &s.Subcommands[0]
}

// unadorned reports whether nothing runs a command, is set for it or narrows the
// rules for it.
func unadorned(sub *bashsafety.Subcommand) bool {
	return len(sub.PatternBlockers)+len(sub.Via)+len(sub.Assigns)+len(sub.Outer) == 0 && !sub.Launcher && sub.Here()
}

// readAlike reports whether a text has only characters that no shell and no
// pattern treats specially. Gen reads a:b as the command a with the operand b.
func readAlike(text string) bool {
	special := func(r rune) bool {
		return !facts.PlainLetter(r) && !facts.IsDigit(r) && !strings.ContainsRune(" -_./=,@+:", r)
	}
	name, _, _ := strings.Cut(text, " ")
	return !strings.ContainsFunc(text, special) && !strings.HasSuffix(text, ":") && !strings.Contains(name, ":")
}
