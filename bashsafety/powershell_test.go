package bashsafety

import (
	"strings"
	"testing"
)

func TestAnalyzePowerShell(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Get-ChildItem -Path src", "[Get-ChildItem -Path src]"},
		{"ls src", "[ls src]"},
		{`git commit -m 'it''s; done'`, "[git commit -m 'it's; done']"},
		{`Write-Output "a b"`, "[Write-Output 'a b']"},
		{`C:\tools\x.exe a`, `[C:\tools\x.exe a]`},
		{`Write-Output "a $b"`, "[Write-Output 'a ?'] !powershell-complex"},
		{"a; b", "[a] [b] !powershell-complex"},
		{"a | b", "[a] [b] !powershell-complex"},
		{"a && b", "[a] [b] !powershell-complex"},
		{"a\r\nb", "[a] [b] !powershell-complex"},
		{"a (b c)", "[a] [b c] !powershell-complex"},
		{"& a b", "[a b] !powershell-complex"},
		{"a > b", "[a b] !powershell-complex"},
		{"$x = 1", "[? = 1] !powershell-complex"},
		{"a `\nb", "[a ?] !powershell-complex"},
		{"a 'b", "[a b] !powershell-complex"},
		{"", "!powershell-complex"},
		{"a # b", "[a b] !powershell-complex"},
	} {
		if got := strings.TrimSpace(show(AnalyzePowerShell(c.text))); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestPowerShellGit: the checks of git hold for PowerShell too.
func TestPowerShellGit(t *testing.T) {
	for text, want := range map[string]int{"git push --force": 1, "git status; git reset --hard": 1, "git push": 0, "permgate allow x": 1} {
		if got := len(AnalyzePowerShell(text).Findings); got != want {
			t.Errorf("%s: %d findings, want %d", text, got, want)
		}
	}
}
