package prove

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules/automaton"
)

// A trial is one call that may refute the claim.
type trial struct {
	tool, text string
	input      json.RawMessage
	fields     []field // further fields of the input
}

type field struct{ name, value string }

// payload is what a hook would be sent.
func (t *trial) payload() []byte {
	b := hookio.AppendJSON([]byte(`{"hook_event_name":"PreToolUse","tool_name":`), t.tool)
	return append(append(append(b, `,"tool_input":`...), t.input...), '}')
}

// trialOf makes the call of a tool on a text.
func trialOf(tool, text string, fields ...field) *trial {
	t := &trial{tool: tool, text: text, fields: fields}
	var in bytes.Buffer
	in.WriteByte('{')
	switch tool {
	case anyMCP, anyOther:
		t.tool = text
	default:
		fields = withFields(inputOf(tool, text), fields)
	}
	for i, f := range fields {
		if i > 0 {
			in.WriteByte(',')
		}
		in.Write(hookio.AppendJSON(nil, f.name))
		in.WriteByte(':')
		if f.value == "true" || f.value == "false" {
			in.WriteString(f.value)
			continue
		}
		in.Write(hookio.AppendJSON(nil, f.value))
	}
	in.WriteByte('}')
	t.input = in.Bytes()
	return t
}

// withFields is an input with further fields. Those that it has already get the new
// values: a key that is there twice would make it malformed.
func withFields(in, further []field) []field {
	for _, f := range further {
		if at := slices.IndexFunc(in, func(had field) bool { return had.name == f.name }); at >= 0 {
			in[at] = f
		} else {
			in = append(in, f)
		}
	}
	return in
}

// inputOf is the input of a tool that is called on a text.
func inputOf(tool, text string) []field {
	own := field{gate.Primary(tool), text}
	if strings.HasPrefix(tool, "mcp__") {
		own.name = "name"
	}
	switch tool {
	case "Grep", "Glob":
		return []field{{"pattern", "x"}, {"path", text}}
	case "NotebookRead":
		return []field{{"notebook_path", text}}
	case "Edit":
		return []field{own, {"old_string", "x"}, {"new_string", "y"}}
	case "Write":
		return []field{own, {"content", "x"}}
	case "NotebookEdit":
		return []field{own, {"new_source", "x"}}
	case "WebFetch":
		return []field{own, {"prompt", "x"}}
	case "Agent":
		return []field{own, {"description", "x"}, {"prompt", "x"}}
	}
	return []field{own}
}

// call is the call as the hook would see it.
func (t *trial) call(f *gate.Flags, bind func(*hookio.Call)) (*hookio.Call, error) {
	call, err := gate.Canonical(t.payload(), f)
	if err == nil && bind != nil {
		bind(call)
	}
	return call, err
}

// written is a text with its marks as a shell text has them: a variable in quotes is
// some text of one word, one without any number of words. Others have no marks.
func written(symbols []automaton.Symbol) string {
	var b strings.Builder
	quoted := false
	for i, r := range symbols {
		switch {
		case r < 0:
			b.WriteString(variable(r, quoted))
		case r > utf8.MaxRune:
			b.WriteByte(byte(r))
		default:
			escaped := !quoted && i > 0 && symbols[i-1] == '\\'
			if b.WriteRune(r); r == '\'' && !escaped {
				quoted = !quoted
			}
		}
	}
	return b.String()
}

// variable is a mark in a shell text, within single quotes or without.
func variable(mark automaton.Symbol, quoted bool) string {
	text := ""
	switch mark {
	case automaton.Single:
		text = `"$x"`
	case automaton.Any:
		text = "$x"
	}
	if quoted && text != "" {
		return "'" + text + "'"
	}
	return text
}
