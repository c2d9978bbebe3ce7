package cli

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/policy/prove"
)

// heading is the answer in one line. Code quotes what the user named.
func (o *proveOptions) heading(r *prove.Report, code func(string) string) string {
	var words [3]string // by verdict
	var of string
	switch {
	case o.never != "":
		of, words = code(o.never), [...]string{"never allowed: ", "allowed, though never wanted: ", "cannot say whether it is never allowed: "}
	case o.always != "":
		of, words = code(o.always), [...]string{"always allowed: ", "not always allowed: ", "cannot say whether it is always allowed: "}
	case o.equivalent:
		of, words = code(r.Other), [...]string{"equivalent to ", "not equivalent to ", "cannot say whether it is equivalent to "}
	default:
		of, words = code(r.Other), [...]string{"no looser than ", "looser than ", "cannot say whether it is looser than "}
	}
	return words[r.Verdict] + of
}

// hideSecrets takes out of a report what looks like a secret. A call that holds one
// cannot be made again from it.
func hideSecrets(r *prove.Report) {
	hide := func(text *string) (hit bool) {
		*text, hit = redact.Text(*text)
		return hit
	}
	hide(&r.Claim)
	for i := range r.Findings {
		f := &r.Findings[i]
		hide(&f.Rule)
		hide(&f.Why)
		if hide(&f.Text) {
			f.Input = nil
		} else if _, secret := redact.Text(string(f.Input)); secret {
			f.Input = nil
		}
	}
	for i := range r.Open {
		hide(&r.Open[i].Rule)
		hide(&r.Open[i].Why)
	}
}

// A proofView prints a report for people.
type proofView struct {
	e     *env
	o     *proveOptions
	paint func(hookio.Decision, string) string
}

func (v *proofView) print(r *prove.Report) {
	colour := [...]hookio.Decision{hookio.Allow, hookio.Deny, hookio.Ask}[r.Verdict]
	fmt.Fprintln(v.e.out, v.paint(colour, v.o.heading(r, hookio.Escape)))
	kind := ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Kind != kind {
			v.e.heading(hookio.Escape(f.Kind))
			kind = f.Kind
		}
		v.finding(f)
	}
	if len(r.Open) > 0 {
		v.e.heading("not known")
	}
	for i := range r.Open {
		v.open(&r.Open[i])
	}
	if len(r.Open) > 0 {
		v.e.wrapped("  ", openHint)
	}
	fmt.Fprintln(v.e.out)
	v.e.wrapped("assumed: ", r.Assumes)
}

// openHint is what to do about what is not known.
const openHint = "what to do: see \"Cannot say\" in docs/prove.md; what is recorded can be compared by permgate replay --against"

// finding prints one call and who is responsible.
func (v *proofView) finding(f *prove.Finding) {
	fmt.Fprintf(v.e.out, "  %s  %s\n", v.paint(decision(f.Is), answers(f)), hookio.Escape(callTitle(f)))
	if f.Was != "" {
		fmt.Fprintf(v.e.out, "      %s\n", responsible(f)+v.at(f.Place))
	}
	v.e.wrapped("      ", v.e.short(f.Why))
}

func (v *proofView) open(o *prove.Open) {
	fmt.Fprintf(v.e.out, "  %s\n", strings.TrimSpace(hookio.Escape(o.Tool+"  "+o.Rule))+v.at(o.Place))
	v.e.wrapped("      ", v.e.short(o.Why))
}

// at is a place behind what is there.
func (v *proofView) at(place string) string {
	if place == "" {
		return ""
	}
	return "  " + v.e.place(parsePlace(place))
}

// answers are the two answers of a call.
func answers(f *prove.Finding) string {
	if f.Was == "" {
		return f.Is
	}
	return f.Was + " -> " + f.Is
}

// callTitle names the call of a finding as check does.
func callTitle(f *prove.Finding) string {
	if f.Tool == "Bash" || f.Tool == f.Text {
		return f.Text
	}
	return strings.TrimSpace(f.Tool + " " + f.Text)
}

// responsible is the rule or setting that a difference is laid to.
func responsible(f *prove.Finding) string {
	text := f.Rule
	if f.List != "" {
		text = f.List + " " + text
	}
	if f.Gone {
		text += " (removed)"
	}
	return hookio.Escape(text)
}
