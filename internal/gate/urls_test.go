package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/rules"
)

const urlsFile = `{"urls": {"deny": ["https://h.test/private/*", "evil.test", "*.bad.test", "k.test:8443"],
  "allow": ["ok.test", "http://localhost:3000", "https://o.test/docs/*", "ssh://git.test", "https://h.test"]}}`

// TestURLs: what "urls" makes of calls, where all of Bash and an MCP server are allowed.
func TestURLs(t *testing.T) {
	with, without := urlsWorld(t, urlsFile), urlsWorld(t, "{}")
	auto := urlsWorldWith(t, urlsFile, `{"permissions": {"allow": ["Bash", "mcp__m"], "defaultMode": "auto"}}`)
	for _, row := range []struct {
		tool, operand string
		want          hookio.Decision
		step          string
	}{
		{"Bash", "curl https://h.test/private/x", hookio.Deny, "1"},
		{"Bash", "curl h.test/private/x", hookio.Deny, "1"},
		{"Bash", "curl -L http://h.test/private", hookio.Deny, "1"},
		{"Bash", `wget 'https://h.test\private\x'`, hookio.Deny, "1"},
		{"Bash", "wget https://h.test/a/../%70rivate/x", hookio.Deny, "1"},
		{"Bash", "curl https://h.test/{a,private}/x", hookio.Deny, "1"},
		{"Bash", "curl 'https://h.test/{a,private}/x'", hookio.Ask, "2"}, // which curl expands
		{"Bash", "curl --request-target /private/x https://h.test/", hookio.Ask, "2"},
		{"Bash", "curl https://h.test/$X", hookio.Ask, "2"},
		{"Bash", "curl https://h.test/private/$X", hookio.Ask, "2"},
		{"Bash", `curl "https://h.test/a?q=$X"`, hookio.Allow, "6"},
		{"Bash", "curl https://h.test/public", hookio.Allow, "6"},
		{"Bash", "pip install -i https://h.test/private/simple x", hookio.Deny, "1"},
		{"Bash", "git clone https://evil.test/x", hookio.Deny, "1"},
		{"Bash", "git clone git@evil.test:x/y", hookio.Deny, "1"},
		{"Bash", "curl https://bad.test https://ok.test", hookio.Deny, "1"},
		{"Bash", "curl https://k.test:8443/", hookio.Deny, "1"},
		{"Bash", "curl https://k.test/", hookio.Ask, "5"},
		{"Bash", "curl https://ok.test/x", hookio.Allow, "6"},
		{"Bash", "curl https://ok.test/$X", hookio.Allow, "6"},
		{"Bash", "curl --path-as-is https://o.test/docs//../a", hookio.Ask, "5"},
		{"Bash", "curl --path-as-is https://h.test/x//../private/a", hookio.Deny, "1"},
		{"Bash", "curl --resolve ok.test:443:192.0.2.1 https://ok.test/x", hookio.Ask, "5"},
		{"Bash", "curl --dns-serv=192.0.2.1 https://ok.test/x", hookio.Ask, "5"},
		{"Bash", "curl http://ok.test/x", hookio.Ask, "5"},
		{"Bash", "curl ok.test/x", hookio.Ask, "5"},
		{"Bash", "curl http://localhost:3000/x && curl http://localhost:3001/", hookio.Ask, "5"},
		{"Bash", "curl https://o.test/docs/a?b", hookio.Allow, "6"},
		{"Bash", "curl https://o.test/docs/../a", hookio.Ask, "5"},
		{"Bash", "curl https://o.test/docs/$X", hookio.Ask, "5"},
		{"Bash", `curl "$URL"`, hookio.Ask, "5"},
		{"Bash", "curl https://$HOST/", hookio.Ask, "5"},
		{"Bash", "git clone git@git.test:a/b", hookio.Allow, "6"},
		{"Bash", "git push origin main", hookio.Allow, "6"},
		{"Bash", "npm install", hookio.Allow, "6"},
		{"Bash", "echo https://evil.test/", hookio.Allow, "6"},
		{"WebFetch", "https://ok.test/x", hookio.Allow, "6"},
		{"WebFetch", "https://other.test/x", hookio.Ask, "5"},
		{"WebFetch", "https://h.test/private/x", hookio.Deny, "1"},
		{"mcp__m__go", "https://evil.test/x", hookio.Deny, "1"},
		{"mcp__m__go", "HTTPS://evil.test", hookio.Deny, "1"},
		{"mcp__m__go", "see https://evil.test/x", hookio.Allow, "6"},
		{"mcp__m__go", "https://other.test/", hookio.Allow, "6"},
		{"mcp__m__go", `["a", "https://evil.test/x"]`, hookio.Deny, "1"},
		{"Write", "https://evil.test", hookio.Ask, "7"},
	} {
		key, q := "command", string(hookio.AppendJSON(nil, row.operand))
		switch {
		case row.tool == "WebFetch":
			key = "url"
		case row.tool == "Write":
			key = "content"
		case row.tool != "Bash":
			if key = "x"; row.operand[0] == '[' {
				q = row.operand
			}
		}
		input := `{"file_path":"a","` + key + `":` + q + `}`
		if row.tool == "Bash" || row.tool == "WebFetch" {
			input = `{"` + key + `":` + q + `}`
		}
		v := decideIn(t, with, row.tool, input)
		if v.Decision() != row.want || v.Step() != row.step {
			t.Errorf("%s %s: %v in step %s: %s", row.tool, row.operand, v.Decision(), v.Step(), v.Reason())
		}
		if strings.Contains(v.Reason(), `\u0000`) {
			t.Errorf("%s %s: %s", row.tool, row.operand, v.Reason())
		}
		if v := decideIn(t, auto, row.tool, input); row.step < "6" && v.Decision() < row.want {
			t.Errorf("%s %s: laxer in mode auto: %v in step %s: %s", row.tool, row.operand, v.Decision(), v.Step(), v.Reason())
		}
		if plain := decideIn(t, without, row.tool, input); v.Decision() < plain.Decision() {
			t.Errorf("%s %s: laxer with urls: %v, not %v", row.tool, row.operand, v.Decision(), plain.Decision())
		}
	}
}

