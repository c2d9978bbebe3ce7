package lint

import (
	"net/url"
	"strings"

	"permgate/rules"
)

var domainForm = Check{
	ID: "domain-form", Severity: Error,
	Title: "a WebFetch pattern that is not domain:host",
	Why: "domain: is followed by a host and nothing else. With a scheme, a port or a path an allow matches nothing; a deny or ask is read as its host here, and not at all by other programs " +
		"that read the file. Without domain: the pattern is compared with the whole URL, which a bare host never is.",
	Fix: "write WebFetch(domain:host); *.host is every host below it",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["WebFetch(domain:https://go.dev)"]}}`, At: `"WebFetch(domain:https://go.dev)"`},
		{Text: `{"permissions": {"deny": ["WebFetch(domain:https://evil.example/x)"]}}`, At: `"WebFetch(domain:https://evil.example/x)"`, Fixed: `{"permissions": {"deny": ["WebFetch(domain:evil.example)"]}}`},
		{Text: `{"permissions": {"allow": ["WebFetch(domain:localhost:3000)"]}}`, At: `"WebFetch(domain:localhost:3000)"`},
		{Text: `{"permissions": {"deny": ["WebFetch(evil.example)"]}}`, At: `"WebFetch(evil.example)"`, Fixed: `{"permissions": {"deny": ["WebFetch(domain:evil.example)"]}}`},
		{Text: `{"permissions": {"allow": ["WebFetch(https://go.dev/*)"]}}`, At: `"WebFetch(https://go.dev/*)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["WebFetch(domain:go.dev)", "WebFetch(domain:*.go.dev)", "WebFetch(domain:127.0.0.1)"], "deny": ["WebFetch(domain:evil.example)"]}}`},
		{Text: `{"permissions": {"allow": ["WebFetch(https://go.dev/*)"]}}`, File: ".gen/settings.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if r.Err != nil || r.Bare || r.Tool != "WebFetch" {
				continue
			}
			p := strings.TrimSpace(r.Pattern)
			host, domain := strings.CutPrefix(p, "domain:")
			clean := hostOf(host)
			if clean == "" || domain && clean == strings.TrimSpace(host) || !domain && strings.Contains(p, "://") && !r.Claude {
				continue
			}
			var text string
			switch {
			case domain && r.strict():
				text = "domain: is followed by a host alone; this is read as " + clean + " here, and as nothing by others"
			case domain:
				text = "domain: is followed by a host alone, so this rule allows nothing"
			case strings.Contains(p, "://"):
				text = "Claude Code knows domain: alone, so this rule counts for less than it says"
			default:
				text = "no URL is " + p + " from end to end, so this rule " + r.void()
			}
			now := r.with("domain:" + clean)
			report(r.finding(text, now, r.edit(now, strings.Contains(p, "://") && !domain)))
		}
	},
}

// hostOf is the host of what people write for one, "" when none is to be seen.
func hostOf(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") || strings.Count(text, ":") > 1 && !strings.Contains(text, "://") {
		return "" // IPv6
	}
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	text, _, _ = strings.Cut(text, "/")
	text, _, _ = strings.Cut(text, "?")
	host, port, ok := strings.Cut(text, ":")
	if ok && strings.Trim(port, "0123456789*") != "" {
		return ""
	}
	if _, err := url.Parse("http://" + strings.ReplaceAll(host, "*", "x") + "/"); err != nil || host == "" || strings.ContainsAny(host, " {}()") {
		return ""
	}
	return host
}

var parameterRule = Check{
	ID: "parameter-rule", Severity: Error,
	Title: "a Tool(parameter:value) rule that can match nothing",
	Why: "A field of the input can be named in deny and ask only, and never the one the rule is about anyway: the command of Bash, the path of Read. " +
		"In allow, and for that field, the text is taken for a command, a path or a name.",
	Fix: "write the value alone for the main field; no allow can look at another one",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(run_in_background:true)"]}}`, At: `"Bash(run_in_background:true)"`},
		{Text: `{"permissions": {"deny": ["Bash(command:rm *)"]}}`, At: `"Bash(command:rm *)"`},
		{Text: `{"permissions": {"deny": ["Read(file_path:./.env)"]}}`, At: `"Read(file_path:./.env)"`},
		{Text: `{"permissions": {"allow": ["Agent(model:opus)"]}}`, At: `"Agent(model:opus)"`},
		{Text: `{"permissions": {"deny": ["Agent(subagent_type:Explore)"]}}`, At: `"Agent(subagent_type:Explore)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"deny": ["Bash(run_in_background:true)", "Agent(model:opus)"], "allow": ["Bash(make:*)", "Skill(git:*)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			name, value, ok := strings.Cut(r.Pattern, ":")
			if r.Err != nil || r.Bare || !ok || value == "" || value == "*" && r.shell() {
				continue
			}
			switch {
			case mainField(r.Tool, name):
				report(r.finding(name+" is what a "+r.Tool+" rule is about anyway, so this rule "+r.void(), r.with(strings.TrimSpace(value)), nil))
			case r.List == rules.Allow && otherField(r.Tool, name):
				report(r.finding("an allow cannot look at "+name+", so this rule allows nothing", "", nil))
			}
		}
	},
}

func mainField(tool, name string) bool {
	switch tool {
	case "Bash", "PowerShell":
		return name == "command"
	case "Read", "Edit", "Write":
		return name == "file_path" || name == "path"
	case "Agent":
		return name == "subagent_type"
	case "Glob", "Grep":
		return name == "path"
	case "WebFetch":
		return name == "url"
	}
	return false
}

func otherField(tool, name string) bool {
	switch tool {
	case "Bash":
		return name == "run_in_background" || name == "dangerouslyDisableSandbox" || name == "timeout" || name == "description"
	case "Agent":
		return name == "model" || name == "isolation" || name == "run_in_background"
	}
	return false
}
