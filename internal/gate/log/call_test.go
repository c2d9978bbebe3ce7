package log

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/examples"
)

// planted calls f with every example of the table and the secrets in it.
func planted(f func(shape, in string, secrets []string)) {
	for _, e := range examples.Read("../../../hookio/redact/testdata") {
		in, secrets := "", []string(nil)
		for rest := e.Cmd; rest != ""; {
			before, after, _ := strings.Cut(rest, "«")
			in += before
			var secret string
			if secret, rest, _ = strings.Cut(after, "»"); secret != "" {
				in += secret
				secrets = append(secrets, secret)
			}
		}
		f(e.Program, in, secrets)
	}
	for i, secret := range madeUp {
		mark := [...]string{"acme_", "zorp-live-", "kv_pat_", "wobble-"}[i%4]
		form := [...]string{"tool %", "tool -t%", "curl -d x=% https://h/", "echo '%' > f", "git clone https://%@h/x"}[i%5]
		f("made up", strings.Replace(form, "%", mark+secret, 1), []string{secret})
	}
}

// madeUp are the random parts of tokens of issuers that no one knows.
var madeUp = strings.Fields("9fK2mQ8xZr4TbVw7Lp3N k3j9x0q2m8n4b7v1c6z5 Zt81bQXa93LmPw0RkdT2 aGVsbG8Kd29ybGQxMjM0NTY3 7HdJ2sKq9VbN4xZc6MwE1rTy 0qW3eR5tY7uI9oP1aS2d " +
	"mX8vB2nL6kJ4hG0fD9sA QZ47WSX28EDC61RFV93T b2x9k4w7m1q8r5t3y6u0 J8dk2LsP0qZx7Cv5Bn3M Xy12Zw34Vu56Ts78Rq90 pLm0oKn9iJb8uHv7gYc6 4TfRdE3sWaQ1zXcVbN2m r7T8y9U1i2O3p4A5s6D7 " +
	"HkQ2w9ErT5yUiO8pAsD3fG6h c4X2z9B7n1M5q8W3e6R0 Vb5nM7kL2jH4gF9dS1aP e1R2t3Y4u5I6o7P8a9S0 nQ6wE8rT0yU2iO4pA9sD 8sDf6GhJ4kLz2XcV0bNm")

// survivor returns a secret that is in a line, as text or as JSON writes it.
func survivor(line string, secrets []string) string {
	for _, s := range secrets {
		quoted := string(hookio.AppendJSON(nil, s))
		for _, form := range [...]string{s, quoted[1 : len(quoted)-1], hookio.Escape(s)} {
			if len(form) > 3 && strings.Contains(line, form) {
				return s
			}
		}
	}
	return ""
}

// TestSecretsInFields plants every secret in every text of a record.
func TestSecretsInFields(t *testing.T) {
	planted(func(shape, in string, secrets []string) {
		for i := range Fields {
			f := Fields[i].text
			if f == nil {
				continue
			}
			r := full()
			*f(&r) = "before\n" + in + "\nafter"
			r.redact()
			line := string(r.AppendJSON(nil))
			if s := survivor(line, secrets); s != "" || !r.Redacted || !json.Valid([]byte(line)) {
				t.Errorf("%s in %s: %q survives (redacted: %v): %s", shape, Fields[i].Name, s, r.Redacted, line)
			}
		}
		r := full()
		r.Trace = []Entry{{"1", "pass", in}, {"2", "ask", "x " + in}}
		r.redact()
		if s := survivor(string(r.AppendJSON(nil)), secrets); s != "" {
			t.Errorf("%s in the trace: %q survives", shape, s)
		}
	})
}

// call reads a call of a tool whose input is JSON text.
func call(t testing.TB, tool, input string) *hookio.Call {
	t.Helper()
	return callOf(t, "claude", tool, input)
}

func callOf(t testing.TB, host, tool, input string) *hookio.Call {
	t.Helper()
	in := `{"tool_name":` + string(hookio.AppendJSON(nil, tool)) + `,"tool_input":` + input + `}`
	c, err := hookio.Read(strings.NewReader(in), hookio.Options{Host: host})
	if err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	return c
}

