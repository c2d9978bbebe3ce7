package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/hosts"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// An allowing is one run of the command, once the call is known.
type allowing struct {
	*subcmd.Env
	o     *allowOptions
	c     *decide.Input
	v     decide.Verdict
	flags *gate.Flags
	file  string
	into  propose.Into
	// session is whose grants the rules become; nil when they go into file.
	session *session
	urls    bool // they are entries of urls.allow, see origins
}

func newAllowing(e *subcmd.Env, o *allowOptions, c *decide.Input, v decide.Verdict, f *gate.Flags) (*allowing, error) {
	var host *hookio.Host
	if c.Call.Named {
		host = c.Call.Host
	}
	file, err := e.SettingsFile(c.Policy, host, o.scope)
	into := propose.Into{List: o.list(), Scope: scopeNamed(o.scope), Claude: subcmd.ForClaude(host, c.Policy, o.scope)}
	return &allowing{Env: e, o: o, c: c, v: v, flags: f, file: file, into: into}, err
}

func (a *allowing) run(proposals []propose.Proposal) int {
	choices := a.number(proposals)
	logged := a.logged()
	for i := range choices {
		var err error
		if choices[i].others, err = a.covers([]string{choices[i].rule}, logged); err != nil {
			return a.FailFile(err)
		}
	}
	together, err := a.jointly(choices, logged)
	if err != nil {
		return a.FailFile(err)
	}
	if a.o.JSON {
		return a.PrintObject(a.object(choices))
	}
	a.show(choices, together)
	picked, code := a.choose(choices)
	if picked == nil {
		return code
	}
	if why, err := a.holds(picked); err != nil {
		return a.FailFile(err)
	} else if why != "" {
		return a.Fail("", "%s would do nothing in %s: %s", strings.Join(picked, ", "), a.Path(a.file), why)
	}
	if a.session != nil {
		return a.grant(picked)
	}
	a.o.First = firstOn(a.Env, &a.o.Flags)
	done, code := a.Write(&a.o.WriteOptions, func() ([]*subcmd.Change, error) { return a.plan(picked) })
	if !done {
		return code
	}
	fmt.Fprintf(a.Out, "added to %s in %s: %s\n", a.listName(), a.Path(a.file), strings.Join(picked, ", "))
	hosts.SayExport(a.Env)
	a.verdictNow()
	return subcmd.ExitOK
}

func (a *allowing) plan(texts []string) ([]*subcmd.Change, error) {
	if a.urls {
		return a.planURLs(texts)
	}
	ch, err := a.AddRules(a.c.Policy, a.o.scope, a.file, a.into.List, texts...)
	return []*subcmd.Change{ch}, err
}

func scopeNamed(name string) rules.Scope {
	for _, s := range [...]rules.Scope{rules.Local, rules.Shared, rules.User} {
		if s.String() == name {
			return s
		}
	}
	return rules.ScopeNone
}

func (a *allowing) verdictNow() {
	c := gate.Case(a.c.Call, a.flags, a.World)
	if a.sourceWhy(c.Policy) != "" { // another permgate may be about to record what it wrote, see uncounted
		if release, err := a.GrantDiff(c.Policy.Project.Given).Lock(); err == nil {
			defer release()
			c = gate.Case(a.c.Call, a.flags, a.World)
		}
	}
	printVerdict(a.Env, decide.Decide(c))
}

// Propose is what an approver may have saved: rules for the session, and what permgate allow --yes would write.
func Propose(c *decide.Input, v decide.Verdict, f *gate.Flags, w gate.World) (session, always operator.Saving) {
	list, refusal := propose.For(v, propose.Into{List: rules.Allow, Scope: rules.Session})
	if refusal != nil {
		session.Why = refusal.Why
	}
	for i := range list {
		session.Rules = append(session.Rules, list[i].Rule)
	}
	return session, proposeAlways(c, v, f, w, rules.Local)
}

