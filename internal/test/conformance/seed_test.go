package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// The tests of this file carry the names seed 0 lists under "Key cases", so
// that a reader of the seed finds each promise checked.

const (
	seedHome   = "/home/dev/.gen/settings.json"
	gitDiffLog = "allow_tools:\n  - Read\n  - Bash(git diff*)\n  - Bash(git log*)\n"
)

type seedCase struct {
	tool, input string // input: the primary field, or a JSON object
	settings    string // content of "permissions"
	mode        string
	session     string
	agent       string // front matter of a subagent
	want        string // decision, then a text the reason must hold
}

func (s seedCase) run(t *testing.T) (*decide.Input, decide.Verdict) {
	t.Helper()
	in := s.input
	if !strings.HasPrefix(in, "{") {
		key := map[string]string{"Bash": "command", "WebFetch": "url", "Glob": "pattern", "Grep": "pattern", "NotebookEdit": "notebook_path"}[s.tool]
		if key == "" {
			key = "file_path"
		}
		raw, _ := json.Marshal(map[string]string{key: in})
		in = string(raw)
	}
	set := Setup{Tool: s.tool, Input: json.RawMessage(in), Mode: s.mode, Session: s.session, Settings: map[string]string{}}
	if s.settings != "" {
		set.Settings[seedHome] = `{"permissions":{` + s.settings + `}}`
	}
	if s.agent != "" {
		set.Agent = map[string]string{"agent_id": "1", "agent_type": "seed"}
		set.Settings["/home/dev/.gen/agents/seed.md"] = "---\nname: seed\n" + s.agent + "---\n"
	}
	c, v := call(t, set)
	return c, v
}

func runSeed(t *testing.T, cases []seedCase) {
	t.Helper()
	for _, s := range cases {
		_, v := s.run(t)
		want, part, _ := strings.Cut(s.want, " ")
		if v.Decision().String() != want || !strings.Contains(v.Reason(), part) {
			t.Errorf("%s %s (%s) in %q with agent %q, session %q: %v %q, want %s", s.tool, s.input, s.settings, s.mode, s.agent, s.session, v.Decision(), v.Reason(), s.want)
		}
	}
}

func bash(settings, mode, want string, commands ...string) []seedCase {
	var out []seedCase
	for _, c := range commands {
		out = append(out, seedCase{tool: "Bash", input: c, settings: settings, mode: mode, want: want})
	}
	return out
}

const project = `"project":"/work/project"`

func TestMatchRule(t *testing.T) {
	runSeed(t, []seedCase{
		{tool: "Bash", input: "git status", settings: `"allow":["Bash(git status)"]`, want: "allow Bash(git status)"},
		{tool: "Bash", input: "git log -p", settings: `"allow":["Bash(git:*)"]`, want: "allow"},
		{tool: "Bash", input: "git log -p", settings: `"allow":["Bash(git log:*)"]`, want: "allow"},
		{tool: "Bash", input: "npm run build", settings: `"allow":["Bash(npm run *)"]`, want: "allow"},
		{tool: "Bash", input: "node --version", settings: `"allow":["Bash(* --version)"]`, want: "allow"},
		{tool: "Bash", input: "git", settings: `"allow":["Bash(git *)"]`, want: "ask"},
		{tool: "Bash", input: "gitk", settings: `"allow":["Bash(git:*)"]`, want: "ask"},
		{tool: "Read", input: "/work/project/.env", settings: `"deny":["Read(./.env)"]`, want: "deny"},
		{tool: "Edit", input: "/work/project/docs/a/b.md", settings: `"allow":["Edit(/docs/**)"]`, want: "allow"},
		{tool: "Read", input: "~/.ssh/id_rsa", settings: `"deny":["Read(~/.ssh/id_rsa)"]`, want: "deny"},
		{tool: "Read", input: "/etc/passwd", settings: `"deny":["Read(//etc/passwd)"]`, want: "deny"},
		{tool: "WebFetch", input: "https://github.com/x", settings: `"deny":["WebFetch(domain:github.com)"]`, want: "deny"},
		{tool: "Skill", input: `{"skill":"git:commit"}`, settings: `"allow":["Skill(git:*)"]`, want: "allow"},
		{tool: "Agent", input: `{"subagent_type":"Explore"}`, settings: `"allow":["Agent(Explore)"]`, want: "allow"},
		{tool: "mcp__puppeteer__click", input: `{}`, settings: `"deny":["MCP(mcp__puppeteer__*)"]`, want: "deny"},
	})
}

