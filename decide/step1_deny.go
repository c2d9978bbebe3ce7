package decide

import (
	"cmp"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/deny"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
)

// stepDeny is final: what package deny finds, told to the hook at once.
func stepDeny(in *Input, c facts.Facts) verdict.Denial {
	if in.Denied != nil && c.Policy().Many {
		in.tell(c, deny.Early(c))
	}
	d := deny.Step(c)
	for _, text := range in.Texts {
		d = d.Stricter(deny.Step(text.Facts()))
	}
	in.tell(c, d)
	return d.Changed(func(r *verdict.Reason) { addFinding(c, r) })
}

// tell tells the hook of a denial as soon as it is found.
func (in *Input) tell(c facts.Facts, d verdict.Denial) {
	if in.Denied != nil && d.Holds() {
		in.Denied(answered(verdict.Denied("1", d), in, c))
	}
}

// addFinding adds the worst finding to a denial, so that the agent learns at
// once what else is wrong.
func addFinding(c facts.Facts, r *verdict.Reason) {
	if r.Check != nil {
		return
	}
	if f := worst(c); f != nil {
		r.Check = f.Check
		r.Also(words.Found(c, f))
		r.Mark = cmp.Or(r.Mark, "step 1") + "; " + words.SeverityLabel(f.Check)
	}
}

// worst returns the first finding of the highest severity there is that no lift takes back.
func worst(c facts.Facts) *bashsafety.Finding {
	worst := c.FirstFinding(bashsafety.Catastrophic) // no lift sees it
	for _, q := range standing(c, asks.Findings).All() {
		if f, ok := verdict.Evidence[asks.Finding](q); ok && (worst == nil || f.Check.Severity > worst.Check.Severity) {
			worst = f.Finding
		}
	}
	return worst
}