// AllowLast is the command that lets the last call through from now on, tried as that command tries it; "" where it
// would propose nothing, or where the call is so large that trying takes long.
func AllowLast(c *decide.Input, v decide.Verdict, f *gate.Flags, w gate.World) string {
	const most, longest = 32, 4 << 10 // parts, and bytes of the command
	if len(c.Call.Command) > longest || v.Facts().Count() > most {
		return ""
	}
	for _, scope := range [...]rules.Scope{rules.Local, rules.User} {
		switch saved := proposeAlways(c, v, f, w, scope); {
		case len(saved.Rules) == 0 || saved.Holds() != nil:
		case scope == rules.Local:
			return "permgate allow --last"
		default:
			return "permgate allow --last --scope " + scope.String()
		}
	}
	return ""
}

func proposeAlways(c *decide.Input, v decide.Verdict, f *gate.Flags, w gate.World, scope rules.Scope) operator.Saving {
	var said bytes.Buffer
	e := &subcmd.Env{In: strings.NewReader(""), Out: io.Discard, Err: &said, World: w, Cmd: "permgate"}
	o := &allowOptions{scope: scope.String(), WriteOptions: subcmd.WriteOptions{Yes: true}}
	a, err := newAllowing(e, o, c, v, f)
	if err != nil {
		return operator.Saving{Why: err.Error()}
	}
	proposals, refusal, code := a.proposals()
	switch {
	case code != subcmd.ExitOK:
		return operator.Saving{Why: a.said(&said)}
	case refusal != nil:
		return operator.Saving{Why: refusal.Why}
	}
	var s operator.Saving
	for i := range proposals {
		s.Rules = append(s.Rules, proposals[i].Rule)
	}
	s.Holds = func() error {
		why, err := a.holds(s.Rules)
		if err == nil && why != "" {
			err = fmt.Errorf("%s would do nothing in %s: %s", strings.Join(s.Rules, ", "), a.Path(a.file), why)
		}
		return err
	}
	s.Save = func() error {
		if err := s.Holds(); err != nil {
			return err
		}
		if done, _ := a.Write(&o.WriteOptions, func() ([]*subcmd.Change, error) { return a.plan(s.Rules) }); !done || said.Len() > 0 {
			return errors.New(a.said(&said))
		}
		return nil
	}
	return s
}

// said is the error a command would print, without what to do about it.
func (a *allowing) said(out *bytes.Buffer) string {
	text, _, _ := strings.Cut(out.String(), "\n  hint:")
	return strings.TrimPrefix(strings.TrimSpace(text), a.Cmd+": ")
}

// grantee is the session that --for-session grants to; the call becomes one of it.
func (o *allowOptions) grantee(e *subcmd.Env, call *hookio.Call) (*session, int) {
	so := &sessionOptions{Flags: o.Flags, session: cmp.Or(o.last.Session, call.SessionID)}
	s, code := so.find(e)
	if s == nil {
		return nil, code
	}
	if why := s.void(e); why != "" {
		return nil, e.Fail("permgate session show explains why", "no grant would count: %s", why)
	}
	call.SessionID, call.Project = s.id, s.project
	return s, subcmd.ExitOK
}

func (a *allowing) grant(picked []string) int {
	if a.o.DryRun || !a.o.Yes {
		for _, rule := range picked {
			fmt.Fprintf(a.Out, "+ allow %s%s\n", hookio.Escape(rule), a.o.end())
		}
	}
	if a.o.DryRun {
		return subcmd.ExitOK
	}
	if code := a.o.Confirmed(a.Env, "grant this?"); code != subcmd.ExitOK {
		return code
	}
	var until time.Time
	_, err := a.session.store.Update(a.session.id, a.session.project, func(now *state.Session) (err error) {
		until, err = a.o.into(now, picked, a.World.Now)
		return err
	})
	if err != nil {
		return a.FailFile(err)
	}
	how := "granted"
	if a.o.once {
		how = "granted for one call,"
	}
	a.Wrapped("", how+" until "+state.Minute(until)+", or until the session ends")
	a.verdictNow()
	return subcmd.ExitOK
}

