package facts

import (
	"slices"

	"github.com/permgate--owner/permgate/rules"
)

// Grants are what the user granted for the running session.
type Grants struct {
	AllEdits bool // the three edit tools
	AllBash  bool
	All      bool         // every call but a question to the user
	Rules    []rules.Rule // allow rules of scope Session
	Timed    []Timed      // those of Rules that end before the rest
	Due      bool         // the state has to note this call before a rule of Timed counts
	Until    string       // when they end, as reasons name it
	File     string       // where they are kept
}

// A Timed says when one rule of a session's grants ends.
type Timed struct {
	Rule  string // its text, which no other rule of the session has
	Until string // as reasons name it
	Once  bool   // the call that it allows uses it up
	ID    string // where it is kept
}

// Ending says when what is granted ends, as a reason goes on.
func (g Grants) Ending() string {
	if g.Until == "" {
		return ""
	}
	return ", until " + g.Until
}

// End says when a rule ends, as a reason goes on.
func (g Grants) End(rule string) string {
	for _, t := range g.Timed {
		if t.Rule == rule {
			return t.End()
		}
	}
	return g.Ending()
}

// End says when it ends, as a reason goes on.
func (t *Timed) End() string {
	if t.Once {
		return ", once, until " + t.Until
	}
	return ", until " + t.Until
}

// Ends reports whether a rule ends before the session does.
func (g Grants) Ends(r *rules.Rule) bool {
	timed := func(t Timed) bool { return t.Rule == r.Text }
	return r != nil && r.Scope == rules.Session && slices.ContainsFunc(g.Timed, timed)
}

// Without is what is granted without some timed rules.
func (g Grants) Without(some func(t Timed) bool) Grants {
	gone := func(r rules.Rule) bool {
		return slices.ContainsFunc(g.Timed, func(t Timed) bool { return t.Rule == r.Text && some(t) })
	}
	g.Rules = slices.DeleteFunc(slices.Clone(g.Rules), gone)
	g.Timed = slices.DeleteFunc(slices.Clone(g.Timed), some)
	return g
}