// TestBuildRule builds the rule of a call: it covers that call and no longer one.
func TestBuildRule(t *testing.T) {
	for _, argv := range [][]string{{"git", "status"}, {"git", "commit", "-m", "a b"}, {"grep", "a*b", "x?"}, {"echo", "it's", ""}, {"printf", `%s\n`, "$HOME"}} {
		var words []string
		for _, w := range argv {
			words = append(words, grammar.Quote(w))
		}
		text := strings.Join(words, " ")
		rule, _ := json.Marshal("Bash(" + text + ")")
		settings := `"allow":[` + string(rule) + `]`
		runSeed(t, []seedCase{
			{tool: "Bash", input: text, settings: settings, want: "allow"},
			{tool: "Bash", input: text + " more", settings: settings, want: "ask"},
		})
	}
}

func TestCheckPermission(t *testing.T) {
	const s = `"allow":["Bash(git:*)"],"ask":["Bash(git push *)"],"deny":["Read(**/.env)","Bash(rm:*)"]`
	runSeed(t, []seedCase{
		{tool: "Bash", input: "git status", settings: s, want: "allow allow rule: Bash(git:*)"},
		{tool: "Bash", input: "git push origin main", settings: s, want: "ask your ask rule Bash(git push *)"},
		{tool: "Bash", input: "git status && rm x", settings: s, want: "deny your deny rule Bash(rm:*)"},
		{tool: "Bash", input: "make", settings: s, want: "ask mode: default requires confirmation"},
		{tool: "Read", input: ".env", settings: s, want: "deny which your rule Read(**/.env)"},
		{tool: "Read", input: "main.go", settings: s, want: "allow mode: safe tool"},
		{tool: "Edit", input: "main.go", settings: s, mode: "acceptEdits", want: "allow mode: accept edits"},
		{tool: "Bash", input: "make", settings: s, mode: "acceptEdits", want: "ask mode: accept edits requires confirmation"},
		{tool: "Bash", input: "make", settings: s, mode: "auto", want: "ask mode: accept edits requires confirmation"},
	})
}

func TestBypassPermissionsMode(t *testing.T) {
	runSeed(t, bash("", "bypassPermissions", "allow mode: bypass permissions", "make", "curl https://example.com"))
	runSeed(t, bash("", "bypassPermissions", "ask asks in every mode", "rm -rf build", "git push --force", "echo x > .git/config"))
	runSeed(t, bash(`"deny":["Bash(make)"]`, "bypassPermissions", "deny", "make"))
	runSeed(t, bash(`"disableBypassPermissionsMode":true`, "bypassPermissions", "ask", "make"))
}

func TestDontAskMode(t *testing.T) {
	runSeed(t, bash(`"allow":["Bash(ls)"]`, "dontAsk", "allow", "ls"))
	runSeed(t, bash(`"allow":["Bash(rm *)"]`, "dontAsk", "deny mode: don't ask (auto-deny): bypass-immune: destructive command", "rm -rf x"))
	runSeed(t, bash("", "dontAsk", "deny mode: don't ask (auto-deny)", "make"))
	runSeed(t, []seedCase{{tool: "Read", input: "a", mode: "dontAsk", want: "allow"}})
}

