package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A parseRow is a rule text and how it is read in allow and in deny.
type parseRow struct {
	text string
	// allow is "TOOL", "TOOL|pattern" or "" when the rule is skipped
	allow string
	// deny is the same; bad says that it is malformed and read in its widest sense
	deny string
	bad  bool
}

var parseRows = []parseRow{
	{text: "Bash", allow: "Bash", deny: "Bash"},
	{text: "Bash(*)", allow: "Bash", deny: "Bash"},
	{text: "Bash(**)", allow: "Bash", deny: "Bash"},
	{text: "  Bash( * ) ", allow: "Bash", deny: "Bash"},
	{text: "Bash(git *)", allow: "Bash|git *", deny: "Bash|git *"},
	{text: "Edit(./Finance (2024)/**)", allow: "Edit|./Finance (2024)/**", deny: "Edit|./Finance (2024)/**"},
	{text: "Bash(echo (a)", allow: "Bash|echo (a", deny: "Bash|echo (a"},
	{text: "Task(Explore)", allow: "Agent|Explore", deny: "Agent|Explore"},
	{text: "MultiEdit(src/**)", allow: "Edit|src/**", deny: "Edit|src/**"},
	{text: "apply_patch", allow: "Edit", deny: "Edit"},
	{text: "bash(ls)", allow: "bash|ls", deny: "bash|ls"},
	{text: "mcp__github", allow: "mcp__github", deny: "mcp__github"},
	{text: "mcp__github__*", allow: "mcp__github__*", deny: "mcp__github__*"},
	{text: "mcp__github__get_*", allow: "mcp__github__get_*", deny: "mcp__github__get_*"},
	{text: "mcp__*", deny: "mcp__*"},
	{text: "mcp__git*__get", deny: "mcp__git*__get"},
	{text: "*", deny: "*"},
	{text: "B*", deny: "B*"},
	{text: "MCP(mcp__github__*)", allow: "MCP|mcp__github__*", deny: "MCP|mcp__github__*"},
	{text: "WebFetch(domain:*.example.com)", allow: "WebFetch|domain:*.example.com", deny: "WebFetch|domain:*.example.com"},

	{text: "", bad: true},
	{text: "   ", bad: true},
	{text: "(rm *)", bad: true},
	{text: "()", bad: true},
	{text: "Bash()", deny: "Bash", bad: true},
	{text: "Bash( )", deny: "Bash", bad: true},
	{text: "Bash(:*)", deny: "Bash", bad: true},
	{text: "Bash(rm *", deny: "Bash|rm *", bad: true},
	{text: "Bash(", deny: "Bash", bad: true},
	{text: "Bash(*", deny: "Bash", bad: true},
	{text: "Bash(rm *) # no", deny: "Bash", bad: true},
	{text: "Bash (rm *)", deny: "Bash", bad: true},
	{text: "Bash rm", deny: "Bash", bad: true},
	{text: "Bash:rm *", deny: "Bash", bad: true},
	{text: "Bash)", deny: "Bash", bad: true},
	{text: "Bash\u200b(rm *)", deny: "Bash", bad: true},
	{text: "Bash(a\x00b)", deny: "Bash", bad: true},
	{text: "Bash(a\x00b", deny: "Bash", bad: true},
	{text: "Ｂash(rm)", bad: true},
}

func show(r Rule) string {
	if r.Bare || r.Pattern == "" {
		return r.Tool
	}
	return r.Tool + "|" + r.Pattern
}

func TestParseRule(t *testing.T) {
	for _, row := range parseRows {
		r, err := ParseRule(row.text, Allow, User, Pos{}, false)
		if got := show(r); got != row.allow || (err == nil) != (row.allow != "") {
			t.Errorf("allow %q: got %q, %v, want %q", row.text, got, err, row.allow)
		}
		for _, list := range []List{Deny, Ask} {
			r, err := ParseRule(row.text, list, User, Pos{}, false)
			if got := show(r); got != row.deny || (err != nil) != row.bad {
				t.Errorf("%s %q: got %q, %v, want %q", list, row.text, got, err, row.deny)
			}
			if (r.Note != "") != (row.bad && row.deny != "") {
				t.Errorf("%s %q: note %q", list, row.text, r.Note)
			}
		}
	}
}

func TestParseRuleKeepsOrigin(t *testing.T) {
	pos := Pos{File: "f", Line: 3, Col: 7}
	got, err := ParseRule(" Read(//etc/**)", Deny, Managed, pos, true)
	want := Rule{Text: " Read(//etc/**)", Tool: "Read", Pattern: "//etc/**", List: Deny, Scope: Managed, Pos: pos, Claude: true}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestToolKinds(t *testing.T) {
	for _, row := range []struct {
		name              string
		safe, edit, known bool
	}{
		{"Read", true, false, true},
		{"CronList", true, false, true},
		{"Edit", false, true, true},
		{"NotebookEdit", false, true, true},
		{"Bash", false, false, true},
		{"mcp__s__t", false, false, true},
		{"read", false, false, false},
		{"Made", false, false, false},
	} {
		if got := SafeTool(row.name); got != row.safe {
			t.Errorf("SafeTool(%q) = %v", row.name, got)
		}
		if got := EditTool(row.name); got != row.edit {
			t.Errorf("EditTool(%q) = %v", row.name, got)
		}
		if got := KnownTool(row.name); got != row.known {
			t.Errorf("KnownTool(%q) = %v", row.name, got)
		}
	}
}
