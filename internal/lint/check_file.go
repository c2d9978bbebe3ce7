package lint

import (
	"strings"

	"permgate/internal/edit"
	"permgate/internal/policytest"
	"permgate/rules"
)

// foreignFile is how the loader's faults of managed files that are not the
// administrator's start.
const foreignFile = "managed settings must"

var settingsFault = Check{
	ID: "settings-fault", Severity: Error,
	Title: "a settings file that cannot be used as it is",
	Why: "What is not JSON, a key that stands twice or is misspelt, and a value of the wrong kind leave open what was meant. Until it is put right, every allow of steps 3 to 7 is an ask; " +
		"restrictions bind as far as they can be made out.",
	Fix: "correct it; permgate doctor says when all files can be used",
	Fails: []Example{
		{Text: "{\"permissions\": {\"allow\": [\"Bash(ls)\"\n \"Bash(pwd)\"]}}", At: `"Bash(pwd)"`},
		{Text: `{"permissions": {"deny": ["Bash(rm:*)"], "deny": []}}`, At: `"deny"`},
		{Text: `{"permissions": {"alow": ["Bash(ls)"]}}`, At: `"alow"`},
		{Text: `{"permissions": {"deny": "Bash(rm:*)"}}`, At: `"Bash(rm:*)"`},
		{Text: `{"catastrofic": "deny"}`, At: `"catastrofic"`, File: ".claude/permgate.json"},
		{Text: `{"catastrophic": "block"}`, At: `"block"`, File: ".claude/permgate.json"},
		{Text: `{"permissions": {"deny": ["Bash(rm:*)"]}}`, At: `"permissions"`, File: ".claude/permgate.json"},
	},
	Passes: []Example{
		{Text: "{\n  // ours\n  \"permissions\": {\"deny\": [\"Bash(rm:*)\",]},\n  \"model\": \"opus\"\n}"},
		{Text: `{"$schema": "x", "catastrophic": "deny"}`, File: ".claude/permgate.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		for i := range in.Policy.Faults {
			f := &in.Policy.Faults[i]
			if in.explained(f) {
				continue
			}
			text := f.Msg
			if f.Closed {
				text += "; until it is put right every allow is an ask"
			}
			report(Finding{Pos: f.Pos, End: in.tokenEnd(f.Pos), Text: text})
		}
	},
}

// explained reports whether another check speaks of a fault.
func (in *Input) explained(f *rules.Fault) bool {
	for _, r := range in.Rules {
		if r.Err != nil && r.Pos == f.Pos {
			return true
		}
	}
	for i := range in.Policy.Dirs {
		if in.Policy.Dirs[i].Pos == f.Pos {
			return true
		}
	}
	return f.Scope == rules.Managed && f.Pos.Line == 0 && strings.HasPrefix(f.Msg, foreignFile)
}

// tokenEnd returns the column behind the string or word at a place.
func (in *Input) tokenEnd(pos rules.Pos) int {
	f := in.File(pos.File)
	if f == nil || pos.Line == 0 {
		return 0
	}
	line := []rune(f.line(pos.Line))
	for i := pos.Col; i < len(line); i++ {
		switch {
		case line[pos.Col-1] != '"' && strings.ContainsRune(" \t,:]}{[\"", line[i]):
			return i + 1
		case line[pos.Col-1] == '"' && line[i] == '\\':
			i++
		case line[pos.Col-1] == '"' && line[i] == '"':
			return i + 2
		}
	}
	return 0
}

