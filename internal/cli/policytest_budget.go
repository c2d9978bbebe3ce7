package cli

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
)

// overMost is how many sessions over a budget are named.
const overMost = 10

// printBudget prints a budget that does not hold, with -v every one.
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
		e.wrapped("      ", e.short(s.Wrong))
	}
	if s.Calls > 0 {
		e.wrapped("      ", spentOn(s))
	}
	for i, c := range s.Over {
		if i == overMost {
			fmt.Fprintf(e.out, "      and %d more\n", len(s.Over)-overMost)
			break
		}
		line := fmt.Sprintf("%d  %s", c.N, e.path(c.File))
		if c.Name != c.File {
			line += "  session " + c.Name
		}
		e.wrapped("      ", line)
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
	e.wrapped("      ", "most often "+word+": "+strings.Join(top, ", "))
	e.wrapped("      ", "next: permgate replay "+rules.Quote(e.path(s.Over[0].File)))
}

// budgetObject is what became of a budget as JSON.
func budgetObject(s *policytest.Spent, o *object) {
	b := s.Budget
	o.boolean("passed", s.Wrong == "")
	o.opt("wrong", s.Wrong)
	o.str("file", b.Pos.File)
	o.num("line", b.Pos.Line)
	o.str("budget", b.Line())
	o.opt("context", b.Context.String())
	o.num("calls", s.Calls)
	o.num("skipped", s.Skipped)
	o.num("sessions", s.Sessions)
	o.num(b.Counts(), s.Total)
	count := func(c *policytest.Count, o *object) {
		o.str("name", hookio.Escape(c.Name))
		o.opt("file", c.File)
		o.num("count", c.N)
	}
	o.list("over", len(s.Over), func(i int, o *object) { count(&s.Over[i], o) })
	o.list("top", len(s.Top), func(i int, o *object) { count(&s.Top[i], o) })
}

// spentOn says what a budget was held against.
func spentOn(s *policytest.Spent) string {
	one := "prompt"
	if s.Budget.Denies {
		one = "deny"
	}
	text := plural(s.Total, one, s.Budget.Counts()) + " in " + plural(s.Calls, "call", "calls")
	if s.Budget.PerSession {
		text += " of " + plural(s.Sessions, "session", "sessions")
	}
	if s.Skipped > 0 {
		text += fmt.Sprintf("; %s cannot be decided again", plural(s.Skipped, "call", "calls"))
	}
	return text
}
