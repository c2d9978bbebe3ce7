package importer

import (
	"cmp"
	"net"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/tree"
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
		{"never,danger-full-access", "bypassPermissions", ""}, {"never, never,own never,read-only never,workspace-write", "dontAsk", noSandbox},
		{"on-request,workspace-write on-request,danger-full-access on-failure,workspace-write on-failure,danger-full-access", "acceptEdits", noSandbox},
		{"", "default", noSandbox},
	},
	asks: true, parse: tree.Calls, file: codexFile, rows: codexRows, finish: codexFinish,
}

func codexRows() []row {
	const bypass, auto, reviewers = "disableBypassPermissionsMode", "disableAutoMode", "auto_review guardian_subagent"
	const asking, boxes = "on-failure on-request never", "workspace-write danger-full-access"
	sandbox := codexCeiling("read-only external-sandbox "+boxes, "danger-full-access", boxes, bypass)
	return []row{
		{"profile approval_policy sandbox_mode default_permissions", codexMode},
		{"profiles projects", nil},
		{"sandbox_workspace_write.writable_roots", folders("/", "~/")},
		{"mcp_servers", codexServers(false)},
		{"mcp_servers.*.enabled", func(r *reader, v *value) { when("false", says(rules.Deny, "", codexTool(v.names[0], "")))(r, v) }},
		{"mcp_servers.*.disabled_tools", func(r *reader, v *value) {
			each(rules.Deny, func(r *reader, n *node, list rules.List, said, t string) {
				r.rule(n, list, said, "", codexTool(v.names[0], t))
			})(r, v)
		}},
		{"mcp_servers.*.default_tools_approval_mode mcp_servers.*.tools.*.approval_mode", codexApproval},
		{"mcp_servers.*.enabled_tools mcp_servers.*.command mcp_servers.*.args mcp_servers.*.env mcp_servers.*.url mcp_servers.*.cwd", nil},
		{"permissions.*", func(r *reader, v *value) {
			does := stays("a profile that is not chosen")
			if v.names[0] == r.root.Get("default_permissions").Text {
				does = restricts("no rule is made of a profile", "Read", "Edit")
			}
			does(r, v)
		}},
		{"web_search tools.web_search", when("false disabled", says(rules.Deny, "", "WebSearch"))},
		{"tools.view_image", when("false", says(rules.Deny, "", "Read(path:*)"))},
		{"features.shell_tool", when("false", says(rules.Deny, "", "Bash"))},
		{"apps", restricts("no rule names an app", "mcp__codex_apps__*")},
		{"prefix_rule", func(r *reader, v *value) { codexRule(r, v.node, false) }},
		{"host_executable", stays("a rule is about a name here, and programs of system folders have theirs")},
		{"network_rule", func(r *reader, v *value) { codexHost(r, v.node, v.Get("host").Text, v.Get("decision").Text) }},
		{".allowed_approval_policies", codexCeiling("untrusted "+asking, "never", asking, bypass)},
		{".allowed_sandbox_modes", sandbox},
		{".allowed_permissions", codexCeiling("", ":danger-full-access", ":workspace :danger-full-access", bypass)},
		{".allowed_approvals_reviewers", codexCeiling("user "+reviewers, reviewers, "", auto)},
		{".remote_sandbox_config", func(r *reader, v *value) {
			for _, e := range v.Items { // the hosts it is for are not known
				sandbox(r, &value{e.Get("allowed_sandbox_modes"), "allowed_sandbox_modes", nil})
			}
		}},
		{".allowed_web_search_modes", func(r *reader, v *value) {
			if texts, _ := textsOf(v.node); !slices.Contains(texts, "live") {
				said := strings.TrimSpace(v.said + " " + strings.Join(texts, ", "))
				r.rule(v.node, rules.Deny, said, "it binds cached pages, too", "WebSearch")
			}
		}},
		{".mcp_servers", codexServers(true)},
		{".rules.prefix_rules", func(r *reader, v *value) {
			if v.Kind != list {
				r.source.fail(v.Off, "prefix_rules needs a list")
			}
			for _, c := range v.Items {
				codexRule(r, c, true)
			}
		}},
		{".permissions.filesystem.deny_read", each(rules.Deny, codexUnread)},
		{".permissions.filesystem.* .permissions.*", restricts("no rule is made of it", "Read", "Edit")},
		{".experimental_network.denied_domains", each(rules.Deny, func(r *reader, n *node, _ rules.List, _, host string) {
			codexHost(r, n, host, "deny")
		})},
		{".experimental_network.domains.*", func(r *reader, v *value) { codexHost(r, v.node, v.names[0], v.Text) }},
		{".experimental_network.managed_allowed_domains_only", restricts("no rule leaves out some addresses", "WebFetch")},
		{".experimental_network.*", stays("it is about the network of the sandbox")},
		{".mcp_server_matchers .plugins .apps", restricts("no rule leaves out some servers", "mcp__*")},
		{".hooks .allow_managed_hooks_only .computer_use .features .feature_requirements .enforce_residency .guardian_policy_config " +
			".default_permissions .models", stays("it is about Codex itself, and stays with it")},
		{".*", func(r *reader, v *value) {
			r.add(v.node, v.said, "a requirement that is not known locks", locks(`"disable"`, bypass, auto)...)
		}},
	}
}

