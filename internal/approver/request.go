package approver

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// Version is that of the request. It grows when a field changes its meaning; an
// approver skips what it does not know.
const Version = 1

// A request is what is to be asked, and what each answer would save.
type request struct {
	kind    string
	input   []byte // redacted
	cut     bool   // some of input is left out
	session Saving
	tool    Saving
	always  Saving
}

func (a *Approver) request(c *decide.Case, v decide.Verdict) *request {
	r := &request{kind: operator.Kind(c.Call)}
	r.input, r.cut = log.Whole(c.Call)
	if r.cut {
		return r
	}
	if v.OnlyOnce() {
		never := Saving{Why: "step " + v.Origin + " asks about every single call"}
		if v.Faulted {
			never.Why = "nothing is granted while a settings file cannot be used"
		}
		r.session, r.tool, r.always = never, never, never
		return r
	}
	w := a.World()
	r.session, r.tool = a.sessionSavings(c, v, w)
	r.always = a.Always(c, v, a.Flags, w)
	return r
}

// savings is what an answer saves, nil for one that saves nothing.
func (r *request) savings(answer string) *Saving {
	switch answer {
	case decide.AnswerSession:
		return &r.session
	case decide.AnswerSessionTool:
		return &r.tool
	case decide.AnswerAlways, decide.AnswerAlwaysURL:
		return &r.always
	}
	return nil
}

// answers are those that would do what they say.
func (r *request) answers() (list []string) {
	for i := range Answers {
		answer := Answers[i].Answer
		if s := r.savings(answer); r.refuses(answer) == nil && (s == nil || s.Why == "") {
			list = append(list, answer)
		}
	}
	return list
}

// json is the line that the approver reads.
func (r *request) json(c *decide.Case, v decide.Verdict) []byte {
	call := c.Call
	b := append([]byte(`{"version":`), strconv.Itoa(Version)...)
	text := func(key, value string) {
		if value != "" {
			value, _ = redact.Text(value)
			b = append(append(hookio.AppendJSON(append(b, ','), key), ':'), log.Visible(value)...)
		}
	}
	texts := func(key string, values []string) {
		b = append(hookio.AppendJSON(append(b, ','), key), ":["...)
		for i, value := range values {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, log.Visible(value)...)
		}
		b = append(b, ']')
	}
	text("id", strconv.FormatUint(rand.Uint64(), 36))
	text("kind", r.kind)
	text("tool", call.Tool)
	b = append(append(b, `,"input":`...), r.input...)
	if r.cut {
		b = append(b, `,"cut":true`...)
	}
	texts("answers", r.answers())
	texts("always", r.always.Rules)
	text("reason", v.Reason)
	text("step", v.Origin)
	if v.Check != nil {
		text("check", v.Check.ID)
	}
	if v.Rule != nil {
		text("rule", v.Rule.Text)
		text("rule_place", v.Rule.Pos.String())
	}
	text("cwd", c.Policy.Cwd.Given)
	text("project", c.Policy.Project.Given)
	text("host", call.Host.Name)
	text("session", call.SessionID)
	text("agent", call.AgentType)
	text("agent_id", call.AgentID)
	text("mode", c.Policy.Mode.Value)
	return append(b, "}\n"...)
}

// parse reads an answer.
func parse(line []byte) (answer, reason string, err error) {
	said, err := operator.Members(line, "answer", "reason")
	if err != nil {
		return "", "", err
	}
	for i := range Answers {
		if Answers[i].Answer == said[0] {
			reason, err = operator.Reason(said[1])
			return said[0], reason, err
		}
	}
	return "", "", fmt.Errorf("%q is none of the answers there are", operator.Plain(said[0]))
}
