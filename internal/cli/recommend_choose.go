package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/recommend"
	"github.com/permgate--owner/permgate/internal/term"
)

// A choosing asks about one proposal after the other on the terminal.
type choosing struct {
	*recommending
	x      *recommend.Search
	picked []*recommend.Proposal
	n      int                 // which proposal it is
	p      *recommend.Proposal // that is asked about; nil when it is answered
	over   bool
	err    error
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
	switch {
	case c.n == 1:
		fmt.Fprintf(r.out, "\nno rule to propose\n")
		return exitOK
	case len(c.picked) == 0:
		return r.fail("", "nothing was changed")
	}
	return r.write(c.picked)
}

// keysOf are the answers there are.
const keysOf = "y yes, n not now, ! never again, - narrower, + wider, q quit"

// ask shows a proposal and takes keys until it is answered.
func (c *choosing) ask(p *recommend.Proposal) int {
	fmt.Fprintln(c.out)
	c.p = p
	c.one(c.n, p)
	err := term.Ask("allow this? ["+keysOf+"] ", c.key)
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
		c.picked = append(c.picked, c.p)
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