// codexFile puts requirements below a key without a name, and what the chosen profile says in place of what all say.
// In the older form of requirements what is set is all that is allowed.
func codexFile(r *reader) bool {
	if chosen := r.root.Get("profile"); chosen.Kind != 0 && !r.opt.Scope.OfProject() { // there it does not count
		own := &node{Kind: table, Keys: []string{"approval_policy"}, Items: []*node{chosen}} // it does not start then
		if p := r.root.Get("profiles").Get(chosen.Text); p.Kind == table {
			own.Keys, own.Items = slices.Clone(p.Keys), slices.Clone(p.Items)
		}
		for i, key := range r.root.Keys {
			if own.Get(key).Kind == 0 {
				own.Set(key, r.root.Items[i])
			}
		}
		r.root = own
	}
	below, base := &node{Kind: table}, path.Base(r.source.name)
	switch requires := func(key string) bool { return strings.HasPrefix(key, "allowed_") }; {
	case base == "managed_config.toml":
		for _, key := range [...][2]string{
			{"approval_policy", "approval_policies"}, {"sandbox_mode", "sandbox_modes"}, {"default_permissions", "permissions"},
		} {
			if v := r.root.Get(key[0]); v.Kind != 0 {
				below.Set("allowed_"+key[1], &node{Kind: list, Items: []*node{v}, Off: v.Off})
			}
		}
		r.root.Set("", below)
	case r.opt.Scope == rules.Managed, base == "requirements.toml", slices.ContainsFunc(r.root.Keys, requires):
		r.root = &node{Kind: table, Keys: []string{""}, Items: []*node{r.root}}
	}
	return true
}

