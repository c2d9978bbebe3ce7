package importer

import (
	"cmp"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
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
		{"acceptEdits accept-edits autoAccept auto-accept", "acceptEdits", ""}, {"dontAsk dont-ask", "dontAsk", ""},
		{"explore", "explore", ""}, {"plan", "plan", ""}, {"default manual", "default", ""}, {"bypassPermissions", "bypassPermissions", ""},
		{"reduced", "default", "without allowBypass it is default there, too"},
		{"", "default", "a mode that Gen does not know is default there"},
	},
	fold: true,
	read: readGen,
}

func readGen(r *reader, root *node) {
	known := keyed{
		"defaultMode": func(v *node) {
			theirs := v.Text
			if theirs == "bypass" || theirs == "bypass-permissions" {
				theirs = rules.ModeBypass
			}
			if theirs == rules.ModeBypass && !isTrue(root.Get("allowBypass")) {
				theirs = "reduced"
			}
			r.setMode(v, "defaultMode "+v.Text, theirs)
		},
		"additionalDirectories": r.dirs("additionalDirectories"),
	}
	for _, name := range [...]string{"allow", "ask", "deny"} {
		known[name] = r.each(listOf(name), name, func(v *node, said, t string) { r.rule(v, listOf(name), said, "", t) })
	}
	top := keyed{}
	for _, s := range load.Switches {
		value := "true"
		if s.Lock {
			value = `"disable"`
		}
		known[s.Name] = func(v *node) { r.lock(v, s.Name, value, s.Name) }
		top[s.Name] = known[s.Name]
	}
	top["permissions"] = func(v *node) { r.keys(v, "permissions.", known, "") }
	top["autoMode"] = func(v *node) {
		r.keys(v, "autoMode.", r.autoLists("", func(t string) (ours, why string) { return t, "" }), "")
	}
	r.keys(root, "", top, "allowBypass")
}

// autoLists are the lists of mode auto. ours says a rule in permgate's words, or why that cannot be.
func (r *reader) autoLists(not string, ours func(text string) (rule, why string)) keyed {
	known := keyed{}
	for _, name := range [...]string{"hard_deny", "soft_deny", "allow"} {
		known[name] = r.each(rules.Deny, name, func(v *node, said, t string) {
			rule, why := ours(t)
			tool, _, _ := strings.Cut(t, ":")
			switch {
			case name == not:
				r.refuse(v, said, "permgate judges by itself here: write an allow rule")
			case why != "":
				r.cannot(v, rules.Deny, said, why, cmp.Or(r.tool(tool), "*"))
			default:
				r.add(v, said, "", Entry{Path: "autoMode." + name, List: true, Value: edit.Quote(rule)})
			}
		})
	}
	return known
}