// TestSecretsInInput plants every secret in every place an input has for text.
func TestSecretsInInput(t *testing.T) {
	planted(func(shape, in string, secrets []string) {
		q := string(hookio.AppendJSON(nil, in))
		for _, c := range []struct{ tool, input string }{
			{"Bash", `{"command":` + q + `}`},
			{"Bash", `{"command":"ls","description":` + q + `}`},
			{"PowerShell", `{"command":` + q + `}`},
			{"Read", `{"file_path":` + q + `}`},
			{"Write", `{"file_path":"a","content":` + q + `}`},
			{"MultiEdit", `{"file_path":"a","edits":[{"old_string":"x","new_string":` + q + `,"file_path":` + q + `}]}`},
			{"WebFetch", `{"url":` + q + `,"prompt":` + q + `}`},
			{"apply_patch", `{"command":"*** Begin Patch\n*** Add File: a\n+x\n` + q[1:] + `}`},
			{"mcp__a__b", `{"query":` + q + `,"deep":{"list":[1,{"x":` + q + `}]}}`},
			{"mcp__a__b", `{"args":[` + q + `,"x"]}`},
			{"mcp__a__b", `{` + q + `:1}`},
		} {
			call := call(t, c.tool, c.input)
			for _, form := range []func(*hookio.Call) ([]byte, bool){Deciding, whole} {
				out, _ := form(call)
				if s := survivor(string(out), secrets); s != "" || !json.Valid(out) {
					t.Errorf("%s in %s %s: %q survives: %s", shape, c.tool, c.input, s, out)
				}
			}
		}
	})
}

func TestInput(t *testing.T) {
	for _, c := range []struct{ tool, input, deciding, whole string }{
		{"Bash", `{"command":"git status","description":"d","timeout":5}`, `{"command":"git status"}`, `{"command":"git status","description":"d","timeout":5}`},
		{"Write", `{"file_path":"/a","content":"hello"}`, `{"file_path":"/a"}`, `{"file_path":"/a","content":"hello"}`},
		{"MultiEdit", `{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"},{"file_path":"/b"}]}`, `{"file_path":"/a","edits":[{},{"file_path":"/b"}]}`, `{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"},{"file_path":"/b"}]}`},
		{"Grep", `{"pattern":"x","path":"src"}`, `{"path":"src"}`, `{"pattern":"x","path":"src"}`},
		{"WebFetch", `{"url":"https://h/","prompt":"p"}`, `{"url":"https://h/"}`, `{"url":"https://h/","prompt":"p"}`},
		{"mcp__a__b", `{"query":"q","n":1,"ok":true,"none":null,"body":"b"}`, `{"query":"q"}`, `{"query":"q","n":1,"ok":true,"none":null,"body":"b"}`},
		{"mcp__a__b", `{"api_key":"x","password":12,"max_tokens":9,"token":"$T"}`, `{"api_key":"[redacted]","token":"$T"}`, `{"api_key":"[redacted]","password":"[redacted]","max_tokens":9,"token":"$T"}`},
		{"run_commands", `{"commands":["ls","git push"],"x":["a b"]}`, `{"commands":["ls","git push"],"x":[]}`, `{"commands":["ls","git push"],"x":["a b"]}`},
		{"read_file", `{"path":["a"],"more":[{"where":"x/y","content":"b"}]}`, `{"path":["a"],"more":[{"where":"x/y"}]}`, `{"path":["a"],"more":[{"where":"x/y","content":"b"}]}`},
		{"mcp__a__b", `{"options":{"target":"$HOME/x","content":"c d","limit":9},"pages":["a/b","two words"]}`, `{"options":{"target":"$HOME/x"},"pages":["a/b"]}`,
			`{"options":{"target":"$HOME/x","content":"c d","limit":9},"pages":["a/b","two words"]}`},
		{"mcp__a__b", `{"env":[{"name":"DB_PASSWORD","value":"x"},{"name":"A","value":"b"}]}`, `{"env":[{"name":"DB_PASSWORD","value":"[redacted]"},{"name":"A","value":"b"}]}`, `{"env":[{"name":"DB_PASSWORD","value":"[redacted]"},{"name":"A","value":"b"}]}`},
		{"mcp__a__b", `{"argv":["mysql","-phunter2","db"]}`, `{"argv":["mysql","-p[redacted]","db"]}`, `{"argv":["mysql","-p[redacted]","db"]}`},
		{"mcp__a__b", `{"argv":["x","--password","a b","db"]}`, `{"argv":["x","--password","db"]}`, `{"argv":["x","--password","[redacted]","db"]}`},
		{"mcp__a__b", `{"argv":["curl","-u","a:b","h"]}`, `{"argv":["curl","-u","a:[redacted]","h"]}`, `{"argv":["curl","-u","a:[redacted]","h"]}`},
		{"mcp__a__b", `{"argv":["git","show","9fceb02d0ae598e95dc970b74767f19372d61af8"]}`, `{"argv":["git","show","9fceb02d0ae598e95dc970b74767f19372d61af8"]}`, `{"argv":["git","show","9fceb02d0ae598e95dc970b74767f19372d61af8"]}`},
	} {
		call := call(t, c.tool, c.input)
		if got, _ := Deciding(call); string(got) != c.deciding {
			t.Errorf("%s: deciding %s, want %s", c.input, got, c.deciding)
		}
		if got, _ := whole(call); string(got) != c.whole {
			t.Errorf("%s: whole %s, want %s", c.input, got, c.whole)
		}
	}
	patch := `{"command":"*** Begin Patch\n*** Update File: a\n@@\n-old line\n+other\n*** End Patch\n"}`
	for _, host := range []string{"claude", "codex"} { // a patch, and a tool no one knows with the text of one
		was := callOf(t, host, "apply_patch", patch)
		got, _ := Deciding(was)
		again := callOf(t, host, "apply_patch", string(got))
		if strings.Contains(string(got), "line") || host == "codex" && len(was.Args) != 1 || len(again.Args) != len(was.Args) || len(was.Args) > 0 && again.Args[0] != was.Args[0] {
			t.Errorf("%s: %s: %+v", host, got, again.Args)
		}
	}
}

