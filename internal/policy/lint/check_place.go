package lint

import (
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/rules"
)

var trackedLocal = Check{
	ID: "tracked-local", Severity: Warning,
	Title: "a settings.local.json in the git index",
	Why: "Personal settings reach everyone who pulls, and anything allowed later ends up in the next commit. Its bypassPermissions mode is ignored then, and with " +
		"projectTrust so are all its grants.",
	Fix: "git rm --cached FILE, and add it to .gitignore",
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
	Why:   "additionalDirectories are folders outside the project that may be written to. A missing one could be created by anyone, and is usually misspelt; only a leading ~/ is expanded.",
	Fix:   "fix the path; relative ones start at the project root",
	Fails: []Example{
		{Text: `{"permissions": {"additionalDirectories": ["../libs", "../other"]}}`, At: `"../libs"`},
		{Text: `{"permissions": {"additionalDirectories": ["$HOME/other"]}}`, At: `"$HOME/other"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"additionalDirectories": ["../other", "~/other"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, d := range in.Policy.Dirs {
			if in.dir(d.Path.Given) || d.Pos.Line == 0 {
				continue
			}
			text := "there is no folder " + d.Path.Given
			if rest, ok := strings.CutPrefix(d.Path.Given, in.Policy.Project.Given+"/"); ok && drive(rest) &&
				in.World.OS != rules.Windows {
				text = rest + " is a folder only on Windows"
			}
			report(Finding{Pos: d.Pos, End: in.tokenEnd(d.Pos), Text: text})
		}
	},
}

var wideDirectory = Check{
	ID: "wide-directory", Severity: Error,
	Title: "an additional directory that contains the whole home or file system",
	Why:   "With it nothing is outside the workspace any more: every file there may be written like the project's, and step 3b has no effect.",
	Fix:   "name the folders you need",
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
	Title: "managed settings that others can change",
	Why: "Managed settings override everything, so they count only in files and folders owned by root that no one else can write to. " +
		"In other files restrictions apply, grants do not, and every allow becomes ask.",
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

// foreignFile is how the loader's faults of managed files that are not the
// administrator's start.
const foreignFile = "managed settings must"

var unusableProgram = Check{
	ID: "unusable-program", Severity: Error,
	Title: "a classifier or approver that cannot be run",
	Why: "permgate runs a program that decides for you only if it is yours or root's, no one else can write to it, and it is kept where the agent does not work. " +
		"Without it every call it would be asked about is decided as if it said no.",
	Fix: "name an absolute path outside of every project; chmod 700 it",
	Fails: []Example{
		{Text: `{"approver": {"command": ["/nowhere/ask"]}}`, At: `"/nowhere/ask"`, File: "~/.claude/permgate.json"},
		{Text: `{"approver": {"command": ["/bin/sh", "/home/me/app/ask"]}}`, At: `"/bin/sh"`, File: "~/.claude/permgate.json"},
	},
	Passes: []Example{
		{Text: `{"approver": {"command": ["/bin/sh", "/home/me/bin/ask"], "timeoutMs": 30000}}`, File: "~/.claude/permgate.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, k := range operator.Keys(in.Policy, in.World.Environ) {
			if _, err := k.Find(); err != nil {
				pos := k.Pos
				if list := edit.Elements(in.File(pos.File).At(k.Name, "command")); len(list) > 0 {
					pos, _ = in.File(pos.File).Place(&list[0])
				}
				report(Finding{Pos: pos, End: in.tokenEnd(pos), Text: k.Name + ": " + err.Error()})
			}
		}
	},
}
