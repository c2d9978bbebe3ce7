package importer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/tree"
	"github.com/permgate--owner/permgate/rules"
)

var copilot = System{
	Name: "copilot", Title: "GitHub Copilot CLI",
	Source: "the command, configuration and managed settings pages of GitHub's documentation at 046d2679 and 03b432e6, 2026-08",
	Doc: "settings.json (allowedUrls, deniedUrls), managed-settings.json, permissions-config.json (with --scope local: what was approved " +
		"for this folder), or a script that starts copilot with options.",
	Places: []Place{
		{rules.User, ".copilot/settings.json"}, {rules.User, ".copilot/config.json"},
		{rules.Local, "~/.copilot/permissions-config.json"}, {rules.Shared, ".github/copilot/settings.json"},
		{rules.Local, ".github/copilot/settings.local.json"}, {rules.Managed, "/etc/github-copilot/managed-settings.json"},
		{rules.Managed, "/Library/Application Support/GitHubCopilot/managed-settings.json"},
	},
	Elsewhere: `the preferences com.github.copilot, HKLM\SOFTWARE\Policies\GitHubCopilot, %ProgramFiles%\GitHubCopilot, and the folder ` +
		"that COPILOT_HOME names",
	modes: []mode{{"--allow-all --yolo", "bypassPermissions", ""}},
	tools: "shell=Bash write=Edit read=Read url=WebFetch memory=Memory mcp-sampling=Sampling extension-management=Extension " +
		"extension-permission-access=Extension Shell=Bash Bash=Bash PowerShell=PowerShell Domain=WebFetch Read=Read Edit=Edit Write=Edit",
	parse: copilotScript, rows: copilotRows, finish: copilotFinish,
}

func copilotRows() []row {
	servers := func(r *reader, n *node, list rules.List, said, name string) {
		r.rule(n, list, said, "", "mcp__"+sent(name, "*")+"__*")
	}
	hidden := func(r *reader, n *node, list rules.List, said, name string) {
		r.rule(n, list, said, "", copilotTool(name))
	}
	return []row{
		{"$OPTION", restricts("the shell makes it", "*")},
		{"--allow-tool", copilotOption(rules.Allow, copilotRule)},
		{"--deny-tool", copilotOption(rules.Deny, copilotRule)},
		{"--allow-url", copilotOption(rules.Allow, (*reader).address)},
		{"--deny-url", copilotOption(rules.Deny, (*reader).address)},
		{"--excluded-tools", copilotOption(rules.Deny, hidden)},
		{"--available-tools", copilotAvailable},
		{"--disable-mcp-server", copilotOption(rules.Deny, servers)},
		{"--disable-builtin-mcps", says(rules.Deny, "", "mcp__github-mcp-server__*", "mcp__playwright__*", "mcp__fetch__*", "mcp__time__*")},
		{"--no-ask-user", says(rules.Deny, "", "AskUserQuestion")},
		{"askUser", when("false", says(rules.Deny, "", "AskUserQuestion"))},
		{"--add-dir", folders()},
		{"--allow-all --yolo", func(r *reader, v *value) { r.setMode(v.node, v.said, v.said) }},
		{"--allow-all-tools", says(rules.Allow, "an allow rule names its tools: shell and edits", "Bash", "Edit")},
		{"--allow-all-urls", says(rules.Allow, "", "WebFetch")},
		{"--allow-all-paths", stays("name the folders in additionalDirectories")},
		{"--disallow-temp-dir", says(rules.Ask, "", "Read(//tmp/**)", "Edit(//tmp/**)", "Read(//var/folders/**)", "Edit(//var/folders/**)")},
		{"allowedUrls allowed_urls", each(rules.Allow, (*reader).address)},
		{"deniedUrls denied_urls", each(rules.Deny, (*reader).address)},
		{"disabledMcpServers", each(rules.Deny, servers)},
		{"deniedMcpServers", func(r *reader, v *value) {
			for _, e := range v.Items { // of an address or a command it is not known whose it is
				name := cmp.Or(e.Get("serverName").Text, "*")
				servers(r, e, rules.Deny, v.said+" "+name, name)
			}
		}},
		{"allowedMcpServers", restricts("no rule leaves out some servers", "mcp__*")},
		{"permissions.allow", copilotList(rules.Allow)},
		{"permissions.ask", copilotList(rules.Ask)},
		{"permissions.deny", copilotList(rules.Deny)},
		{"permissions.limitTo", restricts("no rule leaves out some addresses", "WebFetch")},
		{"permissions.disableBypassPermissionsMode", lock(`"disable"`, "disableBypassPermissionsMode")},
		{"locations.*", func(r *reader, v *value) {
			if r.opt.Scope != rules.Local || v.names[0] != r.opt.Project {
				r.refuse(v.node, v.names[0], "approved in that folder alone: import it there, with --scope local")
				return
			}
			for _, a := range v.Get("tool_approvals").Items {
				copilotApproval(r, a)
			}
			if dirs := v.Get("allowed_directories"); dirs.Kind != 0 {
				folders()(r, &value{dirs, "allowed_directories", nil})
			}
		}},
	}
}

