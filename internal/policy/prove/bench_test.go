package prove

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// BenchmarkCompare compares a policy with one that has another rule.
func BenchmarkCompare(b *testing.B) {
	for _, size := range []int{500, 5000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			w := &world{scripts: map[string]*bashsafety.Analysis{}}
			r := rand.New(rand.NewPCG(1, 1))
			now, was := policyOf("default"), policyOf("default")
			for i := range size {
				text := fmt.Sprintf("Bash(%s %s %d%s)", pick(r, "git", "npm run", "go", "docker", "make"), pick(r, "a", "push", "log", "--x"), i,
					pick(r, "", ":*", " *"))
				list := rules.List(1 + r.IntN(3))
				add(now, text, list, rules.User, false)
				add(was, text, list, rules.User, false)
			}
			add(now, "Bash(git log:*)", rules.Allow, rules.User, false)
			b.ReportAllocs()
			for b.Loop() {
				(&Job{Flags: &gate.Flags{}}).compare(w.side(now), w.side(was))
			}
		})
	}
}
