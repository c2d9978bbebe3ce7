package importer

import (
	"path"
	"slices"
	"strings"
	"text/scanner"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

const noSandbox = "permgate is no sandbox: what runs unasked in Codex's is asked about, or denied"

var codex = System{
	Name: "codex", Title: "OpenAI Codex CLI",
	Source: "the rules, configuration and approvals pages of Codex and codex-rs/execpolicy/README.md at 11b641af, 2026-11; " +
		"its managed configuration page, 2026-05, and codex-rs/config/src/config_requirements.rs at 03564ba8",
	Doc: "rules/*.rules and config.toml: prefix_rule, network_rule, approval_policy, sandbox_mode, mcp_servers; with --scope managed " +
		"requirements.toml. permgate is no sandbox, so a command that runs in Codex's is asked about here.",
	Places: []Place{
		{rules.User, ".codex/config.toml"}, {rules.User, ".codex/rules/*.rules"},
		{rules.Local, ".codex/config.toml"}, {rules.Local, ".codex/rules/*.rules"},
		{rules.Shared, ".codex/config.toml"}, {rules.Shared, ".codex/rules/*.rules"},
		{rules.Managed, "/etc/codex/requirements.toml"}, {rules.Managed, "/etc/codex/managed_config.toml"},
	},
	Elsewhere: `requirements that it fetches, the preferences com.openai.codex, /etc/codex/config.toml, %ProgramData%\OpenAI\Codex, ` +
		"NAME.config.toml of a profile, and the folder that CODEX_HOME names",
	modes: []mode{
		{"never,danger-full-access", "bypassPermissions", ""}, {"never, never,read-only never,workspace-write", "dontAsk", noSandbox},
		{"on-request,workspace-write on-request,danger-full-access on-failure,workspace-write on-failure,danger-full-access", "acceptEdits", noSandbox},
		{"", "default", noSandbox},
	},
	read: readCodex, program: codexRules, finish: finishCodex,
}

func codexRules(r *reader) {
	p := r.source.program("'")
	for p.pos < len(p.toks)-1 && r.source.err == nil {
		name := p.at(0)
		if name.kind != scanner.Ident || p.at(1).kind != '(' {
			r.source.fail(name.off, "only calls such as prefix_rule(...) are read, and this is none")
		}
		p.pos += 2
		c := p.pairs('=', ')')
		c.Off = name.off
		switch name.text {
		case "prefix_rule":
			r.codexRule(c)
		case "host_executable":
			if c.Get("name").Kind != text {
				r.source.fail(c.Off, "host_executable needs a name, a string")
			}
			r.refuse(c, name.text+" "+c.Get("name").Text, "no rule says which file a program is")
			r.noted["file "+c.Get("name").Text]++
		case "network_rule":
			host, decision := c.Get("host").Text, c.Get("decision").Text
			r.codexHost(c, name.text+" "+host+" "+decision, host, decision)
		default:
			r.source.fail(c.Off, "%s is not known; prefix_rule, host_executable and network_rule are", name.text)
		}
	}
}

// codexRule is a prefix of words, each of which may be one of several.
func (r *reader) codexRule(c *node) {
	said := strings.TrimSpace(c.Get("decision").Text)
	if c.Get("decision").Kind == 0 {
		said = "allow"
	}
	list, all := listOf(said), [][]string{nil}
	if items := c.Get("pattern").Items; list == rules.NoList || said == "ask" || said == "deny" || len(items) == 0 {
		r.source.fail(c.Off, "prefix_rule needs a pattern, a list, and a decision: allow, prompt or forbidden")
		return
	}
	for _, e := range c.Get("pattern").Items {
		words, ok := textsOf(e)
		if !ok || len(words) == 0 || len(all)*len(words) > 256 {
			r.source.fail(e.Off, "a word or a list of words was expected here, for 256 rules at most")
			return
		}
		said += " " + strings.Join(words, "|")
		var longer [][]string
		for _, head := range all {
			for _, w := range words {
				longer = append(longer, append(slices.Clip(head), w))
			}
		}
		all = longer
	}
	r.prefix(c, list, said, "", all...)
	r.keys(c, "prefix_rule.", nil, "pattern decision justification match not_match reviewer")
}

func (r *reader) codexHost(n *node, said, host, decision string) {
	_, err := rules.URLRule(host, rules.Deny, r.opt.Scope, rules.Pos{})
	switch {
	case decision == "allow":
		r.refuse(n, said, "it is about the network of the sandbox")
	case err != nil:
		r.cannot(n, rules.Deny, said, err.Error(), "WebFetch")
	case decision == "prompt":
		r.rule(n, rules.Ask, said, "it binds every protocol", "WebFetch(domain:"+host+")")
	default:
		r.add(n, said, "it binds every protocol", Entry{true, "urls.deny", true, edit.Quote(host)})
	}
}

func readCodex(r *reader, root *node) {
	requires := func(key string) bool { return strings.HasPrefix(key, "allowed_") }
	switch base := path.Base(r.source.name); {
	case base == "managed_config.toml": // the older form: what it sets is all that is allowed
		older := r.codexCeilings("approval_policy", "sandbox_mode", "default_permissions")
		for i, v := range root.Items {
			if f := older[root.Keys[i]]; f != nil {
				f(&node{Kind: list, Items: []*node{v}, Off: v.Off})
			}
		}
	case r.opt.Scope == rules.Managed, base == "requirements.toml", slices.ContainsFunc(root.Keys, requires):
		r.codexRequired(root)
		return
	}
	off := func(v *node) {
		if v.Text == "disabled" || v.Text == "false" {
			r.rule(v, rules.Deny, "web_search "+v.Text, "", "WebSearch")
		}
	}
	known := keyed{
		"sandbox_workspace_write": func(v *node) {
			r.keys(v, "sandbox_workspace_write.", keyed{"writable_roots": r.dirs("writable_roots", "/", "~/")}, "")
		},
		"mcp_servers": func(v *node) {
			for i, name := range v.Keys {
				r.codexServer(name, v.Items[i])
			}
		},
		"permissions": func(v *node) { r.codexProfiles(v, root.Get("default_permissions").Text) },
		"web_search":  off,
		"tools":       func(v *node) { r.keys(v, "tools.", keyed{"web_search": off}, "") },
		"apps":        func(v *node) { r.cannot(v, rules.Deny, "apps", "no rule names an app", "mcp__*") },
	}
	inert := "approval_policy sandbox_mode default_permissions profile"
	if chosen := root.Get("profile"); chosen.Kind != 0 && !r.opt.Scope.OfProject() { // there it does not count
		inert += " profiles"
		own := root.Get("profiles").Get(chosen.Text)
		if own.Kind != table { // it does not start then
			own = &node{Kind: table, Keys: []string{"approval_policy"}, Items: []*node{chosen}}
		}
		r.codexMode("profile "+chosen.Text+": ", own, root)
	} else {
		defer r.codexMode("", root, root)
	}
	r.keys(root, "", known, inert)
}

// codexMode is what approval_policy and sandbox_mode come to, in a profile or else at the top.
func (r *reader) codexMode(said string, own, root *node) {
	var got [3]*node
	for i, key := range [...]string{"approval_policy", "sandbox_mode", "default_permissions"} {
		if got[i] = own.Get(key); got[i].Kind == 0 {
			got[i] = root.Get(key)
		}
	}
	approval, sandbox, named := got[0], got[1], got[2]
	if approval.Kind == 0 && sandbox.Kind == 0 && named.Kind == 0 {
		return
	}
	said += "approval_policy " + approval.Text + ", sandbox_mode " + sandbox.Text
	box := sandbox.Text
	if named.Kind != 0 {
		said += ", default_permissions " + named.Text
		box = strings.Replace(strings.TrimPrefix(named.Text, ":"), "workspace", "workspace-write", 1)
		if sandbox.Kind != 0 || !strings.HasPrefix(named.Text, ":") {
			box = "" // a profile of the user's own, or two that may disagree
		}
	}
	r.setMode(approval, strings.TrimSpace(said), approval.Text+","+box)
	if approval.Text == "never" {
		r.noted["never"]++
	}
}

func (r *reader) codexServer(name string, v *node) {
	said, server := "mcp_servers."+name+".", "mcp__"+name
	if !isName(name) {
		r.cannot(v, rules.Deny, strings.TrimSuffix(said, "."), "Codex changes this name in the names of its tools", "mcp__*")
		return
	}
	approval := func(said, tool string) func(v *node) {
		return func(v *node) {
			switch said += " " + v.Text; {
			case v.Text == "auto":
				r.add(v, said, "")
			case v.Text == "approve" && isName(tool):
				r.rule(v, rules.Allow, said, "", tool)
			default:
				r.rule(v, rules.Ask, said, "", tool)
			}
		}
	}
	r.keys(v, said, keyed{
		"enabled": func(v *node) {
			if v.Text != "true" {
				r.rule(v, rules.Deny, said+"enabled "+v.Text, "", server)
			}
		},
		"default_tools_approval_mode": approval(said+"default_tools_approval_mode", server),
		"tools": func(v *node) {
			for i, tool := range v.Keys {
				known := keyed{"approval_mode": approval(said+"tools."+tool, server+"__"+tool)}
				r.keys(v.Items[i], said+"tools."+tool+".", known, "")
			}
		},
		"disabled_tools": r.each(rules.Deny, said+"disabled_tools", func(v *node, said, t string) {
			r.rule(v, rules.Deny, said, "", server+"__"+t)
		}),
		"enabled_tools": func(v *node) {
			r.cannot(v, rules.Deny, said+"enabled_tools", "no rule leaves out some tools", server)
		},
	}, "command args env url cwd")
}

// codexCeiling is a list of the values a user may choose from. known are all of them, "" where users name their own;
// without one that is free a mode is locked, and without one that edits every edit prompts.
func (r *reader) codexCeiling(key, known, free, edits, lock string) func(v *node) {
	return func(v *node) {
		texts, ok := textsOf(v)
		why, odd := "", without(texts, strings.Fields(known)...)
		if !ok || len(texts) == 0 || known != "" && len(odd) > 0 {
			why, ok = "a value that is not known locks", false
		}
		has := func(of string) bool { return ok && len(without(texts, strings.Fields(of)...)) < len(texts) }
		r.add(v, strings.TrimSpace(key+" "+strings.Join(texts, ", ")), why)
		if i := r.last(); !has(free) {
			i.Entries = append(i.Entries, locks(`"disable"`, lock)...)
			if edits != "" && !has(edits) {
				i.Entries = append(i.Entries, ruleEntries(rules.Ask, "Edit")...)
			}
		}
	}
}

// codexCeilings are those that an older file has under other names.
func (r *reader) codexCeilings(approval, sandbox, permissions string) keyed {
	const bypass, asks, boxes = "disableBypassPermissionsMode", "on-failure on-request never", "workspace-write danger-full-access"
	return keyed{
		approval:    r.codexCeiling(approval, "untrusted "+asks, "never", asks, bypass),
		sandbox:     r.codexCeiling(sandbox, "read-only external-sandbox "+boxes, "danger-full-access", boxes, bypass),
		permissions: r.codexCeiling(permissions, "", ":danger-full-access", ":workspace :danger-full-access", bypass),
	}
}

// codexRequired reads requirements.toml, which says what users may choose at most. A key that is not known locks.
func (r *reader) codexRequired(root *node) {
	known := r.codexCeilings("allowed_approval_policies", "allowed_sandbox_modes", "allowed_permissions")
	const models = "auto_review guardian_subagent"
	known["allowed_approvals_reviewers"] = r.codexCeiling("allowed_approvals_reviewers", "user "+models, models, "", "disableAutoMode")
	known["allowed_web_search_modes"] = r.codexSearch
	known["experimental_network"] = r.codexRequiredNetwork
	known["permissions"] = func(v *node) { r.codexProfiles(v, "*") }
	known["remote_sandbox_config"] = func(v *node) {
		for _, e := range v.Items { // the hosts it is for are not known
			known["allowed_sandbox_modes"](e.Get("allowed_sandbox_modes"))
		}
	}
	known["rules"] = func(v *node) {
		if v.Get("prefix_rules").Kind != list {
			r.cannot(v, rules.Deny, "rules", "no list of rules", "Bash")
		}
		for _, c := range v.Get("prefix_rules").Items {
			r.codexRequiredRule(c)
		}
	}
	for _, key := range [...]string{"mcp_servers", "mcp_server_matchers", "plugins", "apps"} {
		known[key] = func(v *node) {
			if key == "mcp_servers" && v.Kind == table && len(v.Keys) == 0 {
				r.rule(v, rules.Deny, "mcp_servers: none", "", "mcp__*")
				return
			}
			r.cannot(v, rules.Deny, key+" "+strings.Join(v.Keys, ", "), "no rule leaves out some servers", "mcp__*")
		}
	}
	const own = "hooks allow_managed_hooks_only computer_use features feature_requirements enforce_residency " +
		"guardian_policy_config default_permissions models"
	for i, key := range root.Keys {
		switch v := root.Items[i]; {
		case known[key] != nil:
			known[key](v)
		case slices.Contains(strings.Fields(own), key):
			r.refuse(v, key, "it is about Codex itself, and stays with it")
		default:
			r.add(v, key, "a requirement that is not known locks", locks(`"disable"`, "disableBypassPermissionsMode", "disableAutoMode")...)
		}
	}
}

// codexRequiredRule is a prefix_rule in TOML, where a word is a table. It may not allow.
func (r *reader) codexRequiredRule(c *node) {
	if list := listOf(c.Get("decision").Text); list == rules.NoList || list == rules.Allow {
		r.source.fail(c.Off, "a rule of requirements.toml needs a decision: prompt or forbidden")
	}
	pattern := c.Get("pattern").Items
	for i, w := range pattern {
		if pattern[i] = w.Get("any_of"); w.Get("token").Kind != 0 {
			pattern[i] = w.Get("token")
		}
	}
	r.codexRule(c)
}

func (r *reader) codexSearch(v *node) {
	texts, ok := textsOf(v)
	said := strings.TrimSpace("allowed_web_search_modes " + strings.Join(texts, ", "))
	switch live := slices.Contains(texts, "live"); {
	case ok && live:
		r.add(v, said, "")
	case ok && len(without(texts, "disabled")) == 0:
		r.rule(v, rules.Deny, said, "", "WebSearch")
	default:
		r.cannot(v, rules.Deny, said, "no rule tells cached pages from others", "WebSearch")
	}
}

// codexProfiles are named sets of permissions, of which one is chosen, and the files that no one may read.
func (r *reader) codexProfiles(v *node, chosen string) {
	for i, name := range v.Keys {
		switch said := "permissions." + name; {
		case name == "filesystem" && chosen == "*":
			for k, key := range v.Items[i].Keys {
				if key != "deny_read" {
					r.cannot(v.Items[i], rules.Deny, said+"."+key, "a requirement that is not known", "Read", "Edit")
					continue
				}
				r.each(rules.Deny, key, r.codexUnread)(v.Items[i].Items[k])
			}
		case chosen == "*" || chosen == name:
			r.cannot(v.Items[i], rules.Deny, said, "no rule is made of a profile", "Read", "Edit")
		default:
			r.refuse(v.Items[i], said, "a profile that is not chosen")
		}
	}
}

// codexUnread is a place that no one may read, with all below it. A star goes on past slashes there.
func (r *reader) codexUnread(n *node, said, at string) {
	ours := across(at)
	if strings.IndexAny(ours, "/~") != 0 {
		r.cannot(n, rules.Deny, said, "no absolute path, or a wildcard that matches something else here", "Read")
	} else if r.path(n, rules.Deny, said, "Read", ours, ""); r.last().Status != Refused {
		below := strings.TrimSuffix(unquote(r.last().Entries[0].Value), ")") + "/**)"
		r.last().Entries = append(r.last().Entries, ruleEntries(rules.Deny, below)...)
	}
}

func (r *reader) codexRequiredNetwork(v *node) {
	deny := func(n *node, _, host string) { r.codexHost(n, "network_rule "+host+" deny", host, "deny") }
	for i, key := range v.Keys {
		switch v := v.Items[i]; {
		case key == "denied_domains":
			r.each(rules.Deny, key, deny)(v)
		case key == "domains":
			for i, host := range v.Keys {
				if v.Items[i].Text != "allow" {
					deny(v.Items[i], "", host)
				}
			}
		case key == "managed_allowed_domains_only" && v.Text != "false":
			r.cannot(v, rules.Deny, key, "no rule leaves out some addresses", "WebFetch")
		default:
			r.refuse(v, "experimental_network."+key, "it is about the network of the sandbox")
		}
	}
}

// finishCodex refuses allow rules about programs whose file matters, and denies what would prompt where nothing does.
func finishCodex(r *reader) {
	for n := range r.items {
		i := &r.items[n]
		for at, e := range i.Entries {
			program, _, _ := strings.Cut(strings.TrimPrefix(unquote(e.Value), "Bash("), " ")
			program = strings.TrimSuffix(program, ":*)")
			if e.Path == "permissions.allow" && r.noted["file "+program] > 0 {
				i.drop("host_executable says which file this program is, and no rule can")
				break
			} else if e.Path == "permissions.ask" && i.Status != Refused && r.noted["never"] > 0 {
				i.Entries[at].Path = "permissions.deny"
			}
		}
	}
}