// copilotScript reads the options that a shell script starts copilot with, a key each. What denies takes every word up
// to the next option, what allows takes one.
func copilotScript(script string) (*node, error) {
	const one = "--allow-tool --allow-url --add-dir --available-tools --disable-mcp-server"
	const any = "-p --prompt -i --model --agent"
	var root *node
	for _, c := range bashsafety.Analyze(script, bashsafety.Env{}).Subcommands {
		if len(c.Argv) == 0 || path.Base(c.Argv[0].Text) != "copilot" {
			continue
		} else if root != nil {
			const twice = "copilot is started twice: put the options of one session into a file"
			return nil, &tree.Error{Off: c.Span.Start, Msg: twice}
		}
		root = &node{Kind: table}
		set := func(name, value string, known bool) {
			kind := map[bool]tree.Kind{true: text, false: expression}[known]
			root.Set(name, &node{Kind: kind, Text: value, Off: c.Span.Start})
		}
		for words := c.Argv[1:]; len(words) > 0 && words[0].Text != "--"; {
			w := words[0]
			name, value, has := strings.Cut(w.Text, "=")
			is := func(of string) bool { return slices.Contains(strings.Fields(of), name) }
			odd, most := strings.ContainsRune(name, 0), 0
			words = words[1:]
			switch option := strings.HasPrefix(name, "-"); {
			case odd || !option && !w.Known:
				set("$OPTION", "", false)
			case option && has:
				set(name, value, w.Known)
			case is(one + " " + any):
				most = 1
			case strings.HasPrefix(name, "--deny") || name == "--excluded-tools":
				most = len(words)
			case option:
				set(name, "", true)
			}
			for ; most > 0 && len(words) > 0 && (is(any) || !strings.HasPrefix(words[0].Text, "-")); most-- {
				set(name, words[0].Text, words[0].Known)
				words = words[1:]
			}
		}
	}
	if root == nil {
		return nil, &tree.Error{Msg: "no JSON, and no script that starts copilot"}
	}
	return root, nil
}

// copilotOption are the values of an option, with commas between them.
func copilotOption(list rules.List, f func(r *reader, n *node, list rules.List, said, text string)) act {
	return func(r *reader, v *value) {
		if v.Kind != text || v.Text == "" {
			r.cannot(v.node, list, v.said, "the shell makes its value, or it has none", "*")
		}
		depth := 0
		for _, t := range strings.FieldsFunc(v.Text, func(c rune) bool {
			depth += strings.Count("(", string(c)) - strings.Count(")", string(c))
			return c == ',' && depth == 0
		}) {
			if t = strings.TrimSpace(t); t != "" {
				f(r, v.node, list, list.String()+" "+t, t)
			}
		}
	}
}

// copilotTool is what a rule about a tool that its program sends restricts.
func copilotTool(name string) string {
	switch ours := (&System{Name: "copilot", sends: true}).tool(name); {
	case name == "apply_patch": // which is a way to edit
		return "Edit(input:*Patch*)"
	case strings.HasPrefix(name, "write_") && ours != "": // into a shell that runs
		return ours + "(input:*)"
	case ours != "":
		return ours
	}
	return sent(name, "")
}

// copilotAvailable is a list of all the tools that there are. Two that are one tool here differ by what they are sent.
func copilotAvailable(r *reader, v *value) {
	names, less := []string{"none"}, []string{}
	listed := strings.FieldsFunc(v.Text, func(c rune) bool { return c == ',' || c == ' ' })
	for _, name := range listed {
		ours, _, _ := strings.Cut(copilotTool(name), "(")
		if ours != "Memory" && ours != "Extension" { // of which there may be more
			names = append(names, ours)
		}
	}
	for _, pair := range [...][2]string{
		{"apply_patch", "Edit(input:*Patch*)"}, {"edit", "Edit(path:*)"}, {"write_bash", "Bash(input:*)"}, {"bash", "Bash(command:*)"}, {"write_powershell", "PowerShell(input:*)"},
	} {
		if tool, _, _ := strings.Cut(pair[1], "("); slices.Contains(names, tool) && !slices.Contains(listed, pair[0]) {
			less = append(less, pair[1])
		}
	}
	r.only(v.node, v.said+" "+v.Text, "", "tools", names...)
	r.last().Entries = append(r.last().Entries, ruleEntries(rules.Deny, less...)...)
}