func urlsWorld(t *testing.T, file string) World {
	t.Helper()
	return urlsWorldWith(t, file, `{"permissions": {"allow": ["Bash", "mcp__m"]}}`)
}

// urlsWorldWith is a home folder with a permgate.json and settings.
func urlsWorldWith(t *testing.T, file, settings string) World {
	t.Helper()
	home := t.TempDir()
	app := filepath.Join(home, "app")
	for name, text := range map[string]string{"app/.git/HEAD": "", ".gen/permgate.json": file,
		".gen/settings.json": settings} {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return World{Getenv: func(string) string { return "" }, Cwd: app, PasswdHome: home, UID: disk.UID(),
		OS:  rules.NativeOS(),
		Exe: os.Executable, Files: disk.Disk{}, ManagedDir: []string{filepath.Join(home, "none")}}
}

func decideIn(t *testing.T, w World, tool, input string) decide.Verdict {
	t.Helper()
	call, err := hookio.Read(strings.NewReader(`{"tool_name":"`+tool+`","tool_input":`+input+`}`), hookio.Options{Host: "generic"})
	if err != nil {
		t.Fatal(err)
	}
	return decide.Decide(Case(call, &Flags{}, w))
}

// TestKinds: Memory, Sampling and Extension are the tools of every host that are such
// a thing, the host's own name binds as well, and what a tool says of itself does not count.
func TestKinds(t *testing.T) {
	world := func(rules string) World { return urlsWorldWith(t, "{}", `{"permissions": {`+rules+`}}`) }
	for _, row := range []struct{ host, raw, kind string }{
		{"copilot", "store_memory", "Memory"}, {"copilot", "vote_memory", "Memory"}, {"vscode", "memory", "Memory"},
		{"gemini", "save_memory", "Memory"}, {"qwen", "save_memory", "Memory"}, {"copilot", "mcp-sampling", "Sampling"},
		{"copilot", "extensions_manage", "Extension"}, {"copilot", "extension-permission-access", "Extension"},
		{"vscode", "install_extension", "Extension"},
	} {
		for rules, want := range map[string]hookio.Decision{
			"": hookio.Ask, `"deny": ["` + row.kind + `"]`: hookio.Deny, `"deny": ["` + row.raw + `"]`: hookio.Deny,
			`"deny": ["` + row.kind + `(scope:user)"]`: hookio.Deny, `"deny": ["Memories"]`: hookio.Ask,
			`"allow": ["` + row.kind + `"]`: hookio.Allow, `"allow": ["` + row.raw + `"]`: hookio.Allow,
		} {
			w := world(rules)
			for _, input := range []string{`{"fact":"x","scope":"user"}`, `{"fact":"x","scope":"user","skipPermission":true}`} {
				call, err := hookio.Read(strings.NewReader(`{"tool_name":"`+row.raw+`","tool_input":`+input+`}`), hookio.Options{Host: row.host})
				if err != nil {
					t.Fatal(err)
				}
				if v := decide.Decide(Case(call, &Flags{}, w)); v.Decision() != want || call.Tool != row.kind {
					t.Errorf("%s %s %s with %s: %v, want %v: %s", row.host, row.raw, input, rules, v.Decision(), want, v.Reason())
				}
			}
		}
	}
}

// TestSkipPermission: a custom tool that says it needs no permission is asked about like any other.
func TestSkipPermission(t *testing.T) {
	w := urlsWorldWith(t, "{}", "{}")
	for _, payload := range []string{
		`{"toolName":"my_tool","toolArgs":{"x":1},"sessionId":"s","cwd":"/","timestamp":1,"skipPermission":true}`,
		`{"toolName":"my_tool","toolArgs":{"x":1,"skipPermission":true},"sessionId":"s","cwd":"/","timestamp":1}`,
	} {
		call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "copilot"})
		if err != nil {
			t.Fatal(err)
		}
		if v := decide.Decide(Case(call, &Flags{}, w)); v.Decision() != hookio.Ask || v.Step() != "7" {
			t.Errorf("%s: %v in step %s", payload, v.Decision(), v.Step())
		}
	}
}

