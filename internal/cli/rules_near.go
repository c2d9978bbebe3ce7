package cli

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// wrongRule says what is wrong with a rule that somebody wants to write down,
// "" when it is well-formed, and the nearest form that is right, "" when that
// is not clear. A tool that differs from a known one in case alone is wrong as
// well: no call is ever named so.
func wrongRule(text string, list rules.List) (why, near string) {
	r, err := rules.ParseRule(text, list, rules.Local, rules.Pos{}, false)
	name, rest := text, ""
	if i := strings.IndexByte(text, '('); i >= 0 {
		name, rest = text[:i], text[i:]
	}
	switch meant := gate.MeantTool(name); {
	case err == nil && meant != "":
		return "tool names are exact, and no call is named " + name, meant + rest
	case hookio.Escape(text) != text:
		return "the rule contains an invisible character", ""
	case err == nil && r.Tool != "":
		if one, more, found := strings.Cut(text, "),"); found {
			next, err := rules.ParseRule(strings.TrimSpace(more), list, rules.Local, rules.Pos{}, false)
			if err == nil && rules.KnownTool(next.Tool) {
				return "this is several rules in one string, which matches nothing; add them one by one", one + ")"
			}
		}
		return "", ""
	}
	for _, try := range nearForms(text, name) {
		if _, err := rules.ParseRule(try, list, rules.Local, rules.Pos{}, false); err == nil && try != text {
			near = try
			break
		}
	}
	return err.Error(), near
}

// nearForms are what a malformed rule may have been meant as, the likeliest first.
func nearForms(text, name string) []string {
	var out []string
	open, last := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	known := func(tool string) string {
		if meant := gate.MeantTool(tool); meant != "" {
			return meant
		}
		if rules.KnownTool(tool) && !strings.ContainsAny(tool, "*?") {
			return tool
		}
		return ""
	}
	switch {
	case open > 0 && last < open:
		out = append(out, text+")")
	case open > 0 && last < len(text)-1:
		out = append(out, text[:last+1])
	case open > 0 && known(name) != "":
		out = append(out, known(name)) // nothing in the parentheses that would narrow it
	}
	if i := strings.IndexAny(text, " \t:"); i > 0 && open < 0 {
		if tool := known(text[:i]); tool != "" {
			out = append(out, tool+"("+strings.TrimSpace(text[i+1:])+")")
		} else if text[i] != ':' {
			out = append(out, "Bash("+text+")") // a command without its tool
		}
	}
	return out
}
