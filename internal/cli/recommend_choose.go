package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
	"github.com/permgate--owner/permgate/internal/term"
)

// A choosing asks about one proposal after the other on the terminal.
type choosing struct {
	*recommending
	x    *recommend.Search
	want wanted
	n    int                 // which proposal it is
	p    *recommend.Proposal // that is asked about; nil when it is answered
	over bool
	err  error
}

// choose asks about every proposal, and writes what is wanted.
func (r *recommending) choose(calls *recommend.Calls) int {
	c := &choosing{recommending: r, x: calls.Search()}
	r.read(calls.Report(r.file))
	for c.n = 1; c.n <= r.o.most && !c.over; c.n++ {
		p, err := c.x.Next()
		if err != nil {
			return r.failFile(err)
		}
		if p == nil {
			break
		}
		if code := c.ask(p); code != exitOK {
			return code
		}
	}
	report := calls.Report(r.file)
	calls.Tighten(report, r.o.unused, r.world.Now)
	if code := c.tighten(report); code != exitOK {
		return code
	}
	switch {
	case c.n == 1 && len(report.Unused)+len(report.Wide) == 0:
		fmt.Fprintf(r.out, "\nno rule to propose\n")
		return exitOK
	case c.want.none():
		return r.fail("", "nothing was changed")
	}
	return r.write(&c.want)
}

// keysOf are the answers there are.
const keysOf = "y yes, n not now, ! never again, - narrower, + wider, q quit"

// ask shows a proposal and takes keys until it is answered.
func (c *choosing) ask(p *recommend.Proposal) int {
	fmt.Fprintln(c.out)
	c.p = p
	c.one(c.n, p)
	return c.answered(term.Ask("allow this? ["+keysOf+"] ", c.key))
}

// tighten asks about the rules that are unused or wider than their use.
func (c *choosing) tighten(r *recommend.Report) int {
	for _, u := range r.Unused {
		code := c.tighter("remove it?", func() { c.oneUnused(u) }, func() { c.want.gone = append(c.want.gone, u.Rule) })
		if code != exitOK {
			return code
		}
	}
	for _, w := range r.Wide {
		code := c.tighter("write these in its place?", func() { c.oneWide(w) }, func() {
			c.want.gone, c.want.more = append(c.want.gone, w.Rule), append(c.want.more, w.Narrower...)
		})
		if code != exitOK {
			return code
		}
	}
	return exitOK
}

// tighter asks whether a rule goes, unless the user has had enough.
func (c *choosing) tighter(question string, show, yes func()) int {
	if c.over {
		return exitOK
	}
	fmt.Fprintln(c.out)
	show()
	return c.answered(term.Ask(question+" [y yes, n not now, q quit] ", func(line string) (problem string) {
		switch strings.ToLower(line) {
		case "y", "yes":
			yes()
		case "n", "no":
		case "q":
			c.over = true
		default:
			return "please type y, n or q"
		}
		return ""
	}))
}

// answered reports a question that was not answered.
func (c *choosing) answered(err error) int {
	switch {
	case errors.Is(err, term.ErrNoTerminal):
		return c.fail("run it in a terminal; --yes writes the exact rules, --dry-run prints all and writes nothing",
			"recommend changes what is asked about, and there is no terminal to answer on")
	case errors.Is(err, io.EOF):
		return c.fail("", "nothing was changed")
	case err != nil:
		return c.fail("", "%v", err)
	case c.err != nil:
		return c.failFile(c.err)
	}
	return exitOK
}

// key does what a key says; problem has the question asked again.
func (c *choosing) key(line string) (problem string) {
	switch strings.ToLower(line) {
	case "y", "yes":
		c.x.Take(c.p)
		c.want.picked = append(c.want.picked, c.p)
	case "n", "no":
		c.x.Leave(c.p)
	case "!":
		c.x.Leave(c.p)
		c.err = c.store().AddNever(c.p.Rule)
	case "-":
		return c.step(c.x.Narrower(c.p))
	case "+":
		return c.step(c.x.Wider(c.p))
	case "q":
		c.over = true
	default:
		return "please type one of: " + keysOf
	}
	return ""
}

// step shows a narrower or wider rule in the place of the one that is asked about.
func (c *choosing) step(p *recommend.Proposal, why string, err error) (problem string) {
	switch {
	case err != nil:
		c.err = err
		return ""
	case p == nil:
		return hookio.Escape(why)
	}
	more := p.Spared - c.p.Spared
	c.p = p
	c.one(c.n, p)
	if more > 0 {
		c.wrapped("     ", fmt.Sprintf("this step adds %s: %s", plural(more, "prompt", "prompts"), excerpts(p.Adds)))
	}
	return term.Again
}
