package gate_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// A recall is two calls: the person says yes to the question of the first, something happens, and the second is made.
type recall struct {
	name, first, second string
	between             func(*fakefs.FS)
	files               map[string]string
	env                 map[string]string
}

const yesKey = "/home/dev/.claude/permgate.json"

// yesFiles are a home with notes, a skill, another repository and a project.
func yesFiles() map[string]string {
	return m(yesKey, `{"rememberYes":true}`,
		"/home/dev/notes/a.txt", "x", "/home/dev/notes/b.txt", "x", "/home/dev/.posh.json", "{}",
		"/home/dev/.claude/skills/s/SKILL.md", "---\nname: s\ndescription: does things\n---\n\nDo it.\n",
		"/home/dev/.claude/commands/c.md", "Do it.\n", "/home/dev/.claude/agents/a.md", "---\nname: a\n---\nx\n",
		"/home/dev/other/.git/HEAD", "ref: refs/heads/main\n", "/home/dev/other/.git/objects", "dir", "/home/dev/other/.git/refs", "dir",
		"/home/dev/other/.git/config", "[core]\n\tbare = false\n[user]\n\tname = a\n", "/home/dev/other/a.go", "x",
		"/home/dev/third/.git/HEAD", "ref: refs/heads/main\n", "/home/dev/third/.git/objects", "dir", "/home/dev/third/.git/refs", "dir")
}

func (r *recall) decide(t *testing.T, payload string, yes []facts.Yes, change bool) decide.Verdict {
	t.Helper()
	files := yesFiles()
	for name, text := range r.files {
		files[name] = text
	}
	s := sentence{name: r.name, payload: payload, flags: gate.Flags{Host: "claude", State: "/state"}, files: files, env: r.env, environ: []string{"HOME=/home/dev"}}
	for k, v := range r.env {
		s.environ = append(s.environ, k+"="+v)
	}
	s.arrange = func(fs *fakefs.FS) {
		if len(yes) > 0 {
			text := `{"project":"/work/project","asked":[],"yes":[`
			for i, y := range yes {
				if i > 0 {
					text += ","
				}
				text += `{"kind":` + strconv.Quote(y.Kind) + `,"given":` + strconv.Quote(y.Given) + `,"real":` + strconv.Quote(y.Real) +
					`,"stamp":` + strconv.Quote(y.Stamp) + `,"folder":` + strconv.Quote(y.Folder) + `,"at":"` + y.At.UTC().Format(time.RFC3339) + `"}`
			}
			fs.Write("/state/yes-s1.json", text+"]}").UID = 1000
		}
		if change && r.between != nil {
			r.between(fs)
		}
	}
	_, v, _ := s.answer(t)
	return v
}

// asks is the step and the id of a question, "" where none of steps 2 and 3b is asked.
func asks(v decide.Verdict) string {
	if v.Decision() != hookio.Ask || v.Step() != "2" && v.Step() != "3b" {
		return ""
	}
	return v.Step()
}

// run decides both calls, and fails where the first is not asked about.
func (r *recall) run(t *testing.T) (first, second decide.Verdict) {
	t.Helper()
	first = r.decide(t, r.first, nil, false)
	if asks(first) == "" {
		t.Errorf("%s: the first is not asked about: %v at step %s: %s", r.name, first.Decision(), first.Step(), first.Reason())
	}
	return first, r.decide(t, r.second, saidYes(first), true)
}

// saidYes is what is kept where the person says yes to a question.
func saidYes(v decide.Verdict) (yes []facts.Yes) {
	for _, q := range v.Why().Targets {
		yes = append(yes, facts.Yes{Target: q, At: time.Time{}.Add(50 * time.Minute)})
	}
	return yes
}

func write(name string) string {
	return tool("Write", `{"file_path":`+strconv.Quote(name)+`,"content":"x"}`)
}

