package load_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

func mode(m string) string { return `{"permissions": {"defaultMode": "` + m + `"}}` }

func TestMode(t *testing.T) {
	const bypass = "bypassPermissions"
	agent := func(m string) string { return "---\nmode: " + m + "\n---\n" }
	type W = load.Where
	cases := []struct {
		name  string
		files map[string]string
		w     func(*W)
		want  string
		note  string
	}{
		{"none", nil, nil, "default", ""},
		{"names", nil, func(w *W) { w.PayloadMode = "plan" }, "plan", ""},
		{"manual", nil, func(w *W) { w.PayloadMode = "manual" }, "default", ""},
		{"edit", nil, func(w *W) { w.PayloadMode = "edit" }, "default", `mode "edit" is now acceptEdits`},
		{"unknown", nil, func(w *W) { w.PayloadMode = "yolo" }, "default", `permission_mode: unknown mode "yolo" counts as default`},
		{"explore", map[string]string{home + "/.gen/settings.json": mode("explore")}, nil, "explore", ""},
		{"unknown in settings", map[string]string{home + "/.gen/settings.json": mode("x")}, nil, "default", "/.gen/settings.json:1:33: unknown mode"},
		{"unknown in managed", map[string]string{"/etc/gen/managed-settings.json": mode("x")}, nil, "dontAsk", "in managed settings counts as dontAsk"},

		{"flag beats payload", nil, func(w *W) { w.Mode, w.PayloadMode = "dontAsk", "acceptEdits" }, "dontAsk", ""},
		{"payload beats settings", map[string]string{home + "/.gen/settings.json": mode("dontAsk")}, func(w *W) { w.PayloadMode = "acceptEdits" }, "acceptEdits", ""},
		{"managed beats local", map[string]string{"/etc/gen/managed-settings.json": mode("default"), proj + "/.gen/settings.local.json": mode("acceptEdits")}, nil, "default", ""},
		{"local beats shared", map[string]string{proj + "/.gen/settings.local.json": mode("plan"), proj + "/.gen/settings.json": mode("acceptEdits")}, nil, "plan", ""},
		{"shared beats user", map[string]string{proj + "/.gen/settings.json": mode("acceptEdits"), home + "/.gen/settings.json": mode("dontAsk")}, nil, "acceptEdits", ""},
		{".gen beats .claude", map[string]string{proj + "/.claude/settings.json": mode("plan"), proj + "/.gen/settings.json": mode("acceptEdits")}, nil, "acceptEdits", ""},
		{"a later drop-in wins", map[string]string{"/etc/gen/managed-settings.d/1.json": mode("plan"), "/etc/gen/managed-settings.d/2.json": mode("acceptEdits"), "/etc/gen/managed-settings.json": mode("dontAsk")}, nil, "acceptEdits", ""},
		{"root of another host", map[string]string{proj + "/.san/settings.json": mode("acceptEdits")}, nil, "default", ""},
		{"root of the host", map[string]string{proj + "/.san/settings.json": mode("acceptEdits")}, func(w *W) { w.Roots = []string{".san"} }, "acceptEdits", ""},
		{"a stricter mode from above", map[string]string{"/home/.gen/settings.json": mode("dontAsk"), home + "/.gen/settings.json": mode("acceptEdits")}, nil, "dontAsk", ""},
		{"a laxer mode from above", map[string]string{"/home/.gen/settings.json": mode("acceptEdits"), home + "/.gen/settings.json": mode("plan")}, nil, "plan", ""},
		{"a mode from above and the project's", map[string]string{"/home/.gen/settings.json": mode("dontAsk"), proj + "/.gen/settings.json": mode("default")}, nil, "default", ""},
		{"a file with a fault", map[string]string{proj + "/.gen/settings.json": `{"permissions": {"defaultMode": "acceptEdits", "deny": 1}}`}, nil, "default", ""},

		{"bypass by payload", nil, func(w *W) { w.PayloadMode = bypass }, bypass, ""},
		{"bypass by managed", map[string]string{"/etc/gen/managed-settings.json": mode(bypass)}, nil, bypass, ""},
		{"bypass by user", map[string]string{home + "/.gen/settings.json": mode(bypass)}, nil, bypass, ""},
		{"bypass by local", map[string]string{proj + "/.gen/settings.local.json": mode(bypass)}, nil, bypass, ""},
		{"bypass by shared", map[string]string{proj + "/.gen/settings.json": mode(bypass), home + "/.gen/settings.json": mode("plan")}, nil, "plan", proj + "/.gen/settings.json:1:33: bypassPermissions is ignored"},
		{"bypass by a flag alone", nil, func(w *W) { w.Mode, w.PayloadMode = bypass, "plan" }, "plan", "ignored without --allow-dangerously-skip-permissions"},
		{"bypass by both flags", nil, func(w *W) { w.Mode, w.AllowBypass = bypass, true }, bypass, ""},
		{"bypass by --settings", map[string]string{"/s.json": mode(bypass)}, func(w *W) { w.Settings = []string{"/s.json"} }, "default", "ignored"},

		{"lock", map[string]string{proj + "/.gen/settings.json": `{"disableBypassPermissionsMode": true}`}, func(w *W) { w.PayloadMode = bypass }, "default", "bypassPermissions is locked by " + proj + "/.gen/settings.json:1:34; the mode is default"},
		{"lock of both flags", map[string]string{home + "/.gen/settings.json": `{"disableBypassPermissionsMode": "disable"}`}, func(w *W) { w.Mode, w.AllowBypass = bypass, true }, "default", "locked"},
		{"lock of auto", map[string]string{home + "/.gen/settings.json": `{"permissions": {"disableAutoMode": "disable"}}`}, func(w *W) { w.PayloadMode = "auto" }, "default", "auto is locked by"},
		{"lock of the other", map[string]string{home + "/.gen/settings.json": `{"disableAutoMode": true}`}, func(w *W) { w.PayloadMode = bypass }, bypass, ""},

		{"agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent = "a" }, "acceptEdits", ""},
		{"agent without a mode", map[string]string{proj + "/.gen/agents/a.md": "---\nname: a\n---\n"}, func(w *W) { w.Agent, w.PayloadMode = "a", bypass }, "default", ""},
		{"unknown agent", nil, func(w *W) { w.Agent, w.PayloadMode = "a", bypass }, "default", ""},
		{"flag beats agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent, w.Mode = "a", "dontAsk" }, "dontAsk", ""},
		{"agent beats payload", map[string]string{proj + "/.gen/agents/a.md": agent("explore")}, func(w *W) { w.Agent, w.PayloadMode = "a", bypass }, "explore", ""},
		{"plan binds the agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent, w.PayloadMode = "a", "plan" }, "plan", "the session's mode plan applies to the subagent too"},
		{"dontAsk by settings binds the agent", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits"), home + "/.gen/settings.json": mode("dontAsk")}, func(w *W) { w.Agent = "a" }, "dontAsk", "applies to the subagent"},
		{"explore under plan", map[string]string{proj + "/.gen/agents/a.md": agent("explore")}, func(w *W) { w.Agent, w.PayloadMode = "a", "plan" }, "explore", ""},
		{"default does not bind", map[string]string{proj + "/.gen/agents/a.md": agent("acceptEdits")}, func(w *W) { w.Agent, w.PayloadMode = "a", "default" }, "acceptEdits", ""},
		{"agent's bypass, not tracked", map[string]string{proj + "/.gen/agents/a.md": agent(bypass)}, func(w *W) { w.Agent = "a" }, bypass, ""},
		{"the user's agent's bypass", map[string]string{home + "/.gen/agents/a.md": agent(bypass)}, func(w *W) { w.Agent = "a" }, bypass, ""},
		{"a lock binds the agent", map[string]string{home + "/.gen/agents/a.md": agent(bypass), "/home/.gen/settings.json": `{"disableBypassPermissionsMode": true}`}, func(w *W) { w.Agent = "a" }, "default", "locked"},
		{"host posture, no mode", map[string]string{home + "/.gen/permgate.json": `{"subagents": "host"}`, home + "/.gen/agents/a.md": "---\nname: a\n---\n"}, func(w *W) { w.Agent, w.PayloadMode = "a", "acceptEdits" }, "acceptEdits", ""},
		{"host posture, built-in agent", map[string]string{home + "/.gen/permgate.json": `{"subagents": "host"}`}, func(w *W) { w.Agent, w.PayloadMode = "a", "acceptEdits" }, "acceptEdits", ""},
		{"host posture, bad definition", map[string]string{home + "/.gen/permgate.json": `{"subagents": "host"}`, home + "/.gen/agents/a.md": "x"}, func(w *W) { w.Agent, w.PayloadMode = "a", "acceptEdits" }, "default", ""},
		{"agent of the main session", map[string]string{home + "/.gen/agents/a.md": agent("plan")}, func(w *W) { w.Agent, w.MainAgent, w.PayloadMode = "a", true, "acceptEdits" }, "acceptEdits", ""},
	}
	for _, c := range cases {
		p := load.Load(where(func(w *W) {
			if c.w != nil {
				c.w(w)
			}
		}), tree(c.files))
		check(t, c.name, p.Mode.Value, c.want)
		has(t, c.name+": notes", strings.Join(p.ModeNotes, "\n"), c.note)
	}
}

func TestBypassFromTrackedFiles(t *testing.T) {
	local, agent := proj+"/.gen/settings.local.json", proj+"/.gen/agents/a.md"
	loaded := func(name string, set func(*fakefs.FS)) *rules.Policy {
		f := tree(map[string]string{local: mode("bypassPermissions"), agent: "---\nmode: bypassPermissions\n---\n"})
		set(f)
		return load.Load(where(func(w *load.Where) { w.Agent = name }), f)
	}
	p := loaded("", func(f *fakefs.FS) { f.File(local).Tracked = true })
	check(t, "tracked local file", p.Mode.Value, "default")
	p = loaded("a", func(f *fakefs.FS) { f.File(agent).Tracked = true })
	check(t, "tracked agent", p.Mode.Value, "default")
	has(t, "note", strings.Join(p.ModeNotes, ""), "git tracks the file")
	p = loaded("", func(f *fakefs.FS) {
		f.Write(proj+"/conf/settings.local.json", mode("bypassPermissions")).Tracked = true
		f.Link(local, "../conf/settings.local.json")
	})
	check(t, "symlink to a tracked file", p.Mode.Value, "default")
}
