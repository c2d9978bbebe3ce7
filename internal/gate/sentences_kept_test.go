package gate_test

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// TestKeptWhereSettingsSay: plans and memory are where the host's settings and CLAUDE_CONFIG_DIR put them, unless
// that is a place for more than notes.
func TestKeptWhereSettingsSay(t *testing.T) {
	const (
		theirs = "/home/dev/.claude/settings.json"
		pg     = "/home/dev/.gen/permgate.json"
		team   = "/work/project/.claude/settings.json"
		own    = "/work/project/.claude/settings.local.json"
		admin  = "/etc/claude-code/managed-settings.json"
	)
	cl, auto := gate.Flags{Host: "claude"}, `"permission_mode":"auto"`
	write := func(path string) string { return as(tool("Write", `{"file_path":"`+path+`","content":"a"}`), auto) }
	memory := func(dir string) string { return `{"autoMemoryDirectory":"` + dir + `"}` }
	defers, trusts := `{"onUnmatched":"defer"}`, `{"onUnmatched":"defer","projectTrust":"require"}`
	plansIn := func(dir string) string { return `{"plansDirectory":"` + dir + `"}` }
	tracked := func(name string) func(*fakefs.FS) { return func(f *fakefs.FS) { f.File(name).Tracked = true } }
	const folders, plan = "/home/dev/.local/state/permgate/trust/folders", `"permission_mode":"plan"`
	config := m("CLAUDE_CONFIG_DIR", "/home/dev/cc")
	runSentences(t, []sentence{
		{name: "no setting", payload: write("/home/dev/notes/a.md"), files: m(pg, defers), flags: cl, want: ask, reason: "outside"},
		{name: "memory", payload: write("/home/dev/notes/a.md"), files: m(pg, defers, theirs, memory("~/notes")), flags: cl, want: pass},
		{name: "memory, whole path", payload: write("/home/dev/notes/a.md"), files: m(pg, defers, theirs, memory("/home/dev/notes/")), flags: cl, want: pass},
		{name: "memory, managed", payload: write("/srv/notes/a.md"), files: m(pg, defers, admin, memory("/srv/notes"), theirs, memory("~/other")), flags: cl, want: pass},
		{name: "memory, not the highest", payload: write("/home/dev/other/a.md"), files: m(pg, defers, admin, memory("/srv/notes"), theirs, memory("~/other")), flags: cl, want: ask},
		{name: "memory, local", payload: write("/home/dev/notes/a.md"), files: m(pg, trusts, own, memory("~/notes")), flags: cl, want: pass},
		{name: "memory, local and tracked", payload: write("/home/dev/notes/a.md"), files: m(pg, trusts, own, memory("~/notes")), arrange: tracked(own), flags: cl, want: ask},
		{name: "memory, shared", payload: write("/home/dev/notes/a.md"), files: m(pg, trusts, team, memory("~/notes")), flags: cl, want: ask},
		{name: "memory, shared, no trust asked for", payload: write("/home/dev/notes/a.md"), files: m(pg, defers, team, memory("~/notes")), flags: cl, want: ask},
		{name: "memory, local, no trust asked for", payload: write("/home/dev/notes/a.md"), files: m(pg, defers, own, memory("~/notes")), flags: cl, want: pass},
		{name: "memory, another program's settings", payload: write("/home/dev/notes/a.md"), files: m(pg, defers, user, memory("~/notes")), flags: cl, want: ask},
		{name: "memory, another program", payload: write("/home/dev/notes/a.md"), files: m(pg, defers, theirs, memory("~/notes")), flags: gate.Flags{Host: "qwen"}, want: ask},
		{name: "memory, no note", payload: write("/home/dev/notes/a.sh"), files: m(pg, defers, theirs, memory("~/notes")), flags: cl, want: ask},
		{name: "memory, below", payload: write("/home/dev/notes/x/a.md"), files: m(pg, defers, theirs, memory("~/notes")), flags: cl, want: ask},
		{name: "memory, instructions", payload: write("/home/dev/notes/CLAUDE.md"), files: m(pg, defers, theirs, memory("~/notes")), flags: cl, want: ask},
		{name: "memory, a link", payload: write("/home/dev/notes/a.md"), files: m(pg, defers, theirs, memory("~/notes"), "/home/dev/notes/a.md", "-> /home/dev/x.md", "/home/dev/x.md", "a"), flags: cl, want: ask},
		{name: "memory by a command", payload: as(bash("echo a > /home/dev/notes/a.md"), auto), files: m(pg, defers, theirs, memory("~/notes")), flags: cl, want: ask},
		{name: "memory is the home", payload: write("/home/dev/a.md"), files: m(pg, defers, theirs, memory("/home/dev")), flags: cl, want: ask},
		{name: "memory is above the home", payload: write("/home/a.md"), files: m(pg, defers, theirs, memory("/home")), flags: cl, want: ask},
		{name: "memory is relative", payload: write("/work/notes/a.md"), files: m(pg, defers, theirs, memory("../notes")), flags: cl, want: ask},
		{name: "memory is among keys", payload: write("/home/dev/.ssh/a.md"), files: m(pg, defers, theirs, memory("~/.ssh")), flags: cl, want: ask},
		{name: "memory is a folder of skills", payload: write("/home/dev/.claude/commands/a.md"), files: m(pg, defers, theirs, memory("~/.claude/commands")), flags: cl, want: ask},
		{name: "memory is a folder of agents", payload: write("/home/dev/.claude/agents/a.md"), files: m(pg, defers, theirs, memory("~/.claude/agents")), flags: cl, want: ask},
		{name: "memory is another project's", payload: write("/home/dev/.claude/projects/-x/memory/a.md"), files: m(pg, defers, theirs, memory("~/.claude/projects/-x/memory")), flags: cl, want: ask},
		{name: "memory is a folder of commands", payload: write("/home/dev/bin/a.md"), files: m(pg, defers, theirs, memory("~/bin")), flags: cl, want: ask},
		{name: "memory is the system's", payload: write("/etc/notes/a.md"), files: m(pg, defers, theirs, memory("/etc/notes")), flags: cl, want: ask},
		{name: "memory, an allow of ours", payload: as(tool("Write", `{"file_path":"/home/dev/notes/a.md","content":"a"}`), `"permission_mode":"default"`), files: m(pg, defers, theirs, `{"autoMemoryDirectory":"~/notes","permissions":{"allow":["Edit(~/notes/**)"]}}`), flags: cl, want: pass},
		{name: "plans", payload: as(tool("Write", `{"file_path":"docs/plans/a.md","content":"a"}`), plan), files: m(team, plansIn("docs/plans")), flags: cl, want: allow},
		{name: "plans, untrusted", payload: as(tool("Write", `{"file_path":"docs/plans/a.md","content":"a"}`), plan), files: m(pg, `{"projectTrust":"require"}`, team, plansIn("docs/plans")), flags: cl, want: deny},
		{name: "plans, memory is none", payload: as(tool("Write", `{"file_path":"/home/dev/notes/a.md","content":"a"}`), plan), files: m(theirs, memory("~/notes")), flags: cl, want: deny},
		{name: "plans elsewhere", payload: write("/home/dev/plans/a.md"), files: m(pg, defers, theirs, plansIn("/home/dev/plans")), flags: cl, want: ask},
		{name: "plans above", payload: write("/work/plans/a.md"), files: m(pg, defers, theirs, plansIn("../plans")), flags: cl, want: ask},
		{name: "plans by a link", payload: write("/work/project/plans/a.md"), files: m(pg, defers, team, plansIn("plans"), "/work/project/plans", "-> /home/dev/plans", "/home/dev/plans", "dir"), flags: cl, want: ask},
		// CLAUDE_CONFIG_DIR
		{name: "config folder, plans", payload: write("/home/dev/cc/plans/a.md"), files: m(pg, defers, folders, "/home/dev/cc\n", "/home/dev/cc", "dir"), env: config, arrange: alone, flags: cl, want: pass},
		{name: "config folder, plans in mode plan", payload: as(tool("Write", `{"file_path":"/home/dev/cc/plans/a.md","content":"a"}`), plan), files: m(folders, "/home/dev/cc\n", "/home/dev/cc", "dir"), env: config, arrange: alone, flags: cl, want: allow},
		{name: "config folder, memory", payload: as(write("/home/dev/cc/projects/-work-project/memory/a.md"), `"transcript_path":"/home/dev/cc/projects/-work-project/s.jsonl"`), files: m(pg, defers, folders, "/home/dev/cc\n", "/home/dev/cc", "dir"), env: config, arrange: alone, flags: cl, want: pass},
		{name: "config folder, another's memory", payload: as(write("/home/dev/cc/projects/-x/memory/a.md"), `"transcript_path":"/home/dev/cc/projects/-work-project/s.jsonl"`), files: m(pg, defers, folders, "/home/dev/cc\n", "/home/dev/cc", "dir"), env: config, arrange: alone, flags: cl, want: ask},
		{name: "config folder that was not recorded", payload: write("/home/dev/cc/plans/a.md"), files: m(pg, defers, "/home/dev/cc", "dir"), env: config, flags: cl, want: ask},
	})
}
