package operator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
)

// A Saving is rules that can be saved, or why they cannot.
type Saving struct {
	Rules []string
	Why   string       // not empty: nothing can be saved
	Holds func() error // why the rules would not do what they are for, tried before anything is written
	Save  func() error
}

// Answers are the answers there are, with what each is for.
var Answers = [...]struct{ Answer, Doc string }{
	{say.AnswerDeny, "the call stays denied; the agent is told the reason"},
	{say.AnswerOnce, "this call may run"},
	{say.AnswerSession, "it may run, and so may the same call until the session ends"},
	{say.AnswerSessionTool, "it may run, and so may other calls of the tool until the session ends, as with `permgate session`: no deny, no step 2, no write outside the workspace"},
	{say.AnswerAlways, "it may run, and what the request says under `always` is written as `permgate allow` writes it: rules into settings.local.json, an origin into the permgate.json that has `urls.allow`"},
	{say.AnswerAlwaysURL, "the same, for a call of kind url"},
}

// Approve asks the approver about a call for which no person can be asked; see decide.Input.Approve.
func (a *Asker) Approve(c *decide.Input, v decide.Verdict) say.Approval {
	r := a.request(c, v)
	p, err := program(c, &c.Policy.Posture.Approver, ApproverTimeout)
	if err != nil {
		return a.conclude(r, nil, err)
	}
	line, took, err := a.ask(&p, r.json(c, v))
	o := a.conclude(r, line, err)
	o.Took = took
	return o
}

// conclude makes an approval of the line that came back, or of err.
func (a *Asker) conclude(r *approval, line []byte, err error) say.Approval {
	var answer, reason string
	if err == nil {
		answer, reason, err = parseAnswer(line)
	}
	if err == nil {
		err = r.refuses(answer)
	}
	if err != nil {
		return say.Approval{Decision: hookio.Deny, Unexpected: true,
			Reason: "the approver gave no answer that counts: " + Plain(err.Error())}
	}
	o := say.Approval{Decision: hookio.Allow, Answer: answer}
	if answer == say.AnswerDeny {
		o.Decision, o.Reason = hookio.Deny, "the approver denied it"
	} else {
		o.Reason, o.Failed = a.grant(r, answer)
	}
	if reason != "" {
		o.Reason += ": " + reason
	}
	return o
}

// grant saves what an answer says, and why the call was allowed. If it fails, the yes holds once.
func (a *Asker) grant(r *approval, answer string) (said, failed string) {
	s := r.savings(answer)
	switch {
	case s == nil:
		return "the approver allowed this call once", ""
	case s.Why != "":
		return "the approver answered " + answer + ", which allows this call once here: " + s.Why, ""
	}
	if err := s.Save(); err != nil {
		failed = Plain(err.Error())
		fmt.Fprintln(a.Err, "permgate: the approver answered", answer+", but nothing was saved:", failed)
		return "the approver allowed this call once; " + answer + " could not be saved", failed
	}
	until := "for good"
	if answer == say.AnswerSession || answer == say.AnswerSessionTool {
		until = "for this session"
	}
	return "the approver allowed " + strings.Join(s.Rules, ", ") + " " + until, ""
}

// refuses says why an answer does not fit this request.
func (r *approval) refuses(answer string) error {
	switch {
	case answer == say.AnswerDeny:
		return nil
	case r.cut:
		return fmt.Errorf("the call is too long to be shown whole, so it can only be denied, and the answer is %s", answer)
	case answer == say.AnswerAlwaysURL && r.kind != "url":
		return fmt.Errorf("%s is for calls of kind url, and this is one of kind %s", answer, r.kind)
	}
	return nil
}

// An approval is what the approver is asked, and what each of its answers would save.
type approval struct {
	kind    string
	input   []byte // redacted
	cut     bool   // some of input is left out
	session Saving
	tool    Saving
	always  Saving
}

func (a *Asker) request(c *decide.Input, v decide.Verdict) *approval {
	r := &approval{kind: Kind(c.Call)}
	r.input, r.cut = log.Whole(c.Call)
	if r.cut {
		return r
	}
	if v.OnlyOnce() {
		never := Saving{Why: "step " + v.Origin() + " asks about every single call"}
		if v.Faulted() {
			never.Why = "nothing is granted while a settings file cannot be used"
		}
		r.session, r.tool, r.always = never, never, never
		return r
	}
	w := a.World()
	r.session, r.always = a.Propose(c, v, a.Flags, w)
	a.grants(r, c, w)
	return r
}

// savings is what an answer saves, nil for one that saves nothing.
func (r *approval) savings(answer string) *Saving {
	switch answer {
	case say.AnswerSession:
		return &r.session
	case say.AnswerSessionTool:
		return &r.tool
	case say.AnswerAlways, say.AnswerAlwaysURL:
		return &r.always
	}
	return nil
}

