package lint

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// TestWindowsRules: on Windows an allow rule that names a place as no path is spelled there is told what to write; a deny
// rule is matched as it is meant.
func TestWindowsRules(t *testing.T) {
	for rule, want := range map[string]string{
		`Edit(%USERPROFILE%\\notes\\**)`:             "Edit(~/notes/**)",
		`Edit($env:APPDATA\\x\\**)`:                  "Edit(~/AppData/Roaming/x/**)",
		`Edit(\\\\localhost\\c$\\Users\\dev\\x\\**)`: "Edit(//c/Users/dev/x/**)",
		`Edit(file:///C:/Users/dev/x/**)`:            "Edit(//c/Users/dev/x/**)",
		`Edit(//mnt/c/Users/dev/x/**)`:               "Edit(//c/Users/dev/x/**)",
		`Bash(C:\\tools\\x.exe:*)`:                   "Bash(C:/tools/x.exe:*)",
		`Edit(//c/Users/dev/x/**)`:                   "",
		`Edit(C:\\Users\\dev\\x\\**)`:                "",
		`Edit(\\\\server\\share\\x\\**)`:             "",
		`Bash(C:/tools/x.exe:*)`:                     "",
	} {
		for _, list := range [...]string{"allow", "deny"} {
			in := exampleInput(&Example{File: ".gen/settings.json"}, `{"permissions": {"`+list+`": ["`+rule+`"]}}`)
			in.World.OS = rules.Windows
			got := ""
			pathText.Run(in, func(f Finding) { got += f.Text + "; " + f.Instead })
			if ok := got == ""; list == "deny" && !ok || list == "allow" && (ok != (want == "") || !strings.HasSuffix(got, want)) {
				t.Errorf("%s of %s: %q, want %q", list, rule, got, want)
			}
		}
	}
}