func edit(name, from, to string) string {
	return tool("Edit", `{"file_path":`+strconv.Quote(name)+`,"old_string":`+strconv.Quote(from)+`,"new_string":`+strconv.Quote(to)+`}`)
}

const skill = "/home/dev/.claude/skills/s/SKILL.md"

// TestYesAnswers: what the person said yes to is not asked again.
func TestYesAnswers(t *testing.T) {
	other := "cd /home/dev/other && "
	for _, r := range []recall{
		{name: "the same file", first: edit("/home/dev/.posh.json", "{", "[")},
		{name: "another tool", first: write("/home/dev/notes/a.txt"), second: bash("echo x > ~/notes/a.txt")},
		{name: "a new file", first: write("/home/dev/notes/new.txt")},
		{name: "a folder", first: bash("cp -r src /home/dev/notes")},
		{name: "a removal", first: bash("rm /home/dev/notes/a.txt")},
		{name: "a skill", first: edit(skill, "Do it", "Do that")},
		{name: "a command", first: edit("/home/dev/.claude/commands/c.md", "Do it", "Do that")},
		{name: "a skill of the project", first: write("/work/project/.claude/skills/x/SKILL.md")},
		{name: "git add", first: bash(other + "git add a.go")},
		{name: "git add of another file", first: bash(other + "git add a.go"), second: bash(other + "git add b.go")},
		{name: "git add, by -C", first: bash(other + "git add a.go"), second: bash("git -C /home/dev/other add a.go")},
		{name: "git commit", first: bash(other + "git commit -m x")},
		{name: "reads", first: tool("Read", `{"file_path":"/opt/x"}`), files: m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`)},
		{name: "a search", first: bash("ls /home/dev/notes"), files: m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`)},
		{name: "a hook that was there", first: bash(other + "git add a.go"), files: m("/home/dev/other/.git/hooks/pre-commit", "#!/bin/sh\n")},
	} {
		if r.second == "" {
			r.second = r.first
		}
		first, v := r.run(t)
		if len(first.Why().Targets) == 0 {
			t.Errorf("%s: no question is kept: %s", r.name, first.Reason())
		}
		if asks(v) != "" {
			t.Errorf("%s: asked again at step %s: %s", r.name, v.Step(), v.Reason())
		}
		if !strings.Contains(v.Reason(), "you said yes to ") {
			t.Errorf("%s: %q does not name the yes", r.name, v.Reason())
		}
		if v.Decision() == hookio.Allow && !strings.HasPrefix(r.first, `"tool_name":"Read"`) {
			t.Errorf("%s: allowed at step %s", r.name, v.Step())
		}
	}
}

