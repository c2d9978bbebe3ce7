package load

import (
	slash "path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A Claim is one file of the project that may grant something, and what.
type Claim struct {
	Path    string      // absolute, as it is read
	Scope   rules.Scope // Shared, Local, Agent
	Content []byte      // what Grants was read from
	Grants  []Grant
	Needed  bool         // under projectTrust "require" each grant counts only if the user recorded it
	Fault   *rules.Fault // why the file cannot be used, nil if it can

	place place
	l     *loader
}

// A Grant is one thing a file grants.
type Grant struct {
	Kind  string // "allow", "directory", "mode", "agent allow", "agent mode"
	Text  string
	Host  string // the host in whose section of permgate.json it is, "" for all hosts
	Place string // of a directory outside of the project: where it lies
	Pos   rules.Pos
}

// Withheld marks the grants that do not count by what was recorded; nil when all do.
func (c *Claim) Withheld(t Trust) []bool { return c.l.withhold(c.place, c.Grants, t) }

// Recorded is all that was recorded of the file.
func (c *Claim) Recorded(t Trust) []Grant { return c.l.knownOf(c.place, t) }

// Claims reads the project's settings files and agent definitions for what they
// would grant, whether or not anybody trusts them. The policy has anchors,
// restrictions and faults, but neither grants nor mode.
func Claims(w Where, f Files) (*rules.Policy, []Claim) {
	w.canon()
	w.Agent, w.Skill = "", ""
	l := loader{w: w, f: f, p: &rules.Policy{OS: w.OS}, everyHost: true}
	l.gather()
	var out []Claim
	for _, s := range l.sources {
		if s.why == "" && (s.scope == rules.Shared || s.scope == rules.Local) {
			out = append(out, l.claim(s))
		}
	}
	for _, p := range l.defPlaces() {
		if p.scope == rules.Shared {
			out = l.agentClaims(out, p)
		}
	}
	return l.p, out
}

func (l *loader) claim(s *source) Claim {
	c := Claim{Path: s.path, Scope: s.scope, Content: s.data, Grants: l.grantsOf(s), place: s.place, l: l}
	c.Needed = len(c.Grants) > 0 && (s.scope == rules.Shared || l.tracked(s.path) || l.unindexed(s.path))
	if s.closed {
		c.Fault = l.faultOf(s.path)
	}
	return c
}

// agentClaims adds the agent definitions in one settings folder.
func (l *loader) agentClaims(out []Claim, p defPlace) []Claim {
	dir := under(p.dir, "agents")
	names, err := l.f.ReadDir(dir)
	if err != nil {
		return out // there is none, or nothing can be read of it
	}
	for _, name := range names {
		file := under(dir, name)
		stem, ok := strings.CutSuffix(name, ".md")
		if !ok {
			file = slash.Join(file, "AGENT.md")
		}
		a := &rules.AgentDef{Name: stem}
		faults := len(l.p.Faults)
		if !rules.Component(stem) || !l.agentFile(a, p, file) {
			continue
		}
		c := Claim{Path: file, Scope: rules.Agent, Content: a.Content, Grants: l.grantsOfAgent(a, a.Mode, file), l: l}
		c.place = place{path: file, scope: rules.Agent, root: p.root}
		c.Needed = len(c.Grants) > 0
		if !a.Known && len(l.p.Faults) > faults {
			c.Fault = l.faultOf(file)
		}
		out = append(out, c)
	}
	return out
}

// faultOf is the last fault of a file that keeps it from being used.
func (l *loader) faultOf(path string) *rules.Fault {
	for i := len(l.p.Faults) - 1; i >= 0; i-- {
		if f := &l.p.Faults[i]; f.Pos.File == path && (f.Closed || f.Scope == rules.Agent) {
			return f
		}
	}
	return &rules.Fault{Pos: rules.Pos{File: path}, Msg: "cannot be used"}
}
