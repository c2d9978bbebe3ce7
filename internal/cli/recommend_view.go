package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
)

// read says what the proposals are made from.
func (r *recommending) read(rep *recommend.Report) {
	when := ""
	if !rep.First.IsZero() {
		when = ", " + rep.First.Local().Format("2006-01-02") + " to " + rep.Last.Local().Format("2006-01-02")
	}
	fmt.Fprintf(r.out, "%s in %s%s: %s\n", plural(rep.Decided, "call", "calls"), plural(rep.Sessions, "session", "sessions"),
		when, plural(rep.Prompts, "prompt", "prompts"))
	for _, why := range slices.Sorted(maps.Keys(rep.Skipped)) {
		fmt.Fprintf(r.out, "  %5d  skipped: %s\n", rep.Skipped[why], hookio.Escape(why))
	}
	for _, step := range slices.Sorted(maps.Keys(rep.Settled)) {
		fmt.Fprintf(r.out, "  %5d  %s\n", rep.Settled[step], settledBy(step))
	}
}

// settledBy says why no rule is proposed for what a step asks about.
func settledBy(step string) string {
	name := "asked about by step " + step + " (" + decide.StepName(step) + ")"
	if step == "5" {
		return name + ": an ask rule or an address list wants that"
	}
	return name + ": no allow rule is proposed for that"
}

// all prints every proposal, and what was left out.
func (r *recommending) all(rep *recommend.Report) {
	if len(rep.Rules) == 0 {
		fmt.Fprintf(r.out, "\nno rule to propose\n")
	} else {
		fmt.Fprintf(r.out, "\nrules for allow in %s, %s spared by %s; lint finds nothing in them\n", r.path(r.file),
			plural(rep.Spared, "prompt", "prompts"), plural(len(rep.Rules), "rule", "rules"))
	}
	for i, p := range rep.Rules {
		r.one(i+1, p)
	}
	if len(rep.Rejected) > 0 {
		r.heading("not proposed")
	}
	for _, x := range rep.Rejected {
		fmt.Fprintf(r.out, "  %s\n", hookio.Escape(x.Rule))
		r.wrapped("     ", fmt.Sprintf("would spare %s: %s", plural(x.Asks, "prompt", "prompts"), excerpt(x.Why)))
	}
}

// tighter prints what could be narrower.
func (r *recommending) tighter(rep *recommend.Report) {
	if len(rep.Unused) > 0 {
		r.heading(fmt.Sprintf("matched no call for %s", plural(r.o.unused, "day", "days")))
	}
	for _, u := range rep.Unused {
		r.oneUnused(u)
	}
	if len(rep.Wide) > 0 {
		r.heading("wider than their use")
	}
	for _, w := range rep.Wide {
		r.oneWide(w)
	}
}

func (r *recommending) oneUnused(u recommend.Unused) {
	fmt.Fprintf(r.out, "  %s  %s\n", hookio.Escape(u.Rule), r.place(u.At))
	what := "no recorded call needs it"
	if u.Costs > 0 {
		what = fmt.Sprintf("needed for %s: %s", plural(u.Costs, "older call", "older calls"), excerpts(u.Calls))
	}
	r.wrapped("     ", what+"; "+r.removal(u.Rule))
}

func (r *recommending) oneWide(w recommend.Wide) {
	fmt.Fprintf(r.out, "  %s  %s\n", hookio.Escape(w.Rule), r.place(w.At))
	r.wrapped("     ", fmt.Sprintf("needed for %s; these do for all of them: %s", plural(w.Calls, "call", "calls"),
		hookio.Escape(strings.Join(w.Narrower, ", "))))
}

// removal is the command that removes a rule.
func (r *recommending) removal(rule string) string {
	return "permgate rules remove allow " + quoteArg(rule) + " --scope " + r.o.scope
}

// kindWords say how wide a kind of rule is.
var kindWords = [...][2]string{
	{recommend.Exact, "exactly this"}, {recommend.Domain, "every address of that host"}, {recommend.Stem, "stem: any arguments"},
	{recommend.Folder, "every file in that folder"}, {recommend.Tool, "every call of that tool"},
}

// one prints a proposal.
func (r *recommending) one(n int, p *recommend.Proposal) {
	fmt.Fprintf(r.out, "%3d  %s\n", n, hookio.Escape(p.Rule))
	word := ""
	for _, k := range kindWords {
		if k[0] == p.Kind {
			word = k[1]
		}
	}
	r.wrapped("     ", fmt.Sprintf("%s; asked %s in %s; spares %s, %d so far", word, plural(p.Asked, "time", "times"),
		plural(p.Sessions, "session", "sessions"), plural(p.Spared, "prompt", "prompts"), p.Total))
	if p.Kind != recommend.Exact {
		r.wrapped("     ", "for "+excerpts(p.Calls))
	}
	for _, kind := range slices.Sorted(maps.Keys(p.Others)) {
		r.wrapped("     ", fmt.Sprintf("also matches %s", othersOf(kind, p.Others[kind])))
	}
	if len(p.Examples) > 0 {
		r.wrapped("     ", "such as "+excerpts(p.Examples))
	}
}

// othersOf says what becomes of calls that a rule matches and spares no prompt for.
func othersOf(kind string, n int) string {
	count := plural(n, "call", "calls")
	switch kind {
	case "allow":
		return count + " allowed without it"
	case "deny":
		return count + " still denied"
	}
	return count + " still asked about"
}

// excerpts lists examples.
func excerpts(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = excerpt(text)
	}
	return strings.Join(out, "; ")
}

// excerptWidth is how much of a call is shown in a list.
const excerptWidth = 80

// excerpt is the beginning of a text, fit to print.
func excerpt(text string) string {
	text = hookio.Escape(text)
	if r := []rune(text); len(r) > excerptWidth {
		return string(r[:excerptWidth-3]) + "..."
	}
	return text
}
