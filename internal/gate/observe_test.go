package gate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// TestObserveEveryHost takes every exchange of every host through observe mode:
// whatever would be decided, the host gets its form of no opinion, and goes on
// as it does without a hook. A managed deny reaches it all the same.
func TestObserveEveryHost(t *testing.T) {
	for _, h := range hookio.Hosts() {
		if h.Name != "generic" && len(h.Reader) == 0 {
			t.Logf("%s has no model of its reader yet", h.Name)
		}
		calls := 0
		for _, x := range h.Examples() {
			for _, rules := range []string{
				`{}`,
				`{"permissions":{"deny":["*"]}}`,
				`{"permissions":{"ask":["*"]}}`,
				`{"permissions":{"allow":["Bash","Edit","Read","mcp__*"]}}`,
			} {
				call, got := observed(t, h, &x, m(user, rules, "/home/dev/.gen/permgate.json", `{"enforce": false}`))
				if call == nil || !call.Event.Decides() {
					continue
				}
				silence := hookio.Write(nil, call, hookio.Answer{})
				if string(got) != string(silence) {
					t.Errorf("%s, %s, %s: answered %s", h.Name, x.Name, rules, got)
				}
				if len(h.Reader) == 0 {
					continue
				}
				for _, installed := range [...]bool{false, true} {
					if installed && h.Register == nil { // docs/seeds.md says that its functions make a no of it
						continue
					}
					if f, _ := h.After(call.RawEvent, hookio.EndsSilence, installed); f != hookio.FateHost && f != hookio.FateRuns &&
						(f != hookio.FatePrompts || call.Event != hookio.PermissionRequest) { // there its prompt is what comes next
						t.Errorf("%s, event %s: after no opinion the call is %v", h.Name, call.RawEvent, f)
					}
				}
			}
			call, got := observed(t, h, &x, m(managed, `{"permissions":{"deny":["*"]}}`, "/home/dev/.gen/permgate.json", `{"enforce": false}`))
			if call == nil || !call.Event.Decides() {
				continue
			}
			calls++
			if want := hookio.Write(nil, call, hookio.Answer{}); string(got) == string(want) || !strings.Contains(string(got), "managed-settings.json") {
				t.Errorf("%s, %s: a managed deny was answered by %q", h.Name, x.Name, got)
			}
		}
		if calls == 0 {
			t.Errorf("no call of %s was looked at", h.Name)
		}
	}
}

// observed answers an example as the hook would, nil where it carries no call.
func observed(t *testing.T, h *hookio.Host, x *hookio.Example, settings map[string]string) (*hookio.Call, []byte) {
	t.Helper()
	files := fakefs.New(nil)
	for _, dir := range []string{"/home/dev", "/work/project/.git"} {
		files.Mkdir(dir)
	}
	for name, text := range settings {
		files.Write(name, text)
	}
	files.Own("/home/dev", 1000)
	call, err := hookio.Read(strings.NewReader(x.In), hookio.Options{Host: h.Name, Event: string(x.Event)})
	if err != nil {
		return nil, nil
	}
	call.Cwd, call.Project = "/work/project", "" // the fake disk has no other
	c := gate.Case(call, &gate.Flags{Host: h.Name}, gate.World{
		Getenv: func(k string) string { return map[string]string{"HOME": "/home/dev"}[k] },
		Cwd:    "/work/project", PasswdHome: "/home/dev", UID: 1000, Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files: files, Now: time.Time{}.Add(time.Hour), ManagedDir: []string{"/etc/gen", "/etc/san", "/etc/claude-code"},
	})
	return call, hookio.Write(nil, call, decide.Decide(c).Answer(c))
}
