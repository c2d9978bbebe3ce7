package agents

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// unknown are values of kinds that no host's hooks are known to take.
var unknown = []string{
	`null`, `7`, `true`, `"new"`, `{}`, `[]`, `[null]`, `[[]]`, `[7, "x", {"kind": "wasm", "module": "x"}]`,
	`[{"matcher": {"tool": "Bash"}, "hooks": {"first": {"command": "x"}}, "when": [1]}]`,
	`[{"hooks": [7, null, [], {"type": "http", "url": "http://h"}, {"command": ["a", "b"]}, {"command": {"sh": "x"}, "args": "y"}]}]`,
	`{"deep": {"hooks": [{"hooks": [{"command": "others.sh"}]}]}}`,
}

// injected are settings files with an unknown value in every place that a
// registration looks at.
func injected(h *hookio.Host, p Place, value string) (out []string) {
	events := make([]string, 0, len(h.Register.Events))
	for i := range h.Register.Events {
		events = append(events, h.Register.Events[i].Name)
	}
	in := func(members string) string {
		if p.Root == "" {
			return "{\n  // mine\n  " + members + "\n}\n"
		}
		return "{\n  // mine\n  \"model\": \"x\",\n  \"" + p.Root + "\": {\n    " + members + "\n  }\n}\n"
	}
	if p.Root != "" {
		out = append(out, fmt.Sprintf("{\n  \"model\": \"x\",\n  %q: %s\n}\n", p.Root, value))
	}
	for _, name := range append(events, "FutureEvent") {
		out = append(out, in(fmt.Sprintf("%q: %s", name, value)))
	}
	out = append(out, in(fmt.Sprintf("%q: [{\"hooks\": [{\"command\": \"others.sh\", \"future\": %s}], \"future\": %s}]", events[0], value, value)))
	for _, m := range h.Register.Head {
		out = append(out, fmt.Sprintf("{\n  %q: %s\n}\n", m.Name, value))
	}
	for i := range h.Register.Off {
		keys := strings.Split(h.Register.Off[i].Key, ".")
		text := value
		for j := len(keys) - 1; j >= 0; j-- {
			text = fmt.Sprintf("{\n  %q: %s\n}", keys[j], text)
		}
		out = append(out, text+"\n")
	}
	return out
}

// TestUnknownShapes: whatever a host's settings file holds, registering either
// says where and why it cannot be done, or keeps it; taking the hooks out again
// gives back every byte, and looking for them fails on nothing.
func TestUnknownShapes(t *testing.T) {
	every, n := testenv.Every(t, 4, 1, 1), 0
	for _, h := range Hosts() {
		for _, p := range places(h) {
			for _, value := range unknown {
				for _, text := range injected(h, p, value) {
					if n++; n%every != 0 {
						continue
					}
					d, err := edit.Parse("f", []byte(text))
					if err != nil {
						t.Fatal(text, err)
					}
					Find(h, p, d, exe)
					for i := range h.Register.Events {
						Holds(p, d, h.Register.Events[i].Name)
						Others(d, h.Register.Events[i].Name)
					}
					if n, err := Unregister(p, d, nil); n != 0 || err != nil || string(d.Bytes()) != text {
						t.Fatalf("%s: taking out of a file without ours: %d, %v\n%s\nwas\n%s", h.Name, n, err, d.Bytes(), text)
					}
					for i := range h.Register.Off {
						isOff(&h.Register.Off[i], "f", []byte(text))
					}
					if err := Register(h, p, d, exe); err != nil {
						if !refused.MatchString(err.Error()) {
							t.Errorf("%s: refused without place or reason: %v\n%s", h.Name, err, text)
						}
						continue
					}
					if len(Find(h, p, d, exe)) == 0 {
						t.Errorf("%s: not registered\n%s", h.Name, d.Bytes())
					}
					if _, err := Unregister(p, d, nil); err != nil || lost(string(d.Bytes()), text) {
						t.Errorf("%s %s: %v\n%s\nwas\n%s", h.Name, p.Path, err, d.Bytes(), text)
					}
				}
			}
		}
	}
}

// empty is an empty member of JSON without blanks, refused how a place and a reason begin.
var (
	empty   = regexp.MustCompile(`"\w+":(\[\]|{}),?`)
	refused = regexp.MustCompile(`^f:\d+:\d+: .*[a-z]{3}`)
)

// lost reports whether anything of a file is not there any more. An empty list
// or object may go: no one wrote anything into it.
func lost(now, was string) bool {
	bare := func(text string) string {
		text = strings.Join(strings.Fields(text), "")
		for empty.MatchString(text) {
			text = empty.ReplaceAllString(text, "")
		}
		return strings.ReplaceAll(strings.ReplaceAll(text, ",}", "}"), ",]", "]")
	}
	return bare(now) != bare(was)
}

// TestUnregisterKeepsOthers: a group that holds more than our handler and a
// matcher is not all ours.
func TestUnregisterKeepsOthers(t *testing.T) {
	h := Lookup("claude")
	p := places(h)[0]
	for _, c := range []struct{ text, want string }{
		{`{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "permgate hook --host claude"}]}]}}`, `{}`},
		{`{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "permgate hook --host claude"}], "future": [{"url": "http://h"}]}]}}`,
			`{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [], "future": [{"url": "http://h"}]}]}}`},
	} {
		d, err := edit.Parse("f", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := Unregister(p, d, nil); n != 1 || err != nil || string(d.Bytes()) != c.want {
			t.Errorf("%d, %v: %s\nwant %s", n, err, d.Bytes(), c.want)
		}
	}
}

// TestUnknownShapesEverywhere puts two values, of other kinds for each host, into every place of the file that install writes: looking fails on
// nothing, and install either says where and why it cannot be done, or registers every event again.
func TestUnknownShapesEverywhere(t *testing.T) {
	every, n := testenv.Every(t, 4, 1, 1), 0
	for i, h := range Hosts() {
		p, values := places(h)[0], []string{unknown[i%len(unknown)], unknown[(i+5)%len(unknown)]}
		d, err := edit.Parse("f", []byte(`{"model": "x", "list": [{"a": 1}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := Register(h, p, d, exe); err != nil {
			t.Fatal(h.Name, err)
		}
		err = golden.Inject(string(d.Bytes()), values, func(path []string, text string) {
			if n++; n%every != 0 {
				return
			}
			d, err := edit.Parse("f", []byte(text))
			if err != nil {
				if len(path) > 0 || !refused.MatchString(err.Error()) {
					t.Errorf("%s: %v", h.Name, err)
				}
				return
			}
			Find(h, p, d, exe)
			for i := range h.Register.Off {
				isOff(&h.Register.Off[i], "f", []byte(text))
			}
			at := h.Name + " " + strings.Join(path, ".")
			if err := Register(h, p, d, exe); err != nil {
				if !refused.MatchString(err.Error()) {
					t.Errorf("%s: refused without place or reason: %v\n%s", at, err, text)
				}
				return
			}
			if absent, outdated, lacked := Missing(h, p, d, exe); len(absent)+len(outdated)+len(lacked) > 0 {
				t.Errorf("%s: absent %v, outdated %v, lacked %v\n%s", at, absent, outdated, lacked, d.Bytes())
			}
			if _, err := Unregister(p, d, nil); err != nil || len(Find(h, p, d, exe)) > 0 {
				t.Errorf("%s: not taken out: %v\n%s", at, err, d.Bytes())
			}
		})
		if err != nil {
			t.Fatal(h.Name, err)
		}
	}
}
