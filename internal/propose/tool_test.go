package propose_test

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/test/conformance"
	"github.com/permgate--owner/permgate/rules"
)

// A tool's name is the call's word for it: one that a rule would take for a pattern,
// or for a whole server, is not proposed.
func TestTools(t *testing.T) {
	for name, want := range map[string]string{
		"mcp__a__b": "mcp__a__b", "mcp__a__*": "", "mcp__*": "", "mcp__a": "", "*": "", "Bash(x:*)": "", "Other": "Other",
	} {
		c, v, err := conformance.Call(conformance.Setup{Tool: name, Input: []byte(`{"q":"1"}`)})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places(rules.Allow) {
			got, refusal := propose.For(c, v, p.into)
			rule := ""
			if len(got) > 0 {
				rule = got[0].Rule
			}
			if rule != want || (refusal == nil) != (want != "") {
				t.Errorf("%s in %s: %q %v, want %q", name, p.file, rule, refusal, want)
			}
		}
	}
}
