//go:build unix

package growth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// forms are rules of the user, which no bound is put to, by how they can be told apart: by
// a folder, a name on the way, a part of a name, a program.
var forms = [...]string{"Read(./secret%d/**)", "Edit(secret%d/**)", "Read(**/secret%d/*.pem)", "Read(secret%d.pem)",
	"Read(~/.secret%d/**)", "Write(secret%d/*)", "Read(*-%d.pem)", "Bash(tool%d:*)", "Bash(cp f%d *)"}

// texts are calls of very many operands.
var texts = [...]struct{ name, text string }{
	{"480 cp", repeated("; ", 480, "cp a%d b%[1]d")},
	{"480 cp -r", repeated("; ", 480, "cp -r a%d b%[1]d")},
	{"480 cp of patterns", repeated("; ", 480, "cp a%d* b%[1]d")},
	{"cat of 6000", "cat " + repeated(" ", 6000, "f%d")},
}

func repeated(sep string, n int, form string) string {
	return strings.Join(times(n, func(i int) string { return fmt.Sprintf(form, i) }), sep)
}

// ruled is a site whose user has a list of so many rules.
func ruled(tb testing.TB, list, form, text string, n int) *site {
	s := newSite(tb)
	s.write(s.home+"/.claude/settings.json", permissions(list, times(n, func(i int) string { return fmt.Sprintf(form, i) }), "\n"))
	s.bash(text)
	return s
}

// decided is the verdict on the call of a site, and how long the processors worked for it.
func decided(s *site, mode string) (decide.Verdict, time.Duration) {
	payload := `{"hook_event_name":"PreToolUse","permission_mode":"` + mode + `","session_id":"s1","cwd":` +
		string(hookio.AppendJSON(nil, s.cwd)) + `,` + s.input + `}`
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
	if err != nil {
		s.tb.Fatal(err)
	}
	s.flags.Host = "claude"
	start := testenv.Worked()
	v := decide.Decide(gate.Case(call, &s.flags, s.world()))
	return v, testenv.Worked() - start
}

// TestRulesTimesOperands: 200 rules take for a call of 480 operands at most twice the
// memory that one takes; there is no place where each rule meets each operand.
func TestRulesTimesOperands(t *testing.T) {
	every := testenv.Every(t, 8, 4, 1)
	for k, form := range forms {
		for at, list := range [...]string{"deny", "ask", "allow"} {
			if k%every != 0 && (k+at)%every != 0 {
				continue
			}
			for i := range texts[:3] {
				if i > 0 && list != "deny" {
					continue // the lists differ in what is compared, not in how
				}
				if i == 2 && strings.Contains(form, "*-") {
					continue // each of these rules may be about each of these patterns
				}
				cost := func(n int) float64 {
					row := row{make: func(s *site, n int) { *s = *ruled(t, list, form, texts[i].text, n) }, run: decision}
					c, _ := row.measure(t, n, 1)
					return c.pieces
				}
				if one, many := cost(1), cost(200); many > 2*one {
					t.Errorf("%s: 200 rules of %s %s take %.1f times the allocations of one", texts[i].name, list, form, many/one)
				}
			}
		}
	}
}

// TestBudget: what cannot be told apart is compared up to a fixed count, in every mode, and
// what the user denies binds beyond it.
func TestBudget(t *testing.T) {
	const form = "Read(?%d*?)"
	long := texts[3].text
	for _, mode := range [...]string{"default", "bypassPermissions"} {
		s := ruled(t, "ask", form, long, 500)
		if v, _ := decided(s, mode); v.Decision() != hookio.Ask || !strings.Contains(v.Reason(), "too many parts (6001)") {
			t.Errorf("%s: %s: %s", mode, v.Decision(), v.Reason())
		}
		s = ruled(t, "deny", form, long, 20)
		s.settings(permissions("ask", times(500, func(i int) string { return fmt.Sprintf(form, 100+i) }), ""))
		s.write(s.home+"/.claude/permgate.json", `{"rules": [{"deny": "Read(f59?9)"}]}`)
		if v, _ := decided(s, mode); v.Decision() != hookio.Deny {
			t.Errorf("%s: %s: %s", mode, v.Decision(), v.Reason())
		}
	}
}

// BenchmarkRulesTimesOperands prints how much longer 200 rules take than one.
func BenchmarkRulesTimesOperands(b *testing.B) {
	for _, list := range [...]string{"deny", "ask", "allow"} {
		for i := range texts {
			for _, form := range forms {
				b.Run(texts[i].name+"/"+list+"/"+form, func(b *testing.B) {
					least := [2]time.Duration{time.Hour, time.Hour}
					for b.Loop() {
						for arm, n := range [...]int{1, 200} {
							_, d := decided(ruled(b, list, form, texts[i].text, n), "default")
							least[arm] = min(least[arm], d)
						}
					}
					b.ReportMetric(float64(least[1].Milliseconds()), "ms/200")
					b.ReportMetric(float64(least[1])/float64(least[0]), "ratio")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}
