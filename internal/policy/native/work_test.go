package native

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// manyRules are rules of mixed kinds: commands with and without a wildcard that touch nothing, files, machines and each
// other, hosts, files and MCP tools.
func manyRules(n int) []string {
	forms := strings.Split("Bash(go build x%d)|Bash(tool%d run:*)|Bash(npm run x%d *)|Bash(gh pr view %d)|Bash(seq %d:*)|Bash(./build%d.sh)|"+
		"Bash(curl -sS https://h%d.example/)|WebFetch(domain:h%d.example)|WebFetch(domain:*.w%d.example)|Read(//srv/d%d/**)|Edit(~/e%d/*.md)|mcp__s%d__t|"+
		"Bash(docker compose up s%d)|Bash(make t%d)|Bash(cargo run --bin b%d)|Bash(kubectl get pods%d)|Bash(aws s3 ls b%d)", "|")
	out := make([]string, n)
	for i := range out {
		out[i] = `"` + fmt.Sprintf(forms[i%len(forms)], i) + `"`
	}
	return out
}

// TestManyRules: the work of an export grows with its rules, not with their square, whatever lists they are in. What
// three times as many rules take is compared in one run, for a race detector and a busy machine make both slower.
func TestManyRules(t *testing.T) {
	n := testenv.Count(t, 600, 3000, 3000)
	all := manyRules(n)
	join := func(rules []string) string { return strings.Join(rules, ", ") }
	for name, text := range map[string]func(n int) string{
		"allow alone": func(n int) string { return rulesOf(join(all[:n]), "", "") },
		"each list": func(n int) string {
			return rulesOf(join(all[:n/3]), join(all[n/3:n/3*2]), join(all[n/3*2:n]))
		},
	} {
		workOf(t, text(n/10)) // what the first run alone pays for
		few, many := workOf(t, text(n/3)), workOf(t, text(n))
		if many > 5*few { // a square would be nine
			t.Errorf("%s: %d rules take %s, %d take %s", name, n/3, few, n, many)
		} else {
			t.Logf("%s: %d rules take %s, %d take %s", name, n/3, few, n, many)
		}
	}
}

// workOf is the work of a plan.
func workOf(t *testing.T, settings string) time.Duration {
	t.Helper()
	w := worldOf(t, map[string]string{"/home/u/.gen/settings.json": settings, "/home/u/.claude/permgate.json": recommended})
	from := testenv.Worked()
	if plan := New(&claude, w).Plan(func(string) bool { return false }); len(plan.User) == 0 {
		t.Error("no rule was written")
	}
	return testenv.Worked() - from
}
