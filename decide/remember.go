package decide

import (
	"strings"

	"permgate/hookio"
)

// Remember reports whether the host is to be told, with the answer, to allow the
// very same text by itself until its session ends. Only "alwaysAllow": "session"
// asks for that, for what a rule or a grant of the user allows, and only for a
// plain command that is read alike by everybody and names no file: a host looks at
// the text, and knows neither the folder it would run in then nor what a pattern
// holds back. What a subagent may is not what the session may.
func (v Verdict) Remember(c *Case) bool {
	s := c.Script
	if c.Policy.Gate.AlwaysAllow.Value != "session" || c.Call.Event != hookio.PermissionRequest || v.Decision != hookio.Allow || v.Step != "4" && v.Step != "6" ||
		c.Call.Tool != "Bash" || c.Call.Dir != "" || c.Call.Subagent() || c.asAgent() ||
		s == nil || len(s.Subcommands) != 1 || len(s.Findings)+len(s.Doubts) > 0 || len(c.units) != 1 {
		return false
	}
	sub := &s.Subcommands[0]
	if len(sub.Narrow)+len(sub.Via)+len(sub.Assigns)+len(sub.Outer) > 0 || sub.Launcher || sub.Remote || Spell(sub.Argv) != c.Call.Command {
		return false
	}
	for _, r := range c.Call.Command {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" -_./=,@+:", r)) {
			return false
		}
	}
	return !strings.HasSuffix(c.Call.Command, ":")
}
