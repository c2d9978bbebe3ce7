package imported

import (
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
)

// copilotPolicy is a start, settings, managed files and what was approved. Written from the command, configuration and
// managed settings pages (046d2679, 03b432e6) and seed 4; where they leave a matter open a restriction is read in its
// widest sense and a grant in its narrowest.
type copilotPolicy struct {
	allow, deny, allowed, denied, dirs                   []string // of options and settings
	available, excluded, off                             []string // tools, and servers
	all, allTools, allPaths, allURLs, noTemp, suppressed bool
	saved                                                []string // kind, kind(argument) as an approval has them
	managed                                              []copilotManaged
}

type copilotManaged struct {
	Deny, Ask, Allow, LimitTo []string
	bad                       bool // limitTo has an entry that is no domain
}

// A copilotCall is a request for permission: shell, read, write, url, mcp, memory, a tool of its own, or none.
type copilotCall struct{ kind, tool, arg string }

var copilotModel = model{"copilot", "copilot", func(r *rand.Rand) policy {
	c := &copilotPolicy{}
	p := policy{scope: rules.User}
	switch r.IntN(8) {
	case 0, 1, 2:
		p.files = append(p.files, c.script(r))
	case 3:
		p.files = append(p.files, c.script(r), c.settings(r, true))
	case 4:
		p.scope = []rules.Scope{rules.User, rules.Shared, rules.Local}[r.IntN(3)]
		p.files = append(p.files, c.settings(r, p.scope == rules.User))
	case 5, 6:
		p.scope = rules.Managed
		for i := range 1 + r.IntN(2) {
			p.files = append(p.files, c.administered(r, []string{"managed-settings.json", "server/managed-settings.json"}[i]))
		}
		if r.IntN(4) == 0 { // with what the user starts, as one policy
			p.files, p.scope = append(p.files, c.script(r)), rules.User
		}
	default:
		p.scope = rules.Local
		p.files = append(p.files, c.approved(r))
	}
	p.call = func(r *rand.Rand) (string, hookio.Decision) {
		call := copilotDraw(r)
		return copilotPayload(r, call, c.hides(call)), c.answer(call)
	}
	return p
}}

func copilotTools(r *rand.Rand, most int) []string {
	return some(r, most, "shell", "shell(git:*)", "shell(git push)", "shell(git)", "shell(make)", "shell(make all)", "shell(npm run build:*)",
		"shell(npm run build)", "shell(npm:*)", "shell(gh pr view)", "shell(gh pr:*)", "shell(ls *)", "shell(ls [ab])", "shell(docker:x)", "shell(curl:*)",
		"shell(rm)", "shell(rm:*)", "shell(cat)", "shell(git*)", "shell(npm run lint:fix)", "shell(timeout:*)", "shell(go test ./...)", "write",
		"write(secret.txt)", "write(docs/a.md)", "write(*.md)", "write(/srv/x)", "write(src/*.go)", "write(**/key.pem)", "write(src)", "read", "read(secret.txt)",
		"read(src/*)", "read(.env)", "read(~/notes)", "jira(search)", "jira", "jira(*)", "my-db(query)", "my-db", "github-mcp-server", "github-mcp-server(get_me)",
		"mine", "memory", "url", "url(a.example)", "url(https://*.b.example)", "custom-tool(mine)", "*", "j*", "shell(*)", "write(*)", "shell(git push:*),write")
}

func copilotAddresses(r *rand.Rand, most int) []string {
	return some(r, most, "a.example", "https://a.example", "*.a.example", "https://a.example/x", "https://a.example/docs/*", "http://a.example", "*.b.example",
		"https://b.example:8443", "B.example", "localhost", "http://localhost:3000", "*", "https://*")
}

