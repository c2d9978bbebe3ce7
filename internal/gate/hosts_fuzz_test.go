package gate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// Settings under which calls of every host are compared: nothing, much allowed,
// much denied, much asked about, and a mode.
var comparedSettings = [...]string{
	`{}`,
	`{"permissions":{"allow":["Bash(git:*)","Bash(ls:*)","Bash(npm:*)","Read","Edit(src/**)","Edit(a.*)","WebFetch(domain:go.dev)","mcp__github","mcp__my_server__list_issues","Agent(explore)","Skill"]}}`,
	`{"permissions":{"allow":["*"],"deny":["Bash(rm:*)","Bash(git push:*)","Read(//etc/**)","Read(docs/**)","Edit(old.go)","WebFetch(domain:pkg.go.dev)","mcp__my_server","mcp__github__list_issues","Agent(explore)"]}}`,
	`{"permissions":{"allow":["Bash","Read","Edit","WebFetch","mcp__*","Agent"],"ask":["Bash(npm:*)","Read(src/**)","Edit(//etc/**)","WebFetch(domain:www.example.com)","mcp__github"]}}`,
	`{"permissions":{"defaultMode":"acceptEdits","allow":["Bash(touch:*)"]}}`,
}

// A comparer decides calls in a small world without a disk.
type comparer struct{ worlds []gate.World }

func newComparer() *comparer {
	c := &comparer{}
	for _, text := range comparedSettings {
		files := fakefs.New(nil)
		for _, dir := range []string{"/home/you/app/.git", "/home/u/app", "/w/app"} {
			files.Mkdir(dir)
		}
		files.Write("/home/you/.gen/settings.json", text)
		files.Own("/home/you", 1000)
		c.worlds = append(c.worlds, gate.World{
			Getenv: func(k string) string { return map[string]string{"HOME": "/home/you"}[k] },
			Cwd:    "/home/you/app", PasswdHome: "/home/you", UID: 1000, Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
			Files: files, Now: time.Time{}.Add(time.Hour), ManagedDir: []string{"/etc/gen"},
		})
	}
	return c
}

func (c *comparer) decide(call *hookio.Call, settings int) decide.Verdict {
	return decide.Decide(gate.Case(call, &gate.Flags{Host: call.Host.Name, State: "/state"}, c.worlds[settings]))
}

// recorded returns every payload there is: the examples of the hosts and
// testdata/hosts, with the host each belongs to.
func recorded(t testing.TB) (hosts []*hookio.Host, payloads []string) {
	for _, h := range hookio.Hosts() {
		for _, e := range h.Examples() {
			hosts, payloads = append(hosts, h), append(payloads, e.In)
		}
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "hosts", h.Name, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			in, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			hosts, payloads = append(hosts, h), append(payloads, string(in))
		}
	}
	if len(payloads) < 100 {
		t.Fatalf("%d payloads: testdata/hosts is not there", len(payloads))
	}
	return hosts, payloads
}

// asOne and asEvery are the calls in canonical form that a call amounts to: of
// the first the laxest counts (readings of a name), of the second the strictest.
func canonical(c *hookio.Call) (asOne, asEvery []*hookio.Call) {
	add := func(list *[]*hookio.Call, tool string, input any) {
		raw, ok := input.(json.RawMessage)
		if !ok {
			raw, _ = json.Marshal(input)
		}
		payload, _ := json.Marshal(map[string]any{
			"hook_event_name": c.Event, "cwd": c.Cwd, "permission_mode": c.Mode, "session_id": c.SessionID,
			"agent_id": c.AgentID, "agent_type": c.AgentType, "tool_name": tool, "tool_input": raw,
		})
		call, err := hookio.Read(strings.NewReader(string(payload)), hookio.Options{Host: "generic"})
		if err != nil || call.Malformed != "" {
			return
		}
		call.Project, call.Dir = c.Project, c.Dir
		*list = append(*list, call)
	}
	text := func(key, value string) map[string]string { return map[string]string{key: value} }
	switch {
	case c.Command != "" && c.Tool != "Monitor":
		add(&asEvery, c.Tool, text("command", c.Command))
	case c.Tool == "Agent" && c.HasName:
		add(&asEvery, c.Tool, text("subagent_type", c.Name))
	case c.Tool == "Skill" && c.HasName:
		add(&asEvery, c.Tool, text("skill", c.Name))
	case len(c.Args) == 0 && len(c.Under) == 0 && c.URL == "":
		for _, name := range append([]string{c.Tool}, c.AlsoTool...) {
			add(&asOne, name, json.RawMessage(c.Input.Raw))
		}
	}
	for _, a := range c.Args {
		switch c.Tool {
		case "Glob", "Grep", "LS":
			add(&asEvery, c.Tool, text("path", a.Path))
		case "Read", "Edit", "Write", "NotebookEdit":
			add(&asEvery, c.Tool, text("file_path", a.Path))
		}
	}
	for _, pattern := range c.Under {
		input := map[string]string{"pattern": pattern}
		if c.Tool == "Grep" {
			input = map[string]string{"pattern": "x", "glob": pattern}
		}
		if len(c.Args) > 0 {
			input["path"] = c.Args[0].Path
		}
		add(&asEvery, c.Tool, input)
	}
	for _, url := range append(c.AlsoURL, c.URL) {
		if url != "" {
			add(&asEvery, "WebFetch", text("url", url))
		}
	}
	return asOne, asEvery
}

