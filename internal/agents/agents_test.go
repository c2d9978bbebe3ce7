package agents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"permgate/internal/edit"
)

const exe = "/opt/bin/permgate"

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

// TestRegister checks that registering twice is registering once, and that
// taking the entries out again gives back every byte.
func TestRegister(t *testing.T) {
	for i := range List {
		a := &List[i]
		for _, tt := range settings {
			t.Run(a.Name+" "+tt.name, func(t *testing.T) {
				d := parse(t, tt.text)
				if err := a.Register(d, exe); err != nil {
					t.Fatal(err)
				}
				once := string(d.Bytes())
				again := parse(t, once)
				if err := a.Register(again, exe); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(once, string(again.Bytes())); diff != "" {
					t.Errorf("the second time changed something (-once +twice)\n%s", diff)
				}
				n, err := Unregister(again)
				if err != nil || n != len(a.Events) {
					t.Errorf("removed %d entries: %v", n, err)
				}
				if diff := cmp.Diff(tt.text, string(again.Bytes())); diff != "" {
					t.Errorf("not as before (-before +after)\n%s", diff)
				}
			})
		}
	}
}

func TestEntry(t *testing.T) {
	for _, tt := range []struct{ agent, exe, event, want string }{
		{"claude", exe, "PreToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"/opt/bin/permgate","args":["hook","--host","claude","--event","PreToolUse"],"timeout":10,"onFailure":"block"}]}`},
		{"claude", "/opt/my bin/permgate", "PermissionRequest", `{"matcher":"*","hooks":[{"type":"command","command":"/opt/my bin/permgate","args":["hook","--host","claude","--event","PermissionRequest"],"timeout":10}]}`},
		{"gen", "/opt/it's/permgate", "PreToolUse", `{"matcher":"*","hooks":[{"type":"command","command":"'/opt/it'\\''s/permgate' hook --host gen --event PreToolUse || exit 2","timeout":10}]}`},
		{"san", exe, "PermissionRequest", `{"matcher":"*","hooks":[{"type":"command","command":"/opt/bin/permgate hook --host san --event PermissionRequest","timeout":10}]}`},
	} {
		if got := Lookup(tt.agent).Entry(tt.exe, tt.event); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.agent, tt.event, got, tt.want)
		}
	}
}

// TestUpdate checks that an entry of an older binary is brought up to date in
// place, and that what the user added to it stays.
func TestUpdate(t *testing.T) {
	d := parse(t, `{"hooks": {
  "PreToolUse": [
    {"hooks": [
      {"type": "command", "command": "/old/permgate hook --host claude", "timeout": 30, "statusMessage": "gate"}
    ]}
  ]
}}`)
	a := *Lookup("claude")
	a.Events = []string{"PreToolUse"}
	if err := a.Register(d, exe); err != nil {
		t.Fatal(err)
	}
	want := `{"hooks": {
  "PreToolUse": [
    {"hooks": [
      {"type": "command", "command": "/opt/bin/permgate", "timeout": 30, "statusMessage": "gate", "args": ["hook", "--host", "claude", "--event", "PreToolUse"], "onFailure": "block"}
    ]}
  ]
}}`
	if diff := cmp.Diff(want, string(d.Bytes())); diff != "" {
		t.Error(diff)
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
	} {
		v, err := hujson.Parse([]byte(tt.handler))
		if err != nil {
			t.Fatal(err)
		}
		if got := Ours(&v); got != tt.want {
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
	n, err := Lookup("gen").Copy(d, claude, "PreToolUse")
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
	if Others(claude, "PreToolUse") != 2 || !Native(d, "PreToolUse") || Native(d, "PermissionRequest") {
		t.Error("Others or Native")
	}
}

func TestRecommend(t *testing.T) {
	a := Lookup("claude")
	d := parse(t, "{\n  // mine\n  \"hosts\": {\"claude\": {\"onUnmatched\": \"ask\"}}\n}\n")
	added, err := a.Recommend(d)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  // mine\n  \"hosts\": {\"claude\": {\"onUnmatched\": \"ask\", \"catastrophic\": \"deny\", \"subagents\": \"host\", \"projectTrust\": \"require\", \"expandScripts\": true}}\n}\n"
	if got := string(d.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(added) != 4 {
		t.Errorf("added %v", added)
	}
	if added, _ = a.Recommend(d); len(added) != 0 {
		t.Errorf("the second time added %v", added)
	}
}

// TestList checks the table itself.
func TestList(t *testing.T) {
	for i := range List {
		a := &List[i]
		if Lookup(a.Name) != a || a.Title == "" || !strings.HasPrefix(a.Folder, ".") || a.Source == "" || len(a.Events) == 0 || a.ManagedDir() == "" {
			t.Errorf("%+v", a)
		}
		for _, k := range a.Posture {
			parse(t, `{"k": `+k.JSON+`}`)
		}
	}
}