// script is how a session is started.
func (c *copilotPolicy) script(r *rand.Rand) importer.File {
	line := "copilot"
	add := func(option string, values []string) {
		for _, v := range values {
			line += one(r, " "+option+"='"+v+"'", " "+option+" '"+v+"'")
		}
	}
	flag := func(option string, on *bool, odds int) {
		if r.IntN(odds) == 0 {
			*on, line = true, line+" "+option
		}
	}
	c.allow, c.deny = copilotTools(r, 4), copilotTools(r, 3)
	c.allowed, c.denied = append(c.allowed, copilotAddresses(r, 2)...), append(c.denied, copilotAddresses(r, 1)...)
	add("--allow-tool", c.allow)
	add("--deny-tool", c.deny)
	c.allow, c.deny = copilotSplit(c.allow), copilotSplit(c.deny)
	add("--allow-url", c.allowed)
	add("--deny-url", c.denied)
	flag(one(r, "--allow-all", "--yolo"), &c.all, 6)
	flag("--allow-all-tools", &c.allTools, 8)
	flag("--allow-all-paths", &c.allPaths, 12)
	flag("--allow-all-urls", &c.allURLs, 12)
	flag("--disallow-temp-dir", &c.noTemp, 8)
	c.dirs = some(r, 1, "/srv", "/opt/x")
	add("--add-dir", c.dirs)
	names := []string{"bash", "powershell", "view", "edit", "create", "apply_patch", "grep", "glob", "web_fetch", "task", "skill", "jira-search", "my-db-query", "store_memory", "ask_user"}
	if r.IntN(10) == 0 {
		c.excluded, line = append(c.excluded, "ask_user"), line+" --no-ask-user"
	}
	if r.IntN(8) == 0 {
		c.available = append(some(r, 6, names...), one(r, names...))
		line += " --available-tools='" + strings.Join(c.available, ",") + "'"
	} else if r.IntN(6) == 0 {
		more := append(some(r, 2, names...), one(r, names...))
		line += " --excluded-tools='" + strings.Join(more, ", ") + "'"
		c.excluded = append(c.excluded, more...)
	}
	if r.IntN(8) == 0 {
		c.off = append(c.off, one(r, "jira", "my-db", "github-mcp-server"))
		line += " --disable-mcp-server=" + c.off[len(c.off)-1]
	}
	if r.IntN(12) == 0 {
		c.off, line = append(c.off, "github-mcp-server"), line+" --disable-builtin-mcps"
	}
	return importer.File{Name: "run.sh", Text: []byte("#!/bin/sh\n" + line + "\n")}
}

// copilotSplit are the rules of options, each of which may hold several.
func copilotSplit(values []string) (out []string) {
	for _, v := range values {
		out = append(out, strings.Split(v, ",")...)
	}
	return out
}

// settings is settings.json. In a repository it may only restrict.
func (c *copilotPolicy) settings(r *rand.Rand, own bool) importer.File {
	allowed, denied, off := copilotAddresses(r, 2), copilotAddresses(r, 2), some(r, 1, "jira", "my-db")
	c.denied, c.off = append(c.denied, denied...), append(c.off, off...)
	m := map[string]any{"allowedUrls": append([]string{}, allowed...), "deniedUrls": append([]string{}, denied...), "disabledMcpServers": append([]string{}, off...)}
	if own {
		c.allowed = append(c.allowed, allowed...)
		if r.IntN(3) == 0 {
			m["permissions"] = map[string]any{"disableBypassPermissionsMode": one(r, "disable", "allow-auto-only", "odd")}
			c.suppressed = true
		}
		if r.IntN(6) == 0 {
			m["askUser"], c.excluded = false, append(c.excluded, "ask_user")
		}
	}
	return importer.File{Name: "settings.json", Text: []byte(compact(m))}
}

