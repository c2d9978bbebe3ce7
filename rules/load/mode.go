package load

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/permgate--owner/permgate/rules"
)

// modeName returns a mode by its name. An unknown one is default (managed: dontAsk), and a fault.
func (l *loader) modeName(name string, scope rules.Scope, pos rules.Pos) string {
	switch alias := rules.ModeAlias(name); {
	case alias != "":
		return alias
	case rules.Strictness(name) >= 0:
		return name
	case name == "edit":
		l.note(at(pos) + `mode "edit" is now acceptEdits; it counts as default`)
		return rules.ModeDefault
	case scope == rules.Managed:
		l.note(at(pos) + "unknown mode " + abridged(name) + " in managed settings counts as dontAsk")
		return "dontAsk"
	}
	l.note(at(pos) + "unknown mode " + abridged(name) + " counts as default")
	return rules.ModeDefault
}

func at(pos rules.Pos) string { return pos.String() + ": " }

// abridged shortens and escapes text from outside for a message.
func abridged(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return strconv.Quote(s)
}

func (l *loader) note(n string) { l.p.ModeNotes = append(l.p.ModeNotes, n) }

// mode settles the mode in effect: flag, agent definition, payload, settings.
func (l *loader) mode() {
	session := l.sessionMode()
	m := session
	a := l.p.Agent
	switch flag, ok := l.flagMode(); {
	case ok:
		m = flag
	case a != nil && !l.w.MainAgent:
		m = l.agentMode(a, session)
		if rules.Strictness(session.Value) > rules.Strictness(rules.ModeDefault) && stricter(session.Value, m.Value) {
			l.note("the session's mode " + session.Value + " applies to the subagent too")
			m = session
		}
	}
	for _, lock := range [...]struct {
		mode string
		by   rules.Setting
	}{{rules.ModeBypass, l.p.LockBypass}, {rules.ModeAuto, l.p.LockAuto}} {
		if m.Value == lock.mode && lock.by.On() {
			l.note(lock.mode + " is locked by " + lock.by.Pos.String() + "; the mode is default")
			l.p.Auto.Locked = l.p.Auto.Locked || lock.mode == rules.ModeAuto
			m = rules.Setting{Value: rules.ModeDefault, Scope: lock.by.Scope, Pos: lock.by.Pos}
		}
	}
	if s := l.p.Skill; s != nil && !s.Known && stricter(rules.ModeDefault, m.Value) {
		l.note("the mode is default, because skill " + s.Name + " has no definition that can be used")
		m = rules.Setting{Value: rules.ModeDefault, Scope: rules.Skill, Pos: s.Pos}
	}
	l.p.Mode = m
}

func (l *loader) flagMode() (rules.Setting, bool) {
	if l.w.Mode == "" {
		return rules.Setting{}, false
	}
	pos := rules.Pos{File: "--permission-mode"}
	m := l.modeName(l.w.Mode, rules.Flag, pos)
	if m == rules.ModeBypass && !l.w.AllowBypass {
		l.note(at(pos) + "bypassPermissions is ignored without --allow-dangerously-skip-permissions")
		return rules.Setting{}, false
	}
	return rules.Setting{Value: m, Scope: rules.Flag, Pos: pos}, true
}

// sessionMode is the mode of the main loop: the payload's, else that of the settings.
func (l *loader) sessionMode() rules.Setting {
	if l.w.PayloadMode != "" {
		pos := rules.Pos{File: rules.PayloadMode}
		return rules.Setting{Value: l.modeName(l.w.PayloadMode, rules.ScopeNone, pos), Scope: rules.ScopeNone, Pos: pos}
	}
	m := rules.Setting{Value: rules.ModeDefault}
	for i := len(l.sources) - 1; i >= 0; i-- { // the lowest precedence first
		s := l.sources[i]
		if s.mode.Value == "" || s.scope != rules.Flag && s.root != ".gen" && !slices.Contains(l.w.Roots, s.root) {
			continue
		}
		c := s.mode
		c.Value = l.modeName(c.Value, s.scope, c.Pos)
		why := cmp.Or(s.whyIdle(), s.untrusted.of(len(s.allow)+len(s.dirs)))
		if c.Value == rules.ModeBypass && why == "" && l.unrecordedBypass(s.place, s.data, l.grantsOf(s)) {
			why = "no git index shows that the file did not come with the project: read it and run " +
				l.trustCommand("")
		}
		if c.Value == rules.ModeBypass && why == "" && l.noBypass(s.scope, s.path) {
			if s.scope == rules.Local {
				l.p.InIndex = append(l.p.InIndex, s.path)
			}
			l.note(at(c.Pos) + "bypassPermissions is ignored: " +
				"it only counts in user, managed and untracked local files")
			continue
		}
		switch {
		case why == "" || stricter(c.Value, m.Value):
			m = c
		case stricter(m.Value, c.Value):
			l.drop("defaultMode: "+c.Value, c.Pos, why).Mode = c.Value
		}
	}
	return m
}

// whyIdle says why nothing that a file grants counts, "" if it may.
func (s *source) whyIdle() string {
	if s.why == "" && s.closed {
		return "the file has an error; fix it first"
	}
	return s.why
}

// noBypass reports whether a file may not set bypassPermissions: one that came with the repository.
func (l *loader) noBypass(scope rules.Scope, path string) bool {
	switch scope {
	case rules.Shared:
		return true
	case rules.Local, rules.Agent:
		return l.tracked(path)
	case rules.Flag:
		return !l.w.AllowBypass
	}
	return false
}

// agentMode is the mode of a subagent by its definition.
func (l *loader) agentMode(a *rules.AgentDef, session rules.Setting) rules.Setting {
	if a.Mode == "" {
		// A host's built-in agents have no definition: where the host's own
		// rules are to hold for subagents, so does the session's mode.
		if l.p.Posture.Subagents.Value == "host" && (a.Known || !a.Found) {
			return session
		}
		return rules.Setting{Value: rules.ModeDefault, Scope: rules.Agent, Pos: a.Pos}
	}
	return rules.Setting{Value: a.Mode, Scope: rules.Agent, Pos: a.Pos}
}

func stricter(a, b string) bool { return rules.Strictness(a) > rules.Strictness(b) }

// KillSwitch is the variable that takes mode auto away, as disableAutoMode does: it tightens.
const KillSwitch = "PERMGATE_DISABLE_AUTO_MODE"
