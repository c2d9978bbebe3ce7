package native

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

var codex = Host{
	Name: "codex",
	Source: "developers.openai.com/codex/rules, 2026-10: prefix_rule in ~/.codex/rules/*.rules; the strictest rule that matches " +
		"decides, plain commands joined by && || ; | are matched one by one",
	Same:    []string{"{}", "{} && {}", "{} || {}", "{}; {}", "{} | {}"},
	AllSame: "{} && {} || {} | {}; {}",
	Suffix:  true,
	Escape:  `"sandbox_permissions":"require_escalated"`,
	Ignored: func(*rules.Rule) string { return "" },
	Say: func(r *rules.Rule, project string) (text, why string) {
		if project != "" {
			return "", "codex has no rules file of yours for one project: .codex/rules comes with the repository"
		}
		if r.Tool != "Bash" {
			return "", "codex has rules on commands alone"
		}
		stem, more, why := command(r)
		if why == "" && !more {
			why = "codex has no rule on an exact command: its rules cover every further word"
		}
		return stem, why
	},
}

// codexMark begins a file of rules that is permgate's; the sum of what follows it comes after it.
const codexMark = "# written by permgate export, which replaces this file: keep your own rules in another one; sum "

// CodexText is the rules file.
func CodexText(list []Rule) string {
	var b strings.Builder
	for _, r := range list {
		words := strings.Fields(r.Text) // plain ones, which need no escape
		decision := [...]string{rules.Allow: "allow", rules.Ask: "prompt", rules.Deny: "forbidden"}[r.List]
		quoted := func(words []string) string { return `["` + strings.Join(words, `", "`) + `"]` }
		fmt.Fprintf(&b, "prefix_rule(\n    pattern = %s,\n    decision = %q,\n    match = [%[1]s],\n", quoted(words), decision)
		if len(words) > 1 {
			fmt.Fprintf(&b, "    not_match = [%s],\n", quoted(words[:len(words)-1]))
		}
		fmt.Fprintf(&b, "    justification = \"permgate: %s Bash(%s:*)\",\n)\n", r.From.List, r.Text)
	}
	return codexMark + sum(b.String()) + "\n" + b.String()
}
