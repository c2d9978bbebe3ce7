package sessions

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// Reasons why a call cannot be decided again.
const (
	skipAmbiguous = "the program sent ambiguous input"
	skipNoCall    = "it holds no tool call that a hook would be asked about"
	skipText      = "its input is a program text, not a command"
	skipArguments = "its arguments are not a JSON object"
)

// A recorded is what a session file says about one call, in the words of the
// program's hook.
type recorded struct {
	host, event        string // event: "" is PreToolUse
	tool, id           string
	input              string // JSON
	session, cwd, mode string
	agent, agentType   string
	time               string // RFC 3339
}

// call makes of it what the hook's payload of the same call is read as.
func (r *recorded) call(where string) *Call {
	c := &Call{Where: where, Host: r.host, ID: strings.Clone(r.id), Session: strings.Clone(r.session)}
	c.Time = r.at()
	call, err := hookio.Read(strings.NewReader(r.payload()), hookio.Options{Host: r.host})
	switch {
	case err != nil:
		c.Skip = skipNoCall
	case call.Malformed != "":
		c.Skip = skipAmbiguous
	default:
		c.Call = call
	}
	return c
}

// skipped is call, or what is skipped for a reason.
func (r *recorded) skipped(where, why string) *Call {
	if why == "" {
		return r.call(where)
	}
	c := &Call{Where: where, Host: r.host, ID: strings.Clone(r.id), Session: strings.Clone(r.session), Skip: why}
	c.Time = r.at()
	return c
}

// at is when it was made.
func (r *recorded) at() time.Time {
	t, _ := time.Parse(time.RFC3339, r.time)
	return known(t)
}

// known is a time that JSON can write; zero, which is not known, for any other.
func known(t time.Time) time.Time {
	if t = t.UTC(); t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

func (r *recorded) payload() string {
	b := make([]byte, 0, 512+len(r.input))
	b = append(b, '{')
	for _, m := range [...]struct{ key, value string }{
		{"hook_event_name", cmp.Or(r.event, "PreToolUse")}, {"session_id", r.session}, {"cwd", r.cwd}, {"permission_mode", r.mode}, {"agent_id", r.agent},
		{"agent_type", r.agentType}, {"tool_use_id", r.id}, {"tool_name", r.tool},
	} {
		if m.value != "" {
			b = append(hookio.AppendJSON(b, m.key), ':')
			b = append(hookio.AppendJSON(b, m.value), ',')
		}
	}
	b = append(append(b, `"tool_input":`...), r.input...)
	return string(append(b, '}'))
}

// uses hands the calls in the content of a message on, which are blocks as the
// interface of Claude's models has them.
func uses(content gjson.Result, take func(block gjson.Result) error) error {
	return blocks(content, "tool_use", take)
}

// results hands the results in the content of a message on, and the call each is of.
func (w *window) results(content gjson.Result, take func(c *Call, block gjson.Result)) error {
	return blocks(content, "tool_result", func(block gjson.Result) error {
		h := w.get(block.Get("tool_use_id").Str)
		if h == nil {
			return nil
		}
		take(h.call, block)
		return w.settle(h)
	})
}

func blocks(content gjson.Result, kind string, take func(gjson.Result) error) (err error) {
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == kind {
			err = take(block)
		}
		return err == nil
	})
	return err
}

// of is the call of a block.
func (r recorded) of(block gjson.Result) recorded {
	r.tool, r.id, r.input = block.Get("name").String(), block.Get("id").Str, block.Get("input").Raw
	return r
}

// plainResult notes a result that does not tell a call that failed from one that was
// refused.
func plainResult(c *Call, block gjson.Result) {
	if !block.Get("is_error").Bool() {
		c.ended(false)
	}
}

// Alike is equal for calls that are decided alike.
func (c *Call) Alike() string {
	call := c.Call
	input := call.Input.Raw
	if call.Command != "" { // without the description, which differs from time to time
		input = fmt.Sprintf("%q %q %q %q %q %q %v", call.Command, call.Malformed, call.URL, call.AlsoURL, call.Under,
			call.AlsoTool, call.Args)
	}
	return strings.Join([]string{
		c.Hook, c.Host, call.RawEvent, call.Cwd, call.Dir, call.Project, call.Mode, call.AgentID, call.AgentType,
		call.Tool, call.RawTool, input,
	}, "\x00")
}