// notLaxer fails when a call of a host is decided more laxly than the same said
// in canonical form, or is allowed although its input is in doubt.
func (c *comparer) notLaxer(t *testing.T, call *hookio.Call, in string, settings int) hookio.Decision {
	t.Helper()
	got := c.decide(call, settings)
	if call.Malformed != "" {
		if got.Decision() == hookio.Allow {
			t.Fatalf("settings %d: allowed (%s), but malformed: %s: %s", settings, got.Reason(), call.Malformed, in)
		}
		return got.Decision()
	}
	asOne, asEvery := canonical(call)
	least := hookio.Deny + 1
	for _, other := range asOne {
		v := c.decide(other, settings)
		least = min(least, v.Decision())
		if v.Decision() == hookio.Deny && got.Decision() != hookio.Deny && v.Step() == "1" {
			t.Fatalf("settings %d: %s (%s), but %s is denied (%s): %s", settings, got.Decision(), got.Reason(), other.Tool, v.Reason(), in)
		}
	}
	if least <= hookio.Deny && got.Decision() < least {
		t.Fatalf("settings %d: %s (%s), canonical %s: %s", settings, got.Decision(), got.Reason(), least, in)
	}
	for _, other := range asEvery {
		if v := c.decide(other, settings); got.Decision() < v.Decision() {
			t.Fatalf("settings %d: %s (%s), but %s %s is %s (%s): %s", settings, got.Decision(), got.Reason(), other.Tool, other.Input.Raw, v.Decision(), v.Reason(), in)
		}
	}
	return got.Decision()
}

// spoiled returns a payload with its nth key in another case, there twice, or
// there twice in another case or after it, at the top level or in an object below; "" when
// there are no more.
func spoiled(in string, n int) string {
	var keys, values []gjson.Result // with their places
	var collect func(v gjson.Result, depth int)
	collect = func(v gjson.Result, depth int) {
		v.ForEach(func(k, v gjson.Result) bool {
			if k.Type == gjson.String {
				keys, values = append(keys, k), append(values, v)
			}
			if (v.IsObject() || v.IsArray()) && depth < 4 {
				collect(v, depth+1)
			}
			return true
		})
	}
	collect(gjson.Parse(in), 0)
	if n/4 >= len(keys) {
		return ""
	}
	k, v := keys[n/4], values[n/4]
	if k.Index <= 0 || !strings.HasPrefix(in[k.Index:], k.Raw) {
		return in
	}
	swapped := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, k.Raw)
	switch end := v.Index + len(v.Raw); {
	case n%4 == 3 && v.Index > 0 && end <= len(in):
		return in[:end] + "," + k.Raw + `:"ls"` + in[end:]
	}
	switch n % 4 {
	case 0:
		return in[:k.Index] + swapped + in[k.Index+len(k.Raw):]
	case 1:
		return in[:k.Index] + k.Raw + `:"ls",` + in[k.Index:]
	}
	return in[:k.Index] + swapped + `:"ls",` + in[k.Index:]
}

// TestHostsNotLaxer decides every recorded payload and what it says in canonical
// form, and every payload with one key spoiled: that is never allowed where the
// payload as it was is not.
func TestHostsNotLaxer(t *testing.T) {
	c := newComparer()
	hosts, payloads := recorded(t)
	calls, bad, every := 0, 0, testenv.Every(t, 5, 1, 1)
	for i, in := range payloads {
		call, err := hookio.Read(strings.NewReader(in), hookio.Options{Host: hosts[i].Name})
		if err != nil || !call.Event.Decides() {
			continue
		}
		for s := range comparedSettings {
			calls++
			whole := c.notLaxer(t, call, in, s)
			if s != 1 && s != 4 {
				continue
			}
			for n := i % every; ; n += every {
				other := spoiled(in, n)
				if other == "" {
					break
				}
				spoiledCall, err := hookio.Read(strings.NewReader(other), hookio.Options{Host: hosts[i].Name})
				if err != nil || !spoiledCall.Event.Decides() {
					continue
				}
				if other != in {
					bad++
				}
				if d := c.notLaxer(t, spoiledCall, other, s); d == hookio.Allow && whole != hookio.Allow {
					t.Errorf("settings %d: %s becomes %s:\n%s\n%s", s, whole, d, in, other)
				}
			}
		}
	}
	t.Log(calls, "calls,", bad, "spoiled ones")
}

// FuzzHosts does the same with whatever bytes.
func FuzzHosts(f *testing.F) {
	hosts, payloads := recorded(f)
	every := testenv.Every(f, 10, 1, 1)
	all := hookio.Hosts()
	for i, in := range payloads {
		for j, h := range all {
			if h == hosts[i] && i%every == 0 {
				f.Add([]byte(in), uint8(j), uint8(i), uint8(i*7))
			}
		}
	}
	c := newComparer()
	f.Fuzz(func(t *testing.T, in []byte, host, settings, spoil uint8) {
		h, s := all[int(host)%len(all)], int(settings)%len(comparedSettings)
		o := hookio.Options{Host: h.Name}
		call, err := hookio.Read(strings.NewReader(string(in)), o)
		if err != nil {
			return
		}
		for d := hookio.Pass; d <= hookio.Deny; d++ {
			if out := hookio.Write(nil, call, hookio.Answer{Decision: d, Reason: "why"}); len(out) > 0 && !json.Valid(out) {
				t.Fatalf("%s: %s", d, out)
			}
		}
		if !call.Event.Decides() {
			return
		}
		whole := c.notLaxer(t, call, string(in), s)
		other := spoiled(string(in), int(spoil))
		spoiledCall, err := hookio.Read(strings.NewReader(other), o)
		if other == "" || err != nil || !spoiledCall.Event.Decides() {
			return
		}
		if d := c.notLaxer(t, spoiledCall, other, s); d == hookio.Allow && whole != hookio.Allow {
			t.Fatalf("settings %d: %s becomes %s: %s", s, whole, d, other)
		}
	})
}
