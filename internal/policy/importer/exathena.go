package importer

import (
	"strings"

	"github.com/permgate--owner/permgate/internal/tree"
	"github.com/permgate--owner/permgate/rules"
)

var exAthena = System{
	Name: "ex_athena", Title: "ExAthena",
	Source: "guides/permissions of ExAthena 0.4 and lib/ex_athena/permissions.ex at 8222cfe, 2026-08-18",
	Doc: "a file with the options of ExAthena.run as one list: [phase: :plan, disallowed_tools: [...]]. A callback is a function, and " +
		"stays one.",
	Elsewhere: "the permissions of agent files, and the options of its application",
	modes: []mode{
		{"trusted bypass_permissions", "bypassPermissions", ""}, {"accept_edits", "acceptEdits", ""}, {"plan", "plan", ""},
		{"expression", "plan", "what a program computes may be plan"}, {"listed", "dontAsk", "only the listed tools run"}, {"", "default", "without a callback everything runs there"},
	},
	tools: "read=Read glob=Glob grep=Grep web_fetch=WebFetch web_search=WebSearch edit=Edit apply_patch=Edit " +
		"write=Write bash=Bash todo_write=TodoWrite spawn_agent=Agent lsp=LSP ask_user=AskUserQuestion " +
		"plan_mode=EnterPlanMode",
	apart:   true,
	program: readExAthena,
}

func readExAthena(r *reader) {
	p := r.source.program("")
	if p.at(0).kind != '[' {
		r.source.fail(p.at(0).off, "a list of the options of one session was expected here: [phase: :plan, ...]")
	}
	p.pos++
	opts := p.pairs(':', ']')
	if p.pos < len(p.toks)-1 {
		r.source.fail(p.at(0).off, "something follows the list of options")
	}
	for i, v := range opts.Items { // nil is no value
		if v.Kind == word && v.Text == "nil" {
			opts.Items[i] = &node{}
		}
	}
	phase := opts.Get("phase")
	theirs := phase.Text
	free := theirs == "trusted" || theirs == "bypass_permissions"
	if listed := opts.Get("allowed_tools"); free && listed.Kind != 0 {
		theirs = "listed"
	}
	switch phase.Kind {
	case expression:
		theirs = "expression"
	case text: // it is an atom, and this is not
		theirs, free = "", false
	}
	if phase.Kind == 0 {
		phase = &node{Text: "default", Off: opts.Off}
	}
	if r.setMode(phase, "phase "+phase.Text, theirs); theirs == "plan" {
		r.items[r.mode].Entries = append(r.items[r.mode].Entries, gateKey("readOnlyCommands", "allow"))
	}
	r.keys(opts, "", keyed{
		"disallowed_tools": r.each(rules.Deny, "disallowed_tools", func(v *node, said, name string) {
			r.bare(v, rules.Deny, said, name)
		}),
		"readonly_tools": r.each(rules.Allow, "readonly_tools", func(v *node, said, name string) {
			if phase.Text == "plan" {
				r.theirs(v, rules.Allow, said, name, name)
			} else {
				r.refuse(v, said, "it is about phase plan, and an allow rule counts in every mode")
			}
		}),
		"allowed_tools": func(v *node) {
			r.each(rules.Deny, "allowed_tools", func(*node, string, string) {})(v) // each is said below
			r.exWhitelist(v, free)
		},
		"respect_denylist": func(v *node) {
			if v.Kind != 0 && v.Text != "true" {
				r.refuse(v, "respect_denylist: "+v.Text, "no switch lifts a deny rule: take the rule out")
			}
		},
		"can_use_tool": func(v *node) {
			const why = "a function: let it run permgate, or name a program as approver"
			switch {
			case v.Kind == 0:
			case free:
				r.add(v, "can_use_tool, which this phase does not consult", "")
			case phase.Text == "plan" || phase.Text == "accept_edits":
				r.refuse(v, "can_use_tool", why)
			default:
				r.cannot(v, rules.Deny, "can_use_tool", why, "Read", "WebFetch", "WebSearch")
			}
		},
	}, "phase")
}

// exWhitelist denies every other tool that is known, and asks in vain about the rest.
func (r *reader) exWhitelist(v *node, free bool) {
	names, ok := textsOf(v)
	if !ok || v.Kind != tree.List {
		return
	}
	var listed []string
	denied := append(safeTools(), "NotebookEdit") // tools that would run here
	for i, name := range names {
		if ours := r.tool(name); ours != "" && v.Items[i].Kind == text {
			listed = append(listed, ours)
		} else if strings.HasPrefix(name, "mcp__") && isName(name) {
			listed = append(listed, name)
		}
	}
	for pair := range strings.FieldsSeq(r.tools) {
		if _, ours, _ := strings.Cut(pair, "="); ours != "EnterPlanMode" { // a session that plans has to end that
			denied = append(without(denied, ours), ours)
		}
	}
	entries := ruleEntries(rules.Deny, without(denied, listed...)...)
	if !strings.Contains(strings.Join(listed, " "), "mcp__") {
		entries = append(entries, ruleEntries(rules.Deny, "mcp__*")...)
	}
	if free {
		entries = append(entries, ruleEntries(rules.Allow, listed...)...)
	}
	r.add(v, "allowed_tools "+strings.Join(names, ", "), "what no rule allows is denied, as an unlisted tool is there",
		append(entries, Entry{Path: "permissions.denyInsteadOfPrompting", Value: "true"})...)
}
