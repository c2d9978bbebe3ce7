package hookio

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// faults are ways a payload of any host can go wrong: none of them may be read as a call in good order.
var faults = [...]struct {
	name string
	make func(in, input string) string
}{
	{"cut short", func(in, input string) string { return in[:len(in)-2] }},
	{"a list", func(in, input string) string { return "[" + in + "]" }},
	{"no input", func(in, input string) string { return strings.Replace(in, input, "null", 1) }},
	{"input is a list", func(in, input string) string { return strings.Replace(in, input, "["+input+"]", 1) }},
	{"input is a number", func(in, input string) string { return strings.Replace(in, input, "7", 1) }},
	{"a key of the input twice", func(in, input string) string {
		return strings.Replace(in, input, "{"+firstMember(input)+","+input[1:], 1)
	}},
	{"input without its keys", func(in, input string) string { return strings.Replace(in, input, "{}", 1) }},
}

func firstMember(object string) string {
	text := ""
	gjson.Parse(object).ForEach(func(k, v gjson.Result) bool {
		text = k.Raw + ":" + v.Raw
		return false
	})
	return text
}

// TestEveryLiteral: every host has an example that decides and whose input has faults, all noticed, and its
// payload is that of a call which no other host's name makes into a lesser one.
func TestEveryLiteral(t *testing.T) {
	for _, h := range Hosts() {
		i := slices.IndexFunc(h.Examples(), func(x Example) bool { return x.Event.Decides() && toolOf(t, h, x.In).Input.IsObject() })
		if i < 0 {
			t.Errorf("%s has no example of a call", h.Name)
			continue
		}
		in := h.Examples()[i].In
		own := toolOf(t, h, in)
		for _, f := range faults {
			bad := f.make(in, own.Input.Raw)
			if bad == in {
				continue // the input is not in the payload as it is
			}
			c, err := Read(strings.NewReader(bad), Options{Host: h.Name})
			if err == nil && c.Malformed == "" && c.Event.Decides() {
				t.Errorf("%s, %s: read as %s %q: %s", h.Name, f.name, c.Tool, primary(c), bad)
			}
		}
		for _, other := range Hosts() {
			c, err := Read(strings.NewReader(in), Options{Host: other.Name})
			if err != nil || c.Malformed != "" {
				continue
			}
			if c.Command != own.Command || pathsOf(c) != pathsOf(own) || c.URL != own.URL {
				t.Errorf("%s, read as %s: %s %q %s", h.Name, other.Name, c.Tool, c.Command, pathsOf(c))
			}
		}
	}
}

func toolOf(t *testing.T, h *Host, in string) *Call {
	t.Helper()
	c, err := Read(strings.NewReader(in), Options{Host: h.Name})
	if err != nil {
		t.Fatalf("%s: %v", h.Name, err)
	}
	return c
}
