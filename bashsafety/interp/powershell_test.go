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
	{"foreach ($f in Get-ChildItem src) { Get-Content $f.FullName }", "[Get-ChildItem src] [Get-Content /w/src?]"},
	{"for ($i = 0; $i -lt 3; $i++) { git status }", "[git status]"},
	{"if (Test-Path x) { a } elseif ($y -eq 1) { b } else { c }", "[Test-Path x] [a] [b] [c]"},
	{"while ($true) { a; break }", "[a]"},
	{"do { a } while ($x -lt 1); b", "[a] [b]"},
	{"switch ($x) { 'a' { b } default { c } }", "[b] [c]"},
	{"try { a } catch [System.IO.IOException] { b } finally { c }", "[a] [b] [c]"},
	{"function Show-It($x) { a $x }; Show-It 1", "[a 1] [Show-It 1]"},
	{"function Show-It($x) { a $x }; Show-It $y", "[a ??  ~] [Show-It ?? ~]"},
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
	{"cmd /c rd /s /q x", "[cmd /c rd /s /q x] [cmd /c>rd -Recurse x]"},
	{`cmd /c "%a% push"`, "[cmd /c '%a% push'] [cmd /c>%a% push] !unknown-program-text"},
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

// TestPowerShellValues: what only makes a value, or reads, is no doubt; a method that does
// more on a file is one, unless what it is called on is certainly none.
func TestPowerShellValues(t *testing.T) {
	for _, text := range []string{
		`$errors = $null; [System.Management.Automation.Language.Parser]::ParseFile("$PWD\x.ps1", [ref]$null, [ref]$errors) | Out-Null; $errors`,
		`$tokens=$null;$e=$null; $ast = [System.Management.Automation.Language.Parser]::ParseInput((Get-Content x.ps1 -Raw), [ref]$tokens, [ref]$e); $e.Count`,
		`using namespace System.Management.Automation.Language; [Parser]::ParseFile('x.ps1', [ref]$null, [ref]$null)`,
		`$null = [System.Management.Automation.PSParser]::Tokenize((Get-Content x.ps1 -Raw), [ref]$null)`,
		`$c = Get-Content x.txt -Raw; $c = $c.Replace('a','b'); $c`,
		`$c = Get-Content x.txt -Raw; $d = $c.Replace('a','b').Trim(); Set-Content y.txt $d`,
		`(Get-Content x.txt -Raw).Replace('a','b') | Set-Content x.txt`,
		`$f = Get-ChildItem src | Select-Object -First 1; $f.Name.Replace('.cs','')`,
		`Get-ChildItem src -Recurse | ForEach-Object { $_.FullName.Replace("$PWD\", '') }`,
		`Get-Content x.txt | ForEach-Object { $_.Replace('a','b') }`,
		`[string]::Join(',', @('a')).Remove(0,1)`,
		`"abc".Insert(0,'x').Remove(1,1).Replace('b','c')`,
		`($x -replace 'a','b').Replace('c','d')`,
		`($x -join ',').Insert(0, 'a')`,
		`"$x".Replace('a','b')`,
		`$x = "a$y"; $x.Replace('a','b')`,
		"$lines = (Get-Content x) -join \"`n\"; $lines.Replace('a','b')",
		`[System.Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('YQ=='))`,
		`[System.Diagnostics.FileVersionInfo]::GetVersionInfo('a.dll').FileVersion`,
		`[System.Reflection.AssemblyName]::GetAssemblyName('a.dll').Version`,
		`[System.IO.File]::ReadAllLines('x.txt').Count`,
		`[System.IO.Directory]::GetFiles('src')`,
		`[System.IO.Directory]::EnumerateFiles('src','*.cs','AllDirectories').Count`,
		`[System.Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes('a'))`,
		`[System.Net.Dns]::GetHostName()`,
		`[System.Uri]::EscapeDataString('a b'); [uri]::UnescapeDataString('a')`,
		`[System.Web.HttpUtility]::UrlEncode('a')`,
		`[System.Environment]::GetEnvironmentVariable('PATH','User')`,
		`[char]::IsDigit('a'); [char]65; [string][char]65`,
		`$sb = [System.Text.StringBuilder]::new(); [void]$sb.Append('a'); $sb.ToString().Replace('a','b')`,
		`$m = [regex]::Matches($t, 'x'); $m[0].Groups[1].Value.Replace('a','b')`,
		`$h = @{}; $h.Remove('a'); $h.ContainsKey('a'); $h.Keys.Count`,
		`$d = (Get-Date).AddDays(-1).ToString('yyyy'); $d.Replace('2','3')`,
		`$name = Split-Path $f -Leaf; $name.Replace('.cs','')`,
		`$n = [IO.Path]::GetFileNameWithoutExtension($f); $n.Replace('a','b')`,
		`[System.Text.Json.JsonDocument]::Parse('{}').RootElement.GetProperty('a').GetString()`,
		`[Math]::Max(1,2); [int]::Parse('1'); [System.Version]'1.2' -gt [version]'1.0'`,
		`[System.Text.RegularExpressions.Regex]::Replace('a','b','c').Trim().Replace('a','b')`,
		`foreach ($l in Get-Content x) { $l.Replace('a','b') }`,
		`[System.Management.Automation.Language.Parser]::ParseFile($f, [ref]$null, [ref]$null)`,
		`$c = "x"; $c.Path.Replace('a','b')`,
	} {
		if s := bashsafety.AnalyzePowerShell(text, testEnv()); len(s.Doubts) > 0 {
			t.Errorf("%s: %v, want no doubt", text, s.Doubts)
		}
	}
	for _, text := range []string{
		"$s = [IO.File]::ReadAllText('x.txt'); $s = $s.Replace(\"`r`n\", \"`n\"); [IO.File]::WriteAllText('x.txt', $s)",
		`[System.IO.Path]::GetTempFileName()`,
		`$list = New-Object System.Collections.ArrayList; $list.Remove('a')`,
		`foreach ($f in Get-ChildItem) { $f.Replace('a','b') }`,
		`$f = Get-Item x; $f.Replace('a','b')`,
		`$x.Replace('a','b')`,
		`Get-ChildItem | ForEach-Object { $_.Replace('a','b') }`,
		`Get-Content x | ForEach-Object { Get-ChildItem | ForEach-Object { $_.Replace('a','b') } }`,
		`Get-Content x | ForEach-Object { $b = { $_.Replace('a','b') }; Get-ChildItem | Where-Object $b }`,
		`Get-Content x | ForEach-Object { (Get-ChildItem).ForEach({ $_.Replace('a','b') }) }`,
		`Get-Content x | ForEach-Object { switch (Get-ChildItem) { { $true } { $_.Replace('a','b') } } }`,
		`Get-Content x | ForEach-Object { function g { process { $_.Replace('a','b') } }; Get-ChildItem | g }`,
		`Get-Content x | ForEach-Object { function g { $_.Replace('a','b') } }`,
		`Get-Content x | ForEach-Object { filter g { $_.Replace('a','b') }; Get-ChildItem | g }`,
		`$c = Get-Content x; $c[0] = Get-Item y; $c.Replace('a','b')`,
		`$c = Get-Content x; $c += Get-Item y; $c.Replace('a','b')`,
		`((Get-Content x) + (Get-Item y)).Replace('a','b')`,
		`('a', (Get-Item y)).Replace('a','b')`,
		`("a", $f + "b").Replace('a','b')`,
		`(Get-ChildItem -like 'x').Replace('a','b')`,
		`($f -like 'x').Replace('a','b')`,
		`($f -ne $null).Replace('a','b')`,
		`($x -replace 'a','b' -or $f).Replace('a','b')`,
		`($x ? $f : 'a').Replace('a','b')`,
		`($x ?? 'a').Replace('a','b')`,
		`('a' ?? $f).Replace('a','b')`,
		`$c, $d = 'a', (Get-Item y); $d.Replace('a','b')`,
		`$c = 'a'; function g($c) { $c.Replace('a','b') }; g (Get-Item y)`,
		`$c = 'a'; Get-Item y -OutVariable c; $c.Replace('a','b')`,
		`$c = 'a'; Set-Variable c (Get-Item y); $c.Replace('a','b')`,
		`$c = 'a'; . ./x.ps1; $c.Replace('a','b')`,
		`(Get-Content $v).Replace('a','b')`,
		`$c = 'a'; $c ??= Get-Item y; $c.Replace('a','b')`,
		`$c = if ($x) { 'a' } else { Get-Item y }; $c.Replace('a','b')`,
		`$c = 'a' | ForEach-Object { Get-Item y }; $c.Replace('a','b')`,
		`$c = [Convert]::ChangeType((Get-Item y), [IO.FileInfo]); $c.Replace('a','b')`,
		`$c = [System.Collections.Generic.List[object]]::new(); $c.Add((Get-Item y)); $c.Replace('a','b')`,
		`[Parser]::Parse('x')`,
		`[IO.Directory]::Delete('x')`,
		`[IO.Directory]::CreateDirectory('x')`,
		`[Security.Cryptography.SHA256]::new()`,
		`Get-Content x | Select-Object -First 1 | ForEach-Object { $_.Replace('a','b') }`,
		`$n = [int]$x; $n.Replace('a','b')`,
		`$x | ForEach-Object { $_.Replace('a','b') }`,
		`try { Get-Content x | ForEach-Object { $_.Trim() } } catch { $_.Replace('a','b') }`,
	} {
		if s := bashsafety.AnalyzePowerShell(text, testEnv()); !hasDoubt(s, "powershell-code") {
			t.Errorf("%s: %v, want a doubt", text, s.Doubts)
		}
	}
}