// copilotRule is kind(argument). A kind that is not one of Copilot's is a server. Where its pages disagree a
// restriction is read in its widest sense, and a grant in its narrowest: a star is a wildcard only in the one.
func copilotRule(r *reader, n *node, list rules.List, said, rule string) {
	kind, arg, has := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	tool, grant := r.tool(kind), list == rules.Allow
	own := tool != "" && kind == strings.ToLower(kind)
	server := "mcp__" + sent(kind, "*") + "__" + sent(cmp.Or(arg, "*"), "*")
	switch {
	case tool != "" && !own && !grant:
		copilotManaged(r, n, list, said, rule)
		return
	case own && !has:
		r.rule(n, list, said, "", tool)
	case kind == "shell":
		copilotShell(r, n, list, said, arg)
	case kind == "url":
		r.address(n, list, said, arg)
	case own && grant && (strings.ContainsAny(arg, "*?~") || strings.HasPrefix(arg, "/")):
		r.refuse(n, said, "its documentation disagrees on wildcards, and a path outside the project asks whatever the rules say")
	case kind == "read" || kind == "write":
		if !grant {
			arg = strings.TrimPrefix(across(arg), "**/")
		}
		r.path(n, list, said, tool, arg, "**/")
	case kind == "custom-tool":
		r.theirs(n, list, said, arg, sent(arg, "*"))
	case has || grant:
		r.theirs(n, list, said, strings.TrimSuffix(kind+"_"+arg, "_"), server)
	default: // or a tool of its own
		r.rule(n, list, said, "", sent(kind, "*"), server)
	}
	if !grant && kind == "shell" {
		r.powerShell(true)
	}
}

// powerShell makes rules for Bash ones for PowerShell, or both.
func (r *reader) powerShell(both bool) {
	i := r.last()
	all := slices.Clone(i.Entries)
	for n, e := range all {
		all[n].Value = strings.Replace(e.Value, "Bash", "PowerShell", 1)
	}
	if both {
		all = append(i.Entries, all...)
	}
	i.Entries = all
}

// copilotShell is an identifier: one word, of git two, of gh three; a stem with :*; else a whole text.
func copilotShell(r *reader, n *node, list rules.List, said, arg string) {
	stem, all := strings.CutSuffix(arg, ":*")
	words := strings.Fields(stem)
	identifier := map[string]int{"git": 2, "gh": 3}[strings.Join(words[:min(1, len(words))], "")]
	short := !all && len(words) != max(identifier, 1)
	switch {
	case list == rules.Allow && (short || !plain(stem, "")):
		r.command(n, list, said, stem, "")
	case list != rules.Allow && strings.ContainsAny(stem, "*?"):
		r.command(n, list, said, stem, "*?")
	case len(words) == 0:
		r.cannot(n, list, said, "no command", "Bash")
	default:
		r.prefix(n, list, said, map[bool]string{true: "it binds more than there"}[short], words)
	}
}

// copilotApproval is a rule that was saved: literal except for :* at its end.
func copilotApproval(r *reader, a *node) {
	kind, server, tool := a.Get("kind").Text, a.Get("serverName").Text, a.Get("toolName")
	said := "allow " + kind
	switch {
	case kind == "commands":
		for _, c := range a.Get("commandIdentifiers").Items {
			if said := "commands " + c.Text; plain(strings.TrimSuffix(c.Text, ":*"), "") {
				r.rule(c, rules.Allow, said, "", "Bash("+c.Text+")")
			} else {
				r.refuse(c, said, "a star is a character there, or it is more than words")
			}
		}
	case kind == "mcp" && tool.Kind == word && tool.Text == "null":
		r.theirs(a, rules.Allow, said+" "+server, server, "mcp__"+server+"__*")
	case kind == "mcp":
		r.theirs(a, rules.Allow, said+" "+server+" "+tool.Text, server+"_"+tool.Text, "mcp__"+server+"__"+tool.Text)
	case kind == "custom-tool":
		r.theirs(a, rules.Allow, said+" "+tool.Text, tool.Text, tool.Text)
	case kind == "read" || kind == "write" || kind == "memory":
		r.rule(a, rules.Allow, said, "", r.tool(kind))
	default:
		r.refuse(a, said, "no rule is about one of them alone")
	}
}

