package lint

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
)

var settingsFault = Check{
	ID: "settings-fault", Severity: Error,
	Title: "a settings file with an error",
	Why: "Invalid JSON, a duplicate key, an unknown key of permgate.json, or a misspelt or mistyped restriction leaves the intent unclear. Until it is fixed, every allow of steps 3 to 7 becomes ask; " +
		"restrictions apply as far as they can be read. A misspelt grant is simply ignored.",
	Fix: "correct the file; permgate doctor shows when every settings file can be used",
	Run: func(in *Input, report func(Finding)) {
		for i := range in.Policy.Faults {
			f := &in.Policy.Faults[i]
			if in.explained(f) {
				continue
			}
			text := f.Msg
			if f.Closed {
				text += "; until it is fixed every allow becomes ask"
			}
			report(Finding{Pos: f.Pos, End: in.tokenEnd(f.Pos), Text: text})
		}
	},
}

// explained reports whether another check speaks of a fault.
func (in *Input) explained(f *rules.Fault) bool {
	if r := in.inFile[f.Pos]; r != nil && r.Err != nil {
		return true
	}
	for i := range in.Policy.Dirs {
		if in.Policy.Dirs[i].Pos == f.Pos {
			return true
		}
	}
	return f.Scope == rules.Managed && f.Pos.Line == 0 && strings.HasPrefix(f.Msg, foreignFile)
}

// tokenEnd returns the column after the string or word at a place.
func (in *Input) tokenEnd(pos rules.Pos) int {
	f := in.File(pos.File)
	if f == nil || pos.Line == 0 {
		return 0
	}
	line := f.row(pos.Line).runes
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
	Title: "misplaced key: ignored here",
	Why: "allow, ask, deny, defaultMode and additionalDirectories belong under permissions, and permgate's own keys in permgate.json next to settings.json. Anywhere else, " +
		"and under other names (permissions.read.deny, deniedTools, ignorePatterns), they are silently ignored, also by the agent program.",
	Fix: "move it to the right place",
	Run: func(in *Input, report func(Finding)) {
		for _, f := range in.Files {
			if f.Gate || f.Doc == nil {
				continue
			}
			for i := range misplaced {
				for key := range strings.FieldsSeq(misplaced[i].keys) {
					v := f.At(strings.Split(key, ".")...)
					if v == nil || len(edit.Members(v)) > 0 && misplaced[i].to == besides {
						continue
					}
					pos, end := f.Place(v)
					report(Finding{Pos: pos, End: end, Text: `"` + key + `" is ignored here`, Instead: "write it as " + misplaced[i].to})
				}
			}
		}
	},
}

// besides is where permgate's own keys belong; these are no objects.
const besides = "the same key in permgate.json, next to this file"

// misplaced are keys that people write and no program reads in a settings file, each with its levels, and what is read.
var misplaced = [...]struct{ keys, to string }{
	{"allow allowedTools permissions.allowedTools", "permissions.allow"}, {"ask permissions.askList", "permissions.ask"},
	{"defaultMode permissionMode permissions.mode permissions.permissionMode", "permissions.defaultMode"}, {"additionalDirectories", "permissions.additionalDirectories"},
	{"deny denyList deniedTools disallowedTools blockedTools excludeTools tools.deny tools.disallowed tools.exclude permissions.denied permissions.denyList permissions.deniedTools " +
		"permissions.disallowedTools permissions.disallow permissions.block permissions.blocked permissions.tools.deny", "permissions.deny"},
	{"ignorePatterns excludePatterns deniedPaths blockedPaths files.deny permissions.ignorePatterns permissions.deniedPaths permissions.files.deny permissions.read.deny",
		"permissions.deny, each pattern as Read(pattern)"},
	{"permissions.write.deny permissions.edit.deny", "permissions.deny, each pattern as Edit(pattern)"},
	{"deniedCommands blockedCommands bash.deny commands.deny tools.bash.deny permissions.deniedCommands permissions.blockedCommands permissions.bash.deny permissions.commands.deny",
		"permissions.deny, each command as Bash(command:*)"},
	{"catastrophic onUnmatched readOnlyCommands projectTrust contentExclusion expandScripts disableSessionGrants tools", besides},
}

var ignoredGrant = Check{
	ID: "ignored-grant", Severity: Warning,
	Title: "a grant that does not count",
	Why: "Allow rules, directories, modes and looser values of permgate.json count only in files that may grant them: a project cannot loosen what its user decided, " +
		"and with projectTrust or allowManagedPermissionRulesOnly it grants nothing on its own. Restrictions in the same file still apply.",
	Fix: "move it to a file that may grant it, or remove it",
	Run: func(in *Input, report func(Finding)) {
		type group struct{ file, why string }
		first := map[group]*Finding{}
		more := map[group]int{}
		var order []group
		for _, d := range in.Policy.Dropped {
			if f := in.File(d.Pos.File); f == nil || f.Scope != rules.User && f.Scope != rules.Managed &&
				!rules.Within(f.Path, in.Policy.Project.Given) {
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
				f.Text += "; nor " + map[bool]string{true: "does 1 more entry",
					false: "do " + strconv.Itoa(n) + " more entries"}[n == 1] + " of this file"
			}
			report(*f)
		}
	},
}

var failingExample = Check{
	ID: "failing-example", Severity: Error,
	Title: "a rule object whose own example fails",
	Why: "match and not_match of a rule in permgate.json list calls it should and should not match. We tried the rule on each, as the hook would: a failing " +
		"example means that the rule or the example is wrong.",
	Fix: "fix the rule or the example; permgate explain CALL shows which rules match which part",
	Run: func(in *Input, report func(Finding)) {
		for _, o := range policytest.Examples(in.Policy, in.Flags, in.World) {
			if o.Wrong != "" {
				report(Finding{Pos: o.Example.Pos, End: in.tokenEnd(o.Example.Pos), Text: o.Wrong + ": " + o.Example.Rule.Text})
			}
		}
	},
}

var unknownMode = Check{
	ID: "unknown-mode", Severity: Error,
	Title: "a defaultMode that does not exist",
	Why:   "An unknown mode counts as default, or as dontAsk in managed settings. Often something stricter was intended.",
	Fix:   "write default, acceptEdits, plan, dontAsk or bypassPermissions; permgate help modes lists them",
	Run: func(in *Input, report func(Finding)) {
		in.modes(func(f *File, mode string, pos rules.Pos, end int) {
			counts := "default"
			if f.Scope == rules.Managed {
				counts = "dontAsk"
			}
			if rules.ModeAlias(mode) == "" && rules.Strictness(mode) < 0 {
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
	Run: func(in *Input, report func(Finding)) {
		in.modes(func(f *File, mode string, pos rules.Pos, end int) {
			if cmp.Or(rules.ModeAlias(mode), mode) == rules.ModeBypass && (f.Scope == rules.Shared || f.Scope == rules.Local &&
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
