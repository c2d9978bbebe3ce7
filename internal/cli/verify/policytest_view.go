package verify

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

func (r *testRun) counts() (passed, failed int) {
	count := func(wrong string) {
		if wrong != "" {
			failed++
		}
	}
	for _, res := range r.results {
		count(res.Wrong)
	}
	for _, s := range r.budgets {
		count(s.Wrong)
	}
	for i := range r.examples {
		count(r.examples[i].Wrong)
	}
	return len(r.results) + len(r.budgets) + len(r.examples) - failed, failed
}

func (r *testRun) report() int {
	passed, failed := r.counts()
	if r.o.JSON {
		r.e.PrintObject(r.object(passed, failed))
	} else {
		for _, res := range r.results {
			r.print(res)
		}
		for _, s := range r.budgets {
			r.printBudget(s)
		}
		for i := range r.examples {
			r.printExample(&r.examples[i])
		}
		for _, f := range r.files {
			if len(f.Tests)+len(f.Budgets) == 0 {
				fmt.Fprintf(r.e.Out, "%s: no tests\n", r.e.Path(f.Name))
			}
		}
		r.printCoverage()
		fmt.Fprintf(r.e.Out, "%d passed, %d failed\n", passed, failed)
		r.e.SayImplied(r.o.Implied)
	}
	if failed > 0 {
		return subcmd.ExitFindings
	}
	return subcmd.ExitOK
}

// print prints a test that failed, with -v every one.
func (r *testRun) print(res *policytest.Result) {
	if res.Wrong == "" && !r.o.verbose {
		return
	}
	e, t := r.e, res.Test
	r.head(res.Wrong == "", t.Pos, testTitle(t))
	if res.Wrong == "" {
		return
	}
	fmt.Fprintf(e.Out, "      %s  (%s)\n", hookio.Escape(res.Wrong), e.Source(res.Verdict))
	e.Wrapped("      ", e.Short(res.Verdict.Reason()))
}

func (r *testRun) head(passed bool, pos rules.Pos, title string) {
	word, colour := "ok  ", hookio.Allow
	if !passed {
		word, colour = "FAIL", hookio.Deny
	}
	fmt.Fprintf(r.e.Out, "%s  %s  %s\n", r.e.Paint()(colour, word), r.e.Place(pos), hookio.Escape(title))
}

func (r *testRun) printExample(o *policytest.Outcome) {
	x := &o.Example
	if o.Wrong == "" && !r.o.verbose {
		return
	}
	r.head(o.Wrong == "", x.Pos, exampleWord(x)+" "+x.Text+"  ("+x.Rule.List.String()+" "+x.Rule.Text+")")
	if o.Wrong != "" {
		r.e.Wrapped("      ", r.e.Short(o.Wrong))
	}
}

func exampleWord(x *rules.Example) string {
	if x.Match {
		return "match"
	}
	return "not_match"
}

func testTitle(t *policytest.Test) string {
	s := t.Want + " " + t.Tool
	if t.Given {
		s += " " + t.Argument
	}
	if t.Reason != "" {
		s += " => " + t.Reason
	}
	if c := t.Context.String(); c != "" {
		s += "  (" + c + ")"
	}
	return s
}

func (r *testRun) printCoverage() {
	untouched := r.coverage.Untouched()
	if r.o.coverage && len(untouched) > 0 {
		fmt.Fprintln(r.e.Out, "rules without a test")
		var rows [][]string
		for i := range untouched {
			rule := &untouched[i]
			rows = append(rows, []string{rule.List.String(), r.e.Place(rule.Pos), hookio.Escape(rule.Text)})
		}
		r.e.Table("  ", rows)
	}
	n, others := r.coverage.Rules(), "; permgate test --coverage lists the others"
	if r.o.coverage {
		others = ""
	}
	switch {
	case n == 0:
	case len(untouched) == 0:
		fmt.Fprintf(r.e.Out, "every rule has a test (%d of %d)\n", n, n)
	default:
		fmt.Fprintf(r.e.Out, "%d of %s covered by tests%s\n", n-len(untouched),
			subcmd.Plural(n, "rule is", "rules are"), others)
	}
}

