package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// shapes are values that no key of settings.json is known to take.
var shapes = []string{
	`null`, `7`, `-1.5e3`, `true`, `"new"`, `{}`, `{"path": "../y", "deep": {"a": [1, {"b": null}]}}`,
	`[{"path": "../y"}]`, `["ok", {"tool": "Bash", "when": [1]}, 7, null, false, ["x"]]`, `[[["x"]]]`, `[null]`,
}

// The keys: which of them restrict, and which grant or belong to the host.
var (
	restrictions = []string{"deny", "ask"}
	grants       = []string{"allow", "additionalDirectories", "defaultMode", "future"}
	hostKeys     = []string{"hooks", "env", "model", "sandbox", "statusLine", "enabledPlugins", "mcpServers", "allowed", "trust"}
)

// stays is what a settings file holds besides the injected value.
const stays = `"deny": ["Read(keep)"], "ask": ["Read(keep-ask)"], "allow": ["Edit(keep)"], "additionalDirectories": ["../keep"], "defaultMode": "acceptEdits"`

// without is stays without one key.
func without(key string) string {
	var kept []string
	for _, m := range strings.SplitAfter(stays, "], ") {
		if !strings.HasPrefix(m, `"`+key+`"`) {
			kept = append(kept, strings.TrimSuffix(m, ", "))
		}
	}
	return strings.Join(kept, ", ")
}

// shapeFiles are the settings files of every root and scope that count alike.
func shapeFiles() (files []string) {
	for _, root := range load.Roots {
		files = append(files, proj+"/"+root+"/settings.json", proj+"/"+root+"/settings.local.json", home+"/"+root+"/settings.json")
	}
	return append(files, "/etc/gen/managed-settings.json", "/etc/san/managed-settings.d/a.json", "/etc/claude-code/managed-settings.json")
}

// TestUnknownShapes: a value of a shape that no one knows yet makes no file
// unusable, unless it is where a restriction is expected; all else in the
// file counts, and what was left out is reported with its place.
func TestUnknownShapes(t *testing.T) {
	loaded := func(file, text string) *rules.Policy {
		return load.Load(where(func(w *load.Where) { w.Roots = load.Roots[:] }), tree(map[string]string{file: text}))
	}
	for _, file := range shapeFiles() {
		for _, shape := range shapes {
			for _, key := range grants {
				text := `{"permissions": {` + without(key) + `, "` + key + `": ` + shape + `}}`
				p := loaded(file, text)
				has(t, file+": "+text, faults(p, true), "")
				check(t, text, texts(p.Deny)+" "+texts(p.Ask), "Read(keep) Read(keep-ask)")
				if key != "allow" {
					check(t, text, texts(p.Allow), "Edit(keep)")
				}
				if key != "additionalDirectories" && len(p.Dirs) != 1 {
					t.Errorf("%s: %d directories", text, len(p.Dirs))
				}
				if key != "defaultMode" && p.Mode.Value != "acceptEdits" {
					t.Errorf("%s: mode %s", text, p.Mode.Value)
				}
				known := key == "future" || key == "defaultMode" && shape == `"new"`
				if reported := strings.Contains(dropped(p), file+":1:"); reported == known {
					t.Errorf("%s: reported %v: %s", text, reported, dropped(p))
				}
			}
			for _, key := range hostKeys {
				text := `{"` + key + `": ` + shape + `, "permissions": {` + stays + `}}`
				p := loaded(file, text)
				has(t, file+": "+text, faults(p, true)+faults(p, false)+dropped(p), "")
				check(t, text, texts(p.Deny)+" "+texts(p.Ask)+" "+texts(p.Allow), "Read(keep) Read(keep-ask) Edit(keep)")
			}
			closing := func(text string) {
				t.Helper()
				if p := loaded(file, text); faults(p, true) == "" {
					t.Errorf("%s: %s is no fault", file, text)
				}
			}
			for _, key := range restrictions {
				closing(`{"permissions": {"` + key + `": ` + shape + `}}`)
			}
			for _, key := range []string{"hard_deny", "soft_deny"} {
				closing(`{"autoMode": {"` + key + `": ` + shape + `}}`)
			}
			if !strings.HasPrefix(shape, "{") {
				closing(`{"permissions": ` + shape + `}`)
				closing(`{"autoMode": ` + shape + `}`)
			}
			for i, s := range load.Switches {
				if shape != "true" && !(s.Lock && strings.HasPrefix(shape, `"`)) {
					closing(`{"` + s.Name + `": ` + shape + `}`)
					closing(`{"permissions": {"` + s.Name + `": ` + shape + `}}`)
				}
				p := loaded(file, `{"`+s.Name+`": `+shape+`}`)
				if at := [...]rules.Setting{p.LockBypass, p.LockAuto, p.FenceRead, p.FenceWrite, p.NoPrompts, p.ManagedOnly}[i]; !at.On() {
					t.Errorf("%s: %s is not on", shape, s.Name)
				}
			}
			text := `{"autoMode": {"allow": ` + shape + `, "hard_deny": ["Bash(x)"]}}`
			p := loaded(file, text)
			has(t, file+": "+text, faults(p, true), "")
			if strings.HasPrefix(file, home+"/.") && !strings.HasPrefix(file, proj) || strings.HasPrefix(file, "/etc/") {
				check(t, text, texts(p.Auto.HardDeny), "Bash(x)")
			}
		}
	}
}

