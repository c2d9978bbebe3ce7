package importer

import (
	"slices"
	"strings"
	"text/scanner"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

const noSandbox = "permgate is no sandbox: what runs unasked in Codex's is asked about, or denied"

var codex = System{
	Name: "codex", Title: "OpenAI Codex CLI",
	Source: "the rules, configuration and approvals pages of Codex and codex-rs/execpolicy/README.md at 11b641af, 2026-11",
	Doc: "rules/*.rules and config.toml: prefix_rule, network_rule, approval_policy, sandbox_mode, mcp_servers. permgate is no " +
		"sandbox, so a command that runs in Codex's is asked about here.",
	Places: []Place{
		{rules.User, ".codex/config.toml", false}, {rules.User, ".codex/rules/*.rules", false},
		{rules.Local, ".codex/config.toml", false}, {rules.Local, ".codex/rules/*.rules", false},
		{rules.Shared, ".codex/config.toml", false}, {rules.Shared, ".codex/rules/*.rules", false},
	},
	modes: []mode{
		{"never,danger-full-access", "bypassPermissions", ""}, {"never, never,read-only never,workspace-write", "dontAsk", noSandbox},
		{"on-request,workspace-write on-request,danger-full-access on-failure,workspace-write on-failure,danger-full-access", "acceptEdits", noSandbox},
		{"", "default", noSandbox},
	},
	read: readCodex, finish: finishCodex,
}

func readCodex(r *reader) error {
	if strings.HasSuffix(r.file.name, ".toml") {
		return r.codexConfig()
	}
	p, err := r.file.program()
	if err != nil {
		return err
	}
	for p.pos < len(p.toks)-1 && err == nil {
		name := p.at(0)
		if name.kind != scanner.Ident || p.at(1).kind != '(' {
			return r.file.errorf(name.off, "only calls such as prefix_rule(...) are read, and this is none")
		}
		p.pos += 2
		c, bad := p.pairs('=', ')')
		if bad != nil {
			return bad
		}
		c.off = name.off
		switch name.text {
		case "prefix_rule":
			err = r.codexRule(c)
		case "host_executable":
			if c.get("name").kind != text {
				return r.file.errorf(c.off, "host_executable needs a name, a string")
			}
			r.refuse(c, name.text+" "+c.get("name").text, "no rule says which file a program is")
			r.noted["file "+c.get("name").text]++
		case "network_rule":
			r.codexNetwork(c)
		default:
			err = r.file.errorf(c.off, "%s is not known; prefix_rule, host_executable and network_rule are", name.text)
		}
	}
	return err
}

// codexRule is a prefix of words, each of which may be one of several.
func (r *reader) codexRule(c *node) error {
	said := strings.TrimSpace(c.get("decision").text)
	if c.get("decision").kind == 0 {
		said = "allow"
	}
	list, all := listOf(said), [][]string{nil}
	if items := c.get("pattern").items; list == rules.NoList || said == "ask" || said == "deny" || len(items) == 0 {
		return r.file.errorf(c.off, "prefix_rule needs a pattern, a list, and a decision: allow, prompt or forbidden")
	}
	for _, e := range c.get("pattern").items {
		words, ok := e.texts()
		if !ok || len(words) == 0 || len(all)*len(words) > 256 {
			return r.file.errorf(e.off, "a word or a list of words was expected here, for 256 rules at most")
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
	r.known(c, "prefix_rule.", "pattern", "decision", "justification", "match", "not_match")
	return nil
}

func (r *reader) codexNetwork(c *node) {
	host, decision := c.get("host").text, c.get("decision").text
	said := "network_rule " + host + " " + decision
	_, err := rules.URLRule(host, rules.Deny, r.opt.Scope, rules.Pos{})
	switch {
	case decision == "allow":
		r.refuse(c, said, "it is about the network of the sandbox")
	case err != nil:
		r.cannot(c, rules.Deny, said, err.Error(), "WebFetch")
	case decision == "prompt":
		r.rule(c, rules.Ask, said, "it binds every protocol", "WebFetch(domain:"+host+")")
	default:
		r.add(c, said, "it binds every protocol", Entry{true, "urls.deny", true, edit.Quote(host)})
	}
}

func (r *reader) codexConfig() error {
	root, err := r.file.tree()
	if err != nil {
		return err
	}
	elsewhere := func(*node) {}
	r.keys(root, "", map[string]func(v *node){
		"approval_policy": elsewhere,
		"sandbox_mode":    elsewhere,
		"sandbox_workspace_write": func(v *node) {
			r.keys(v, "sandbox_workspace_write.", map[string]func(v *node){"writable_roots": r.dirs("writable_roots")})
		},
		"mcp_servers": func(v *node) {
			for i, name := range v.keys {
				r.codexServer(name, v.items[i])
			}
		},
	})
	approval, sandbox := root.get("approval_policy"), root.get("sandbox_mode")
	if approval.kind == 0 && sandbox.kind == 0 {
		return nil
	}
	said := strings.TrimSpace("approval_policy " + approval.text + ", sandbox_mode " + sandbox.text)
	r.setMode(approval, said, approval.text+","+sandbox.text)
	if approval.text == "never" {
		r.noted["never"]++
	}
	return nil
}

func (r *reader) codexServer(name string, v *node) {
	said, server := "mcp_servers."+name+".", "mcp__"+name
	other := func(*node) {}
	r.keys(v, said, map[string]func(v *node){
		"command": other, "args": other, "env": other, "url": other, "cwd": other, "enabled": other,
		"disabled_tools": func(v *node) {
			for _, t := range r.strings(v, rules.Deny, said+"disabled_tools") {
				r.rule(v, rules.Deny, said+"disabled_tools "+t, "", server+"__"+t)
			}
		},
		"enabled_tools": func(v *node) {
			r.cannot(v, rules.Deny, said+"enabled_tools", "no rule leaves out some tools", server)
		},
	})
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
