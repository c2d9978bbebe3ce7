package operator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// members are those written of a JSON object: redacted, with what a reader would not see escaped.
type members struct{ b []byte }

func (m *members) key(name string) {
	if len(m.b) > 0 {
		m.b = append(m.b, ',')
	}
	m.b = append(hookio.AppendJSON(m.b, name), ':')
}

// text writes a text that is not empty.
func (m *members) text(name, value string) {
	if value != "" {
		value, _ = redact.Text(value)
		m.raw(name, log.Visible(value))
	}
}

func (m *members) raw(name string, value []byte) {
	m.key(name)
	m.b = append(m.b, value...)
}

func (m *members) texts(name string, values []string) {
	m.key(name)
	m.b = append(m.b, '[')
	for i, value := range values {
		m.b = append(comma(m.b, i), log.Visible(value)...)
	}
	m.b = append(m.b, ']')
}

// comma goes in front of element i of a list.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// Bounds of an answer, in bytes.
const (
	maxAnswer = 8 << 10
	maxReason = 1 << 10
)

// Members reads a line that is one JSON object of texts with these keys, and returns
// their values in this order, or "". It has to mean exactly one thing.
func Members(line []byte, keys ...string) ([]string, error) {
	switch {
	case len(line) > maxAnswer:
		return nil, fmt.Errorf("its answer is over %d bytes", maxAnswer)
	case !utf8.Valid(line) || !gjson.ValidBytes(line) || !gjson.ParseBytes(line).IsObject():
		return nil, errors.New("its answer is no JSON object")
	}
	out, seen := make([]string, len(keys)), make([]bool, len(keys))
	for key, value := range hookio.Members(gjson.ParseBytes(line).Raw) {
		i, v := slices.Index(keys, key), gjson.Parse(value)
		switch {
		case i < 0:
			return nil, fmt.Errorf("its answer has the key %q, and only %s are known", Plain(key), strings.Join(keys, ", "))
		case seen[i]:
			return nil, fmt.Errorf("its answer says %s twice", key)
		case v.Type != gjson.String:
			return nil, fmt.Errorf("%s of its answer is no string", key)
		}
		out[i], seen[i] = v.Str, true
	}
	return out, nil
}

// Reason is a program's reason for others to read: one line, no secrets. A long one is an error.
func Reason(text string) (string, error) {
	if len(text) > maxReason {
		return "", fmt.Errorf("its reason is over %d bytes", maxReason)
	}
	return Plain(text), nil
}

// Plain is a text on one line, short and without secrets.
func Plain(s string) string {
	s, _ = redact.Text(strings.ToValidUTF8(s[:min(len(s), 2*maxReason)], ""))
	s = strings.TrimSpace(hookio.Escape(strings.TrimSpace(s)))
	if len(s) > maxReason {
		s = strings.ToValidUTF8(s[:maxReason], "") + " ..."
	}
	return s
}

// Kind says what a call is about, in one word.
func Kind(call *hookio.Call) string {
	writes := func(a hookio.Arg) bool { return a.Access == hookio.AccessWrite }
	switch {
	case call.OfServer():
		return "mcp"
	case call.Command != "":
		return "shell"
	case call.URL != "":
		return "url"
	case rules.EditTool(call.Tool), slices.ContainsFunc(call.Args, writes):
		return "write"
	case rules.SafeTool(call.Tool) && len(call.Args) > 0:
		return "read"
	case len(call.Args) > 0:
		return "path"
	}
	return "other"
}
