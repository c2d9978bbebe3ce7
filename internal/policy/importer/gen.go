package importer

import (
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

var gen = System{
	Name: "gen", Title: "Gen (San)",
	Source: "docs/gen-permission.md and the settings package of Gen at 8de13bfc, 2026-05-02",
	Doc: "settings.json of .gen and .san. The grammar is permgate's own, and the files are read where they are; import them " +
		"into the settings of another program.",
	Places: []Place{
		{rules.User, ".gen/settings.json"}, {rules.User, ".san/settings.json"},
		{rules.Shared, ".gen/settings.json"}, {rules.Shared, ".san/settings.json"},
		{rules.Local, ".gen/settings.local.json"}, {rules.Local, ".san/settings.local.json"},
		{rules.Managed, "/etc/gen/managed-settings.json"}, {rules.Managed, "/etc/san/managed-settings.json"},
		{rules.Managed, "/Library/Application Support/Gen/managed-settings.json"},
		{rules.Managed, "/Library/Application Support/San/managed-settings.json"},
	},
	Elsewhere: "managed preferences of macOS and policies of Windows, which permgate reads by itself",
	modes: []mode{
		{"acceptEdits accept-edits autoAccept auto-accept", "acceptEdits", ""}, {"explore", "explore", ""}, {"default manual", "default", ""},
		{"dontAsk dont-ask readOnly read-only", "dontAsk", "its payloads call it default, so no question is asked in any mode"},
		{"bypassPermissions bypass-permissions bypass yolo", "bypassPermissions", ""},
		{"", "default", "a mode that Gen does not know is default there"},
	},
	fold: true,
	rows: func() []row {
		out := []row{
			{"permissions.defaultMode", genMode},
			{"permissions.allow", each(rules.Allow, asIs)},
			{"permissions.ask", each(rules.Ask, asIs)},
			{"permissions.deny", each(rules.Deny, asIs)},
			{"permissions.additionalDirectories", folders()},
			{"autoMode.hard_deny autoMode.soft_deny autoMode.allow", auto(asTheyAre)},
			{"allowBypass", unless("true", writes("", locks(`"disable"`, "disableBypassPermissionsMode")...))},
			{"disabledTools.*", unless("false", says(rules.Deny, "", "%s"))},
		}
		for _, s := range load.Switches {
			value := "true"
			if s.Lock {
				value = `"disable"`
			}
			out = append(out, row{"permissions." + s.Name + " " + s.Name, lock(value, s.Name)})
		}
		return out
	},
}

// genMode is a mode; one that skips questions needs a switch.
func genMode(r *reader, v *value) {
	starts(r, v)
	switch i := r.last(); {
	case i.Entries[0].Value == `"dontAsk"`:
		i.Entries = append(i.Entries, locks("true", "denyInsteadOfPrompting")...)
	case i.Entries[0].Value == `"bypassPermissions"` && !isTrue(r.root.Get("allowBypass")):
		i.Status, i.Why, i.Entries[0].Value = Narrowed, "without allowBypass it is default there, too", `"default"`
	}
}

// asIs is a rule that is permgate's already.
func asIs(r *reader, v *node, list rules.List, said, t string) { r.rule(v, list, said, "", t) }

func asTheyAre(_ *reader, _ rules.List, t string) (texts []string, why string) {
	return []string{t}, ""
}
