package conformance

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// toolShapes are ways in which tools that are not known are told a file: %s is the JSON of the path, which may be spelled
// otherwise.
var toolShapes = []struct {
	tool, input string
	spell       func(string) string
}{
	{"mcp__fs__read_file", `{"path":%s}`, nil},
	{"mcp__fs__read_multiple_files", `{"paths":["README.md",%s]}`, nil},
	{"mcp__x__do", `{"options":{"in":[{"q":%s}]}}`, nil},
	{"mcp__x__do", `{"args":["-n","1",%s]}`, nil},
	{"mcp__x__do", `{"args":[%s]}`, func(p string) string { return "--input=" + p }},
	{"mcp__x__do", `{"files":{%s:"x"}}`, nil},
	{"mcp__fs__read_file", `{"path":%s}`, inHomeAs("~")},
	{"mcp__fs__read_file", `{"path":%s}`, inHomeAs("$HOME")},
	{"mcp__fs__read_file", `{"path":%s}`, inHomeAs("${HOME}")},
	{"mcp__fs__read_file", `{"path":%s}`, func(p string) string { return "../.." + p }},
	{"mcp__web__get", `{"url":%s}`, func(p string) string { return "file://" + (&url.URL{Path: p}).EscapedPath() }},
	{"mcp__web__get", `{"url":%s}`, func(p string) string { return "FILE://localhost" + strings.ReplaceAll(p, ".", "%2e") }},
	{"mcp__web__get", `{"src":%s}`, func(p string) string { return url.PathEscape(p) }},
	{"mcp__web__get", `{"src":%s}`, func(p string) string { return url.PathEscape(url.PathEscape(p)) }},
	{"WebFetch", `{"url":%s,"prompt":"p"}`, func(p string) string { return "file://" + p }},
	{"WebFetch", `{"prompt":"p","url":%s}`, func(p string) string { return "FILE:" + strings.ReplaceAll(p, ".", "%2E") }},
	{"ReadMcpResourceTool", `{"server":"fs","uri":%s}`, func(p string) string { return "file://" + p }},
	{"Artifact", `{"file_path":%s}`, nil},
	{"Brief", `{"message":"m","attachments":[%s]}`, nil},
	{"SomethingNew", `{"deep":{"er":{"target":%s}}}`, nil},
}

// inHomeAs spells the home in a path, if it is there.
func inHomeAs(home string) func(string) string {
	return func(p string) string {
		if rest, ok := strings.CutPrefix(p, "/home/dev/"); ok {
			return home + "/" + rest
		}
		return p
	}
}

// inputs are the calls of tools that name a path.
func inputs(path string) (calls []Setup) {
	for _, s := range toolShapes {
		spelled := path
		if s.spell != nil {
			spelled = s.spell(path)
		}
		word, _ := json.Marshal(spelled)
		calls = append(calls, Setup{Tool: s.tool, Input: json.RawMessage(strings.Replace(s.input, "%s", string(word), 1))})
	}
	return calls
}

// anyTool decides a call where every tool of toolShapes is one that the user allows, under rules about files as well.
func anyTool(s Setup, mode, rules string) hookio.Decision {
	s.Mode = mode
	s.Settings = map[string]string{
		"/home/dev/.gen/settings.json": `{"permissions":{"allow":["mcp__fs","mcp__x","mcp__web","WebFetch","ReadMcpResourceTool","Artifact","Brief","SomethingNew","Read"],` +
			rules + `}}`,
		"/home/dev/.gen/permgate.json": `{"secrets":"ask"}`,
	}
	_, v, err := Call(s)
	if err != nil {
		return hookio.Deny
	}
	return v.Decision()
}

// inHome is a path of a row of a table of places, below the home or in the root.
func inHome(row string, system bool) string {
	row = strings.NewReplacer("*", "x", "?", "x").Replace(row)
	if system {
		return "/" + row
	}
	return "/home/dev/" + row
}