// TestYesAgainst: attempts to use a yes against the person who gave it. Each asks.
func TestYesAgainst(t *testing.T) {
	other := "cd /home/dev/other && "
	put := func(name, text string) func(*fakefs.FS) {
		return func(fs *fakefs.FS) { fs.Write(name, text).UID = 1000 }
	}
	link := func(name, to string) func(*fakefs.FS) {
		return func(fs *fakefs.FS) { fs.Remove(name); fs.Link(name, to).UID = 1000 }
	}
	add := bash(other + "git add a.go")
	a, reads := "/home/dev/notes/a.txt", m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`)
	for _, r := range []recall{
		{name: "another file", first: write(a), second: write("/home/dev/notes/b.txt")},
		{name: "a file below it", first: write("/home/dev/notes/d"), second: write("/home/dev/notes/d/x")},
		{name: "a symlink in its place", first: write(a), between: link(a, "/home/dev/notes/b.txt")},
		{name: "a symlink to a start-up file", first: write(a), between: link(a, "/home/dev/.bashrc")},
		{name: "a folder of it is a symlink", first: write("/home/dev/new/a"), between: link("/home/dev/new", "/home/dev/notes")},
		{name: "a symlink made by the same text", first: bash("echo x > " + a), second: bash("ln -sf /home/dev/other/a.go " + a + "; echo x > " + a)},
		{name: "moved there by the same text", first: bash("echo x > " + a), second: bash("mv l " + a + "; echo x > " + a)},
		{name: "unpacked there by the same text", first: bash("echo x > " + a), second: bash("tar -xf x.tar -C /home/dev/notes; echo x > " + a)},
		{name: "another name of a file", first: write(a), between: func(fs *fakefs.FS) { fs.File(a).Names = 2 }},
		{name: "a write is no removal", first: write(a), second: bash("rm " + a)},
		{name: "a removal is no write", first: bash("rm " + a), second: write(a)},
		{name: "a file is no tree", first: write("/home/dev/notes/x"), second: bash("cp -r src /home/dev/notes/x")},
		{name: "a pattern", first: bash("echo x > " + a), second: bash("rm /home/dev/notes/*")},
		{name: "a pattern shown", first: bash("rm /home/dev/notes/*"), second: bash("rm /home/dev/notes/*")},
		{name: "only known when it runs", first: bash("echo x > $X"), second: bash("echo x > $X")},
		{name: "a read is no write", first: tool("Read", `{"file_path":"/opt/x"}`), second: write("/opt/x"), files: m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`)},
		{name: "another mention", first: bash("echo x > " + a), second: bash("echo x > " + a + "; echo y > /home/dev/notes/b.txt")},
		{name: "one of more", first: bash("echo > /opt/1; echo > /opt/2; echo > /opt/3; echo > " + a), second: bash("echo > " + a)},
		{name: "one of more, named elsewhere", first: bash("rm -rf src '/opt/`" + a + "`'; echo > /opt/1; echo > /opt/2; echo > /opt/3; echo > " + a),
			second: bash("echo > " + a)},
		{name: "in a script", first: bash("echo x > " + a), second: bash("source x.sh; echo x > " + a)},
		{name: "a secret", first: bash("cp a /home/dev/.ssh/id_rsa"), second: bash("cp a /home/dev/.ssh/id_rsa")},
		{name: "a start-up file", first: write("/home/dev/.bashrc"), second: write("/home/dev/.bashrc")},
		{name: "an agent", first: write("/home/dev/.claude/agents/a.md"), second: write("/home/dev/.claude/agents/a.md")},
		{name: "a script of a skill", first: write("/home/dev/.claude/skills/s/run.sh"), second: write("/home/dev/.claude/skills/s/run.sh")},
		{name: "a command in a skill", first: edit(skill, "Do it", "Do that"), second: edit(skill, "Do it", "!`id`")},
		{name: "hooks in a skill", first: edit(skill, "Do it", "Do that"), second: edit(skill, "name: s", "name: s\nhooks: x")},
		{name: "tools of a skill", first: edit(skill, "Do it", "Do that"), second: edit(skill, "name: s\n", "allowed-tools: Bash\n")},
		{name: "front matter for a file without", first: edit("/home/dev/.claude/commands/c.md", "Do", "do"),
			second: edit("/home/dev/.claude/commands/c.md", "Do it.", "---\nallowed-tools: Bash\n---\n")},
		{name: "a skill that runs a command already", first: edit(skill, "Do it", "Do that"), between: put(skill, "!`id`\nDo it")},
		{name: "a skill by the shell", first: edit(skill, "Do it", "Do that"), second: bash("echo x > " + skill)},
		{name: "another skill", first: edit(skill, "Do it", "Do that"), second: write("/home/dev/.claude/skills/t/SKILL.md")},
		{name: "the skill is a symlink", first: edit(skill, "Do it", "Do that"), between: link(skill, "/home/dev/.claude/agents/a.md")},
		{name: "git commit after git add", first: add, second: bash(other + "git commit -m x")},
		{name: "git add in a third repository", first: add, second: bash("cd /home/dev/third && git add a.go")},
		{name: "a hook since", first: add, between: put("/home/dev/other/.git/hooks/pre-commit", "#!/bin/sh\n")},
		{name: "another configuration", first: add, between: put("/home/dev/other/.git/config", "[core]\n\tbare = false\n[user]\n\tname = b\n")},
		{name: "a filter", first: add, between: put("/home/dev/other/.git/config", "[core]\n\tbare = false\n[filter \"x\"]\n\tclean = sh x\n")},
		{name: "a filter that was there", first: add, second: add, files: m("/home/dev/other/.git/config", "[filter \"x\"]\n\tclean = sh x\n")},
		{name: "hooks elsewhere", first: add, second: add, files: m("/home/dev/other/.git/config", "[core]\n\thooksPath = .husky\n")},
		{name: "an include", first: add, second: add, files: m("/home/dev/other/.git/config", "[include]\n\tpath = ../x\n")},
		{name: "attributes", first: add, between: put("/home/dev/other/.gitattributes", "* filter=x\n")},
		{name: "another repository in its place", first: add, between: put("/home/dev/other/.git", "gitdir: /home/dev/third/.git\n")},
		{name: "a variable", first: add, second: bash(other + "GIT_DIR=/home/dev/third/.git git add a.go")},
		{name: "a variable set before", first: add, second: bash("export GIT_DIR=/x; " + other + "git add a.go")},
		{name: "a variable of the environment", first: add, second: add, env: m("GIT_DIR", "/x")},
		{name: "an option that runs a program", first: add, second: bash(other + "git -c core.fsmonitor=./x add a.go")},
		{name: "written by the same text", first: add, second: bash("cp h " + "/home/dev/other/.git/hooks/pre-commit; " + other + "git add a.go")},
		{name: "a folder only known when it runs", first: add, second: bash("cd $X && git add a.go")},
		{name: "by another name", first: add, second: bash(other + "/tmp/git add a.go")},
		{name: "with another root", first: bash("rm " + a), second: bash("chroot /x rm " + a)},
		{name: "as another user", first: add, second: bash("sudo -u bob git -C /home/dev/other add a.go")},
		{name: "by su", first: bash("echo x > " + a), second: bash("su bob -c 'echo x > " + a + "'")},
		{name: "a link by ln", first: write("/home/dev/notes/l"), second: bash("ln -sT /home/dev/third /home/dev/notes/l")},
		{name: "its mode", first: write(a), second: bash("chmod u+s " + a)},
		{name: "its owner", first: write(a), second: bash("chown bob " + a)},
		{name: "something mounted", first: bash("mkdir -p /home/dev/notes"), second: bash("mount --bind /x /home/dev/notes")},
		{name: "a listing is no search", first: bash("ls /home/dev/notes"), second: bash("grep -r . /home/dev/notes"), files: reads},
		{name: "a listing is no search of the tool", first: bash("ls /home/dev/notes"), second: tool("Grep", `{"pattern":".","path":"/home/dev/notes"}`), files: reads},
		{name: "a list of files is no search", first: bash("find /home/dev/notes"), second: bash("grep -r . /home/dev/notes"), files: reads},
		{name: "a listing is no history", first: bash("ls /home/dev/notes"), second: bash("git -C /home/dev/notes log -p"), files: reads},
		{name: "reading does not run", first: bash("cat " + a), second: bash("bash " + a), files: reads},
		{name: "reading is not what an unknown tool does", first: tool("Read", `{"file_path":"/opt/x"}`), second: tool("mcp__fs__put", `{"path":"/opt/x"}`), files: reads},
		{name: "hooks that the user's configuration names", first: add, between: put("/home/dev/other/.githooks/pre-commit", "#!/bin/sh\n"),
			files: m("/home/dev/.gitconfig", "[core]\n\thooksPath = .githooks\n")},
		{name: "hooks that an included file names", first: add, between: put("/home/dev/other/.githooks/pre-commit", "#!/bin/sh\n"),
			files: m("/home/dev/.gitconfig", "[include]\n\tpath = .gitmore\n", "/home/dev/.gitmore", "[core]\n\thooksPath = .githooks\n")},
		{name: "hooks in the top of the work tree", first: add, between: put("/home/dev/other/pre-commit", "#!/bin/sh\n"),
			files: m("/home/dev/.gitconfig", "[core]\n\thooksPath = .\n")},
		{name: "a line removed with its end makes a command", first: edit(skill, "Do it", "Do that"), between: put(skill, "!x\n`id`\n"), second: edit(skill, "x", "")},
		{name: "the same with other ends of lines", first: edit(skill, "Do it", "Do that"), between: put(skill, "!x\r\n`id`\r\n"), second: edit(skill, "x", "")},
		{name: "a line removed makes front matter", first: edit(skill, "Do it", "Do that"),
			between: put(skill, "--x\n-\nallowed-tools: Bash\n---\n"), second: edit(skill, "x", "")},
		{name: "several edits", first: edit(skill, "Do it", "Do that"),
			second: tool("MultiEdit", `{"file_path":"`+skill+`","edits":[{"old_string":"Do","new_string":"!x"},{"old_string":"x","new_string":"`+"`id`"+`"}]}`)},
		{name: "an edit beside others", first: edit(skill, "Do it", "Do that"),
			second: tool("Edit", `{"file_path":"`+skill+`","edits":[{"old_string":"Do","new_string":"do"}],"old_string":"Do","new_string":"!`+"`id`"+`"}`)},
		{name: "all of them, perhaps", first: edit(skill, "Do it", "Do that"),
			second: tool("Edit", `{"file_path":"`+skill+`","old_string":"Do","new_string":"do","replace_all":"yes"}`)},
		{name: "blanks before front matter", first: edit(skill, "Do it", "Do that"),
			second: tool("Write", `{"file_path":"`+skill+`","content":"\u000b\u00a0---\nallowed-tools: Bash\n---\n"}`)},
		{name: "an argument that is left out makes a command", first: edit(skill, "Do it", "Do that"), second: edit(skill, "Do it", "!$7`id`")},
		{name: "a value on two lines", first: edit(skill, "Do it", "Do that"), second: edit(skill, "name: s", "name: \"a > b\n allowed-tools: x\"")},
		{name: "another encoding", first: edit(skill, "Do it", "Do that"), between: put(skill, "x\x00!\x00`\x00"), second: edit(skill, "x", "y")},
		{name: "on another machine", first: bash("echo x > " + a), second: bash("ssh h cat x; rm -rf /home/dev/notes")},
	} {
		if r.second == "" {
			r.second = r.first
		}
		if _, v := r.run(t); asks(v) == "" {
			t.Errorf("%s: %v at step %s: %s", r.name, v.Decision(), v.Step(), v.Reason())
		}
	}
}

