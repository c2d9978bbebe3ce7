package interp_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// powershellCases are PowerShell texts and what the analysis makes of them, in
// the notation of show; they are fuzz seeds, too.
var powershellCases = [...]struct{ text, want string }{
	{"Get-ChildItem -Path src", "[Get-ChildItem -Path src]"},
	{"ls src", "[ls src]"},
	{`git commit -m 'it''s; done'`, "[git commit -m 'it's; done']"},
	{`Write-Output "a b"`, "[Write-Output 'a b']"},
	{`C:\tools\x.exe a`, `[C:\tools\x.exe a]`},
	{`Write-Output "a $b"`, "[Write-Output 'a ?']"},
	{"a; b", "[a] [b]"},
	{"a | b", "[a] [b]"},
	{"a && b || c", "[a] [b] [c]"},
	{"a\r\nb", "[a] [b]"},
	{"a (b c)", "[b c] [a ?? ~]"},
	{"a (b c) d", "[b c] [a ?? d ~]"},
	{"& a b", "[a b]"},
	{`& "a b" c`, "['a b' c]"},
	{"a > b", "[a >/w/b]"},
	{"Write-Output x > b 2>&1 3>$null", "[Write-Output x >/w/b]"},
	{"$x = 1", ""},
	{"$x = 'src'; Get-Content $x\\a.txt", `[Get-Content src\a.txt]`},
	{"$x = 'a'; $x = 'b'; Get-Content $x", "[Get-Content ?]"},
	{"if ($y) { $x = 'a' }; Get-Content $x", "[Get-Content ?]"},
	{"a `\n b", "[a b]"},
	{"a 'b", "[a b] !powershell-complex"},
	{"", ""},
	{"a # b", "[a]"},
	{"a <# b; c #> d", "[a d]"},
	{"Get-Date; (Get-Item x).Length", "[Get-Date] [Get-Item x]"},
	{"foreach ($f in Get-ChildItem src) { Get-Content $f.FullName }", "[Get-ChildItem src] [Get-Content ?]"},
	{"for ($i = 0; $i -lt 3; $i++) { git status }", "[git status]"},
	{"if (Test-Path x) { a } elseif ($y -eq 1) { b } else { c }", "[Test-Path x] [a] [b] [c]"},
	{"while ($true) { a; break }", "[a]"},
	{"do { a } while ($x -lt 1); b", "[a] [b]"},
	{"switch ($x) { 'a' { b } default { c } }", "[b] [c]"},
	{"try { a } catch [System.IO.IOException] { b } finally { c }", "[a] [b] [c]"},
	{"function Show-It($x) { a $x }; Show-It 1", "[a ??  ~] [Show-It 1]"},
	{"param([string]$Name = 'x', [switch]$All)\na", "[a]"},
	{"Get-ChildItem | Where-Object { $_.Length -gt 1kb } | ForEach-Object { b $_.Name }", "[Get-ChildItem] [Where-Object ?] [b ?? ~] [ForEach-Object ?]"},
	{"$h = @{ a = 1; b = (Get-Date) }", "[Get-Date]"},
	{"$a = @('x', 'y'); $a[0]", ""},
	{"\"now: $(Get-Date -Format o)\"", "[Get-Date -Format o]"},
	{"'{0:N2}' -f 1.5", ""},
	{"$t = @'\nrm -r x; iex $y\n'@\nWrite-Output $t", "[Write-Output 'rm -r x; iex $y']"},
	{"$t = @\"\n$(a b)\n\"@", "[a b]"},
	{"[int]$x = 5; [string]$y = 'a'", ""},
	{"[math]::Round(1.5, 1); [DateTime]::Now.ToString('o')", ""},
	{"$x.Trim().Split(',')[0]", ""},
	{"$x.$y", "!powershell-complex"},
	{"[IO.File]::Delete('x')", "!powershell-code"},
	{"$x.Delete()", "!powershell-code"},
	{"& $x a", "[? a] !dynamic-command"},
	{"& ('i' + 'ex') a", "[? a] !dynamic-command"},
	{"i`ex a", "[i?x a] !dynamic-command"},
	{"Set-Alias x iex", "[Set-Alias x iex] !shadowed-command"},
	{"a @args", "[a ?? ~]"},
	{"Get-Content a, b", "[Get-Content a,b]"},
	{"git log --format='%h' a,b", "[git log --format=%h a b]"},
	{"git stash drop stash@{0}", "[git stash drop stash@ ?? ~]"},
	{"cmd --% /c dir", "[cmd --% /c dir] [cmd /c>dir]"},
	{"cmd /c git push", "[cmd /c git push] [cmd /c>git push]"},
	{`cmd.exe /d /Cdel x`, "[cmd.exe /d /Cdel x] [cmd /c>del x]"},
	{`cmd /c "git push & b"`, "[cmd /c 'git push & b'] [cmd /c>git push] [cmd /c>b]"},
	{"cmd /c rd /s /q x", "[cmd /c rd /s /q x] [cmd /c>rd x]"},
	{`cmd /c "%a% push"`, "[cmd /c '%a% push'] !unknown-program-text"},
	{". rm x", "[rm x]"},
	{". bash -c 'b'", "[bash -c b] [bash -c>b]"},
	{". .\\a.ps1", "[.\\a.ps1]"},
	{"powershell -NoProfile -Command 'Get-Date; a'", "[powershell -NoProfile -Command 'Get-Date; a'] [powershell -Command>Get-Date] [powershell -Command>a]"},
	{"bash -c 'ls; b'", "[bash -c 'ls; b'] [bash -c>ls] [bash -c>b]"},
	{"Start-Process git -ArgumentList 'push','--force'", "[Start-Process git -ArgumentList push,--force] [Start-Process>git push --force]"},
	{"$env:CI = '1'; a", "[a]"},
	{"$env:PATH = 'x;' + $env:PATH; a", "[a ~]"},
	{"return Get-Date", "[Get-Date]"},
	{"Get-Content x -Raw | ConvertFrom-Json | Select-Object -ExpandProperty scripts", "[Get-Content x -Raw] [ConvertFrom-Json] [Select-Object -ExpandProperty scripts]"},
	{"$n = (Get-Content x | Measure-Object -Line).Lines; \"$n lines\"", "[Get-Content x] [Measure-Object -Line]"},
	{"1..3 | ForEach-Object { \"item $_\" }", "[ForEach-Object ?]"},
	{"Get-Process | Sort-Object CPU -Descending | Select-Object -First 5 Name, CPU | Format-Table -AutoSize",
		"[Get-Process] [Sort-Object CPU -Descending] [Select-Object -First 5 Name,CPU] [Format-Table -AutoSize]"},
	{"$r = if ($x) { 'a' } else { b }", "[b]"},
	{"[pscustomobject]@{ Name = 'x'; Size = $f.Length }", ""},
	{"[Console]::OutputEncoding = [System.Text.Encoding]::UTF8; a", "[a]"},
	{"try { a } catch { $_.Exception.Message }", "[a]"},
	{"-not (Test-Path x)", "[Test-Path x]"},
	{"$x -split ',' | ForEach-Object { $_.Trim() }", "[ForEach-Object ?]"},
	{"npm run build 2>&1 | Select-Object -Last 20", "[npm run build] [Select-Object -Last 20]"},
	{"$LASTEXITCODE", ""},
	{"if ($LASTEXITCODE -ne 0) { throw \"failed: $LASTEXITCODE\" }", ""},
	{"$list = [System.Collections.Generic.List[string]]::new(); $list.Add('x')", ""},
	{"Get-ChildItem -Recurse -Include *.cs,*.md", "[Get-ChildItem -Recurse -Include *.cs,*.md]"},
	{"Get-ChildItem | ? Name -like '*.cs' | % FullName", "[Get-ChildItem] [? Name -like *.cs] [% FullName]"},
	{"gci | % Delete", "[gci] [% Delete] !powershell-code"},
	{"$a, $b = 1, 2", ""},
	{"$h['x'] = 1; $o.Name = 'y'", ""},
	{"$x = $y ?? 'z'; $a ? 1 : 2", ""},
	{"function git { a }", "[a] !shadowed-command"},
	{"using namespace System.IO\na", "[a]"},
	{"using module ./x.psm1", "!powershell-code"},
	{"class A { }", "!powershell-complex"},
	{":outer foreach ($i in 1..3) { continue outer }", ""},
	{"Get-ChildItem `\n  -Path src `\n  -File", "[Get-ChildItem -Path src -File]"},
	{"a |\n  b", "[a] [b]"},
	{"a\n| b", "[a] [b]"},
	{")", "!powershell-complex"},
	{"a \u2013x", "[a -x] !powershell-complex"},
	{"'it\u2019s; b", "[s] [b] !powershell-complex"},
}

func TestAnalyzePowerShell(t *testing.T) {
	for _, c := range powershellCases {
		s := bashsafety.AnalyzePowerShell(c.text, testEnv())
		if got := strings.TrimSpace(show(s)); got != strings.ReplaceAll(c.want, "  ", " ") {
			t.Errorf("%q\n got %s\nwant %s\n%v", c.text, got, c.want, s.Doubts)
		}
		checkSpans(t, s)
	}
}

// TestPowerShellGit: the checks of git hold for PowerShell too.
func TestPowerShellGit(t *testing.T) {
	for text, want := range map[string]int{"git push --force": 1, "git status; git reset --hard": 1, "git push": 0, "permgate allow x": 1} {
		if got := len(bashsafety.AnalyzePowerShell(text, testEnv()).Findings); got != want {
			t.Errorf("%s: %d findings, want %d", text, got, want)
		}
	}
}
