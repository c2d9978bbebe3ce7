package load_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// The definition of the walk-through in the permission document of Gen.
const testPerm = `---
name: test-perm
description: Permission gate fixture
mode: explore
allow_tools:
- Read
- Bash(git diff*)
- Bash(git log*)
deny_tools:
- Bash(git stash*)
---
You are a test fixture. Run exactly what the user asks. After each call output:
RESULT: <tool>(<short-args>) -> <ALLOWED|DENIED: reason>
`

// frontCases are front matters; "-" means the key is not there. They seed
// FuzzLoad, too.
var frontCases = []struct {
	name, in                   string
	known                      bool
	mode, allow, deny, toolset string
	fault                      string
}{
	{name: "walk-through", in: testPerm, known: true, mode: "explore", allow: "Read | Bash(git diff*) | Bash(git log*)", deny: "Bash(git stash*)", toolset: "-"},
	{name: "flow lists", in: "---\nmode: plan\nallow_tools: [Read, 'Bash(git log:*)', \"Edit\"] # c\ndeny_tools: [Bash(a, b),\n  WebFetch]\n---\n", known: true, mode: "plan", allow: "Read | Bash(git log:*) | Edit", deny: "Bash(a, b) | WebFetch", toolset: "-"},
	{name: "comma string", in: "---\ntools: Read, Grep, Bash(git log:*)\ndisallowedTools: Edit, Write\npermissionMode: acceptEdits\n---\n", known: true, mode: "acceptEdits", allow: "-", deny: "Edit | Write", toolset: "Read | Grep | Bash(git log:*)"},
	{name: "indented block list", in: "---\nallow_tools:\n    - Read   # reading\n\n    # nothing else\n    - \"Bash(echo \\\"x\\\")\"\n---\n", known: true, allow: `Read | Bash(echo "x")`, toolset: "-"},
	{name: "windows line ends", in: "---\r\nmode: plan\r\nallow_tools:\r\n- Read\r\n---\r\n", known: true, mode: "plan", allow: "Read", toolset: "-"},
	{name: "other keys may be anything", in: "---\ndescription: |\n  mode: bypassPermissions\n  - x\nmodel: opus\nhooks:\n  PreToolUse:\n    - matcher: Bash\ndescription2: Use: when <b>: x\n---\n", known: true, allow: "-", toolset: "-"},
	{name: "empty list", in: "---\nallow_tools: []\n---\n", known: true, allow: "", toolset: "-"},
	{name: "null list", in: "---\nallow_tools:\ntools: ~\n---\n", known: true, allow: "", toolset: ""},
	{name: "permissions is mode", in: "---\npermissions: dontAsk\n---\n", known: true, mode: "dontAsk", allow: "-", toolset: "-"},
	{name: "unknown mode", in: "---\nmode: yolo\n---\n", known: true, mode: "default", allow: "-", toolset: "-"},
	{name: "malformed rules", in: "---\nallow_tools: [Read, Bash(]\ndeny_tools:\n- Bash(rm\n---\n", known: false, allow: "-", deny: "Bash(rm", toolset: "-", fault: "not closed"},
	{name: "one malformed rule", in: "---\nallow_tools: [Read, 'Bash(']\n---\n", known: true, allow: "Read", toolset: "-", fault: ":2:21: "},

	{name: "no front matter", in: "# hello\n", fault: "the file has no front matter"},
	{name: "empty file", in: "", fault: "the file has no front matter"},
	{name: "not closed", in: "---\nmode: acceptEdits\ndeny_tools: [Read]\n", deny: "Read", fault: "not closed"},
	{name: "map", in: "---\nallow_tools:\n  Bash: true\ndeny_tools: [Read]\n---\n", deny: "Read", fault: "neither a string nor a list"},
	{name: "flow map", in: "---\nallow_tools: {Bash: true}\n---\n", fault: "needs quotes"},
	{name: "list of maps", in: "---\nallow_tools:\n- {name: Bash}\n---\n", fault: "needs quotes"},
	{name: "list of maps in blocks", in: "---\nallow_tools:\n- name: Bash\n---\n", fault: "needs quotes"},
	{name: "anchor", in: "---\nallow_tools: &a [Bash]\n---\n", fault: "needs quotes"},
	{name: "tag", in: "---\nmode: !x plan\n---\n", fault: "needs quotes"},
	{name: "block text", in: "---\nallow_tools: |\n  Bash\n---\n", fault: "several lines"},
	{name: "folded text", in: "---\ntools: Read,\n  Bash\n---\n", fault: "several lines"},
	{name: "twice", in: "---\nmode: plan\nmode: acceptEdits\n---\n", fault: "appears twice"},
	{name: "by two names", in: "---\ndeny_tools: [Read]\ndisallowedTools: [Edit]\n---\n", deny: "Read | Edit", fault: "appears twice"},
	{name: "other case", in: "---\nAllow_Tools: [Bash]\n---\n", fault: "is written"},
	{name: "mode is a list", in: "---\nmode: [acceptEdits]\n---\n", fault: "must have one value"},
	{name: "quoted text over lines", in: "---\ndescription: \"x\nallow_tools: [Bash]\n\"\n---\n", fault: "several lines"},
	{name: "odd line", in: "---\nallow_tools: [Bash]\nhello\n---\n", fault: "line 3 is not a key"},
	{name: "tab", in: "---\nallow_tools:\n\t- Bash\n---\n", fault: "neither a string nor a list"},
	{name: "text after a list", in: "---\nallow_tools: [Bash] Edit\n---\n", fault: "text after the list"},
	{name: "another name", in: "---\nname: other\nallow_tools: [Bash]\ndeny_tools: [Read]\n---\n", deny: "Read", fault: `it defines "other"`},
}

