package importer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/edit"
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
	tools: "shell=Bash write=Edit read=Read url=WebFetch memory=Memory mcp-sampling=Sampling -bash=Bash " +
		"-powershell=PowerShell -view=Read -edit=Edit -create=Edit -web_fetch=WebFetch -write=Edit -shell=Bash " +
		"extension-management=Extension extension-permission-access=Extension Shell=Bash Bash=Bash " +
		"PowerShell=PowerShell Domain=WebFetch Read=Read Edit=Edit Write=Write",
	read: readCopilot, program: copilotScript, finish: finishCopilot,
}

func readCopilot(r *reader, root *node) {
	urls := func(list rules.List) func(v *node) {
		return r.each(list, list.String(), func(v *node, said, t string) { r.address(v, list, said, t) })
	}
	if root.Get("locations").Kind == 0 {
		r.noted["posture"]++
	}
	r.keys(root, "", keyed{
		"allowedUrls": urls(rules.Allow), "allowed_urls": urls(rules.Allow), "deniedUrls": urls(rules.Deny), "denied_urls": urls(rules.Deny),
		"permissions": r.copilotManaged,
		"locations": func(v *node) {
			for i, place := range v.Keys {
				if r.opt.Scope != rules.Local || place != r.opt.Project {
					r.refuse(v.Items[i], place, "approved in that folder alone: import it there, with --scope local")
					continue
				}
				r.keys(v.Items[i], "", keyed{
					"tool_approvals": func(v *node) {
						for _, a := range v.Items {
							r.copilotApproval(a)
						}
					},
					"allowed_directories": r.dirs("allowed_directories"),
				}, "")
			}
		},
	}, "")
}

// copilotScript reads the options that a shell script starts copilot with.
func copilotScript(r *reader) {
	a := bashsafety.Analyze(r.source.text, bashsafety.Env{})
	if len(a.Files) == 0 {
		r.source.fail(0, "no JSON, and no shell script that can be read")
	}
	r.noted["posture"]++
	started := 0
	for _, c := range a.Subcommands {
		var words []*node
		for _, w := range c.Argv {
			words = append(words, &node{Kind: text, Text: w.Text, Off: c.Span.Start})
			if !w.Known {
				words[len(words)-1].Kind = expression
			}
		}
		if len(words) == 0 || path.Base(words[0].Text) != "copilot" {
			continue
		}
		if started++; started > 1 {
			r.source.fail(words[0].Off, "copilot is started twice: put the options of one session into a file")
		}
		r.copilotWords(words[1:])
	}
	if started == 0 {
		r.source.fail(0, "no JSON, and no script that starts copilot")
	}
}

// copilotWords reads options. What denies takes every word up to the next option, what allows takes one.
func (r *reader) copilotWords(words []*node) {
	takes := func(list, name string) bool { return slices.Contains(strings.Fields(list), name) }
	for i := 0; i < len(words) && words[i].Text != "--"; i++ {
		first, v := i, *words[i]
		name, value, has := strings.Cut(v.Text, "=")
		option, next := strings.HasPrefix(name, "-"), func(most int) bool {
			more := i+1 < len(words) && i-first < most
			return more && (takes("-p --prompt -i --model --agent", name) || !strings.HasPrefix(words[i+1].Text, "-"))
		}
		most := 0
		switch {
		case has:
		case strings.HasPrefix(name, "--deny") || name == "--excluded-tools":
			most = len(words)
		case takes("--allow-tool --allow-url --add-dir --available-tools --disable-mcp-server -p --prompt -i --model --agent", name):
			most = 1
		}
		for next(most) {
			i++
			r.copilotFlag(words[i], name)
		}
		if v.Text = value; i == first && (option || v.Kind == expression) {
			r.copilotFlag(&v, name)
		}
	}
}