// TestSecretThroughAnyTool: a tool that is told a file is answered at least as strictly as Read is, and as Edit is where that
// is a place that decides what runs later.
func TestSecretThroughAnyTool(t *testing.T) {
	tried, asked, wrong, every := 0, 0, 0, testenv.Every(t, 7, 1, 1)
	try := func(path, rules string, want hookio.Decision) {
		for _, mode := range []string{"default", "bypassPermissions"} {
			if mode != "default" && strings.Contains(rules, "ask") {
				continue // bypass is above ask rules
			}
			for _, s := range inputs(path) {
				if tried++; tried%every > 0 {
					continue
				}
				if want > hookio.Allow {
					asked++
				}
				if got := anyTool(s, mode, rules); got < want {
					if wrong++; wrong < 40 {
						t.Errorf("%s in %s: %s %s: %v, want %v", path, mode, s.Tool, s.Input, got, want)
					}
				}
			}
		}
	}
	as := func(tool, path, rules string) hookio.Decision {
		word, _ := json.Marshal(path)
		return anyTool(Setup{Tool: tool, Input: json.RawMessage(`{"file_path":` + string(word) + `,"content":"x"}`)}, "default", rules)
	}
	for i := range guard.Secrets {
		s := &guard.Secrets[i]
		for _, p := range s.Paths {
			path := inHome(p, slices.Contains([]string{"etc", "run", "proc", "dev"}, strings.Split(p, "/")[0]))
			if s.Dir {
				path += "/x"
			}
			try(path, `"deny":[]`, as("Read", path, `"deny":[]`))
		}
	}
	for i := range guard.Sensitives {
		for _, file := range guard.Sensitives[i].Files() {
			path := inHome(strings.TrimPrefix(strings.TrimPrefix(file, "~"), "/"), false)
			try(path, `"deny":[]`, as("Write", path, `"deny":[]`))
		}
	}
	for _, rules := range []string{`"deny":["Read(~/keep/**)"]`, `"deny":["Edit(~/keep/**)"]`, `"deny":["Read(a.txt)"]`, `"ask":["Read(//home/dev/keep/*.txt)"]`} {
		want := hookio.Deny
		if strings.Contains(rules, "ask") {
			want = hookio.Ask
		}
		try("/home/dev/keep/a.txt", rules, want)
	}
	t.Logf("%d calls, %d of them to be asked about or denied, %d wrong", tried, asked, wrong)
	if asked < 2000/every {
		t.Errorf("only %d calls", asked)
	}
}

// TestOtherFieldsOfAnyTool: what is no path, or one that no rule and no table is about, changes nothing.
func TestOtherFieldsOfAnyTool(t *testing.T) {
	for _, input := range []string{
		`{"path":"/home/dev/notes.txt"}`, `{"path":"src/main.go"}`, `{"path":"/etc"}`, `{"path":"/api/v1/users"}`, `{"uri":"file:///work/project/main.go"}`,
		`{"content":"/home/dev/.ssh/id_rsa"}`, `{"body":"see ~/.ssh/id_rsa"}`, `{"comment":{"text":["~/.bashrc"]}}`, `{"description":".env"}`, `{"prompt":"~/.bashrc"}`,
		`{"q":"what does .git/config hold"}`, `{"q":"how to read ~/.ssh/id_rsa?"}`, `{"url":"https://h/.ssh/id_rsa"}`,
		`{"owner":"a","repo":"b","branch":"feature/x","path":"docs/a.md"}`, `{"n":1,"b":true,"x":null,"list":[1,"100%","50%25"]}`, `{"path":"app/[id]/page.tsx"}`, `{"label":"👩‍👧"}`, `{"pattern":".*[Mm]odal.*"}`,
	} {
		for _, mode := range []string{"default", "bypassPermissions"} {
			rules := `"deny":["Read(~/keep/**)","Edit","Read(./secrets/**)"],"ask":["Write"]`
			if got := anyTool(Setup{Tool: "mcp__x__do", Input: json.RawMessage(input)}, mode, rules); got != hookio.Allow {
				t.Errorf("%s in %s: %v", input, mode, got)
			}
		}
	}
}
