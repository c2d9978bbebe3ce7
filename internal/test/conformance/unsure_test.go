package conformance

import (
	"os"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// someSecrets are deny rules as a careful user writes them, and what excludes
// the like of every tool.
const (
	someSecrets  = `{"permissions":{"deny":["Bash(sudo:*)","Read(.env)","Read(.env.local)","Read(*.pem)","Read(~/.ssh/**)"]}}`
	someExcluded = `"contentExclusion":["**/.env","**/.env.local","**/*.pem","**/id_rsa","~/.ssh/**","~/.netrc"],"urls":["169.254.169.254","metadata.google.internal"]`
)

// TestRealCallsUnsure counts the recorded calls that a deny rule asks about
// because it could match, depending on what is not known.
func TestRealCallsUnsure(t *testing.T) {
	calls := recordedCalls(t)
	gate := strings.Replace(installedPosture(t), "{", "{"+someExcluded+",", 1)
	n := 0
	for i, r := range calls {
		_, v, err := Call(r.setup(r.Mode, gate, someSecrets))
		if err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
		if v.Decision != hookio.Allow && strings.Contains(v.Reason, "could match") {
			n++
			if os.Getenv("PERMGATE_ROWS") != "" {
				t.Logf("%d\t%s\t%.300s", i+1, v.Reason, r.Input)
			}
		}
	}
	if n > 3 { // 62 before patterns were looked up on the disk
		t.Errorf("%d calls ask because a rule could match", n)
	}
	t.Logf("%d of %d calls ask because a rule could match", n, len(calls))
}