// TestUnknownShapesOfOurs: the keys of permgate.json are the gate's own, so what
// is not known there is a fault.
func TestUnknownShapesOfOurs(t *testing.T) {
	for _, k := range load.PostureKeys {
		for _, shape := range []string{`null`, `7`, `[7]`, `[{"path": 1}]`} {
			if shape == `7` && k.Kind == load.PostureNumber {
				continue
			}
			p := load.Load(where(), tree(map[string]string{proj + "/.gen/permgate.json": `{"` + k.Name + `": ` + shape + `}`}))
			if faults(p, true) == "" {
				t.Errorf("%s: %s is no fault", k.Name, shape)
			}
		}
	}
}

// TestAutoModeSentences: in a .claude file a sentence is for the host's own
// classifier; elsewhere it is a rule, and a malformed one.
func TestAutoModeSentences(t *testing.T) {
	for _, c := range []struct{ text, deny, open string }{
		{`Never deploy to production`, "", ""},
		{`Bash commands that delete data are not acceptable`, "", ""},
		{`Bash (anything that deploys)`, "", ""},
		{`Bash(terraform apply) is never fine`, "", ""},
		{`Bash(terraform apply:*)`, "Bash(terraform apply:*)", ""},
		{`Bash(terraform apply`, "Bash(terraform apply", "the closing parenthesis is missing"},
		{`Bash()`, "Bash()", "nothing between the parentheses"},
	} {
		text := `{"autoMode": {"hard_deny": ["` + c.text + `"], "soft_deny": ["` + c.text + `", "$defaults"]}}`
		p := load.Load(where(), tree(map[string]string{home + "/.claude/settings.json": text}))
		check(t, c.text, texts(p.Auto.HardDeny)+texts(p.Auto.SoftDeny), c.deny+c.deny)
		has(t, c.text, faults(p, false), c.open)
		has(t, c.text, faults(p, true), "")
		if p.Auto.Own[rules.AutoHardDeny] != (c.deny != "") || p.Auto.Own[rules.AutoSoftDeny] {
			t.Errorf("%s: own %v %v", c.text, p.Auto.Own[rules.AutoHardDeny], p.Auto.Own[rules.AutoSoftDeny])
		}
		p = load.Load(where(), tree(map[string]string{home + "/.gen/settings.json": text}))
		if (faults(p, false) == "") != (c.open == "" && c.deny != "") {
			t.Errorf("%s in .gen: %q", c.text, faults(p, false))
		}
	}
}

// settingsOf is a settings file with the keys that agent programs of Claude Code's form are known to take: those that
// permgate reads, and those of the host.
const settingsOf = `{
  "$schema": "https://json.schemastore.org/claude-code-settings.json", "model": "opus", "env": {"A": "1"}, "includeCoAuthoredBy": false,
  "apiKeyHelper": "/bin/key", "cleanupPeriodDays": 30, "forceLoginMethod": "console", "outputStyle": "x", "awsAuthRefresh": "aws sso login",
  "permissions": {
    "allow": ["Edit(keep)", "WebFetch(domain:keep.dev)"], "ask": ["Read(keep-ask)"], "deny": ["Read(keep)", "Bash(keep:*)"],
    "additionalDirectories": ["../keep"], "defaultMode": "acceptEdits", "disableBypassPermissionsMode": "disable",
    "blockWritesOutsideWorkingDirectories": true, "skipDangerousModePermissionPrompt": true
  },
  "disableAutoMode": "disable", "autoMode": {"allow": ["Bash(ok)"], "soft_deny": ["$defaults", "Bash(soft)"], "hard_deny": ["Bash(hard)"], "environment": ["a repository"]},
  "hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "x", "args": ["y"], "timeout": 10}]}]},
  "sandbox": {"enabled": true, "excludedCommands": ["docker"], "network": {"allowUnixSockets": ["/x"], "allowLocalBinding": true},
    "filesystem": {"denyRead": ["~/.aws"], "allowWrite": ["/tmp"]}, "autoAllowBashIfSandboxed": true},
  "enabledMcpjsonServers": ["memory"], "enableAllProjectMcpServers": true, "allowedMcpServers": [{"serverName": "x"}], "deniedMcpServers": [{"serverCommand": ["x"]}],
  "statusLine": {"type": "command", "command": "x", "padding": 0}, "fileSuggestion": {"type": "command", "command": "x"},
  "enabledPlugins": {"x@y": true}, "extraKnownMarketplaces": {"y": {"source": {"source": "github", "repo": "o/r"}}}, "strictKnownMarketplaces": [{"source": "npm", "package": "x"}],
  "attribution": {"commit": "", "pr": ""}, "spinnerVerbs": {"mode": "append", "verbs": ["x"]}, "companyAnnouncements": ["x"],
  "skillOverrides": {"a": "off"}, "worktree": {"symlinkDirectories": ["node_modules"]}, "mcpServers": {"s": {"command": "x", "args": [], "trust": true}}
}`

