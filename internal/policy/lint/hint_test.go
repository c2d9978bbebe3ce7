package lint

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/edit"
)

// TestHints looks at what is said of rules that do nothing, and what is to be written instead.
func TestHints(t *testing.T) {
	for _, tt := range []struct{ list, rule, says, instead string }{
		{"allow", "mcp__*", "wildcard in the tool name", "write one rule for each tool; mcp__server__* is all tools of one MCP server"},
		{"allow", "*", "wildcard in the tool name", "write one rule for each tool; mcp__server__* is all tools of one MCP server"},
		{"allow", "Bash(ls", "closing parenthesis is missing", malformedRule.Fix},
		{"deny", "shell(git push)", "no tool is called shell, so this rule denies nothing: it is Bash", "Bash(git push:*)"},
		{"ask", "run_shell_command(git push)", "asks about nothing", "Bash(git push:*)"},
		{"deny", "shell(git push *)", "denies nothing", "Bash(git push *)"},
		{"allow", "shell(git push)", "allows nothing", "Bash(git push)"},
		{"deny", "bash(git push)", "denies nothing: it is Bash, and names are case-sensitive", "Bash(git push)"},
		{"deny", "read(./.env)", "denies nothing", "Read(./.env)"},
		{"deny", "read_file(./.env)", "denies nothing", "Read(./.env)"},
		{"deny", "Bash(dd if=:*)", "does not match dd if=x", "Bash(dd if=*)"},
		{"allow", "Bash(dd if=:*)", "does not match dd if=x", "Bash(dd if=*)"},
		{"allow", "Bash(npm install a@ *)", "does not match npm install a@x", "Bash(npm install a@*)"},
		{"deny", "Read( ** /*token*)", "blanks at an end or next to a slash are surely not meant", "Read(**/*token*)"},
		{"allow", "Edit(src /**)", "part of the name", "Edit(src/**)"},
		{"deny", "Read(.env )", "surely not meant", "Read(.env)"},
	} {
		found := Run(exampleInput(&Example{}, `{"permissions": {"`+tt.list+`": [`+edit.Quote(tt.rule)+`]}}`))
		if len(found) != 1 || !strings.Contains(found[0].Text, tt.says) || found[0].Instead != tt.instead {
			t.Errorf("%s %s: %d findings, want %q and %q", tt.list, tt.rule, len(found), tt.says, tt.instead)
			for i := range found {
				t.Logf("  %s: %s", found[i].Check.ID, found[i].Advice())
			}
		}
	}
	x := &Example{Beside: []Other{{"~/.claude/settings.json", `{"permissions": {"deny": ["Read( **/x)"]}}`}}}
	if n := len(Run(exampleInput(x, `{"permissions": {"deny": ["Read( **/x)", "Read(.env )"]}}`))); n != 3 {
		t.Errorf("%d findings about blanks in two files, want 3", n)
	}
}