func TestDenyRulesPriorityOverSession(t *testing.T) {
	runSeed(t, []seedCase{
		{tool: "Read", input: ".env", settings: `"deny":["Read(**/.env)"]`, session: `{` + project + `,"allow":["Read"]}`, want: "deny"},
		{tool: "Bash", input: "rm x", settings: `"deny":["Bash(rm:*)"]`, session: `{` + project + `,"allowAllBash":true}`, want: "deny"},
		{tool: "Bash", input: "make", session: `{` + project + `,"allowAllBash":true}`, want: "allow session: allow all Bash"},
		{tool: "Bash", input: "make x", session: `{` + project + `,"allow":["Bash(make:*)"]}`, want: "allow session pattern: Bash(make:*)"},
		{tool: "Write", input: "a.txt", session: `{` + project + `,"allowAllEdits":true}`, want: "allow session: allow all edits"},
		{tool: "Write", input: "/etc/hosts", session: `{` + project + `,"allowAllEdits":true}`, want: "ask outside working directory"},
		{tool: "Bash", input: "make", session: `{"project":"/other","allowAllBash":true}`, want: "ask"},
		{tool: "Bash", input: "make", session: `{` + project + `,"allowAllBash":"yes"}`, want: "ask"},
	})
}

func TestSafeToolAllowlist(t *testing.T) {
	safe := []string{"Read", "Glob", "Grep", "WebFetch", "WebSearch", "LSP", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "AskUserQuestion", "CronList"}
	for _, tool := range safe {
		if !rules.SafeTool(tool) {
			t.Errorf("%s is not safe", tool)
		}
	}
	for _, tool := range []string{"Bash", "Edit", "Write", "NotebookEdit", "Agent", "Skill", "read", "mcp__x__Read", ""} {
		if rules.SafeTool(tool) {
			t.Errorf("%s is safe", tool)
		}
	}
	runSeed(t, []seedCase{
		{tool: "TaskCreate", input: `{}`, mode: "dontAsk", want: "allow mode: safe tool"},
		{tool: "WebFetch", input: "https://example.com/", want: "allow"},
		{tool: "Read", input: "secrets/a", settings: `"ask":["Read(./secrets/**)"]`, want: "ask"},
	})
}

func TestIsDestructiveCommand(t *testing.T) {
	runSeed(t, bash("", "bypassPermissions", "ask asks in every mode",
		"rm -rf x", "rm -fr x", "rm -r x", "/bin/rm -Rf x", "sudo rm -rf x", "git reset --hard", "git clean -fd", "git clean -xdf", "git push -f",
		"git push --force origin main", "git push origin +main", "git checkout -- .", "git checkout .", "git stash drop", "git stash clear",
		"git branch -D x", "git branch -d -f x", "chmod 777 x", "chmod -R 777 .", ":(){ :|:& };:", "dd if=x of=/dev/sda", "mkfs.ext4 /dev/sdb", "fdisk /dev/sda"))
	runSeed(t, bash("", "bypassPermissions", "allow",
		"rm x", "git reset --soft HEAD~1", "git clean -n", "git push --force-with-lease", "git checkout main", "git stash list", "git branch -d x",
		"chmod 644 x", "grep mkfs docs", "echo 'rm -rf /'", "git commit -m 'rm -rf x'"))
}

func TestIsSensitivePath(t *testing.T) {
	for _, p := range []string{".git/config", ".gen/settings.json", ".claude/settings.json", ".vscode/tasks.json", ".idea/x.xml", ".ssh/config", ".aws/credentials",
		".gnupg/x", ".kube/config", ".bashrc", ".zshrc", ".profile", ".gitconfig", ".npmrc", ".netrc", ".docker/config.json", ".env", ".env.local", ".mcp.json",
		".GIT/config", ".git./config", ".gi\u200bt/config", "GIT~1/config", ".git::$INDEX_ALLOCATION/config", ".claude/worktrees/x/.git/config"} {
		for _, mode := range []string{"default", "acceptEdits", "bypassPermissions"} {
			runSeed(t, []seedCase{{tool: "Edit", input: p, mode: mode, settings: `"allow":["Edit"]`, want: "ask asks in every mode"}})
		}
	}
	for _, p := range []string{"git/config", ".gitignore", ".github/workflows/ci.yml", ".env.example", "docs/ssh/x", ".claude/plans/p.md", ".claude/worktrees/x/main.go", "env", "a.env"} {
		runSeed(t, []seedCase{{tool: "Write", input: p, mode: "acceptEdits", want: "allow"}})
	}
}