func (r *testRun) object(passed, failed int) *subcmd.Object {
	o := &subcmd.Object{}
	o.Add("passed", passed, "failed", failed)
	r.o.Implied.AddTo(o)
	o.List("tests", len(r.results), func(i int, o *subcmd.Object) {
		res := r.results[i]
		t := res.Test
		o.Add("passed", res.Wrong == "", "wrong", subcmd.Opt(res.Wrong), "file", t.Pos.File, "line", t.Pos.Line,
			"expect", t.Want, "expect_reason", subcmd.Opt(t.Reason), "context", subcmd.Opt(t.Context.String()))
		explain.Fill(o, res.Verdict)
	})
	o.List("examples", len(r.examples), func(i int, o *subcmd.Object) {
		x := &r.examples[i].Example
		o.Add("passed", r.examples[i].Wrong == "", "wrong", subcmd.Opt(r.examples[i].Wrong), "file", x.Pos.File,
			"line", x.Pos.Line, "expect", exampleWord(x), "text", x.Text)
		o.Add("rule", explain.FillRule(&subcmd.Object{}, &x.Rule))
	})
	o.List("budgets", len(r.budgets), func(i int, o *subcmd.Object) { budgetObject(r.budgets[i], o) })
	untouched := r.coverage.Untouched()
	o.Add("rules", r.coverage.Rules())
	o.List("untouched", len(untouched), func(i int, o *subcmd.Object) { explain.FillRule(o, &untouched[i]) })
	return o
}

const overMost = 10

func (r *testRun) printBudget(s *policytest.Spent) {
	if s.Wrong == "" && !r.o.verbose {
		return
	}
	e, b := r.e, s.Budget
	title := b.Line()
	if c := b.Context.String(); c != "" {
		title += "  (" + c + ")"
	}
	r.head(s.Wrong == "", b.Pos, title)
	if s.Wrong != "" {
		e.Wrapped("      ", e.Short(s.Wrong))
	}
	if s.Calls > 0 {
		e.Wrapped("      ", spentOn(s))
	}
	for i, c := range s.Over {
		if i == overMost {
			fmt.Fprintf(e.Out, "      and %d more\n", len(s.Over)-overMost)
			break
		}
		line := fmt.Sprintf("%d  %s", c.N, e.Path(c.File))
		if c.Name != c.File {
			line += "  session " + c.Name
		}
		e.Wrapped("      ", line)
	}
	if s.Wrong == "" || len(s.Over) == 0 {
		return
	}
	word, top := "asked about", []string{}
	if b.Denies {
		word = "denied"
	}
	for _, c := range s.Top {
		top = append(top, fmt.Sprintf("%s (%d)", c.Name, c.N))
	}
	e.Wrapped("      ", "most often "+word+": "+strings.Join(top, ", "))
	e.Wrapped("      ", "next: permgate replay "+grammar.Quote(e.Path(s.Over[0].File)))
}

func budgetObject(s *policytest.Spent, o *subcmd.Object) {
	b := s.Budget
	o.Add("passed", s.Wrong == "", "wrong", subcmd.Opt(s.Wrong), "file", b.Pos.File, "line", b.Pos.Line,
		"budget", b.Line(), "context", subcmd.Opt(b.Context.String()), "calls", s.Calls, "skipped", s.Skipped,
		"sessions", s.Sessions, b.Counts(), s.Total)
	count := func(c *policytest.Count, o *subcmd.Object) {
		o.Add("name", hookio.Escape(c.Name), "file", subcmd.Opt(c.File), "count", c.N)
	}
	o.List("over", len(s.Over), func(i int, o *subcmd.Object) { count(&s.Over[i], o) })
	o.List("top", len(s.Top), func(i int, o *subcmd.Object) { count(&s.Top[i], o) })
}

func spentOn(s *policytest.Spent) string {
	one := "prompt"
	if s.Budget.Denies {
		one = "deny"
	}
	text := subcmd.Plural(s.Total, one, s.Budget.Counts()) + " in " + subcmd.Plural(s.Calls, "call", "calls")
	if s.Budget.PerSession {
		text += " of " + subcmd.Plural(s.Sessions, "session", "sessions")
	}
	if s.Skipped > 0 {
		text += fmt.Sprintf("; %s cannot be decided again", subcmd.Plural(s.Skipped, "call", "calls"))
	}
	return text
}