var misplacedKey = Check{
	ID: "misplaced-key", Severity: Error,
	Title: "a key in a place where nobody reads it",
	Why:   "allow, ask, deny, defaultMode and additionalDirectories stand below permissions, and the gate's own keys in permgate.json beside settings.json. Anywhere else they are silently ignored, also by the agent program.",
	Fix:   "move it to where it is read",
	Fails: []Example{
		{Text: `{"deny": ["Read(./.env)"]}`, At: `["Read(./.env)"]`},
		{Text: `{"permissions": {"allowedTools": ["Bash(ls)"]}}`, At: `["Bash(ls)"]`},
		{Text: `{"catastrophic": "deny"}`, At: `"deny"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"deny": ["Read(./.env)"]}, "env": {"deny": "x"}, "model": "opus"}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, f := range in.Files {
			if f.Gate || f.Doc == nil {
				continue
			}
			for _, m := range misplaced {
				v := f.At(m.keys...)
				if v == nil {
					continue
				}
				pos, end := f.Place(v)
				report(Finding{Pos: pos, End: end, Text: `"` + strings.Join(m.keys, ".") + `" is not read here`, Instead: "write it as " + m.to})
			}
		}
	},
}

var misplaced = [...]struct {
	keys []string
	to   string
}{
	{[]string{"allow"}, "permissions.allow"}, {[]string{"ask"}, "permissions.ask"}, {[]string{"deny"}, "permissions.deny"},
	{[]string{"defaultMode"}, "permissions.defaultMode"}, {[]string{"additionalDirectories"}, "permissions.additionalDirectories"},
	{[]string{"allowedTools"}, "permissions.allow"}, {[]string{"disallowedTools"}, "permissions.deny"},
	{[]string{"permissions", "allowedTools"}, "permissions.allow"}, {[]string{"permissions", "disallowedTools"}, "permissions.deny"},
	{[]string{"catastrophic"}, "catastrophic in permgate.json"}, {[]string{"onUnmatched"}, "onUnmatched in permgate.json"},
	{[]string{"readOnlyCommands"}, "readOnlyCommands in permgate.json"}, {[]string{"projectTrust"}, "projectTrust in permgate.json"},
	{[]string{"contentExclusion"}, "contentExclusion in permgate.json"}, {[]string{"expandScripts"}, "expandScripts in permgate.json"},
	{[]string{"disableSessionGrants"}, "disableSessionGrants in permgate.json"},
}

var ignoredGrant = Check{
	ID: "ignored-grant", Severity: Warning,
	Title: "something that is granted and does not count",
	Why: "Rules that allow, directories, modes and looser values of permgate.json count only from files that may give them: a project cannot loosen what its user decided, " +
		"and with projectTrust or allowManagedPermissionRulesOnly it grants nothing by itself. Restrictions of the same file bind all the same.",
	Fix: "put it into a file that may grant it, or take it out",
	Fails: []Example{
		{Text: `{"onUnmatched": "defer"}`, At: `"defer"`, File: ".claude/permgate.json"},
		{Text: `{"enforce": false}`, At: `false`, File: ".claude/permgate.json"},
		{Text: `{"permissions": {"allow": ["Bash(npm test)", "Bash(npm run lint)"]}}`, At: `"Bash(npm test)"`,
			Beside: []Other{{"/claude-code/managed-settings.json", `{"allowManagedPermissionRulesOnly": true}`}}},
		{Text: `{"permissions": {"allow": ["Bash(npm test)"]}}`, At: `"Bash(npm test)"`,
			Beside: []Other{{"~/.claude/permgate.json", `{"projectTrust": "require"}`}}},
	},
	Passes: []Example{
		{Text: `{"catastrophic": "deny", "onUnmatched": "ask"}`, File: ".claude/permgate.json"},
		{Text: `{"onUnmatched": "defer", "enforce": false}`, File: "~/.claude/permgate.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		type group struct{ file, why string }
		first := map[group]*Finding{}
		more := map[group]int{}
		var order []group
		for _, d := range in.Policy.Dropped {
			if f := in.File(d.Pos.File); f == nil || f.Scope != rules.User && f.Scope != rules.Managed && !rules.Within(f.Path, in.Policy.Project.Given) {
				continue // of a folder above, which grants when it is worked in
			}
			k := group{d.Pos.File, d.Why}
			if first[k] == nil {
				first[k] = &Finding{Pos: d.Pos, End: in.tokenEnd(d.Pos), Text: d.Text + " does not count: " + d.Why}
				order = append(order, k)
			} else {
				more[k]++
			}
		}
		for _, k := range order {
			f := first[k]
			if n := more[k]; n > 0 {
				f.Text += "; neither does what else this file grants"
			}
			report(*f)
		}
	},
}

var unknownMode = Check{
	ID: "unknown-mode", Severity: Error,
	Title: "a defaultMode that does not exist",
	Why:   "An unknown mode counts as default, in managed settings as dontAsk. Often it was meant to be stricter than that.",
	Fix:   "write default, acceptEdits, plan, dontAsk or bypassPermissions; permgate help modes lists them",
	Fails: []Example{
		{Text: `{"permissions": {"defaultMode": "ask"}}`, At: `"ask"`},
		{Text: `{"permissions": {"defaultMode": "edit"}}`, At: `"edit"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"defaultMode": "acceptEdits"}}`},
		{Text: `{"permissions": {"defaultMode": "manual"}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		in.modes(func(f *File, mode string, pos rules.Pos, end int) {
			for i := range rules.Modes {
				if rules.Modes[i].Name == mode {
					return
				}
			}
			counts := "default"
			if f.Scope == rules.Managed {
				counts = "dontAsk"
			}
			if mode != "manual" {
				report(Finding{Pos: pos, End: end, Text: "there is no mode " + edit.Quote(mode) + ", it counts as " + counts})
			}
		})
	},
}