func agentOf(name string, f *fakefs.FS) *rules.Policy {
	return load.Load(where(func(w *load.Where) { w.Agent = name }), f)
}

func TestAgentDefinition(t *testing.T) {
	list := func(has bool, rs []rules.Rule) string {
		if !has {
			return "-"
		}
		return texts(rs)
	}
	for _, c := range frontCases {
		t.Run(c.name, func(t *testing.T) {
			name := "a"
			if c.name == "walk-through" {
				name = "test-perm"
			}
			p := agentOf(name, tree(map[string]string{proj + "/.gen/agents/" + name + ".md": c.in}))
			a := p.Agent
			if a.Known != c.known || !a.Found || a.Name != name || a.Pos.File != proj+"/.gen/agents/"+name+".md" {
				t.Errorf("%+v", a)
			}
			check(t, "deny", texts(a.Deny), c.deny)
			if c.known {
				check(t, "mode", a.Mode, c.mode)
				check(t, "allow", list(a.HasAllow, a.Allow), c.allow)
				check(t, "tools", list(a.HasTools, a.Tools), c.toolset)
			} else if a.Mode != "" || len(a.Allow) > 0 || p.Mode.Value != "default" {
				t.Errorf("an unknown agent is given something: %+v", a)
			}
			has(t, "fault", faults(p, false), c.fault)
			check(t, "closed faults", faults(p, true), "")
		})
	}
	p := agentOf("test-perm", tree(map[string]string{proj + "/.gen/agents/test-perm.md": testPerm}))
	check(t, "position", p.Agent.Allow[1].Pos.String()+" "+p.Agent.Deny[0].Pos.String(), proj+"/.gen/agents/test-perm.md:7:3 "+proj+"/.gen/agents/test-perm.md:10:3")
	if p.Agent.Narrow || p.Agent.Allow[0].Scope != rules.Agent {
		t.Errorf("%+v", p.Agent)
	}
}

func TestAgentLookup(t *testing.T) {
	def := func(tool string) string { return "---\nallow_tools: [" + tool + "]\n---\n" }
	all := []string{proj + "/.gen/agents/a.md", proj + "/.gen/agents/a/AGENT.md", proj + "/.san/agents/a.md", proj + "/.claude/agents/a.md",
		home + "/.gen/agents/a.md", home + "/.san/agents/a/AGENT.md", home + "/.claude/agents/a.md"}
	for i := range all {
		files := map[string]string{proj + "/sub/.gen/agents/a.md": def("Bash"), "/home/.gen/agents/a.md": def("Bash")}
		for j, name := range all[i:] {
			files[name] = def("Read(" + strings.Repeat("x", i+j+1) + ")")
		}
		p := agentOf("a", tree(files))
		check(t, all[i], texts(p.Agent.Allow), "Read("+strings.Repeat("x", i+1)+")")
		if p.Agent.Allow[0].Claude != strings.Contains(all[i], ".claude") {
			t.Errorf("%s: Claude is %v", all[i], p.Agent.Allow[0].Claude)
		}
	}
	f := tree(map[string]string{proj + "/.gen/x.md": def("Bash"), proj + "/.gen/agents/.md": def("Bash"), proj + "/.gen/agents/a b.md": def("Bash")})
	for _, name := range []string{"none", "../x", "agents/../x", "", ".", "..", "a b", "(unnamed)", "a\x00"} {
		p := agentOf(name, f)
		if name == "" {
			if p.Agent != nil {
				t.Error("an agent in the main loop")
			}
		} else if a := p.Agent; a.Known || a.Found || a.HasAllow || len(a.Allow) > 0 {
			t.Errorf("%q: %+v", name, a)
		}
	}
	f.Mkdir(proj + "/.gen/agents/dir.md")
	if a := agentOf("dir", f).Agent; a.Known || !a.Found {
		t.Errorf("a directory: %+v", a)
	}
}

