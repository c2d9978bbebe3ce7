package conformance

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// plausible are policies that people have around the rules of a row.
var plausible = [...]struct{ name, mode, gate string }{
	{"the rules alone", "default", `{}`},
	{"what only reads is allowed", "acceptEdits", `{"readOnlyCommands": "allow", "destructive": "practical", "catastrophic": "deny"}`},
	{"mode auto", "auto", `{"autoProjectCode": true, "destructive": "practical", "secrets": "ask"}`},
}

// TestAttacksUnderPolicies: what hides in data, in words the shell splits and behind another name for a tool is
// allowed under none of the plausible policies. Rows of other families are about one rule of their own.
func TestAttacksUnderPolicies(t *testing.T) {
	tried := 0
	for _, r := range ownCorpus(t, "attacks.tsv") {
		family, _, _ := strings.Cut(strings.TrimPrefix(r.id, "A-"), "-")
		if !slices.Contains([]string{"arithmetic", "splitting_hole", "other_name", "agent_unchecked", "option_name", "fetch", "any_tool", "credential", "denied_word"}, family) {
			continue
		}
		for _, p := range plausible {
			tried++
			_, v, err := Call(Setup{Tool: r.tool, Input: json.RawMessage(r.input), Mode: p.mode, Settings: map[string]string{
				"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`, "/home/dev/.gen/permgate.json": p.gate,
			}})
			if err == nil && v.Decision.String() == "allow" {
				t.Errorf("%s under %s: %s %.200s: %s", r.id, p.name, r.tool, r.input, v.Reason)
			}
		}
	}
	if tried < 3*8*3 {
		t.Errorf("only %d calls", tried)
	}
}
