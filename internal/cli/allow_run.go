package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// An allowing is one run of the command, once the call is known.
type allowing struct {
	*env
	o     *allowOptions
	c     *decide.Case
	v     decide.Verdict
	flags *gate.Flags
	file  string
	host  *hookio.Host
	into  propose.Into
	// session is whose grants the rules become; nil when they go into file.
	session *session
	urls    bool // they are entries of urls.allow, see origins
}

// run shows what is proposed and writes what is picked.
func (a *allowing) run(proposals []propose.Proposal) int {
	choices := a.number(proposals)
	logged := a.logged()
	for i := range choices {
		var err error
		if choices[i].others, err = a.covers([]string{choices[i].rule}, logged); err != nil {
			return a.failFile(err)
		}
	}
	together, err := a.jointly(choices, logged)
	if err != nil {
		return a.failFile(err)
	}
	if a.o.json {
		a.machine().Write(append(a.object(choices).end(), '\n'))
		return exitOK
	}
	a.show(choices, together)
	picked, code := a.choose(choices)
	if picked == nil {
		return code
	}
	if why, err := a.holds(picked); err != nil {
		return a.failFile(err)
	} else if why != "" {
		return a.fail("", "%s would do nothing in %s: %s", strings.Join(picked, ", "), a.path(a.file), why)
	}
	if a.session != nil {
		return a.grant(picked)
	}
	a.o.first = a.firstOn(&a.o.Flags)
	done, code := a.write(&a.o.writeOptions, func() ([]*change, error) { return a.plan(picked) })
	if !done {
		return code
	}
	fmt.Fprintf(a.out, "added to %s in %s: %s\n", a.listName(), a.path(a.file), strings.Join(picked, ", "))
	a.verdictNow()
	return exitOK
}

// plan adds rules to the file as it is now.
func (a *allowing) plan(texts []string) ([]*change, error) {
	if a.urls {
		return a.planURLs(texts)
	}
	ch, err := a.addRules(a.c.Policy, a.o.scope, a.file, a.into.List, texts...)
	return []*change{ch}, err
}

// claude reports whether the file is one that Claude Code reads.
func (a *allowing) claude() bool {
	dir := a.c.Policy.Project.Given
	if a.o.scope == rules.User.String() {
		dir = a.c.Policy.Home.Given
	}
	return rootInUse(a.host, dir) == ".claude"
}

func scopeNamed(name string) rules.Scope {
	for _, s := range [...]rules.Scope{rules.Local, rules.Shared, rules.User} {
		if s.String() == name {
			return s
		}
	}
	return rules.ScopeNone
}

// verdictNow prints what becomes of the call as things are now.
func (a *allowing) verdictNow() {
	c := gate.Case(a.c.Call, a.flags, a.world)
	if a.sourceWhy(c.Policy) != "" { // another permgate may be about to record what it wrote, see uncounted
		if release, err := a.grantDiff(c.Policy.Project.Given).lock(); err == nil {
			defer release()
			c = gate.Case(a.c.Call, a.flags, a.world)
		}
	}
	printVerdict(a.env, c, decide.Decide(c))
}

// Propose is what an approver may have saved for a call of the hook: rules for its session, and what
// permgate allow --yes would write.
func Propose(c *decide.Case, v decide.Verdict, f *gate.Flags, w gate.World) (session, always operator.Saving) {
	list, refusal := propose.For(c, v, propose.Into{List: rules.Allow, Scope: rules.Session})
	if refusal != nil {
		session.Why = refusal.Why
	}
	for i := range list {
		session.Rules = append(session.Rules, list[i].Rule)
	}
	return session, proposeAlways(c, v, f, w)
}

func proposeAlways(c *decide.Case, v decide.Verdict, f *gate.Flags, w gate.World) operator.Saving {
	var said bytes.Buffer
	e := &env{in: strings.NewReader(""), out: io.Discard, err: &said, world: w, cmd: "permgate"}
	var host *hookio.Host
	if c.Call.Named {
		host = c.Call.Host
	}
	o := &allowOptions{scope: rules.Local.String(), writeOptions: writeOptions{yes: true}}
	file, err := e.settingsFile(c.Policy, host, o.scope)
	if err != nil {
		return operator.Saving{Why: err.Error()}
	}
	a := &allowing{env: e, o: o, c: c, v: v, flags: f, file: file, host: host}
	a.into = propose.Into{List: rules.Allow, Scope: rules.Local, Claude: a.claude()}
	proposals, code := a.origins()
	if code != exitOK {
		return operator.Saving{Why: a.said(&said)}
	}
	if proposals == nil {
		var refusal *propose.Refusal
		if proposals, refusal = propose.For(c, v, a.into); refusal != nil {
			return operator.Saving{Why: refusal.Why}
		}
	}
	var s operator.Saving
	for i := range proposals {
		s.Rules = append(s.Rules, proposals[i].Rule)
	}
	s.Save = func() error {
		if why, err := a.holds(s.Rules); err != nil {
			return err
		} else if why != "" {
			return fmt.Errorf("%s would do nothing in %s: %s", strings.Join(s.Rules, ", "), a.path(a.file), why)
		}
		if done, _ := a.write(&o.writeOptions, func() ([]*change, error) { return a.plan(s.Rules) }); !done || said.Len() > 0 {
			return errors.New(a.said(&said))
		}
		return nil
	}
	return s
}

// said is the error a command would print, without what to do about it.
func (a *allowing) said(out *bytes.Buffer) string {
	text, _, _ := strings.Cut(out.String(), "\n  hint:")
	return strings.TrimPrefix(strings.TrimSpace(text), a.cmd+": ")
}