// TestYesCounts: in which settings, callers and times a yes counts.
func TestYesCounts(t *testing.T) {
	call := write("/home/dev/notes/a.txt")
	first := (&recall{name: "first"}).decide(t, call, nil, false)
	yes := func(ago time.Duration) []facts.Yes {
		return []facts.Yes{{Target: first.Why().Targets[0], At: time.Time{}.Add(time.Hour - ago)}}
	}
	for _, tt := range []struct {
		name, payload string
		files         map[string]string
		yes           []facts.Yes
		asked         bool
	}{
		{"now", call, nil, yes(0), false},
		{"hours ago", call, nil, yes(11 * time.Hour), false},
		{"too long ago", call, nil, yes(12 * time.Hour), true},
		{"in the future", call, nil, yes(-time.Hour), true},
		{"not switched on", call, m(yesKey, `{}`), yes(0), true},
		{"switched on by a project", call, m(yesKey, `{}`, "/work/project/.claude/permgate.json", `{"rememberYes":true}`), yes(0), true},
		{"switched off by a project", call, m("/work/project/.claude/permgate.json", `{"rememberYes":false}`), yes(0), true},
		{"a subagent", as(call, `"agent_id":"1"`), nil, yes(0), true},
		{"a subagent that inherits", as(call, `"agent_id":"1"`), m(yesKey, `{"rememberYes":true,"subagents":"host"}`), yes(0), false},
		{"session grants are off", call, m(yesKey, `{"rememberYes":true,"disableSessionGrants":true}`), yes(0), false},
		{"a managed ask rule", call, m(managed, `{"permissions":{"ask":["Write(//home/dev/**)"]}}`), yes(0), true},
	} {
		v := (&recall{name: tt.name, files: tt.files}).decide(t, tt.payload, tt.yes, false)
		if got := asks(v) != "" || v.Decision() == deny; got != tt.asked {
			t.Errorf("%s: %v at step %s: %s", tt.name, v.Decision(), v.Step(), v.Reason())
		}
	}
	denied := (&recall{name: "denied", files: m(user, `{"permissions":{"deny":["Write(//home/dev/**)"]}}`)}).decide(t, call, yes(0), false)
	if denied.Decision() != deny {
		t.Errorf("a deny rule: %v", denied.Decision())
	}
}