func TestAgentGrants(t *testing.T) {
	const def = "---\nmode: acceptEdits\nallow_tools: [Edit]\ndeny_tools: [Bash]\n---\n"
	trust := map[string]string{home + "/.gen/permgate.json": `{"projectTrust": "require"}`}
	file := func(name string) map[string]string {
		m := map[string]string{name: def}
		for k, v := range trust {
			m[k] = v
		}
		return m
	}
	p := agentOf("a", tree(file(proj+"/.gen/agents/a.md")))
	if a := p.Agent; !a.Known || !a.Narrow || a.Mode != "" || p.Mode.Value != "default" || texts(a.Allow) != "Edit" || texts(a.Deny) != "Bash" {
		t.Errorf("untrusted project: %+v", a)
	}
	has(t, "dropped", dropped(p), "Edit at "+proj+"/.gen/agents/a.md:3:15: projectTrust")
	if a := agentOf("a", tree(file(home+"/.gen/agents/a.md"))).Agent; a.Narrow || a.Mode != "acceptEdits" {
		t.Errorf("user's: %+v", a)
	}
	// from a home that does not count
	f := tree(map[string]string{"/env/.gen/agents/a.md": def})
	p = load.Load(where(func(w *load.Where) { w.Agent, w.Home = "a", "/env" }), f)
	if a := p.Agent; !a.Narrow || a.Mode != "" || p.Mode.Value != "default" || texts(a.Deny) != "Bash" {
		t.Errorf("foreign home: %+v", a)
	}
}

func TestSkill(t *testing.T) {
	skill := "---\nname: s\nallowed-tools: Read, Bash(git log:*)\n---\ntext\n"
	loaded := func(name, file, text string, change ...func(*load.Where)) *rules.AgentDef {
		f := tree(map[string]string{file: text, proj + "/.claude/settings.json": `{"permissions": {"additionalDirectories": ["/lib"]}}`})
		return load.Load(where(append(change, func(w *load.Where) { w.Skill = name })...), f).Skill
	}
	for _, dir := range []string{proj + "/.gen", proj + "/.claude", home + "/.san", "/lib/.gen"} {
		a := loaded("s", dir+"/skills/s/SKILL.md", skill)
		if !a.Known || !a.Narrow || !a.HasAllow || texts(a.Allow) != "Read | Bash(git log:*)" || a.Allow[0].Scope != rules.Skill {
			t.Errorf("%s: %+v", dir, a)
		}
	}
	for _, dir := range []string{"/home/.gen", "/srv/.gen"} {
		if a := loaded("s", dir+"/skills/s/SKILL.md", skill); a.Known || a.Found {
			t.Errorf("%s: %+v", dir, a)
		}
	}
	if a := loaded("../s", proj+"/.gen/skills/s/SKILL.md", skill); a.Found {
		t.Errorf("bad name: %+v", a)
	}
	if a := loaded("s", proj+"/.gen/skills/s/SKILL.md", "---\nname: s\n---\n"); !a.Known || a.HasAllow {
		t.Errorf("no list: %+v", a)
	}
	if a := loaded("s", "/add/.gen/skills/s/SKILL.md", skill, func(w *load.Where) { w.AddDirs = []string{"/add"} }); !a.Known {
		t.Errorf("--add-dir: %+v", a)
	}
}

// TestToolAliases: lists of skills and agents take the names other systems have for
// a tool, settings files do not.
func TestToolAliases(t *testing.T) {
	for _, row := range []struct{ written, allow, deny string }{
		{"shell", "Bash", "Bash"}, {"shell(git:*)", "Bash(git:*)", "Bash(git:*)"}, {"shell(git push)", "Bash(git push:*)", "Bash(git push:*)"},
		{"shell(git)", "Bash(git)", "Bash(git:*)"}, {"shell(rm)", "Bash(rm:*)", "Bash(rm:*)"}, {"bash", "Bash", "Bash"},
		{"bash(make test)", "Bash(make test)", "Bash(make test)"}, {"read", "Read", "Read"}, {"read(.env)", "Read(.env)", "Read(.env)"},
		{"write", "Edit", "Edit"}, {"write(src/a.go)", "Edit(src/a.go)", "Edit(src/a.go)"}, {"edit", "Edit", "Edit"},
		{"memory", "Memory", "Memory"}, {"glob", "Glob", "Glob"}, {"Bash(ls)", "Bash(ls)", "Bash(ls)"}, {"reads", "reads", "reads"},
	} {
		p := load.Load(where(func(w *load.Where) { w.Skill, w.Agent = "s", "a" }), tree(map[string]string{
			proj + "/.gen/skills/s/SKILL.md": "---\nname: s\nallowed-tools: [\"" + row.written + "\"]\ndisallowed-tools: [\"" + row.written + "\"]\n---\n",
			proj + "/.gen/agents/a.md":       "---\nname: a\nallow_tools: [\"" + row.written + "\"]\ndeny_tools: [\"" + row.written + "\"]\n---\n",
			home + "/.gen/settings.json":     `{"permissions": {"allow": ["` + row.written + `"]}}`,
		}))
		check(t, row.written+" allowed", texts(p.Skill.Allow)+", "+texts(p.Agent.Granted), row.allow+", "+row.allow)
		check(t, row.written+" denied", texts(p.Skill.Deny)+", "+texts(p.Agent.Deny), row.deny+", "+row.deny)
		check(t, row.written+" in settings", texts(p.Allow), row.written)
	}
	for _, a := range load.ToolAliases {
		if rules.KnownTool(a.Alias) || !rules.KnownTool(a.Tool) {
			t.Errorf("%s stands for %s", a.Alias, a.Tool)
		}
	}
}