// end says how much less than the session's own a grant is.
func (o *allowOptions) end() (s string) {
	if o.once {
		s = ", once"
	}
	if o.length != "" {
		s += ", for " + o.length
	}
	return s
}

// into adds rules to what a session is granted, and returns when they end.
func (o *allowOptions) into(s *state.Session, picked []string, now time.Time) (until time.Time, err error) {
	until = s.Since.Add(state.MaxAge)
	if end := now.Add(o.timed); o.timed > 0 && end.Before(until) {
		until = end
	}
	for _, rule := range picked {
		switch {
		case err != nil:
		case o.once || o.timed > 0:
			err = s.Grant(state.Timed{Rule: rule, Since: now, Until: until, Once: o.once})
		case !slices.Contains(s.Allow, rule):
			s.Allow = append(s.Allow, rule)
		}
	}
	return until, err
}

// proposals are entries of urls.allow or rules; code is that of what it has said instead.
func (a *allowing) proposals() (out []propose.Proposal, refusal *propose.Refusal, code int) {
	if out, code = a.origins(); out == nil && code == subcmd.ExitOK {
		out, refusal = propose.For(a.v, a.into)
	}
	return out, refusal, code
}

// origins proposes entries of urls.allow where that list asks about what the call fetches. They go into the
// user's permgate.json: only user and managed files may have the list.
func (a *allowing) origins() (out []propose.Proposal, code int) {
	open := a.v.Unlisted()
	if len(open) == 0 || a.into.List != rules.Allow || a.session != nil {
		return nil, subcmd.ExitOK
	}
	g := &a.c.Policy.Posture
	from := g.URLsSet
	for i := range g.URLAllow {
		if r := &g.URLAllow[i]; from.Scope != rules.User && r.Scope == rules.User {
			from = rules.Setting{Scope: r.Scope, Pos: r.Pos}
		}
	}
	switch {
	case from.Scope != rules.User:
		return nil, a.Fail("only an administrator changes managed settings, by hand",
			"urls.allow is set in %s and does not name the address", a.Path(from.Pos.File))
	case a.o.scope == rules.Shared.String():
		return nil, a.Fail("leave --scope out, or use --scope user",
			"urls.allow of %s does not name the address, and files of a project cannot add to it", a.Path(from.Pos.File))
	}
	for i := range open {
		entry, ok := open[i].Origin()
		if !ok {
			return nil, a.Fail("", "%s: its host is uncertain", hookio.Escape(open[i].Text))
		}
		out = append(out, propose.Proposal{Part: open[i].Text, Rule: entry, Note: "every address of that origin"})
	}
	a.file, a.urls = from.Pos.File, true
	return out, subcmd.ExitOK
}

func (a *allowing) planURLs(entries []string) ([]*subcmd.Change, error) {
	ch, doc, err := subcmd.ReadForChange(a.Env, a.file)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if _, err := doc.AddText(entry, "urls", "allow"); err != nil {
			return nil, err
		}
	}
	ch.Text = doc.Bytes()
	return []*subcmd.Change{ch}, nil
}

func (a *allowing) listName() string {
	if a.urls {
		return "urls.allow"
	}
	return a.into.List.String()
}

type decider func(*hookio.Call, *gate.Flags) decide.Verdict

// once decides with rules that are written, in the very file and form they will have.
func (a *allowing) once(texts []string) (decider, error) {
	if a.session != nil {
		return a.granted(texts), nil
	}
	changes, err := a.plan(texts)
	if err != nil {
		return nil, err
	}
	w := a.WorldWith(changes[0])
	return func(call *hookio.Call, f *gate.Flags) decide.Verdict { return decide.Decide(gate.Case(call, f, w)) }, nil
}

// granted is once for the rules of a session.
func (a *allowing) granted(texts []string) decider {
	var list []rules.Rule
	for _, text := range texts {
		if r, err := rules.ParseRule(text, rules.Allow, rules.Session, rules.Pos{File: a.file}, false); err == nil {
			list = append(list, r)
		}
	}
	return func(call *hookio.Call, f *gate.Flags) decide.Verdict {
		c := gate.Case(call, f, a.World)
		if call.SessionID == a.session.id {
			c.Grants.Rules = append(slices.Clone(c.Grants.Rules), list...)
		}
		return decide.Decide(c)
	}
}

