package hosttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// A Behaviour is one way a hook can answer or fail: a shell text that runs after the payload was read.
type Behaviour struct{ Name, Script string }

// Behaviours returns the behaviours every gate is driven through, in its own form of answers.
func (h *Host) Behaviours(g *Gate) []Behaviour {
	say := func(text string) string { return "printf '%s\\n' " + shellQuote(text) }
	allow, deny := say(g.Answer("allow")), say(g.Answer("deny"))
	list := []Behaviour{
		{"allow", allow},
		{"ask", say(g.Answer("ask"))},
		{"deny", deny},
		{"silence", ":"},
		{"text", "echo fine by me"},
		{"emptyobject", "echo '{}'"},
		{"brokenjson", `echo '{"hookSpecificOutput":{"hookEventName":'`},
		{"notclosed", "printf '%s' " + shellQuote(strings.TrimRight(g.Answer("deny"), "}"))},
		{"badvalue", say(g.Answer("perhaps"))},
		{"otherform", say(g.Other)},
		{"twolines", deny + "; " + deny},
		{"textjson", "echo note; " + deny},
		{"jsontext", deny + "; echo note"},
		{"bom", `printf '\357\273\277'; ` + deny},
		{"notutf8", "printf '%s\\n' " + shellQuote(strings.Replace(g.Answer("deny"), "probe", "pro\xff\xfebe", 1))},
		{"binary", `printf '\377\376\000\001{'`},
		{"unknownfield", say(strings.TrimSuffix(g.Answer("deny"), "}") + `,"permgateProbe":true}`)},
		{"stderrjson", deny + " >&2"},
		{"exit1", "exit 1"},
		{"exit1stderr", "echo probe >&2; exit 1"},
		{"exit1allow", allow + "; exit 1"},
		{"exit1deny", deny + "; exit 1"},
		{"exit2", "echo probe >&2; exit 2"},
		{"exit2silent", "exit 2"},
		{"exit2allow", allow + "; exit 2"},
		{"exit2deny", deny + "; exit 2"},
		{"exit127", "echo not found >&2; exit 127"},
		{"killed", "kill -9 $$"},
		{"timeout", "sleep 6"},
		{"denytimeout", deny + "; sleep 6"},
	}
	if g.Wrong != "" {
		list = append(list, Behaviour{"wrongevent", say(g.Wrong)})
	}
	for d := hookio.Pass; d <= hookio.Deny && hookio.Lookup(h.Name) != nil; d++ {
		list = append(list, Behaviour{ourName(d), "printf %s " + shellQuote(h.OurLine(g, d))})
	}
	return list
}

// ourName is the behaviour of a hook that prints what permgate prints for a decision.
func ourName(d hookio.Decision) string { return "our" + d.String() }

// OurLine is what permgate prints for a decision on this gate.
func (h *Host) OurLine(g *Gate, d hookio.Decision) string {
	host := hookio.Lookup(h.Name)
	c := &hookio.Call{Host: host, Named: true, RawEvent: g.Event, Event: hookio.Event(g.Event), Tool: "Bash"}
	for _, e := range host.Events {
		if e.Name == g.Event {
			c.Event = e.Event
		}
	}
	return string(hookio.Write(nil, c, hookio.Answer{Decision: d, Reason: "probe"}))
}

// WriteProbe writes a hook that behaves as the name in its payload says, keeps every payload below
// dir/payloads, and returns its path. The name is that of the file a `touch` call makes.
func (h *Host) WriteProbe(t testing.TB, g *Gate, dir string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "payloads"), 0o755); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("#!/bin/sh\npayload=$(cat)\n")
	fmt.Fprintf(&b, "printf '%%s\\n' \"$payload\" > %s/payloads/$$.json\ncase $payload in\n", dir)
	for _, x := range h.Behaviours(g) {
		fmt.Fprintf(&b, "*'touch %s.txt'*) %s ;;\n", x.Name, x.Script)
	}
	fmt.Fprintf(&b, "*'%s'*) ;;\n", errandPrompt) // the call that starts the subagent
	b.WriteString("*) echo unexpected payload >&2; exit 2 ;;\nesac\n")
	path := filepath.Join(dir, "probe")
	executable.Write(t, path, b.String())
	return path
}

// sessionCalls bounds the calls of one session: some hosts take many calls alike for a loop.
const sessionCalls = 12

// Observe drives the host through the behaviours that drive names and returns
// one letter for each (see Seen). A behaviour that ends the session costs only
// itself: the ones after it are driven in a session of their own.
func (h *Host) Observe(
	t testing.TB, program []string, g *Gate, p Posture, failClosed bool, drive func(name string) bool,
) map[string]string {
	t.Helper()
	hook := Hook{Event: g.Event, Command: h.WriteProbe(t, g, t.TempDir()), Timeout: probeTimeout, FailClosed: failClosed}
	var pending []Behaviour
	for _, b := range h.Behaviours(g) {
		if drive(b.Name) {
			pending = append(pending, b)
		}
	}
	seen := map[string]string{}
	for len(pending) > 0 {
		now := pending[:min(len(pending), sessionCalls)]
		var calls []ToolCall
		for _, b := range now {
			calls = append(calls, h.Touch(b.Name+".txt"))
		}
		s := NewSession(t, h, calls...)
		s.take(t, p)
		s.Hooks = []Hook{hook}
		out, err := s.Run(t, program)
		results := s.API.Results()
		for i, r := range results {
			seen[pending[i].Name] = s.letter(i, pending[i].Name+".txt")
			if testing.Verbose() {
				name := pending[i].Name
				t.Logf("%-8s closed=%-5v %-12s %s %.200q", p.Name, failClosed, name, seen[name], r.Text)
			}
		}
		n := len(results)
		if n < len(now) {
			ended := pending[n].Name
			seen[ended] = s.letter(n, ended+".txt")
			t.Logf("%-8s %-12s %s ended the session: %v: %.600q", p.Name, ended, seen[ended], err, out)
			if n == 0 && len(s.API.Requests()) == 0 {
				t.Fatalf("%s asked nothing of the fake model: %v\n%s", h.Title, err, out)
			}
			n++
		}
		pending = pending[n:]
	}
	return seen
}

// shellQuote quotes text for sh.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
