package agents

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// exe is a path that the shell of every host's hooks can be told.
var exe = map[bool]string{false: "/opt/bin/permgate", true: `C:\opt\bin\permgate.exe`}[runtime.GOOS == "windows"]

func parse(t *testing.T, text string) *edit.Doc {
	t.Helper()
	d, err := edit.Parse("settings.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var settings = []struct{ name, text string }{
	{"absent", "{}\n"},
	{"others, with comments", `{
    // mine
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "~/bin/log.sh"}]} // keep
        ],
        "Stop": [{"hooks": [{"type": "command", "command": "beep"}]}],
    },
}
`},
	{"windows", "{\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\"hooks\": []}\r\n\t\t]\r\n\t}\r\n}\r\n"},
	{"one line", `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}, "a": [1, 2]}`},
}

// places returns a place for every scope and file of a host.
func places(h *hookio.Host) []Place {
	d := Dirs{Home: "/home/u", Project: "/w/app", Getenv: func(string) string { return "" }}
	return d.Places(h)
}

// TestRegister checks that registering twice is registering once, and that
// taking the entries out again gives back every byte.
func TestRegister(t *testing.T) {
	for _, h := range Hosts() {
		for _, p := range places(h) {
			for _, tt := range settings {
				t.Run(h.Name+" "+p.Path+" "+tt.name, func(t *testing.T) {
					text := tt.text
					if len(h.Register.Head) > 0 && text == "{}\n" {
						text = "{\"x\": 1}\n" // a new file gets the head, and keeps it
					}
					d := parse(t, text)
					register := func(d *edit.Doc) {
						if err := Register(h, p, d, exe); err != nil {
							t.Fatal(err)
						}
					}
					register(d)
					once := string(d.Bytes())
					again := parse(t, once)
					register(again)
					if diff := cmp.Diff(once, string(again.Bytes())); diff != "" {
						t.Errorf("the second time changed something (-once +twice)\n%s", diff)
					}
					found := Find(h, p, again, exe)
					if len(found) != len(h.Register.Events) {
						t.Errorf("found %d handlers", len(found))
					}
					for _, f := range found {
						if f.Program != exe || f.Known == nil || !f.All || !f.Plain || len(f.Stale) > 0 || !strings.HasPrefix(f.Place, "settings.json:") {
							t.Errorf("found %+v", f)
						}
					}
					n, err := Unregister(p, again, nil)
					if err != nil || n != len(h.Register.Events) {
						t.Errorf("removed %d entries: %v", n, err)
					}
					if diff := cmp.Diff(text, string(again.Bytes())); diff != "" {
						t.Errorf("not as before (-before +after)\n%s", diff)
					}
				})
			}
		}
	}
}

// TestBare checks that what is left of a file install made is known to be nothing.
func TestBare(t *testing.T) {
	for _, h := range Hosts() {
		p := places(h)[0]
		d := parse(t, "")
		if err := Register(h, p, d, exe); err != nil {
			t.Fatal(err)
		}
		if Bare(h, d) {
			t.Errorf("%s: bare although registered", h.Name)
		}
		if _, err := Unregister(p, d, nil); err != nil || !Bare(h, d) {
			t.Errorf("%s: not bare: %v\n%s", h.Name, err, d.Bytes())
		}
		if d := parse(t, "{} // mine\n"); Bare(h, d) {
			t.Errorf("%s: a comment is somebody's", h.Name)
		}
	}
}

func TestEntry(t *testing.T) {
	for _, tt := range []struct{ host, exe, event, want string }{
		{"claude", exe, "PreToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"/opt/bin/permgate","args":["hook","--host","claude","--event","PreToolUse"],"timeout":10,"onFailure":"block"}]}`},
		{"claude", "/opt/my bin/permgate", "PermissionRequest", `{"matcher":"*","hooks":[{"type":"command","command":"/opt/my bin/permgate","args":["hook","--host","claude","--event","PermissionRequest"],"timeout":10}]}`},
		{"claude", exe, "PostToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"/opt/bin/permgate","args":["hook","--host","claude","--event","PostToolUse"],"timeout":10,"async":true}]}`},
		{"claude", exe, "SessionEnd", `{"hooks":[{"type":"command","command":"/opt/bin/permgate","args":["hook","--host","claude","--event","SessionEnd"],"timeout":10}]}`},
		{"gen", "/opt/it's/permgate", "PreToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate '/opt/it'\\''s/permgate' hook --host gen --event PreToolUse","timeout":10}]}`},
		{"san", exe, "PermissionRequest", `{"matcher":"*","hooks":[{"type":"command","command":"GOMAXPROCS=1 /opt/bin/permgate hook --host san --event PermissionRequest","timeout":10}]}`},
		{"codex", exe, "PreToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host codex --event PreToolUse","timeout":10}]}`},
		{"copilot", exe, "preToolUse", `{"type":"command","bash":"GOMAXPROCS=1 /opt/bin/permgate hook --host copilot --event preToolUse","timeoutSec":10}`},
		{"codex", exe, "PermissionRequest", `{"matcher":"*","hooks":[{"type":"command","command":"/opt/bin/permgate hook --host codex --event PermissionRequest","timeout":10}]}`},
		{"vscode", exe, "PreToolUse", `{"type":"command","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host vscode --event PreToolUse","timeout":10}`},
		{"gemini", exe, "BeforeTool", `{"matcher":".*","hooks":[{"name":"permgate","type":"command","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host gemini --event BeforeTool","timeout":10000}]}`},
		{"qwen", exe, "PreToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host qwen --event PreToolUse","timeout":10000}]}`},
		{"cursor", exe, "beforeShellExecution", `{"command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host cursor --event beforeShellExecution","timeout":10,"failClosed":true}`},
		{"cursor", exe, "preToolUse", `{"matcher":"Read|Write|Grep|Delete|Task|^(?!Shell$|MCP:)","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host cursor --event preToolUse","timeout":10,"failClosed":true}`},
		{"droid", exe, "PreToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host droid --event PreToolUse","timeout":10}]}`},
		{"crush", exe, "PreToolUse", `{"command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host crush --event PreToolUse","timeout":10}`},
		{"goose", exe, "PreToolUse", `{"matcher":".*","hooks":[{"type":"command","command":"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host goose --event PreToolUse","timeout":10,"on_failure":"block"}]}`},
	} {
		h := Lookup(tt.host)
		if h == nil {
			t.Logf("%s: no such host yet", tt.host)
			continue
		}
		if got := Entry(h, tt.exe, Event(h, tt.event)); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.host, tt.event, got, tt.want)
		}
	}
}