func TestCheckBashSecurity(t *testing.T) {
	runSeed(t, bash(`"allow":["Bash"]`, "default", "ask asks in every mode",
		"echo $($(whoami))", "ls\u200b -la", "ls\x01", "IFS=x", "zmodload zsh/system", "zf_rm x", "cat /proc/self/environ", "cat /proc/1/environ",
		"cat /pr*/self/environ", "cat /proc/$PPID/env*", "cat /proc/{1,2}/environ",
		"echo x > /etc/passwd", "echo x >> ~/.ssh/authorized_keys", "echo x > /dev/sda", "eval \"$x\"", "source /tmp/x", "cd /tmp/r && git pull"))
	runSeed(t, bash(`"allow":["Bash"]`, "default", "allow", "echo $(whoami)", "echo $(echo $(whoami))", "ls 2>/dev/null", "cd /tmp/r && git status", "cat /proc/cpuinfo", "cat src/$x/environ", "cat */environ", "echo '$(a $(b))'"))
}

func TestBashSecurityBypassImmune(t *testing.T) {
	runSeed(t, bash("", "bypassPermissions", "ask asks in every mode", "zpty -b w cat", "ztcp host 80", "cat /proc/self/environ", "echo $(echo $($(id)))"))
}

func TestExploreModeAllowsOnlyGitDiffBash(t *testing.T) {
	const agent = "mode: explore\n" + gitDiffLog
	runSeed(t, []seedCase{
		{tool: "Bash", input: "git diff --stat", agent: agent, want: "allow"},
		{tool: "Bash", input: "git diff && git status", agent: agent, want: "deny outside the allow_tools constraint"},
		{tool: "Bash", input: "git diff && rm -rf /tmp/dummy", agent: agent, want: "deny destructive command"},
		{tool: "Write", input: "x", agent: agent, want: "deny outside the allow_tools constraint"},
		{tool: "Read", input: "x", agent: agent, want: "allow"},
	})
}

func TestDefaultModeRestrictsConfiguredBash(t *testing.T) {
	const agent = "mode: default\nallow_tools: [\"Bash(git diff*)\"]\n"
	runSeed(t, []seedCase{
		{tool: "Bash", input: "git diff", agent: agent, want: "allow"},
		{tool: "Bash", input: "git status", agent: agent, want: "deny outside the allow_tools constraint"},
		{tool: "Read", input: "README.md", agent: agent, want: "allow"},
		{tool: "Bash", input: "git status", agent: "mode: default\n", want: "deny would require approval"},
		{tool: "Bash", input: "git status", agent: "mode: default\n", settings: `"allow":["Bash(git:*)"]`, want: "deny would require approval"},
		{tool: "Read", input: ".env", agent: agent, settings: `"deny":["Read(./.env)"]`, want: "deny deny rule"},
		{tool: "Bash", input: "git diff", agent: "allow_tools: []\n", want: "deny outside the allow_tools constraint"},
	})
}

func TestDenyToolRulesMatchPatterns(t *testing.T) {
	const agent = "mode: bypassPermissions\ndeny_tools:\n  - Bash(git stash*)\n"
	runSeed(t, []seedCase{
		{tool: "Bash", input: "git stash list", agent: agent, want: "deny blocked by deny_tools"},
		{tool: "Bash", input: "ls | xargs git stash show", agent: agent, want: "deny blocked by deny_tools"},
		{tool: "Bash", input: "ls", agent: agent, want: "allow"},
	})
}

// visible asks which of some tools a host should show a subagent.
func visible(t *testing.T, agent string) string {
	t.Helper()
	c, _ := seedCase{tool: "Read", input: "x", agent: agent}.run(t)
	var out []string
	for _, tool := range []string{"Read", "Edit", "Write", "Bash", "Agent", "mcp__s__t"} {
		if facts.Visible(c.Policy, tool) {
			out = append(out, tool)
		}
	}
	return strings.Join(out, " ")
}