// codexMode is what approval_policy and sandbox_mode come to.
func codexMode(r *reader, v *value) {
	approval, sandbox := r.root.Get("approval_policy"), r.root.Get("sandbox_mode")
	named := r.root.Get("default_permissions")
	if r.noted[r.source.name]++; r.noted[r.source.name] > 1 || approval.Kind+sandbox.Kind+named.Kind == 0 {
		return
	}
	said, box := "approval_policy "+approval.Text+", sandbox_mode "+sandbox.Text, sandbox.Text
	if named.Kind != 0 {
		said += ", default_permissions " + named.Text
		box = strings.Replace(strings.TrimPrefix(named.Text, ":"), "workspace", "workspace-write", 1)
		if sandbox.Kind != 0 || !strings.HasPrefix(named.Text, ":") {
			box = "own" // a profile of the user's, or two that may disagree
		}
	}
	r.setMode(approval, strings.TrimSpace(said), approval.Text+","+box)
	switch approval.Text {
	case "never":
		r.noted["never "]++
	case "untrusted":
		r.noted["untrusted"]++
	}
	for part, of := range map[string]string{"rules": "Bash", "mcp_elicitations": "mcp__", "sandbox_approval": "Edit"} {
		if approval.Get("granular").Get(part).Text == "false" || approval.Get("reject").Get(part).Text == "true" {
			r.noted["never "+of]++
		}
	}
	refuses := r.noted["never "]+r.noted["never Edit"] > 0
	said = "sandbox_mode " + cmp.Or(box, "workspace-write, by default")
	prompts := map[bool]rules.List{false: rules.Ask, true: rules.Deny}[refuses]
	if box == "read-only" || approval.Text == "untrusted" {
		r.rule(v.node, prompts, said+": no edit is free", "", "Edit")
	} else if box != "danger-full-access" {
		r.rule(v.node, prompts, said, "", "Edit(/.git/**)", "Edit(/.codex/**)", "Edit(/.agents/**)")
	}
	if refuses && box != "danger-full-access" {
		r.last().Entries = append(r.last().Entries, locks("true", "blockWritesOutsideWorkingDirectories")...)
	}
}

// codexTool is a tool of a server, "" for all. What is no letter becomes another one in the name that is sent.
func codexTool(server, tool string) string {
	name := sent("mcp__"+server+"__"+tool, "")
	switch {
	case len(name) > 60: // it is cut there
		return name[:40] + "*"
	case tool == "":
		return name + "*"
	}
	return name
}

// codexServers are all the servers that there are, where the list is closed or only some tools of one are.
func codexServers(closed bool) act {
	return func(r *reader, v *value) {
		const own = "Bash PowerShell Edit Write Read TodoWrite AskUserQuestion WebSearch spawn_agent send_input wait " +
			"close_agent list_mcp_resources read_mcp_resource"
		names, closed := strings.Fields(own), closed
		for i, server := range v.Keys {
			tools, some := v.Items[i].Get("enabled_tools"), []string{""}
			if tools.Kind != 0 {
				some, _ = textsOf(tools)
			}
			for closed = closed || tools.Kind != 0; len(some) > 0; some = some[1:] {
				names = append(names, codexTool(server, some[0]))
			}
		}
		if !closed {
			return
		}
		said := v.said + ": only " + strings.Join(v.Keys, ", ")
		r.only(v.node, said, "of Codex's tools what is not named here is denied, too", "hosts.codex.tools", names...)
	}
}

// codexApproval says how the tools of a server are approved.
func codexApproval(r *reader, v *value) {
	said, text := v.said+" "+v.Text, codexTool(v.names[0], strings.Join(v.names[1:], ""))
	switch {
	case v.Text == "auto":
		r.add(v.node, said, "")
	case v.Text != "approve":
		r.rule(v.node, rules.Ask, said, "", text)
	default:
		r.theirs(v.node, rules.Allow, said, strings.TrimSuffix(text, "*"), text)
	}
}