// administered is a managed file.
func (c *copilotPolicy) administered(r *rand.Rand, name string) importer.File {
	pool := []string{"Shell(git push *)", "Shell(git *)", "Shell(git push)", "Bash(make)", "Shell(rm -rf *)", "Shell", "Shell(*)", "PowerShell(git *)", "Bash(npm run build:*)",
		"Shell(* --force)", "Read(**)", "Read(.env)", "Read(/src/**)", "Read(~/.ssh/**)", "Edit(/src/**)", "Edit(*.pem)", "Write(./docs/*)", "Write(secret.txt)", "Edit(//srv/**)",
		"Edit(**)", "Domain(a.example)", "Domain(*.b.example)", "Domain(*)", "Edit(/src/*.go)", "Odd(x)", "Read", "Edit", "Domain", "Bash(ls [ab])", "shell(git:*)"}
	var m copilotManaged
	all := map[string]any{}
	for _, l := range []struct {
		key  string
		list *[]string
	}{{"deny", &m.Deny}, {"ask", &m.Ask}, {"allow", &m.Allow}} {
		if r.IntN(3) > 0 {
			*l.list = append([]string{}, some(r, 3, pool...)...)
			all[l.key] = *l.list
		}
	}
	if r.IntN(4) == 0 {
		m.LimitTo = append([]string{}, some(r, 2, "a.example", "*.b.example", "localhost")...)
		if r.IntN(5) == 0 {
			m.LimitTo, m.bad = append(m.LimitTo, one(r, "https://x.example/y", "a b", "")), true
		}
		all["limitTo"] = m.LimitTo
	}
	if r.IntN(3) == 0 {
		all["disableBypassPermissionsMode"], c.suppressed = one(r, "disable", "odd"), true
	}
	file := map[string]any{"permissions": all}
	if r.IntN(5) == 0 {
		c.off = append(c.off, "jira")
		file["deniedMcpServers"] = []any{map[string]string{"serverName": "jira"}}
	} else if r.IntN(6) == 0 {
		c.off = append(c.off, "jira", "my-db")
		file["allowedMcpServers"] = []any{}
	}
	c.managed = append(c.managed, m)
	return importer.File{Name: name, Text: []byte(compact(file))}
}

// approved is permissions-config.json.
func (c *copilotPolicy) approved(r *rand.Rand) importer.File {
	entry := func(here bool) map[string]any {
		var all []any
		for range r.IntN(4) {
			kind := one(r, "commands", "read", "write", "mcp", "memory", "custom-tool", "mcp-sampling", "extension-management")
			a, tool := map[string]any{"kind": kind}, one(r, "search", "query", "*", "")
			switch kind {
			case "commands":
				ids := some(r, 3, "git status", "git:*", "gh pr:*", "git*", "make", "npm run build:*", "rm", "git push", "ls *", "curl:*")
				a["commandIdentifiers"] = append([]string{}, ids...)
				for _, id := range ids {
					if here {
						c.saved = append(c.saved, "commands("+id+")")
					}
				}
				all = append(all, a)
				continue
			case "mcp":
				a["serverName"], a["toolName"] = "jira", tool
				if kind += "(jira/" + tool + ")"; tool == "" {
					a["toolName"] = nil
				}
			case "custom-tool":
				a["toolName"], kind = "mine", "custom-tool(mine)"
			}
			if all = append(all, a); here {
				c.saved = append(c.saved, kind)
			}
		}
		return map[string]any{"tool_approvals": append([]any{}, all...), "allowed_directories": append([]string{}, some(r, 1, "/srv")...)}
	}
	at := entry(true)
	c.dirs = at["allowed_directories"].([]string)
	return importer.File{Name: "permissions-config.json", Text: []byte(compact(map[string]any{"locations": map[string]any{project: at, "/elsewhere": entry(false)}}))}
}

// hides reports whether the model is not shown the tool, or its server is not started. Of two names of one tool the older
// counts as the newer one.
func (c *copilotPolicy) hides(call copilotCall) bool {
	server, _, _ := strings.Cut(call.arg, "/")
	raw, names := call.tool, []string{call.tool}
	if call.kind == "mcp" {
		raw = strings.Replace(call.arg, "/", "-", 1)
		names[0] = raw
	}
	if names = append(names, map[string]string{"grep": "rg", "rg": "grep", "str_replace_editor": "edit"}[raw]); call.kind == "mcp" && slices.Contains(c.off, server) {
		return true
	}
	listed := func(list []string) bool {
		return slices.ContainsFunc(list, func(t string) bool { return slices.Contains(names, t) && t != "" })
	}
	return c.available != nil && !listed(c.available) || listed(c.excluded)
}

// answer is what Copilot answers a call.
func (c *copilotPolicy) answer(call copilotCall) hookio.Decision {
	if c.hides(call) {
		return hookio.Deny
	} else if call.kind == "none" {
		return hookio.Allow
	}
	worst, requests := hookio.Allow, []copilotCall{call}
	if call.kind == "shell" {
		requests = nil
		for _, p := range shellParts(call.arg) {
			requests = append(requests, copilotCall{"shell", call.tool, strings.Join(p.words, " ")})
			for _, w := range p.words {
				if strings.Contains(w, "://") {
					requests = append(requests, copilotCall{"url", call.tool, w})
				}
			}
			for _, f := range p.writes {
				requests = append(requests, copilotCall{"redirect", call.tool, f})
			}
			if p.words[0] == "cat" || p.words[0] == "sed" {
				kind := map[string]string{"cat": "operand", "sed": "redirect"}[p.words[0]]
				requests = append(requests, copilotCall{kind, call.tool, p.words[len(p.words)-1]})
			}
		}
	}
	for _, request := range requests {
		if d := c.request(request); strict(d) > strict(worst) {
			worst = d
		}
	}
	return worst
}

