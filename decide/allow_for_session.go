package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
)

// AllowForSession reports whether the host is to be told, with the answer, to allow
// the very same text by itself until its session ends. Only "alwaysAllow":
// "session" asks for that, for what a rule or a grant of the user allows, and only
// for a plain command that every program reads alike and that names no file: a host
// looks at the text, and knows neither the folder it would run in then nor what a
// pattern holds back. What a subagent may is not what the session may.
func (v Verdict) AllowForSession(c *Case) bool {
	byUser := v.Decision == hookio.Allow && (v.Step == "4" || v.Step == "6")
	if !byUser || c.Policy.Posture.AlwaysAllow.Value != "session" || c.Call.Event != hookio.PermissionRequest {
		return false
	}
	sub := c.onlyCommand()
	if sub == nil || !c.inMainLoop() || !unadorned(sub) {
		return false
	}
	return Spell(sub.Argv) == c.Call.Command && readAlike(c.Call.Command)
}

// inMainLoop reports whether the call is the session's own, in its own folder.
func (in *Input) inMainLoop() bool {
	return in.Call.Grantee() == "Bash" && in.Call.Dir == "" && !in.Call.Subagent() && !in.asAgent()
}

// onlyCommand is the command of a text that is one, and nothing to be asked about.
func (c *reading) onlyCommand() *bashsafety.Subcommand {
	s := c.Script
	if s == nil || len(s.Subcommands) != 1 || len(s.Findings)+len(s.Doubts) > 0 || len(c.units) != 1 {
		return nil
	}
	return &s.Subcommands[0]
}

// unadorned reports whether nothing runs a command, is set for it or narrows the
// rules for it.
func unadorned(sub *bashsafety.Subcommand) bool {
	return len(sub.PatternBlockers)+len(sub.Via)+len(sub.Assigns)+len(sub.Outer) == 0 && !sub.Launcher && !sub.Remote
}

// readAlike reports whether a text has only characters that no shell and no
// pattern treats specially. Gen reads a:b as the command a with the operand b.
func readAlike(text string) bool {
	special := func(r rune) bool {
		return !plainLetter(r) && !isDigit(r) && !strings.ContainsRune(" -_./=,@+:", r)
	}
	name, _, _ := strings.Cut(text, " ")
	return !strings.ContainsFunc(text, special) && !strings.HasSuffix(text, ":") && !strings.Contains(name, ":")
}
