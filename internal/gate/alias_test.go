package gate_test

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// otherNames are names that systems give tools of ours, by our own.
var otherNames = map[string]string{
	"Bash": "bash BASH sh shell Shell local_shell run_shell_command run-shell-command execute_command executeCommand execute exec run_command " +
		"run_terminal_command run_terminal_cmd run_in_terminal terminal Execute exec_command shell_command execute_bash launch-process run_shell command cmd container.exec unified_exec",
	"Read":     "read read_file readFile ReadFile READ_FILE view view_file cat open_file read-file fs_read",
	"Write":    "write write_file writeFile create_file createFile create Create write_to_file save-file save_file fs_write",
	"Edit":     "edit edit_file editFile replace str_replace str-replace-editor str_replace_editor str_replace_based_edit_tool search_replace replace_in_file multi_edit multiedit edit_files delete_file",
	"Glob":     "glob find_files file_search find_by_name",
	"Grep":     "grep rg grep_search search_files search_file_content",
	"LS":       "ls list_directory list_dir list_files",
	"WebFetch": "web_fetch webfetch web-fetch fetch fetch_url FetchUrl fetch_webpage read_url_content",
}

// otherCalls are inputs of a tool of ours, and how other systems spell them.
var otherCalls = map[string][]string{
	"Bash":     {"rm -rf /", "rm -rf x", "ls", "git status", "sudo make", "make; sudo make", "cat ~/.ssh/id_rsa", "echo x > /opt/x", "echo x > .git/config", "echo x > src/a", "curl https://evil.test/", "curl https://ok.test/x", "cat secrets/a", "$x", "git -c core.pager=./x log"},
	"Read":     {"a", "secrets/a", "/opt/x", "~/.ssh/id_rsa", "/proc/self/environ", "src/a"},
	"Write":    {"a", "src/a", "/opt/x", ".git/config", "/etc/passwd", "secrets/a", ".env", "/home/dev/.bashrc", ".gen/plans/p.md"},
	"Edit":     {"a", "src/a", "/opt/x", ".git/config", "/etc/passwd", "secrets/a", ".env", "/home/dev/.bashrc"},
	"Glob":     {"secrets", "src", "/opt"},
	"Grep":     {"secrets", "src", "/opt", "/home/dev"},
	"LS":       {"secrets", "src", "/opt"},
	"WebFetch": {"https://evil.test/", "https://ok.test/x", "https://other.test/"},
}

var otherKeys = map[string]string{
	"Bash": "command cmd script command_line CommandLine", "Read": "file_path path filePath absolute_path target_file filename AbsolutePath file",
	"Write": "file_path path filePath TargetFile filename", "Edit": "file_path path filePath target_file notebook_path",
	"Glob": "path", "Grep": "path", "LS": "path directory dir_path target_directory", "WebFetch": "url uri",
}

