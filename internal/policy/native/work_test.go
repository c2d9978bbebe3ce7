package native

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
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

// TestManyRules: the work of an export grows with its rules, not with their square, whatever lists they are in.
func TestManyRules(t *testing.T) {
	n := testenv.Count(t, 999, 3000, 3000)
	most := time.Duration(n) * 20 * time.Millisecond // four times of what it takes, and less than it took
	all := manyRules(n)
	join := func(rules []string) string { return strings.Join(rules, ", ") }
	for name, text := range map[string]string{
		"allow alone": rulesOf(join(all), "", ""),
		"each list":   rulesOf(join(all[:n/3]), join(all[n/3:n/3*2]), join(all[n/3*2:])),
	} {
		w := worldOf(t, map[string]string{"/home/u/.gen/settings.json": text, "/home/u/.claude/permgate.json": recommended})
		from, list := testenv.Worked(), map[rules.List]int{}
		plan := New(&claude, w).Plan(func(string) bool { return false })
		for _, r := range plan.User {
			list[r.List]++
		}
		if worked := testenv.Worked() - from; worked > most {
			t.Errorf("%s: %s", name, worked)
		} else {
			t.Logf("%s: %s: %v, %d lost", name, worked, list, len(plan.Losses))
		}
	}
}
