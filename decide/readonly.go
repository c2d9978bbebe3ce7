package decide

import (
	"net/netip"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// Unproven says why a shell text is not proven to only read, "" when it is. The
// tables prove it of each command (bashsafety.Subcommand.Unproven); here is
// what depends on the place and the rules.
func (c *reading) Unproven() string {
	c.settle()
	s := c.Script
	switch {
	case s == nil:
		return "it is not a shell command"
	case len(s.Doubts) > 0:
		return s.Doubts[0].Msg
	case len(s.Findings) > 0:
		return s.Findings[0].Check.Title
	}
	ran := false
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		why := sub.Unproven()
		if why == "" && (sub.Contained || i+1 < len(s.Subcommands) && s.Subcommands[i+1].Contained) {
			why = contained(sub)
		}
		if why == "" && sub.Code && (c.readRules() || c.spellsSecret() != "") {
			why = "it reads files that are named in code permgate does not check"
		}
		for j := 0; why == "" && j < len(sub.Effects); j++ {
			why = c.more(sub, &sub.Effects[j])
		}
		if why != "" {
			return quoted(Spell(sub.Argv)) + ": " + why
		}
		ran = ran || !sub.Structural
	}
	switch {
	case s.Lingers != "":
		return s.Lingers
	case !ran:
		return "it runs no command"
	}
	return ""
}

// more says in how far an effect of a command that only reads is more than what
// the Read tool does: a request that carries what the text says to a place the
// text names, a repository that is not proven to be inert, a file that a rule
// might hold back.
func (c *reading) more(sub *bashsafety.Subcommand, e *bashsafety.Effect) string {
	switch e.Kind {
	case bashsafety.Looks:
	case bashsafety.Read:
		switch {
		case c.guard.ReadsSecret(e):
			return "it reads a file that may contain keys or tokens"
		case e.Known || e.Glob:
		case !e.Silent && c.spellsSecret() != "":
			return "it reads an unknown file, and the command names " + quoted(c.spellsSecret()) +
				", which may contain keys or tokens"
		case e.Redirect && couldConnect(e.Path):
			return "a redirect reads an unknown name, which may be a network connection"
		case c.readRules():
			return "it reads an unknown file, and there are rules about reading"
		}
	case bashsafety.GitRead:
		return c.gitRead(sub, e).why
	case bashsafety.Network:
		if c.fetches(sub, e) {
			return ""
		}
		return "it sends data from the command to " + shown(e)
	default:
		return "it does more than read " + shown(e)
	}
	return ""
}

// fetches reports whether a request only asks this machine: curl's, of one literal URL of a loopback
// address, which is not led elsewhere. Any other sends something, be it only its address.
func (c *scene) fetches(sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	if sub.Program != "curl" || !e.Known || sub.Remote || followsRedirects(sub) {
		return false
	}
	u, ok := reached(e)
	address, err := netip.ParseAddr(u.Host)
	return ok && !u.Open && (u.Host == "localhost" || err == nil && address.IsLoopback())
}

// followsRedirects reports whether a curl may be led to another address: by
// --location, or by -L among its short options.
func followsRedirects(curl *bashsafety.Subcommand) bool {
	for i := range curl.Argv {
		t := curl.Argv[i].Text
		short := len(t) > 1 && t[0] == '-' && t[1] != '-'
		if strings.HasPrefix(t, "--loc") || short && strings.Contains(t, "L") {
			return true
		}
	}
	return false
}

// couldConnect reports whether an unknown name could be /dev/tcp/HOST/PORT.
func couldConnect(name string) bool {
	return name == "" || strings.HasPrefix(name, "/dev") ||
		strings.HasPrefix(name, bashsafety.HoleMark) || strings.HasPrefix(name, "/"+bashsafety.HoleMark)
}

// readRules reports whether a rule holds back the reading of some file.
func (in *Input) readRules() bool {
	lists := [...][]rules.Rule{in.Policy.Deny, in.Policy.Ask, in.Policy.Posture.ContentExclusion, nil, nil}
	for i, a := range [...]*rules.AgentDef{in.Policy.Agent, in.Policy.Skill} {
		if a != nil {
			lists[3+i] = a.Deny
		}
	}
	for _, list := range lists {
		for i := range list {
			if list[i].Tool == "Read" {
				return true
			}
		}
	}
	return false
}

// readOnly allows a shell text that is proven to only read, where the posture
// counts such texts as safe. Where it is not proven the verdict has no opinion,
// and its reason says why.
func readOnly(c *Case) (v Verdict) {
	set := &c.Policy.Posture.ReadOnlyCommands
	if set.Value != "allow" || c.Script == nil || c.Call.Alias {
		return v
	}
	if v.Reason = c.Unproven(); v.Reason != "" {
		v.Reason = "; not proven read-only: " + v.Reason
		return v
	}
	v = grantReadOnly.allow("read-only: every command only reads")
	v.ReadOnly = true
	if pos := set.Pos.String(); pos != "" {
		v.Reason += ` ("readOnlyCommands" is "allow": ` + pos + ")"
	}
	return v
}