// TestLongInput: a line stays below what readers take.
func TestLongInput(t *testing.T) {
	long := strings.Repeat("a line of text\\n", 20<<10)
	c := call(t, "mcp__a__b", `{"query":"`+long+`","b":"`+long+`","c":"`+long+`","d":["`+long+`"],"e":{"f":"`+long+`","g":"`+long+`"}}`)
	for _, form := range []func(*hookio.Call) ([]byte, bool){Deciding, whole} {
		out, _ := form(c)
		if len(out) > MaxLine/2 || !json.Valid(out) {
			t.Errorf("%d bytes", len(out))
		}
	}
}

// TestHashHidesSecrets: calls that differ in a secret only have one hash, so
// that it cannot be guessed from the hash; others differ.
func TestHashHidesSecrets(t *testing.T) {
	of := func(command string) string {
		r := ofCall(call(t, "Bash", `{"command":"`+command+`"}`), nil)
		return r.InputHash
	}
	if of("TOKEN=a make") != of("TOKEN=b make") || of("make a") == of("make b") || len(of("x")) != 16 {
		t.Error(of("TOKEN=a make"), of("TOKEN=b make"), of("make a"), of("make b"))
	}
}

// FuzzInput: whatever is sent, the input of a record is JSON without the secret.
func FuzzInput(f *testing.F) {
	f.Add(`{"command":"ls"}`, "Bash")
	f.Add(`{"a":[{"b":"TOKEN=x"}],"argv":["-p","y"]}`, "mcp__a__b")
	f.Add(`{"file_path":"\ud800","edits":[{"x":1},2,"s"]}`, "Edit")
	f.Fuzz(func(t *testing.T, input, tool string) {
		in := `{"tool_name":` + string(hookio.AppendJSON(nil, tool)) + `,"tool_input":` + input + `}`
		c, err := hookio.Read(strings.NewReader(in), hookio.Options{Host: "claude"})
		if err != nil || !c.Input.IsObject() {
			return
		}
		for _, form := range []func(*hookio.Call) ([]byte, bool){Deciding, whole} {
			if out, _ := form(c); !json.Valid(out) {
				t.Fatalf("%q", out)
			}
		}
		r := ofCall(c, nil)
		r.Time, r.Event = full().Time, EventDecision
		r.redact()
		if _, ok := Parse(r.AppendJSON(nil)); !ok {
			t.Fatalf("%q cannot be read", r.AppendJSON(nil))
		}
	})
}

// TestOutcomeMeetsDecision: for every host and example, what the same payload
// says after the call leads back to the decision, by id or by hash.
func TestOutcomeMeetsDecision(t *testing.T) {
	for _, h := range hookio.Hosts() {
		after := ""
		for _, e := range h.Events {
			if e.Event == hookio.PostToolUse {
				after = e.Name
			}
		}
		for _, e := range h.Examples() {
			before, err := hookio.Read(strings.NewReader(e.In), hookio.Options{Host: h.Name, Event: string(e.Event)})
			if h.Name == "cursor" && before != nil && before.RawEvent != "preToolUse" {
				continue // its events before a command or an MCP call have no id, and other fields than the one after
			}
			if err != nil || after == "" || before.Event != hookio.PreToolUse || !strings.Contains(e.In, `"`+before.RawEvent+`"`) {
				continue
			}
			in := strings.Replace(e.In, `"`+before.RawEvent+`"`, `"`+after+`"`, 1)
			in = strings.Replace(in, `"PreToolUse"`, `"PostToolUse"`, 1) // the second spelling
			call, err := hookio.Read(strings.NewReader(in), hookio.Options{Host: h.Name, Event: after})
			if err != nil || call.Event != hookio.PostToolUse {
				t.Errorf("%s, %s: %+v, %v", h.Name, e.Name, call, err)
				continue
			}
			d, o := ofCall(before, nil), Outcome(call, nil)
			if o.Session != d.Session || (o.CallID == "" || o.CallID != d.CallID) && (o.InputHash == "" || o.InputHash != d.InputHash) {
				t.Errorf("%s, %s: %s %s %s, the decision %s %s %s", h.Name, e.Name, o.Session, o.CallID, o.InputHash, d.Session, d.CallID, d.InputHash)
			}
		}
	}
}
