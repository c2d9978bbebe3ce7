package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestPowerShellProof: the tables prove of a cmdlet that it only reads where they know each of its parameters, and of a
// program where its words reach it as they are written; all else takes the proof away.
func TestPowerShellProof(t *testing.T) {
	unproven := func(text string) string {
		s := bashsafety.AnalyzePowerShell(text, testEnv())
		if len(s.Doubts)+len(s.Findings) > 0 {
			return "a doubt or a finding"
		}
		for i := range s.Subcommands {
			sub := &s.Subcommands[i]
			if why := sub.Unproven(); why != "" {
				return why
			}
			for _, e := range sub.Effects {
				if e.Kind != bashsafety.Read && e.Kind != bashsafety.GitRead && e.Kind != bashsafety.Looks {
					return "an effect"
				}
			}
		}
		return s.Lingers
	}
	for _, text := range []string{
		`Get-ChildItem -Recurse -Filter *.cs | Select-Object -ExpandProperty FullName`, `ls src | select Name, Length | ft -AutoSize`,
		`gci . -Dir | % { $_.Name }`, `Get-Content README.md -Tail 5 | Select-String -Pattern x -Context 2,3`, `(Get-Content a.txt).Count`,
		`Get-ChildItem | Where-Object { $_.Length -gt 1kb -and $_.Name -like '*.cs' } | Sort-Object Length -Descending | Measure-Object -Sum Length`,
		`git log --oneline -5 | Select-String fix`, `git diff --stat; git -C sub status`, `Get-ChildItem src | Select-Object Name, @{ n = 'kb'; e = { $_.Length / 1kb } }`,
		`cd src; Get-ChildItem`, `$x = Get-Content a.txt; $x[0]`, `'a' | Select-String a`, `if (Test-Path x) { Get-Item x } else { 'none' }`,
		`git grep 'a|b' -- *.go`, `Get-Process node -ErrorAction SilentlyContinue`, `& Get-Date`, `ls | sort Length -Descending`, `git.exe status`,
	} {
		if why := unproven(text); why != "" {
			t.Errorf("%s: not proven: %s", text, why)
		}
	}
	for _, text := range []string{
		`Get-ChildItem -Foo x`, `Get-Content a.txt -OutVariable x`, `Get-ChildItem | ForEach-Object { Set-Content x $_ }`, `Get-Content a.txt > b.txt`, `git log > b.txt`,
		`Get-ChildItem | Select-Object @{ n = 'x'; e = { npm test } }`, `Get-ChildItem | Where-Object { Stop-Process 1 }`, `Get-ChildItem @o`,
		`Import-Csv a.csv | Get-Item`, `Import-Csv a.csv | Select-String x`, `ConvertFrom-Json $x | Select-String x`, `@{ PSPath = 'x' } | Select-String x`,
		`git log $x`, `git log "$x"`, `git log "a$x"`, `git log 'a" --output=x "b'`, `git log ''`, `git log 'a\'`, `git log @x`, `npm ls 'a&calc'`, `git log --output=x`,
		`find . -name x`, `sort.exe /O a b`, `timeout 5 git log`, `expand a`, `hostname x`, `.\git status`, `C:\tools\git.exe status`, `. git status`, `. Get-Date`,
		`Get-Date &`, `git status &`, `$p = Get-Process x; $p.PriorityClass = 'Idle'; Get-Date`, `$x.y.z = 1; Get-Date`, `Get-Date; (Get-Process x).PriorityClass = 'Idle'`,
		`Get-ChildItem Env:`, `gci env:\TOKEN`, `cd $x; Get-ChildItem`, `cd HKLM:\; Get-Date`, `cd a b; ls`, `sort --compress-program=calc x`, `man x`, `ps auxe`, `compare a b`, `write root`,
		`Get-WmiObject Win32_Product`, `Import-Clixml a`, `Tee-Object -FilePath x`, `Out-File x`, `Out-Host -Paging`, `Get-Help x -Online`, `Get-Command .\x.ps1`,
		`Test-Connection h`, `Invoke-WebRequest http://h`, `curl http://h`, `New-Item x`, `Set-Alias a b`, `Start-Job { Get-Date }`, `Invoke-Command { Get-Date }`,
		`cmd /c dir`, `powershell -Command 'Get-Date'`, `pwsh -c 'git status'`, `bash -c ls`, `Start-Process git`, `function f { Get-Date }; f`, `$env:PATH = 'x'; git status`,
		`$env:PATH = 'x'`, `$env:GIT_PAGER = 'x'; git log`, `Get-Content -Stream x a`, `Get-ChildItem; Foo-Bar`, `Add-Member -InputObject $x a b`,
		`Set-Content a b`, `Get-Random -OutFile x`, `Get-Date -Path x`, `ls | sort -o x`, `Get-Content a | Out-Default -Transcript`, `Write-Output --% x`,
		`Get-Variable -Name x -OutVariable y`, `Get-ChildItem -Path:$x -OutBuffer 1 -PipelineVariable p`,
	} {
		if why := unproven(text); why == "" {
			t.Errorf("%s: proven", text)
		}
	}
}