func (r *reader) copilotFlag(v *node, name string) {
	list := rules.Allow
	if strings.HasPrefix(name, "--deny") || !strings.HasPrefix(name, "--") {
		list = rules.Deny
	}
	switch {
	case v.Kind == expression && !strings.Contains(" -p --prompt -i ", " "+name+" "):
		r.cannot(v, list, cmp.Or(strings.Trim(name, "\x00"), "an option"), "the shell makes its value", "*")
	case name == "--excluded-tools":
		for t := range strings.SplitSeq(v.Text, ",") {
			if said := "excluded " + t; r.tool("-"+t) != "" {
				r.rule(v, rules.Deny, said, "", r.tool("-"+t))
			} else {
				r.cannot(v, rules.Deny, said, "whose tool it is, is not known", "*")
			}
		}
	case name == "--disable-mcp-server" || name == "--disable-builtin-mcps":
		r.copilotRule(v, rules.Deny, cmp.Or(v.Text, "github-mcp-server"))
	case name == "--allow-tool" || name == "--deny-tool" && v.Text != "":
		depth := 0
		for _, t := range strings.FieldsFunc(v.Text, func(c rune) bool {
			depth += strings.Count("(", string(c)) - strings.Count(")", string(c))
			return c == ',' && depth == 0
		}) {
			r.copilotRule(v, list, t)
		}
	case name == "--allow-url" || name == "--deny-url" && v.Text != "":
		for t := range strings.SplitSeq(v.Text, ",") {
			r.address(v, list, list.String()+" "+t, t)
		}
	case name == "--add-dir":
		r.dirs(name)(v)
	case name == "--allow-all" || name == "--yolo":
		r.noted["urls"]++
		r.setMode(v, name, name)
	case name == "--allow-all-tools":
		r.rule(v, list, name, "an allow rule names its tools: shell and edits", "Bash", "Edit")
	case name == "--allow-all-urls":
		r.noted["urls"]++
		r.rule(v, list, name, "", "WebFetch")
	case name == "--disallow-temp-dir":
		r.rule(v, rules.Ask, name, "", "Read(//tmp/**)", "Edit(//tmp/**)", "Read(//var/folders/**)", "Edit(//var/folders/**)")
	case name == "--available-tools":
		r.cannot(v, rules.Deny, name+" "+v.Text, "add --tools to the registered hook", "*")
	case strings.HasPrefix(name, "--deny"):
		r.cannot(v, list, name, "it denies something that is not known", "*")
	case name == "--allow-all-paths":
		r.refuse(v, name, "name the folders in additionalDirectories")
	default:
		r.keys((&node{Keys: []string{name}, Items: []*node{v}}), "", nil, "")
	}
}