// request is the answer to one request for permission. A redirect and an operand are what rules about files bind in a
// shell text too; what covers the command covers them.
func (c *copilotPolicy) request(q copilotCall) hookio.Decision {
	all := (c.all || c.allTools) && !c.suppressed
	paths, urls := (c.all || c.allPaths) && !c.suppressed, (c.all || c.allURLs) && !c.suppressed
	file := q.kind == "read" || q.kind == "write" || q.kind == "redirect" || q.kind == "operand"
	asked, lists, admitted := false, false, true
	for _, m := range c.managed {
		if copilotBinds(m.Deny, q) || q.kind == "url" && m.LimitTo != nil && (m.bad || !copilotIn(m.LimitTo, q.arg)) {
			return hookio.Deny
		}
		asked, lists = asked || copilotBinds(m.Ask, q), lists || m.Deny != nil || m.Ask != nil || m.Allow != nil
		admitted = admitted && (m.Allow == nil || copilotAdmits(m.Allow, q))
		lists = lists || m.LimitTo != nil && q.kind == "url" // what it admits is asked about, but where a list allows it
	}
	named := slices.ContainsFunc(c.managed, func(m copilotManaged) bool { return m.Allow != nil })
	switch outside := !paths && file && c.outside(q.arg); {
	case slices.ContainsFunc(c.deny, func(rule string) bool { return copilotDenies(rule, q) }), q.kind == "url" && copilotListed(c.denied, q.arg, true):
		return hookio.Deny
	case asked, outside:
		return hookio.Ask
	case lists && (q.kind != "redirect" && q.kind != "operand"):
		if named && admitted {
			return hookio.Allow
		}
		return hookio.Ask
	case q.kind == "redirect", q.kind == "operand", q.kind == "read", q.kind != "url" && all, q.kind == "url" && urls:
		return hookio.Allow
	case slices.ContainsFunc(c.allow, func(rule string) bool { return copilotAllows(rule, q) }), q.kind == "url" && copilotListed(c.allowed, q.arg, false):
		return hookio.Allow
	case slices.ContainsFunc(c.saved, func(rule string) bool { return copilotSaved(rule, q) }):
		return hookio.Allow
	case q.kind == "shell" && copilotUnwrapped(q.arg, copilotReads):
		return hookio.Allow
	}
	return hookio.Ask
}

func (c *copilotPolicy) outside(at string) bool {
	for _, dir := range append([]string{project, map[bool]string{false: "/tmp", true: project}[c.noTemp]}, c.dirs...) {
		if p := copilotPath(at); p == dir || strings.HasPrefix(p, dir+"/") {
			return false
		}
	}
	return true
}

func copilotPath(at string) string {
	if rest, ok := strings.CutPrefix(at, "~/"); ok {
		at = home + "/" + rest
	}
	if !path.IsAbs(at) {
		at = project + "/" + at
	}
	return path.Clean(at)
}

// copilotReads excuses a plain GET of a loopback address, which decisions 5 counts among what only reads.
func copilotReads(text string) bool {
	return text == "git" || strings.HasPrefix(text, "curl http://localhost:") && !strings.Contains(text[len("curl "):], " ") || slices.ContainsFunc([]string{"ls", "cat", "echo", "git status", "git log", "gh pr view"}, func(reads string) bool {
		return strings.HasPrefix(text+" ", reads+" ")
	})
}

