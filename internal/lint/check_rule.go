package lint

import "permgate/rules"

var malformedRule = Check{
	ID: "malformed-rule", Severity: Error,
	Title: "a rule that cannot be read",
	Why: "A rule is Tool or Tool(pattern). In allow what cannot be read is left out, so that the call is asked about; in deny and ask it is read " +
		"in its widest sense, so that more is refused than was meant.",
	Fix: "write Tool or Tool(pattern), nothing before the name and nothing behind the )",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(npm test", "Bash(npm run lint)"]}}`, At: `"Bash(npm test"`},
		{Text: `{"permissions": {"deny": ["Read(./.env"]}}`, At: `"Read(./.env"`},
		{Text: `{"permissions": {"allow": ["Bash()"]}}`, At: `"Bash()"`},
		{Text: `{"permissions": {"allow": ["Bash(ls) # list"]}}`, At: `"Bash(ls) # list"`},
		{Text: `{"permissions": {"allow": ["mcp__*"]}}`, At: `"mcp__*"`},
		{Text: `{"permissions": {"ask": ["Bash:git push"]}}`, At: `"Bash:git push"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(npm test)"], "deny": ["mcp__*", "Read(./a (1)/**)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if r.Err == nil {
				continue
			}
			text := r.Err.Error()
			switch {
			case r.List == rules.Allow:
				text += "; the rule is left out"
			case r.Note != "":
				text += "; " + r.Note
			}
			report(Finding{Pos: r.Pos, End: r.End, Text: text})
		}
	},
}