// TestUpdate checks that an entry of an older binary is brought up to date in
// place, that what the user added to it stays, and that a time-out the hook
// could not keep does not.
func TestUpdate(t *testing.T) {
	claude := *Lookup("claude")
	r := *claude.Register
	r.Events = r.Events[:1]
	claude.Register = &r
	p := places(&claude)[0]
	for _, tt := range []struct{ timeout, now string }{{"30", "30"}, {"1", "10"}, {`"x"`, "10"}, {"4", "10"}, {"5", "5"}} {
		d := parse(t, `{"hooks": {
  "PreToolUse": [
    {"hooks": [
      {"type": "command", "command": "/old/permgate hook --host claude", "timeout": `+tt.timeout+`, "statusMessage": "gate"}
    ]}
  ]
}}`)
		if found := Find(&claude, p, d, exe); len(found) != 1 || found[0].Plain || found[0].Program != "/old/permgate" || len(found[0].Stale) < 3 {
			t.Errorf("found %+v", found)
		}
		if err := Register(&claude, p, d, exe); err != nil {
			t.Fatal(err)
		}
		want := `{"hooks": {
  "PreToolUse": [
    {"hooks": [
      {"type": "command", "command": "/opt/bin/permgate", "timeout": ` + tt.now + `, "statusMessage": "gate", "args": ["hook", "--host", "claude", "--event", "PreToolUse"], "onFailure": "block"}
    ]}
  ]
}}`
		if diff := cmp.Diff(want, string(d.Bytes())); diff != "" {
			t.Error(diff)
		}
	}
}

