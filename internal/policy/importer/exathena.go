package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/tree"
	"github.com/permgate--owner/permgate/rules"
)

var exAthena = System{
	Name: "ex_athena", Title: "ExAthena",
	Source:    "guides/permissions of ExAthena 0.4 and lib/ex_athena/permissions.ex at 8222cfe, 2026-08-18",
	Doc:       "the options of ExAthena.run as one list, [phase: :plan, disallowed_tools: [...]], or in JSON. A callback stays a function.",
	Elsewhere: "the permissions of agent files, and the options of its application",
	modes: []mode{
		{"trusted bypass_permissions", "bypassPermissions", ""}, {"accept_edits", "acceptEdits", ""}, {"plan", "plan", ""},
		{"expression", "plan", "what a program computes may be plan"}, {"", "default", "without a callback everything runs there"},
	},
	sends: true, apart: true, parse: tree.Options, file: exOptions,
	rows: func() []row {
		return []row{
			{"phase", exPhase},
			{"disallowed_tools", each(rules.Deny, (*reader).bare)},
			{"allowed_tools", unless("", exAllowed)},
			{"readonly_tools", each(rules.Allow, exReads)},
			{"respect_denylist", unless("true", stays("no switch lifts a deny rule: take the rule out"))},
			{"can_use_tool", unless("", writes("you are asked instead; let it run permgate, or name a program as approver", append(locks(`"disable"`, "disableAutoMode"),
				ruleEntries(rules.Ask, "Read", "Glob", "Grep", "WebFetch", "WebSearch", "LSP", "Agent")...)...))},
		}
	},
}

// exOptions looks at a file: nil, or null, is no value, and without a phase it is default.
func exOptions(r *reader) bool {
	for i, v := range r.root.Items {
		if v.Kind == word && v.Text == "null" {
			r.root.Items[i] = &node{Off: v.Off}
		}
	}
	if !slices.Contains(r.root.Keys, "phase") {
		r.root.Set("phase", &node{Off: r.root.Off})
	}
	return true
}

// exPhase is the mode: an atom, which a string is in JSON alone.
func exPhase(r *reader, v *value) {
	theirs := cmp.Or(v.Text, map[bool]string{true: "expression", false: "default"}[v.Kind == expression])
	if v.Kind == text && !strings.HasSuffix(strings.TrimSuffix(r.source.name, "c"), ".json") {
		theirs = `"` + theirs + `"`
	}
	r.setMode(v.node, "phase "+theirs, theirs)
}

// exName is permgate's name of a tool, "" where no tool is called so there: a server's is SERVER_TOOL.
func exName(r *reader, name string) string {
	ours := cmp.Or(r.tool(name), name)
	if ours == name && (!isName(name) || slices.Contains(rules.Tools[:], name) || strings.HasPrefix(name, "mcp__")) {
		return ""
	}
	return ours
}

// exAllowed is a whitelist: the tools that there are.
func exAllowed(r *reader, v *value) {
	names, ok := textsOf(v.node)
	if !ok || v.Kind != list {
		r.cannot(v.node, rules.Deny, v.said, "no list of strings", "*")
		return
	}
	why, entries := "", []Entry(nil)
	for i, name := range names {
		other := cmp.Or(map[string]string{"edit": "apply_patch", "apply_patch": "edit"}[name], name)
		if ours := exName(r, name); ours == "" || v.Items[i].Kind != text || !slices.Contains(names, other) {
			why = name + " is no tool there, or a part of one here: list edit and apply_patch together, or neither"
		} else {
			entries = append(entries, allTools("tools", ours)...)
		}
	}
	if entries == nil {
		entries = ruleEntries(rules.Deny, "*")
	}
	r.add(v.node, strings.TrimSpace(v.said+" "+strings.Join(names, ", ")), why, entries...)
}

// exReads is a tool that runs in phase plan, too. Where a callback is asked about it in other phases no rule can say
// that.
func exReads(r *reader, n *node, list rules.List, said, name string) {
	if exName(r, name) != name || r.root.Get("can_use_tool").Kind != 0 {
		r.refuse(n, said, "a tool of its own, not a tool, or one about which other phases ask the callback")
	} else {
		r.rule(n, list, said, "", name)
	}
}
