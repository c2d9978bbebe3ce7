package hookio

import (
	"strings"
	"testing"
)

// TestOtherNames: the table knows every name that a literal has for a tool which reads, writes,
// runs or fetches, each under one tool only, and the fields of every tool in it.
func TestOtherNames(t *testing.T) {
	seen := map[string]string{}
	for _, p := range otherNames {
		if fieldsOf(p.To) == nil {
			t.Errorf("no fields of %s are known", p.To)
		}
		for _, word := range strings.Fields(p.From) {
			if word != strings.ToLower(word) || strings.ContainsAny(word, "-_") {
				t.Errorf("%s: a word is in lower case, without - and _", word)
			}
			if seen[word] != "" {
				t.Errorf("%s is %s and %s", word, seen[word], p.To)
			}
			seen[word] = p.To
		}
		for _, q := range otherNames {
			if q.To != p.To && OneOf(q.From, p.To) {
				t.Errorf("%s is another name of %s", p.To, q.To)
			}
		}
	}
	for _, h := range Hosts() {
		for _, p := range h.Tools {
			if fieldsOf(p.To) != nil && OtherTool(p.From) == "" {
				t.Errorf("%s calls a tool %s, which the table does not know: %s", h.Name, p.From, p.To)
			}
		}
	}
}

// TestOtherNamesStay: a name of the host's own literal is no other name, nor is that of an MCP tool.
func TestOtherNamesStay(t *testing.T) {
	for _, h := range Hosts() {
		for _, p := range append([]Pair{{"mcp__a__bash", ""}, {"Bash", "Bash"}, {"Read", "Read"}, {"LS", "LS"}, {"TodoWrite", "TodoWrite"}}, h.Tools...) {
			c := &Call{Host: h, RawTool: p.From}
			c.named()
			if c.borrow(); c.Alias {
				t.Errorf("%s: %s counts as another name of %s", h.Name, p.From, c.Tool)
			}
		}
	}
}

// TestServerTools: a server's tool that a literal names, or that is named like a shell and gets a text for one, is
// restricted like the tool of the host, and grants are to its own name; any other call of it is one of an MCP tool.
func TestServerTools(t *testing.T) {
	type want struct{ tool, server, main string }
	for _, tt := range []struct {
		host, name, input string
		want
	}{
		{"claude", "mcp__workspace__bash", `{"command":"ls"}`, want{"Bash", "mcp__workspace__bash", "ls"}},
		{"claude", "mcp__workspace__web_fetch", `{"url":"https://go.dev/"}`, want{"WebFetch", "mcp__workspace__web_fetch", "https://go.dev/"}},
		{"codex", "mcp__workspace__web_fetch", `{"url":"https://go.dev/"}`, want{tool: "mcp__workspace__web_fetch"}},
		{"codex", "mcp__x__start_process", `{"command":"ls -l","timeout_ms":1}`, want{"Bash", "mcp__x__start_process", "ls -l"}},
		{"gemini", "mcp_x_run_command", `{"command":"ls"}`, want{"Bash", "mcp__x__run_command", "ls"}},
		{"gemini", "mcp_my_server_run_command", `{"command":"ls"}`, want{"Bash", "mcp__my__server_run_command", "ls"}},
		{"opencode", "x_shell", `{"script":"ls"}`, want{"Bash", "mcp__x__shell", "ls"}},
		{"claude", "mcp__x__powershell", `{"commandLine":"ls"}`, want{"PowerShell", "mcp__x__powershell", "ls"}},
		{"claude", "mcp__shell__run", `{"command":"ls"}`, want{"Bash", "mcp__shell__run", "ls"}},
		{"claude", "mcp__shell__list", `{"command":"ls"}`, want{tool: "mcp__shell__list"}},
		{"claude", "mcp__a__b__bash", `{"command":"ls"}`, want{"Bash", "mcp__a__b__bash", "ls"}},
		{"claude", "mcp__bash", `{"command":"ls"}`, want{tool: "mcp__bash"}},
		{"claude", "mcp__x__bash", `{"restart":true}`, want{tool: "mcp__x__bash"}},
		{"claude", "mcp__x__bash", `{"command":""}`, want{tool: "mcp__x__bash"}},
		{"claude", "mcp__x__bash", `{"command":7}`, want{tool: "mcp__x__bash"}},
		{"claude", "mcp__x__Powershell-Tool", `{"command":"ls"}`, want{"PowerShell", "mcp__x__Powershell-Tool", "ls"}},
		{"claude", "mcp__x__run_powershell_script", `{"code":"ls"}`, want{"PowerShell", "mcp__x__run_powershell_script", "ls"}},
		{"claude", "mcp__pwsh__invoke_expression", `{"pipeline":"ls"}`, want{"PowerShell", "mcp__pwsh__invoke_expression", "ls"}},
		{"claude", "mcp__powershell__execute_command", `{"command":"ls"}`, want{"PowerShell", "mcp__powershell__execute_command", "ls"}},
		{"claude", "mcp__x__run_cmd", `{"command":"ls"}`, want{"Bash", "mcp__x__run_cmd", "ls"}},
		{"claude", "mcp__cmd__exec", `{"cmd":"ls"}`, want{"Bash", "mcp__cmd__exec", "ls"}},
		{"claude", "mcp__x__cmd", `{"cmd":"GET a"}`, want{tool: "mcp__x__cmd"}},
		{"claude", "mcp__x__bash_history", `{"command":"ls"}`, want{tool: "mcp__x__bash_history"}},
		{"claude", "mcp__db__execute_sql_script", `{"script":"SELECT 1"}`, want{tool: "mcp__db__execute_sql_script"}},
		{"claude", "mcp__windows__run_script", `{"script":"a"}`, want{tool: "mcp__windows__run_script"}},
		{"claude", "mcp__x__execute", `{"command":"SELECT 1"}`, want{tool: "mcp__x__execute"}},
		{"claude", "mcp__bash__x", `{"command":"ls"}`, want{tool: "mcp__bash__x"}},
	} {
		payload := `{"hook_event_name":"PreToolUse","tool_name":"` + tt.name + `","tool_input":` + tt.input + `}`
		call, err := Read(strings.NewReader(payload), Options{Host: tt.host})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		for _, c := range []*Call{call, call.Again(tt.input)} {
			got := want{c.Tool, c.Server, c.Command + c.URL}
			if c.Malformed != "" || got != tt.want || c.Alias != (tt.server != "") || c.Alias && c.Grantee() != tt.server {
				t.Errorf("%s %s %s: got %+v, want %+v: %s", tt.host, tt.name, tt.input, got, tt.want, c.Malformed)
			}
		}
	}
}

// TestSameWord: case, - and _ do not count, wherever they are, and nothing else is left out.
func TestSameWord(t *testing.T) {
	plain := func(s string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)) }
	words := []string{"", "-", "_-", "a", "A-", "-a_", "ab", "a-b", "_A_B_", "abc", "b", "a.b", "a b", "-é", "é", "aé"}
	for _, a := range words {
		for _, b := range words {
			if sameWord(a, b) != (plain(a) == plain(b)) {
				t.Errorf("%q and %q: %v", a, b, sameWord(a, b))
			}
		}
	}
}