// modes calls f for every defaultMode.
func (in *Input) modes(f func(f *File, mode string, pos rules.Pos, end int)) {
	for _, file := range in.Files {
		if v := file.At("permissions", "defaultMode"); v != nil && !file.Gate && edit.Text(v) != "" {
			pos, end := file.Place(v)
			f(file, edit.Text(v), pos, end)
		}
	}
}

var committedBypass = Check{
	ID: "committed-bypass", Severity: Error,
	Title: "bypassPermissions in a file that git hands on",
	Why: "Whoever clones the repository would run it without a question, so the gate ignores the mode there. The agent program may not: Claude Code asks once whether " +
		"the folder is trusted, and then skips every prompt that no hook insists on.",
	Fix: "take it out; who wants it for himself writes it into settings.local.json, untracked, or into his own settings",
	Fails: []Example{
		{Text: `{"permissions": {"defaultMode": "bypassPermissions"}}`, At: `"bypassPermissions"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"defaultMode": "bypassPermissions"}}`, File: ".claude/settings.local.json"},
		{Text: `{"permissions": {"defaultMode": "bypassPermissions"}}`, File: "~/.claude/settings.json"},
		{Text: `{"permissions": {"defaultMode": "plan"}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		in.modes(func(f *File, mode string, pos rules.Pos, end int) {
			if mode == "bypassPermissions" && (f.Scope == rules.Shared || f.Scope == rules.Local && in.World.Files.Tracked(f.Path)) {
				report(Finding{Pos: pos, End: end, Text: "bypassPermissions is ignored in a file that comes with the repository"})
			}
		})
	},
}

var silencedAsk = Check{
	ID: "silenced-ask", Severity: Error,
	Title: "ask rules that the mode goes past",
	Why: "bypassPermissions allows in step 3, ask rules are looked at in step 5: only those of managed settings, deny rules and step 2 stand above it. " +
		"A session whose user switches to the mode, and a grant for the session, silence ask rules just so.",
	Fix: "make it a deny, or put the ask rule into managed settings, or take the mode out",
	Fails: []Example{
		{Text: `{"permissions": {"defaultMode": "bypassPermissions", "ask": ["Bash(git push:*)"]}}`, At: `"bypassPermissions"`, File: "~/.claude/settings.json"},
		{Text: `{"permissions": {"defaultMode": "bypassPermissions"}}`, At: `"bypassPermissions"`, File: ".claude/settings.local.json",
			Beside: []Other{{".claude/settings.json", `{"permissions": {"ask": ["Bash(git push:*)", "WebFetch"]}}`}}},
	},
	Passes: []Example{
		{Text: `{"permissions": {"defaultMode": "acceptEdits", "ask": ["Bash(git push:*)"]}}`},
		{Text: `{"permissions": {"defaultMode": "bypassPermissions", "disableBypassPermissionsMode": "disable", "ask": ["Bash(git push:*)"]}}`, File: "~/.claude/settings.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		m := in.Policy.Mode
		if m.Value != "bypassPermissions" || in.File(m.Pos.File) == nil {
			return
		}
		var silent []*rules.Rule
		for i := range in.Policy.Ask {
			if in.Policy.Ask[i].Scope != rules.Managed {
				silent = append(silent, &in.Policy.Ask[i])
			}
		}
		if len(silent) == 0 {
			return
		}
		text := "this mode goes past the ask rule " + silent[0].Text + " (" + silent[0].Pos.String() + ")"
		if len(silent) > 1 {
			text += " and others"
		}
		report(Finding{Pos: m.Pos, End: in.tokenEnd(m.Pos), Text: text})
	},
}

var trackedLocal = Check{
	ID: "tracked-local", Severity: Warning,
	Title: "a settings.local.json in the git index",
	Why: "What is one person's own reaches everybody who pulls, and what they allow themselves ends up in the next commit. A mode bypassPermissions in it is ignored then, and with " +
		"projectTrust so is all that it grants.",
	Fix: "git rm --cached FILE, and put it into .gitignore",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(make:*)"]}}`, File: ".claude/settings.local.json", Tracked: true},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(make:*)"]}}`, File: ".claude/settings.local.json"},
		{Text: `{"permissions": {"allow": ["Bash(make:*)"]}}`, Tracked: true},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, f := range in.Files {
			if f.Scope == rules.Local && f.Text != "" && in.World.Files.Tracked(f.Path) {
				report(Finding{Pos: rules.Pos{File: f.Path}, Text: "git tracks this file"})
			}
		}
	},
}

