package prove

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// toolsOf are lists of tools, separated by |, "-" for none.
func toolsOf(t *testing.T, text string) (out []rules.ToolList) {
	t.Helper()
	if text == "-" {
		return nil
	}
	for list := range strings.SplitSeq(text, "|") {
		l := rules.ToolList{Scope: rules.User, Pos: rules.Pos{File: "permgate.json", Line: 1, Col: 1}}
		for name := range strings.FieldsSeq(list) {
			r, err := rules.ParseRule(name, rules.Whitelist, rules.User, l.Pos, false)
			if err != nil {
				t.Fatal(err)
			}
			l.Rules = append(l.Rules, r)
		}
		out = append(out, l)
	}
	return out
}

// TestTools compares policies that differ in their lists of tools only.
func TestTools(t *testing.T) {
	for _, c := range []struct {
		now, was string
		holds    bool
	}{
		{"Bash Read", "Bash Read", true},
		{"Read", "-", true},
		{"-", "Read", false},
		{"Read", "Read Bash", true},
		{"Read Bash", "Read", false},
		{"Bash(git:*)", "Bash", true},
		{"Bash", "Bash(git:*)", false},
		{"Bash(git:*)", "Bash(git:*)|Bash", true},
		{"Bash|Bash(git:*)", "Bash(git:*)|Bash", true},
		{"Bash", "Bash(git:*)|Bash", false},
		{"Bash(git:*)|Bash(ls)", "Bash(ls)", true},
		{"Bash(git:*) Bash(ls)", "Bash(git:*)|Bash(ls)", false},
		{"Read Grep", "Read", false},
		{"Read", "Read Grep", true},
		{"", "Read", true},
		{"Read", "", false},
		{"mcp__a__x", "mcp__a__*", true},
		{"mcp__a__*", "mcp__a__x", false},
		{"mcp__*", "*", true},
		{"*", "mcp__*", false},
		{"*", "-", true},
	} {
		w := &world{scripts: map[string]*bashsafety.Analysis{}}
		const all = "allow Bash; allow Read; allow Edit; allow mcp__a"
		now, was := policyWith(t, all, "default"), policyWith(t, all, "default")
		now.Tools, was.Tools = toolsOf(t, c.now), toolsOf(t, c.was)
		r, err := (&Job{Flags: &gate.Flags{}}).compare(w.side(now), w.side(was))
		if err != nil || (r.Verdict == Holds) != c.holds || !c.holds && len(r.Findings) == 0 {
			t.Errorf("%q against %q: %v, verdict %v, %d findings, open %+v", c.now, c.was, err, r.Verdict, len(r.Findings), r.Open)
		}
	}
	many := policyWith(t, "allow Bash", "default")
	many.Tools = toolsOf(t, strings.Repeat("Bash|", mostTools)+"Bash")
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	if _, err := (&Job{Flags: &gate.Flags{}}).compare(w.side(many), w.side(many)); err == nil {
		t.Error("more lists than are compared, and no error")
	}
}