// holds says why the picked rules would not do what they are for, "" where they do.
func (a *allowing) holds(picked []string) (string, error) {
	decided, err := a.once(picked)
	if err != nil {
		return "", err
	}
	v := decided(a.c.Call, a.flags)
	for _, d := range v.Input().Policy.Dropped {
		if d.Pos.File == a.World.OS.Canon(a.file) && slices.Contains(picked, d.Text) {
			return a.uncounted(), nil
		}
	}
	done := v.Decision() >= hookio.Ask
	switch a.into.List {
	case rules.Allow:
		done = v.Decision() == hookio.Allow
	case rules.Deny:
		done = v.Decision() == hookio.Deny
	}
	if !done {
		return a.Short(hookio.Escape(v.Reason())), nil
	}
	return "", nil
}

// uncounted says why the grants of the file do not count. Another permgate may have written it and be about
// to record that, so it is looked at again once that one is done.
func (a *allowing) uncounted() string {
	why := a.sourceWhy(a.c.Policy)
	if why == "" {
		return ""
	}
	release, err := a.GrantDiff(a.c.Policy.Project.Given).Lock()
	if err != nil {
		return why
	}
	defer release()
	return a.sourceWhy(gate.Policy(a.c.Call, a.flags, a.World))
}

func (a *allowing) sourceWhy(p *rules.Policy) string {
	for i := range p.Sources {
		if s := &p.Sources[i]; s.Path == a.World.OS.Canon(a.file) {
			return s.Why
		}
	}
	return ""
}

type replayed struct {
	call  *hookio.Call
	flags *gate.Flags
	title string
	was   hookio.Decision
}

const maxReplayed = 2000

// logged decides the calls of the log again, each once, the newest first.
func (a *allowing) logged() []replayed {
	index, _, err := a.Index(&a.o.CallOptions)
	if err != nil {
		return nil
	}
	var out []replayed
	seen := map[[10]string]bool{}
	for i := len(index.Calls) - 1; i >= 0 && len(seen) < maxReplayed; i-- {
		r := &index.Calls[i].Record
		session := ""
		if a.session != nil {
			session = r.Session
		}
		k := [...]string{r.Host, r.Tool, r.Input, r.Cwd, r.Project, r.AgentID, r.AgentType, r.RawMode, r.Command,
			session}
		if seen[k] {
			continue
		}
		seen[k] = true
		call, f, _ := gate.Again(r)
		if call == nil || call.Tool == a.c.Call.Tool && gate.Title(call) == gate.Title(a.c.Call) {
			continue
		}
		v := decide.Decide(gate.Case(call, f, a.World))
		if v.Decision() != hookio.Allow || a.into.List != rules.Allow {
			out = append(out, replayed{call, f, gate.Title(call), v.Decision()})
		}
	}
	return out
}

// covers finds the logged calls that rules would decide otherwise, by their titles.
func (a *allowing) covers(texts []string, logged []replayed) (others []string, err error) {
	decided, err := a.once(texts)
	if err != nil {
		return nil, err
	}
	for i := range logged {
		l := &logged[i]
		if decided(l.call, l.flags).Decision() != l.was && !slices.Contains(others, l.title) {
			others = append(others, l.title)
		}
	}
	return others, nil
}

// jointly finds the logged calls that the exact rules allow together and none alone.
func (a *allowing) jointly(choices []choice, logged []replayed) ([]string, error) {
	exact := defaults(choices, false)
	if len(exact) < 2 || a.into.List != rules.Allow {
		return nil, nil
	}
	all, err := a.covers(exact, logged)
	return slices.DeleteFunc(all, func(title string) bool {
		return slices.ContainsFunc(choices, func(ch choice) bool { return !ch.stem && slices.Contains(ch.others, title) })
	}), err
}
