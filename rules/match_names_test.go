package rules

import (
	"testing"
)

// TestMatchNames matches rules with tools whose name can be read in several ways.
func TestMatchNames(t *testing.T) {
	one := Subject{Tool: "mcp__a__b_c", Also: []string{"mcp__a_b__c"}}
	raw := Subject{Tool: "mcp__a__b", Also: []string{"a-b"}}
	for _, tt := range []struct {
		list List
		rule string
		s    Subject
		want bool
	}{
		{Deny, "mcp__a", one, true},
		{Deny, "mcp__a_b", one, true},
		{Deny, "mcp__a_b__*", one, true},
		{Deny, "mcp__a_b__c", one, true},
		{Deny, "mcp__c", one, false},
		{Ask, "mcp__a_b", one, true},
		{Ask, "mcp__*", one, true},
		{Allow, "mcp__a", one, false},
		{Allow, "mcp__a__*", one, false},
		{Allow, "mcp__a_b", one, false},
		{Allow, "mcp__a_b__*", one, false},
		{Allow, "mcp__a__b_c", one, true},
		{Allow, "mcp__a_b__c", one, true},
		{Allow, "MCP(mcp__a_b__c)", one, true},
		{Allow, "MCP(mcp__a*)", one, true}, // both readings
		{Allow, "MCP(mcp__a_b*)", one, false},
		{Allow, "MCP", one, true},
		{Deny, "a-b", raw, true},
		{Deny, "mcp__a", raw, true},
		{Allow, "a-b", raw, true},
		{Allow, "mcp__a", raw, true}, // the raw name is no other reading of server and tool
		{Allow, "mcp__a__*", raw, true},
		{Allow, "mcp__b", raw, false},
	} {
		r, err := ParseRule(tt.rule, tt.list, User, Pos{}, false)
		if err != nil {
			t.Errorf("%s: %v", tt.rule, err)
			continue
		}
		for _, s := range []Subject{tt.s, {Tool: tt.s.Also[0], Also: []string{tt.s.Tool}}} {
			if s.Tool == "a-b" {
				continue
			}
			if got := len((&Policy{}).Match([]Rule{r}, &s)) > 0; got != tt.want {
				t.Errorf("%s %s: %s or %s: matches %v", tt.list, tt.rule, s.Tool, s.Also, got)
			}
		}
	}
}

// TestMatchDots compares a rule with a pattern that also takes names with a dot
// at the start, as a tool that reads many files does, and as a shell does not.
func TestMatchDots(t *testing.T) {
	p := &Policy{Cwd: Path{Given: "/w", Real: "/w"}, Project: Path{Given: "/w", Real: "/w"}}
	r, err := ParseRule("Read(//w/x/.env)", Deny, User, Pos{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		glob string
		dots bool
		want bool
	}{
		{"/w/x/*", false, false}, {"/w/x/*", true, true}, {"/w/**", true, true}, {"/w/x/*.go", true, false}, {"/w/x/?env", true, true}, {"/w/y/*", true, false},
	} {
		s := Subject{Tool: "Read", Path: &Path{Given: tt.glob, Real: tt.glob}, Glob: tt.glob, Dots: tt.dots}
		if got := len(p.Match([]Rule{r}, &s)) > 0; got != tt.want {
			t.Errorf("%s, dots %v: %v", tt.glob, tt.dots, got)
		}
	}
}