// ourKey is the field of the canonical tool.
var ourKey = map[string]string{"Bash": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path", "Glob": "path", "Grep": "path", "LS": "path", "WebFetch": "url"}

func input(tool, key, value string) string {
	more := map[string]string{"Edit": `,"old_string":"a","new_string":"b"`, "Write": `,"content":"x"`, "Glob": `,"pattern":"*"`, "Grep": `,"pattern":"x"`, "WebFetch": `,"prompt":"x"`}[tool]
	return `{` + strconv.Quote(key) + `:` + strconv.Quote(value) + more + `}`
}

const allOurs = `"allow":["Bash","Read","Edit","Write","Glob","Grep","LS","WebFetch","Bash(git:*)","Edit(//opt/**)","Read(//**)"]`

// aliasWorlds are settings under which a call may be decided.
func aliasWorlds() []sentence {
	const gateFile = "/home/dev/.gen/permgate.json"
	session := m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"allowAllBash":true}`)
	with := func(files map[string]string, more map[string]string) map[string]string {
		for k, v := range more {
			files[k] = v
		}
		return files
	}
	return []sentence{
		{name: "bare"},
		{name: "recommended", files: m(gateFile, `{"catastrophic":"deny","destructive":"practical","secrets":"ask","readOnlyCommands":"allow"}`)},
		{name: "allow", files: m(user, `{"permissions":{`+allOurs+`}}`)},
		{name: "session", files: session, flags: gate.Flags{State: "/state"}},
		{name: "deny", files: with(m(user, `{"permissions":{`+allOurs+`,"deny":["Bash(sudo *)","Read(secrets/**)","Edit(src/**)","WebFetch(domain:evil.test)","Grep(src/**)"]}}`), session), flags: gate.Flags{State: "/state"}},
		{name: "bare tools denied", files: m(user, `{"permissions":{"deny":["Bash","Read","Edit","WebFetch"]}}`)},
		{name: "ask", files: m(user, `{"permissions":{`+allOurs+`,"ask":["Bash(git *)","Read(src/**)","Write(a)","Edit(a)","WebFetch(domain:ok.test)"]}}`)},
		{name: "managed ask", files: m(managed, `{"permissions":{"ask":["Bash(git *)","Read(src/**)","Edit(a)","WebFetch(domain:ok.test)"]}}`)},
		{name: "posture", files: m(gateFile, `{"contentExclusion":["src/**"],"urls":{"deny":["evil.test"],"allow":["ok.test"]},"outsideReads":"ask"}`, user, `{"permissions":{`+allOurs+`}}`)},
		{name: "fences", files: m(user, `{"permissions":{`+allOurs+`,"blockReadsOutsideWorkingDirectories":true,"blockWritesOutsideWorkingDirectories":true}}`)},
		{name: "defer", files: m(gateFile, `{"onUnmatched":"defer"}`, user, `{"permissions":{"allow":["Bash(git:*)"]}}`)},
		{name: "whitelist", files: m(user, `{"permissions":{`+allOurs+`}}`), flags: gate.Flags{Tools: []string{"Bash(git:*),Read,Edit"}}},
		{name: "agent", files: m("/work/project/.gen/agents/a.md", "---\nname: a\nallow_tools: Bash(git:*), Read, Edit(src/**)\n---\n"), flags: gate.Flags{Agent: "a"}},
		{name: "skill", files: m(user, `{"permissions":{`+allOurs+`}}`, "/work/project/.gen/skills/s/SKILL.md", "---\nname: s\nallowed-tools: Bash(git:*), Read\n---\n"), flags: gate.Flags{Skill: "s"}},
		{name: "auto", files: m(user, `{"permissions":{"defaultMode":"auto"},"autoMode":{"hard_deny":["Bash(sudo *)"],"soft_deny":["Read(src/**)"],"allow":["Bash(git:*)","Edit"]}}`)},
	}
}

// strictness orders answers: silence leaves it to the host.
func strictness(d hookio.Decision) int {
	return map[hookio.Decision]int{hookio.Allow: 0, hookio.Pass: 1, hookio.Ask: 2, hookio.Deny: 3}[d]
}

// TestOtherNamesBind: a call under a name that only other systems give one of our tools is
// answered no laxer than the same call of that tool, in every mode.
func TestOtherNamesBind(t *testing.T) {
	bad := map[string]int{}
	calls, every, combined, combination := 0, testenv.Every(t, 400, 400, 6), testenv.Every(t, 5, 1, 1), 0
	for _, world := range aliasWorlds() {
		for _, host := range []string{"generic", "claude", "ex_athena", "copilot"} { // the last two read an MCP server in some names
			few := host == "ex_athena" || host == "copilot"
			if few && world.name != "deny" && world.name != "bare tools denied" && world.name != "recommended" {
				continue
			}
			for _, mode := range []string{"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "explore", "auto"} {
				if combination++; combination%combined > 0 {
					continue
				}
				for ours, values := range otherCalls {
					for n, value := range values {
						decided := func(name, key string) (decide.Verdict, hookio.Answer) {
							s := world
							s.payload = as(tool(name, input(ours, key, value)), `"permission_mode":"`+mode+`"`)
							s.flags.Host = host
							_, v, a := s.answer(t)
							return v, a
						}
						own := sync.OnceValues(func() (decide.Verdict, hookio.Answer) { return decided(ours, ourKey[ours]) })
						names, keys := strings.Fields(otherNames[ours]), strings.Fields(otherKeys[ours])
						for i, name := range names {
							ownTool := slices.ContainsFunc(hookio.Lookup(host).Tools, func(p hookio.Pair) bool { return p.From == name })
							if name == ours || ownTool || !(i == 0 && n == 0 || (i+n+combination)%every == 0) {
								continue
							}
							calls++
							v, a := own()
							ov, oa := decided(name, keys[(i+n)%len(keys)])
							if strictness(ov.Decision()) < strictness(v.Decision()) || strictness(oa.Decision) < strictness(a.Decision) {
								bad[name]++
								if bad[name] < 3 {
									t.Errorf("%s, host %s, mode %s: %s %s is %v/%v at step %s, %s is %v/%v at step %s: %s", world.name, host, mode, name, value, ov.Decision(), oa.Decision, ov.Step(), ours, v.Decision(), a.Decision, v.Step(), v.Reason())
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d calls, laxer under %d names: %v", calls, len(bad), bad)
}

// TestOtherNamesGrantNothing: what is granted to a tool of ours is granted to no tool that
// only others call so.
func TestOtherNamesGrantNothing(t *testing.T) {
	worlds := []sentence{
		{name: "rules", files: m(user, `{"permissions":{`+allOurs+`}}`)},
		{name: "session", files: m("/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"allowAllBash":true,"allow":["Bash(ls)","Edit"]}`), flags: gate.Flags{State: "/state"}},
		{name: "reads", files: m("/home/dev/.gen/permgate.json", `{"readOnlyCommands":"allow"}`)},
		{name: "edits", flags: gate.Flags{Mode: "acceptEdits"}},
		{name: "auto", flags: gate.Flags{Mode: "auto"}, files: m(user, `{"autoMode":{"allow":["Bash","Edit","Read"]}}`)},
		{name: "agent", files: m("/work/project/.gen/agents/a.md", "---\nname: a\nallow_tools: Bash, Read, Edit, Write, WebFetch\n---\n"), flags: gate.Flags{Agent: "a"}},
	}
	for ours, names := range otherNames {
		for _, name := range strings.Fields(names) {
			for _, w := range worlds {
				value := map[string]string{"Bash": "ls", "WebFetch": "https://ok.test/x"}[ours]
				if value == "" {
					value = "a"
				}
				w.payload = tool(name, input(ours, ourKey[ours], value))
				if _, v, a := w.answer(t); v.Decision() == hookio.Allow || a.Decision == hookio.Allow {
					t.Errorf("%s: %s %s is allowed at step %s: %s", w.name, name, value, v.Step(), v.Reason())
				}
			}
		}
	}
}