// copilotRule is kind(argument), of an option or a managed list. Managed lists have names in capitals, and permgate's
// own anchors of paths.
func (r *reader) copilotRule(n *node, list rules.List, rule string) {
	said := list.String() + " " + rule
	kind, arg, has := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	tool, managed := r.tool(kind), kind != strings.ToLower(kind)
	if list != rules.Allow && strings.ContainsAny(arg, "*?") && slices.Contains([]string{"Read", "Edit", "Write"}, tool) {
		if arg = across(arg); managed && strings.Trim(arg, "*") != "" {
			rule = kind + "(" + arg + ")"
		}
	}
	switch {
	case tool != "" && managed != (r.lists != nil) && list == rules.Allow:
		r.refuse(n, said, "there is no such kind here: Shell is of managed lists, shell of options")
	case r.lists != nil && managed && tool == "":
		r.cannot(n, list, said, "a managed list has no such kind", "*")
	case !has && tool == "": // a server, or a tool of its own
		r.theirs(n, list, said, kind, kind, "mcp__"+kind+"__*")
	case kind == "custom-tool":
		r.theirs(n, list, said, arg, arg)
	case tool == "" && arg == "*":
		r.theirs(n, list, said, "_"+kind, "mcp__"+kind+"__*")
	case tool == "":
		r.theirs(n, list, said, kind+"_"+arg, "mcp__"+kind+"__"+arg)
	case !has || managed && strings.Trim(arg, "*") == "":
		r.rule(n, list, said, "", tool)
	case tool == "Bash" || tool == "PowerShell":
		r.copilotShell(n, list, said, arg, managed)
	case kind == "url":
		r.address(n, list, said, arg)
	case kind == "Domain" && strings.HasPrefix(arg, "*."):
		r.rule(n, list, said, "", "WebFetch(domain:"+arg[2:]+")", "WebFetch(domain:"+arg+")")
	case kind == "Domain" && !strings.ContainsAny(arg, "*?[/"):
		r.rule(n, list, said, "", "WebFetch(domain:"+arg+")")
	case managed && kind != "Domain" && !strings.ContainsAny(arg, "[]{}\\!"):
		r.rule(n, list, said, "", rule)
	case tool != "" && list == rules.Allow && strings.HasPrefix(arg, "/"):
		r.refuse(n, said, "outside the project a path asks whatever the rules say")
	case (kind == "read" || kind == "write") && (list == rules.Deny || !strings.ContainsAny(arg, "*?~")):
		r.path(n, list, said, tool, arg, "**/")
	default:
		r.cannot(n, list, said, "its documentation disagrees on such wildcards, or no rule has such an argument", tool)
	}
	i := r.last()
	either := (kind == "shell" || kind == "Shell") && list != rules.Allow && i.Status != Refused
	for at, e := range i.Entries {
		e.Value = strings.Replace(e.Value, "Bash", "PowerShell", 1)
		if tool == "PowerShell" {
			i.Entries[at] = e
		} else if either {
			i.Entries = append(i.Entries, e)
		}
	}
}

// copilotShell is an identifier: one word, of git two, of gh three; a stem with :*; managed, a text or its beginning.
func (r *reader) copilotShell(n *node, list rules.List, said, arg string, managed bool) {
	stem, all := strings.CutSuffix(arg, ":*")
	if managed {
		stem, all = strings.CutSuffix(arg, " *")
	}
	words := strings.Fields(stem)
	identifier := map[string]int{"git": 2, "gh": 3}[strings.Join(words[:min(1, len(words))], "")]
	switch short := !all && (managed || len(words) != max(identifier, 1)); {
	case len(words) == 0:
		r.cannot(n, list, said, notPlain, "Bash")
	case list == rules.Allow && managed && all:
		r.command(n, list, said, stem+" *", "*")
	case list == rules.Allow && short:
		r.command(n, list, said, stem, "")
	case short && !managed:
		r.prefix(n, list, said, "it binds more than there", words)
	case short && plain(stem, ""):
		r.command(n, list, said, stem, "")
	default:
		r.prefix(n, list, said, "", words)
	}
}

// address is a host, an origin or a path. Without a protocol it means https.
func (r *reader) address(n *node, list rules.List, said, entry string) {
	if entry = strings.TrimSpace(entry); list == rules.Allow && !strings.Contains(entry, "://") {
		entry = "https://" + entry
	}
	if _, err := rules.URLRule(entry, list, r.opt.Scope, rules.Pos{}); err != nil {
		r.cannot(n, list, said, err.Error(), "WebFetch")
		return
	}
	if list == rules.Allow {
		r.noted["urls"]++
	}
	r.add(n, said, "", Entry{true, "urls." + list.String(), true, edit.Quote(entry)})
}

// copilotApproval is a rule that was saved: literal except for :* at its end.
func (r *reader) copilotApproval(a *node) {
	kind, server, tool := a.Get("kind").Text, a.Get("serverName").Text, a.Get("toolName")
	switch {
	case kind == "commands":
		for _, c := range a.Get("commandIdentifiers").Items {
			if said := "commands " + c.Text; plain(strings.TrimSuffix(c.Text, ":*"), "") {
				r.rule(c, rules.Allow, said, "", "Bash("+c.Text+")")
			} else {
				r.refuse(c, said, "a star is a character there, or it is more than words")
			}
		}
	case kind == "mcp" && tool.Kind == text:
		r.copilotRule(a, rules.Allow, server+"("+tool.Text+")")
	case kind == "mcp":
		r.copilotRule(a, rules.Allow, server+"(*)")
	case kind == "custom-tool":
		r.copilotRule(a, rules.Allow, kind+"("+tool.Text+")")
	default:
		r.copilotRule(a, rules.Allow, kind)
	}
}