// TestFirst checks that a host that takes the first hook that decides finds
// permgate's first, and others append it.
func TestFirst(t *testing.T) {
	const others = `{"hooks": [{"type": "command", "command": "others.sh"}]}`
	for _, name := range [...]string{"droid", "qwen"} {
		h := Lookup(name)
		p := places(h)[len(places(h))-1]
		for _, text := range [...]string{
			"{\"hooks\": {\"PreToolUse\": [" + others + "]}}",
			"{\n  \"hooks\": {\n    \"PreToolUse\": [ // mine\n\n      " + others + ", // one\n      " + others + "\n    ]\n  }\n}",
			"{\n  \"hooks\": {\n    \"PreToolUse\": [\n\n      " + others + ",\n    ]\n  }\n}",
		} {
			d := parse(t, text)
			if err := Register(h, p, d, exe); err != nil {
				t.Fatal(err)
			}
			list := edit.Elements(edit.Member(edit.Member(&d.Root, "hooks"), "PreToolUse"))
			at := len(list) - 1
			if name == "droid" {
				at = 0
			}
			if !ours(&edit.Elements(edit.Member(&list[at], "hooks"))[0]) {
				t.Errorf("%s: not at %d\n%s", name, at, d.Bytes())
			}
			if _, err := Unregister(p, d, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(text, string(d.Bytes())); diff != "" {
				t.Errorf("%s: not undone (-was +is)\n%s", name, diff)
			}
		}
	}
}

// TestUpdateKeeps checks that options of the hook that a user added, and commands
// next to it, outlive an update.
func TestUpdateKeeps(t *testing.T) {
	for _, tt := range []struct{ host, handler, want string }{
		{"codex", `"command": "/old/permgate hook --headless --host codex --event PreToolUse"`,
			`"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host codex --event PreToolUse --headless"`},
		{"codex", `"command": "/old/permgate hook --add-dir '/my files' --host=codex || exit 2"`,
			`"/bin/sh -c 'GOMAXPROCS=1 \"$@\" || { echo \"permgate did not answer: the call is blocked\" >&2; exit 2; }' permgate /opt/bin/permgate hook --host codex --event PreToolUse --add-dir '/my files'"`},
		{"codex", `"command": "/old/permgate hook --host codex --event PreToolUse` + strings.ReplaceAll(orBlockSh, `"`, `\"`) + `"`,
			`' permgate /opt/bin/permgate hook --host codex --event PreToolUse"`},
		{"codex", `"command": ` + edit.Quote(blockingThreads+"/old/permgate hook --headless --host codex --event PreToolUse"),
			`' permgate /opt/bin/permgate hook --host codex --event PreToolUse --headless"`},
		{"copilot", `"bash": "/old/permgate hook --host copilot --event preToolUse --headless"`,
			`"GOMAXPROCS=1 /opt/bin/permgate hook --host copilot --event preToolUse --headless"`},
		{"copilot", `"bash": "GOMAXPROCS=1 /old/permgate hook --host copilot --event preToolUse"`,
			`"GOMAXPROCS=1 /opt/bin/permgate hook --host copilot --event preToolUse"`},
		{"copilot", `"bash": "GOMAXPROCS=1 beep"`, `"GOMAXPROCS=1 beep"`},
		{"codex", `"command": "/old/permgate hook --host codex; beep"`, `"/old/permgate hook --host codex; beep"`},
		{"codex", `"command": "/opt/acme/permgate hook /etc/acme.toml"`, `"/opt/acme/permgate hook /etc/acme.toml"`},
		{"claude", `"command": "/old/permgate", "args": ["hook", "--headless"]`,
			`"args": ["hook", "--host", "claude", "--event", "PreToolUse", "--headless"]`},
		{"claude", `"command": "/old/permgate hook --headless --host claude"`,
			`"args": ["hook", "--host", "claude", "--event", "PreToolUse", "--headless"]`},
	} {
		h := Lookup(tt.host)
		p := places(h)[0]
		d := parse(t, `{"hooks": {"`+h.Register.Events[0].Name+`": [{"hooks": [{"type": "command", `+tt.handler+`}]}]}}`)
		if err := Register(h, p, d, exe); err != nil {
			t.Fatal(err)
		}
		once := string(d.Bytes())
		if !strings.Contains(once, tt.want) {
			t.Errorf("%s: no %s in\n%s", tt.handler, tt.want, once)
		}
		again := parse(t, once)
		if err := Register(h, p, again, exe); err != nil || string(again.Bytes()) != once {
			t.Errorf("%s: the second time: %v\n%s", tt.handler, err, again.Bytes())
		}
	}
}

// TestUnregisterKeepsComments checks that a list with a comment outlives its last entry.
func TestUnregisterKeepsComments(t *testing.T) {
	h := Lookup("gen")
	p := places(h)[0]
	for _, text := range []string{
		"{\"hooks\": {\"PreToolUse\": [ // none\n]}}",
		"{\"hooks\": { // mine\n}}",
	} {
		d := parse(t, text)
		if err := Register(h, p, d, exe); err != nil {
			t.Fatal(err)
		}
		if _, err := Unregister(p, d, nil); err != nil {
			t.Fatal(err)
		}
		if got := string(d.Bytes()); got != text {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

// TestPlain checks that only a command that runs nothing but the hook counts as one.
func TestPlain(t *testing.T) {
	h := Lookup("gen")
	for command, want := range map[string]bool{
		command(runtime.GOOS, h, "/opt/bin/permgate", Event(h, "PreToolUse")):                   true,
		"/opt/bin/permgate hook --host gen --event PreToolUse || exit 2":                        true, // as it was
		"/opt/bin/permgate hook --host gen --event PreToolUse" + orBlockSh:                      true, // as it was
		blockingThreads + "/opt/bin/permgate hook --host gen --event PreToolUse":                true, // as it was
		oneThread + "/opt/bin/permgate hook --host gen --event PreToolUse":                      true,
		oneThread + "/opt/bin/permgate hook --host gen --event PreToolUse; rm -rf x":            false,
		blockingThreads + "/opt/bin/permgate hook --host gen --event PreToolUse; rm -rf x":      false,
		Blocking + "/opt/bin/permgate hook --host gen --event PreToolUse; rm -rf x":             false,
		"/opt/bin/permgate hook --host gen --event PreToolUse || /bin/sh -c 'rm -rf x; exit 2'": false,
		"/opt/bin/permgate hook --host gen --event PreToolUse":                                  true,
		"/opt/bin/permgate hook --host gen --event PreToolUse; rm -rf x":                        false,
		"/opt/bin/permgate hook --host gen --event PreToolUse || rm -rf x":                      false,
		"/opt/bin/permgate hook $(rm -rf x)":                                                    false,
		"'/opt/bin/permgate' hook --host gen --event PreToolUse":                                false, // not as install writes it
		"/opt/bin/permgate hook --host gen --event PreToolUse --headless":                       true,  // only stricter
		"/opt/bin/permgate hook --host gen --event PreToolUse --home /x":                        false,
		"/opt/bin/permgate hook --host gen --event PermissionRequest":                           false,
	} {
		d := parse(t, `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": `+edit.Quote(command)+`}]}]}}`)
		found := Find(h, places(h)[0], d, exe)
		if len(found) != 1 || found[0].Plain != want {
			t.Errorf("%s: %+v", command, found)
		}
	}
}

func TestOurs(t *testing.T) {
	for _, tt := range []struct {
		handler string
		want    bool
	}{
		{`{"command": "permgate hook --host gen"}`, true},
		{`{"command": "'/opt/my bin/permgate' hook"}`, true},
		{`{"command": "\"/opt/my bin/permgate\" hook || exit 2"}`, true},
		{`{"command": "/opt/my\\ bin/permgate hook"}`, true},
		{`{"command": "C:\\Program Files\\permgate.exe", "args": ["hook"]}`, true},
		{`{"command": "/opt/bin/permgate", "args": ["hook", "--host", "claude"]}`, true},
		{`{"command": "/opt/bin/permgate", "args": ["check"]}`, false},
		{`{"command": "/opt/bin/permgate", "args": []}`, false},
		{`{"command": "permgate check 'x'"}`, false},
		{`{"command": "permgate-audit hook"}`, false},
		{`{"command": "echo permgate hook"}`, false},
		{`{"type": "prompt", "prompt": "permgate hook"}`, false},
		{`{"command": "permgate hook --headless --add-dir=/x --host gen || exit 2"}`, true},
		{`{"command": "permgate hook --host gen` + strings.ReplaceAll(orBlockSh, `"`, `\"`) + `"}`, true},
		{`{"command": "` + strings.ReplaceAll(Blocking, `"`, `\"`) + `'/opt/my bin/permgate' hook --host gen"}`, true},
		{`{"command": "/bin/sh -c 'beep' permgate /opt/bin/permgate hook --host gen"}`, false},
		{`{"command": "` + strings.ReplaceAll(Blocking, `"`, `\"`) + `/opt/acme/permgate hook --config x"}`, false},
		{`{"command": "permgate hook --host gen; beep"}`, true},
		// another program of that name
		{`{"command": "/opt/acme/permgate hook /etc/acme.toml"}`, false},
		{`{"command": "/opt/acme/permgate hook --config x"}`, false},
		{`{"command": "/opt/acme/permgate", "args": ["hook", "--config", "x"]}`, false},
	} {
		v, err := hujson.Parse([]byte(tt.handler))
		if err != nil {
			t.Fatal(err)
		}
		if got := ours(&v); got != tt.want {
			t.Errorf("%s: got %v", tt.handler, got)
		}
	}
}

func TestCopy(t *testing.T) {
	claude := parse(t, `{"hooks": {"PreToolUse": [
  {"matcher": "Bash", "hooks": [
    {"type": "command", "command": "${CLAUDE_PROJECT_DIR}/x y.sh", "args": ["a b", "c"], "timeout": 5}, // why
    {"type": "command", "command": "permgate hook --host claude"}
  ]},
  {"hooks": [{"type": "command", "command": "/opt/bin/permgate", "args": ["hook"]}]},
  {"hooks": [{"type": "command", "command": "log.sh"}]}
]}}`)
	d := parse(t, "{}")
	n, err := Copy(d, claude, "PreToolUse")
	if err != nil || n != 2 {
		t.Fatalf("copied %d: %v", n, err)
	}
	want := `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "\"${CLAUDE_PROJECT_DIR}/x y.sh\" 'a b' c",
            "timeout": 5
          }
        ]
      },
      {
        "hooks": [
          {
            "type": "command",
            "command": "log.sh"
          }
        ]
      }
    ]
  }
}`
	if diff := cmp.Diff(want, string(d.Bytes())); diff != "" {
		t.Error(diff)
	}
	if !Others(claude, "PreToolUse") || Others(claude, "PermissionRequest") {
		t.Error("Others")
	}
}

func TestRecommend(t *testing.T) {
	h := Lookup("claude")
	d := parse(t, "{\n  // mine\n  \"hosts\": {\"claude\": {\"onUnmatched\": \"ask\"}}\n}\n")
	added, err := Recommend(h, d, true)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  // mine\n  \"hosts\": {\"claude\": {\"onUnmatched\": \"ask\", \"catastrophic\": \"deny\", \"destructive\": \"practical\", \"secrets\": \"ask\", \"subagents\": \"host\", \"projectTrust\": \"require\", \"expandScripts\": true, \"rememberYes\": true, \"$posture\": 2}}\n}\n"
	if got := string(d.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(added) != 7 {
		t.Errorf("added %v", added)
	}
	if added, _ = Recommend(h, d, true); len(added) != 0 {
		t.Errorf("the second time added %v", added)
	}
	newer := `{"hosts": {"claude": {"$posture": 99}}}`
	d = parse(t, newer)
	if added, err := Recommend(h, d, true); err == nil || len(added) != 0 || string(d.Bytes()) != newer {
		t.Errorf("what a newer permgate wrote became %s: %v", d.Bytes(), err)
	}
}

// TestObserve checks that --enforce takes out what --observe put in, and nothing else.
func TestObserve(t *testing.T) {
	h := Lookup("claude")
	for _, tt := range []struct{ text, on, off string }{
		{`{"hosts": {"claude": {"a": 1}}}`, `{"hosts": {"claude": {"a": 1, "enforce": false}}}`, `{"hosts": {"claude": {"a": 1}}}`},
		{`{"hosts": {"claude": {"enforce": true}}}`, `{"hosts": {"claude": {"enforce": false}}}`, `{"hosts": {"claude": {}}}`},
	} {
		d := parse(t, tt.text)
		for range 2 {
			if err := Observe(h, d, true); err != nil || string(d.Bytes()) != tt.on {
				t.Errorf("%s: on: %s %v", tt.text, d.Bytes(), err)
			}
		}
		for range 2 {
			if err := Observe(h, d, false); err != nil || string(d.Bytes()) != tt.off {
				t.Errorf("%s: off: %s %v", tt.text, d.Bytes(), err)
			}
		}
	}
}

// TestOff checks every switch of the table in a file of its own.
func TestOff(t *testing.T) {
	const managed = "/sys"
	for _, h := range Hosts() {
		d := Dirs{Home: "/home/u", Project: "/w/app", System: managed, Getenv: func(string) string { return "" }}
		for i := range h.Register.Off {
			o := &h.Register.Off[i]
			names := d.offFiles(h, o)
			if len(names) == 0 {
				t.Errorf("%s: no file for %+v", h.Name, o)
			}
			for _, name := range names {
				for _, value := range [...]string{"true", "false", `"permgate"`} {
					text := jsonSwitch(o.Key, value)
					if value[0] == '"' && o.Value[0] != '"' {
						continue
					} else if value[0] == '"' {
						text = jsonSwitch(o.Key, `["others", "permgate"]`)
					}
					if strings.HasSuffix(name, ".toml") {
						text = tomlSwitch(o.Key, value)
					}
					got := d.Off(h, hookio.ForUser, func(n string) []byte {
						if n == name {
							return []byte(text)
						}
						return nil
					}, func(n string) string { return n })
					if (len(got) > 0) != (value == o.Value) {
						t.Errorf("%s: %s: %s: %+v", h.Name, name, text, got)
					} else if len(got) > 0 && !strings.HasPrefix(got[0].Place, name+":") {
						t.Errorf("place %s", got[0].Place)
					}
				}
			}
		}
	}
}

// TestOffBelow checks that a switch in a folder between the project and the
// working directory is found: a program started there reads that file.
func TestOffBelow(t *testing.T) {
	d := Dirs{Home: "/home/u", Project: "/w/app", Cwd: "/w/app/a/b", Getenv: func(string) string { return "" }}
	for name, want := range map[string]int{
		"/w/app/.claude/settings.json":           1,
		"/w/app/a/.claude/settings.json":         1,
		"/w/app/a/b/.claude/settings.local.json": 1,
		"/w/.claude/settings.json":               0,
		"/w/app/x/.claude/settings.json":         0,
	} {
		got := d.Off(Lookup("claude"), hookio.ForUser, func(n string) []byte {
			if n == filepath.FromSlash(name) {
				return []byte(`{"disableAllHooks": true}`)
			}
			return nil
		}, func(n string) string { return n })
		if len(got) != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func jsonSwitch(key, value string) string {
	for _, k := range slices.Backward(strings.Split(key, ".")) {
		value = `{"` + k + `": ` + value + "}"
	}
	return value
}

func tomlSwitch(key, value string) string {
	if table, k, ok := strings.Cut(key, "."); ok {
		return "# mine\n[" + table + "]\n" + k + " = " + value + " # off\n"
	}
	return key + "=" + value
}

func TestOffTOML(t *testing.T) {
	off := &hookio.OffSwitch{Path: "/c.toml", Key: "features.hooks", Value: "false"}
	for text, want := range map[string]string{
		"[features]\nhooks = false\n":            "c:2",
		"features.hooks = false":                 "c:1",
		"features = { web = true, hooks=false }": "c:1",
		"[ \"features\" ]\r\n hooks=false\r\n":   "c:2",
		"[features]\nhooks = true\n":             "",
		"[other]\nhooks = false\n":               "",
		"# [features]\n# hooks = false":          "",
		"[features]\n[x]\nhooks = false":         "",
	} {
		if got := isOff(off, "c", []byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPath(t *testing.T) {
	codex := Lookup("codex").Register
	for _, tt := range []struct{ path, env, want string }{
		{"~/.codex/hooks.json", "", "/home/u/.codex/hooks.json"},
		{"~/.codex/hooks.json", "/c", "/c/hooks.json"},
		{"~/.codex/hooks.json", "relative", "/home/u/.codex/hooks.json"},
		{".codex/hooks.json", "/c", "/w/app/.codex/hooks.json"},
		{"/etc/codex/requirements.toml", "/c", "/sys/codex/requirements.toml"},
	} {
		d := Dirs{Home: "/home/u", Project: "/w/app", System: "/sys", Getenv: func(string) string { return tt.env }}
		if got := d.Path(codex, tt.path); got != tt.want {
			t.Errorf("%s with %q: %s", tt.path, tt.env, got)
		}
	}
}

// TestHosts checks the table itself.
func TestHosts(t *testing.T) {
	for _, h := range Hosts() {
		r := h.Register
		if Lookup(h.Name) != h || h.Title == "" || r.Source == "" || len(r.Events) == 0 || len(r.Programs) == 0 || r.Folder == "" || r.Timeout == "" || (len(r.Command) == 0) == !r.Exec {
			t.Errorf("%s: %+v", h.Name, r)
		}
		gates := false
		for _, ev := range r.Events {
			gates = gates || ev.Gates
			if ev.Gates && ev.Records || ev.Async && !ev.Records {
				t.Errorf("%s: %+v", h.Name, ev)
			}
		}
		if !strings.HasPrefix(Usual(h, runtime.GOOS), "~/") {
			t.Errorf("%s: usual file %q", h.Name, Usual(h, runtime.GOOS))
		}
		if !gates || places(h)[0].Scope != hookio.ForUser {
			t.Errorf("%s: no gate, or not the user's file first", h.Name)
		}
		defers := false
		for _, k := range r.Posture {
			parse(t, `{"k": `+k.JSON+`}`)
			defers = defers || k.Name == "onUnmatched"
		}
		if defers == h.SilenceRuns {
			t.Errorf("%s: silence runs the tool: %v, posture defers: %v", h.Name, h.SilenceRuns, defers)
		}
	}
}
