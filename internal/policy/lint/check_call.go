package lint

import (
	"net/url"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

var domainForm = Check{
	ID: "domain-form", Severity: Error,
	Title: "a WebFetch pattern that is not domain:host",
	Why: "domain: takes a host and nothing else. With a scheme, a port or a path an allow matches nothing; a deny or ask is read as its host here, but ignored by other programs " +
		"that read the file. Without domain: the pattern is compared with the whole URL, which a bare host never matches.",
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
			p := strings.TrimSpace(r.Pattern)
			urlField := r.strict() && strings.HasPrefix(p, "url:")
			domains := r.Tool == "WebFetch" && !r.Bare && r.URL == nil
			if r.Err != nil || !domains || urlField {
				continue
			}
			host, domain := strings.CutPrefix(p, "domain:")
			clean := hostOf(host)
			isHost := domain && clean == strings.TrimSpace(host)
			isURL := !domain && strings.Contains(p, "://") && !r.Claude
			if clean == "" || isHost || isURL {
				continue
			}
			var text string
			switch {
			case domain && r.strict():
				text = "domain: takes a host only; this is read as " + clean + " here, and ignored by other programs"
			case domain:
				text = "domain: takes a host only, so this rule allows nothing"
			case strings.Contains(p, "://"):
				text = "Claude Code supports only domain:, so this rule does less than it says"
			default:
				text = "no URL equals " + p + " as a whole, so this rule " + r.void()
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
	if host == "" || strings.ContainsAny(host, " {}()") {
		return ""
	}
	if _, err := url.Parse("http://" + strings.ReplaceAll(host, "*", "x") + "/"); err != nil {
		return ""
	}
	return host
}

var parameterRule = Check{
	ID: "parameter-rule", Severity: Error,
	Title: "a Tool(parameter:value) rule that matches nothing",
	Why:   "Only deny and ask rules can name an input field. In allow the text is read as a command, a path or a name.",
	Fix:   "write only the value for the main field; an allow rule cannot check any other",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(run_in_background:true)"]}}`, At: `"Bash(run_in_background:true)"`},
		{Text: `{"permissions": {"allow": ["Bash(command:rm *)"]}}`, At: `"Bash(command:rm *)"`},
		{Text: `{"permissions": {"allow": ["Read(file_path:./src/**)"]}}`, At: `"Read(file_path:./src/**)"`},
		{Text: `{"permissions": {"allow": ["Agent(model:opus)"]}}`, At: `"Agent(model:opus)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"deny": ["Bash(run_in_background:true)", "Agent(model:opus)"], "allow": ["Bash(make:*)", "Skill(git:*)"]}}`},
		{Text: `{"permissions": {"deny": ["Bash(command:rm *)", "Read(file_path:*.env)"], "ask": ["WebFetch(url:*/upload*)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			name, value, _ := strings.Cut(r.Pattern, ":")
			prefix := value == "*" && r.shell()
			if r.List != rules.Allow || r.Err != nil || value == "" || prefix {
				continue
			}
			switch {
			case mainField(r.Tool, name):
				text := name + " is what a " + r.Tool + " rule matches anyway, so this rule " + r.void()
				report(r.finding(text, r.with(strings.TrimSpace(value)), nil))
			case otherField(r.Tool, name):
				report(r.finding("an allow rule cannot check "+name+", so this rule allows nothing", "", nil))
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
		return slices.Contains([]string{"run_in_background", "dangerouslyDisableSandbox", "timeout", "description"}, name)
	case "Agent":
		return slices.Contains([]string{"model", "isolation", "run_in_background"}, name)
	}
	return false
}