// copilotList is a list of an administrator. What no such list names prompts, and of several that allow each has to.
func copilotList(list rules.List) act {
	return func(r *reader, v *value) {
		seen := map[string]bool{}
		if r.noted["managed"]++; list == rules.Allow {
			r.noted["allow"]++
		}
		each(list, func(r *reader, n *node, list rules.List, said, t string) {
			if list == rules.Allow && r.opt.Scope != rules.Managed && !strings.Contains(r.source.name, "managed") {
				r.refuse(n, said, "only an administrator's file can say this")
				return
			} else if !seen[t] {
				seen[t] = true
				r.noted[said]++
			}
			copilotManaged(r, n, list, said, t)
		})(r, v)
	}
}

// copilotManaged is a rule of such a list: a command or its beginning, a path with permgate's own anchors, a host.
func copilotManaged(r *reader, n *node, list rules.List, said, rule string) {
	kind, arg, has := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	tool, grant := r.tool(kind), list == rules.Allow
	oddHost, special := strings.ContainsAny(strings.TrimPrefix(arg, "*."), "*?[/:"), "*"
	switch outside := strings.HasPrefix(arg, "//") || strings.HasPrefix(arg, "~/"); {
	case tool != "" && kind == strings.ToLower(kind) && !grant:
		copilotRule(r, n, list, said, rule)
		return
	case tool == "" || kind == strings.ToLower(kind):
		r.cannot(n, list, said, "a managed list has no such kind", "*")
	case !has || strings.Trim(arg, "*") == "":
		r.rule(n, list, said, "", tool)
	case tool == "Bash" || tool == "PowerShell":
		if grant && !strings.HasSuffix(arg, " *") { // the whole text
			special = ""
		} else if stem, ok := strings.CutSuffix(arg, ":*"); ok && !grant {
			arg = stem + " *"
		}
		r.command(n, list, said, arg, special)
	case tool == "WebFetch" && oddHost:
		r.cannot(n, list, said, "no host", tool)
	case tool == "WebFetch" && list == rules.Ask:
		r.rule(n, list, said, "", "WebFetch(domain:"+arg+")", "WebFetch(domain:"+strings.TrimPrefix(arg, "*.")+")")
	case tool == "WebFetch":
		r.address(n, list, said, arg)
	case grant && (outside || strings.ContainsAny(arg, `[]{}\!`)):
		r.refuse(n, said, "outside the project a path asks whatever the rules say, or no rule has such a wildcard")
	case grant:
		r.rule(n, list, said, "", tool+"("+arg+")")
	default:
		r.anchored(n, list, said, tool, arg)
	}
	if kind == "PowerShell" || tool == "Bash" && !grant {
		r.powerShell(kind != "PowerShell")
	}
}

// copilotFinish takes back what no managed list allows, and says what holds by default.
func copilotFinish(r *reader) {
	locked := slices.ContainsFunc(r.items, func(i Item) bool {
		return slices.Contains(i.Entries, locks(`"disable"`, "disableBypassPermissionsMode")[0])
	})
	for n := range r.items {
		i := &r.items[n]
		if locked && (n == r.mode || strings.HasPrefix(i.Said, "--allow-all")) {
			i.drop("disableBypassPermissionsMode takes it back")
		}
		held := r.noted[i.Said] > 0 && r.noted[i.Said] == r.noted["allow"]
		if r.noted["managed"] > 0 && !held && slices.ContainsFunc(i.Entries, Entry.grants) {
			i.drop("a managed list does not allow it")
		}
	}
	r.add(nil, "by default: paths outside the project prompt", "", gateKey("outsideReads", "ask"))
	if r.noted["managed"] > 0 {
		r.rest("by default: what no managed list names prompts, in every mode", safeTools())
		r.last().Entries = append(r.last().Entries, locks(`"disable"`, "disableBypassPermissionsMode")...)
		if r.opt.Scope == rules.Managed {
			r.last().Entries = append(r.last().Entries, locks("true", "allowManagedPermissionRulesOnly")...)
		}
		return
	}
	if !r.opt.Scope.OfProject() {
		r.add(nil, "by default: commands that only read run", "it has to be proven", gateKey("readOnlyCommands", "allow"))
	}
	urls := func(i Item) bool {
		return slices.ContainsFunc(i.Entries, func(e Entry) bool { return e.Path == "urls.allow" })
	}
	free := r.mode >= 0 && len(r.items[r.mode].Entries) > 0
	if r.opt.Scope.OfProject() || !free && !slices.ContainsFunc(r.items, urls) {
		r.rest("by default: addresses prompt", []string{"WebFetch"})
	}
}
