package hookio

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// malformed are calls that are read but must not be believed.
var malformed = []struct{ name, in, want string }{
	{"command twice", `{"tool_name":"Bash","tool_input":{"command":"ls","command":"rm x"}}`, `tool_input has the key "command" twice`},
	{"escaped key", `{"tool_name":"Bash","tool_input":{"command":"ls","comm\u0061nd":"rm x"}}`, `key "command" twice`},
	{"upper case", `{"tool_name":"Bash","tool_input":{"command":"rm x","COMMAND":"ls"}}`, "only in case"},
	{"only upper case", `{"tool_name":"Bash","tool_input":{"COMMAND":"ls"}}`, "only in case"},
	{"long s", `{"tool_name":"Grep","tool_input":{"path":"a","path\u017f":"b","pathS":"c"}}`, "only in case"},
	{"kelvin sign", `{"tool_name":"Skill","tool_input":{"skill":"a","s\u212aill":"b"}}`, "only in case"},
	{"unknown keys that fold", `{"tool_name":"mcp__a__b","tool_input":{"x":1,"X":2}}`, "only in case"},
	{"unknown key twice", `{"tool_name":"mcp__a__b","tool_input":{"x":1,"x":2}}`, "twice"},
	{"flag in other case", `{"tool_name":"Bash","tool_input":{"command":"ls","DangerouslyDisableSandbox":true}}`, "only in case"},
	{"list for a command", `{"tool_name":"Bash","tool_input":{"command":["ls"]}}`, "command is not a string"},
	{"null command", `{"tool_name":"Bash","tool_input":{"command":null}}`, `tool_input of "Bash" has no command`},
	{"number", `{"tool_name":"PowerShell","tool_input":{"command":1}}`, "command is not a string"},
	{"missing command", `{"tool_name":"Bash","tool_input":{"comand":"ls"}}`, `tool_input of "Bash" has no command`},
	{"empty command", `{"tool_name":"Bash","tool_input":{"command":""}}`, "command is empty"},
	{"blank command", `{"tool_name":"Bash","tool_input":{"command":" \n"}}`, "command is empty"},
	{"monitor without either", `{"tool_name":"Monitor","tool_input":{"description":"x"}}`, "has no command"},
	{"monitor with a null ws", `{"tool_name":"Monitor","tool_input":{"ws":null}}`, "has no command"},
	{"NUL", `{"tool_name":"Bash","tool_input":{"command":"ls\u0000"}}`, "NUL"},
	{"lone surrogate", `{"tool_name":"Bash","tool_input":{"command":"ls \ud800"}}`, "Unicode"},
	{"surrogates in the wrong order", `{"tool_name":"Bash","tool_input":{"command":"ls \udc00\ud800"}}`, "Unicode"},
	{"invalid UTF-8", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls \xff\"}}", "Unicode"},
	{"replacement character", `{"tool_name":"Read","tool_input":{"file_path":"a\ufffd"}}`, "Unicode"},
	{"invalid key", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\",\"comm\xffand\":\"x\"}}", "not valid text"},
	{"missing path", `{"tool_name":"Edit","tool_input":{"old_string":"a","new_string":"b"}}`, "has no file_path or notebook_path or path"},
	{"path of no known name only", `{"tool_name":"Edit","tool_input":{"filePath":"a"}}`, "has no file_path"},
	{"empty path", `{"tool_name":"Write","tool_input":{"file_path":"","path":"a"}}`, "file_path is empty"},
	{"object for a path", `{"tool_name":"Write","tool_input":{"file_path":{"a":1}}}`, "file_path is not a string"},
	{"second path of a wrong type", `{"tool_name":"Write","tool_input":{"file_path":"a","path":["b"]}}`, "path is not a string"},
	{"number for the path of a search", `{"tool_name":"Grep","tool_input":{"pattern":"x","path":7}}`, "path is not a string"},
	{"paths of a wrong type", `{"tool_name":"Edit","tool_input":{"file_path":"a","paths":[1]}}`, "paths is not a string"},
	{"edits of a wrong type", `{"tool_name":"Edit","tool_input":{"file_path":"a","edits":{"file_path":"b"}}}`, "edits is not a list"},
	{"edit of a wrong type", `{"tool_name":"Edit","tool_input":{"file_path":"a","edits":["b"]}}`, "not an object"},
	{"edit with a folded key", `{"tool_name":"Edit","tool_input":{"file_path":"a","edits":[{"File_Path":"b"}]}}`, "only in case"},
	{"url twice", `{"tool_name":"WebFetch","tool_input":{"url":"https://a/","URL":"https://b/"}}`, "only in case"},
	{"missing url", `{"tool_name":"WebFetch","tool_input":{"prompt":"x"}}`, "has no url"},
	{"agent of a wrong type", `{"tool_name":"Agent","tool_input":{"subagent_type":1}}`, "not a string"},
	{"patch without files", `{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** End Patch"}}`, "names no file"},
	{"patch with an unknown header", `{"tool_name":"apply_patch","tool_input":{"command":"*** Add File: a\n*** Copy File: b\n"}}`, "unknown header"},
	{"patch header without a path", `{"tool_name":"apply_patch","tool_input":{"command":"*** Add File: a\n*** Move to: \n"}}`, "without a path"},
	{"input is a list", `{"tool_name":"Bash","tool_input":["ls"]}`, "tool_input is not an object"},
	{"input is null", `{"tool_name":"TaskList","tool_input":null}`, "tool_input is not an object"},
	{"input is text", `{"tool_name":"Bash","tool_input":"{\"command\":\"ls\"}"}`, "tool_input is not an object"},
	{"too many keys", `{"tool_name":"mcp__a__b","tool_input":{` + manyKeys(300) + `}}`, "too many keys"},
	{"tool name twice", `{"tool_name":"Read","tool_name":"Bash","tool_input":{"command":"ls"}}`, `payload has the key "tool_name" twice`},
	{"tool input twice", `{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_input":{"command":"rm x"}}`, "twice"},
	{"tool input in other case", `{"tool_name":"Bash","tool_input":{"command":"ls"},"Tool_Input":{"command":"rm x"}}`, "only in case"},
	{"mode with a long s", `{"tool_name":"Bash","tool_input":{"command":"ls"},"permi\u017f\u017fion_mode":"bypassPermissions"}`, "only in case"},
	{"cwd of a wrong type", `{"tool_name":"Bash","tool_input":{"command":"ls"},"cwd":["/"]}`, "cwd is not a string"},
	{"agent id of a wrong type", `{"tool_name":"Bash","tool_input":{"command":"ls"},"agent_id":7}`, "agent_id is not a string"},
	{"event of a wrong type", `{"tool_name":"Bash","tool_input":{"command":"ls"},"hook_event_name":1}`, "hook_event_name is not a string"},
	{"NUL in the tool name", `{"tool_name":"Bash\u0000","tool_input":{"command":"ls"}}`, "NUL"},
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"k` + strings.Repeat("x", i) + `":1`)
	}
	return b.String()
}

// unreadable are payloads without a call.
var unreadable = []struct{ name, in, want string }{
	{"nothing", "", "no payload"},
	{"blanks", " \n\t", "no payload"},
	{"half a mark", "\xef\xbb", "no payload"},
	{"list", `[{"tool_name":"Bash"}]`, "not a JSON object"},
	{"text", `hello`, "not a JSON object"},
	{"UTF-16", "\xff\xfe{\x00}\x00", "not a JSON object"},
	{"mark in the wrong place", " \xef\xbb\xbf{}", "not a JSON object"},
	{"half a mark and an object", "\xef\xbb {}", "not a JSON object"},
	{"cut", `{"tool_name":"Bash","tool_input":{"command":"ls`, "ends before"},
	{"cut after an escape", `{"tool_name":"Bash\`, "ends before"},
	{"two values", `{"tool_name":"Bash","tool_input":{"command":"ls"}}{}`, "after its JSON object"},
	{"text after", `{"tool_name":"Bash","tool_input":{"command":"ls"}} x`, "after its JSON object"},
	{"brackets", `{"a":[}]`, "not valid JSON"},
	{"trailing comma", `{"tool_name":"Bash","tool_input":{"command":"ls",}}`, "not valid JSON"},
	{"comment", `{"tool_name":"Bash",/* */"tool_input":{"command":"ls"}}`, "not valid JSON"},
	{"raw line break", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"l\ns\"}}", "not valid JSON"},
	{"bad escape", `{"tool_name":"B\x61sh"}`, "not valid JSON"},
	{"deep objects", strings.Repeat(`{"a":`, 5000), "nests over 200"},
	{"deep lists", `{"a":` + strings.Repeat("[", 1<<20), "nests over 200"},
	{"empty object", `{}`, "no tool call"},
	{"no tool name", `{"tool_input":{"command":"ls"}}`, "no tool call"},
	{"null tool name", `{"tool_name":null,"tool_input":{"command":"ls"}}`, "no tool call"},
	{"empty tool name", `{"tool_name":"","tool_input":{"command":"ls"}}`, "no tool call"},
	{"no tool input", `{"tool_name":"Bash"}`, "no tool call"},
}

func TestMalformed(t *testing.T) {
	for _, tt := range malformed {
		c := read(t, tt.in, Options{})
		if !strings.Contains(c.Malformed, tt.want) {
			t.Errorf("%s: malformed %q, want %q", tt.name, c.Malformed, tt.want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	for _, tt := range unreadable {
		for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.DataErrReader(strings.NewReader(tt.in))} {
			c, err := Read(r, Options{})
			if c != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: call %v, error %v, want %q", tt.name, c, err, tt.want)
			}
		}
	}
	if _, err := Read(iotest.ErrReader(io.ErrClosedPipe), Options{}); err == nil || !strings.Contains(err.Error(), "closed pipe") {
		t.Error(err)
	}
}

func TestReadable(t *testing.T) {
	for _, in := range []string{
		"\xef\xbb\xbf{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls \\\"}\\\\\"}}\r\n ",
		`  {"tool_input":{"comm\u0061nd":"ls \"}\\"},"x":[{"y":"]"}],"tool_name":"B\u0061sh"}`,
		`{"tool_name":"Bash","tool_input":{"command":"ls \"}\\","headers":{"A":1,"a":2}}}`,
		`{"tool_name":"Bash","tool_input":{"command":"ls \"}\\"},"deep":` + strings.Repeat("[", 199) + strings.Repeat("]", 199) + `}`,
	} {
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)), iotest.DataErrReader(strings.NewReader(in))} {
			c, err := Read(r, Options{})
			if err != nil {
				t.Fatalf("%.80s: %v", in, err)
			}
			if c.Tool != "Bash" || c.Command != `ls "}\` || c.Malformed != "" {
				t.Errorf("%.80s: %q %q %q", in, c.Tool, c.Command, c.Malformed)
			}
		}
	}
	c := read(t, `{"tool_name":"Monitor","tool_input":{"ws":{"url":"wss://x"},"description":"d"}}`, Options{})
	if c.Malformed != "" || c.Command != "" {
		t.Errorf("monitor of a web socket: %q", c.Malformed)
	}
}

// TestOpenPipe reads from a host that never closes its end.
func TestOpenPipe(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		for _, part := range []string{"\xef", "\xbb\xbf{\"tool_name\":\"Bash\",", `"tool_input":{"command":"ls"}`, "}"} {
			io.WriteString(w, part)
		}
	}()
	c, err := Read(r, Options{})
	if err != nil || c.Command != "ls" {
		t.Fatal(c, err)
	}
}

func TestTooLong(t *testing.T) {
	body := func(n int) string {
		head, tail := `{"hook_event_name":"PermissionRequest","transcript_path":"/h/.claude/t","tool_name":"Bash","tool_input":{"command":"`, `"}}`
		return head + strings.Repeat("a", n-len(head)-len(tail)) + tail
	}
	c, err := Read(strings.NewReader(body(MaxPayload)+"\n"), Options{})
	if err != nil || c.Malformed != "" {
		t.Fatal("the largest payload:", err)
	}
	for _, open := range []bool{false, true} {
		r, w := io.Pipe()
		go func() {
			io.WriteString(w, body(MaxPayload+1))
			if !open {
				w.Close()
			}
		}()
		c, err := Read(r, Options{})
		if p, ok := err.(*Problem); !ok || !p.TooLong || c == nil {
			t.Fatal(c, err)
		}
		if c.Host != &claude || c.Event != PermissionRequest || c.Tool != "Bash" || c.Malformed == "" {
			t.Errorf("%+v", c)
		}
	}
	c, err = Read(strings.NewReader(`{"tool_name":"Bash","tool_input":{"command":"`+strings.Repeat("a", MaxPayload)), Options{Host: "codex"})
	if err == nil || c == nil || c.Host != &codex || c.Event != PreToolUse {
		t.Fatal(c, err)
	}
	if out := string(Write(nil, c, Answer{Decision: Deny, Reason: err.Error()})); !strings.Contains(out, `"deny"`) {
		t.Error(out)
	}
	c, err = Read(strings.NewReader(`{"hook_event_name":"PostToolUse","tool_response":"`+strings.Repeat("a", MaxPayload)), Options{})
	if err == nil || c == nil || c.Event.Decides() {
		t.Fatal(c, err)
	}
	c, err = Read(strings.NewReader(strings.Repeat(" ", MaxPayload+1)+`{"tool_name":"Bash"}`), Options{})
	if p, ok := err.(*Problem); !ok || !p.TooLong || c == nil {
		t.Fatal("blanks before the object:", c, err)
	}
}
