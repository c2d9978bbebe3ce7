package load

import (
	"github.com/permgate--owner/permgate/rules"
)

// Trust is what the user recorded of one file.
type Trust struct {
	OK     bool    // all that it holds now
	Grants []Grant // these; Pos says nothing
	Copies []Copy  // what these texts of the file granted
	// Before is what the file holds before permgate writes into it: what it does
	// not grant yet is the user's own word.
	Before *Copy
	Since  string // when something was recorded last, for people; "" if nothing ever was
	Fault  string // why the records cannot be used
}

// A Copy is a text of a file, and the project it was recorded for.
type Copy struct {
	Project string // its real path
	Content []byte
}

// withhold marks the grants that were not recorded; nil when all were.
func (l *loader) withhold(at place, grants []Grant, t Trust) []bool {
	if t.OK || len(grants) == 0 {
		return nil
	}
	var known recorded
	if t.Fault == "" {
		known = recordedBy(l.knownOf(at, t))
	}
	var before recorded
	if t.Before != nil {
		before = recordedBy(l.copyOf(at, *t.Before))
	}
	var held []bool
	for i := range grants {
		if known.has(&grants[i]) || t.Before != nil && !before.has(&grants[i]) {
			continue
		}
		if held == nil {
			held = make([]bool, len(grants))
		}
		held[i] = true
	}
	return held
}

// knownOf is all that was recorded of a file.
func (l *loader) knownOf(at place, t Trust) []Grant {
	out := t.Grants
	for _, c := range t.Copies {
		out = append(out[:len(out):len(out)], l.copyOf(at, c)...)
	}
	return out
}

// copyOf is what a text of a file granted.
func (l *loader) copyOf(at place, c Copy) []Grant {
	project := rules.Path{Given: c.Project, Real: c.Project}
	sub := loader{w: l.w, f: l.f, p: &rules.Policy{OS: l.p.OS, Cwd: project, Project: project, Home: l.p.Home},
		everyHost: true}
	if at.scope == rules.Agent {
		return sub.agentGrants(at, c.Content)
	}
	s := &source{place: at, data: c.Content}
	sub.parse(s)
	return sub.grantsOf(s)
}

// recorded are grants, to look them up.
type recorded map[Grant]bool

func recordedBy(grants []Grant) recorded {
	r := make(recorded, len(grants))
	for _, g := range grants {
		r[g.Key()] = true
	}
	return r
}

// has reports whether a grant was recorded, or a wider one of its kind: for
// every host, or of a laxer mode.
func (r recorded) has(g *Grant) bool {
	key := g.Key()
	if r[key] {
		return true
	}
	if key.Host != "" {
		key.Host = ""
		return r[key]
	}
	if g.Kind != "mode" && g.Kind != "agent mode" {
		return false
	}
	for i := range rules.Modes {
		if key.Text = rules.Modes[i].Name; r[key] && stricter(g.Text, key.Text) {
			return true
		}
	}
	return false
}

// Key is a grant wherever it is written, to be compared.
func (g Grant) Key() Grant {
	g.Pos = rules.Pos{}
	return g
}
