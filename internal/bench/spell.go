package bench

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// spell writes a call as a host sends it, and reads that back; nil where no example of its payloads can say it.
func (g *Gate) spell(c *Call, cwd, session string) ([]byte, *hookio.Call) {
	h, event := g.Host, cmp.Or(g.Event, hookio.PreToolUse)
	if c.Mode != "" && !slices.ContainsFunc(h.Modes, func(p hookio.Pair) bool { return p.To == c.Mode }) {
		return nil, nil
	}
	plain := hookio.AppendJSON([]byte(`{"tool_name":`), c.Tool)
	plain = append(append(append(plain, `,"tool_input":`...), c.Input...), '}')
	want, err := hookio.Read(bytes.NewReader(plain), hookio.Options{})
	if err != nil {
		return nil, nil
	}
	for _, x := range h.Examples() {
		model, err := hookio.Read(bytes.NewReader([]byte(x.In)), hookio.Options{Host: h.Name, Event: string(x.Event)})
		if err != nil || x.Event != event {
			continue
		}
		s := speller{host: h, model: model, call: c, want: want, cwd: cwd, session: session}
		payload := append(s.object(x.In, ""), '\n')
		got, err := hookio.Read(bytes.NewReader(payload), hookio.Options{Host: h.Name, Event: string(x.Event)})
		if err == nil && alike(got, want) {
			return payload, got
		}
	}
	return nil, nil
}

func alike(a, b *hookio.Call) bool {
	first := func(c *hookio.Call) string {
		if len(c.Args) == 0 {
			return ""
		}
		return c.Args[0].Path
	}
	if (a.Malformed == "") != (b.Malformed == "") {
		return false
	}
	return a.Tool == b.Tool && a.Command == b.Command && a.URL == b.URL && first(a) == first(b)
}

// A speller puts a call into the example of a host's payload.
type speller struct {
	host         *hookio.Host
	model, want  *hookio.Call // what the example says, and what is wanted
	call         *Call
	cwd, session string
}

// object replaces in the example, or an object in it whose fields count, what is about the call and the session; within
// is the path to it. What names a subagent is left out.
func (s *speller) object(text, within string) []byte {
	b := []byte{'{'}
	for key, value := range hookio.Members(text) {
		name, nested := key, false
		for _, p := range s.host.Fields {
			if p.From == within+key {
				name = p.To
			}
			nested = nested || strings.HasPrefix(p.From, within+key+".")
		}
		filled := s.member(name, value)
		if nested {
			filled = s.object(value, within+key+".")
		}
		if filled == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(hookio.AppendJSON(b, key), ':'), filled...)
	}
	return append(b, '}')
}

// member is the value of a member of the payload, nil to leave it out.
func (s *speller) member(name, value string) []byte {
	switch name {
	case "cwd", "project", "workspaceRoot":
		return hookio.AppendJSON(nil, s.cwd)
	case "workspace_roots", "workspacePaths":
		return append(hookio.AppendJSON([]byte("["), s.cwd), ']')
	case "session_id", "conversation_id":
		return hookio.AppendJSON(nil, s.session)
	case "permission_mode":
		return s.mode(cmp.Or(s.call.Mode, "default"))
	case "agent_id", "agent_type", "agent_name", "attachments":
		return nil
	case "tool_name", "matcher_context":
		return hookio.AppendJSON(nil, s.tool())
	case "tool_input":
		if gjson.Parse(value).Type == gjson.String {
			return hookio.AppendJSON(nil, string(s.input()))
		}
		return s.input()
	case s.model.Primary: // where the event is the tool, its input is at the top level
		return hookio.AppendJSON(nil, s.call.Text)
	}
	return []byte(value)
}

// mode is the host's word for a mode, nil for none.
func (s *speller) mode(to string) []byte {
	for _, p := range s.host.Modes {
		if p.To == to {
			return hookio.AppendJSON(nil, p.From)
		}
	}
	return nil
}

func (s *speller) tool() string {
	if s.model.Tool == s.want.Tool {
		return s.model.RawTool
	}
	i := slices.IndexFunc(s.host.Tools, func(p hookio.Pair) bool { return p.To == s.want.Tool })
	if i < 0 || s.model.RawTool == s.model.Tool {
		return s.want.RawTool
	}
	return s.host.Tools[i].From
}

// input is the input of the call, its primary field named as the host does.
func (s *speller) input() []byte {
	primary := gate.Primary(s.call.Tool)
	shape := (&hookio.Call{Host: s.host, Tool: s.want.Tool, RawTool: s.tool()}).Shape()
	b := []byte{'{'}
	for key, value := range hookio.Members(s.call.Input) {
		if key == primary && shape.First > 0 && !known(shape, key) {
			key = shape.Keys[0]
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(hookio.AppendJSON(b, key), ':'), value...)
	}
	return append(b, '}')
}

func known(s *hookio.Shape, key string) bool {
	return slices.Contains(s.Keys, key) || slices.Contains(s.Also, key)
}