// copilotManaged reads the administrator's lists.
func (r *reader) copilotManaged(v *node) {
	r.noted["managed"]++
	r.lists = append([][]Item{}, r.lists...) // not nil: it is a managed file
	known := keyed{
		"disableBypassPermissionsMode": func(v *node) {
			r.lock(v, "disableBypassPermissionsMode", `"disable"`, "disableBypassPermissionsMode")
		},
		"limitTo": r.copilotLimit,
	}
	for _, name := range [...]string{"allow", "ask", "deny"} {
		known[name] = func(v *node) {
			first := len(r.items)
			r.each(listOf(name), name, func(v *node, said, t string) {
				if name == "allow" && r.opt.Scope != rules.Managed && !strings.Contains(r.source.name, "managed") {
					r.refuse(v, said, "only an administrator's file can say this")
				} else {
					r.copilotRule(v, listOf(name), t)
				}
			})(v)
			if name == "allow" {
				r.lists = append(r.lists, r.items[first:len(r.items):len(r.items)])
			}
		}
	}
	r.keys(v, "permissions.", known, "")
}

// copilotLimit is the closed list of domains. With a bad entry it is an empty one.
func (r *reader) copilotLimit(v *node) {
	texts, ok := textsOf(v)
	said, why := "limitTo "+strings.Join(texts, ", "), "only https; another address is asked about"
	var entries []Entry
	for _, t := range texts {
		_, err := rules.URLRule("https://"+t, rules.Allow, r.opt.Scope, rules.Pos{})
		ok = ok && err == nil && !strings.Contains(t, "/") && strings.Trim(t, "*.") != ""
		entries = append(entries, Entry{true, "urls.allow", true, edit.Quote("https://" + t)})
	}
	if r.noted["limit"]++; !ok || v.Kind != list || r.noted["limit"] > 1 { // of two lists, neither
		r.rule(v, rules.Deny, said, "", "WebFetch")
		return
	}
	if r.opt.Scope != rules.Managed {
		why += ", and --scope managed makes it binding"
	}
	r.add(v, said, why, entries...)
}

// finishCopilot intersects the managed lists, lets limitTo be final, and says what holds by default.
func finishCopilot(r *reader) {
	for n := range r.items {
		i := &r.items[n]
		held := 0
		for _, list := range r.lists {
			if slices.ContainsFunc(list, func(o Item) bool { return slices.Equal(o.Entries, i.Entries) }) {
				held++
			}
		}
		if len(i.Entries) > 0 && held > 0 && held < len(r.lists) {
			i.drop("another managed list does not allow it")
		}
		web := slices.ContainsFunc(i.Entries, func(e Entry) bool {
			return e.Path == "urls.allow" || e.Path == "permissions.allow" && strings.HasPrefix(unquote(e.Value), "WebFetch")
		})
		if web && r.noted["limit"] > 0 && !strings.HasPrefix(i.Said, "limitTo ") {
			i.drop("limitTo is final")
		}
	}
	if r.noted["posture"] == 0 {
		return
	}
	r.add(nil, "by default: commands that only read run", "it has to be proven", gateKey("readOnlyCommands", "allow"))
	r.add(nil, "by default: paths outside the project prompt", "", gateKey("outsideReads", "ask"))
	switch {
	case r.noted["limit"] > 0: // which says what holds for addresses
		r.rest("by default: what no managed list names prompts", safeTools("WebFetch"))
	case r.noted["managed"] > 0:
		r.rest("by default: what no managed list names prompts", safeTools())
	case r.noted["urls"] == 0 || r.opt.Scope.OfProject():
		r.rest("by default: addresses prompt", []string{"WebFetch"})
	}
}