// TestPowerShellTargets: a variable that holds a known path names a known file.
func TestPowerShellTargets(t *testing.T) {
	for text, want := range map[string]string{
		`$out = "x.txt"; git diff | Out-File $out`:                               "/w/x.txt",
		`$out = "$PWD\x.txt"; git diff | Out-File $out`:                          "/w/x.txt",
		`$root = (Get-Location).Path; Set-Content "$root\x.txt" a`:               "/w/x.txt",
		`$root = $PWD.Path; Set-Location /etc; Set-Content "$root\x.txt" a`:      "/w/x.txt",
		`$out = Join-Path $PWD 'x.txt'; git diff > $out`:                         "/w/x.txt",
		`$root = '/etc'; Set-Content (Join-Path $root passwd) a`:                 "/etc/passwd",
		`$root = $HOME.Path; Set-Content "$root\x" a`:                            "",
		`$out = Join-Path $y x; Set-Content $out a`:                              "",
		`$out = Join-Path a b c; Set-Content $out a`:                             "/w/a/b/c",
		`Set-Location $y; $root = Get-Location; Set-Content "$root\x" a`:         "",
		`$root = $PWD; if ($y) { $root = '/etc' }; Set-Content "$root\x" a`:      "",
		`$root = $PWD; Get-Item /etc -OutVariable root; Set-Content "$root\x" a`: "",
		`Set-Content "$env:TEMP\x" a`:                                            "",
	} {
		got := "none"
		for _, sub := range bashsafety.AnalyzePowerShell(text, testEnv()).Subcommands {
			for _, e := range sub.Effects {
				if e.Kind == bashsafety.Write && e.Known {
					got = e.Path
				} else if e.Kind == bashsafety.Write {
					got = ""
				}
			}
		}
		if got != want {
			t.Errorf("%s: writes %q, want %q", text, got, want)
		}
	}
}