// TestYesDialog: a question is kept where nothing but the host's own dialog with a person answers it.
func TestYesDialog(t *testing.T) {
	person := m("CLAUDE_CODE_ENTRYPOINT", "cli", "CLAUDE_CODE_SESSION_ATTENDED", "1")
	for _, tt := range []struct {
		name, payload, host string
		env, files          map[string]string
		headless, want      bool
	}{
		{name: "a terminal", payload: `"permission_mode":"default"`, want: true, env: person},
		{name: "no mode", env: person},
		{name: "auto", payload: `"permission_mode":"auto"`, want: true, env: person},
		{name: "acceptEdits", payload: `"permission_mode":"acceptEdits"`, want: true, env: person},
		{name: "no terminal", env: m("CLAUDE_CODE_ENTRYPOINT", "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED", "1")},
		{name: "no one there", env: m("CLAUDE_CODE_ENTRYPOINT", "cli", "CLAUDE_CODE_SESSION_ATTENDED", "0")},
		{name: "dontAsk", payload: `"permission_mode":"dontAsk"`, env: person},
		{name: "an unknown mode", payload: `"permission_mode":"bubble"`, env: person},
		{name: "headless", headless: true, env: person},
		{name: "no prompts", env: person, files: m(user, `{"permissions":{"denyInsteadOfPrompting":true}}`)},
		{name: "an approver", env: person, files: m(yesKey, `{"rememberYes":true,"approver":{"command":["/usr/bin/x"]}}`)},
		{name: "another host", host: "codex", env: person},
		{name: "the dialog itself", payload: `"hook_event_name":"PermissionRequest"`, env: person},
		{name: "not switched on", env: person, files: m(yesKey, `{}`)},
	} {
		files := yesFiles()
		for k, v := range tt.files {
			files[k] = v
		}
		payload := as(write("/home/dev/notes/a.txt"), `"tool_use_id":"t1"`)
		if tt.payload == "" && tt.name != "no mode" {
			tt.payload = `"permission_mode":"default"`
		}
		if tt.payload != "" {
			payload = as(payload, tt.payload)
		}
		host := tt.host
		if host == "" {
			host = "claude"
		}
		s := sentence{name: tt.name, payload: payload, env: tt.env, files: files, flags: gate.Flags{Host: host, State: "/state", Headless: tt.headless}}
		_, v, a := s.answer(t)
		if got := v.Dialog(a, func(k string) string { return tt.env[k] }); got != tt.want {
			t.Errorf("%s: %v, want %v (%v at step %s: %s)", tt.name, got, tt.want, a.Decision, v.Step(), v.Reason())
		}
	}
}

