package conformance

import (
	"os"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A psText is one of testdata/powershell_everyday.txt; why is set for
// those that are to stop, may for those that the workspace check may stop.
type psText struct{ text, why, may string }

func everydayPowerShell(t *testing.T) []psText {
	t.Helper()
	data, err := os.ReadFile("testdata/powershell_everyday.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []psText
	for _, part := range strings.Split(string(data), "\n----\n") {
		var e psText
		var lines []string
		for _, line := range strings.Split(strings.TrimRight(part, "\n"), "\n") {
			switch {
			case strings.HasPrefix(line, "#stop: "):
				e.why = line[len("#stop: "):]
			case strings.HasPrefix(line, "#may: "):
				e.may = line[len("#may: "):]
			case !strings.HasPrefix(line, "#"):
				lines = append(lines, line)
			}
		}
		e.text = strings.Join(lines, "\n")
		all = append(all, e)
	}
	return all
}

// TestPowerShellEveryday: what agents on Windows run every day is left to the
// host under the installed posture, but for what the file says.
func TestPowerShellEveryday(t *testing.T) {
	posture := installedPosture(t)
	for _, place := range []struct {
		name, cwd, home string
		os              rules.OS
	}{
		{"Windows", `C:\Users\dev\Projects\StarCar`, `C:\Users\dev`, rules.Windows},
		{"recorded on Windows, decided elsewhere", `/host/C:\Users\dev\Projects\StarCar`, "/home/dev", rules.Linux},
	} {
		for _, mode := range []string{"default", "auto", "acceptEdits", "bypassPermissions"} {
			stops := 0
			for _, e := range everydayPowerShell(t) {
				c, v := call(t, Setup{Tool: "PowerShell", Input: []byte(`{"command":` + quote(e.text) + `}`), Mode: mode, Cwd: place.cwd, Project: place.cwd,
					Home: place.home, OS: place.os, Host: "claude", Named: true,
					Settings: map[string]string{place.os.Canon(place.home) + "/.claude/permgate.json": posture}})
				a := v.Answer(c)
				stop := a.Decision == hookio.Ask || a.Decision == hookio.Deny
				if stop {
					stops++
				}
				if stop != (e.why != "") && !(e.may != "" && (!stop || v.Step == "3b")) {
					t.Errorf("%s, %s: %s\n%s: %s (%v)", place.name, mode, e.text, a.Decision, a.Reason, c.Script.Doubts)
				}
			}
			t.Logf("%s, %s: %d stops of %d", place.name, mode, stops, len(everydayPowerShell(t)))
		}
	}
}

// TestPowerShellHeldBack: what a rule that the host reads as well would let run
// by the wider reading is not left to the host, a construct that can run and
// write nothing is, but for rules it could hide something from.
func TestPowerShellHeldBack(t *testing.T) {
	for _, c := range []struct {
		rules, text string
		want        hookio.Decision
	}{
		{`"allow":["PowerShell(git:*)"]`, "git -c core.pager=calc log", hookio.Ask},
		{`"allow":["PowerShell(git:*)"]`, "git log", hookio.Allow},
		{`"allow":["PowerShell(git:*)"]`, "npm test", hookio.Pass},
		{``, "$x.$name; Get-Date", hookio.Pass},
		{`"allow":["PowerShell(Get-Date)"]`, "$x.$name; Get-Date", hookio.Pass},
		{`"deny":["Bash(rm:*)"]`, "$x.$name; Get-Date", hookio.Pass},
		{`"deny":["Read(.env)"]`, "$x.$name; Get-Date", hookio.Ask},
		{`"ask":["PowerShell(npm publish:*)"]`, "$x.$name; Get-Date", hookio.Ask},
		{``, "$x.Foo(); Get-Date", hookio.Ask},
	} {
		s := Setup{Tool: "PowerShell", Input: []byte(`{"command":` + quote(c.text) + `}`), Mode: "default", Host: "claude", Named: true,
			Settings: map[string]string{
				"/home/dev/.claude/permgate.json": installedPosture(t),
				"/home/dev/.claude/settings.json": `{"permissions":{` + c.rules + `}}`,
			}}
		call, v := call(t, s)
		if a := v.Answer(call); a.Decision != c.want {
			t.Errorf("%s, %s: got %s, want %s: %s", c.rules, c.text, a.Decision, c.want, v.Reason)
		}
	}
}