// TestUnknownShapesEverywhere puts every shape into every place of a settings file. Where the key is the host's nothing changes;
// where it is one that permgate reads, no restriction next to it is lost and nothing more is granted, and a
// restriction that is no list is a fault.
func TestUnknownShapesEverywhere(t *testing.T) {
	every := testenv.Every(t, 4, 1, 1) // a sample puts each shape into one of the files
	for k, file := range []string{proj + "/.gen/settings.json", proj + "/.claude/settings.local.json", home + "/.claude/settings.json",
		"/etc/claude-code/managed-settings.json"} {
		loaded := func(text string) *rules.Policy {
			return load.Load(where(func(w *load.Where) { w.Roots = load.Roots[:] }), tree(map[string]string{file: text}))
		}
		base, n := loaded(settingsOf), 0
		has(t, file, faults(base, true), "")
		err := golden.Inject(settingsOf, shapes, func(path []string, text string) {
			if n++; (n+k)%every > 0 {
				return
			}
			p, at := loaded(text), file+" "+strings.Join(path, ".")
			ours := len(path) == 0 || path[0] == "permissions" || path[0] == "autoMode" || path[0] == "disableAutoMode"
			if !ours {
				if state(p) != state(base) || faults(p, false)+faults(p, true) != faults(base, false)+faults(base, true) {
					t.Errorf("%s is the host's:\n%s\n%s", at, text, golden.Diff(state(base)+faults(base, true), state(p)+faults(p, true)))
				}
				return
			}
			for _, lost := range []struct {
				key       string
				was, left []rules.Rule
			}{
				{"deny", base.Deny, p.Deny}, {"ask", base.Ask, p.Ask}, {"hard_deny", base.Auto.HardDeny, p.Auto.HardDeny},
				{"soft_deny", base.Auto.SoftDeny, p.Auto.SoftDeny},
			} {
				if holds := strings.Contains(at, lost.key) || len(path) <= 1; holds {
					continue
				}
				if texts(lost.was) != texts(lost.left) {
					t.Errorf("%s: %s is %s, was %s", at, lost.key, texts(lost.left), texts(lost.was))
				}
			}
			for _, s := range [...]rules.Setting{p.LockBypass, p.FenceWrite} {
				if !s.On() && len(path) > 1 && !strings.Contains(at, "WorkingDirectories") && !strings.Contains(at, "disable") {
					t.Errorf("%s: a switch is off", at)
				}
			}
			for _, r := range p.Allow {
				if written := strings.Contains(at, "allow") && (r.Text == "ok" || r.Text == "new"); !written && !strings.Contains(settingsOf, `"`+r.Text+`"`) {
					t.Errorf("%s: allows %s", at, r.Text)
				}
			}
			if p.Mode.Value != base.Mode.Value && p.Mode.Value != "default" && p.Mode.Value != "dontAsk" {
				t.Errorf("%s: mode %s", at, p.Mode.Value)
			}
			if restricts := len(path) == 2 && (path[1] == "deny" || path[1] == "ask"); restricts && faults(p, true) == "" {
				t.Errorf("%s: no fault\n%s", at, text)
			}
			if unknown := len(path) == 2 && path[0] == "permissions" && path[1] == "future"; unknown && faults(p, true) != "" {
				t.Errorf("%s: %s", at, faults(p, true))
			}
		})
		if err != nil || n < 1000 {
			t.Fatalf("%d files, %v", n, err)
		}
	}
}

// state is all that a settings file decides.
func state(p *rules.Policy) string {
	var b strings.Builder
	for _, list := range [][]rules.Rule{p.Deny, p.Ask, p.Allow, p.Auto.HardDeny, p.Auto.SoftDeny, p.Auto.Allow} {
		b.WriteString(texts(list) + "\n")
	}
	for _, s := range [...]rules.Setting{p.LockBypass, p.LockAuto, p.FenceRead, p.FenceWrite, p.NoPrompts, p.ManagedOnly, p.Mode} {
		b.WriteString(s.Value + "\n")
	}
	for _, d := range p.Dirs {
		fmt.Fprintf(&b, "%v %v\n", d.Path, d.Scope)
	}
	return b.String()
}