// TestRemember: with "alwaysAllow": "session" the host is told to allow by itself
// what the user's rule or grant allows, and never anything but the text it asked about.
func TestRemember(t *testing.T) {
	request := `"hook_event_name":"PermissionRequest"`
	on := m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`,
		"/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)","Bash(echo:*)","Bash(cat:*)","Bash(git:*)","Bash(touch:*)","WebFetch","Bash(*:*)"],"ask":["Bash(npm publish)"]}}`)
	claude := gate.Flags{Host: "claude", State: "/state"}
	now := time.Time{}.Add(time.Hour)
	ago, later := now.Add(-time.Minute).Format(time.RFC3339), now.Add(time.Hour).Format(time.RFC3339)
	for _, tt := range []struct {
		name, payload string
		flags         gate.Flags
		files         map[string]string
		want          string // of what is remembered
	}{
		{"rule", as(bash("npm test"), request), claude, on, "npm test"},
		{"words", as(bash("npm run build:prod --if-present"), request), claude, on, "npm run build:prod --if-present"},
		{"grant", as(bash("make x"), request), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`, "/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), "make x"},
		{"grant for some time", as(bash("make x"), request), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`, "/state/session-s1.json", `{"project":"/work/project","seen":"`+ago+`","timed":[{"rule":"Bash(make x)","since":"`+ago+`","until":"`+later+`","once":false,"used":false}]}`), ""},
		{"not switched on", as(bash("npm test"), request), claude, m("/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)"]}}`), ""},
		{"switched on by a project", as(bash("npm test"), request), claude, m("/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)"]}}`, "/work/project/.claude/permgate.json", `{"alwaysAllow":"session"}`), ""},
		{"other event", bash("npm test"), claude, on, ""},
		{"ask rule", as(bash("npm publish"), request), claude, on, ""},
		{"bypass", as(bash("tar"), request, `"permission_mode":"bypassPermissions"`), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`), ""},
		{"two commands", as(bash("npm test; echo a"), request), claude, on, ""},
		{"quotes", as(bash("echo 'a b'"), request), claude, on, ""},
		{"two blanks", as(bash("npm  test"), request), claude, on, ""},
		{"variable", as(bash("echo $HOME"), request), claude, on, ""},
		{"glob", as(bash("echo *"), request), claude, on, ""},
		{"rule syntax", as(bash("echo a:"), request), claude, on, ""},
		{"wrapper", as(bash("timeout 5 npm test"), request), claude, on, ""},
		{"environment", as(bash("CI=1 npm test"), request), claude, on, ""},
		{"names a file", as(bash("cat a.txt"), request), claude, on, ""},
		{"writes a file", as(bash("touch a.txt"), request), claude, on, ""},
		{"comment", as(bash("npm test #x"), request), claude, on, ""},
		{"other tool", as(tool("WebFetch", `{"url":"https://go.dev/","prompt":"x"}`), request), claude, on, ""},
		{"subagent", as(bash("npm test"), request, `"agent_id":"1"`), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session","subagents":"host"}`, "/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)"]}}`), ""},
		{"a colon in the name", as(bash("a:b c"), request), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`, "/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), ""},
		{"Gen", as(bash("npm test"), request), gate.Flags{Host: "gen", State: "/state"}, on, "npm test"},
		{"San", as(bash("npm test"), request), gate.Flags{Host: "san", State: "/state"}, on, "npm test"},
		{"Gen, before the tool", bash("npm test"), gate.Flags{Host: "gen", State: "/state"}, on, ""},
		{"host that knows no such answer", as(bash("npm test"), request), gate.Flags{}, on, ""},
	} {
		s := sentence{name: tt.name, payload: tt.payload, flags: tt.flags, files: tt.files}
		c, v, a := s.answer(t)
		c.Call.AllowForSession = v.AllowForSession()
		line := string(hookio.Write(nil, c.Call, a))
		want := ""
		if tt.want != "" {
			want = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"` +
				tt.want + `"}],"behavior":"allow","destination":"session"}]}}}` + "\n"
		}
		if want != "" && line != want || want == "" && strings.Contains(line, "updatedPermissions") {
			t.Errorf("%s: %s", tt.name, line)
		}
	}
}