// TestOtherNames: what a bare program is told, by the names that it calls its tools.
func TestOtherNames(t *testing.T) {
	bypass := gate.Flags{Mode: "bypassPermissions", AllowBypass: true}
	catastrophic := m("/home/dev/.gen/permgate.json", `{"catastrophic":"deny"}`)
	runSentences(t, []sentence{
		{name: "the worst", payload: tool("bash", `{"command":"rm -rf /"}`), files: catastrophic, flags: bypass, want: deny, reason: "catastrophic"},
		{name: "the worst, asked", payload: tool("bash", `{"command":"rm -rf /"}`), flags: bypass, want: ask},
		{name: "a list of words", payload: tool("shell", `{"command":["bash","-lc","rm -rf /"]}`), files: catastrophic, flags: bypass, want: deny},
		{name: "a list of commands", payload: tool("run_commands", `{"commands":["ls","rm -rf /"]}`), files: catastrophic, flags: bypass, want: deny},
		{name: "a folder", payload: tool("bash", `{"command":"echo x > a","workdir":"/opt"}`), flags: gate.Flags{Mode: "acceptEdits"}, want: ask},
		{name: "plain", payload: tool("bash", `{"command":"ls"}`), flags: bypass, want: allow},
		{name: "no command", payload: tool("bash", `{"text":"ls"}`), flags: bypass, want: ask, reason: "no command"},
		{name: "two commands", payload: tool("bash", `{"command":"ls","script":"rm x"}`), flags: bypass, want: ask},
		{name: "no command, denied", payload: tool("bash", `{"text":"ls"}`), flags: bypass, files: m(user, `{"permissions":{"deny":["Bash"]}}`), want: deny},
		{name: "denied by its own name", payload: tool("bash", `{"command":"ls"}`), flags: bypass, files: m(user, `{"permissions":{"deny":["bash"]}}`), want: deny},
		{name: "denied by its own name, with a pattern", payload: tool("bash", `{"command":"cd x && sudo y"}`), flags: bypass, files: m(user, `{"permissions":{"deny":["bash(sudo *)"]}}`), want: deny},
		{name: "asked by its own name, the whole text", payload: tool("bash", `{"command":"a | b"}`), flags: gate.Flags{}, files: m(user, `{"permissions":{"deny":["bash(a * b)"]}}`), want: deny},
		{name: "allowed by its own name", payload: tool("bash", `{"command":"ls"}`), files: m(user, `{"permissions":{"allow":["bash"]}}`), want: allow},
		{name: "allowed by its own name, with a pattern", payload: tool("bash", `{"command":"ls x"}`), files: m(user, `{"permissions":{"allow":["bash(ls *)"]}}`), want: allow},
		{name: "a pattern covers what it would of Bash", payload: tool("bash", `{"command":"ls x; make"}`), files: m(user, `{"permissions":{"allow":["bash(ls *)"]}}`), want: ask},
		{name: "its own name lifts nothing", payload: tool("bash", `{"command":"rm -rf x"}`), files: m(user, `{"permissions":{"allow":["bash","bash(rm -rf x)"]}}`), want: ask},
		{name: "its own name opens no place", payload: tool("write", `{"path":"/opt/x","content":""}`), files: m(user, `{"permissions":{"allow":["write","write(//opt/**)"]}}`), want: ask},
		{name: "its own name, a path", payload: tool("write", `{"path":"a","content":""}`), files: m(user, `{"permissions":{"allow":["write(./a)"]}}`), want: allow},
		{name: "says how to allow it", payload: tool("bash", `{"command":"ls"}`), files: m(user, `{"permissions":{"allow":["Bash"]}}`), want: ask, reason: "--host"},
		{name: "many files", payload: tool("read_many_files", `{"paths":["a","secrets/b"]}`), files: m(user, `{"permissions":{"deny":["Read(secrets/**)"]}}`), want: deny},
		{name: "a patch", payload: as(tool("apply_patch", `{"patch":"*** Begin Patch\n*** Delete File: src/a\n*** End Patch"}`), `"transcript_path":"/home/dev/.claude/projects/x/s.jsonl"`), files: m(user, `{"permissions":{"deny":["Edit(src/**)"]}}`), want: deny},
		{name: "edits with files of their own", payload: tool("multi_edit", `{"edits":[{"file_path":"src/a"},{"path":"b"}]}`), files: m(user, `{"permissions":{"deny":["Edit(b)"]}}`), want: deny},
		{name: "edits without a file", payload: tool("multi_edit", `{"edits":[{"where":"src/a"}]}`), flags: bypass, want: ask},
		{name: "an agent", payload: tool("spawn_agent", `{"agent_type":"root","prompt":"x"}`), files: m(user, `{"permissions":{"deny":["Agent(root)"]}}`), flags: bypass, want: deny},
		{name: "a name that an MCP tool may have", payload: tool("run_command", `{"command":"rm -rf /"}`), files: catastrophic, flags: gate.Flags{Host: "ex_athena", Mode: "bypassPermissions", AllowBypass: true}, want: deny},
		{name: "the MCP tool of that name, denied", payload: tool("run_command", `{"command":"ls"}`), files: m(user, `{"permissions":{"deny":["mcp__run"]}}`), flags: gate.Flags{Host: "ex_athena"}, want: deny},
		{name: "the MCP tool of that name, allowed", payload: tool("run_command", `{"command":"ls"}`), files: m(user, `{"permissions":{"allow":["mcp__run__command"]}}`), flags: gate.Flags{Host: "ex_athena"}, want: allow},
		{name: "the name of a tool that is known", payload: tool("Monitor", `{"command":"ls"}`), files: m(user, `{"permissions":{"allow":["Bash(ls)"]}}`), want: allow},
		{name: "another tool", payload: tool("deploy_app", `{"command":"rm -rf /"}`), flags: bypass, want: ask},
		{name: "another tool's prose", payload: tool("deploy_app", `{"command":"why does rm -rf / work"}`), flags: bypass, want: allow},
	})
}