func TestExploreModeFiltersMutatingToolSchemas(t *testing.T) {
	if got := visible(t, "mode: explore\n"); got != "Read" {
		t.Errorf("explore shows %s", got)
	}
	if got := visible(t, "mode: explore\n"+gitDiffLog); got != "Read Bash" {
		t.Errorf("explore with a list shows %s", got)
	}
	if got := visible(t, "mode: explore\nallow_tools: []\n"); got != "" {
		t.Errorf("an empty list shows %s", got)
	}
}

func TestAcceptEditsModeFiltersApprovalOnlyToolSchemas(t *testing.T) {
	if got := visible(t, "mode: acceptEdits\n"); got != "Read Edit Write" {
		t.Errorf("acceptEdits shows %s", got)
	}
}

func TestBypassModeAllowsEverything(t *testing.T) {
	if got := visible(t, "mode: bypassPermissions\n"); got != "Read Edit Write Bash Agent mcp__s__t" {
		t.Errorf("bypassPermissions shows %s", got)
	}
	runSeed(t, []seedCase{
		{tool: "Bash", input: "make", agent: "mode: bypassPermissions\n", want: "allow"},
		{tool: "Bash", input: "rm -rf x", agent: "mode: bypassPermissions\n", want: "deny destructive command"},
	})
}

func TestNormalizePermissionModeDefaultsEmpty(t *testing.T) {
	for mode, want := range map[string]string{"": "default", "manual": "default", "nonsense": "default", "edit": "default", "auto": "auto", "acceptEdits": "acceptEdits"} {
		c, _ := seedCase{tool: "Read", input: "x", settings: `"defaultMode":"` + mode + `"`}.run(t)
		if c.Policy.Mode.Value != want {
			t.Errorf("defaultMode %q is %q, want %q", mode, c.Policy.Mode.Value, want)
		}
	}
}

// TestIsReadOnlyToolMatchesConfig: seed 0's narrower read-only class is used by
// nothing in its gate; here its tools are checked to be safe ones.
func TestIsReadOnlyToolMatchesConfig(t *testing.T) {
	for _, tool := range []string{"Read", "Glob", "Grep", "WebFetch", "WebSearch", "LSP"} {
		if !rules.SafeTool(tool) || rules.EditTool(tool) {
			t.Errorf("%s is not a safe tool that edits nothing", tool)
		}
	}
}

func TestIsSafeToolMatchesConfig(t *testing.T) {
	n := 0
	for _, tool := range []string{"Read", "Glob", "Grep", "WebFetch", "WebSearch", "LSP", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "AskUserQuestion",
		"CronList", "Bash", "Edit", "Write", "NotebookEdit", "Agent", "Skill", "CronCreate", "ExitPlanMode", "LS"} {
		if rules.SafeTool(tool) {
			n++
		}
	}
	if n != 12 {
		t.Errorf("%d safe tools, want 12", n)
	}
	if v := (decide.Verdict{}); v.Decision() != hookio.Pass {
		t.Error("a zero verdict has an opinion")
	}
}

// TestUpThroughSymlink: .. after a symlink is the parent of where it leads.
func TestUpThroughSymlink(t *testing.T) {
	for command, want := range map[string]string{
		"echo x > link/../y": "ask",
		"cp a link/../y":     "ask",
		"echo x > sub/../y":  "allow",
		"cat link/../y":      "allow",
	} {
		_, v, err := Call(Setup{Tool: "Bash", Input: shell(command), Symlinks: map[string]string{"/work/project/link": "/home/dev/other"},
			Settings: map[string]string{seedHome: `{"permissions":{"allow":["Bash(*)"]}}`}})
		if err != nil || v.Decision().String() != want {
			t.Errorf("%s: %v %s (%v), want %s", command, v.Decision(), v.Reason(), err, want)
		}
	}
}
