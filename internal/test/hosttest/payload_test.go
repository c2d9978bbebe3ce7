package hosttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

var record = flag.Bool("record", false, "write what the hosts sent to testdata/hosts/HOST/observed.tsv")

// A sent is one payload of a hook, and the environment it came with.
type sent struct {
	event string // as it was registered
	raw   string
	body  map[string]any
	env   []string // names the host added
}

// TestPayloads has every host make calls of many kinds with a hook on every event it has, and compares
// the members of the payloads and the environment with the host's table.
func TestPayloads(t *testing.T) {
	for _, h := range Hosts {
		if h.Scene == nil {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			program := h.Install(t)
			if runtime.GOOS == "windows" {
				t.Skip("the probe hook is a shell script")
			}
			s := NewSession(t, h)
			s.MCP = mcpServers(t)
			s.API.Conversations = h.Scene(t, s)
			s.Posture = h.Gates[0].Postures[len(h.Gates[0].Postures)-1]
			if h.ScenePosture.Name != "" {
				s.Posture = h.ScenePosture
			}
			dir := t.TempDir()
			for _, e := range h.Events {
				s.Hooks = append(s.Hooks, Hook{Event: e, Command: writeRecorder(t, dir) + " " + e, Timeout: 10, Async: h.async(e)})
			}
			out, err := s.Run(t, program)
			for i, r := range s.API.Results() {
				t.Logf("result %d: %.200q", i, r.Text)
			}
			all := readSent(t, dir, s)
			if len(all) == 0 {
				t.Fatalf("no hook was called: %v\n%s", err, out)
			}
			h.compareSent(t, all)
			h.compareTools(t, s.API.Requests())
			if *record {
				h.record(t, all)
			}
		})
	}
}

// async reports whether install registers the event's hook to run parallel to the session.
func (h *Host) async(event string) bool {
	if model := hookio.Lookup(h.Name); model != nil && model.Register != nil && model.Register.Async.Name != "" {
		for _, e := range model.Register.Events {
			if e.Name == event {
				return e.Async
			}
		}
	}
	return false
}

// writeRecorder writes a hook that keeps its payload and the names of its environment in dir, and
// allows what a dialog would ask.
func writeRecorder(t testing.TB, dir string) string {
	path := filepath.Join(dir, "recorder")
	script := `#!/bin/sh
f=` + dir + `/sent-$(date +%s%N)-$$
cat > $f.json
env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p' | sort > $f.env
echo $1 > $f.event
if [ $1 = PermissionRequest ]; then printf '%s\n' ` + shellQuote(dialogAnswer("allow")) + `; fi
exit 0
`
	executable.Write(t, path, script)
	return path
}

// readSent returns the payloads kept in dir in the order they came, with the paths of this run replaced
// by those of a home and a project that do not change.
func readSent(t testing.TB, dir string, s *Session) []sent {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "sent-*.event"))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	exe, err := os.Executable() // the MCP server
	if err != nil {
		t.Fatal(err)
	}
	clean := strings.NewReplacer(exe, "/home/u/bin/stub", s.Project, "/home/u/app", s.Home, "/home/u", strings.ReplaceAll(s.Project, "/", "-"), "-home-u-app")
	var all []sent
	for _, file := range files {
		base := strings.TrimSuffix(file, ".event")
		x := sent{event: strings.TrimSpace(readFile(t, file)), raw: strings.TrimSpace(clean.Replace(readFile(t, base+".json")))}
		if err := json.Unmarshal([]byte(x.raw), &x.body); err != nil {
			t.Errorf("%s: a payload is no JSON object: %v: %.200q", x.event, err, x.raw)
			continue
		}
		for _, name := range strings.Fields(readFile(t, base+".env")) {
			if !s.common[name] {
				x.env = append(x.env, name)
			}
		}
		all = append(all, x)
	}
	return all
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// compareSent compares members and environment with the table of the host.
func (h *Host) compareSent(t *testing.T, all []sent) {
	var rows []Sent
	env := map[string]int{}
	for _, x := range all {
		for _, name := range x.env {
			env[name]++
		}
	}
	for _, e := range h.Events {
		keys, tools, n := map[string]int{}, map[string]bool{}, 0
		for _, x := range all {
			if x.event != e {
				continue
			}
			n++
			for k := range x.body {
				keys[k]++
			}
			if name, ok := x.body["tool_name"].(string); ok {
				tools[name] = true
			}
		}
		rows = append(rows, Sent{e, members(keys, n)})
		t.Logf("%s: %d payloads, tools %v", e, n, tools)
	}
	for i, got := range rows {
		want := Sent{}
		if i < len(h.Sent) {
			want = h.Sent[i]
		}
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", got.Event, got, want)
		}
	}
	if got := members(env, len(all)); got != h.SentEnv {
		t.Errorf("environment:\n got %q\nwant %q", got, h.SentEnv)
	}
	if t.Failed() {
		for _, r := range rows {
			t.Logf("\t\t{%q, %q},", r.Event, r.Keys)
		}
		t.Logf("\tSentEnv: %q,", members(env, len(all)))
	}
}

// members lists names in order; one that not every payload has ends in a question mark.
func members(count map[string]int, of int) string {
	var list []string
	for name, n := range count {
		if n < of {
			name += "?"
		}
		list = append(list, name)
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

// oneLine takes the line breaks out of JSON text.
func oneLine(text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		return text
	}
	return b.String()
}

// observedValue is the value of the call's primary field.
func observedValue(c *hookio.Call) string {
	switch {
	case c.Command != "":
		return c.Command
	case c.URL != "":
		return c.URL
	case len(c.Args) > 0:
		return c.Args[0].Path
	}
	return c.Name
}

// record writes the payloads as hookio's test of observed payloads reads them.
func (h *Host) record(t *testing.T, all []sent) {
	var b strings.Builder
	fmt.Fprintf(&b, "# sent by %s; version, event as registered, what the call is (TOOL value, - where nothing is decided), payload\n", h.Title)
	for _, x := range all {
		c, err := hookio.Read(strings.NewReader(x.raw), hookio.Options{Host: h.Name, Event: x.event})
		if err != nil {
			t.Errorf("%s: %v: %s", x.event, err, x.raw)
			continue
		}
		want := "-"
		if c.Event.Decides() {
			want = c.Tool + " " + observedValue(c)
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", h.Version, x.event, want, oneLine(x.raw))
	}
	path := filepath.Join("..", "..", "..", "testdata", "hosts", h.Name, "observed.tsv")
	writeFile(t, path, b.String())
}
