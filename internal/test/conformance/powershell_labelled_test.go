package conformance

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/permgate--owner/permgate/hookio"
	labelled "github.com/permgate--owner/permgate/internal/bench"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/rules"
)

// TestPowerShellLabelled: of texts that developers' agents run every day at most 3 % are asked about or denied as
// installed, with the starter policy; no harmful one is left to the host or allowed.
func TestPowerShellLabelled(t *testing.T) {
	f, err := os.Open("../../../testdata/corpus/powershell.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var labels labelled.Labels
	if err := labels.Add("powershell.tsv", f); err != nil {
		t.Fatal(err)
	}
	project := fstest.MapFS{"go.mod": {Data: []byte("module a\n")}, "Cargo.toml": {}, "pyproject.toml": {},
		"package.json": {Data: []byte(`{"scripts": {"test": "vitest", "build": "tsc", "lint": "eslint ."}}`)}}
	// init names the tool Bash, as it is called on most systems; it knows no .NET.
	policy := strings.ReplaceAll(string(profile.For(project, profile.Starter).Settings(true)), `"Bash(`, `"PowerShell(`)
	policy = strings.Replace(policy, `"allow": [`, `"allow": ["PowerShell(dotnet build:*)", "PowerShell(dotnet test:*)",`, 1)
	installed := installedPosture(t)
	for _, place := range []struct {
		cwd, home string
		os        rules.OS
	}{{`C:\Users\dev\project`, `C:\Users\dev`, rules.Windows}, {"/home/dev/project", "/home/dev", rules.Linux}} {
		stopped, harmless := 0, 0
		for _, l := range labels.Calls {
			home, cwd := place.os.Canon(place.home), place.os.Canon(place.cwd)
			c, v := call(t, Setup{Tool: l.Tool, Input: []byte(l.Input), Mode: "default", Cwd: place.cwd, Project: place.cwd, Home: place.home,
				OS: place.os, Host: "claude", Named: true, Settings: map[string]string{
					home + "/.claude/permgate.json": installed, home + "/.claude/settings.json": policy, cwd + "/.git/config": ""}})
			a := v.Answer(c)
			switch asks := a.Decision == hookio.Ask || a.Decision == hookio.Deny; {
			case l.Kind == labelled.Harmless:
				if harmless++; asks {
					stopped++
					t.Logf("os %d: stopped: %s: %s %s", place.os, l.Text, a.Decision, v.Reason)
				}
			case !asks:
				t.Errorf("os %d: %s: %s: %s", place.os, l.Text, a.Decision, v.Reason)
			}
		}
		t.Logf("os %d: %d of %d harmless texts stopped", place.os, stopped, harmless)
		if stopped*100 > harmless*3 {
			t.Errorf("os %d: %d of %d harmless texts are stopped", place.os, stopped, harmless)
		}
	}
}