// answers are those that would do what they say.
func (r *approval) answers() (list []string) {
	for i := range Answers {
		answer := Answers[i].Answer
		if s := r.savings(answer); r.refuses(answer) == nil && (s == nil || s.Why == "") {
			list = append(list, answer)
		}
	}
	return list
}

// json is the line that the approver reads.
func (r *approval) json(c *decide.Input, v decide.Verdict) []byte {
	call, m := c.Call, members{strconv.AppendInt([]byte(`"version":`), requestVersion, 10)}
	m.text("id", strconv.FormatUint(rand.Uint64(), 36))
	m.text("kind", r.kind)
	m.text("tool", call.OwnTool())
	m.raw("input", r.input)
	if r.cut {
		m.raw("cut", []byte("true"))
	}
	m.texts("answers", r.answers())
	m.texts("always", r.always.Rules)
	m.text("reason", v.Reason())
	m.text("step", v.Origin())
	if v.Why().Check != nil {
		m.text("check", v.Why().Check.ID)
	}
	if v.Why().Rule != nil {
		m.text("rule", v.Why().Rule.Text)
		m.text("rule_place", v.Why().Rule.Pos.String())
	}
	m.text("cwd", c.Policy.OS.Native(c.Policy.Cwd.Given))
	m.text("project", c.Policy.OS.Native(c.Policy.Project.Given))
	m.text("host", call.Host.Name)
	m.text("session", call.SessionID)
	m.text("agent", call.AgentType)
	m.text("agent_id", call.AgentID)
	m.text("mode", c.Policy.Mode.Value)
	return append(append([]byte("{"), m.b...), "}\n"...)
}

// parseAnswer reads what the approver says.
func parseAnswer(line []byte) (answer, reason string, err error) {
	said, err := Members(line, "answer", "reason")
	if err != nil {
		return "", "", err
	}
	for i := range Answers {
		if Answers[i].Answer == said[0] {
			reason, err = Reason(said[1])
			return said[0], reason, err
		}
	}
	return "", "", fmt.Errorf("%q is none of the answers there are", Plain(said[0]))
}

// grants completes what would be granted to the session: this very call, and its tool.
func (a *Asker) grants(r *approval, c *decide.Input, w gate.World) {
	if why := a.noSession(c, w); why != "" {
		r.session, r.tool = Saving{Why: why}, Saving{Why: why}
		return
	}
	update := func(change func(*state.Session)) func() error {
		return func() error {
			_, err := gate.Sessions(a.Flags, w).Update(c.Call.SessionID, c.Policy.Project.Given, func(s *state.Session) error {
				change(s)
				return nil
			})
			return err
		}
	}
	if slices.Contains(r.session.Rules, c.Call.OwnTool()) {
		r.session = Saving{Why: "no rule can name this very call, only its tool"}
	}
	r.session.Save = update(func(s *state.Session) { add(s, r.session.Rules...) })

	granted := c.Grants
	switch name := c.Call.OwnTool(); {
	case name == "Bash":
		granted.AllBash = true
		r.tool = Saving{Rules: []string{"all Bash"}, Save: update(func(s *state.Session) { s.AllBash = true })}
	case rules.EditTool(name):
		granted.AllEdits = true
		r.tool = Saving{Rules: []string{"all edits"}, Save: update(func(s *state.Session) { s.AllEdits = true })}
	default:
		rule, err := rules.ParseRule(name, rules.Allow, rules.Session, rules.Pos{}, false)
		if err != nil || strings.ContainsAny(name, "*?") {
			r.tool.Why = "no rule can name the tool"
			return
		}
		granted.Rules = append(slices.Clip(granted.Rules), rule)
		r.tool = Saving{Rules: []string{name}, Save: update(func(s *state.Session) { add(s, name) })}
	}
	with := c.Under(c.Policy)
	with.Grants = granted
	if t := decide.Decide(with); t.Decision() != hookio.Allow {
		r.tool = Saving{Why: "even then it would not be allowed: " + t.Reason()}
	}
}

func add(s *state.Session, texts ...string) {
	for _, text := range texts {
		if !slices.Contains(s.Allow, text) {
			s.Allow = append(s.Allow, text)
		}
	}
}

// noSession says why nothing can be granted to the session.
func (a *Asker) noSession(c *decide.Input, w gate.World) string {
	switch p := c.Policy; {
	case p.Posture.NoSessionGrants.On():
		return "disableSessionGrants is set, " + p.Posture.NoSessionGrants.Pos.String()
	case p.ManagedOnly.On():
		return "allowManagedPermissionRulesOnly is set, " + p.ManagedOnly.Pos.String()
	case state.File("/", c.Call.SessionID) == "":
		return "the call names no session"
	}
	return gate.SessionStoreProblem(a.Flags, w, c.Policy)
}