// copilotDenies is a rule of an option in its widest sense: stars are wildcards, and what is one word is a command's name.
func copilotDenies(rule string, q copilotCall) bool {
	kind, arg, has := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	switch {
	case kind == "shell" && q.kind == "shell":
		stem, open := strings.CutSuffix(arg, ":*")
		words := strings.Fields(stem)
		short := len(words) == 1 && stem != "git" && stem != "gh" || len(words) == 2 && words[0] == "git" || len(words) == 3 && words[0] == "gh"
		return !has || q.arg == stem || (open || short) && strings.HasPrefix(q.arg, stem+" ") || matches(stem, q.arg)
	case kind == "write" && (q.kind == "write" || q.kind == "redirect"), kind == "read" && (q.kind == "read" || q.kind == "operand"):
		return !has || copilotFile(arg, q.arg, true)
	case kind == "url" && q.kind == "url":
		return !has || copilotListed([]string{arg}, q.arg, true)
	case q.kind == "mcp":
		server, tool, _ := strings.Cut(q.arg, "/")
		return matches(kind, server) && (!has || matches(arg, tool))
	case q.kind == "custom":
		return !has && matches(kind, q.arg) || kind == "custom-tool" && arg == q.arg
	}
	return kind == "memory" && q.kind == "memory"
}

// copilotAllows is a rule of an option in its narrowest sense.
func copilotAllows(rule string, q copilotCall) bool {
	kind, arg, has := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	switch {
	case kind != "url" && strings.Contains(strings.TrimSuffix(arg, ":*"), "*") || strings.Contains(kind, "*"):
		return false
	case kind == "write" && q.kind == "write":
		return !has || copilotFile(arg, q.arg, false)
	case kind == "shell" && q.kind == "shell" && has:
		return copilotUnwrapped(q.arg, func(text string) bool { return copilotDenies(rule, copilotCall{q.kind, q.tool, text}) })
	case kind == "url" && q.kind == "url" && has:
		return copilotListed([]string{arg}, q.arg, false)
	case q.kind == "mcp" && !has:
		return strings.HasPrefix(q.arg, kind+"/")
	case q.kind == "custom" && !has:
		return false
	}
	return copilotDenies(rule, q)
}

// copilotUnwrapped excuses that permgate reads programs of system folders by their name (decisions 4), and takes off
// timeout, time, nice, nohup and stdbuf before any rule is compared.
func copilotUnwrapped(text string, covers func(text string) bool) bool {
	rest, _ := strings.CutPrefix(text, "/usr/bin/")
	return covers(text) || covers(rest) || covers(strings.TrimPrefix(rest, "timeout 5 "))
}

// copilotSaved is an approval: literal except for :* at the end of a command.
func copilotSaved(rule string, q copilotCall) bool {
	kind, arg, _ := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	switch kind {
	case "commands":
		return q.kind == "shell" && copilotUnwrapped(q.arg, func(text string) bool {
			stem, open := strings.CutSuffix(arg, ":*")
			return text == stem || open && strings.HasPrefix(text, stem+" ")
		})
	case "mcp":
		return q.kind == "mcp" && (arg == q.arg || arg == "jira/" && strings.HasPrefix(q.arg, arg))
	case "custom-tool":
		return q.kind == "custom" && q.arg == arg
	}
	return kind == q.kind && (kind == "write" || kind == "memory")
}

// copilotFile matches the end of a path. Its table has globs, and its text says that it does not know them.
func copilotFile(pattern, at string, globs bool) bool {
	p, tail := copilotPath(at), strings.TrimPrefix(pattern, "/")
	if path.IsAbs(pattern) || strings.HasPrefix(pattern, "~/") {
		return p == copilotPath(pattern) || globs && matches(copilotPath(pattern), p)
	}
	return strings.HasSuffix(p, "/"+tail) || globs && matches("*/"+tail, p)
}