var missingDirectory = Check{
	ID: "missing-directory", Severity: Warning,
	Title: "an additional directory that does not exist",
	Why:   "additionalDirectories are folders that may be written to beside the project. One that is not there may be created by anybody, and is most often misspelt; nothing is expanded in it but a leading ~/.",
	Fix:   "correct the path; relative ones start at the project root",
	Fails: []Example{
		{Text: `{"permissions": {"additionalDirectories": ["../libs", "../other"]}}`, At: `"../libs"`},
		{Text: `{"permissions": {"additionalDirectories": ["$HOME/other"]}}`, At: `"$HOME/other"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"additionalDirectories": ["../other", "~/other"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, d := range in.Policy.Dirs {
			if !in.dir(d.Path.Given) && d.Pos.Line > 0 {
				report(Finding{Pos: d.Pos, End: in.tokenEnd(d.Pos), Text: "there is no folder " + d.Path.Given})
			}
		}
	},
}

var wideDirectory = Check{
	ID: "wide-directory", Severity: Error,
	Title: "an additional directory that holds the whole home or file system",
	Why:   "With it nothing lies outside the workspace any more: every file there may be written as the project's are, and the fences of step 3b are gone.",
	Fix:   "name the folders that are needed",
	Fails: []Example{
		{Text: `{"permissions": {"additionalDirectories": ["/"]}}`, At: `"/"`},
		{Text: `{"permissions": {"additionalDirectories": ["~"]}}`, At: `"~"`},
		{Text: `{"permissions": {"additionalDirectories": [".."]}}`, At: `".."`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"additionalDirectories": ["~/other"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		home := in.Policy.Home
		for _, d := range in.Policy.Dirs {
			what := ""
			switch {
			case d.Path.Given == "/" || d.Path.Real == "/":
				what = "the whole file system"
			case home.Given != "" && (rules.Within(home.Given, d.Path.Given) || rules.Within(home.Real, d.Path.Real)):
				what = "the whole home directory"
			default:
				continue
			}
			report(Finding{Pos: d.Pos, End: in.tokenEnd(d.Pos), Text: d.Path.Given + " is " + what})
		}
	},
}

var foreignManaged = Check{
	ID: "foreign-managed", Severity: Error,
	Title: "managed settings that are not the administrator's alone",
	Why: "Managed settings stand above everything, so they count only from files and folders that belong to root and that nobody else can write to. " +
		"Of others the restrictions bind, what they grant does not, and every allow is an ask.",
	Fix: "sudo chown root FILE; sudo chmod 644 FILE",
	Fails: []Example{
		{Text: `{"permissions": {"deny": ["WebSearch"]}}`, File: "/claude-code/managed-settings.json", UID: 1000},
		{Text: `{"permissions": {"deny": ["WebSearch"]}}`, File: "/claude-code/managed-settings.json", Loose: true},
	},
	Passes: []Example{
		{Text: `{"permissions": {"deny": ["WebSearch"]}}`, File: "/claude-code/managed-settings.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, f := range in.Policy.Faults {
			if f.Scope == rules.Managed && f.Pos.Line == 0 && strings.HasPrefix(f.Msg, foreignFile) {
				report(Finding{Pos: f.Pos, Text: f.Msg})
			}
		}
	},
}

var failingExample = Check{
	ID: "failing-example", Severity: Error,
	Title: "a rule object whose own example does not hold",
	Why: "match and not_match of a rule in permgate.json say which calls it is for. The rule was put to each of them, as the hook would see it: one that does not " +
		"hold means that the rule, or what somebody thinks of it, is wrong.",
	Fix: "correct the rule or the example; permgate explain CALL shows which rules match which part",
	Fails: []Example{
		{Text: `{"rules": [{"deny": "Bash(git push *)", "match": ["git push"]}]}`, At: `"git push"`, File: ".gen/permgate.json",
			Beside: []Other{{".gen/settings.json", `{"permissions": {"deny": ["Bash(git push)"]}}`}}},
		{Text: `{"rules": [{"deny": "Bash(rm:*)", "not_match": ["ls", "rm x"]}]}`, At: `"rm x"`, File: ".claude/permgate.json"},
	},
	Passes: []Example{
		{Text: `{"rules": [{"deny": "Bash(rm:*)", "match": ["rm x", "sudo rm x"], "not_match": ["rmdir x"]}]}`, File: ".claude/permgate.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, o := range policytest.Examples(in.Policy, in.Flags, in.World) {
			if o.Wrong != "" {
				report(Finding{Pos: o.Example.Pos, End: in.tokenEnd(o.Example.Pos), Text: o.Wrong + ": " + o.Example.Rule.Text})
			}
		}
	},
}
