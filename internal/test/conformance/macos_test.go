package conformance

import (
	"os"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	labelled "github.com/permgate--owner/permgate/internal/bench"
	"github.com/permgate--owner/permgate/rules"
)

// TestMacOSLabelled: what is asked about on macOS alone, and what is run there every day.
func TestMacOSLabelled(t *testing.T) {
	f, err := os.Open("../../../testdata/corpus/macos.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var labels labelled.Labels
	if err := labels.Add("macos.tsv", f); err != nil {
		t.Fatal(err)
	}
	for _, l := range labels.Calls {
		c, v := call(t, Setup{Tool: l.Tool, Input: []byte(l.Input), Mode: "default", Cwd: "/Users/dev/project", Project: "/Users/dev/project",
			Home: "/Users/dev", OS: rules.MacOS, Host: "claude", Named: true, Tmp: true,
			Settings: map[string]string{"/Users/dev/.claude/permgate.json": installedPosture(t)}})
		a := v.Answer(c)
		if asks := a.Decision == hookio.Ask || a.Decision == hookio.Deny; asks == (l.Kind == labelled.Harmless) {
			t.Errorf("%s: %s: %s: %s", l.Label, l.Text, a.Decision, v.Reason)
		}
	}
}