// matches is a glob whose star goes on past slashes.
func matches(pattern, text string) bool {
	re := strings.NewReplacer(`\*\*/`, `(.*/)?`, `\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("(?s)^" + re + "$").MatchString(text)
}

// copilotBinds reports whether a managed list restricts a request.
func copilotBinds(list []string, q copilotCall) bool {
	return slices.ContainsFunc(list, func(rule string) bool {
		kind, arg, has := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
		switch {
		case slices.Contains([]string{"Shell", "Bash", "PowerShell"}, kind) && q.kind == "shell":
			if kind == "PowerShell" && q.tool == "bash" {
				return false
			}
			stem, open := strings.CutSuffix(arg, " *")
			return !has || arg == "*" || q.arg == arg || open && (q.arg == stem || strings.HasPrefix(q.arg, stem+" "))
		case kind == "Read" && (q.kind == "read" || q.kind == "operand"), (kind == "Edit" || kind == "Write") && (q.kind == "write" || q.kind == "redirect"):
			return !has || copilotGlob(arg, q.arg, true)
		case kind == "Domain" && q.kind == "url":
			return !has || arg == "*" || copilotIn([]string{arg}, q.arg)
		}
		return kind == "Odd" // a kind that is not known may bind anything
	})
}

// copilotAdmits reports whether a managed list allows a request.
func copilotAdmits(list []string, q copilotCall) bool {
	return slices.ContainsFunc(list, func(rule string) bool {
		kind, arg, has := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
		switch {
		case q.kind == "shell":
			of := map[string]bool{"bash": kind == "Shell" || kind == "Bash", "powershell": kind == "PowerShell"}[q.tool]
			return of && copilotUnwrapped(q.arg, func(text string) bool {
				stem, open := strings.CutSuffix(arg, " *")
				return !has || arg == "*" || text == arg || open && strings.HasPrefix(text, stem+" ")
			})
		case kind == "Read" && q.kind == "read", (kind == "Edit" || kind == "Write") && q.kind == "write":
			return !has || copilotGlob(arg, q.arg, false)
		case kind == "Domain" && q.kind == "url":
			return !has || arg == "*" || strings.HasPrefix(q.arg, "https://") && copilotIn([]string{arg}, q.arg)
		}
		return false
	})
}

// copilotGlob is a managed path: / is the project. Where a restriction has no anchor it may be meant at any depth.
func copilotGlob(pattern, at string, wide bool) bool {
	p, full := copilotPath(at), project+"/"+strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	switch {
	case strings.Trim(pattern, "*") == "":
		return true
	case strings.HasPrefix(pattern, "//"):
		full = pattern[1:]
	case strings.HasPrefix(pattern, "~/"):
		full = copilotPath(pattern)
	case wide && !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "./"):
		return matches("*/"+pattern, p)
	}
	if wide {
		return matches(full, p)
	}
	re := strings.NewReplacer(`/\*\*`, `/.*`, `\*\*/`, `(.*/)?`, `\*`, `[^/]*`).Replace(regexp.QuoteMeta(full))
	return regexp.MustCompile("^" + re + "$").MatchString(p)
}

// copilotIn reports whether the host of an address is one of these.
func copilotIn(hosts []string, address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	return slices.ContainsFunc(hosts, func(h string) bool {
		apex, below := strings.CutPrefix(strings.ToLower(h), "*.")
		return host == apex || below && strings.HasSuffix(host, "."+apex)
	})
}

// copilotListed reports whether an address is in a list. An entry without a protocol is read as one for https, where it
// restricts as one for any.
func copilotListed(list []string, address string, wide bool) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		scheme, rest, has := strings.Cut(entry, "://")
		if !has {
			scheme, rest = "https", entry
		}
		host, at, _ := strings.Cut(rest, "/")
		of, where, _ := strings.Cut(address, "://")
		name, place, _ := strings.Cut(where, "/")
		place, _, _ = strings.Cut(place, "?")
		prefix, open := strings.CutSuffix(at, "*")
		port := strings.Contains(host, ":") || strings.Contains(name, ":")
		switch {
		case host == "*":
			return wide && (!has || of == scheme)
		case of != scheme && !(wide && !has), port && !strings.EqualFold(host, name), !copilotIn([]string{strings.Split(host, ":")[0]}, address):
			return false
		}
		return at == "" || at == place || open && strings.HasPrefix(place, prefix)
	})
}

// copilotDraw draws a call.
func copilotDraw(r *rand.Rand) copilotCall {
	file := one(r, "a.go", "src/a.go", "src/b/c.go", "secret.txt", "docs/a.md", "docs/b/a.md", "x/docs/a.md", "key.pem", "/srv/x", "/srv/y.pem", "/tmp/x", ".env", "~/notes", "src/../secret.txt", project+"/src/a.go")
	address := one(r, "https://", "http://") + one(r, "a.example", "b.a.example", "A.example", "b.example", "x.b.example", "b.example:8443", "localhost:3000", "evil.example") +
		one(r, "", "/", "/x", "/docs/a", "/x?y=1")
	switch r.IntN(10) {
	case 0:
		return copilotCall{"read", one(r, "view", "grep", "glob"), file}
	case 1, 2:
		return copilotCall{"write", one(r, "edit", "create", "apply_patch", "str_replace_editor"), file}
	case 3:
		return copilotCall{"url", "web_fetch", address}
	case 4:
		return copilotCall{"mcp", "", one(r, "jira/search", "jira/delete-issue", "my-db/query", "github-mcp-server/get_me")}
	case 5:
		if r.IntN(2) == 0 {
			return copilotCall{"memory", one(r, "store_memory", "vote_memory"), ""}
		}
		return copilotCall{"custom", "mine", "mine"}
	case 6:
		return copilotCall{"none", one(r, "task", "skill", "ask_user", "report_intent", "update_todo"), ""}
	}
	command := func() string {
		text := one(r, "git status", "git", "gitea x", "git push", "git push origin main", "git 'push' -f", "git log -p x", "make", "make all", "npm run build", "npm run build:all",
			"npm run lint:fix", "npm ci", "gh pr view 1", "gh pr create", "ls a", "ls '[ab]'", "ls a b", "docker x", "go test ./...", "go test ./x", "rm x", "rm -rf build", "cat "+file,
			"curl "+address, "git clone "+address, "sed -i s/a/b/ "+file, "echo x")
		if r.IntN(8) == 0 {
			text = one(r, "timeout 5 ", "/usr/bin/", "A=1 ", "sudo ") + text
		}
		if r.IntN(8) == 0 {
			text += one(r, " > out.txt", " 2>&1", " > "+file, " >> docs/a.md", " # git push")
		}
		return text
	}
	text := command()
	if r.IntN(4) == 0 {
		text += one(r, " && ", "; ", " | ", " || ", "\n") + command()
	}
	if strings.Contains(text, "A=1") { // it is a program in PowerShell
		return copilotCall{"shell", "bash", text}
	}
	return copilotCall{"shell", one(r, "bash", "bash", "bash", "powershell"), text}
}

// copilotPayload is what a hook is sent: in Copilot's spelling, in Claude Code's, or where Copilot is about to ask.
func copilotPayload(r *rand.Rand, call copilotCall, hidden bool) string {
	name, input := call.tool, map[string]any{}
	full := copilotPath(call.arg)
	switch call.kind {
	case "shell":
		input["command"], input["description"] = call.arg, "a step"
	case "url":
		input["url"] = call.arg
	case "mcp":
		name = strings.Replace(call.arg, "/", "-", 1)
	case "memory":
		input["subject"], input["fact"] = "x", "y"
	}
	switch name {
	case "view":
		input["path"] = full
	case "grep", "glob":
		input["path"], input["pattern"] = full, "x"
	case "create":
		input["path"], input["file_text"] = full, "x"
	case "edit", "str_replace_editor":
		input["path"], input["old_str"], input["new_str"] = full, "a", "b"
	case "apply_patch":
		input["input"] = "*** Begin Patch\n*** Update File: " + full + "\n@@\n-a\n+b\n*** End Patch\n"
	case "task":
		input["agent_type"], input["prompt"] = "explore", "look"
	case "ask_user":
		input["question"] = "which?"
	case "skill":
		input["skill"] = "pdf"
	}
	claude := map[string]string{"bash": "Bash", "view": "Read", "web_fetch": "WebFetch", "grep": "Grep", "glob": "Glob"}[name]
	kinds := call.kind == "shell" || call.kind == "url" || call.kind == "mcp" || call.kind == "memory" || call.kind == "custom" || name == "edit"
	switch n := r.IntN(4); {
	case n == 0 && claude != "":
		return compact(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-09-05T10:00:00.000Z", "cwd": project, "tool_name": claude, "tool_input": input})
	case n == 1 && kinds && !hidden:
		if call.kind == "mcp" {
			name = call.arg
		}
		return compact(map[string]any{"hookName": "permissionRequest", "sessionId": "s", "timestamp": 1788000000000, "cwd": project, "toolName": name, "toolInput": input})
	case n == 2:
		return compact(map[string]any{"sessionId": "s", "timestamp": 1788000000000, "cwd": project, "toolName": name, "toolArgs": compact(input)})
	}
	return compact(map[string]any{"sessionId": "s", "timestamp": 1788000000000, "cwd": project, "toolName": name, "toolArgs": input})
}