// TestAllowAll: what is granted for all of a session answers in step 4, and nothing
// above that step changes.
func TestAllowAll(t *testing.T) {
	w := urlsWorldWith(t, urlsFile, `{"permissions": {"deny": ["Bash(make:*)", "Memory"], "ask": ["Bash(git push:*)"]}}`)
	for _, row := range []struct {
		tool, input string
		want        hookio.Decision
		step        string
	}{
		{"Bash", `{"command":"make x"}`, hookio.Deny, "1"},
		{"Bash", `{"command":"rm -rf src"}`, hookio.Ask, "2"},
		{"Bash", `{"command":"echo x > /opt/x"}`, hookio.Ask, "3b"},
		{"Bash", `{"command":"git push"}`, hookio.Allow, "4"},
		{"Bash", `{"command":"curl https://other.test/"}`, hookio.Allow, "4"},
		{"Bash", `{"command":"curl https://evil.test/"}`, hookio.Deny, "1"},
		{"Write", `{"file_path":"a","content":""}`, hookio.Allow, "4"},
		{"Write", `{"file_path":".git/config","content":""}`, hookio.Ask, "2"},
		{"mcp__m__go", `{"x":"y"}`, hookio.Allow, "4"},
		{"store_memory", `{"fact":"y"}`, hookio.Deny, "1"},
		{"my_tool", `{}`, hookio.Allow, "4"},
		{"ask_user", `{"question":"y"}`, hookio.Allow, "7"}, // step 9 makes silence of it
		{"exit_plan_mode", `{}`, hookio.Ask, "7"},
	} {
		call, err := hookio.Read(strings.NewReader(`{"toolName":"`+row.tool+`","toolArgs":`+row.input+`}`), hookio.Options{Host: "copilot"})
		if err != nil {
			t.Fatal(err)
		}
		with, without := Case(call, &Flags{}, w), Case(call, &Flags{}, w)
		with.Grants = facts.Grants{All: true}
		v, plain := decide.Decide(with), decide.Decide(without)
		if v.Decision() != row.want || v.Step() != row.step {
			t.Errorf("%s %s: %v in step %s: %s", row.tool, row.input, v.Decision(), v.Step(), v.Reason())
		}
		if plain.Origin() < "4" && (v.Decision() != plain.Decision() || v.Reason() != plain.Reason()) {
			t.Errorf("%s %s: step %s is lifted", row.tool, row.input, plain.Origin())
		}
	}
}

// TestManagedURLs: the addresses that managed settings list are all that there are, in every mode.
func TestManagedURLs(t *testing.T) {
	for _, row := range []struct {
		managed, user string
		url           string
		want          hookio.Decision
		step          string
	}{
		{`{"urls": {"allow": ["ok.test"]}}`, `{}`, "https://other.test/", hookio.Ask, "2"},
		{`{"urls": {"allow": ["ok.test"]}}`, `{}`, "https://ok.test/", hookio.Allow, "3"},
		{`{"urls": {"allow": ["ok.test"]}}`, `{"urls": {"allow": ["mine.test"]}}`, "https://other.test/", hookio.Ask, "2"},
		{`{}`, `{"urls": {"allow": ["ok.test"]}}`, "https://other.test/", hookio.Allow, "3"},
	} {
		w := urlsWorldWith(t, row.user, `{"permissions": {"allow": ["Bash", "WebFetch"], "defaultMode": "bypassPermissions"}}`)
		folder := filepath.Join(t.TempDir(), "managed")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "permgate.json"), []byte(row.managed), 0o600); err != nil {
			t.Fatal(err)
		}
		w.ManagedDir = []string{folder}
		for tool, input := range map[string]string{
			"WebFetch": `{"url":"` + row.url + `","prompt":"x"}`, "Bash": `{"command":"curl ` + row.url + `"}`,
		} {
			if v := decideIn(t, w, tool, input); v.Decision() != row.want || v.Step() != row.step {
				t.Errorf("%s %s with %s and %s: %v at step %s, want %v at %s: %s", tool, row.url, row.managed, row.user, v.Decision(), v.Step(), row.want, row.step, v.Reason())
			}
		}
	}
}
