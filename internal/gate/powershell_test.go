package gate

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
)

// TestPracticalPowerShell: Remove-Item of a folder that can be made again asks
// no more than rm -r does.
func TestPracticalPowerShell(t *testing.T) {
	for command, want := range map[string]string{
		"Remove-Item -Recurse -Force dist":                                 "7",
		`rm -r -fo .\node_modules, coverage -ErrorAction SilentlyContinue`: "7",
		"npm ci; Remove-Item -Recurse dist":                                "7",
		"if (Test-Path dist) { Remove-Item dist -Recurse }":                "7",
		"Remove-Item -Recurse src":                                         "2 powershell-remove",
		"Remove-Item -Recurse dist, src":                                   "2 powershell-remove",
		`Remove-Item -Recurse dist\..\src`:                                 "2 powershell-remove",
		"Remove-Item -Recurse $x":                                          "2 powershell-remove",
		"Remove-Item -Recurse dist @more":                                  "2 powershell-remove",
		"Remove-Item -Recurse dist -Exclude x":                             "2 powershell-remove",
		"Get-ChildItem dist | Remove-Item -Recurse":                        "2 powershell-remove",
		"Copy-Item -Recurse src dist; Remove-Item -Recurse dist":           "2 powershell-remove",
		"Move-Item src dist; Remove-Item -Recurse dist":                    "2 powershell-remove",
		"Set-Location src; Remove-Item -Recurse ../dist":                   "2 powershell-remove",
		"powershell -Command 'Remove-Item -Recurse dist'":                  "2 powershell-remove",
		"while ($true) { Remove-Item -Recurse dist; cp -r src dist }":      "2 powershell-remove",
		"cmd /c 'rd /s /q dist'":                                           "2 powershell-remove",
	} {
		input, _ := json.Marshal(map[string]string{"command": command})
		call, err := hookio.Read(strings.NewReader(`{"cwd":"/w/p","session_id":"s1","tool_name":"PowerShell","tool_input":`+string(input)+`}`), hookio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w := World{
			Getenv: func(string) string { return "" }, Cwd: "/w/p", PasswdHome: "/home/dev", UID: 1000, Files: practicalTree(), Now: time.Time{}.Add(time.Hour),
			Exe: func() (string, error) { return "/usr/bin/permgate", nil }, ManagedDir: []string{"/etc/gen"},
		}
		if v := decide.Decide(Case(call, &Flags{State: "/state"}, w)); asked(v) != want {
			t.Errorf("%s: %s, want %s: %s", command, asked(v), want, v.Reason())
		}
	}
}

// TestPowerShellTemp: a variable of the environment that names a temporary folder counts as $TMPDIR does in a shell:
// as the hook has it, unless the text sets it.
func TestPowerShellTemp(t *testing.T) {
	const out = `Out-File "$env:TEMP\x.txt" -InputObject a`
	for _, tt := range []struct{ env, command, want string }{
		{"TEMP=/tmp", out, "7"},
		{"TEMP=/tmp", `"a" > $env:TEMP/x.txt`, "7"},
		{"TEMP=/tmp/mine", `Set-Content -Path (Join-Path $env:TEMP x.txt) -Value a`, "7"},
		{"TEMP=/tmp", `$f = "$env:TEMP/x.txt"; "a" | Out-File $f`, "7"},
		{"TMP=/tmp", `"a" | Out-File "${env:TMP}/x.txt"`, "7"},
		{"TMPDIR=/tmp", `"a" | Out-File "$env:TMPDIR/x.txt"`, "7"},
		{"", out, "3b"},
		{"TEMP=/w/q", out, "3b"},
		{"TEMP=/tmp/theirs", out, "3b"},
		{"TEMP=/home/dev", out, "3b"},
		{"TEMP=tmp", out, "3b"},
		{"TEMP=/tmp", `Out-File "$env:TEMP\..\x.txt" -InputObject a`, "3b"},
		{"TEMP=/tmp", `Out-File "$env:temp\x.txt" -InputObject a`, "3b"}, // another variable, but on Windows
		{"TEMP=/tmp", `$env:TEMP = "/w/q"; ` + out, "3b"},
		{"TEMP=/tmp", `Set-Item env:TEMP /w/q; ` + out, "3b"},
		{"TEMP=/tmp", `Set-Item Env:\TEMP /w/q; ` + out, "3b"},
		{"TEMP=/tmp", `foreach ($i in 1..2) { ` + out + `; $env:TEMP = "/w/q" }`, "3b"},
		{"TEMP=/tmp", `$d = "env:TEMP"; Set-Item $d /w/q; ` + out, "3b"},
		{"TEMP=/tmp", `$d = "env:TEMP"; foreach ($i in 1..2) { ` + out + `; Set-Item $d /w/q }`, "3b"},
		{"TEMP=/tmp", `$d = "env:TEMP"; function f { ` + out + ` }; Set-Item $d /w/q; f`, "3b"},
		{"TEMP=/tmp", `$a = 1; ` + out, "7"},
		{"TEMP=/tmp", `Remove-Item -Recurse $env:TEMP`, "2"},
	} {
		input, _ := json.Marshal(map[string]string{"command": tt.command})
		call, err := hookio.Read(strings.NewReader(`{"cwd":"/w/p","session_id":"s1","tool_name":"PowerShell","tool_input":`+string(input)+`}`), hookio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w := World{
			Getenv: func(name string) string {
				if value, ok := strings.CutPrefix(tt.env, name+"="); ok {
					return value
				}
				return ""
			},
			Environ: func() []string { return []string{tt.env} }, Cwd: "/w/p", PasswdHome: "/home/dev", UID: 1000, Files: practicalTree(),
			Now: time.Time{}.Add(time.Hour), Exe: func() (string, error) { return "/usr/bin/permgate", nil }, ManagedDir: []string{"/etc/gen"},
		}
		if v := decide.Decide(Case(call, &Flags{State: "/state"}, w)); v.Step() != tt.want {
			t.Errorf("%s: %s: step %s, want %s: %s", tt.env, tt.command, v.Step(), tt.want, v.Reason())
		}
	}
}
