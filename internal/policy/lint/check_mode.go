package lint

import (
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

var unknownMode = Check{
	ID: "unknown-mode", Severity: Error,
	Title: "a defaultMode that does not exist",
	Why:   "An unknown mode counts as default, or as dontAsk in managed settings. Often something stricter was intended.",
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
	Title: "bypassPermissions in a file that git tracks",
	Why: "Anyone who clones the repository would run without prompts, so permgate ignores the mode there. The agent program may not: Claude Code asks once whether " +
		"the folder is trusted, and then skips every prompt no hook asks for.",
	Fix: "remove it; to use it yourself, put it into an untracked settings.local.json or your own settings",
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
			if mode == "bypassPermissions" && (f.Scope == rules.Shared || f.Scope == rules.Local &&
				in.World.Files.Tracked(f.Path)) {
				report(Finding{Pos: pos, End: end, Text: "bypassPermissions is ignored in a file that comes with the repository"})
			}
		})
	},
}

var silencedAsk = Check{
	ID: "silenced-ask", Severity: Error,
	Title: "ask rules that the mode overrides",
	Why: "bypassPermissions allows in step 3, and ask rules come in step 5: only managed ask rules, deny rules and step 2 override it. " +
		"Switching a session to the mode, or a session grant, silences ask rules the same way.",
	Fix: "make it a deny rule, move the ask rule to managed settings, or remove the mode",
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
		text := "this mode overrides the ask rule " + silent[0].Text + " (" + silent[0].Pos.String() + ")"
		if len(silent) > 1 {
			text += " and others"
		}
		report(Finding{Pos: m.Pos, End: in.tokenEnd(m.Pos), Text: text})
	},
}
