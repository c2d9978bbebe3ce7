package load_test

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// FuzzLoad feeds one file, under every name a file is read by. Nothing may
// panic, and what is read from a file that is not JSON may restrict only.
func FuzzLoad(f *testing.F) {
	every := testenv.Every(f, 4, 1, 1)
	var seeds []string
	for _, c := range settingsCases {
		seeds = append(seeds, c.in)
	}
	for _, c := range frontCases {
		seeds = append(seeds, c.in)
	}
	for _, k := range load.PostureKeys {
		seeds = append(seeds, `{"`+k.Name+`": `+k.Example+`, "hosts": {"claude": {"`+k.Name+`": 1}}}`)
	}
	for _, c := range ruleObjectCases {
		seeds = append(seeds, `{"rules": `+c.in+`}`)
	}
	for i := 0; i < len(seeds); i += every {
		f.Add(seeds[i])
	}
	names := []string{"/etc/gen/managed-settings.json", "/etc/gen/permgate.json", home + "/.claude/settings.json", home + "/.gen/permgate.json",
		proj + "/.claude/settings.json", proj + "/.gen/settings.local.json", proj + "/.gen/agents/a.md", proj + "/.gen/skills/s/SKILL.md", "/s.json"}
	f.Fuzz(func(t *testing.T, data string) {
		for _, name := range names {
			p := load.Load(where(func(w *load.Where) {
				w.Agent, w.Skill, w.Host = "a", "s", "claude"
				if name == "/s.json" {
					w.Settings = []string{name}
				}
			}), tree(map[string]string{name: data}))
			known := false
			for _, m := range rules.Modes {
				known = known || m.Name == p.Mode.Value
			}
			if !known {
				t.Errorf("%s: mode %q", name, p.Mode.Value)
			}
			if p.Agent == nil || !p.Agent.Known && (len(p.Agent.Allow) > 0 || p.Agent.Mode != "") {
				t.Errorf("%s: agent %+v", name, p.Agent)
			}
			for _, fault := range p.Faults {
				if fault.Closed && fault.Pos.Line > 0 && len(fault.Msg) > 14 && fault.Msg[:14] == "not valid JSON" {
					for _, r := range p.Allow {
						if r.Tool != "Bash" && r.Tool != "PowerShell" && r.Tool != "Monitor" && r.Tool != "WebFetch" && !rules.EditTool(r.Tool) {
							t.Errorf("%s: a broken file allows %q", name, r.Text)
						}
					}
					if len(p.Dirs) > 0 || p.Mode.Value == "bypassPermissions" || p.Posture.Subagents.Value == "host" {
						t.Errorf("%s: a broken file grants: %q", name, data)
					}
				}
			}
		}
	})
}