// codexRule is a prefix of words, each of which may be one of several. In requirements a word is a table, and no rule
// allows.
func codexRule(r *reader, c *node, required bool) {
	said, all := c.Get("decision").Text, [][]string{nil}
	if c.Get("decision").Kind == 0 && !required {
		said = "allow"
	}
	list := map[string]rules.List{"allow": rules.Allow, "prompt": rules.Ask, "forbidden": rules.Deny}[said]
	if list == rules.NoList || required && list == rules.Allow || len(c.Get("pattern").Items) == 0 {
		const want = "prefix_rule needs a pattern, a list, and a decision: allow (not in requirements), prompt or forbidden"
		r.source.fail(c.Off, want)
		return
	}
	for _, e := range c.Get("pattern").Items {
		if token := e.Get("token"); token.Kind != 0 {
			e = token
		} else if e.Kind == table {
			e = e.Get("any_of")
		}
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
	shell := func(words []string) bool {
		return len(words) < 3 && slices.Contains(strings.Fields("bash sh zsh"), path.Base(words[0]))
	}
	if list != rules.Allow && slices.ContainsFunc(all, shell) {
		r.last().Entries = append(r.last().Entries, codexText(list)...)
	}
}

// codexText are texts of more than plain words, which Codex takes for an operand of the shell that runs them.
func codexText(list rules.List) (out []Entry) {
	for glob := range strings.FieldsSeq("*#* *>* *<* *$* *`* *(* *{* *=* *!* *\\* *|&* *& *?&?*") {
		out = append(out, ruleEntries(list, "Bash(command:"+strings.ReplaceAll(glob, "?", " ")+")")...)
	}
	return out
}

// codexHost is a rule about a host, without its port.
func codexHost(r *reader, n *node, host, decision string) {
	said := "network_rule " + host + " " + decision
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
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

// codexCeiling is a list of the values a user may choose from. known are all of them, "" where users name their own;
// without one that is free a mode is locked, and without one that edits every edit prompts.
func codexCeiling(known, free, edits, lock string) act {
	return func(r *reader, v *value) {
		texts, ok := textsOf(v.node)
		why, odd := "", without(texts, strings.Fields(known)...)
		if !ok || len(texts) == 0 || known != "" && len(odd) > 0 {
			why, ok = "a value that is not known locks", false
		}
		has := func(of string) bool { return ok && len(without(texts, strings.Fields(of)...)) < len(texts) }
		r.add(v.node, strings.TrimSpace(v.said+" "+strings.Join(texts, ", ")), why)
		i := r.last()
		if !has(free) {
			i.Entries = append(i.Entries, locks(`"disable"`, lock)...)
		}
		if !has(free) && edits != "" && !has(edits) {
			i.Entries = append(i.Entries, ruleEntries(rules.Ask, "Edit")...)
		}
		if ok && len(without(texts, "never")) == 0 {
			r.noted["never "]++
		}
	}
}

// codexUnread is a place that no one may read, with all below it. A star goes on past slashes there.
func codexUnread(r *reader, n *node, list rules.List, said, at string) {
	ours := across(at)
	if ours == "" {
		ours = at[:strings.LastIndex(at[:strings.IndexAny(at, "*?")], "/")+1] + "**"
	}
	r.path(n, list, said, "Read", ours, "**/")
	below := strings.TrimSuffix(unquote(r.last().Entries[0].Value), ")") + "/**)"
	r.last().Entries = append(r.last().Entries, ruleEntries(list, below)...)
}

// codexFinish denies what would prompt where nothing does. In untrusted a text of more than plain words prompts.
func codexFinish(r *reader) {
	granted := slices.ContainsFunc(r.items, func(i Item) bool { return len(i.Rules(rules.Allow)) > 0 })
	if r.noted["untrusted"] > 0 && granted {
		r.add(nil, "by default: what is more than plain words prompts", "", codexText(rules.Ask)...)
	}
	if r.noted["never "]+r.noted["never Edit"] > 0 {
		const said = "by default: what is dangerous is refused where nothing asks"
		r.rule(nil, rules.Deny, said, "", "Bash(rm -f:*)", "Bash(rm -rf:*)")
	}
	for n := range r.items {
		for at, e := range r.items[n].Entries {
			refused := func(of string) bool {
				return r.noted["never "+of] > 0 && strings.HasPrefix(unquote(e.Value), of)
			}
			if e.Path == "permissions.ask" && slices.ContainsFunc([]string{"", "Bash", "mcp__", "Edit"}, refused) {
				r.items[n].Entries[at].Path = "permissions.deny"
			}
		}
	}
}
